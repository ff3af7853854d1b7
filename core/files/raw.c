/* SPDX-License-Identifier: MIT
 */
#include "core/files/raw.h"

#include "core/base/error.h"
#include "core/base/file_name.h"
#include "core/base/fork.h"
#include "core/base/text.h"
#include "core/files/shared/plain.h"
#include "core/ops/args.h"

#include <math.h>
#include <string.h>

enum { PLANES = 1 << 30 /* at most, so that no stride overflows */ };

/* In the order of the choices below. */
static const struct {
  const char *key;
  FilesNumber number;
} types[] = {
  {"u8", {.bytes = 1}},
  {"i8", {.bytes = 1, .is_signed = TRUE}},
  {"u16", {.bytes = 2}},
  {"i16", {.bytes = 2, .is_signed = TRUE}},
  {"u32", {.bytes = 4}},
  {"i32", {.bytes = 4, .is_signed = TRUE}},
  {"u64", {.bytes = 8}},
  {"i64", {.bytes = 8, .is_signed = TRUE}},
  {"f16", {.bytes = 2, .is_float = TRUE, .is_signed = TRUE}},
  {"f32", {.bytes = 4, .is_float = TRUE, .is_signed = TRUE}},
  {"f64", {.bytes = 8, .is_float = TRUE, .is_signed = TRUE}},
};

static const fv_choice type_choices[] = {
  {"u8", "8-bit unsigned", "Integers from 0 to 255."},
  {"i8", "8-bit signed", "Integers from -128 to 127."},
  {"u16", "16-bit unsigned", "Integers from 0 to 65535."},
  {"i16", "16-bit signed", "Integers from -32768 to 32767."},
  {"u32", "32-bit unsigned", "Integers of 4 bytes."},
  {"i32", "32-bit signed", "Integers of 4 bytes with a sign."},
  {"u64", "64-bit unsigned", "Integers of 8 bytes, if 64-bit floats hold them."},
  {"i64", "64-bit signed", "Integers of 8 bytes with a sign, if 64-bit floats hold them."},
  {"f16", "16-bit float", "Floats of 2 bytes."},
  {"f32", "32-bit float", "Floats of 4 bytes."},
  {"f64", "64-bit float", "Floats of 8 bytes."},
  {0},
};

static const fv_choice endian_choices[] = {
  {"little", "Little-endian", "The lowest byte of a number first, as on most machines."},
  {"big", "Big-endian", "The highest byte first."},
  {0},
};

static const fv_choice order_choices[] = {
  {"xyzct", "Slices", "All slices of a channel, then the next channel."},
  {"xyczt", "Channels", "All channels of a slice, then the next slice."},
  {"cxyzt", "Channels of each pixel", "Such as red, green and blue of each pixel."},
  {0},
};

#define SIZE .def = 1, .min = 1, .max = G_MAXINT32, .soft_max = 100

static const fv_param params[] = {
  {FV_FIELD (FilesRaw, width), .label = "Width", .unit = "px", .max = G_MAXINT32, .soft_max = 4096,
   .help = "Pixels of a row."},
  {FV_FIELD (FilesRaw, height), .label = "Height", .unit = "px", .max = G_MAXINT32, .soft_max = 4096,
   .help = "Rows of a plane."},
  {FV_FIELD (FilesRaw, slices), .label = "Slices", SIZE, .help = "Slices of the image."},
  {FV_FIELD (FilesRaw, channels), .label = "Channels", SIZE, .help = "Channels of the image."},
  {FV_FIELD (FilesRaw, frames), .label = "Frames", SIZE,
   .help = "Frames of the image, the last ones of the file last."},
  {FV_FIELD (FilesRaw, type), .label = "Type", .choices = type_choices, .help = "How a value is stored."},
  {FV_FIELD (FilesRaw, endian), .label = "Byte order", .choices = endian_choices,
   .help = "The order of the bytes of a value."},
  {FV_FIELD (FilesRaw, order), .label = "What comes first", .choices = order_choices, .advanced = true,
   .help = "How slices and channels follow each other."},
  {FV_FIELD (FilesRaw, offset), .label = "Offset", .unit = "bytes", .max = G_MAXINT32, .soft_max = 4096,
   .help = "Bytes before the first pixel, such as a header."},
  {FV_FIELD (FilesRaw, gap), .label = "Gap", .unit = "bytes", .max = G_MAXINT32, .soft_max = 4096, .advanced = true,
   .help = "Bytes between planes."},
  {0},
};

/* ---- Text ---- */

const Op *
files_raw_op (void)
{
  static const Op op = {.fv = {.key = "raw", .args_size = sizeof (FilesRaw), .params = params},
                        .n_params = G_N_ELEMENTS (params) - 1};
  return &op;
}

