/* SPDX-License-Identifier: MIT
 *
 * Plain blocks: every type, both byte orders and all ways in which pixels can lie in a file, compared with values that are taken from the file's
 * bytes one by one.
 */
#include "core/files/shared/blocks.h"

#include "core/data/pixel_type.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { SIZE = 1 << 16, AT = 32 };

static char *folder, *path;
static guint8 bytes[SIZE];

static const FilesNumber numbers[] = {
  {1, FALSE, FALSE, FALSE, FALSE, 0, 0},      {1, FALSE, TRUE, FALSE, FALSE, 1, 0},
  {2, FALSE, FALSE, TRUE, FALSE, 0, 0},       {2, FALSE, TRUE, FALSE, FALSE, 0, 0},
  {2, FALSE, TRUE, TRUE, FALSE, 0.25, -1000}, {4, FALSE, FALSE, FALSE, FALSE, 0, 0},
  {4, FALSE, TRUE, TRUE, FALSE, 0, 0},        {4, FALSE, FALSE, TRUE, FALSE, 2, 1},
  {4, TRUE, TRUE, TRUE, FALSE, 0, 0},         {4, TRUE, TRUE, FALSE, FALSE, 3, 4},
  {8, TRUE, TRUE, TRUE, FALSE, 1, 0},         {8, TRUE, TRUE, FALSE, FALSE, 0.5, 0},
  {8, FALSE, TRUE, TRUE, FALSE, 2, 0},        {8, FALSE, FALSE, FALSE, FALSE, 1, 1},
  {1, FALSE, FALSE, FALSE, FALSE, 0.5, 7},    {1, FALSE, TRUE, FALSE, FALSE, -1, 0},
  {2, FALSE, FALSE, FALSE, FALSE, 1, 0.5},    {4, FALSE, TRUE, FALSE, FALSE, 1e-3, 0},
};

/* What the bytes there say. */
static double
value_at (const FilesNumber *f, gint64 at)
{
  guint8 own[8] = {0};
  guint64 v = 0;
  double d;
  for (guint i = 0; i < f->bytes; i++) {
    const gboolean big = f->swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
    own[i] = bytes[at + (big ? f->bytes - 1 - i : i)];
    v |= (guint64) own[i] << 8 * i;
  }
  if (f->is_float && f->bytes == 4) {
    const guint32 bits = (guint32) v;
    float single;
    memcpy (&single, &bits, 4);
    d = (double) single;
  } else if (f->is_float)
    memcpy (&d, &v, 8);
  else if (f->is_signed && f->bytes < 8)
    d = (double) ((gint64) (v << (64 - 8 * f->bytes)) >> (64 - 8 * f->bytes));
  else
    d = f->is_signed ? (double) (gint64) v : (double) v;
  if (f->scale != 0 && (f->scale != 1 || f->zero != 0)) {
    d = f->zero + f->scale * d;
    if (f->bytes <= 2 || (f->is_float && f->bytes == 4))
      d = (double) (float) d;
  }
  return d;
}

static void
assert_equal (double a, double b)
{
  if (isnan (a))
    g_assert_true (isnan (b));
  else
    g_assert_cmpfloat (a, ==, b);
}

static ImageInfo
info_of (const FilesBlocks *b, gint64 frames, gint64 channels, gint64 depth, gint64 rows, gint64 columns)
{
  return (ImageInfo){.type = files_number_type (&b->number),
                     .frames = frames,
                     .channels = channels,
                     .depth = depth,
                     .rows = rows,
                     .columns = columns,
                     .spacing = {1, 1, 1}};
}

/* All pixels, read as planes and as a region. */
static void
check_pixels (const FilesBlocks *b, const ImageInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_blocks_image (b, info, &error);
  g_assert_no_error (error);
  const gint64 last_row = info->rows - 1, last_column = info->columns - 1;
  const ImageRegion part = {last_row / 2, last_column / 3, info->rows - last_row / 2, MAX (last_column / 2, 1)};
  const gsize pixel = pixel_type_bytes (info->type), stride = (gsize) (part.columns + 3) * pixel;
  g_autofree guint8 *region = g_malloc ((gsize) part.rows * stride);
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    const gint64 z = plane % info->depth, c = plane / info->depth % info->channels,
                 t = plane / info->depth / info->channels;
    const gint64 at = b->planes ? (gint64) b->planes[plane].at
                                : (gint64) b->at + t * b->strides[0] + c * b->strides[1] + z * b->strides[2];
    g_assert_true (image_read (image, 0, plane, &part, region, stride, &error));
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++) {
        const double value = value_at (&b->number, at + y * b->strides[3] + x * b->strides[4]);
        assert_equal (value, image_value (image, plane, y, x));
        if (y >= part.row && x >= part.column && x < part.column + part.columns)
          assert_equal (value,
                        pixel_type_value (info->type, region + (gsize) (y - part.row) * stride, x - part.column));
      }
  }
}

