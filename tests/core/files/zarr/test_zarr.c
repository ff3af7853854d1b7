/* SPDX-License-Identifier: MIT
 *
 * Reading and saving OME-Zarr. The hierarchies and what they hold come from zarr-python, tensorstore and ome-zarr-py (make.py). Damaged ones must give an
 * error or an image.
 */
#include "core/base/file_folder.h"
#include "core/base/file_target.h"
#include "core/data/halve.h"
#include "core/data/pixel_type.h"
#include "core/files/zarr/blosc.h"
#include "core/files/zarr/codecs.h"
#include "tests/core/files/cases.h"
#include "tests/core/files/damage.h"

#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <unistd.h>

static GHashTable *arrays;

static void
remove_folder (const char *path)
{
  file_folder_remove (AT_FDCWD, path);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* ---- What the hierarchies hold ---- */

/* What the container has under that name. */
static Image *
expected_of (const char *name, fv_role role)
{
  g_autofree char *entry = g_strconcat (name, ".npy", NULL);
  GBytes *bytes = g_hash_table_lookup (arrays, entry);
  Npy npy;
  if (!bytes)
    return NULL;
  npy_read (&npy, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  Image *image = image_from_npy (&npy, role);
  npy_clear (&npy);
  return image;
}

/* All planes of a level, and parts of them. */
static void
check_level (Image *image, guint n, Image *expected)
{
  const ImageInfo *info = image_info (expected);
  const gsize pixel = pixel_type_bytes (info->type);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree guint8 *part = g_malloc (image_info_plane_bytes (info));
  for (int i = 0; i < 40; i++) {
    const gint64 plane = i % image_info_planes (info);
    const gint64 y = i < 20 ? 0 : g_rand_int_range (rand, 0, (gint32) info->rows),
                 x = i < 20 ? 0 : g_rand_int_range (rand, 0, (gint32) info->columns);
    const ImageRegion region = {y, x, info->rows - y, info->columns - x};
    g_autoptr (GError) error = NULL;
    image_read (image, n, plane, &region, part, (gsize) region.columns * pixel, &error);
    g_assert_no_error (error);
    for (gint64 k = 0; k < region.rows; k++)
      g_assert_cmpmem (part + (gsize) (k * region.columns) * pixel, (gsize) region.columns * pixel,
                       (const guint8 *) image_plane (expected, plane, NULL)
                         + (gsize) ((y + k) * info->columns + x) * pixel,
                       (gsize) region.columns * pixel);
  }
}

static void
check_levels (Image *image, const char *name, guint wanted)
{
  ImageLevel level;
  guint n = 0;
  for (; image_level (image, n, &level); n++) {
    g_autofree char *entry = g_strdup_printf ("%s level %u", name, n);
    g_autoptr (Image) expected = expected_of (entry, FV_IMAGE);
    if (!expected)
      continue;
    g_assert_cmpint (level.rows, ==, image_info (expected)->rows);
    g_assert_cmpint (level.columns, ==, image_info (expected)->columns);
    check_level (image, n, expected);
  }
  g_assert_cmpuint (n, ==, MAX (wanted, 1));
}

static void
check_numbers (const char *section, const char *key, const double *found, guint n)
{
  g_autofree char *text = text_of (section, key);
  g_auto (GStrv) parts = g_strsplit (text ? text : "", " ", -1);
  for (guint i = 0; text && i < n; i++)
    g_assert_cmpfloat_with_epsilon (found[i], g_ascii_strtod (parts[i], NULL), 1e-9);
}

static void
check_text (const char *section, const char *key, const char *found)
{
  g_autofree char *text = text_of (section, key);
  if (text)
    g_assert_cmpstr (found, ==, text);
}

static void
check_about (const ImageInfo *info, const char *section)
{
  g_autofree char *units = g_strjoin (";", info->units[0], info->units[1], info->units[2], NULL);
  g_autofree char *names = info->channel_names ? g_strjoinv (";", info->channel_names) : NULL;
  g_autofree char *source = text_of (section, "source"), *title = text_of (section, "title"),
                  *colors = text_of (section, "colors"), *interval = text_of (section, "interval");
  g_auto (GStrv) parts = g_strsplit (colors ? colors : "", ";", -1);
  check_numbers (section, "spacing", info->spacing, 3);
  check_numbers (section, "origin", info->origin, 3);
  if (g_key_file_has_key (cases, section, "ranges", NULL))
    check_numbers (section, "ranges", info->display_ranges, (guint) info->channels * 2);
  else
    g_assert_null (info->display_ranges);
  check_text (section, "units", units);
  check_text (section, "names", names);
  g_assert_cmpstr (info->source_type, ==, source);
  for (gint64 c = 0; colors && c < info->channels; c++)
    g_assert_cmphex (info->channel_colors[c], ==, g_ascii_strtoull (parts[c], NULL, 16));
  if (title)
    g_assert_true (g_str_has_suffix (info->name, title));
  g_autofree char *time =
    info->frame_interval > 0 ? g_strdup_printf ("%g %s", info->frame_interval, info->frame_unit) : NULL;
  g_assert_cmpstr (time, ==, interval);
}

static fv_role
role_of (const char *section)
{
  g_autofree char *role = text_of (section, "role"), *source = text_of (section, "source");
  return !g_strcmp0 (role, "labels")   ? FV_LABELS
         : !g_strcmp0 (role, "rgb")    ? FV_RGB
         : !g_strcmp0 (source, "bool") ? FV_MASK
                                       : FV_IMAGE;
}

static void
test_case (gconstpointer data)
{
  const char *section = data;
  g_auto (GStrv) words = g_strsplit (section, " ", -1);
  g_autofree char *folder_name = g_strconcat ("data/", words[0], NULL), *path = data_path (folder_name),
                  *library = text_of (section, "library"), *name = g_strdup (words[0]);
  const guint n = (guint) atoi (words[1]);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_autoptr (Image) image = files_images_open (images, n, &error);
  if (library && !zarr_blosc_can ()) {
    check_error (g_steal_pointer (&error), FILE_ERROR_UNSUPPORTED, path, "libblosc1");
    return;
  }
  g_assert_no_error (error);
  g_assert_null (files_images_left_out (images));
  const ImageInfo *info = image_info (image);
  g_autoptr (Image) expected = expected_of (section, role_of (section));
  const ImageInfo *other = image_info (expected);
  g_assert_cmpint (info->type, ==, other->type);
  g_assert_cmpint (info->role, ==, other->role);
  g_assert_true (info->frames == other->frames && info->channels == other->channels && info->depth == other->depth
                 && info->rows == other->rows && info->columns == other->columns);
  check_level (image, 0, expected);
  if (n == 0)
    check_levels (image, name, (guint) g_key_file_get_integer (cases, section, "levels", NULL));
  g_assert_nonnull (image_on_host (image, NULL, &error));
  assert_images_equal (image, expected);
  check_about (info, section);
}

static void
test_count (void)
{
  static const struct {
    const char *name;
    guint n;
  } wanted[] = {{"ome05", 2},  {"ome04", 2},           {"plate", 3}, {"plate/A/1", 2},
                {"series", 2}, {"series_unlisted", 2}, {"big2", 1}};
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_autofree char *name = g_strconcat ("data/", wanted[i].name, NULL), *path = data_path (name);
    g_autoptr (FilesImages) images = files_images_new (path, NULL);
    g_assert_cmpuint (files_images_count (images), ==, wanted[i].n);
    for (guint n = 0; n < wanted[i].n; n++) {
      const char *depends;
      ImageInfo info;
      g_assert_true (files_images_describe (images, n, &info, &depends, NULL));
      image_info_clear (&info);
    }
    g_assert_true (formats_is_image_folder (path));
  }
}

/* The check values of RFC 3720, B.4. */
static void
test_crc32c (void)
{
  guint8 bytes[32];
  g_assert_cmphex (zarr_crc32c ((const guint8 *) "123456789", 9), ==, 0xe3069283);
  memset (bytes, 0, sizeof bytes);
  g_assert_cmphex (zarr_crc32c (bytes, sizeof bytes), ==, 0x8a9136aa);
  memset (bytes, 0xff, sizeof bytes);
  g_assert_cmphex (zarr_crc32c (bytes, sizeof bytes), ==, 0x62a8ab43);
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) i;
  g_assert_cmphex (zarr_crc32c (bytes, sizeof bytes), ==, 0x46dd794e);
}

