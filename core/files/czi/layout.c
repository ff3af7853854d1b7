/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/layout.h"

#include "core/data/pixel_type.h"
#include "core/files/czi/attachments.h"
#include "core/files/czi/codecs.h"

enum {
  FILE_HEADER = 80,
  MAX_ABSENT = 1000,    /* planes for one that is there */
  MAX_SPARSE = 1 << 14, /* pixels of a plane for one that is stored in the image */
  MAX_KEY = 8,
};

static const FilesCziPixel pixels[] = {
  {0, FV_U8, 1, NULL},          {1, FV_U16, 1, NULL},  {2, FV_F32, 1, NULL},  {3, FV_U8, 3, NULL},
  {4, FV_U16, 3, NULL},         {8, FV_F32, 3, NULL},  {9, FV_U8, 4, NULL},   {10, 0, 0, "complex numbers"},
  {11, 0, 0, "complex colors"}, {12, FV_I32, 1, NULL}, {13, FV_F64, 1, NULL},
};

/* NULL: unknown. */
static const FilesCziPixel *
find_pixel (gint32 number)
{
  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
    if (pixels[i].number == number)
      return &pixels[i];
  return NULL;
}

static void G_GNUC_PRINTF (2, 3) leave_out (FilesCziLayout *layout, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  if (layout->left_out->len)
    g_string_append (layout->left_out, ", ");
  g_string_append_vprintf (layout->left_out, format, ap);
  va_end (ap);
}

/* ---- One image ---- */

static void
image_free (gpointer data)
{
  FilesCziImage *image = data;
  for (guint i = 0; image->levels && i < image->levels->len; i++)
    g_array_unref (g_array_index (image->levels, FilesCziLevel, i).tiles);
  g_clear_pointer (&image->levels, g_array_unref);
  g_free (image->channel);
  g_free (image);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesCziImage, image_free)

static gboolean
lies (const FilesCziLayout *layout, const char *what, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, layout->bytes->path, "is damaged: %s.", what);
}

/* Whether the file can hold the pixels of its sub-blocks, of which it says only how many they are. */
static gboolean
check_blocks (const FilesCziLayout *layout, const FilesCziPixel *pixel, FilesCziBlock *const *blocks, guint n,
              GError **error)
{
  for (guint i = 0; i < n; i++) {
    const FilesCziBlock *b = blocks[i];
    const guint64 bytes = (guint64) b->columns * (guint64) b->rows * pixel_type_bytes (pixel->type) * pixel->samples;
    const guint64 ratio = b->compression == FILES_CZI_RAW ? 1 : FILES_CZI_MAX_RATIO;
    if (b->at < 0 || (guint64) b->at >= layout->bytes->size)
      return lies (layout, "a sub-block of its directory is outside of the file", error);
    if (bytes / ratio > layout->bytes->size - (guint64) b->at)
      return lies (layout, "its directory has a sub-block of more pixels than the file can hold", error);
  }
  return TRUE;
}

/* Whether what the image claims is in proportion to what is there. */
static gboolean
check_claims (const FilesCziLayout *layout, const FilesCziImage *image, guint *absent, GError **error)
{
  const GArray *tiles = files_czi_level (image, 0)->tiles;
  const gint64 planes = image->frames * image->depth * image->channels;
  gint64 there = 0;
  double stored = 0;
  for (guint i = 0; i < tiles->len; i++) {
    const FilesCziTile *tile = &g_array_index (tiles, FilesCziTile, i);
    stored += (double) tile->block->columns * tile->block->rows;
    there += i == 0 || tile->plane != (tile - 1)->plane;
  }
  if (planes / MAX_ABSENT > there)
    return lies (layout, "nearly all of its planes are missing", error);
  if ((double) image->rows * (double) image->columns > MAX_SPARSE * stored)
    return lies (layout, "its sub-blocks are too far from each other", error);
  *absent = (guint) MIN (planes - there, G_MAXUINT);
  return TRUE;
}

/* Adds what the blocks are, if that is an image. FALSE with *error. */
static gboolean
add_image (FilesCziLayout *layout, FilesCziBlock *const *blocks, guint n, GError **error)
{
  const FilesCziPixel *pixel = find_pixel (blocks[0]->pixel_type);
  guint absent = 0, other = 0;
  if (!pixel || !pixel->samples) {
    leave_out (layout, "sub-blocks of %s", pixel ? pixel->source : "an unknown pixel type");
    return TRUE;
  }
  if (!check_blocks (layout, pixel, blocks, n, error))
    return FALSE;
  g_autoptr (FilesCziImage) image = g_new0 (FilesCziImage, 1);
  image->pixel = pixel;
  if (!files_czi_levels_make (image, blocks, n, &other)) {
    if (!blocks[0]->is_pyramid) /* else it is an overview of several images */
      leave_out (layout, "stretched sub-blocks");
    return TRUE;
  }
  if (other)
    leave_out (layout, "%u stretched sub-block%s", other, other == 1 ? "" : "s");
  if (!check_claims (layout, image, &absent, error))
    return FALSE;
  if (absent)
    leave_out (layout, "%u plane%s that the file lacks, which %s zero", absent, absent == 1 ? "" : "s",
               absent == 1 ? "is" : "are");
  g_ptr_array_add (layout->images, g_steal_pointer (&image));
  return TRUE;
}

