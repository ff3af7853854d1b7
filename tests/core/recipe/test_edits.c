/* SPDX-License-Identifier: MIT
 *
 * Manual edits go behind the step that makes the objects, and steps that took these take the edited ones.
 */
#include "core/recipe/edits.h"
#include "tests/support/support.h"

static void
check (const char *before, int labels, const char *command, const char *after, guint expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), before, &error), edited = NULL;
  guint index;
  g_assert_no_error (error);
  edited = edits_add (recipe, test_modules (), labels, command, &index, &error);
  g_assert_no_error (error);
  g_autofree char *text = recipe_format (edited);
  g_assert_cmpstr (text, ==, after);
  g_assert_cmpuint (index, ==, expected);
}

static void
test_new_step (void)
{
  check ("otsu | label | regionprops", 1, "delete 3,4", "otsu | label | edit commands=\"delete 3,4\" | regionprops", 2);
  check ("label volume=yes", 0, "fill 1,2,3", "label volume=yes | edit commands=\"fill 1,2,3\" volume=yes", 1);
  check ("regionprops", -1, "fill 1,2", "edit commands=\"fill 1,2\" | regionprops", 0);
}

static void
test_same_step (void)
{
  check ("label | edit commands=\"delete 3,4\" | regionprops", 1, "fill 5,6",
         "label | edit commands=\"delete 3,4; fill 5,6\" | regionprops", 1);
  check ("label | edit commands=\"delete 3,4\"", 0, "fill 5,6", "label | edit commands=\"delete 3,4; fill 5,6\"", 1);
  check ("label | edit", 1, "fill 5,6", "label | edit commands=\"fill 5,6\"", 1);
  check ("label | edit commands=\"fill 1,2\" skip=yes", 0, "fill 5,6", "label | edit commands=\"fill 1,2; fill 5,6\"",
         1);
}

/* A later result of the same name is another one. */
static void
test_names (void)
{
  check ("otsu | label as=cells | regionprops from=cells | label2rgb from=cells", 1, "delete 3,4",
         "otsu | label | edit commands=\"delete 3,4\" as=cells | regionprops from=cells | label2rgb from=cells", 2);
  check ("label as=a | expand from=a as=a | label2rgb from=a", 0, "delete 3,4",
         "label | edit commands=\"delete 3,4\" as=a | expand from=a as=a | label2rgb from=a", 1);
}

/* More than the step has room for: what there is stays. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), "label | edit commands=\"fill 1,2\"", NULL);
  g_autofree char *command = g_strnfill (70000, ' ');
  guint index;
  memcpy (command, "fill 3,4", 8);
  command[69999] = '5';
  g_assert_null (edits_add (recipe, test_modules (), 0, command, &index, &error));
  g_assert_nonnull (strstr (error->message, "has room for"));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/edits/new-step", test_new_step);
  g_test_add_func ("/edits/same-step", test_same_step);
  g_test_add_func ("/edits/names", test_names);
  g_test_add_func ("/edits/refused", test_refused);
  return g_test_run ();
}
