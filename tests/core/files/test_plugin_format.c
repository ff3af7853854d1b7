/* SPDX-License-Identifier: MIT
 *
 * A reader of a plugin: what it says is what is opened, and one that lies is refused with a sentence that says which lie.
 *
 * Files begin with "made up"; the image is what `truth` makes of it, 5 time points of 2 channels with 3 slices, in two levels. Each pixel holds its place.
 */
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/plugin_format.h"
#include "tests/core/files/files_support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 30, PLANES = 5 * 2 * 3 };

static char *path;   /* of a file */
static guint n_open; /* files that are not closed */
static char endless[1 << 21];

/* What the reader says. */
static struct {
  guint32 images;
  fv_status opens, describes, reads;
  const char *left_out, *others[3];
  fv_file_image image;
  fv_level levels[2];
} said;

static const char *const names[] = {"nuclei", "membrane"};
static const guint32 colors[] = {0x0000ff, 0x00ff00};
static const double ranges[] = {0, 255, 10, 90.5}, bad_ranges[] = {0, 255, 90, NAN};

static void
tell_truth (void)
{
  memset (&said, 0, sizeof said);
  if (!path)
    path = scratch ("a.made");
  g_assert_true (g_file_set_contents (path, "made up, really", -1, NULL));
  said.images = 2;
  said.left_out = "1 thumbnail";
  said.others[0] = "/else/where.xml";
  said.others[1] = "beside.bin";
  said.image = (fv_file_image){.size = sizeof said.image,
                               .type = FV_U16,
                               .frames = 5,
                               .channels = 2,
                               .depth = 3,
                               .rows = ROWS,
                               .columns = COLUMNS,
                               .spacing = {2, 0.5, 0.25},
                               .units = {"µm", "µm", "µm"},
                               .frame_interval = 3,
                               .frame_unit = "s",
                               .channel_names = names,
                               .channel_colors = colors,
                               .description = "a\nb",
                               .levels = 2,
                               .name = "scan 3",
                               .display_ranges = ranges};
  said.levels[0] = (fv_level){sizeof (fv_level), ROWS, COLUMNS, 16, 8};
  said.levels[1] = (fv_level){sizeof (fv_level), ROWS / 2, COLUMNS / 2, 0, 0};
}

static guint16
pixel_at (guint image, guint level, gint64 plane, gint64 row, gint64 column)
{
  return (guint16) (image * 30000 + level * 15000 + plane * 400 + row * 10 + column % 10);
}

/* ---- The reader ---- */

static bool
reader_is (const fv_reader *reader, const char *name, const uint8_t *head, size_t n)
{
  g_assert_true (!strcmp (reader->key, "made_up") || !strcmp (reader->key, "greedy"));
  return n ? n >= 7 && !memcmp (head, "made up", 7) : g_str_has_suffix (name, ".made");
}

static fv_status
reader_open (const fv_reader *reader, const char *name, void **file, uint32_t *images, fv_error *error)
{
  (void) reader;
  if (said.opens)
    return error_fill (error, said.opens, "It is\nmade up.");
  *file = g_strdup (name);
  *images = said.images;
  n_open++;
  return FV_OK;
}

static void
reader_close (const fv_reader *reader, void *file)
{
  (void) reader;
  g_free (file);
  n_open--;
}

static fv_status
reader_image (const fv_reader *reader, void *file, uint32_t n, fv_file_image *image, fv_error *error)
{
  (void) reader, (void) n;
  g_assert_cmpstr (file, ==, path);
  g_assert_cmpuint (image->size, ==, sizeof *image);
  g_assert_cmpint (image->channels, ==, 1);
  *image = said.image;
  return said.describes ? error_fill (error, said.describes, "No.") : FV_OK;
}

static fv_status
reader_level (const fv_reader *reader, void *file, uint32_t n, uint32_t number, fv_level *level, fv_error *error)
{
  (void) reader, (void) file, (void) n, (void) error;
  g_assert_cmpuint (number, <, 2);
  *level = said.levels[number];
  return FV_OK;
}

static fv_status
reader_read (const fv_reader *reader, void *file, const fv_region *r, void *to, size_t stride, fv_error *error)
{
  (void) reader;
  g_assert_cmpstr (file, ==, path);
  if (said.reads)
    return error_fill (error, said.reads, "It ends early.");
  for (gint64 y = 0; y < r->rows; y++)
    for (gint64 x = 0; x < r->columns; x++)
      ((guint16 *) ((char *) to + (gsize) y * stride))[x] =
        pixel_at (r->image, r->level, r->plane, r->row + y, r->column + x);
  return FV_OK;
}

static const char *
reader_left_out (const fv_reader *reader, void *file)
{
  (void) reader, (void) file;
  return said.left_out;
}