static void
test_layouts (void)
{
  g_autoptr (FilesBytes) file = files_bytes_open (path, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    FilesBlocks b = {.files = &file, .n_files = 1, .number = numbers[i], .at = AT};
    const gint64 n = numbers[i].bytes;
    ImageInfo info = info_of (&b, 2, 3, 2, 7, 11);
    files_blocks_set_dense (&b, &info, 1);
    check_pixels (&b, &info);
    files_blocks_set_dense (&b, &info, 3); /* interleaved channels */
    check_pixels (&b, &info);
    b.strides[3] = 20 * n * 3; /* padded rows, of which the last comes first */
    b.at = AT + 6 * (guint64) b.strides[3];
    b.strides[3] = -b.strides[3];
    info.frames = info.depth = 1;
    check_pixels (&b, &info);
    b.strides[4] = -3 * n; /* and so the last column */
    b.at += 10 * 3 * (guint64) n;
    check_pixels (&b, &info);
    FilesBlocks turned = {
      .files = &file, .n_files = 1, .number = numbers[i], .at = 1, .strides = {0, 0, n, 2 * n, 14 * n}};
    info = info_of (&turned, 1, 1, 2, 7, 11); /* the first axis is the fastest, as in Fortran */
    check_pixels (&turned, &info);
  }
}

/* Planes anywhere, in several files. */
static void
test_planes (void)
{
  g_autofree char *second = g_build_filename (folder, "second", NULL);
  g_assert_true (g_file_set_contents (second, (const char *) bytes, SIZE, NULL));
  g_autoptr (FilesBytes) a = files_bytes_open (path, NULL), b = files_bytes_open (second, NULL);
  FilesBytes *files[] = {a, b};
  const FilesBlock planes[] = {{1, 5000}, {0, 77}, {1, 4}, {0, 20000}};
  FilesBlocks blocks = {.files = files, .n_files = 2, .number = numbers[3], .planes = planes};
  const ImageInfo info = info_of (&blocks, 1, 2, 2, 9, 5);
  files_blocks_set_dense (&blocks, &info, 1);
  check_pixels (&blocks, &info);
}

/* A large plane is read by several threads, in pieces. */
static void
test_large (void)
{
  enum { ROWS = 3000, COLUMNS = 1111 };
  g_autofree char *large = g_build_filename (folder, "large", NULL);
  g_autofree guint16 *values = g_new (guint16, ROWS * COLUMNS);
  for (guint i = 0; i < ROWS * COLUMNS; i++)
    values[i] = GUINT16_TO_BE ((guint16) (i * 2654435761u >> 16));
  g_assert_true (g_file_set_contents (large, (const char *) values, ROWS * COLUMNS * 2, NULL));
  g_autoptr (FilesBytes) file = files_bytes_open (large, NULL);
  FilesBlocks b = {
    .files = &file, .n_files = 1, .number = {2, FALSE, FALSE, G_BYTE_ORDER == G_LITTLE_ENDIAN, FALSE, 0, 0}};
  const ImageInfo info = info_of (&b, 1, 1, 1, ROWS, COLUMNS);
  char one[FILE_HASH_TEXT], other[FILE_HASH_TEXT];
  files_blocks_set_dense (&b, &info, 1);
  file->hash = file_hash_new ();
  g_autoptr (Image) image = files_blocks_image (&b, &info, NULL);
  const guint16 *plane = image_plane (image, 0, NULL);
  for (guint i = 0; i < ROWS * COLUMNS; i++)
    g_assert_cmpuint (plane[i], ==, (guint16) (i * 2654435761u >> 16));
  g_assert_true (file_hash_end (file->hash, file->fd, large, one, NULL) && file_hash_of_path (large, other, NULL));
  g_assert_cmpstr (one, ==, other);
}

