/* SPDX-License-Identifier: MIT
 *
 * Files of selections: those that ImageJ and roifile wrote, and our own read back.
 */
#include "tests/core/selection/selection_files_support.h"

#include <locale.h>
#include <time.h>

static char **
lines_of (const char *name)
{
  g_autofree char *path = kept (name), *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_strsplit (g_strchomp (text), "\n", -1);
}

/* ---- Files of others ---- */

/* Floats of ImageJ; "?()" has none. */
static void
check_near (const Selection *selection, const char *expected)
{
  if (!strcmp (expected, "?()"))
    return;
  g_autoptr (Selection) other = selection_of (expected);
  g_assert_cmpint (selection->shape, ==, other->shape);
  g_assert_cmpuint (selection->n_points, ==, other->n_points);
  for (guint i = 0; i < other->n_points; i++) {
    g_assert_cmpfloat_with_epsilon (selection->points[i].x, other->points[i].x, 2e-5);
    g_assert_cmpfloat_with_epsilon (selection->points[i].y, other->points[i].y, 2e-5);
  }
}

static void
test_imagej (void)
{
  g_auto (GStrv) lines = lines_of ("imagej.txt");
  guint n = 0;
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", 3);
    g_autofree char *name = NULL, *path = NULL;
    g_autoptr (GPtrArray) selections = NULL;
    GError *error = NULL;
    const Selection *selection;
    if (!words[0] || strcmp (words[0], "file"))
      continue;
    n++;
    name = g_strdup_printf ("imagej-%s.roi", words[1]);
    path = kept (name);
    selections = selections_read (path, NULL, &error);
    if (!strchr (words[2], '(')) {
      check_error (error, FILE_ERROR_DAMAGED, path, words[2]);
      continue;
    }
    g_assert_no_error (error);
    g_assert_cmpuint (selections->len, ==, 1);
    selection = selections->pdata[0];
    check_near (selection, words[2]);
    g_assert_cmpstr (selection->name, ==, words[1]);
    g_assert_cmpint (selection->channel, ==, strcmp (words[1], "positioned") ? -1 : 1);
    g_assert_cmpint (selection->slice, ==, strcmp (words[1], "positioned") ? -1 : 2);
    g_assert_cmpint (selection->frame, ==, strcmp (words[1], "positioned") ? -1 : 3);
  }
  g_assert_cmpuint (n, ==, 35);
}

static Selection *
read_imagej (const char *name, char **left_out)
{
  g_autofree char *file = g_strdup_printf ("imagej-%s.roi", name), *path = kept (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) selections = selections_read (path, left_out, &error);
  g_assert_no_error (error);
  return selection_copy (selections->pdata[0]);
}

/* rows: of a picture of the pixels that it has. */
static void
check_pixels (const Selection *selection, char **rows, gint64 width, gint64 height)
{
  g_autoptr (Image) mask = selection_mask (selection, width, height);
  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      if (image_value (mask, 0, y, x) != (rows[y][x] == '#' ? 255 : 0)
          || selection_contains (selection, x, y) != (rows[y][x] == '#'))
        g_error ("%s differs at %d, %d", selection->name, (int) x, (int) y);
}

/* Areas have ImageJ's pixels: holes, parts, corners and splines. Paths have its lengths and angles. */
static void
test_imagej_pixels (void)
{
  g_auto (GStrv) lines = lines_of ("imagej.txt");
  guint areas = 0, paths = 0;
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
    const gboolean area = words[0] && !strcmp (words[0], "pixels"), path = words[0] && !strcmp (words[0], "path");
    g_autoptr (Selection) selection = area || path ? read_imagej (words[1], NULL) : NULL;
    areas += area;
    paths += path;
    if (area)
      check_pixels (selection, lines + i + 1, atoi (words[2]), atoi (words[3]));
    else if (path && words[4])
      g_assert_cmpfloat_with_epsilon (selection_angle (selection, 0.5, 2), g_ascii_strtod (words[4], NULL), 1e-4);
    if (path) {
      g_assert_cmpfloat_with_epsilon (selection_length (selection, 1, 1), g_ascii_strtod (words[2], NULL), 1e-5);
      g_assert_cmpfloat_with_epsilon (selection_length (selection, 0.5, 2), g_ascii_strtod (words[3], NULL), 1e-5);
    }
  }
  g_assert_cmpuint (areas, ==, 11);
  g_assert_cmpuint (paths, ==, 5);
}