/* ---- What is refused ---- */

/* Writes a file of the hierarchy that is being made. */
static char *
put (const char *name, gconstpointer bytes, gssize n)
{
  g_autofree char *path = scratch ("made.zarr"), *file = g_build_filename (path, name, NULL),
                  *parent = g_path_get_dirname (file);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_remove (file);
  g_assert_true (g_file_set_contents_full (file, bytes, n, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  return g_steal_pointer (&path);
}

/* Opens and reads all of it, which must fail. */
static void
check_refused (const char *path, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  if (image)
    g_assert_null (image_on_host (image, NULL, &error));
  g_assert_nonnull (error);
  if (!strstr (error->message, "made.zarr") || !strstr (error->message, says)
      || !g_str_has_suffix (error->message, "."))
    g_error ("'%s' should be in: %s", says, error->message);
}

#define TWO(SHAPE, CHUNKS, TYPE, MORE)                                                                                 \
  "{\"zarr_format\":2,\"shape\":" SHAPE ",\"chunks\":" CHUNKS ",\"dtype\":\"" TYPE "\"," MORE "}"
#define PLAIN "\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null"
#define THREE(SHAPE, TYPE, CODECS, MORE)                                                                               \
  "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":" SHAPE ",\"data_type\":\"" TYPE "\",\"codecs\":" CODECS       \
  ",\"fill_value\":0,\"chunk_key_encoding\":{\"name\":\"default\"},\"chunk_grid\":{\"name\":\"regular\","              \
  "\"configuration\":{\"chunk_shape\":[4,4]}}" MORE "}"
#define BYTES "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]"
#define SHARDS(CHUNK, INDEX)                                                                                           \
  "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":" CHUNK ",\"codecs\":" BYTES                     \
  ",\"index_codecs\":" INDEX "}}]"

static void
test_metadata (void)
{
  static const struct {
    const char *text, *says;
  } faults[] = {
    {"", "is damaged: it is not a JSON object, it is empty"},
    {"{\"shape\":", "is damaged: it is not a JSON object"},
    {"[]", "is damaged: it is not a JSON object"},
    {"{} /* \" */", "characters outside of strings"},
    {TWO ("[]", "[]", "|u1", PLAIN), "its shape is missing or has no axis"},
    {TWO ("[4,-4]", "[4,4]", "|u1", PLAIN), "its shape is not of positive integers"},
    {TWO ("[4,0]", "[4,4]", "|u1", PLAIN), "its shape is not of positive integers"},
    {TWO ("[4,4.5]", "[4,4]", "|u1", PLAIN), "its shape is not of positive integers"},
    {TWO ("[1,1,1,1,1,1,1,1,4]", "[1]", "|u1", PLAIN), "has 9 axes"},
    {TWO ("[2,2,2,2,2,2]", "[2,2,2,2,2,2]", "|u1", PLAIN), "has 6 axes without names"},
    {TWO ("[4,4]", "[4]", "|u1", PLAIN), "its chunks have no sizes"},
    {TWO ("[4,4]", "[0,4]", "|u1", PLAIN), "its chunks have no sizes"},
    {TWO ("[9223372036854775807,9223372036854775807]", "[4,4]", "|u1", PLAIN), "impossible size"},
    {TWO ("[4,4]", "[65536,65536]", "|u1", PLAIN), "has chunks of more than 2 GiB"},
    {TWO ("[4,4]", "[4,4]", "<c8", PLAIN), "has the type '<c8'"},
    {TWO ("[4,4]", "[4,4]", "<f1", PLAIN), "has the type '<f1'"},
    {TWO ("[4,4]", "[4,4]", "<M8[ns]", PLAIN), "has the type '<M8[ns]'"},
    {TWO ("[4,4]", "[4,4]", "|u1", "\"compressor\":{\"id\":\"lzma\"}"), "has the codec 'lzma'"},
    {TWO ("[4,4]", "[4,4]", "|u1", "\"filters\":[{\"id\":\"delta\"}]"), "has the filter 'delta'"},
    {TWO ("[4,4]", "[4,4]", "|u1", "\"fill_value\":\"x\""), "its fill_value is none of its type"},
    {TWO ("[4,4]", "[4,4]", "|u1", "\"dimension_separator\":\"-\""), "another separator"},
    {THREE ("[4,4]", "complex64", BYTES, ""), "has the type 'complex64'"},
    {THREE ("[4,4]", "uint8", "[]", ""), "its codecs are none that make bytes"},
    {THREE ("[4,4]", "uint8", "[{\"name\":\"vlen-utf8\"}]", ""), "has the codec 'vlen-utf8'"},
    {THREE ("[4,4]", "uint16", "[{\"name\":\"bytes\"}]", ""), "has no byte order"},
    {THREE ("[4,4]", "uint8", "[{\"name\":\"transpose\",\"configuration\":{\"order\":[0,0]}},{\"name\":\"bytes\"}]",
            ""),
     "no order of all axes"},
    {THREE ("[4,4]", "uint8", "[{\"name\":\"bytes\"},{\"name\":\"zstd\"},{\"name\":\"zstd\"}]", ""),
     "has the codec 'zstd'"},
    {THREE ("[4,4]", "uint8", BYTES, ",\"strange\":{\"name\":\"x\"}"), "has the extension 'strange'"},
    {THREE ("[4,4]", "uint8", BYTES, ",\"storage_transformers\":[{}]"), "storage transformers"},
    {THREE ("[4,4]", "uint8", SHARDS ("[3,4]", BYTES), ""), "no multiple of their chunks"},
    {THREE ("[4,4]", "uint8", SHARDS ("[2,2]", "[{\"name\":\"bytes\"},{\"name\":\"zstd\"}]"), ""),
     "whose index cannot be read"},
    {"{\"zarr_format\":3,\"node_type\":\"group\"}", "is a Zarr group without an image"},
    {"{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"multiscales\":[{}]}}}", "have no datasets"},
    {"{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"multiscales\":[{\"datasets\":[{\"path\":\"."
     "./a\"}]}]}}}",
     "leads elsewhere"},
    {"{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"multiscales\":[{\"datasets\":[{\"path\":"
     "\"0\"}]}]}}}",
     "lacks its metadata"},
    {"{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"multiscales\":[{\"coordinateSystems\":[],"
     "\"datasets\":[]}]}}}",
     "from version 0.6 on"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    const gboolean two = strstr (faults[i].text, "\"zarr_format\":2") != NULL;
    g_autofree char *path = put (two ? ".zarray" : "zarr.json", faults[i].text, -1);
    check_refused (path, faults[i].says);
    remove_folder (path);
  }
  g_autoptr (GString) deep = g_string_new (NULL);
  for (int i = 0; i < 100000; i++)
    g_string_append (deep, "{\"a\":");
  g_autofree char *path = put ("zarr.json", deep->str, (gssize) deep->len);
  check_refused (path, "nested more than 32 times");
  remove_folder (path);
}

static void
test_pixels_refused (void)
{
  static const guint8 chunk[128] = {1, 2, 3};
  g_autofree char *path = put (".zarray", TWO ("[4,4]", "[4,4]", "<u2", PLAIN), -1);
  g_free (put ("0.0", chunk, 31));
  check_refused (path, "has another size than its pixels");
  g_free (put ("0.0", chunk, 33));
  check_refused (path, "has another size than its pixels");
  g_free (put (".zarray", TWO ("[4,4]", "[4,4]", "<u2", "\"compressor\":{\"id\":\"zstd\"}"), -1));
  check_refused (path, "cannot be unpacked");
  g_free (put (".zarray", TWO ("[4,4]", "[4,4]", "<u2", "\"compressor\":{\"id\":\"zlib\"}"), -1));
  check_refused (path, "cannot be unpacked");
  if (zarr_blosc_can ()) {
    g_free (put (".zarray", TWO ("[4,4]", "[4,4]", "<u2", "\"compressor\":{\"id\":\"blosc\"}"), -1));
    check_refused (path, "cannot be unpacked");
  }
  g_free (put (".zarray", TWO ("[1,2]", "[1,2]", "<i8", PLAIN), -1));
  g_free (put ("0.0", "\1\0\0\0\0\0\x20\0\1\0\0\0\0\0\0\x40", 16));
  check_refused (path, "cannot be held exactly");
  remove_folder (path);
  g_free (put ("zarr.json", THREE ("[4,4]", "uint8", "[{\"name\":\"bytes\"},{\"name\":\"crc32c\"}]", ""), -1));
  g_free (put ("c/0/0", chunk, 20));
  check_refused (path, "has a wrong checksum");
  g_free (put (
    "zarr.json",
    THREE ("[4,4]", "uint8", SHARDS ("[2,2]", "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]"), ""),
    -1));
  g_free (put ("c/0/0", chunk, 63));
  check_refused (path, "lies behind its end");
  g_free (put ("c/0/0", chunk, 128));
  check_refused (path, "has another size than its pixels");
  remove_folder (path);
}

/* Labels are kept as 32-bit integers. */
static void
test_labels_refused (void)
{
  g_autofree char *path =
    put ("zarr.json",
         "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\",\"image-label\":{},"
         "\"multiscales\":[{\"axes\":[{\"name\":\"y\"},{\"name\":\"x\"}],\"datasets\":[{\"path\":\"0\"}]}]}}}",
         -1);
  g_free (put ("0/zarr.json", THREE ("[4,4]", "uint32", BYTES, ""), -1));
  guint8 chunk[64] = {0xff, 0xff, 0xff, 0x7f};
  g_free (put ("0/c/0/0", chunk, sizeof chunk));
  g_autoptr (Image) image = open_file (path);
  g_assert_cmpint (image_info (image)->role, ==, FV_LABELS);
  g_assert_cmpfloat (image_value (image, 0, 0, 0), ==, G_MAXINT32);
  chunk[3] = 0x80;
  g_free (put ("0/c/0/0", chunk, sizeof chunk));
  check_refused (path, "has the label 2164260863");
  remove_folder (path);
}

/* ---- Damage ---- */

static GPtrArray *found; /* paths below a folder */

static int
add_found (const char *path, const struct stat *about, int kind, struct FTW *where)
{
  (void) about, (void) where;
  if (kind == FTW_F)
    g_ptr_array_add (found, g_strdup (path));
  return 0;
}

/* Every file is cut off, and has bytes of any value. */
static void
test_damaged (gconstpointer name)
{
  g_autofree char *folder_name = g_strconcat ("data/", name, NULL), *from = data_path (folder_name),
                  *path = scratch ("made.zarr");
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  found = g_ptr_array_new_with_free_func (g_free);
  g_assert_cmpint (nftw (from, add_found, 8, FTW_PHYS), ==, 0);
  for (guint i = 0; i < found->len; i++) {
    g_autofree char *bytes = NULL;
    gsize n;
    g_assert_true (g_file_get_contents (found->pdata[i], &bytes, &n, NULL));
    g_free (put ((const char *) found->pdata[i] + strlen (from) + 1, bytes, (gssize) n));
  }
  for (guint i = 0; i < found->len; i++) {
    const char *below = (const char *) found->pdata[i] + strlen (from) + 1;
    g_autofree char *bytes = NULL;
    gsize n;
    g_assert_true (g_file_get_contents (found->pdata[i], &bytes, &n, NULL));
    for (gsize cut = 0; cut < n; cut += 1 + n / 8) {
      g_free (put (below, bytes, (gssize) cut));
      try_images (path, 4);
    }
    for (int k = 0; k < 15; k++) {
      g_autofree char *changed = g_memdup2 (bytes, n);
      changed[g_rand_int_range (rand, 0, (gint32) n)] = (char) g_rand_int_range (rand, 0, 256);
      g_free (put (below, changed, (gssize) n));
      try_images (path, 4);
    }
    g_free (put (below, bytes, (gssize) n));
  }
  g_ptr_array_unref (found);
  remove_folder (path);
}

/* ---- Saving ---- */

static Image *
saved (Image *image, const char *options, char **path)
{
  g_autoptr (GError) error = NULL;
  *path = scratch ("saved.ome.zarr");
  files_save_as (image, *path, options, &error);
  g_assert_no_error (error);
  return open_file (*path);
}

/* Each smaller level is the one before, halved. */
static void
check_pyramid (Image *image, guint wanted)
{
  const ImageInfo *info = image_info (image);
  const gsize pixel = pixel_type_bytes (info->type);
  ImageLevel level, half;
  guint n = 0;
  for (image_level (image, 0, &level); image_level (image, n + 1, &half); n++, level = half) {
    const Halving halving = {
      info->type, info->role == FV_LABELS || info->source_type, level.rows, level.columns, half.rows, half.columns};
    const ImageRegion all = {0, 0, level.rows, level.columns}, small = {0, 0, half.rows, half.columns};
    const gsize bytes = (gsize) (half.rows * half.columns) * pixel;
    g_autofree guint8 *from = g_malloc ((gsize) (level.rows * level.columns) * pixel), *to = g_malloc (bytes),
                      *read = g_malloc (bytes);
    g_assert_true (image_read (image, n, 1, &all, from, (gsize) level.columns * pixel, NULL));
    g_assert_true (image_read (image, n + 1, 1, &small, read, (gsize) half.columns * pixel, NULL));
    g_assert_true (halve_plane (&halving, from, to, NULL));
    g_assert_cmpmem (read, bytes, to, bytes);
  }
  g_assert_cmpuint (n + 1, ==, wanted);
}

/* Nothing waits for the disk, which is busy with other tests. */
static void
test_save (void)
{
  GStatBuf about;
  g_assert_cmpint (g_stat (folder, &about), ==, 0);
  file_targets_sync_later (about.st_dev);
  static const struct {
    const char *options;
    guint levels;
  } ways[] = {{NULL, 1},
              {"tile=16", 3},
              {"tile=16 zarr=0.4", 3},
              {"tile=16 sharding=2", 3},
              {"tile=32 compression=none", 2},
              {"tile=16 compression=deflate zarr=0.4 level=9", 3},
              {"tile=16 pyramid=no compression=deflate sharding=3", 1}};
  for (guint t = 0; t < PIXEL_TYPES; t++)
    for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
      const fv_type type = pixel_types[t].type;
      const fv_role role = type == FV_I32 ? FV_LABELS : FV_IMAGE;
      g_autofree char *path = NULL;
      g_autoptr (Image) image = image_random (type, role, 2, 2, 41, 53, t),
                        back = saved (image, ways[i].options, &path);
      g_assert_cmpint (image_info (back)->type, ==, type);
      g_assert_cmpint (image_info (back)->role, ==, role);
      g_assert_cmpint (image_info (back)->depth, ==, 2);
      check_pyramid (back, ways[i].levels);
      assert_images_equal (image, back);
      remove_folder (path);
      g_assert_cmpuint (sweep (), ==, 0);
    }
}

/* Sizes, channels and roles. */
static void
test_save_about (void)
{
  static const char *const ways[] = {NULL, "zarr=0.4"};
  static const double spacing[] = {2.5, 0.1, 1e-7}, origin[] = {1, -2.5, 3}, ranges[] = {0, 100, 5, 65535};
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autofree char *path = NULL;
    g_autoptr (Image) pixels = image_random (FV_U16, FV_IMAGE, 2, 3, 20, 30, 5),
                      rgb = image_random (FV_U8, FV_RGB, 3, 1, 20, 30, 6);
    ImageInfo info;
    image_info_copy (&info, image_info (pixels));
    memcpy (info.spacing, spacing, sizeof spacing);
    memcpy (info.origin, origin, sizeof origin);
    for (guint k = 0; k < 3; k++) {
      g_free (info.units[k]);
      info.units[k] = g_strdup (k ? "µm" : "Å");
    }
    info.channel_names = g_strsplit ("a \"b\" \\;µ\u00e9", ";", -1);
    info.channel_colors = g_memdup2 ((const guint32[]){0x12abcd, 0x000000}, 2 * sizeof (guint32));
    info.display_ranges = g_memdup2 (ranges, sizeof ranges);
    g_autoptr (Image) image = image_with_info (pixels, &info);
    g_autoptr (Image) back = saved (image, ways[i], &path);
    const ImageInfo *b = image_info (back);
    for (guint k = 0; k < 3; k++) {
      g_assert_cmpfloat (b->spacing[k], ==, spacing[k]);
      g_assert_cmpfloat_with_epsilon (b->origin[k], origin[k], 1e-9);
      g_assert_cmpstr (b->units[k], ==, info.units[k]);
    }
    g_assert_true (g_strv_equal ((const char *const *) b->channel_names, (const char *const *) info.channel_names));
    g_assert_cmpmem (b->channel_colors, 8, info.channel_colors, 8);
    g_assert_cmpmem (b->display_ranges, sizeof ranges, ranges, sizeof ranges);
    image_info_clear (&info);
    g_free (path);
    g_autoptr (Image) colors = saved (rgb, ways[i], &path);
    g_assert_cmpint (image_info (colors)->role, ==, FV_RGB);
    assert_images_equal (rgb, colors);
    remove_folder (path);
  }
}

/* 64-bit integers stay what the file had. */
static void
test_save_wide (void)
{
  g_autofree char *from = data_path ("data/type3_i8"), *path = NULL;
  g_autoptr (Image) image = open_file (from), back = saved (image, NULL, &path);
  g_assert_cmpstr (image_info (back)->source_type, ==, "int64");
  assert_images_equal (image, back);
  remove_folder (path);
}

/* Chunks of zeros are not written, and what is not written is 0. */
static void
test_save_empty (void)
{
  g_autofree char *path = NULL, *chunks = NULL;
  g_autoptr (Image) image = image_of (FV_U8, FV_IMAGE, 20, 20, (double[400]){0}), back = saved (image, NULL, &path);
  chunks = g_build_filename (path, "0", "c", NULL);
  g_assert_false (g_file_test (chunks, G_FILE_TEST_EXISTS));
  assert_images_equal (image, back);
  remove_folder (path);
}

static void
check_kept (const char *path)
{
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 9, 9, 1);
  GError *error = NULL;
  g_assert_false (files_save (image, path, &error));
  check_error (error, FILE_ERROR_WRITE, path, "more than one image of OME-Zarr");
}