static void
assert_refused (const FilesBlocks *b, const ImageInfo *info, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (files_blocks_image (b, info, &error));
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  g_autoptr (FilesBytes) file = files_bytes_open (path, NULL);
  FilesBlocks b = {.files = &file, .n_files = 1, .number = numbers[2], .at = SIZE - 2 * 12};
  ImageInfo info = info_of (&b, 1, 1, 1, 3, 4);
  files_blocks_set_dense (&b, &info, 1);
  check_pixels (&b, &info); /* to the last byte */
  b.at++;
  assert_refused (&b, &info, "is truncated: its pixels end at byte 65537, the file at 65536.");
  b.at = 5;
  b.strides[3] = -8;
  assert_refused (&b, &info, "is damaged: by its header, pixels lie outside of the file.");
  b.strides[3] = G_MAXINT64 / 2;
  assert_refused (&b, &info, "is damaged: by its header, pixels lie outside of the file.");
  b.at = G_MAXUINT64;
  assert_refused (&b, &info, "is damaged: by its header, pixels lie outside of the file.");
  info.rows = G_MAXINT64;
  assert_refused (&b, &info, "has an impossible size");
}

/* Integers of 64 bits are exact or an error. */
static void
test_wide (void)
{
  const gint64 values[] = {-(1ll << 53), 5, G_MININT64, (1ll << 53) + 1};
  g_autofree char *wide = g_build_filename (folder, "wide", NULL);
  g_assert_true (g_file_set_contents (wide, (const char *) values, sizeof values, NULL));
  g_autoptr (FilesBytes) file = files_bytes_open (wide, NULL);
  g_autoptr (GError) error = NULL;
  FilesBlocks b = {.files = &file, .n_files = 1, .number = {8, FALSE, TRUE, FALSE, FALSE, 0, 0}};
  const ImageInfo info = info_of (&b, 2, 1, 1, 1, 2);
  files_blocks_set_dense (&b, &info, 1);
  g_assert_cmpstr (files_number_source (&b.number), ==, "int64");
  g_autoptr (Image) image = files_blocks_image (&b, &info, NULL);
  g_assert_cmpfloat (image_value (image, 0, 0, 0), ==, -0x1p53);
  g_assert_null (image_plane (image, 1, &error));
  g_assert_nonnull (strstr (error->message, "has the value 9007199254740993, which cannot be held exactly"));
}

/* Numbers at any distance, each compared byte by byte, and nothing beside them. */
static void
test_move (void)
{
  enum { MOST = 70, WIDEST = 6 * 8 };
  guint8 from[MOST * WIDEST], to[MOST * WIDEST + 1];
  for (gsize i = 0; i < sizeof from; i++)
    from[i] = (guint8) (i * 7 + i / 256);
  for (guint bytes = 1; bytes <= 8; bytes *= 2)
    for (gint64 step = -6; step <= 6; step++)
      for (gint64 to_step = 1; to_step <= 3; to_step++)
        for (gsize n = 0; n <= MOST; n += n < 5 ? 1 : 13) {
          const guint8 *first = from + (step < 0 ? -step * bytes * (MOST - 1) : 0);
          memset (to, 0xa5, sizeof to);
          files_numbers_move (bytes, first, step * bytes, n, to, to_step * bytes);
          for (gsize i = 0; i < n; i++)
            g_assert_cmpmem (to + i * (gsize) to_step * bytes, bytes, first + (gint64) i * step * bytes, bytes);
          g_assert_cmpint (to[n ? ((n - 1) * (gsize) to_step + 1) * bytes : 0], ==, 0xa5);
        }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  path = g_build_filename (folder, "plain", NULL);
  for (guint i = 0; i < SIZE; i++)
    bytes[i] = (guint8) (i * 2654435761u >> 13 ^ i);
  g_assert_true (g_file_set_contents (path, (const char *) bytes, SIZE, NULL));
  g_test_add_func ("/blocks/move", test_move);
  g_test_add_func ("/blocks/layouts", test_layouts);
  g_test_add_func ("/blocks/planes", test_planes);
  g_test_add_func ("/blocks/large", test_large);
  g_test_add_func ("/blocks/refused", test_refused);
  g_test_add_func ("/blocks/wide", test_wide);
  const int failed = run_tests_in (folder);
  g_free (path);
  return failed;
}