/* ---- All images ---- */

/* What tells images apart. */
static void
key_of (const FilesCziBlock *block, gint32 key[MAX_KEY])
{
  const FilesCziPixel *pixel = find_pixel (block->pixel_type);
  const gint32 own[MAX_KEY] = {
    block->index[FILES_CZI_S], block->index[FILES_CZI_B],
    block->index[FILES_CZI_V], block->index[FILES_CZI_R],
    block->index[FILES_CZI_I], block->index[FILES_CZI_H],
    block->pixel_type,         pixel && pixel->samples > 1 ? block->index[FILES_CZI_C] : 0,
  };
  memcpy (key, own, sizeof own);
}

static int
compare_keys (const FilesCziBlock *a, const FilesCziBlock *b)
{
  gint32 of_a[MAX_KEY], of_b[MAX_KEY];
  key_of (a, of_a);
  key_of (b, of_b);
  for (guint i = 0; i < MAX_KEY; i++)
    if (of_a[i] != of_b[i])
      return of_a[i] < of_b[i] ? -1 : 1;
  return 0;
}

/* By image, and there in the directory's order. */
static int
compare (const void *a, const void *b)
{
  const FilesCziBlock *one = *(FilesCziBlock *const *) a, *other = *(FilesCziBlock *const *) b;
  const int order = compare_keys (one, other);
  return order ? order : (one > other) - (one < other);
}

static gboolean
add_images (FilesCziLayout *layout, GError **error)
{
  const guint n = layout->blocks->len;
  g_autofree FilesCziBlock **sorted = g_new (FilesCziBlock *, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = &g_array_index (layout->blocks, FilesCziBlock, i);
  qsort (sorted, n, sizeof *sorted, compare);
  for (guint i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && compare_keys (sorted[i], sorted[end]) == 0; end++)
      ;
    if (!add_image (layout, sorted + i, end - i, error))
      return FALSE;
  }
  return layout->images->len > 0
         || file_fail (error, FILE_ERROR_UNSUPPORTED, layout->bytes->path,
                       "has nothing that can be shown, but %s; export it in ZEN as OME-TIFF.", layout->left_out->str);
}

static void
add_metadata (FilesCziLayout *layout, gint64 at, gint64 attachments)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  layout->metadata = files_czi_metadata_read (layout->bytes, at);
  if (layout->metadata->is_damaged)
    leave_out (layout, "damaged metadata");
  files_czi_attachments_read (layout->bytes, attachments, names, layout->metadata->times);
  for (guint i = 0; i < names->len; i++)
    leave_out (layout, "%s%s",
               i                ? ""
               : names->len > 1 ? "the attachments "
                                : "the attachment ",
               (const char *) names->pdata[i]);
}

FilesCziLayout *
files_czi_layout_new (const char *path, GError **error)
{
  FilesBytes *bytes = files_bytes_open (path, error);
  FilesCziSegment header;
  guint8 head[FILE_HEADER];
  guint others = 0;
  if (!bytes)
    return NULL;
  g_autoptr (FilesCziLayout) layout = g_new0 (FilesCziLayout, 1);
  g_atomic_ref_count_init (&layout->references);
  layout->bytes = bytes;
  layout->images = g_ptr_array_new_with_free_func (image_free);
  layout->left_out = g_string_new (NULL);
  if (!files_czi_segment (bytes, 0, "ZISRAWFILE", &header)
      || !files_czi_segment_head (bytes, &header, head, sizeof head)) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is truncated: it ends within its header.");
    return NULL;
  }
  if (!(layout->blocks = files_czi_directory_read (bytes, files_czi_i64 (head + 52), &others, error)))
    return NULL;
  if (others)
    leave_out (layout, "%u sub-block%s", others, others == 1 ? "" : "s");
  if (!add_images (layout, error))
    return NULL;
  add_metadata (layout, files_czi_i64 (head + 60), files_czi_i64 (head + 72));
  return g_steal_pointer (&layout);
}

FilesCziLayout *
files_czi_layout_ref (FilesCziLayout *layout)
{
  g_atomic_ref_count_inc (&layout->references);
  return layout;
}

void
files_czi_layout_unref (FilesCziLayout *layout)
{
  if (!g_atomic_ref_count_dec (&layout->references))
    return;
  g_clear_pointer (&layout->metadata, files_czi_metadata_free);
  g_ptr_array_unref (layout->images);
  g_clear_pointer (&layout->blocks, g_array_unref);
  g_string_free (layout->left_out, TRUE);
  files_bytes_unref (layout->bytes);
  g_free (layout);
}
