/* SPDX-License-Identifier: MIT
 *
 * Volumes of other programs, and plain arrays: what tests/core/files/volumes holds was written, and read for comparison, by the programs that
 * make_volumes.py names.
 */
#include "core/data/value_calibration.h"
#include "tests/core/files/files_support.h"

#include <math.h>
#include <unistd.h>

static GKeyFile *cases;
static GHashTable *arrays;

static char *
volume (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/files/volumes/%s", name);
  return source_path (path);
}

static char *
value_of (const char *section, const char *key)
{
  return g_key_file_get_string (cases, section, key, NULL);
}

/* NULL: the case does not say. */
static char **
values_of (const char *section, const char *key)
{
  g_autofree char *text = value_of (section, key);
  return text ? g_strsplit (text, " ", -1) : NULL;
}

static const char *
property_of (const ImageInfo *info, const char *key)
{
  char *const *p = info->notes ? info->notes->properties : NULL;
  for (; p && *p; p += 2)
    if (!strcmp (p[0], key))
      return p[1];
  return NULL;
}

static void
check_numbers (const char *section, const char *key, const double *found, guint n)
{
  g_auto (GStrv) values = values_of (section, key);
  for (guint i = 0; values && i < n; i++) {
    const double expected = g_ascii_strtod (values[i], NULL);
    g_assert_cmpfloat_with_epsilon (found[i], expected, 1e-6 * MAX (1, fabs (expected)));
  }
}

static void
check_info (const char *section, const ImageInfo *info)
{
  g_auto (GStrv) units = values_of (section, "units"), interval = values_of (section, "interval");
  g_autofree char *orientation = value_of (section, "orientation"), *source = value_of (section, "source"),
                  *colors = value_of (section, "colors"), *calibrated = value_of (section, "calibrated"),
                  *mask = value_of (section, "mask");
  check_numbers (section, "spacing", info->spacing, 3);
  check_numbers (section, "origin", info->origin, 3);
  for (guint i = 0; units && i < 3; i++)
    g_assert_cmpstr (info->units[i], ==, strcmp (units[i], "-") ? units[i] : "");
  g_assert_cmpfloat (info->frame_interval, ==, interval ? g_ascii_strtod (interval[0], NULL) : 0);
  g_assert_cmpstr (info->frame_unit, ==, interval ? interval[1] : "");
  g_assert_cmpstr (property_of (info, "orientation"), ==, orientation);
  g_assert_cmpstr (info->source_type, ==, source);
  g_assert_cmpint (value_is_calibrated (info), ==, calibrated != NULL);
  if (calibrated)
    check_numbers (section, "calibrated", info->notes->coefficients, 2);
  g_assert_cmpint (info->role, ==, mask ? FV_MASK : colors && *colors == '3' ? FV_RGB : FV_IMAGE);
}

static void
test_case (gconstpointer data)
{
  const char *section = data;
  g_autofree char *path = volume (section), *refused = value_of (section, "refused"),
                  *entry = g_strconcat (section, ".npy", NULL);
  GError *error = NULL;
  g_autoptr (Image) image = files_open (path, 0, &error), expected = NULL;
  if (refused) {
    g_assert_null (image);
    if (!strstr (error->message, refused))
      g_error ("'%s' should be in: %s", refused, error->message);
    g_assert_true (g_str_has_suffix (error->message, "."));
    g_error_free (error);
    return;
  }
  g_assert_no_error (error);
  GBytes *array = g_hash_table_lookup (arrays, entry);
  Npy npy;
  npy_read (&npy, g_bytes_get_data (array, NULL), g_bytes_get_size (array));
  expected = image_from_npy (&npy, image_info (image)->role);
  npy_clear (&npy);
  const ImageInfo *info = image_info (image), *other = image_info (expected);
  g_assert_cmpint (info->type, ==, other->type);
  g_assert_true (info->frames == other->frames && info->channels == other->channels && info->depth == other->depth
                 && info->rows == other->rows && info->columns == other->columns);
  assert_images_equal (image, expected);
  check_info (section, info);
}

/* A file that is cut off anywhere has an error, and no pixels from elsewhere. */
static void
test_cut (void)
{
  static const char *const names[] = {"type_i2.nii", "small.nii.gz", "two.nii.gz",    "type_i2.nrrd",
                                      "gzip.nrrd",   "bzip2.nrrd",   "hex.nrrd",      "type_i2.mha",
                                      "packed.mha",  "type_i2.mrc",  "origin.mrc.gz", "type_u2.npy",
                                      "plain.npz",   "packed.npz",   "wide.pgm",      "little.pfm"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = volume (names[i]), *path = scratch (names[i]), *bytes = NULL;
    gsize n;
    g_assert_true (g_file_get_contents (from, &bytes, &n, NULL));
    g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
    for (gsize length = n - 1; length > 0; length--) {
      GError *error = NULL;
      g_assert_cmpint (truncate (path, (off_t) length), ==, 0);
      g_autoptr (Image) image = files_open (path, 0, &error);
      if (image)
        g_error ("%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes of %s open", length, n, names[i]);
      g_assert_true (error->domain == FILE_ERROR);
      g_error_free (error);
    }
  }
  sweep ();
}

/* Space and calibration survive in TIFF as other metadata do. */
static void
test_kept (void)
{
  g_autofree char *oblique = volume ("small.nii.gz"), *scaled = volume ("scaled_u2.nii"), *path = scratch ("kept.tif");
  g_autoptr (Image) image = open_file (oblique), values = open_file (scaled);
  g_assert_true (files_save (image, path, NULL));
  g_autoptr (Image) saved = open_file (path);
  const ImageInfo *a = image_info (image), *b = image_info (saved);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpstr (b->units[i], ==, "mm");
    g_assert_cmpfloat_with_epsilon (a->spacing[i], b->spacing[i], 1e-6);
    g_assert_cmpfloat_with_epsilon (a->origin[i], b->origin[i], 1e-6);
  }
  g_assert_cmpstr (property_of (b, "orientation"), ==, "LAS");
  g_assert_cmpstr (property_of (b, "position"), ==, "90.5 -126.25 -72 RAS");
  g_assert_cmpstr (property_of (b, "directions"), ==, property_of (a, "directions"));
  g_assert_true (files_save (values, path, NULL));
  g_autoptr (Image) saved_values = open_file (path);
  g_assert_cmpstr (value_unit (image_info (saved_values)), ==, "Gray Value");
  g_assert_cmpfloat (value_of_stored (image_info (saved_values), 4), ==, -1023);
  sweep ();
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_autofree char *path = volume ("cases.ini"), *container = volume ("arrays.npz");
  g_auto (GStrv) sections = NULL;
  cases = g_key_file_new ();
  g_assert_true (g_key_file_load_from_file (cases, path, G_KEY_FILE_NONE, NULL));
  arrays = npz_load (container);
  sections = g_key_file_get_groups (cases, NULL);
  for (char **section = sections; *section; section++) {
    g_autofree char *name = g_strconcat ("/volumes/cases/", *section, NULL);
    g_test_add_data_func_full (name, g_strdup (*section), test_case, g_free);
  }
  g_test_add_func ("/volumes/cut", test_cut);
  g_test_add_func ("/volumes/kept", test_kept);
  const int failed = run_files_tests ();
  g_key_file_free (cases);
  g_hash_table_unref (arrays);
  return failed;
}
