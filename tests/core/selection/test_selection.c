/* SPDX-License-Identifier: MIT
 *
 * Selections against what ImageJ makes of the same shapes (tests/core/selection/data/imagej.txt), and as text.
 */
#include "core/base/error.h"
#include "core/selection/line_profile.h"
#include "tests/core/selection/selection_support.h"
#include "tests/support/support.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* ---- ImageJ ---- */

/* Lines of imagej.txt; *line is the one that is read. */
typedef struct {
  char **lines;
  guint line, seen;
  double *plane;
  gint64 width, height;
} Oracle;

static void
check_mask (Oracle *oracle, char **words)
{
  g_autoptr (Selection) selection = selection_of (words[1]);
  gint64 width = g_ascii_strtoll (words[2], NULL, 10), height = g_ascii_strtoll (words[3], NULL, 10);
  g_autoptr (Image) mask = selection_mask (selection, width, height);
  g_assert_cmpfloat_with_epsilon (selection_length (selection, 1, 1), g_ascii_strtod (words[4], NULL), 1e-9);
  g_assert_cmpfloat_with_epsilon (selection_length (selection, 0.5, 2), g_ascii_strtod (words[5], NULL), 1e-9);
  for (gint64 y = 0; y < height; y++) {
    const char *row = oracle->lines[++oracle->line];
    for (gint64 x = 0; x < width; x++)
      if (image_value (mask, 0, y, x) != (row[x] == '#' ? 255 : 0)
          || selection_contains (selection, x, y) != (row[x] == '#'))
        g_error ("%s differs at %d, %d", words[1], (int) x, (int) y);
  }
}

static void
read_plane (Oracle *oracle, char **words)
{
  oracle->width = g_ascii_strtoll (words[1], NULL, 10);
  oracle->height = g_ascii_strtoll (words[2], NULL, 10);
  oracle->plane = g_new (double, oracle->width * oracle->height);
  for (gint64 y = 0; y < oracle->height; y++) {
    g_auto (GStrv) values = g_strsplit (oracle->lines[++oracle->line], " ", -1);
    for (gint64 x = 0; x < oracle->width; x++)
      oracle->plane[y * oracle->width + x] = g_ascii_strtod (values[x], NULL);
  }
}

static void
check_trace (Oracle *oracle, char **words)
{
  g_autoptr (Selection) expected = selection_of (words[5]);
  g_autoptr (Selection) traced =
    selection_trace (oracle->plane, oracle->width, oracle->height, atoi (words[1]), atoi (words[2]),
                     g_ascii_strtod (words[3], NULL), g_ascii_strtod (words[4], NULL));
  assert_same_points (traced, expected);
}

static void
check_profile (Oracle *oracle, char **words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Selection) line = selection_of (words[1]);
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, oracle->height, oracle->width, oracle->plane);
  g_autoptr (LineProfile) profile = line_profile_new (image, (PlanePosition){0, 0, 0}, line, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (profile->n, ==, g_strv_length (words + 2));
  for (guint i = 0; i < profile->n; i++)
    g_assert_cmpfloat_with_epsilon (profile->values[i], g_ascii_strtod (words[2 + i], NULL), 1e-12);
}

static const struct {
  const char *name;
  void (*check) (Oracle *oracle, char **words);
} checks[] = {{"mask", check_mask}, {"plane", read_plane}, {"trace", check_trace}, {"profile", check_profile}};

static void
test_imagej (void)
{
  g_autofree char *path = source_path ("tests/core/selection/data/imagej.txt"), *text = NULL;
  g_auto (GStrv) lines = NULL;
  Oracle oracle = {0};
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  oracle.lines = lines;
  for (; lines[oracle.line]; oracle.line++) {
    g_auto (GStrv) words = g_strsplit (lines[oracle.line], " ", -1);
    for (guint i = 0; i < G_N_ELEMENTS (checks) && words[0]; i++)
      if (!strcmp (words[0], checks[i].name)) {
        checks[i].check (&oracle, words);
        oracle.seen++;
      }
  }
  g_free (oracle.plane);
  g_assert_cmpuint (oracle.seen, >=, 23 + 3 + 32 + 5 + 1 + 40 + 20);
}

/* ---- Masks that ImageJ does not make ---- */

