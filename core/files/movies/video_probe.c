/* SPDX-License-Identifier: MIT
 *
 * The kind of file is given to ffmpeg, so that no other of its readers, such as those of playlists, gets the file; and it may open files alone.
 */
#include "core/files/movies/video_probe.h"

#include "core/base/system/child.h"
#include "core/base/file_read.h"
#include "core/files/movies/avi_layout.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 64, MAX_TEXT = 1 << 20 };

/* ---- Kinds of files ---- */

/* QuickTime's and MP4's atoms; pictures in such files are of other formats. */
static gboolean
is_mp4 (const guint8 *head, gsize n)
{
  static const char pictures[][5] = {"avif", "avis", "heic", "heix", "heim", "heis", "hevc",
                                     "hevx", "mif1", "msf1", "jp2 ", "jpx ", "jpm "};
  static const char atoms[][5] = {"mdat", "moov", "wide", "skip", "free", "pnot"};
  if (n < 12)
    return FALSE;
  if (!memcmp (head + 4, "ftyp", 4)) {
    for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
      if (!memcmp (head + 8, pictures[i], 4))
        return FALSE;
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (atoms); i++)
    if (!memcmp (head + 4, atoms[i], 4))
      return !head[0] || i == 0; /* the size comes first, and only that of "mdat" is large */
  return FALSE;
}

const char *
files_video_container (const char *path, const guint8 *head, gsize n)
{
  if (n < 12)
    return NULL;
  if (is_mp4 (head, n))
    return "mov";
  if (!memcmp (head, "\x1a\x45\xdf\xa3", 4))
    return "matroska";
  if (!memcmp (head, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8))
    return "asf";
  if (!memcmp (head, "\0\0\1\xba", 4))
    return "mpeg";
  if (!memcmp (head, "FLV\1", 4))
    return "flv";
  return files_avi_is (head, n) && files_avi_is_foreign (path) ? "avi" : NULL;
}

/* ---- Asking ---- */

char *
files_video_program (const char *program, const char *path, const char *what, GError **error)
{
  char *found = g_find_program_in_path (program);
  if (!found)
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "cannot be %s: videos need the program %s (package ffmpeg), which is not installed. AVI without "
               "compression, or as JPEG or PNG, needs no program.",
               what, program);
  return found;
}

static gboolean
take_text (gpointer text, const guint8 *bytes, gsize n, GError **error)
{
  (void) error;
  if (((GString *) text)->len < MAX_TEXT)
    g_string_append_len (text, (const char *) bytes, (gssize) n);
  return TRUE;
}

/* NULL with *error. */
static JsonNode *
ask (const char *program, const FilesVideo *v, int file, GError **error)
{
  const char *const words[] = {program,
                               "-v",
                               "error",
                               "-protocol_whitelist",
                               "file",
                               "-f",
                               v->container,
                               "-select_streams",
                               "v:0",
                               "-count_packets",
                               "-show_entries",
                               "stream=width,height,pix_fmt,avg_frame_rate,r_frame_rate,nb_read_packets:"
                               "stream_side_data=rotation:format=nb_streams",
                               "-of",
                               "json",
                               "file:" CHILD_PATH,
                               NULL};
  g_autoptr (GString) text = g_string_new (NULL);
  const ChildJob job = {.words = words, .file = file, .take = take_text, .data = text};
  g_autofree char *said = NULL;
  g_autoptr (GError) fault = NULL;
  JsonNode *answer = NULL;
  if (!child_run (&job, v->path, &said, error)) {
    if (said)
      file_fail (error, FILE_ERROR_DAMAGED, v->path, "is damaged, truncated or no video that ffmpeg reads (%s).", said);
    return NULL;
  }
  if (!(answer = json_from_string (text->str, &fault)) || !JSON_NODE_HOLDS_OBJECT (answer)) {
    file_fail (error, FILE_ERROR_UNSUPPORTED, v->path, "cannot be opened: ffprobe gives no answer that is understood.");
    g_clear_pointer (&answer, json_node_unref);
  }
  return answer;
}

/* ---- Understanding ---- */

/* "30000/1001" frames per second as an interval; 0: it is none. */
static double
interval_of (const char *rate)
{
  char *end;
  const double over = g_ascii_strtod (rate, &end), under = *end == '/' ? g_ascii_strtod (end + 1, NULL) : 1;
  return over > 0 && under > 0 ? under / over : 0;
}

