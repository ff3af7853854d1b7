/* SPDX-License-Identifier: MIT
 *
 * Reading HDF5. The files and the arrays that they hold come from h5py and npy2bdv (make.py). Damaged files must give an error or an image, and so must
 * a process that ends.
 */
#include "core/files/plugin_format.h"
#include "tests/core/files/cases.h"
#include "tests/core/files/damage.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

/* ---- What the files hold ---- */

static void
check_pixels (Image *image, const char *section)
{
  g_autofree char *file = text_of (section, "expect"), *path = data_path (file);
  g_autoptr (Image) expected = NULL;
  Npy npy;
  npy_load (&npy, path);
  expected = image_from_npy (&npy, image_info (image)->role);
  const gint64 sizes[] = {image_info (image)->frames, image_info (image)->channels, image_info (image)->depth};
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (sizes[i], ==, npy.shape[i]);
  assert_images_equal (image, expected);
  npy_clear (&npy);
}

/* Regions of a level are parts of all of it, which is that file. */
static void
check_level (Image *image, guint n, gint64 plane, const ImageLevel *level, const char *file)
{
  g_autofree char *path = data_path (file);
  const gsize pixel = image_info_plane_bytes (image_info (image)) / (gsize) image_info (image)->rows
                      / (gsize) image_info (image)->columns;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree guint8 *part = g_malloc ((gsize) level->rows * (gsize) level->columns * pixel);
  Npy npy;
  npy_load (&npy, path);
  g_assert_cmpint (npy_size (&npy), ==, level->rows * level->columns);
  for (int i = 0; i < 20; i++) {
    const gint64 y = i ? g_rand_int_range (rand, 0, (gint32) level->rows) : 0,
                 x = i ? g_rand_int_range (rand, 0, (gint32) level->columns) : 0;
    const ImageRegion region = {y, x, i ? g_rand_int_range (rand, 1, (gint32) (level->rows - y) + 1) : level->rows,
                                i ? g_rand_int_range (rand, 1, (gint32) (level->columns - x) + 1) : level->columns};
    const gsize line = (gsize) region.columns * pixel;
    g_autoptr (GError) error = NULL;
    image_read (image, n, plane, &region, part, line, &error);
    g_assert_no_error (error);
    for (gint64 k = 0; k < region.rows; k++)
      g_assert_cmpmem (part + (gsize) k * line, line,
                       (const guint8 *) npy.data + (gsize) ((y + k) * level->columns + x) * pixel, line);
  }
  npy_clear (&npy);
}

static void
check_levels (Image *image, const char *section)
{
  const int wanted = g_key_file_get_integer (cases, section, "levels", NULL),
            plane = g_key_file_get_integer (cases, section, "plane", NULL);
  ImageLevel level;
  guint n = 0;
  for (; image_level (image, n, &level); n++) {
    g_autofree char *key = g_strdup_printf ("level%u", n), *file = text_of (section, key);
    if (file)
      check_level (image, n, plane, &level, file);
  }
  g_assert_cmpuint (n, ==, wanted ? wanted : 1);
}

static void
check_numbers (const char *section, const char *key, const double *found, guint n)
{
  g_autofree char *text = text_of (section, key);
  g_auto (GStrv) parts = text ? g_strsplit (text, " ", -1) : NULL;
  if (!text)
    return;
  g_assert_nonnull (found);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (found[i], g_ascii_strtod (parts[i], NULL), 1e-9 * fabs (found[i]) + 1e-12);
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
  static const char *const roles[] = {"image", "mask", "labels", "rgb"};
  g_autofree char *names = info->channel_names ? g_strjoinv (";", info->channel_names) : NULL,
                  *role = text_of (section, "role"), *interval = text_of (section, "interval"),
                  *description = info->description ? g_strdelimit (g_strdup (info->description), "\n", '|') : NULL,
                  *colors = text_of (section, "colors");
  g_auto (GStrv) each = colors ? g_strsplit (colors, " ", -1) : NULL;
  g_assert_cmpstr (roles[info->role], ==, role ? role : "image");
  check_numbers (section, "spacing", info->spacing, 3);
  check_numbers (section, "ranges", info->display_ranges, (guint) info->channels * 2);
  check_text (section, "unit", info->units[2]);
  check_text (section, "names", names);
  check_text (section, "name", info->name);
  check_text (section, "description", description);
  g_assert_cmpfloat_with_epsilon (info->frame_interval, interval ? g_ascii_strtod (interval, NULL) : 0, 1e-9);
  for (gint64 c = 0; each && c < info->channels; c++)
    g_assert_cmphex (info->channel_colors[c], ==, g_ascii_strtoull (each[c], NULL, 16));
}

static void
check_others (const FilesImages *images, const char *section)
{
  g_autofree char *other = text_of (section, "others");
  const GPtrArray *paths = files_images_others (images);
  g_assert_cmpuint (paths ? paths->len : 0, ==, other ? 1 : 0);
  if (other) {
    g_autofree char *path = data_path (other), *found = g_canonicalize_filename (paths->pdata[0], NULL);
    g_assert_cmpstr (found, ==, path);
  }
}