static guint
count (const char *text, gint64 width, gint64 height)
{
  g_autoptr (Selection) selection = selection_of (text);
  g_autoptr (Image) mask = selection_mask (selection, width, height);
  guint n = 0;
  for (gint64 y = 0; y < height; y++)
    for (gint64 x = 0; x < width; x++)
      n += image_value (mask, 0, y, x) == 255;
  return n;
}

static void
test_mask (void)
{
  g_assert_cmpuint (count ("rectangle(1.4,1.6,2,2)", 9, 9), ==, 4);
  g_assert_cmpuint (count ("rectangle(-1e9,-1e9,1e9,1e9)", 9, 9), ==, 0);
  g_assert_cmpuint (count ("rectangle(-1e8,-1e8,1e9,1e9)", 9, 7), ==, 63);
  g_assert_cmpuint (count ("polygon(-1e9,-1e9,1e9,-1e9,1e9,1e9,-1e9,1e9)", 9, 7), ==, 63);
  g_assert_cmpuint (count ("oval(-1e6,-1e6,2000020,2000020)", 9, 7), ==, 63);
  g_assert_cmpuint (count ("oval(0.5,0.5,1,1)", 3, 3), ==, 0);
  g_assert_cmpuint (count ("oval(0.9,0.9,1.3,1.3)", 3, 3), ==, 1);
  g_assert_cmpuint (count ("polygon(0,0,4,0,4,4,0,4,1,1,3,1,3,3,1,3)", 5, 5), >, 0);
  g_assert_cmpuint (count ("point(0.5,0.5,2.9,1.1,0.2,0.1,-1,0,9,9)", 3, 3), ==, 2);
  g_assert_cmpuint (count ("line(0.5,1.5,7.5,1.5)", 6, 3), ==, 6);
  g_assert_cmpuint (count ("line(-1e9,-1e9,1e9,1e9)", 6, 3), >, 0);
  g_assert_cmpuint (count ("polyline(0.5,0.5,4.5,0.5,4.5,2.5)", 6, 3), ==, 7);
  g_assert_cmpuint (count ("freeline(0.5,0.5,4.5,0.5,4.5,0.5,4.5,2.5)", 6, 3), ==, 7);
  g_assert_cmpuint (count ("angle(0.5,2.5,0.5,0.5,2.5,0.5)", 6, 3), ==, 5);
  g_assert_cmpuint (count ("composite(0,0,9,0,9,7,0,7,0,0,2,2,5,2,5,4,2,4,2,2)", 9, 7), ==, 63 - 6);
  g_assert_cmpuint (count ("composite(0,0,2,0,2,2,0,2,0,0,5,5,9,5,9,7,5,7,5,5,1,0,3,0,3,1,1,1,1,0)", 9, 7), ==, 4 + 8);
}

/* Corners of a wand on small pictures, by hand: the outer outline, pixels that touch at a corner, one pixel, none. */
static void
test_trace (void)
{
  static const double plane[] = {
    1, 1, 1, 0, 0, //
    1, 0, 1, 0, 2, //
    1, 1, 1, 2, 0, //
    0, 0, 0, 0, NAN,
  };
  static const struct {
    gint64 x, y;
    double low, high;
    const char *expected;
  } cases[] = {
    {0, 0, 1, 1, "traced(3,3,0,3,0,0,3,0)"},
    {1, 1, 0, 0, "traced(2,2,1,2,1,1,2,1)"},
    {4, 1, 2, 2, "traced(5,2,4,2,4,3,3,3,3,2,4,2,4,1,5,1)"},
    {3, 2, 1, 2, "traced(4,3,0,3,0,0,3,0,3,2,4,2,4,1,5,1,5,2,4,2)"},
    {4, 3, -9, 9, NULL},
    {0, 0, 2, 9, NULL},
    {5, 0, 0, 9, NULL},
    {0, -1, 0, 9, NULL},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Selection) traced = selection_trace (plane, 5, 4, cases[i].x, cases[i].y, cases[i].low, cases[i].high);
    g_autofree char *text = traced ? selection_format (traced) : NULL;
    g_assert_cmpstr (text, ==, cases[i].expected);
  }
}

/* A comb whose teeth hang together at one side only: what a fill by runs might miss. The mask is what was traced. */
static void
test_trace_large (void)
{
  const gint64 width = 701, height = 503;
  g_autofree double *plane = g_new (double, width *height);
  g_autoptr (Selection) traced = NULL;
  g_autoptr (Image) mask = NULL;
  for (gint64 i = 0; i < width * height; i++)
    plane[i] = i % width == width - 1 || i / width % 2 == 0;
  traced = selection_trace (plane, width, height, 0, 0, 1, 1);
  mask = selection_mask (traced, width, height);
  for (gint64 i = 0; i < width * height; i++)
    g_assert_cmpfloat (image_value (mask, 0, i / width, i % width), ==, 255 * plane[i]);
}

