/* SPDX-License-Identifier: MIT
 */
#include "core/files/jpeg2000/layout.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/files/shared/samples.h"

#include <string.h>

enum { COLOR_RANK = 0, OTHER_RANK = 1 << 16, ALPHA_RANK = 2 << 16, WHOLE_IMAGE = 0 };

/* ---- Channels ---- */

static void
add_channel (FilesJp2 *self, guint component, int column)
{
  const FilesJp2Channel channel = {component, column, column < 0 ? self->codestream.components[component].bits : 8};
  g_array_append_val (self->channels, channel);
}

static gboolean
add_channels (FilesJp2 *self, GError **error)
{
  const FilesJp2Boxes *boxes = &self->boxes;
  const guint n = self->codestream.n_components;
  for (guint i = 0; !boxes->palette && i < n; i++)
    add_channel (self, i, -1);
  gboolean good = !boxes->palette || boxes->maps->len > 0;
  for (guint i = 0; boxes->palette && good && i < boxes->maps->len; i++) {
    const FilesJp2Map *map = &g_array_index (boxes->maps, FilesJp2Map, i);
    good = i < n + boxes->palette_columns && map->component < n
           && (map->column < 0 || (guint) map->column < boxes->palette_columns);
    if (good)
      add_channel (self, map->component, map->column);
  }
  for (guint i = 0; good && boxes->palette && i < self->channels->len; i++)
    good = self->codestream.components[g_array_index (self->channels, FilesJp2Channel, i).component].bits <= 16
           && !self->codestream.components[0].is_signed;
  return good
         || file_fail (error, FILE_ERROR_DAMAGED, self->bytes->path,
                       "is damaged: its palette does not fit its components.");
}

/* What the box cdef says of a channel; NULL: nothing. */
static const FilesJp2Meaning *
meaning_of (const FilesJp2 *self, guint channel)
{
  const GArray *all = self->boxes.meanings;
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, FilesJp2Meaning, i).channel == channel)
      return &g_array_index (all, FilesJp2Meaning, i);
  return NULL;
}

static guint
rank_of (const FilesJp2 *self, guint channel)
{
  const FilesJp2Meaning *meaning = meaning_of (self, channel);
  if (!meaning)
    return self->boxes.meanings->len ? OTHER_RANK + channel : COLOR_RANK + channel;
  if (meaning->type == 0 && meaning->of >= 1 && meaning->of <= self->channels->len)
    return COLOR_RANK + meaning->of - 1;
  return (meaning->type == 1 || meaning->type == 2) && meaning->of == WHOLE_IMAGE ? ALPHA_RANK + channel
                                                                                  : OTHER_RANK + channel;
}

/* Colors in their order, then what else there is, and alpha. */
static void
sort_channels (FilesJp2 *self)
{
  const guint n = self->channels->len;
  guint colors = 0, alphas = 0, placed = 0;
  g_autofree guint *ranks = g_new (guint, n);
  g_autofree gboolean *done = g_new0 (gboolean, n);
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (FilesJp2Channel), n);
  for (guint i = 0; i < n; i++) {
    ranks[i] = rank_of (self, i);
    colors += ranks[i] < OTHER_RANK;
    alphas += ranks[i] >= ALPHA_RANK;
  }
  for (; placed < n; placed++) {
    guint next = n;
    for (guint i = 0; i < n; i++)
      if (!done[i] && (next == n || ranks[i] < ranks[next]))
        next = i;
    done[next] = TRUE;
    g_array_append_val (sorted, g_array_index (self->channels, FilesJp2Channel, next));
  }
  g_array_unref (self->channels);
  self->channels = sorted;
  self->is_alpha = alphas == 1 && colors + 1 == n && (colors == 1 || colors == 3);
}

/* The colors of the palette are gray, so that one of them is enough. */
static void
drop_equal_colors (FilesJp2 *self)
{
  const guint8 *colors = self->boxes.palette;
  const guint n = self->channels->len - self->is_alpha;
  const FilesJp2Channel *channels = (const FilesJp2Channel *) (gpointer) self->channels->data;
  gboolean equal = colors && n == 3;
  for (guint i = 1; equal && i < n; i++) {
    equal = channels[i].column >= 0 && channels[0].column >= 0 && channels[i].component == channels[0].component;
    for (guint e = 0; equal && e < self->boxes.palette_entries; e++, colors += self->boxes.palette_columns)
      equal = colors[channels[i].column] == colors[channels[0].column];
    colors = self->boxes.palette;
  }
  if (equal)
    g_array_remove_range (self->channels, 1, 2);
}

static gboolean
set_colors (FilesJp2 *self, GError **error)
{
  const FilesJ2k *j = &self->codestream;
  sort_channels (self);
  drop_equal_colors (self);
  const gboolean three = self->channels->len - self->is_alpha == 3, unknown = self->boxes.color == FILES_JP2_UNKNOWN;
  const guint second = g_array_index (self->channels, FilesJp2Channel, three ? 1 : 0).component;
  self->is_ycc = three && !self->boxes.palette
                 && (self->boxes.color == FILES_JP2_SYCC
                     || (unknown && (j->components[second].dx > 1 || j->components[second].dy > 1)));
  self->is_rgb = three && (unknown || self->is_ycc || self->boxes.color == FILES_JP2_SRGB);
  for (guint i = 0; self->is_ycc && i < 3; i++)
    if (g_array_index (self->channels, FilesJp2Channel, i).bits != 8 || j->components[0].is_signed)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, self->bytes->path,
                        "has colors as Y, Cb and Cr of other than 8 unsigned bits, which cannot be read; save it as "
                        "RGB or TIFF.");
  return TRUE;
}