/* What cannot be carried is named, and what can be is there. */
static void
test_imagej_style (void)
{
  static const char *const lost[][2] = {{"arrow", "loses its arrow head."},
                                        {"spline", "loses its control points of the spline."},
                                        {"styled", "loses its group, properties."},
                                        {"ring", NULL},
                                        {"curves", "loses its curves (now short lines)."}};
  for (guint i = 0; i < G_N_ELEMENTS (lost); i++) {
    g_autofree char *left_out = NULL;
    g_autoptr (Selection) selection = read_imagej (lost[i][0], &left_out);
    if (lost[i][1])
      g_assert_true (left_out && g_str_has_suffix (left_out, lost[i][1]) && strstr (left_out, lost[i][0]));
    else
      g_assert_null (left_out);
  }
  g_autoptr (Selection) styled = read_imagej ("styled", NULL), copy = selection_copy (styled);
  g_assert_cmpfloat (copy->stroke, ==, 2.5);
  g_assert_cmphex (copy->stroke_color, ==, 0xffff8000);
  g_assert_cmphex (copy->fill, ==, 0x7f0040ff);
}

static void
test_roifile (void)
{
  /* What unzip lists; a selection without a name has that of its file. */
  static const char *const entries[] = {"rectangle", "oval",   "polygon", "fractions", "freehand", "traced", "far",
                                        "line",      "points", "many",    "polyline",  "freeline", "angle"};
  g_auto (GStrv) lines = lines_of ("roifile.txt");
  for (guint i = 1; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", 7);
    g_autofree char *path = kept (words[0]);
    g_autoptr (GPtrArray) selections = read_file (path);
    const Selection *selection = selections->pdata[atoi (words[1])];
    check_text (selection, words[2]);
    g_assert_cmpint (selection->channel, ==, atoi (words[3]));
    g_assert_cmpint (selection->slice, ==, atoi (words[4]));
    g_assert_cmpint (selection->frame, ==, atoi (words[5]));
    g_autofree char *stem = g_strndup (words[0], strlen (words[0]) - strlen (".roi"));
    const gboolean zip = g_str_has_suffix (words[0], ".zip");
    g_assert_cmpstr (selection->name, ==, words[6] ? words[6] : zip ? entries[atoi (words[1])] : stem);
  }
  g_assert_cmpuint (g_strv_length (lines), ==, 27);
}

/* ---- Our own ---- */

static const char *const texts[] = {
  "rectangle(3,4,10,20)",
  "rectangle(-3,4.5,10,20)",
  "oval(0,0,1,1)",
  "oval(40000,0.25,17,1)",
  "rectangle(40000,10,60,20)",
  "polygon(40000,10,40060,10,65535,30)",
  "polygon(3,2,20,5,11,17)",
  "polygon(3.5,2,20,5,11,-17)",
  "polygon(3.5,2,20,5,11,17)",
  "polygon(3,2,20,5,11,17.5)",
  "polygon(3,40000,20,5,11,17)",
  "freehand(0,0,32767,0,5,5)",
  "freehand(0,0,32768,0,5,5)",
  "traced(1,1,2,1,2,2,1,2)",
  "line(1.5,2.5,0.375,4)",
  "point(0.5,0.5)",
  "point(0.5,0.5,1.75,-2)",
  "polyline(0.5,0.5,1.75,-2)",
  "polyline(0.5,0.5,7.5,2.5,7.5,9.5,1.5,3.5)",
  "freeline(0.5,0.5,1.75,-2,9,8)",
  "angle(0.5,0.5,1.75,-2,9,8)",
  "composite(0,0,9,0,9,9,0,9,0,0,2,2,4,2.5,4,4,2,2)",
  "composite(-3,0.25,9,0,9,9,-3,0.25)",
};

static GPtrArray *
all_shapes (void)
{
  GPtrArray *selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    Selection *selection = selection_of (texts[i]);
    selection->name = g_strdup (i % 3 == 0 ? NULL : i % 3 == 1 ? "a/b: µ" : "𝛼");
    selection->channel = i % 2 ? (gint64) i : -1;
    selection->slice = i % 5 ? 100000 : -1;
    selection->frame = i % 7 ? (gint64) i : -1;
    g_ptr_array_add (selections, selection);
  }
  return selections;
}

/* back: as it was read; file: what one without a name is called after, less a number behind it. */
static void
check_same (const Selection *back, const Selection *saved, const char *file)
{
  const Selection *a = back, *b = saved;
  assert_same_points (a, b);
  if (b->name)
    g_assert_cmpstr (a->name, ==, b->name);
  else
    g_assert_true (g_str_has_prefix (a->name, file));
  g_assert_cmpint (a->channel, ==, b->channel);
  g_assert_cmpint (a->slice, ==, b->slice);
  g_assert_cmpint (a->frame, ==, b->frame);
}

static void
check_round_trip (GPtrArray *selections, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) back = NULL;
  g_autofree char *file = g_path_get_basename (path);
  const gboolean is_roi = g_str_has_suffix (file, ".roi");
  file[strlen (file) - 4] = 0;
  selections_write (selections, path, &error);
  g_assert_no_error (error);
  back = read_file (path);
  g_assert_cmpuint (back->len, ==, selections->len);
  for (guint i = 0; i < back->len; i++)
    check_same (back->pdata[i], selections->pdata[i],
                is_roi ? file : selection_shape_name (((Selection *) back->pdata[i])->shape));
}