static const char *const *
reader_others (const fv_reader *reader, void *file)
{
  (void) reader, (void) file;
  return said.others;
}

static const fv_reader reader = {.size = sizeof reader,
                                 .key = "made_up",
                                 .label = "Made up",
                                 .endings = "made",
                                 .is = reader_is,
                                 .open = reader_open,
                                 .close = reader_close,
                                 .image = reader_image,
                                 .level = reader_level,
                                 .read = reader_read,
                                 .left_out = reader_left_out,
                                 .others = reader_others};
static const fv_op *const no_operations[] = {NULL};

static Modules *
modules_with (const fv_plugin *plugin)
{
  Modules *modules = modules_new_empty ();
  modules_add (modules, plugin, NULL);
  g_assert_cmpuint (modules_readers (modules)->len, ==, 1);
  plugin_formats_use (modules);
  return modules;
}

static Modules *
made_up_modules (void)
{
  static const fv_reader *const readers[] = {&reader, NULL};
  static const fv_plugin plugin = {
    .size = sizeof plugin, .abi = FV_ABI, .name = "liar", .version = "1", .ops = no_operations, .readers = readers};
  return modules_with (&plugin);
}

static void
end (Modules *modules)
{
  plugin_formats_drop (modules);
  modules_free (modules);
  sweep ();
}

/* ---- The truth ---- */

static void
check_info (const ImageInfo *info)
{
  g_assert_cmpint (info->type, ==, FV_U16);
  g_assert_cmpint (info->frames, ==, 5);
  g_assert_cmpint (info->channels, ==, 2);
  g_assert_cmpint (info->depth, ==, 3);
  g_assert_cmpfloat (info->spacing[0], ==, 2);
  g_assert_cmpfloat (info->spacing[2], ==, 0.25);
  g_assert_cmpstr (info->units[1], ==, "µm");
  g_assert_cmpfloat (info->frame_interval, ==, 3);
  g_assert_cmpstr (info->frame_unit, ==, "s");
  g_assert_cmpstr (info->channel_names[1], ==, "membrane");
  g_assert_cmphex (info->channel_colors[1], ==, 0x00ff00);
  g_assert_cmpstr (info->description, ==, "a\nb");
  g_assert_cmpstr (info->name, ==, "a.made: scan 3");
  g_assert_cmpfloat (info->display_ranges[3], ==, 90.5);
  g_assert_cmpuint (info->number, ==, 1);
}

static void
check_pixels (Image *image)
{
  ImageLevel level;
  guint16 part[4][3];
  for (gint64 plane = 0; plane < PLANES; plane++)
    for (gint64 i = 0; i < ROWS * COLUMNS; i++)
      g_assert_cmpuint (((const guint16 *) image_plane (image, plane, NULL))[i], ==,
                        pixel_at (1, 0, plane, i / COLUMNS, i % COLUMNS));
  g_assert_true (image_level (image, 0, &level));
  g_assert_cmpint (level.tile_rows, ==, 16);
  g_assert_false (level.direct);
  g_assert_true (image_level (image, 1, &level));
  g_assert_cmpint (level.columns, ==, COLUMNS / 2);
  g_assert_true (level.direct);
  g_assert_false (image_level (image, 2, &level));
  g_assert_true (image_read (image, 1, 7, &(ImageRegion){5, 6, 4, 3}, part, sizeof part[0], NULL));
  for (gint64 y = 0; y < 4; y++)
    for (gint64 x = 0; x < 3; x++)
      g_assert_cmpuint (part[y][x], ==, pixel_at (1, 1, 7, 5 + y, 6 + x));
}

static void
test_truth (void)
{
  Modules *modules = made_up_modules ();
  g_autoptr (GError) error = NULL;
  ImageInfo info;
  const char *depends;
  tell_truth ();
  FilesImages *images = files_images_new (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files_images_count (images), ==, 2);
  g_assert_cmpstr (files_images_left_out (images), ==, "1 thumbnail");
  g_assert_cmpuint (files_images_others (images)->len, ==, 2);
  g_assert_cmpstr (files_images_others (images)->pdata[1], ==, "beside.bin");
  g_assert_true (files_images_describe (images, 1, &info, &depends, &error));
  g_assert_cmpint (info.rows, ==, ROWS);
  image_info_clear (&info);
  Image *image = files_images_open (images, 1, &error);
  files_images_free (images);
  g_assert_cmpuint (n_open, ==, 1); /* by the image */
  check_info (image_info (image));
  check_pixels (image);
  image_unref (image);
  g_assert_cmpuint (n_open, ==, 0);
  end (modules);
}