/* ---- The image ---- */

static guint
most_bits (const FilesJp2 *self)
{
  guint bits = 0;
  for (guint i = 0; i < self->channels->len; i++)
    bits = MAX (bits, g_array_index (self->channels, FilesJp2Channel, i).bits);
  return bits;
}

/* Contrast limits, and what the pixels were, where these are fewer bits than the type has. */
static void
set_bits (const FilesJp2 *self, guint bits, ImageInfo *info)
{
  const gboolean is_signed = self->codestream.components[0].is_signed;
  if (info->role == FV_MASK)
    info->source_type = g_strdup ("bool");
  if (info->role == FV_MASK || bits == 8 || bits == 16)
    return;
  info->source_type = g_strdup_printf ("%s%u", is_signed ? "int" : "uint", bits);
  info->display_ranges = g_new (double, 2 * (gsize) info->channels);
  for (gint64 c = 0; c < info->channels; c++) {
    const guint own = g_array_index (self->channels, FilesJp2Channel, c).bits;
    const double half = (double) (G_GUINT64_CONSTANT (1) << (own - 1));
    info->display_ranges[2 * c] = is_signed ? -half : 0;
    info->display_ranges[2 * c + 1] = is_signed ? half - 1 : 2 * half - 1;
  }
}

static gboolean
is_indexed (const FilesJp2 *self)
{
  return self->boxes.palette && self->is_rgb;
}

void
files_jp2_info (const FilesJp2 *self, guint n, ImageInfo *info)
{
  const FilesJ2k *j = &self->codestream;
  const gboolean is_signed = j->components[0].is_signed;
  const guint bits = most_bits (self);
  *info = (ImageInfo){.type = bits <= 8    ? is_signed ? FV_I8 : FV_U8
                              : bits <= 16 ? is_signed ? FV_I16 : FV_U16
                              : is_signed  ? FV_I32
                                           : FV_U32,
                      .frames = 1,
                      .channels = n,
                      .depth = 1,
                      .rows = j->rows,
                      .columns = j->columns,
                      .spacing = {1, 1, 1},
                      .name = file_name_short (self->bytes->path)};
  if (n == 1 && bits == 1 && !is_signed)
    info->role = FV_MASK;
  if (self->is_rgb || (n == 2 && self->is_alpha))
    files_samples_name_channels (info);
  if (is_indexed (self))
    info->source_type = g_strdup (IMAGE_INFO_INDEXED);
  else
    set_bits (self, bits, info);
  files_resolution_set (info, &self->boxes.x, &self->boxes.y);
}

/* ---- The file ---- */

static gboolean
read_file (FilesJp2 *self, GError **error)
{
  ImageInfo info;
  if (!files_jp2_boxes_read (&self->boxes, self->bytes, error))
    return FALSE;
  self->codestream.bytes = self->bytes;
  self->codestream.at = self->boxes.at;
  self->codestream.size = self->boxes.size;
  if (!files_j2k_read (&self->codestream, error) || !add_channels (self, error) || !set_colors (self, error))
    return FALSE;
  if (self->boxes.codestreams > 1)
    self->left_out =
      g_strdup_printf ("%u more %s", self->boxes.codestreams - 1, self->boxes.codestreams > 2 ? "images" : "image");
  files_jp2_info (self, self->channels->len, &info);
  const gboolean good = image_info_check (&info, error);
  image_info_clear (&info);
  return good;
}

/* Version 1 of ND2 has its frames, and what is known of them, in boxes of its own. */
static gboolean
is_nd2 (const char *path)
{
  const gsize n = strlen (path);
  return n > 4 && !g_ascii_strcasecmp (path + n - 4, ".nd2");
}

FilesJp2 *
files_jp2_new (const char *path, GError **error)
{
  if (is_nd2 (path)) {
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "is ND2 of version 1, which cannot be opened: save it as TIFF with NIS-Elements or Fiji.");
    return NULL;
  }
  FilesBytes *bytes = files_bytes_open (path, error);
  if (!bytes)
    return NULL;
  g_autoptr (FilesJp2) self = g_new0 (FilesJp2, 1);
  g_atomic_ref_count_init (&self->references);
  self->bytes = bytes;
  self->channels = g_array_new (FALSE, FALSE, sizeof (FilesJp2Channel));
  return read_file (self, error) ? g_steal_pointer (&self) : NULL;
}

FilesJp2 *
files_jp2_ref (FilesJp2 *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
files_jp2_unref (FilesJp2 *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_array_unref (self->channels);
  g_free (self->codestream.components);
  files_jp2_boxes_clear (&self->boxes);
  files_bytes_unref (self->bytes);
  g_free (self->left_out);
  g_free (self);
}
