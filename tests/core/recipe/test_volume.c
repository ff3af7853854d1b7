/* SPDX-License-Identifier: MIT
 *
 * What a recipe says once of volumes and planes: its text and back, what steps take of it, and what a recipe of before means.
 */
#include "core/base/error.h"
#include "core/ops/args.h"
#include "core/recipe/steps_text.h"
#include "tests/support/support.h"

#include <string.h>

/* Takes the recipe. volumes: '1' for each step that takes slices as a volume, else '0'. */
static void
check (Recipe *recipe, const char *text, const char *volumes)
{
  g_autofree char *is = recipe_format (recipe);
  g_autoptr (Recipe) again = recipe_of (is);
  g_assert_cmpstr (is, ==, text);
  g_assert_true (recipe_equal (recipe, again));
  g_assert_cmpuint (recipe_length (recipe), ==, strlen (volumes));
  for (guint i = 0; i < recipe_length (recipe); i++) {
    const Step *step = recipe_step (recipe, i);
    g_assert_cmpint (args_volume (step->op, step->args), ==, volumes[i] == '1');
    g_assert_true (args_equal (step->op, step->args, recipe_step (again, i)->args));
  }
  recipe_unref (recipe);
}

/* A step's own volume= stays; what says nothing is as before. */
static void
test_text (void)
{
  static const struct {
    const char *text, *is, *volumes;
  } cases[] = {
    {"gaussian | otsu | label", "gaussian | otsu | label", "000"},
    {"gaussian volume=yes | label volume=no", "gaussian volume=yes | label volume=no", "10"},
    {"volume=yes | gaussian | otsu | label", "volume=yes | gaussian | otsu | label", "111"},
    {" volume=yes|otsu | label volume=no", "volume=yes | otsu | label volume=no", "10"},
    {"volume=no | otsu volume=yes | label", "volume=no | otsu volume=yes | label", "10"},
    {"volume=yes | label volume=yes", "volume=yes | label volume=yes", "1"},
    {"volume=objects | gaussian | median | otsu | fill_holes | label | regionprops",
     "volume=objects | gaussian | median | otsu | fill_holes | label | regionprops", "001111"},
    {"volume=objects | maxima method=peaks | zoom by=spacing spacing=0.5 order=0",
     "volume=objects | maxima method=peaks | zoom by=spacing spacing=0.5 order=0", "11"},
    {"volume=objects | zoom by=spacing spacing=0.5,0.5 | zoom factor=3",
     "volume=objects | zoom by=spacing spacing=0.5,0.5 | zoom factor=3", "00"},
    {"volume=yes", "volume=yes", ""},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (recipe_of (cases[i].text), cases[i].is, cases[i].volumes);
}

static void
test_wrong (void)
{
  static const char *const wrong[][2] = {{"volume=maybe | otsu", "volume=objects, not 'volume=maybe"},
                                         {"volume=yes bins=3 | otsu", "volume=yes, volume=no"},
                                         {"otsu | volume=yes | label", "is not a step"},
                                         {"volume=yes | volume=no | otsu", "is not a step"}};
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (recipe_parse (test_modules (), wrong[i][0], &error));
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, wrong[i][1]));
    g_assert_cmpstr (step_error_field (error), ==, "volume");
  }
}

/* The switch over all steps, and steps that come and change behind it. */
static void
test_copies (void)
{
  g_autoptr (Recipe) old = recipe_of ("otsu | label volume=no | regionprops"),
                     said = recipe_with_volume (old, RECIPE_VOLUME);
  g_autoptr (Recipe) none = recipe_new (), one = recipe_of ("label"), other = recipe_of ("volume=no | label");
  check (recipe_ref (said), "volume=yes | otsu | label volume=no | regionprops", "101");
  check (recipe_with_volume (said, RECIPE_UNSAID), "otsu | label volume=no | regionprops", "000");
  check (recipe_with_steps (said, 1, 2, one, NULL), "volume=yes | otsu | label", "11");
  check (recipe_with_steps (said, 1, 2, other, NULL), "volume=yes | otsu | label volume=no", "10");
  check (recipe_with_steps (none, 0, 0, said, NULL), "volume=yes | otsu | label volume=no | regionprops", "101");
  check (recipe_with_steps (said, 0, 3, none, NULL), "volume=yes", "");
  check (recipe_with_text (said, 0, "volume", "no", NULL),
         "volume=yes | otsu volume=no | label volume=no | regionprops", "001");
  g_assert_false (recipe_equal (said, old));
  g_autofree char *lines = steps_text_lines (said), *read = steps_text_read (lines, strlen (lines), "x.steps", NULL);
  check (recipe_of (read), "volume=yes | otsu | label volume=no | regionprops", "101");
}

/* What is suggested for an image depends on its slices, and on whether a step would take them otherwise. */
static void
test_suggestion (void)
{
  const ImageInfo volume = {.depth = 5, .units = {(char *) "µm", (char *) "µm", (char *) "µm"}},
                  pile = {.depth = 5, .units = {(char *) "", (char *) "µm", (char *) "µm"}},
                  plane = {.depth = 1, .units = {(char *) "µm", (char *) "µm", (char *) "µm"}};
  g_autoptr (Recipe) count = recipe_of ("gaussian | otsu | label"), blur = recipe_of ("gaussian"),
                     own = recipe_of ("label volume=no"), said = recipe_of ("volume=no | label");
  g_assert_cmpint (recipe_suggest_volume (count, &volume), ==, RECIPE_OBJECTS);
  g_assert_cmpint (recipe_suggest_volume (count, &pile), ==, RECIPE_UNSAID);
  g_assert_cmpint (recipe_suggest_volume (count, &plane), ==, RECIPE_UNSAID);
  g_assert_cmpint (recipe_suggest_volume (blur, &volume), ==, RECIPE_UNSAID);
  g_assert_cmpint (recipe_suggest_volume (own, &volume), ==, RECIPE_UNSAID);
  g_assert_cmpint (recipe_suggest_volume (said, &volume), ==, RECIPE_UNSAID);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/volume/text", test_text);
  g_test_add_func ("/volume/wrong", test_wrong);
  g_test_add_func ("/volume/copies", test_copies);
  g_test_add_func ("/volume/suggestion", test_suggestion);
  return g_test_run ();
}