/* One image is replaced; what has more than that is kept. */
static void
test_replace (void)
{
  g_autoptr (Image) one = image_random (FV_U8, FV_IMAGE, 1, 1, 9, 9, 1),
                    other = image_random (FV_U16, FV_IMAGE, 1, 1, 5, 9, 2);
  g_autofree char *path = NULL, *again = NULL, *own = NULL, *plate = scratch ("made.zarr"),
                  *file = scratch ("file.zarr");
  GError *error = NULL;
  g_autoptr (Image) first = saved (one, NULL, &path), second = saved (other, "zarr=0.4", &again);
  assert_images_equal (other, second);
  own = g_build_filename (path, "notes.txt", NULL);
  g_assert_true (g_file_set_contents (own, "mine", -1, NULL));
  check_kept (path);
  g_free (put ("zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}", -1));
  check_kept (plate);
  g_assert_true (g_file_set_contents (file, "a file", -1, NULL));
  g_assert_false (files_save (one, file, &error));
  check_error (error, FILE_ERROR_WRITE, file, "it is a file, not a folder");
  remove_folder (path);
  remove_folder (plate);
  g_assert_cmpuint (sweep (), ==, 1);
}

int
main (int argc, char **argv)
{
  static const char *const damaged[] = {"ome05",         "ome04",   "sharded", "sharded_first",   "plate",
                                        "two_blosc_lz4", "two_lz4", "two_bz2", "three_crc_around"};
  init_tests (&argc, &argv);
  g_auto (GStrv) sections = cases_open ("tests/core/files/zarr");
  g_autofree char *container = data_path ("arrays.npz");
  arrays = npz_load (container);
  for (char **section = sections; *section; section++) {
    g_autofree char *test = g_strdelimit (g_strdup_printf ("/zarr/cases/%s", *section), " ", '_');
    if (strcmp (*section, "versions"))
      g_test_add_data_func (test, *section, test_case);
  }
  g_test_add_func ("/zarr/count", test_count);
  g_test_add_func ("/zarr/crc32c", test_crc32c);
  g_test_add_func ("/zarr/metadata", test_metadata);
  g_test_add_func ("/zarr/pixels_refused", test_pixels_refused);
  g_test_add_func ("/zarr/labels_refused", test_labels_refused);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++) {
    g_autofree char *test = g_strdup_printf ("/zarr/damaged/%s", damaged[i]);
    g_test_add_data_func (test, damaged[i], test_damaged);
  }
  g_test_add_func ("/zarr/save", test_save);
  g_test_add_func ("/zarr/save_about", test_save_about);
  g_test_add_func ("/zarr/save_wide", test_save_wide);
  g_test_add_func ("/zarr/save_empty", test_save_empty);
  g_test_add_func ("/zarr/replace", test_replace);
  const int status = run_files_tests ();
  g_key_file_free (cases);
  g_hash_table_unref (arrays);
  return status;
}