static void
test_profile (void)
{
  static const double plane[] = {0, 1, 2, 10, 11, 12};
  static const struct {
    const char *line;
    guint n;
    double values[4];
  } cases[] = {
    {"line(0.5,0.5,2.5,0.5)", 3, {0, 1, 2}},
    {"line(2.5,1.5,0.5,1.5)", 3, {12, 11, 10}},
    {"line(1.5,0,1.5,2)", 2, {1, 6}},
    {"line(1,1,1,1)", 1, {5.5}},
    {"line(2.5,0.5,4.5,0.5)", 3, {2, NAN, NAN}},
    {"line(-1,-1,-1,-1)", 1, {NAN}},
  };
  g_autoptr (Image) image = image_of (FV_F64, FV_IMAGE, 2, 3, plane);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Selection) line = selection_of (cases[i].line);
    g_autoptr (LineProfile) profile = line_profile_new (image, (PlanePosition){0, 0, 0}, line, NULL);
    g_assert_cmpuint (profile->n, ==, cases[i].n);
    for (guint v = 0; v < profile->n; v++)
      g_assert_true (profile->values[v] == cases[i].values[v]
                     || (isnan (profile->values[v]) && isnan (cases[i].values[v])));
  }
}

/* ---- Text and geometry ---- */

static void
test_text (void)
{
  static const char *const texts[] = {
    "rectangle(3,4,10,20)",
    "rectangle(-0.25,1e-05,10.125,0.1)",
    "oval(10,20,100,50)",
    "polygon(0.1,0.2,0.30000000000000004,12345678.9,-7,1)",
    "freehand(1,2,3,4,5,6.5)",
    "traced(1,1,2,1,2,2,1,2)",
    "line(1.5,2.5,0.3333333333333333,4)",
    "point(0.5,0.5)",
    "point(0.5,0.5,1.75,2)",
    "polyline(0.5,0.5,1.75,2)",
    "freeline(0.5,0.5,1.75,2,3,4)",
    "angle(0.5,0.5,1.75,2,3,4)",
    "rotated(1,0,3,2,2,3,0,1)",
    "ellipse(1,0,3,2,2,3,0,1)",
    "rounded(1,0,3,2,2,3,0,1)",
    "composite(1,0,3,2,2,3,1,0,0.25,9,8,9,7,7,0.25,9)",
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (Selection) selection = selection_of (texts[i]), again = NULL, copy = selection_copy (selection);
    g_autofree char *text = selection_format (selection);
    g_assert_true (g_str_has_prefix (text, selection_shape_name (selection->shape)));
    again = selection_of (text);
    assert_same_points (selection, again);
    assert_same_points (selection, copy);
    if (i != 1)
      g_assert_cmpstr (text, ==, texts[i]);
  }
}

static void
test_text_locale (void)
{
  if (!setlocale (LC_ALL, "de_DE.UTF-8"))
    g_test_skip ("the German locale is missing");
  else
    test_text ();
  setlocale (LC_ALL, "C");
}

