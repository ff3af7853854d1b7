/* SPDX-License-Identifier: MIT
 *
 * Files of selections: those that ImageJ and roifile wrote, our own read back, and damaged ones.
 */
#include "core/base/file_error.h"
#include "tests/core/files/files_support.h"
#include "tests/core/selection/selection_support.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <time.h>

static char *
kept (const char *name)
{
  g_autofree char *path = g_strdup_printf ("tests/core/selection/data/%s", name);
  return source_path (path);
}

static GPtrArray *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *selections = selections_read (path, NULL, &error);
  g_assert_no_error (error);
  return selections;
}

static char **
lines_of (const char *name)
{
  g_autofree char *path = kept (name), *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_strsplit (g_strchomp (text), "\n", -1);
}

static void
check_text (const Selection *selection, const char *expected)
{
  g_autofree char *text = selection_format (selection);
  g_assert_cmpstr (text, ==, expected);
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

static void
add_entry (struct archive *archive, const char *name, gconstpointer bytes, gsize n)
{
  struct archive_entry *entry = archive_entry_new ();
  archive_entry_set_pathname_utf8 (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_size (entry, (la_int64_t) n);
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  g_assert_cmpint (archive_write_data (archive, bytes, n), ==, (la_ssize_t) n);
  archive_entry_free (entry);
}

/* A header of 64 bytes has no name: ImageJ's list then shows the name of the file. A name in the header comes first. */
static void
test_names_of_entries (void)
{
  static const char *const names[][2] = {
    {"nucleus 7.roi", "nucleus 7"}, {"cells/nucleus 8.ROI", "nucleus 8"}, {".roi", NULL}, {"other.roi", "rectangle"}};
  g_autofree char *path = scratch ("names.zip"), *full = NULL, *file = kept ("imagej-rectangle.roi");
  g_autoptr (GPtrArray) selections = NULL;
  struct archive *archive = archive_write_new ();
  gsize n;
  g_assert_true (g_file_get_contents (file, &full, &n, NULL));
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_entry (archive, names[3][0], full, n);
  memset (full + 60, 0, 4); /* no second header */
  for (guint i = 0; i < 3; i++)
    add_entry (archive, names[i][0], full, 64);
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  selections = read_file (path);
  g_assert_cmpuint (selections->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpstr (((const Selection *) selections->pdata[i])->name, ==, names[(i + 3) % 4][1]);
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
check_cannot_read (const char *path, int code, const char *text)
{
  GError *error = NULL;
  g_assert_null (selections_read (path, NULL, &error));
  check_error (error, code, path, text);
}

static void
add_file (struct archive *archive, const char *name, const char *from)
{
  g_autofree char *path = kept (from), *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  add_entry (archive, name, bytes, n);
}

/* Unsupported selections do not prevent the rest from being opened, and are named; files that are not selections are not. */
static void
test_strange_entries (void)
{
  g_autofree char *path = scratch ("mixed.zip"), *left_out = NULL;
  g_autoptr (GPtrArray) selections = NULL;
  g_autoptr (GError) error = NULL;
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_file (archive, "first.roi", "imagej-rectangle.roi");
  add_file (archive, "two parts.roi", "imagej-composite.roi");
  add_entry (archive, "__MACOSX/._first.roi", "\0\5\x16\7", 4);
  add_entry (archive, "notes.txt", "nothing", 7);
  add_file (archive, "title.roi", "imagej-text.roi");
  add_file (archive, "arrow.roi", "imagej-arrow.roi");
  add_file (archive, "last.roi", "imagej-polygon.roi");
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  selections = selections_read (path, &left_out, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (selections->len, ==, 4);
  g_assert_cmpint (((const Selection *) selections->pdata[1])->shape, ==, SELECTION_COMPOSITE);
  g_assert_cmpint (((const Selection *) selections->pdata[3])->shape, ==, SELECTION_POLYGON);
  g_assert_nonnull (strstr (left_out, "1 of the 5 selections"));
  g_assert_nonnull (strstr (left_out, "1 of the selections of"));
  g_assert_nonnull (strstr (left_out, "'arrow.roi' in it loses its arrow head."));
  g_assert_nonnull (strstr (left_out, "'title.roi' in it is a text"));
  g_assert_null (strstr (left_out, "MACOSX"));
  g_assert_cmpuint (sweep (), ==, 1);
}

/* Of none of them one can be shown. */
static void
test_only_strange_entries (void)
{
  g_autofree char *path = scratch ("strange.zip");
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_file (archive, "title.roi", "imagej-text.roi");
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  check_cannot_read (path, FILE_ERROR_DAMAGED, "'title.roi' in it is a text");
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

/* ---- Damaged files ---- */

/* Reads the bytes as a file; any bytes give selections, or an error that names the file. */
static gboolean
read_bytes (const guint8 *bytes, gsize n, GError **error)
{
  g_autofree char *path = scratch ("damaged.roi");
  g_autoptr (GPtrArray) selections = NULL;
  g_autoptr (GError) fault = NULL;
  g_assert_true (
    g_file_set_contents_full (path, (const char *) bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0666, NULL));
  selections = selections_read (path, NULL, &fault);
  g_assert_true (!selections == !!fault);
  if (fault && (!strstr (fault->message, path) || !g_str_has_suffix (fault->message, ".")))
    g_error ("not a good error: %s", fault->message);
  for (guint i = 0; selections && i < selections->len; i++)
    g_free (selection_format (selections->pdata[i]));
  if (fault)
    g_propagate_error (error, g_steal_pointer (&fault));
  return selections != NULL;
}

/* Each file of the folder cut off at each length, and with bytes that are something else. */
static void
test_damaged (void)
{
  g_autofree char *path = kept ("");
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (const char *name; (name = g_dir_read_name (dir));) {
    g_autofree char *file = kept (name), *bytes = NULL;
    gsize n;
    if (!g_str_has_suffix (name, ".roi") && !g_str_has_suffix (name, ".zip"))
      continue;
    g_file_get_contents (file, &bytes, &n, NULL);
    for (gsize length = 0; length<n; length += n> 1000 ? 13 : 1)
      read_bytes ((guint8 *) bytes, length, NULL);
    for (guint i = 0; i < 300; i++) {
      g_autofree guint8 *changed = g_memdup2 (bytes, n);
      for (guint k = 0; k < 1 + i % 3; k++)
        changed[g_rand_int_range (rand, 0, (gint32) MIN (n, i % 2 ? 72 : n))] = (guint8) g_rand_int (rand);
      read_bytes (changed, n, NULL);
    }
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
check_changed (const char *name, gsize at, const char *hex, const char *text)
{
  g_autofree char *file = kept (name), *bytes = NULL, *path = scratch ("damaged.roi");
  GError *error = NULL;
  gsize n;
  g_file_get_contents (file, &bytes, &n, NULL);
  for (; hex[0]; hex += 2)
    bytes[at++] = (char) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));
  g_assert_false (read_bytes ((guint8 *) bytes, n, &error));
  check_error (error, FILE_ERROR_DAMAGED, path, text);
}

static void
test_wild_numbers (void)
{
  check_changed ("imagej-polygon.roi", 0, "00", "does not begin with 'Iout'");
  check_changed ("imagej-polygon.roi", 6, "0b", "selection type 11 does not exist");
  check_changed ("imagej-polygon.roi", 16, "ffff", "ends before its 65535 points");
  check_changed ("imagej-polygon.roi", 16, "0000ffffffff", "ends before its 4294967295 points");
  check_changed ("imagej-polygon.roi", 16, "000000000000", "too few points (0)");
  check_changed ("imagej-polygon.roi", 16, "0002", "too few points (2)");
  check_changed ("imagej-freehand.roi", 16, "0020", "ends before its 32 points");
  check_changed ("imagej-freehand.roi", 76, "7fc00000", "not numbers");
  check_changed ("imagej-line.roi", 18, "7f800000", "not numbers");
  check_changed ("imagej-rectangle.roi", 8, "0100", "width and height");
  check_changed ("imagej-fractions.roi", 26, "ffffffff", "not numbers");
  check_changed ("imagej-fractions.roi", 26, "c0000000", "width and height");
  check_changed ("roifile.zip", 0, "00", "does not begin with 'Iout'");
  check_changed ("imagej-composite.roi", 36, "00ffffff", "ends before its path does");
  check_changed ("imagej-composite.roi", 36, "0000000b", "its path is cut off");
  check_changed ("imagej-composite.roi", 36, "0000000c", "a composite with lines");
  check_changed ("imagej-composite.roi", 36, "00000006", "a composite with lines");
  check_changed ("imagej-composite.roi", 36, "00000003", "too few points");
  check_changed ("imagej-composite.roi", 64, "40a00000", "unknown command");
  check_changed ("imagej-composite.roi", 64, "3f000000", "unknown command");
  check_changed ("imagej-composite.roi", 68, "7f800000", "not numbers");
  check_changed ("imagej-ellipse.roi", 52, "7fc00000", "not numbers");
  check_changed ("imagej-polyline.roi", 16, "0001", "too few points (1)");
  check_changed ("imagej-angle.roi", 16, "0002", "too few points (2)");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* A truncated second header has what remains of it; without one the position is that of the first. */
static void
test_short_headers (void)
{
  static const struct {
    gsize n;
    guint8 second; /* at its declared offset */
    gint32 position;
    gint64 channel, slice, frame;
    const char *name;
  } cases[] = {
    {158, 80, 7, 1, 2, 3, "polygon"}, {157, 80, 7, 1, 2, 3, "short"},   {104, 80, 7, 1, 2, 3, "short"},
    {103, 80, 7, -1, 6, -1, "short"}, {80, 80, 7, -1, 6, -1, "short"},  {158, 63, 7, -1, 6, -1, "short"},
    {158, 0, 1, -1, 0, -1, "short"},  {158, 0, 0, -1, -1, -1, "short"}, {158, 0, -7, -1, -1, -1, "short"},
  };
  g_autofree char *file = kept ("roifile-polygon.roi"), *path = scratch ("short.roi"), *bytes = NULL;
  g_assert_true (g_file_get_contents (file, &bytes, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gint32 position = GINT32_TO_BE (cases[i].position);
    g_autoptr (GPtrArray) selections = NULL;
    const Selection *selection;
    memcpy (bytes + 56, &position, sizeof position);
    bytes[63] = (char) cases[i].second;
    g_assert_true (g_file_set_contents (path, bytes, (gssize) cases[i].n, NULL));
    selections = read_file (path);
    selection = selections->pdata[0];
    check_text (selection, "polygon(3,2,20,5,11,17,4,9)");
    g_assert_cmpint (selection->channel, ==, cases[i].channel);
    g_assert_cmpint (selection->slice, ==, cases[i].slice);
    g_assert_cmpint (selection->frame, ==, cases[i].frame);
    g_assert_cmpstr (selection->name, ==, cases[i].name);
  }
  g_assert_cmpuint (sweep (), ==, 1);
}

static void
test_cannot_read (void)
{
  g_autofree char *missing = scratch ("none.roi"), *empty = scratch ("empty.roi"), *zip = scratch ("empty.zip");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  check_cannot_read (missing, FILE_ERROR_OPEN, "does not exist");
  check_cannot_read (folder, FILE_ERROR_OPEN, "not a regular file");
  g_file_set_contents (empty, "", 0, NULL);
  check_cannot_read (empty, FILE_ERROR_DAMAGED, "does not begin with 'Iout'");
  g_assert_true (selections_write (none, zip, NULL));
  check_cannot_read (zip, FILE_ERROR_FORMAT, "contains no selections");
  g_assert_cmpuint (sweep (), ==, 2);
}

/* A little file that unpacks to more than any selection has. */
static void
test_zip_bomb (void)
{
  g_autofree char *path = scratch ("bomb.zip"), *zeros = g_malloc0 (17 << 20);
  struct archive *archive = archive_write_new ();
  archive_write_set_format_zip (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  add_entry (archive, "zeros.roi", zeros, 17 << 20);
  g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
  check_cannot_read (path, FILE_ERROR_DAMAGED, "'zeros.roi' in it cannot be read: it is larger than 16 MB");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* ---- GeoJSON ---- */

static GPtrArray *
read_geojson (const char *text, char **left_out)
{
  g_autofree char *path = g_build_filename (folder, "in.geojson", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  GPtrArray *selections = selections_read (path, left_out, &error);
  g_assert_no_error (error);
  return selections;
}

/* As QuPath writes it: an annotation on a plane, a detection with a hole, parts, an ellipse, points and a line. */
static void
test_geojson_of_qupath (void)
{
  static const char text[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":\"7c\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[9,2],[9,7.5],[1,7."
    "5],[1,2]]],"
    "\"plane\":{\"c\":-1,\"z\":2,\"t\":0}},\"properties\":{\"objectType\":\"annotation\",\"name\":\"tumor\",\"color\":["
    "200,0,16]}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,0],[5,9],[0,0]],[[4,2],[6,2],"
    "[5,4],[4,2]]]},"
    "\"properties\":{\"objectType\":\"detection\"}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[3,0],[0,3],[0,0]]],[[[5,5]"
    ",[8,5],[5,8],[5,5]]]]}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"isEllipse\":true,\"coordinates\":[[[10,5],[5,9],[0,5],["
    "5,1],[10,5]]]}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[[1.5,2.5],[3,4]]}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,1],[2,0]]}},"
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[]},\"properties\":{\"name\":"
    "\"odd\"}}]}";
  static const char *const expected[] = {"rectangle(1,2,8,5.5)",
                                         "composite(0,0,10,0,5,9,0,0,4,2,6,2,5,4,4,2)",
                                         "composite(0,0,3,0,0,3,0,0,5,5,8,5,5,8,5,5)",
                                         "oval(0,1,10,8)",
                                         "point(1.5,2.5,3,4)",
                                         "polyline(0,0,1,1,2,0)"};
  g_autofree char *left_out = NULL;
  g_autoptr (GPtrArray) selections = read_geojson (text, &left_out);
  g_assert_cmpuint (selections->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < selections->len; i++)
    check_text (selections->pdata[i], expected[i]);
  const Selection *first = selections->pdata[0];
  g_assert_cmpstr (first->name, ==, "tumor");
  g_assert_cmpint (first->channel, ==, -1);
  g_assert_cmpint (first->slice, ==, 2);
  g_assert_cmphex (first->stroke_color, ==, 0xffc80010u);
  g_assert_nonnull (strstr (left_out, "1 of the 7 selections of "));
  g_assert_nonnull (strstr (left_out, "'odd' in it has a geometry other than points, lines and polygons."));
  g_autoptr (GPtrArray) alone = read_geojson ("\r\n [{\"type\": \"Point\", \"coordinates\": [3, 4]}]", NULL);
  check_text (alone->pdata[0], "point(3,4)");
}

/* A pixel is selected as before: a ring with an island in its hole, two parts, an oval. Rectangles, ovals, points and lines come back as they were. */
static void
test_geojson_round_trip (void)
{
  static const char *const texts[] = {
    "rectangle(1,2,30,20)",
    "oval(3,4,31.5,22)",
    "polygon(1,1,30,3,14,28)",
    "traced(2,2,9,2,9,7,4,7,4,9,2,9)",
    "line(1,2,3,4.25)",
    "point(1,2,3,4)",
    "point(5,6)",
    "polyline(1,2,3,4,5,1)",
    "angle(1,2,3,4,5,1)",
    "composite(20,20,22,20,22,22,20,22,20,20,15,15,30,15,30,30,15,30,15,15,1,1,35,1,35,35,1,35,1,1)",
    "composite(1,1,5,1,5,5,1,5,1,1,10,10,20,10,20,20,10,20,10,10,12,12,15,12,15,15,12,15,12,12)"};
  static const char *const back[] = {"rectangle(", "oval(",     "polygon(",  "polygon(",   "line(",     "point(",
                                     "point(",     "polyline(", "polyline(", "composite(", "composite("};
  g_autoptr (GPtrArray) selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_autofree char *path = g_build_filename (folder, "out.geojson", NULL);
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    Selection *selection = selection_of (texts[i]);
    selection->name = g_strdup (i ? "\"ß\" \\ \n" : "one");
    selection->frame = i;
    g_ptr_array_add (selections, selection);
  }
  g_assert_true (selections_write (selections, path, &error));
  g_assert_no_error (error);
  g_autoptr (GPtrArray) again = read_file (path);
  g_assert_cmpuint (again->len, ==, selections->len);
  for (guint i = 0; i < again->len; i++) {
    const Selection *a = selections->pdata[i], *b = again->pdata[i];
    g_autofree char *text = selection_format (b);
    g_assert_true (g_str_has_prefix (text, back[i]));
    g_assert_cmpstr (a->name, ==, b->name);
    g_assert_cmpint (a->frame, ==, b->frame);
    if (!selection_is_area (a))
      continue;
    g_autoptr (Image) one = selection_mask (a, 40, 40), other = selection_mask (b, 40, 40);
    g_assert_cmpmem (image_pixels (one), 1600, image_pixels (other), 1600);
  }
  g_autofree char *json = NULL;
  g_assert_true (g_file_get_contents (path, &json, NULL, NULL));
  /* the island is a polygon of its own, the hole belongs to the ring */
  g_assert_nonnull (strstr (json, "[[[[20,20],[22,20],[22,22],[20,22],[20,20]]],[[[1,1],[35,1],[35,35],[1,35],[1,1]],[["
                                  "15,15],[30,15],[30,30],[15,30],[15,15]]]]"));
  g_assert_nonnull (strstr (json, "\"isEllipse\":true"));
}

static void
test_geojson_damaged (void)
{
  static const char *const texts[][2] = {
    {"{\"type\":", "is not GeoJSON"},
    {"{}", "has no selections. 'a feature' in it has a geometry other than points, lines and polygons."},
    {"[]", "has no selections."},
    {"[1]", "has no geometry"},
    {"{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[0,1]]]}", "not those of its type"},
    {"{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[0,1],[5,5]]]}", "not those of its type"},
    {"{\"type\":\"LineString\",\"coordinates\":[[0,0]]}", "not those of its type"},
    {"{\"type\":\"Point\",\"coordinates\":[\"a\",1]}", "not those of its type"}};
  g_autofree char *path = g_build_filename (folder, "bad.geojson", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_true (g_file_set_contents (path, texts[i][0], -1, NULL));
    g_assert_null (selections_read (path, NULL, &error));
    g_assert_nonnull (strstr (error->message, texts[i][1]));
  }
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (deep, '[');
  g_assert_true (g_file_set_contents (path, deep->str, (gssize) deep->len, NULL));
  g_assert_null (selections_read (path, NULL, &error));
  g_assert_nonnull (strstr (error->message, "nested more than 32 times"));
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
  g_test_add_func ("/selection/files/names-of-entries", test_names_of_entries);
  g_test_add_func ("/selection/files/many-of-one-name", test_many_of_one_name);
  g_test_add_func ("/selection/files/many-points", test_many_points);
  g_test_add_func ("/selection/files/cannot-write", test_cannot_write);
  g_test_add_func ("/selection/files/damaged", test_damaged);
  g_test_add_func ("/selection/files/wild-numbers", test_wild_numbers);
  g_test_add_func ("/selection/files/short-headers", test_short_headers);
  g_test_add_func ("/selection/files/cannot-read", test_cannot_read);
  g_test_add_func ("/selection/files/strange-entries", test_strange_entries);
  g_test_add_func ("/selection/files/only-strange-entries", test_only_strange_entries);
  g_test_add_func ("/selection/files/zip-bomb", test_zip_bomb);
  g_test_add_func ("/selection/files/geojson-of-qupath", test_geojson_of_qupath);
  g_test_add_func ("/selection/files/geojson-round-trip", test_geojson_round_trip);
  g_test_add_func ("/selection/files/geojson-damaged", test_geojson_damaged);
  return run_files_tests ();
}
