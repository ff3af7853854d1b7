/* SPDX-License-Identifier: MIT
 */
#include "core/files/nd2/file.h"

#include "core/base/progress.h"
#include "core/files/shared/little.h"

#include <math.h>
#include <string.h>

enum {
  MAGIC = 0x0abeceda,
  HEADER = 16,    /* of a chunk, before its name */
  MAX_NAME = 256, /* that a chunk is recognized by */
  TAIL = 40,      /* of the file: the signature of the map, and its position */
  MAX_CHUNK = 256 << 20,
};

#define FIRST "ND2 FILE SIGNATURE CHUNK NAME01!"
#define MAP "ND2 FILEMAP SIGNATURE NAME 0001!"
#define MAP_SIGNATURE "ND2 CHUNK MAP SIGNATURE 0000001!"
#define FRAME "ImageDataSeq|"

gboolean
files_nd2_is (const guint8 *head, gsize n)
{
  return n >= HEADER + sizeof FIRST - 1 && files_little (head, 4) == MAGIC
         && !memcmp (head + HEADER, FIRST, sizeof FIRST - 1);
}

/* ---- Chunks ---- */

/* The chunk at a position; FALSE: there is none, or it is cut off. name: its beginning, without what comes behind '!'. */
static gboolean
read_header (FilesBytes *bytes, guint64 at, char name[MAX_NAME], FilesNd2Chunk *chunk)
{
  guint8 header[HEADER];
  if (!files_bytes_read (bytes, at, header, sizeof header) || files_little (header, 4) != MAGIC)
    return FALSE;
  const guint64 named = files_little (header + 4, 4);
  const gsize kept = (gsize) MIN (named, MAX_NAME - 1);
  *chunk = (FilesNd2Chunk){at + HEADER + named, files_little (header + 8, 8)};
  if (chunk->at > bytes->size || chunk->size > bytes->size - chunk->at
      || !files_bytes_read (bytes, at + HEADER, name, kept))
    return FALSE;
  name[kept] = '\0';
  char *end = strchr (name, '!');
  if (end)
    end[1] = '\0';
  return TRUE;
}

static void
add_chunk (FilesNd2File *file, const char *name, guint64 at)
{
  gint64 number;
  const gsize length = strlen (name), before = strlen (FRAME);
  if (!g_str_has_prefix (name, FRAME)) {
    g_hash_table_insert (file->chunks, g_strdup (name), g_memdup2 (&at, sizeof at));
    return;
  }
  if (length == before || name[length - 1] != '!')
    return;
  g_autofree char *digits = g_strndup (name + before, length - before - 1);
  if (g_ascii_string_to_signed (digits, 10, 0, G_MAXINT64, &number, NULL))
    g_hash_table_insert (file->frames, g_memdup2 (&number, sizeof number), g_memdup2 (&at, sizeof at));
}

/* FALSE: the file lacks one. */
static gboolean
read_map (FilesNd2File *file)
{
  guint8 tail[TAIL];
  char name[MAX_NAME];
  FilesNd2Chunk chunk;
  FilesBytes *bytes = file->bytes;
  if (bytes->size < TAIL || !files_bytes_read (bytes, bytes->size - TAIL, tail, TAIL)
      || memcmp (tail, MAP_SIGNATURE, TAIL - 8) || !read_header (bytes, files_little (tail + TAIL - 8, 8), name, &chunk)
      || strcmp (name, MAP) || chunk.size > G_MAXINT)
    return FALSE;
  g_autofree guint8 *map = g_try_malloc ((gsize) chunk.size + 1);
  if (!map || !files_bytes_read (bytes, chunk.at, map, (gsize) chunk.size))
    return FALSE;
  for (const guint8 *at = map, *end = map + chunk.size, *stop; (stop = memchr (at, '!', (gsize) (end - at)));) {
    const gsize n = (gsize) (stop + 1 - at);
    if (n >= MAX_NAME || end - stop < 17 || !memcmp (at, MAP_SIGNATURE, MIN (n, sizeof MAP_SIGNATURE - 1)))
      break;
    memcpy (name, at, n);
    name[n] = '\0';
    add_chunk (file, name, files_little (stop + 1, 8));
    at = stop + 17;
  }
  return TRUE;
}