static void
test_round_trip (void)
{
  g_autoptr (GPtrArray) selections = all_shapes ();
  g_autofree char *zip = scratch ("all.ZIP"), *roi = scratch ("one.roi");
  check_round_trip (selections, zip);
  for (guint i = 0; i < selections->len; i++) {
    g_autoptr (GPtrArray) one = g_ptr_array_new ();
    g_ptr_array_add (one, selections->pdata[i]);
    check_round_trip (one, roi);
  }
  g_assert_cmpuint (sweep (), ==, 2);
}

static void
test_round_trip_locale (void)
{
  if (!setlocale (LC_ALL, "de_DE.UTF-8"))
    g_test_skip ("the German locale is missing");
  else
    test_round_trip ();
  setlocale (LC_ALL, "C");
}

/* Whole numbers are written byte by byte as ImageJ writes them, and as little of them. */
static void
test_bytes_of_imagej (void)
{
  static const char *const names[] = {"rectangle", "positioned", "polygon", "traced", "freehand",    "line",
                                      "polyline",  "freeline",   "angle",   "round",  "small-round", "composite"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = g_strdup_printf ("imagej-%s.roi", names[i]), *path = kept (name), *written = scratch (name);
    g_autofree char *expected = NULL, *bytes = NULL;
    g_autoptr (GPtrArray) selections = read_file (path);
    gsize n, m;
    g_assert_true (selections_write (selections, written, NULL));
    g_assert_true (g_file_get_contents (path, &expected, &n, NULL) && g_file_get_contents (written, &bytes, &m, NULL));
    g_assert_cmpmem (bytes, m, expected, n);
  }
  g_assert_cmpuint (sweep (), ==, G_N_ELEMENTS (names));
}

static float
float_at (const char *bytes, gsize at)
{
  guint32 bits;
  float value;
  memcpy (&bits, bytes + at, 4);
  bits = GUINT32_FROM_BE (bits);
  memcpy (&value, &bits, 4);
  return value;
}

/* A selection of ImageJ that is read, written and read again: the same, with the same type and subtype in the header. */
static char *
written_again (const char *name, gsize *size)
{
  g_autofree char *file = g_strdup_printf ("imagej-%s.roi", name), *path = kept (file), *written = scratch (file);
  g_autofree char *expected = NULL;
  g_autoptr (GPtrArray) selections = read_file (path), back = NULL;
  const Selection *a = selections->pdata[0], *b;
  char *bytes;
  g_assert_true (selections_write (selections, written, NULL));
  back = read_file (written);
  b = back->pdata[0];
  g_assert_cmpint (a->shape, ==, b->shape);
  g_assert_cmpuint (a->n_points, ==, b->n_points);
  for (guint i = 0; i < a->n_points; i++) {
    g_assert_cmpfloat_with_epsilon (a->points[i].x, b->points[i].x, 1e-5);
    g_assert_cmpfloat_with_epsilon (a->points[i].y, b->points[i].y, 1e-5);
  }
  g_assert_cmpfloat (a->stroke, ==, b->stroke);
  g_assert_true (a->stroke_color == b->stroke_color && a->fill == b->fill);
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL)
                 && g_file_get_contents (written, &bytes, size, NULL));
  g_assert_cmpint (bytes[6], ==, expected[6]);
  g_assert_cmpint (bytes[49], ==, expected[49]);
  for (gsize at = 18; at < 34 && (expected[49] == 3 || expected[49] == 5); at += 4)
    g_assert_cmpfloat_with_epsilon (float_at (bytes, at), float_at (expected, at), 1e-5);
  return bytes;
}

static void
test_kinds_of_imagej (void)
{
  static const char *const names[] = {"rotated",       "upright",    "level",  "ellipse",
                                      "flat",          "fine-round", "ring",   "fine-polyline",
                                      "fine-freeline", "fine-angle", "styled", "fine-points"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gsize n;
    g_free (written_again (names[i], &n));
  }
  g_assert_cmpuint (sweep (), ==, G_N_ELEMENTS (names));
}

/* Type and subtype that a file has of a shape whose points were moved; *diameter: of its corners. */
static guint
kind_of_moved (const char *name, double xx, double xy, double yx, double yy, int *diameter)
{
  g_autoptr (Selection) s = read_imagej (name, NULL);
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autofree char *path = scratch ("moved.roi"), *bytes = NULL;
  for (guint i = 0; i < s->n_points; i++) {
    const SelectionPoint p = s->points[i];
    s->points[i] = (SelectionPoint){100 + xx * p.x + xy * p.y, 100 + yx * p.x + yy * p.y};
  }
  g_ptr_array_add (one, s);
  g_assert_true (selections_write (one, path, NULL));
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  *diameter = bytes[55];
  return (guint) bytes[6] << 8 | (guint) bytes[49];
}