/* Says which parameter may be meant. */
static gboolean
unknown (const char *key, GError **error)
{
  const char *keys[G_N_ELEMENTS (params)] = {NULL};
  for (guint i = 0; params[i].key; i++)
    keys[i] = params[i].key;
  g_autofree char *near = text_nearest (key, keys), *all = g_strjoinv (", ", (char **) keys);
  step_error_set (error, FV_BAD_ARGUMENT, key, "raw: unknown parameter '%s'. %s%s%s", key,
                  near ? "Did you mean '" : "Parameters are ", near ? near : all, near ? "'?" : ".");
  return FALSE;
}

gboolean
files_raw_parse (const char *text, FilesRaw *raw, GError **error)
{
  const Op *op = files_raw_op ();
  g_autofree FilesRaw *read = args_new (op, error);
  g_auto (GStrv) words = text_words (text, error);
  if (!read || !words || !args_check_once (op, (const char *const *) words, error))
    return FALSE;
  for (char **word = words; *word; word++) {
    const char *equals = strchr (*word, '=');
    g_autofree char *key = g_strndup (*word, equals ? (gsize) (equals - *word) : strlen (*word));
    if (!args_param (op, key))
      return unknown (key, error);
    if (!args_set (op, read, key, equals ? equals + 1 : "", error))
      return FALSE;
  }
  *raw = *read;
  if (raw->width && raw->height)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, raw->width ? "height" : "width",
                  "raw: width and height are needed, as in 'width=512 height=512 type=u16'.");
  return FALSE;
}

char *
files_raw_format (const FilesRaw *raw)
{
  return args_format (files_raw_op (), raw, NULL);
}

/* ---- Where pixels are ---- */

static void
set_info (const FilesRaw *raw, ImageInfo *info)
{
  info->columns = raw->width;
  info->rows = raw->height;
  info->depth = raw->slices;
  info->channels = raw->channels;
  info->frames = raw->frames;
}

/* The sizes are possible: is_possible(). */
static void
set_blocks (const FilesRaw *raw, FilesBlocks *blocks)
{
  const gint64 bytes = types[raw->type].number.bytes, samples = raw->order == FILES_RAW_SAMPLES ? raw->channels : 1;
  const gint64 row = raw->width * bytes * samples, plane = raw->height * row + raw->gap;
  blocks->number = types[raw->type].number;
  blocks->number.swapped = bytes > 1 && (raw->endian == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);
  blocks->at = (guint64) raw->offset;
  blocks->strides[4] = bytes * samples;
  blocks->strides[3] = row;
  blocks->strides[2] = raw->order == FILES_RAW_CHANNELS ? plane * raw->channels : plane;
  blocks->strides[1] = raw->order == FILES_RAW_SAMPLES    ? bytes
                       : raw->order == FILES_RAW_CHANNELS ? plane
                                                          : plane * raw->slices;
  blocks->strides[0] = plane * raw->slices * (raw->channels / samples);
}

static gboolean
is_possible (const FilesRaw *raw)
{
  ImageInfo info = {0};
  set_info (raw, &info);
  return raw->width > 0 && raw->height > 0 && image_info_check (&info, NULL) && image_info_planes (&info) <= PLANES;
}

guint64
files_raw_end (const FilesRaw *raw)
{
  if (!is_possible (raw))
    return 0;
  FilesBlocks blocks;
  set_blocks (raw, &blocks);
  const gint64 sizes[] = {raw->frames, raw->channels, raw->slices, raw->height, raw->width};
  guint64 end = blocks.at + blocks.number.bytes;
  for (guint axis = 0; axis < G_N_ELEMENTS (sizes); axis++)
    end += (guint64) ((sizes[axis] - 1) * blocks.strides[axis]);
  return end;
}

gboolean
files_raw_fits (const FilesRaw *raw, const char *path, guint64 size, GError **error)
{
  const guint64 end = files_raw_end (raw);
  if (end && end <= size)
    return TRUE;
  if (!end)
    return file_fail (error, FILE_ERROR_FORMAT, path, "cannot be read so: no image has such sizes.");
  return file_fail (error, FILE_ERROR_FORMAT, path,
                    "cannot be read so: pixels would end at byte %" G_GUINT64_FORMAT
                    ", and the file ends at %" G_GUINT64_FORMAT ".",
                    end, size);
}

/* ---- Guesses ---- */

enum { HEADER = 4096 /* bytes at most that may be before the pixels */ };

/* The type that the name has as a word, as head_u16.raw has, or else the usual ones, the most usual first. How many. */
static guint
likely_types (const char *name, guint likely[4])
{
  static const char *const usual[] = {"u16", "u8", "f32", "f64"};
  guint n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autofree char *pattern = g_strdup_printf ("(?<![a-z0-9])%s(?![a-z0-9])", types[i].key);
    if (g_regex_match_simple (pattern, name, G_REGEX_CASELESS, 0)) {
      likely[0] = i;
      return 1;
    }
  }
  for (guint u = 0; u < G_N_ELEMENTS (usual); u++)
    for (guint i = 0; i < G_N_ELEMENTS (types); i++)
      if (!strcmp (types[i].key, usual[u]))
        likely[n++] = i;
  return n;
}