/* Chunks lie at multiples of 4096, some of them with a gap before them. */
static void
find_chunks (FilesNd2File *file)
{
  char name[MAX_NAME];
  FilesNd2Chunk chunk;
  for (guint64 at = 0; at < file->bytes->size && !progress_stopped (NULL);)
    if (read_header (file->bytes, at, name, &chunk)) {
      add_chunk (file, name, at);
      at = chunk.at + chunk.size;
    } else
      at = (at / 4096 + 1) * 4096;
}

FilesNd2File *
files_nd2_file_open (const char *path, GError **error)
{
  g_autoptr (FilesNd2File) file = g_new0 (FilesNd2File, 1);
  char name[MAX_NAME], version[4];
  FilesNd2Chunk chunk;
  if (!(file->bytes = files_bytes_open (path, error)))
    return NULL;
  if (!read_header (file->bytes, 0, name, &chunk) || strcmp (name, FIRST) || chunk.size < sizeof version
      || !files_bytes_read (file->bytes, chunk.at, version, sizeof version) || memcmp (version, "Ver", 3)) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: it has no ND2 version.");
    return NULL;
  }
  file->version = (guint) g_ascii_digit_value (version[3]);
  file->chunks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  file->frames = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  if (!read_map (file)) {
    file->cut = TRUE;
    find_chunks (file);
  }
  return g_steal_pointer (&file);
}

void
files_nd2_file_free (FilesNd2File *file)
{
  g_clear_pointer (&file->chunks, g_hash_table_unref);
  g_clear_pointer (&file->frames, g_hash_table_unref);
  g_clear_pointer (&file->bytes, files_bytes_unref);
  g_free (file);
}

gboolean
files_nd2_frame (const FilesNd2File *file, gint64 number, FilesNd2Chunk *chunk)
{
  const guint64 *at = g_hash_table_lookup (file->frames, &number);
  char name[MAX_NAME];
  return at && read_header (file->bytes, *at, name, chunk) && g_str_has_prefix (name, FRAME);
}

guint8 *
files_nd2_read (const FilesNd2File *file, const char *name, gsize *n)
{
  const guint64 *at = g_hash_table_lookup (file->chunks, name);
  char found[MAX_NAME];
  FilesNd2Chunk chunk;
  if (!at || !read_header (file->bytes, *at, found, &chunk) || strcmp (found, name) || chunk.size > MAX_CHUNK)
    return NULL;
  g_autofree guint8 *bytes = g_try_malloc ((gsize) chunk.size + 1);
  *n = (gsize) chunk.size;
  return bytes && files_bytes_read (file->bytes, chunk.at, bytes, *n) ? g_steal_pointer (&bytes) : NULL;
}

double
files_nd2_double (const guint8 *bytes, gsize n, gsize i)
{
  double value = NAN;
  if (bytes && n / sizeof value > i) {
    const guint64 bits = files_little (bytes + sizeof value * i, sizeof value);
    memcpy (&value, &bits, sizeof value);
  }
  return value;
}

FilesNd2Node *
files_nd2_metadata (const FilesNd2File *file, const char *name)
{
  const char *number = strchr (name, '|');
  const gsize stem = number ? (gsize) (number - name) : strlen (name);
  g_autofree char *full = g_strdup_printf ("%.*s%s%s!", (int) stem, name, file->version >= 3 ? "LV" : "", name + stem);
  gsize n;
  g_autofree guint8 *bytes = files_nd2_read (file, full, &n);
  return bytes ? files_nd2_variant_parse (bytes, n) : NULL;
}