static void
check_refused (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  if (image)
    g_assert_null (image_on_host (image, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == FILE_ERROR);
  if (!strstr (error->message, path) || !strstr (error->message, text) || !g_str_has_suffix (error->message, "."))
    g_error ("'%s' should be in: %s", text, error->message);
}

static void
test_case (gconstpointer data)
{
  const char *section = data;
  g_autofree char *file = text_of (section, "file"), *path = data_path (file), *refused = text_of (section, "error");
  g_autoptr (GError) error = NULL;
  if (refused) {
    check_refused (path, refused);
    return;
  }
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  g_assert_no_error (error);
  check_text (section, "left_out", files_images_left_out (images));
  check_others (images, section);
  g_autoptr (Image) image =
    files_images_open (images, (guint) g_key_file_get_integer (cases, section, "number", NULL), &error);
  g_assert_no_error (error);
  check_levels (image, section);
  image_on_host (image, NULL, &error);
  g_assert_no_error (error);
  check_pixels (image, section);
  check_about (image_info (image), section);
}

/* ---- The processes ---- */

/* Of this program; each is sent the signal. */
static guint
signal_processes (int number)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name (proc));) {
    g_autofree char *path = g_strdup_printf ("/proc/%s/stat", name), *stat = NULL;
    char program[64], state;
    int process, parent;
    if (g_ascii_isdigit (*name) && g_file_get_contents (path, &stat, NULL, NULL)
        && sscanf (stat, "%d (%63[^)]) %c %d", &process, program, &state, &parent) == 4 && parent == getpid ()
        && state != 'Z' && !strcmp (program, "fovea-hdf5")) {
      kill (process, number);
      n++;
    }
  }
  return n;
}

/* One that ends is an error, and the next request starts another, in which the file is opened again. */
static void
test_crash (void)
{
  g_autofree char *path = data_path ("gzip.h5");
  g_autoptr (GError) error = NULL, none = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error);
  const ImageRegion region = {0, 0, 30, 41};
  guint16 pixels[30 * 41];
  g_assert_no_error (error);
  g_assert_true (image_read (image, 0, 0, &region, pixels, sizeof pixels / 30, &error));
  g_assert_cmpuint (signal_processes (SIGABRT), >, 0);
  g_assert_false (image_read (image, 0, 1, &region, pixels, sizeof pixels / 30, &error));
  if (!strstr (error->message, "The HDF5 library crashed (Aborted). The file is probably damaged."))
    g_error ("%s", error->message);
  for (int plane = 0; plane < 7; plane++) /* in each process there is one first request */
    image_read (image, 0, plane, &region, pixels, sizeof pixels / 30, NULL);
  g_assert_true (image_read (image, 0, 1, &region, pixels, sizeof pixels / 30, &none));
  image_on_host (image, NULL, &none);
  g_assert_no_error (none);
  check_pixels (image, "gzip_h5");
}

/* A process that found a file damaged reads no other. */
static void
test_disorder (void)
{
  g_autofree char *good = data_path ("gzip.h5"), *cut = data_path ("cut.h5");
  g_autoptr (Image) image = files_open (good, 0, NULL), none = NULL;
  const ImageRegion region = {0, 0, 30, 41};
  guint16 pixels[30 * 41];
  g_assert_true (image_read (image, 0, 0, &region, pixels, sizeof pixels / 30, NULL));
  const guint before = signal_processes (0);
  none = files_open (cut, 0, NULL);
  g_assert_null (none);
  g_assert_cmpuint (signal_processes (0), ==, before - 1);
  g_assert_true (image_read (image, 0, 0, &region, pixels, sizeof pixels / 30, NULL));
}

/* A child of fork() starts its own. */
static void
test_fork (void)
{
  g_autofree char *path = data_path ("gzip.h5");
  g_autoptr (Image) before = files_open (path, 0, NULL);
  const ImageRegion region = {0, 0, 30, 41};
  guint16 pixels[30 * 41], same[30 * 41];
  int status;
  g_assert_true (image_read (before, 0, 3, &region, pixels, sizeof pixels / 30, NULL));
  const pid_t child = fork ();
  if (child == 0)
    _exit (image_read (before, 0, 3, &region, same, sizeof same / 30, NULL) && !memcmp (pixels, same, sizeof same) ? 0
                                                                                                                   : 1);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (image_read (before, 0, 4, &region, pixels, sizeof pixels / 30, NULL));
}

/* ---- Damage ---- */

/* Cut off anywhere, and with bytes of any value. */
static void
test_damaged (gconstpointer data)
{
  g_autofree char *from = data_path (data);
  try_damaged (from, data, 4, 40, 8);
}

int
main (int argc, char **argv)
{
  static const char *const damaged[] = {"gzip.h5", "one.ims", "parts.h5", "tags_xyzct.h5", "two.xml"};
  init_tests (&argc, &argv);
  Modules *modules = modules_new_shipped ();
  plugin_formats_use (modules);
  g_auto (GStrv) sections = cases_open ("tests/readers/hdf5/data");
  for (char **section = sections; *section; section++) {
    g_autofree char *test = g_strdelimit (g_strdup_printf ("/hdf5/%s", *section), " ", '_');
    g_test_add_data_func (test, *section, test_case);
  }
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++) {
    g_autofree char *test = g_strdup_printf ("/hdf5/damaged/%s", damaged[i]);
    g_test_add_data_func (test, damaged[i], test_damaged);
  }
  g_test_add_func ("/hdf5/crash", test_crash);
  g_test_add_func ("/hdf5/disorder", test_disorder);
  g_test_add_func ("/hdf5/fork", test_fork);
  const int result = run_files_tests ();
  plugin_formats_drop (modules);
  modules_free (modules);
  g_assert_cmpuint (signal_processes (0), ==, 0);
  g_key_file_unref (cases);
  return result;
}