/* Whether such pixels end where the file does, or would if there were at most `header` bytes before them, which are then the offset. */
static gboolean
take (FilesRaw *raw, guint type, guint64 size, guint64 header)
{
  raw->type = (int32_t) type;
  const guint64 end = files_raw_end (raw);
  if (!end || end > size || size - end > header)
    return FALSE;
  raw->offset = (int32_t) (size - end);
  return TRUE;
}

/* Two or three numbers with x or × between them, as the name has them. */
static gboolean
take_sizes (FilesRaw *raw, const char *name)
{
  g_autoptr (GRegex) regex = g_regex_new ("(\\d+)[x×](\\d+)(?:[x×](\\d+))?", G_REGEX_CASELESS, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, name, 0, &match))
    return FALSE;
  int32_t *const sizes[] = {&raw->width, &raw->height, &raw->slices};
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *word = g_match_info_fetch (match, (int) i + 1);
    if (word && *word)
      *sizes[i] = (int32_t) MIN (g_ascii_strtoull (word, NULL, 10), G_MAXINT32);
  }
  return TRUE;
}

FilesRaw
files_raw_guess (const char *path, guint64 size)
{
  static const int32_t widths[] = {4096, 2048, 1024, 512, 256, 128, 64};
  const FilesRaw none = {.slices = 1, .channels = 1, .frames = 1};
  g_autofree char *name = file_name_short (path);
  guint likely[4];
  const guint n = likely_types (name, likely);
  FilesRaw raw = none;
  for (guint i = 0; take_sizes (&raw, name) && i < n; i++)
    if (take (&raw, likely[i], size, HEADER))
      return raw;
  for (guint i = 0; i < n; i++) {
    raw = none;
    raw.width = raw.height = (int32_t) sqrt ((double) MIN (size / types[likely[i]].number.bytes, 1 << 30));
    if (raw.width && take (&raw, likely[i], size, 0))
      return raw;
  }
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint i = 0; i < n; i++) {
      raw = none;
      raw.width = raw.height = widths[w];
      raw.slices =
        (int32_t) MIN (size / ((guint64) widths[w] * (guint64) widths[w] * types[likely[i]].number.bytes), PLANES);
      if (raw.slices && take (&raw, likely[i], size, 0))
        return raw;
    }
  raw = none;
  raw.width = raw.height = (int32_t) MAX (1, sqrt ((double) MIN (size, 1 << 30)));
  return raw;
}

/* ---- Which files ---- */

static GHashTable *set_texts; /* canonical path -> text */
static GMutex lock;
FORK_GUARD_STATIC (lock)

gboolean
files_raw_set (const char *path, const char *text, GError **error)
{
  FilesRaw raw;
  if (text && !files_raw_parse (text, &raw, error))
    return FALSE;
  char *key = g_canonicalize_filename (path, NULL);
  g_mutex_lock (&lock);
  if (!set_texts)
    set_texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (text)
    g_hash_table_replace (set_texts, g_steal_pointer (&key), g_strdup (text));
  else
    g_hash_table_remove (set_texts, key);
  g_mutex_unlock (&lock);
  g_free (key);
  return TRUE;
}

char *
files_raw_of (const char *path)
{
  g_autofree char *key = g_canonicalize_filename (path, NULL);
  g_mutex_lock (&lock);
  char *text = set_texts ? g_strdup (g_hash_table_lookup (set_texts, key)) : NULL;
  g_mutex_unlock (&lock);
  return text;
}

gboolean
files_raw_explain (const char *path, GError **error)
{
  g_autofree char *name = file_name_short (path);
  const char *dot = strrchr (name, '.');
  return !dot || g_ascii_strcasecmp (dot, ".raw")
         || file_fail (
           error, FILE_ERROR_FORMAT, path,
           "has no header that says what its pixels are. Say it with --raw 'width=512 height=512 type=u16', or in "
           "the app with File ▸ Import Raw.");
}

/* ---- The format ---- */

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  g_autofree char *text = files_raw_of (path);
  FilesRaw raw;
  (void) self;
  if (!to || !files_raw_parse (text ? text : "", &raw, error) || !files_raw_fits (&raw, path, to->file->size, error))
    return NULL;
  set_info (&raw, &to->info);
  set_blocks (&raw, &to->blocks);
  if (raw.order == FILES_RAW_SAMPLES && (raw.channels == 3 || raw.channels == 4))
    files_plain_set_colors (to, (guint) raw.channels);
  const guint64 rest = to->file->size - files_raw_end (&raw);
  if (rest)
    to->left_out = g_strdup_printf ("%" G_GUINT64_FORMAT " byte%s after the pixels", rest, rest == 1 ? "" : "s");
  return files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

const FileFormat format_raw = {
  .key = "raw",
  .label = "raw pixels",
  .endings = (const char *const[]){"raw", NULL},
  .mime = (const char *const[]){NULL},
  .layout = layout_new,
  FILES_PLAIN_FUNCTIONS,
};