/* Flipped, turned and twice as large a shape is one still; sheared or stretched along one axis it is a polygon. */
static void
test_moved_kinds (void)
{
  static const struct {
    const char *name;
    guint kind, deformed;
  } cases[] = {{"rotated", 7 << 8 | 5, 7 << 8}, {"ellipse", 7 << 8 | 3, 7 << 8}, {"round", 1 << 8, 0}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gboolean round = i == 2;
    int diameter;
    g_assert_cmphex (kind_of_moved (cases[i].name, -1, 0, 0, 1, &diameter), ==, cases[i].kind);
    g_assert_true (!round || diameter == 6);
    g_assert_cmphex (kind_of_moved (cases[i].name, 0, 2, 2, 0, &diameter), ==, cases[i].kind);
    g_assert_true (!round || diameter == 12);
    g_assert_cmphex (kind_of_moved (cases[i].name, 0, -1, 1, 0, &diameter), ==, cases[i].kind);
    g_assert_cmphex (kind_of_moved (cases[i].name, 3, 0, 0, 1, &diameter), ==, cases[i].deformed);
    g_assert_cmphex (kind_of_moved (cases[i].name, 1, 0.5, 0, 1, &diameter), ==, cases[i].deformed);
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

/* Seconds of this process for saving so many selections of one name. */
static double
seconds_to_save (guint n, const char *path)
{
  g_autoptr (GPtrArray) selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  for (guint i = 0; i < n; i++) {
    Selection *selection = selection_of ("point(0.5,0.5)");
    selection->name = g_strdup ("spot");
    g_ptr_array_add (selections, selection);
  }
  const clock_t start = clock ();
  g_assert_true (selections_write (selections, path, NULL));
  return (double) (clock () - start) / CLOCKS_PER_SEC;
}

/* Ten times as many take about ten times as long, and are all there. */
static void
test_many_of_one_name (void)
{
  g_autofree char *path = scratch ("spots.zip");
  const double few = seconds_to_save (2000, path), many = seconds_to_save (20000, path);
  g_autoptr (GPtrArray) back = read_file (path);
  g_assert_cmpuint (back->len, ==, 20000);
  g_assert_cmpfloat (many, <, 30 * few + 0.5);
  g_assert_cmpuint (sweep (), ==, 1);
}

/* More points than 16 bits count. */
static void
test_many_points (void)
{
  const guint n = 70000;
  g_autofree SelectionPoint *points = g_new (SelectionPoint, n);
  g_autoptr (GPtrArray) selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_autofree char *path = scratch ("many.roi");
  for (guint i = 0; i < n; i++)
    points[i] = (SelectionPoint){i % 300, i / 300};
  g_ptr_array_add (selections, selection_new (SELECTION_TRACED, n, points));
  check_round_trip (selections, path);
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
check_cannot_write (GPtrArray *selections, const char *name, const char *text)
{
  g_autofree char *path = scratch (name);
  GError *error = NULL;
  g_assert_false (selections_write (selections, path, &error));
  check_error (error, FILE_ERROR_WRITE, path, text);
  g_assert_cmpuint (sweep (), ==, 0);
}

static void
test_cannot_write (void)
{
  g_autoptr (GPtrArray) selections = all_shapes (), none = g_ptr_array_new ();
  check_cannot_write (selections, "a.roi", "one selection, not 23; save them as .zip");
  check_cannot_write (none, "a.roi", "one selection, not 0");
  check_cannot_write (selections, "a.txt", "does not end in .roi");
  check_cannot_write (selections, "none/a.zip", "does not exist");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/selection/files/imagej", test_imagej);
  g_test_add_func ("/selection/files/imagej-pixels", test_imagej_pixels);
  g_test_add_func ("/selection/files/imagej-style", test_imagej_style);
  g_test_add_func ("/selection/files/roifile", test_roifile);
  g_test_add_func ("/selection/files/round-trip", test_round_trip);
  g_test_add_func ("/selection/files/round-trip-locale", test_round_trip_locale);
  g_test_add_func ("/selection/files/bytes-of-imagej", test_bytes_of_imagej);
  g_test_add_func ("/selection/files/kinds-of-imagej", test_kinds_of_imagej);
  g_test_add_func ("/selection/files/moved-kinds", test_moved_kinds);
  g_test_add_func ("/selection/files/many-of-one-name", test_many_of_one_name);
  g_test_add_func ("/selection/files/many-points", test_many_points);
  g_test_add_func ("/selection/files/cannot-write", test_cannot_write);
  return run_files_tests ();
}