/* In the list as long as modules use it, once. */
static void
test_list (void)
{
  Modules *first = made_up_modules (), *second = made_up_modules ();
  guint n = 0;
  for (const FileFormat *const *f = formats_all (); *f; f++)
    n += !strcmp ((*f)->key, "made_up");
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (formats_is_image_name ("A.MADE"));
  g_assert_null (formats_of_output ("a.made"));
  end (first);
  g_assert_true (formats_is_image_name ("a.made"));
  end (second);
  g_assert_false (formats_is_image_name ("a.made"));
  tell_truth ();
  g_assert_null (files_open (path, 0, NULL));
  sweep ();
}

/* Formats of the program come first, and a key that they have is taken. */
static void
test_taken (void)
{
  static fv_reader other;
  static const fv_reader *const readers[] = {&other, NULL};
  static const fv_plugin plugin = {
    .size = sizeof plugin, .abi = FV_ABI, .name = "thief", .version = "1", .ops = no_operations, .readers = readers};
  other = reader;
  other.key = "tiff";
  Modules *modules = modules_with (&plugin);
  g_assert_nonnull (
    strstr (modules_refused (modules)[0], "'tiff' of the plugin thief is not used: Fovea reads one of that key"));
  g_assert_false (formats_is_image_name ("a.made"));
  end (modules);
}

/* One that reads what others read, too, is asked after them, though it was loaded before. */
static void
test_last (void)
{
  static fv_reader greedy;
  static const fv_reader *const both[] = {&greedy, &reader, NULL};
  static const fv_plugin plugin = {
    .size = sizeof plugin, .abi = FV_ABI, .name = "two", .version = "1", .ops = no_operations, .readers = both};
  greedy = reader;
  greedy.key = "greedy";
  for (int last = 0; last < 2; last++) {
    greedy.last = last;
    Modules *modules = modules_new_empty ();
    modules_add (modules, &plugin, NULL);
    plugin_formats_use (modules);
    g_assert_cmpstr (formats_of_head ("a", (const guint8 *) "made up", 7)->key, ==, last ? "made_up" : "greedy");
    end (modules);
  }
}

/* A folder is asked for without a head. */
static void
test_folder (void)
{
  Modules *modules = made_up_modules ();
  g_autofree char *file = NULL, *place = scratch ("folder.made");
  g_autoptr (GError) error = NULL;
  tell_truth ();
  file = g_steal_pointer (&path);
  g_assert_cmpint (g_mkdir (place, 0700), ==, 0);
  path = place;
  Image *image = files_open (place, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image_info_planes (image_info (image)), ==, PLANES);
  image_unref (image);
  path = g_steal_pointer (&file);
  g_rmdir (place);
  end (modules);
}

/* ---- Lies ---- */

static const char *const bad_names[] = {"a", "\xff"};

#define CASES(CASE)                                                                                                    \
  CASE ("opens-not", said.opens = FV_BAD_INPUT, "cannot be opened with the plugin liar: It is made up.")               \
  CASE ("opens-what", said.opens = (fv_status) 99, "It returned 99, which is not a status.")                           \
  CASE ("images-none", said.images = 0, "what the plugin liar says of it is wrong: the number 0 of images")            \
  CASE ("images-many", said.images = 1 << 30, "the number 1073741824 of images is not from 1 to 65536")                \
  CASE ("left-out", said.left_out = "\x1b[2J", "left out holds a control character")                                   \
  CASE ("describes-not", said.describes = FV_UNSUPPORTED, "cannot be opened with the plugin liar: No.")                \
  CASE ("size", said.image.size = 8, "the size of its struct is overwritten")                                          \
  CASE ("type", said.image.type = 3, "the pixel type 3 does not exist")                                                \
  CASE ("type-none", said.image.type = 0, "the pixel type 0 does not exist")                                           \
  CASE ("type-unknown", said.image.type = 1 << 12, "the pixel type 4096 does not exist")                               \
  CASE ("role", said.image.role = 9, "the role 9 does not exist")                                                      \
  CASE ("labels-u16", said.image.role = FV_LABELS, "the pixel type does not fit the role")                             \
  CASE ("rgb-of-2", (said.image.role = FV_RGB, said.image.type = FV_U8), "2 channels are not RGB")                     \
  CASE ("rows-none", said.image.rows = 0, "the size 0 is less than 1")                                                 \
  CASE ("frames-negative", said.image.frames = -5, "the size -5 is less than 1")                                       \
  CASE ("columns-huge", said.image.columns = G_MAXINT64, "")                                                           \
  CASE ("product-huge", said.image.rows = said.image.columns = said.image.depth = G_MAXINT32, "")                      \
  CASE ("channels-huge", said.image.channels = 1 << 20, "1048576 channels are more than 65536")                        \
  CASE ("spacing", said.image.spacing[1] = NAN, "the pixel size nan is negative or not finite")                        \
  CASE ("interval", said.image.frame_interval = -1, "the frame interval -1 is negative or not finite")                 \
  CASE ("unit-endless", said.image.units[2] = endless, "its unit has no end within 64 bytes")                          \
  CASE ("channel-name", said.image.channel_names = bad_names, "its channel name is not UTF-8")                         \
  CASE ("description-endless", said.image.description = endless, "the description has no end")                         \
  CASE ("name", said.image.name = "\x1b", "its name holds a control character")                                        \
  CASE ("ranges", said.image.display_ranges = bad_ranges, "the contrast limits 90 and nan are not finite")             \
  CASE ("others", said.others[1] = "", "the path of another file is empty")                                            \
  CASE ("others-endless", said.others[0] = endless, "has no end within 65536 bytes")                                   \
  CASE ("levels-none", said.image.levels = 0, "the number 0 of levels is not from 1 to 32")                            \
  CASE ("levels-many", said.image.levels = 33, "the number 33 of levels")                                              \
  CASE ("level-0", said.levels[0].rows = 20, "level 0 of 30×20 pixels does not fit")                                   \
  CASE ("level-larger", said.levels[1].columns = 31, "level 1 of 31×20 pixels does not fit")                           \
  CASE ("level-none", said.levels[1].rows = 0, "level 1 of 15×0 pixels does not fit")                                  \
  CASE ("level-size", said.levels[1].size = 0, "the size of a level's struct is overwritten")                          \
  CASE ("tiles", said.levels[0].tile_rows = -1, "level 0 has tiles of 8×-1 pixels")                                    \
  CASE ("tiles-half", said.levels[0].tile_rows = 0, "level 0 has tiles of 8×0 pixels")

