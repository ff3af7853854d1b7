/* SPDX-License-Identifier: MIT
 *
 * Packages of the BioImage Model Zoo against what Python makes with them (make_packages.py): labels, whole and in tiles; and packages that are refused. What
 * needs ONNX Runtime is skipped where it is not installed, and also computed by a stand-in (onnxruntime.c).
 */
#include "tests/support/support.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>

enum { ROWS = 150, COLUMNS = 210, DEPTH = 2, HEAD = 10 };

/* Behind the head of a NumPy array of version 1. */
static char *
load (const char *name, gsize *n)
{
  g_autofree char *path =
    g_strconcat (g_getenv ("FOVEA_SOURCE"), "/tests/kernels/network/data/packages/", name, ".npy", NULL);
  g_autofree char *bytes = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  const gsize start = HEAD + (guint8) bytes[8] + 256 * (guint8) bytes[9];
  *n = size - start;
  return g_memdup2 (bytes + start, size - start);
}

/* The first channels of an image with so many slices. */
static Image *
load_planes (const char *name, gint64 channels, gint64 depth)
{
  const gsize pixels = (gsize) (channels * depth) * ROWS * COLUMNS;
  gsize n;
  g_autofree guint16 *numbers = (guint16 *) (gpointer) load (name, &n);
  g_autofree double *values = g_new (double, pixels);
  g_assert_cmpuint (n, >=, pixels * sizeof *numbers);
  for (gsize i = 0; i < pixels; i++)
    values[i] = numbers[i];
  return image_of_planes (FV_U16, FV_IMAGE, channels, depth, ROWS, COLUMNS, values);
}

static Image *
load_image (void)
{
  return load_planes ("image", 1, 1);
}

static char *
step_of (const char *package, const char *more)
{
  return g_strconcat ("segment model='", g_getenv ("FOVEA_SOURCE"), "/tests/kernels/network/data/packages/", package,
                      ".zip'", more, NULL);
}

/* One number for each plane, or for all slices of channels that are taken together. */
static void
assert_objects (const CallResult *result, Image *labels)
{
  double found = 0, counted = 0;
  for (gint64 i = 0; i < result->scalar_rows; i++)
    found += result->scalars[i];
  for (gint64 plane = 0; plane < image_info_planes (image_info (labels)); plane++) {
    double largest = 0;
    for (gint64 i = 0; i < ROWS * COLUMNS; i++)
      largest = MAX (largest, image_value (labels, plane, i / COLUMNS, i % COLUMNS));
    counted += largest;
  }
  g_assert_cmpfloat (found, ==, counted);
}

/* Whether it ran; not where the program that it needs is missing. */
static gboolean
segment (const char *step, Image *image, Device *device, Image **labels)
{
  CallResult result = {0};
  g_autoptr (GError) error = NULL;
  if (!run_step (step, image, NULL, device, &result, &error)) {
    if (strstr (error->message, "is not on this computer"))
      g_test_skip (error->message);
    else
      g_error ("%s", error->message);
    return FALSE;
  }
  *labels = image_ref (result.images[0]);
  assert_objects (&result, *labels);
  call_result_clear (&result);
  return TRUE;
}

/* Rounding moves a pixel at a threshold: so many may differ. */
static void
assert_labels (Image *labels, const char *package, gsize most)
{
  g_autofree char *name = g_strconcat (package, "_labels", NULL);
  gsize n, wrong = 0;
  g_autofree guint8 *expected = (guint8 *) load (name, &n);
  g_assert_cmpuint (n, ==, (gsize) image_info_planes (image_info (labels)) * ROWS * COLUMNS);
  for (gint64 i = 0; i < (gint64) n; i++)
    wrong += image_value (labels, i / COLUMNS / ROWS, i / COLUMNS % ROWS, i % COLUMNS) != expected[i];
  if (wrong > most)
    g_error ("%s: %zu pixels differ.", package, wrong);
}

static void
check_image (Image *image, const char *package, const char *more, gsize most, Device *device)
{
  g_autoptr (Image) whole = NULL, tiles = NULL;
  g_autofree char *step = step_of (package, more), *tiled = step_of (package, " tile=256");
  if (!segment (step, image, device, &whole))
    return;
  assert_labels (whole, package, most);
  g_assert_true (segment (tiled, image, device, &tiles));
  assert_images_equal (whole, tiles);
}

static void
check (const char *package, const char *more, gsize most, Device *device)
{
  g_autoptr (Image) image = load_image ();
  check_image (image, package, more, most, device);
}

static void
test_edges (Device *device)
{
  check ("edges", "", 0, device);
}

static void
test_average (Device *device)
{
  check ("average", "", 0, device);
}

static void
test_behind (Device *device)
{
  check ("behind", "", 0, device);
}

/* Channels that the network takes together. */
static void
test_colors (Device *device)
{
  g_autoptr (Image) image = load_planes ("colors", 3, DEPTH);
  check_image (image, "colors", "", 0, device);
}

static void
test_pairs (Device *device)
{
  g_autoptr (Image) image = load_planes ("colors", 2, DEPTH);
  check_image (image, "pairs", "", 0, device);
}

static void
assert_refused (const char *step, Device *device, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = load_image ();
  CallResult result = {0};
  g_assert_false (run_step (step, image, NULL, device, &result, &error));
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("%s", error->message);
}

static void
test_refused (Device *device)
{
  g_autofree char *sized = step_of ("edges", " diameter=20");
  assert_refused (sized, device, "*does not say for which sizes*resize*");
  g_autofree char *gray = step_of ("colors", "");
  assert_refused (gray, device, "*takes 3 channels together, and the image has 1*hyperstack channels=3*");
}

/* ---- Changed packages ---- */