static void
test_text_wrong (void)
{
  static const struct {
    const char *text, *says;
  } cases[] = {
    {"", "oval(10,20,100,50)"},
    {"ovl(1,2,3,4)", "The nearest one is 'oval'."},
    {"circus(1,2)", "Unknown shape 'circus'"},
    {"angle(1,2,3,4)", "angle(…) has 4 numbers instead of 6"},
    {"polyline(1,2)", "polyline(…) has 2 numbers instead of at least 4"},
    {"composite(0,0,9,0,9,9,0,9)", "the polygon that starts at point 1 does not"},
    {"composite(0,0,9,0,9,9,0,0,1,1)", "the polygon that starts at point 5 does not"},
    {"composite(0,0,0,0,9,0,9,9,0,0)", "the polygon that starts at point 1 does not"},
    {"oval", "write oval(x,y,width,height)"},
    {"oval(1,2,3,4", "no numbers in parentheses"},
    {"oval(1,2,3,4) ", "no numbers in parentheses"},
    {"oval()", "has 0 numbers instead of 4"},
    {"oval(,,,)", "is not a number"},
    {"oval(1,2,3)", "has 3 numbers instead of 4"},
    {"oval(1,2,3,4,5)", "has 5 numbers instead of 4"},
    {"oval(1,2,0,4)", "must be above 0"},
    {"rectangle(1,2,3,-4)", "must be above 0"},
    {"rectangle(1e9,0,1e-9,1)", "must be above 0"},
    {"line(1,2,x,4)", "'x' in line(…) is not a number"},
    {"line(1;2;3;4)", "is not a number"},
    {"line(1,2,nan,4)", "is not a number"},
    {"line(1,2,1e10,4)", "from -1e9 to 1e9"},
    {"polygon(1,2,3,4)", "has 4 numbers instead of at least 6"},
    {"polygon(1,2,3,4,5,6,7)", "has 7 numbers instead of an even number from 6"},
    {"point(1)", "has 1 numbers instead of at least 2"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (selection_parse (cases[i].text, &error));
    g_assert_error (error, STEP_ERROR, FV_BAD_ARGUMENT);
    if (!strstr (error->message, cases[i].says) || !g_str_has_suffix (error->message, "."))
      g_error ("%s: '%s' should be in: %s", cases[i].text, cases[i].says, error->message);
  }
}

static void
test_geometry (void)
{
  g_autoptr (Selection) polygon = selection_of ("polygon(3,1,7,4,3,4)"), line = selection_of ("line(0,0,3,4)");
  g_autoptr (Selection) slanted = selection_of ("traced(3,1,7,4,3,4,3,4)"),
                        square = selection_of ("traced(0,0,2,0,2,2,0,2)");
  g_autoptr (Selection) point = selection_of ("point(1,1)"), box = selection_of ("rectangle(1,2,3,4)");
  SelectionPoint low, high;
  selection_move (polygon, 0.5, -2);
  selection_bounds (polygon, &low, &high);
  g_assert_true (low.x == 3.5 && low.y == -1 && high.x == 7.5 && high.y == 2);
  g_assert_cmpfloat (selection_length (polygon, 1, 1), ==, 12);
  g_assert_cmpfloat (selection_length (line, 1, 1), ==, 5);
  g_assert_cmpfloat (selection_length (line, 2, 0), ==, 6);
  g_assert_cmpfloat (selection_length (point, 1, 1), ==, 0);
  g_assert_cmpfloat (selection_length (slanted, 1, 1), ==, 12);
  g_assert_cmpfloat_with_epsilon (selection_length (square, 1, 1), 4 * sqrt (2), 1e-12);
  g_assert_cmpfloat (selection_length (box, 2, 10), ==, 92);
  g_assert_true (selection_is_area (polygon) && selection_is_area (box));
  g_assert_false (selection_is_area (line) || selection_is_area (point));
  g_assert_false (selection_contains (line, 0, 0) || selection_contains (point, 1, 1));
}

/* Room around the box, as far as the image of 10 x 8 goes; what lies outside gets its nearest pixel. */
static void
test_part (void)
{
  static const struct {
    const char *text;
    int room;
    PlanePart part;
  } cases[] = {{"rectangle(2,3,4,2)", 0, {2, 3, 4, 2}},   {"rectangle(2.5,3.5,4,2)", 1, {1, 2, 7, 5}},
               {"rectangle(2,3,4,2)", 99, {0, 0, 10, 8}}, {"rectangle(9,7,1,1)", 0, {9, 7, 1, 1}},
               {"point(50,40)", 0, {9, 7, 1, 1}},         {"point(-5,-4)", 0, {0, 0, 1, 1}}};
  const ImageInfo info = {.rows = 8, .columns = 10};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Selection) selection = selection_of (cases[i].text);
    PlanePart part = selection_part (selection, &info, cases[i].room);
    g_assert_cmpmem (&part, sizeof part, &cases[i].part, sizeof part);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/selection/imagej", test_imagej);
  g_test_add_func ("/selection/mask", test_mask);
  g_test_add_func ("/selection/trace", test_trace);
  g_test_add_func ("/selection/trace-large", test_trace_large);
  g_test_add_func ("/selection/profile", test_profile);
  g_test_add_func ("/selection/text", test_text);
  g_test_add_func ("/selection/text-locale", test_text_locale);
  g_test_add_func ("/selection/text-wrong", test_text_wrong);
  g_test_add_func ("/selection/geometry", test_geometry);
  g_test_add_func ("/selection/part", test_part);
  return g_test_run ();
}
