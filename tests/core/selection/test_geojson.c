/* SPDX-License-Identifier: MIT
 *
 * Selections as GeoJSON: as QuPath writes it, our own read back, and damaged files.
 */
#include "tests/core/selection/selection_files_support.h"

static GPtrArray *
read_text (const char *text)
{
  g_autofree char *path = scratch ("in.geojson");
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return read_file (path);
}

/* As QuPath writes it: an annotation on a plane, a detection with a hole, parts, an ellipse, points and a line. */
static void
test_geojson_of_qupath (void)
{
  static const char *const expected[] = {"rectangle(1,2,8,5.5)",
                                         "composite(0,0,10,0,5,9,0,0,4,2,6,2,5,4,4,2)",
                                         "composite(0,0,3,0,0,3,0,0,5,5,8,5,5,8,5,5)",
                                         "oval(0,1,10,8)",
                                         "point(1.5,2.5,3,4)",
                                         "polyline(0,0,1,1,2,0)"};
  g_autofree char *left_out = NULL;
  g_autofree char *path = kept ("qupath.geojson");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) selections = selections_read (path, &left_out, &error);
  g_assert_no_error (error);
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
  g_autoptr (GPtrArray) alone = read_text ("\r\n [{\"type\": \"Point\", \"coordinates\": [3, 4]}]");
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
  g_autofree char *path = scratch ("out.geojson");
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
  g_autofree char *path = scratch ("bad.geojson");
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
  g_test_add_func ("/geojson/of-qupath", test_geojson_of_qupath);
  g_test_add_func ("/geojson/round-trip", test_geojson_round_trip);
  g_test_add_func ("/geojson/damaged", test_geojson_damaged);
  return run_files_tests ();
}
