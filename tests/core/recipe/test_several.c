/* SPDX-License-Identifier: MIT
 *
 * Steps that take other images: how the text names them.
 */
#include "core/recipe/several.h"
#include "tests/support/support.h"

/* The steps with `step` behind so many of them, which takes one image of these steps, path and source. Free with g_free(). */
static char *
with (const char *steps, guint index, const char *step, const char *others, const char *path, gboolean same, guint *at,
      GError **error)
{
  g_autoptr (Recipe) recipe = recipe_of (steps), one = recipe_of (step), their = recipe_of (others);
  const OtherImage other = {.name = "b.tif", .path = path, .same = same, .steps = their};
  g_autoptr (Recipe) made = several_with_step (recipe, index, recipe_step (one, 0), &other, 1, at, error);
  return made ? recipe_format (made) : NULL;
}

static void
check (const char *steps, guint index, const char *others, const char *path, gboolean same, const char *expected,
       guint expected_at)
{
  g_autoptr (GError) error = NULL;
  guint at;
  g_autofree char *made = with (steps, index, "calculate function=subtract", others, path, same, &at, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (made, ==, expected);
  g_assert_cmpuint (at, ==, expected_at);
}

static void
test_files (void)
{
  check ("", 0, "", "/b.tif", FALSE, "calculate function=subtract b=file:/b.tif", 0);
  check ("gaussian sigma=3 | otsu", 1, "", "/b.tif", FALSE,
         "gaussian sigma=3 | calculate function=subtract b=file:/b.tif | otsu", 1);
}

static void
test_own_source (void)
{
  check ("", 0, "", "/a.tif", TRUE, "calculate function=subtract b=source", 0);
  check ("gaussian sigma=3", 1, "", "/a.tif", TRUE, "gaussian sigma=3 | calculate function=subtract b=source", 1);
  check ("gaussian sigma=3", 1, "channel index=1 | median", "/a.tif", TRUE,
         "gaussian sigma=3 as=gaussian | channel index=1 from=source | median as=median | "
         "calculate function=subtract from=gaussian b=median",
         3);
}

static void
test_names_stay_apart (void)
{
  check ("otsu as=mask | label as=median", 2, "median as=mask | gaussian sigma=3 from=mask | otsu from=source as=x",
         NULL, TRUE,
         "otsu as=mask | label as=median | median from=source as=mask2 | gaussian sigma=3 from=mask2 | "
         "otsu from=source as=x | calculate function=subtract from=median b=x",
         5);
  check ("otsu", 1, "otsu", NULL, TRUE,
         "otsu as=otsu | otsu from=source as=otsu2 | calculate function=subtract from=otsu b=otsu2", 2);
}

/* What is not needed for the image stays out, and what is skipped is so there, too. */
static void
test_only_what_makes_it (void)
{
  check ("", 0, "gaussian sigma=3 skip=yes | label | regionprops properties=label,area", NULL, TRUE,
         "gaussian sigma=3 from=source skip=yes | label from=source as=label | "
         "calculate function=subtract from=source b=label",
         2);
}

static void
test_made_of_nothing (void)
{
  check ("", 0, "plain width=64 height=64", NULL, FALSE,
         "plain width=64 height=64 from=source as=plain | calculate function=subtract from=source b=plain", 1);
}

/* Nothing else can name steps of another file. */
static void
test_faults (void)
{
  guint at;
  g_autoptr (GError) steps = NULL, nowhere = NULL;
  g_assert_null (with ("", 0, "calculate", "median", "/b.tif", FALSE, &at, &steps));
  g_assert_nonnull (strstr (steps->message, "b.tif has steps"));
  g_assert_null (with ("", 0, "calculate", "", NULL, FALSE, &at, &nowhere));
  g_assert_nonnull (strstr (nowhere->message, "has no file that a step could use"));
}

/* A step that had different inputs has them no longer, and a file that it has still is not opened again. */
static void
test_again (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) none = recipe_new (), one = recipe_of ("merge_channels from=source c2=file:/b.tif c3=file:/c.tif"),
                     made = NULL;
  const OtherImage other = {.name = "b.tif", .path = "/b.tif", .steps = none};
  guint at;
  made = several_with_step (none, 0, recipe_step (one, 0), &other, 1, &at, &error);
  g_assert_no_error (error);
  g_autofree char *text = recipe_format (made);
  g_assert_cmpstr (text, ==, "merge_channels c2=file:/b.tif");
  g_assert_true (recipe_step (made, 0)->files[1] == recipe_step (one, 0)->files[1]);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/several/files", test_files);
  g_test_add_func ("/several/own-source", test_own_source);
  g_test_add_func ("/several/names-stay-apart", test_names_stay_apart);
  g_test_add_func ("/several/only-what-makes-it", test_only_what_makes_it);
  g_test_add_func ("/several/made-of-nothing", test_made_of_nothing);
  g_test_add_func ("/several/faults", test_faults);
  g_test_add_func ("/several/again", test_again);
  return g_test_run ();
}
