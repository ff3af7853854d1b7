/* SPDX-License-Identifier: MIT
 *
 * Derived values: their text and back, arithmetic, which number of which step they mean, and what becomes of them when steps change.
 */
#include "core/base/error.h"
#include "core/ops/args.h"
#include "core/recipe/steps_text.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static void
test_arithmetic (void)
{
  static const struct {
    const char *text, *written;
    double value;
  } cases[] = {
    {"{a.b}", "{a.b}", 2},     {" = { a.b } * 5 ", "{a.b}*5", 10},
    {"1+2*3", "1+2*3", 7},     {"(1 + 2) * 3", "(1+2)*3", 9},
    {"8/4/2", "8/4/2", 1},     {"8-4-2", "8-4-2", 2},
    {"8-(4-2)", "8-(4-2)", 6}, {"-{a.b}*-3", "-{a.b}*-3", 6},
    {"--2", "--2", 2},         {"2--3", "2--3", 5},
    {"-(2+1)", "-(2+1)", -3},  {"1.5e-1*{my result.v1.c d}", "1.5e-1*{my result.v1.c d}", 0.3},
    {".5+2.", ".5+2.", 2.5},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const double numbers[] = {2, 2};
    g_autoptr (GError) error = NULL;
    g_autoptr (Derived) derived = derived_parse (cases[i].text, &error), again = NULL;
    g_assert_no_error (error);
    g_assert_cmpstr (derived_text (derived), ==, cases[i].written);
    again = derived_parse (derived_text (derived), NULL);
    g_assert_true (derived_equal (derived, again));
    g_assert_cmpfloat_with_epsilon (derived_value (derived, numbers), cases[i].value, 1e-15);
  }
}

static void
test_braces (void)
{
  g_autoptr (Derived) derived = derived_parse ("{a.b}+{c.d.e}*{otsu#2.threshold}", NULL);
  g_autoptr (Derived) other = derived_with_step (derived, 1, "x");
  g_assert_cmpuint (derived_length (derived), ==, 3);
  g_assert_cmpstr (derived_step (derived, 1), ==, "c.d");
  g_assert_cmpstr (derived_number (derived, 1), ==, "e");
  g_assert_cmpstr (derived_text (other), ==, "{a.b}+{x.e}*{otsu#2.threshold}");
}

/* What is wrong, and at which character. */
static void
test_wrong_text (void)
{
  static const char *const cases[][2] = {
    {"", "a number"},
    {"=", "character 2"},
    {"{}", "{STEP.NUMBER}"},
    {"{a}", "{STEP.NUMBER}"},
    {"{.a}", "{STEP.NUMBER}"},
    {"{a.}", "{STEP.NUMBER}"},
    {"{a.b", "character 1"},
    {"{{a.b}}", "{STEP.NUMBER}"},
    {"{a.b}}", "'}'"},
    {"1+", "the end"},
    {"1 2", "character 3"},
    {"(1", "')'"},
    {"1)", "')'"},
    {"*1", "'*'"},
    {"1.2.3", "a number"},
    {"0x10", "'x'"},
    {"inf", "'i'"},
    {"1e", "a number"},
    {"µ", "'µ'"},
    {"1+µ", "character 3"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (derived_parse (cases[i][0], &error));
    g_assert_nonnull (error);
    g_assert_nonnull (strstr (error->message, cases[i][1]));
  }
  g_autofree char *deep = g_strnfill (100000, '('), *signs = g_strnfill (100000, '-');
  g_assert_null (derived_parse (deep, NULL));
  g_assert_null (derived_parse (signs, NULL));
}

static void
test_division_by_0 (void)
{
  g_autoptr (Derived) derived = derived_parse ("1/(2-{a.b})", NULL);
  g_assert_true (isinf (derived_value (derived, (const double[]){2})));
}

/* ---- In recipes ---- */

static const Derived *
derived_of (const Recipe *recipe, guint n, const char *key)
{
  const Step *step = recipe_step (recipe, n);
  return step_derived (step, args_param (step->op, key));
}

/* Text, its lines and back; a derived value goes where its parameter goes, with its number's default beside it. */
static void
test_text (void)
{
  static const char *const cases[][2] = {
    {"otsu | threshold lower={otsu.threshold}", "otsu | threshold method=manual lower={otsu.threshold}"},
    {"otsu | threshold lower=\" {otsu.threshold} + 1\" upper=={otsu.threshold}*2",
     "otsu | threshold method=manual lower={otsu.threshold}+1 upper={otsu.threshold}*2"},
    {"otsu as=\"my mask\" | gaussian sigma='{my mask.threshold}/2' from=source",
     "otsu as=\"my mask\" | gaussian sigma=\"{my mask.threshold}/2\" from=source"},
    {"otsu | gaussian sigma==2*3", "otsu | gaussian sigma=6"},
    {"gaussian device=cpu as=soft skip=yes", "gaussian as=soft device=cpu skip=yes"},
    {"gaussian device=", "gaussian"},
    {"label | label min_size={label.objects}", "label | label min_size={label.objects}"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Recipe) recipe = recipe_of (cases[i][0]), again = recipe_of (cases[i][1]), read = NULL;
    g_autofree char *text = recipe_format (recipe), *lines = steps_text_lines (recipe), *line = NULL;
    g_assert_cmpstr (text, ==, cases[i][1]);
    g_assert_true (recipe_equal (recipe, again));
    line = steps_text_read (lines, strlen (lines), "lines", NULL);
    read = recipe_of (line);
    g_assert_true (recipe_equal (recipe, read));
  }
}

/* Values are equal only if their texts are. A number replaces one, and one replaces a number. */
static void
test_changes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) a = recipe_of ("otsu | gaussian sigma={otsu.threshold}"), b = NULL, c = NULL, d = NULL, e = NULL;
  const Step *step = recipe_step (a, 1);
  b = recipe_with_text (a, 1, "sigma", "{otsu.threshold}*2", &error);
  g_assert_no_error (error);
  g_assert_false (recipe_equal (a, b));
  g_assert_true (args_equal (step->op, step->args, recipe_step (b, 1)->args));
  g_assert_cmpstr (derived_text (derived_of (b, 1, "sigma")), ==, "{otsu.threshold}*2");
  c = recipe_with_number (b, 1, args_param (step->op, "sigma"), 4, &error);
  g_assert_no_error (error);
  g_assert_null (derived_of (c, 1, "sigma"));
  d = recipe_with_text (b, 1, "sigma", "4", &error);
  g_autofree char *text = recipe_format (d);
  g_assert_cmpstr (text, ==, "otsu | gaussian sigma=4");
  e = recipe_with_text (d, 1, "sigma", "{otsu.threshold}", &error);
  g_assert_true (recipe_equal (a, e));
  g_assert_null (recipe_with_text (a, 1, "sigma", "{otsu.sigma}", &error));
  g_assert_cmpstr (step_error_field (error), ==, "sigma");
}

