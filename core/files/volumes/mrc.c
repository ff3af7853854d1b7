/* SPDX-License-Identifier: MIT
 *
 * MRC 2014 and CCP4 (ccpem.ac.uk/mrc_format/mrc2014.php). Sizes are in ångström: that of the cell, divided by how many pixels it has. Sections are
 * slices, and volumes of a stack of volumes are frames. Rows stay in the order of the file.
 */
#include "core/files/volumes/mrc.h"

#include "core/files/shared/fields.h"
#include "core/files/shared/plain.h"
#include "core/files/shared/unpack.h"

#include <math.h>

enum { HEADER = 1024, LABELS = 10, LABEL = 80, IMOD = 1146047817 };

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= 216 && !memcmp (head + 208, "MAP ", 4);
}

static gboolean
set_type (const FilesFields *f, FilesPlain *to, GError **error)
{
  const gint32 mode = files_field_i32 (f, 12);
  /* IMOD wrote unsigned bytes before it had a flag for signed ones. */
  const gboolean bytes_signed = files_field_i32 (f, 152) != IMOD || (files_field_u32 (f, 156) & 1);
  FilesNumber *number = &to->blocks.number;
  switch (mode) {
  case 0: *number = (FilesNumber){.bytes = 1, .is_signed = bytes_signed}; break;
  case 1: *number = (FilesNumber){.bytes = 2, .is_signed = TRUE}; break;
  case 2: *number = (FilesNumber){.bytes = 4, .is_float = TRUE}; break;
  case 6: *number = (FilesNumber){.bytes = 2}; break;
  case 12: *number = (FilesNumber){.bytes = 2, .is_float = TRUE}; break;
  case 16: *number = (FilesNumber){.bytes = 1}; break;
  case 3:
  case 4:
    return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                      "has complex pixels (mode %d), which cannot be read; save their magnitude.", mode);
  default:
    return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                      "has pixels of mode %d, which cannot be read; modes 0, 1, 2, 6, 12 and 16 can.", mode);
  }
  number->swapped = f->swapped;
  return TRUE;
}

static gboolean
set_sizes (const FilesFields *f, FilesPlain *to, GError **error)
{
  ImageInfo *info = &to->info;
  const gint32 space_group = files_field_i32 (f, 88), per_volume = files_field_i32 (f, 36),
               extra = files_field_i32 (f, 92);
  const gboolean colors = files_field_i32 (f, 12) == 16;
  info->columns = files_field_i32 (f, 0);
  info->rows = files_field_i32 (f, 4);
  info->depth = files_field_i32 (f, 8);
  if (info->columns < 1 || info->rows < 1 || info->depth < 1)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                      "is damaged: its header has the size %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                      " × %" G_GINT64_FORMAT ".",
                      info->columns, info->rows, info->depth);
  if (extra < 0)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path, "is damaged: its extended header has %d bytes.",
                      extra);
  if (space_group >= 401 && per_volume > 0 && info->depth % per_volume == 0) {
    info->frames = info->depth / per_volume;
    info->depth = per_volume;
  }
  if (colors)
    files_plain_set_colors (to, 3);
  if (!image_info_check (info, error))
    return FALSE;
  to->blocks.at = HEADER + (guint64) extra;
  files_blocks_set_dense (&to->blocks, info, colors ? 3 : 1);
  return TRUE;
}

/* Axes of the cell, from 1, that columns, rows and sections are along; where these are none the usual ones. */
static void
read_map (const FilesFields *f, guint map[3])
{
  guint seen = 0;
  for (guint i = 0; i < 3; i++) {
    map[i] = files_field_u32 (f, 64 + 4 * i);
    seen |= map[i] >= 1 && map[i] <= 3 ? 1u << map[i] : 0;
  }
  for (guint i = 0; seen != 14 && i < 3; i++)
    map[i] = i + 1;
}

static void
set_spacing (const FilesFields *f, FilesPlain *to)
{
  guint map[3];
  double first[3];
  gboolean placed = FALSE;
  read_map (f, map);
  for (guint i = 0; i < 3; i++) {
    const gsize axis = map[i] - 1;
    const double cell = files_field_f32 (f, 40 + 4 * axis), n = files_field_i32 (f, 28 + 4 * axis);
    const double size = n > 0 && isfinite (cell) ? cell / n : 0;
    files_plain_set_spacing (to, 2 - i, size, "Å");
    first[i] = files_field_f32 (f, 196 + 4 * axis);
    placed = placed || (isfinite (first[i]) && first[i] != 0);
    if (size > 0 && isfinite (first[i] / size))
      to->info.origin[2 - i] = 0.0 - first[i] / size;
  }
  if (placed)
    files_plain_keep (to, "position", "%g %g %g", first[0], first[1], first[2]);
}

static void
set_texts (const FilesFields *f, FilesPlain *to)
{
  const gint32 n = files_field_i32 (f, 220);
  files_plain_say (to, "mode", "%d", files_field_i32 (f, 12));
  files_plain_say (to, "space group", "%d", files_field_i32 (f, 88));
  files_plain_say (to, "axes", "%d %d %d", files_field_i32 (f, 64), files_field_i32 (f, 68), files_field_i32 (f, 72));
  for (gint32 i = 0; i < CLAMP (n, 0, LABELS); i++) {
    g_autofree char *label = files_field_text (f, 224 + LABEL * (gsize) i, LABEL);
    if (*label)
      files_plain_say (to, "label", "%s", label);
  }
}

/* By the stamp, or where that is none by the mode, which is a small number. */
static gboolean
is_swapped (const guint8 *head)
{
  const gboolean big = head[212] == 0x11 || (head[212] != 0x44 && head[12] == 0 && head[13] == 0);
  return big != (G_BYTE_ORDER == G_BIG_ENDIAN);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  guint8 head[HEADER] = {0};
  (void) self;
  if (!to)
    return NULL;
  gsize n = (gsize) MIN (to->file->size, HEADER);
  n = files_bytes_read (to->file, 0, head, n) ? n : 0;
  if (files_is_gzip (head, n)) {
    n = files_unpack_head (to->file, 0, head, HEADER);
    to->packing = FILES_PACKED;
    to->packed = to->file->size;
  }
  const FilesFields f = {head, is_swapped (head)};
  if (n < HEADER) {
    file_fail (error, FILE_ERROR_DAMAGED, path,
               "is truncated: its header has %d bytes, and %" G_GSIZE_FORMAT " are there.", HEADER, n);
    return NULL;
  }
  if (!set_type (&f, to, error) || !set_sizes (&f, to, error))
    return NULL;
  set_spacing (&f, to);
  set_texts (&f, to);
  return files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

const FileFormat format_mrc = {
  .key = "mrc",
  .label = "MRC",
  .endings = (const char *const[]){"mrc", "mrcs", "map", "rec", "mrc.gz", "map.gz", NULL},
  .mime = (const char *const[]){"application/x-mrc", NULL},
  .gzip = TRUE,
  .is = is,
  .layout = layout_new,
  FILES_PLAIN_FUNCTIONS,
};