#define CASE_NAME(NAME, LIE, WORD) {NAME, WORD},
static const struct {
  const char *name, *word;
} cases[] = {CASES (CASE_NAME)};

static void
lie (const char *name)
{
#define LIE_IF(NAME, LIE, WORD)                                                                                        \
  if (!strcmp (name, NAME))                                                                                            \
    (void) (LIE);
  CASES (LIE_IF)
}

static void
test_lie (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  Modules *modules = made_up_modules ();
  g_autoptr (GError) error = NULL;
  tell_truth ();
  lie (cases[i].name);
  g_assert_null (files_open (path, 1, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, cases[i].word));
  g_assert_nonnull (strstr (error->message, "a.made"));
  g_assert_cmpuint (n_open, ==, 0);
  end (modules);
}

/* More levels than it has a function for. */
static void
test_no_levels (void)
{
  static fv_reader without;
  static const fv_reader *const readers[] = {&without, NULL};
  static const fv_plugin plugin = {
    .size = sizeof plugin, .abi = FV_ABI, .name = "liar", .version = "1", .ops = no_operations, .readers = readers};
  without = reader;
  without.level = NULL;
  without.left_out = NULL;
  Modules *modules = modules_with (&plugin);
  g_autoptr (GError) error = NULL;
  tell_truth ();
  g_assert_null (files_open (path, 0, &error));
  g_assert_nonnull (strstr (error->message, "it has 2 levels and no level()"));
  said.image.levels = 1;
  Image *image = files_open (path, 0, NULL);
  ImageLevel level;
  g_assert_true (image_level (image, 0, &level) && level.direct && level.tile_columns == COLUMNS);
  image_unref (image);
  end (modules);
}

/* Pixels that cannot be read are an error for their reader, and the image stays. */
static void
test_reading (void)
{
  Modules *modules = made_up_modules ();
  g_autoptr (GError) error = NULL;
  tell_truth ();
  Image *image = files_open (path, 0, &error);
  said.reads = FV_BAD_INPUT;
  g_assert_null (image_plane (image, 3, &error));
  g_assert_nonnull (strstr (error->message, "cannot be read with the plugin liar: It ends early."));
  g_assert_true (g_error_matches (error, FILE_ERROR, FILE_ERROR_DAMAGED));
  said.reads = FV_OK;
  g_assert_nonnull (image_plane (image, 3, NULL));
  image_unref (image);
  end (modules);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  memset (endless, 'a', sizeof endless);
  g_test_add_func ("/plugin-format/truth", test_truth);
  g_test_add_func ("/plugin-format/list", test_list);
  g_test_add_func ("/plugin-format/taken", test_taken);
  g_test_add_func ("/plugin-format/folder", test_folder);
  g_test_add_func ("/plugin-format/last", test_last);
  g_test_add_func ("/plugin-format/no-levels", test_no_levels);
  g_test_add_func ("/plugin-format/reading", test_reading);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strconcat ("/plugin-format/lies/", cases[i].name, NULL);
    g_test_add_data_func (name, GUINT_TO_POINTER (i), test_lie);
  }
  return run_files_tests ();
}