/* A result that gets another name, or none, is still the one that is meant. */
static void
test_renaming (void)
{
  static const char *const names[][2] = {{"b", "{b.threshold}+{c.threshold}*{b.threshold}"},
                                         {NULL, "{otsu#1.threshold}+{c.threshold}*{otsu#1.threshold}"}};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Recipe) before =
      recipe_of ("otsu as=a | otsu as=c | gaussian sigma={a.threshold}+{c.threshold}*{a.threshold}");
    g_autoptr (Recipe) after = recipe_with_name (before, 0, 0, names[i][0], &error);
    g_assert_no_error (error);
    g_assert_cmpstr (derived_text (derived_of (after, 2, "sigma")), ==, names[i][1]);
    g_assert_cmpstr (derived_text (derived_of (before, 2, "sigma")), ==, "{a.threshold}+{c.threshold}*{a.threshold}");
  }
}

static void
check_links (const char *steps, guint n, guint step, guint scalar)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_of (steps);
  g_autofree FoundLink *links = recipe_founds (recipe, n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (links[0].step, ==, step);
  g_assert_cmpuint (links[0].scalar, ==, scalar);
}

/* The last such step before; the second of all; a name before an operation. */
static void
test_which_step (void)
{
  check_links ("otsu | otsu | gaussian sigma={otsu.threshold} | otsu", 2, 1, 0);
  check_links ("otsu | otsu | gaussian sigma={otsu#1.threshold}", 2, 0, 0);
  check_links ("otsu as=otsu | otsu | gaussian sigma={otsu.threshold}", 2, 0, 0);
  check_links ("otsu as=x#2 | otsu | gaussian sigma={x#2.threshold}", 2, 0, 0);
  check_links ("sigma_clip | sigma_clip as=s | gaussian sigma={s.sigma}", 2, 1, 2);
}

static void
test_names (void)
{
  static const char *const names[] = {"a", "otsu#2", "label", "otsu"};
  g_autoptr (Recipe) recipe = recipe_of ("otsu as=a | otsu | label | otsu | gaussian");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = recipe_found_name (recipe, 4, i);
    g_assert_cmpstr (name, ==, names[i]);
  }
}

/* A step whose number is taken cannot go, nor come later. */
static void
test_order (void)
{
  g_autoptr (Recipe) recipe = recipe_of ("otsu | gaussian sigma={otsu.threshold} | label"), none = recipe_new ();
  g_autoptr (GError) moved = NULL, removed = NULL;
  g_assert_null (recipe_with_move (recipe, 0, 2, &moved));
  g_assert_nonnull (strstr (moved->message, "'otsu' is a later step"));
  g_assert_null (recipe_with_steps (recipe, 0, 1, none, &removed));
  g_assert_nonnull (strstr (removed->message, "no earlier step finds a number"));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/derived/arithmetic", test_arithmetic);
  g_test_add_func ("/derived/division-by-0", test_division_by_0);
  g_test_add_func ("/derived/braces", test_braces);
  g_test_add_func ("/derived/wrong-text", test_wrong_text);
  g_test_add_func ("/derived/text", test_text);
  g_test_add_func ("/derived/changes", test_changes);
  g_test_add_func ("/derived/renaming", test_renaming);
  g_test_add_func ("/derived/which-step", test_which_step);
  g_test_add_func ("/derived/names", test_names);
  g_test_add_func ("/derived/order", test_order);
  return g_test_run ();
}