static const char *
text_of (JsonObject *o, const char *key)
{
  return json_object_get_string_member_with_default (o, key, "");
}

static void
set_pixels (FilesVideo *v, const char *pixels)
{
  guint64 bits = 8;
  if (!g_str_has_prefix (pixels, "gray") && !g_str_has_prefix (pixels, "mono"))
    return;
  g_autofree char *digits = g_strdup (pixels + 4);
  digits[strspn (digits, "0123456789")] = 0;
  g_ascii_string_to_unsigned (digits, 10, 9, 16, &bits, NULL);
  v->deep = bits > 8;
  v->gray = v->deep
              ? g_strdup_printf ("gray%" G_GUINT64_FORMAT "%s", bits, G_BYTE_ORDER == G_LITTLE_ENDIAN ? "le" : "be")
              : g_strdup ("gray");
}

/* Degrees that the video is turned by when it is shown. */
static gint64
rotation_of (JsonObject *stream)
{
  JsonArray *data =
    json_object_has_member (stream, "side_data_list") ? json_object_get_array_member (stream, "side_data_list") : NULL;
  for (guint i = 0; data && i < json_array_get_length (data); i++) {
    JsonObject *each = json_array_get_object_element (data, i);
    if (each && json_object_has_member (each, "rotation"))
      return json_object_get_int_member (each, "rotation");
  }
  return 0;
}

static gboolean
understand (FilesVideo *v, JsonObject *root, GError **error)
{
  JsonArray *streams = json_object_has_member (root, "streams") ? json_object_get_array_member (root, "streams") : NULL;
  JsonObject *stream = streams && json_array_get_length (streams) ? json_array_get_object_element (streams, 0) : NULL;
  JsonObject *format = json_object_has_member (root, "format") ? json_object_get_object_member (root, "format") : NULL;
  if (!stream)
    return file_fail (error, FILE_ERROR_DAMAGED, v->path, "is damaged or truncated, or has no video.");
  const gboolean turned = rotation_of (stream) % 180 != 0;
  v->columns = json_object_get_int_member_with_default (stream, turned ? "height" : "width", 0);
  v->rows = json_object_get_int_member_with_default (stream, turned ? "width" : "height", 0);
  v->frames = g_ascii_strtoll (text_of (stream, "nb_read_packets"), NULL, 10);
  v->interval = interval_of (text_of (stream, "avg_frame_rate"));
  if (!(v->interval > 0))
    v->interval = interval_of (text_of (stream, "r_frame_rate"));
  set_pixels (v, text_of (stream, "pix_fmt"));
  const gint64 others = format ? json_object_get_int_member_with_default (format, "nb_streams", 1) - 1 : 0;
  if (others > 0)
    v->left_out = g_strdup_printf ("%" G_GINT64_FORMAT " other stream%s, such as sound", others, others > 1 ? "s" : "");
  return (v->columns > 0 && v->rows > 0 && v->frames > 0)
         || file_fail (error, FILE_ERROR_DAMAGED, v->path, "is damaged or truncated: it has no frame.");
}

FilesVideo *
files_video_probe (const char *path, GError **error)
{
  g_autoptr (FilesVideo) v = g_new0 (FilesVideo, 1);
  g_autofree char *program = files_video_program ("ffprobe", path, "opened", error);
  guint8 head[HEAD];
  struct stat about;
  const int file = program ? file_open_regular (path, 0, &about, error) : -1;
  if (file < 0)
    return NULL;
  const gssize n = pread (file, head, HEAD, 0);
  v->path = g_strdup (path);
  v->container = files_video_container (path, head, (gsize) MAX (n, 0));
  if (!v->container)
    file_fail (error, FILE_ERROR_FORMAT, path, "is not a video.");
  g_autoptr (JsonNode) answer = v->container ? ask (program, v, file, error) : NULL;
  close (file);
  return answer && understand (v, json_node_get_object (answer), error) ? g_steal_pointer (&v) : NULL;
}

void
files_video_free (FilesVideo *v)
{
  g_free (v->path);
  g_free (v->gray);
  g_free (v->left_out);
  g_free (v);
}