/* A copy in that folder, in which a text of one file is another of any length; from NULL: the file is new, and is the text. */
static char *
changed (const char *folder, const char *package, const char *file, const char *from, const char *to)
{
  g_autofree char *source =
    g_strconcat (g_getenv ("FOVEA_SOURCE"), "/tests/kernels/network/data/packages/", package, ".zip", NULL);
  char *path = g_build_filename (folder, "changed.zip", NULL);
  struct archive *in = archive_read_new (), *out = archive_write_new ();
  struct archive_entry *entry;
  archive_read_support_format_zip (in);
  archive_write_set_format_zip (out);
  g_assert_cmpint (archive_read_open_filename (in, source, 1 << 16), ==, ARCHIVE_OK);
  g_assert_cmpint (archive_write_open_filename (out, path), ==, ARCHIVE_OK);
  while (archive_read_next_header (in, &entry) == ARCHIVE_OK) {
    g_autoptr (GString) bytes = g_string_new (NULL);
    char piece[4096];
    for (gssize n; (n = archive_read_data (in, piece, sizeof piece)) > 0;)
      g_string_append_len (bytes, piece, n);
    if (from && !strcmp (archive_entry_pathname (entry), file))
      g_assert_cmpuint (g_string_replace (bytes, from, to, 1), ==, 1);
    archive_entry_set_size (entry, (gint64) bytes->len);
    g_assert_cmpint (archive_write_header (out, entry), ==, ARCHIVE_OK);
    g_assert_cmpint (archive_write_data (out, bytes->str, bytes->len), ==, bytes->len);
  }
  if (!from) {
    entry = archive_entry_new ();
    archive_entry_set_pathname (entry, file);
    archive_entry_set_filetype (entry, AE_IFREG);
    archive_entry_set_perm (entry, 0600);
    archive_entry_set_size (entry, (gint64) strlen (to));
    g_assert_cmpint (archive_write_header (out, entry), ==, ARCHIVE_OK);
    archive_write_data (out, to, strlen (to));
    archive_entry_free (entry);
  }
  archive_read_free (in);
  archive_write_free (out);
  return path;
}

static void
test_changed (Device *device)
{
  static const struct {
    const char *package, *file, *from, *to, *says;
  } cases[] = {
    {"edges", "../outside", NULL, "x", "*'../outside' leads out of it*"},
    {"edges", "/outside", NULL, "x", "*leads out of it*"},
    {"edges", "rdf.yaml", "0.5.4", "0.3.6", "*format is 0.3.6*0.4 and 0.5*update-format*"},
    {"edges", "rdf.yaml", "\"format_version\"", "{", "*is not YAML: line*"},
    {"edges", "rdf.yaml", "\"onnx\"", "\"torchscript\"", "*no ONNX weights*add-weights*"},
    {"edges", "rdf.yaml", "\"weights.onnx\"", "\"other.onnx\"", "*does not have its file 'other.onnx'*"},
    {"edges", "rdf.yaml", "\"scale_range\"", "\"equalize\"", "*'equalize' is not known. Known are*scale_range*"},
    {"edges", "rdf.yaml", "99.8", "100.8", "*'scale_range' has percentiles*"},
    {"edges", "rdf.yaml", "\"in.npy\"", "\"out.npy\"", "*test input*SHA-256 differs. Download it again*"},
    {"edges", "in.npy", "NUMPY", "NUMPI", "*test input*SHA-256 differs*"},
    {"edges", "weights.onnx", "Sigmoid", "Sigmoit", "*network*SHA-256 differs*"},
    {"behind", "rdf.yaml", "0.4.10", "0.5.4", "*input*axes*"},
    {"behind", "in.npy", "NUMPY", "NUMPI", "*test input*damaged*"},
    {"behind", "rdf.yaml", "\"byxc\"", "\"bzxc\"", "*axes 'bzxc'*rows (y)*"},
    {"behind", "rdf.yaml", "\"byxc\"", "\"cyxc\"", "*axes 'cyxc'*each once*"},
    {"behind", "rdf.yaml", "96,", "80,", "*sizes do not fit*"},
    {"colors", "rdf.yaml", "-0.25,\n", "", "*'scale_linear' needs one number, or one for each channel*"},
    {"colors", "rdf.yaml", "\"scale_linear\"", "\"fixed_zero_mean_unit_variance\"",
     "*has no mean, or no standard deviation*"},
    {"colors", "rdf.yaml", "0.5\n      ],\n      \"offset\": [\n       -0.25,", "], \"offset\": [",
     "*takes 3 channels*has numbers for 2.*"},
    {"colors", "rdf.yaml", "\"preprocessing\": [",
     "\"preprocessing\": [{\"id\": \"scale_range\", \"kwargs\": {\"axes\": [\"y\", \"x\"]}},",
     "*of each channel and then one of all*Possible*"},
    {"pairs", "rdf.yaml", "\"scale_range\",\n     \"kwargs\": {\n      \"mode\": \"per_sample\",",
     "\"zero_mean_unit_variance\", \"kwargs\": {\"mean\": [300, 200], \"std\": [100, 0],",
     "*has no mean, or no standard deviation*"},
  };
  g_autofree char *folder = g_dir_make_tmp (NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = changed (folder, cases[i].package, cases[i].file, cases[i].from, cases[i].to),
                    *step = g_strconcat ("segment model='", path, "'", NULL);
    assert_refused (step, device, cases[i].says);
    g_unlink (path);
  }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/packages/edges", test_edges);
  add_device_test ("/packages/average", test_average);
  add_device_test ("/packages/behind", test_behind);
  add_device_test ("/packages/colors", test_colors);
  add_device_test ("/packages/pairs", test_pairs);
  add_device_test ("/packages/refused", test_refused);
  add_device_test ("/packages/changed", test_changed);
  return g_test_run ();
}
