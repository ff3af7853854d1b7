/* SPDX-License-Identifier: MIT
 *
 * Recipes: text and back, copies with one thing changed, what names mean.
 */
#include "core/base/error.h"
#include "core/ops/args.h"
#include "core/base/text.h"
#include "core/recipe/link.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Takes the recipe. */
static void
check (Recipe *recipe, const char *expected)
{
  g_assert_nonnull (recipe);
  g_autofree char *text = recipe_format (recipe);
  g_assert_cmpstr (text, ==, expected);
  recipe_unref (recipe);
}

/* ---- Text ---- */

static void
test_format_is_a_fixed_point (void)
{
  static const char *const texts[] = {
    "channel index=1 as=green",
    "channel name=\"two words\"",
    "otsu as=\"my mask\" | keep from=\"my mask\" inside=\"my mask\" as='it is \"mine\"' | label from='it is \"mine\"'",
    "gaussian skip=yes as=\"a|b\" | otsu from=\"a|b\" as=#1 | label from=#1",
    "regionprops as=\"my table\" properties=label,area",
    "channel | channel index=2 from=source as=x | channel from=x",
    "gaussian sigma=3,2,1 volume=yes border=wrap | otsu | erosion footprint=matrix matrix=\"0 1 0; 1 1 1; 0 1 0\"",
    "label | regionprops intensity=file:psf.tif | label2rgb",
    "label | regionprops intensity=\"file:/a folder/psf (1) | x.tif\"",
    "label as=cells | regionprops intensity=source properties=label,area,solidity | label2rgb from=cells",
    "label | regionprops properties=solidity,label,area as=t",
    "label | regionprops intensity=source properties=centroid,label,intensity_mean",
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), texts[i], &error), again = NULL;
    g_autofree char *text = NULL, *text_again = NULL;
    g_assert_no_error (error);
    text = recipe_format (recipe);
    again = recipe_parse (test_modules (), text, &error);
    g_assert_no_error (error);
    text_again = recipe_format (again);
    g_assert_cmpstr (text, ==, text_again);
    g_assert_true (recipe_equal (again, recipe));
    for (guint k = 0; k < recipe_length (recipe); k++)
      g_assert_true (
        args_equal (recipe_step (recipe, k)->op, recipe_step (recipe, k)->args, recipe_step (again, k)->args));
  }
}

static void
test_step_errors (void)
{
  static const struct {
    const char *text, *word, *field;
  } wrong[] = {
    {"", "Empty step", ""},
    {"channel | ", "Empty step", ""},
    {"gausian", "Did you mean 'gaussian'", ""},
    {"gaussian sigma=abc", "sigma must be a number", "sigma"},
    {"gaussian sigma=-1", "sigma must be from 0 to", "sigma"},
    {"gaussian sigma=1,2,3,4", "three (z,y,x)", "sigma"},
    {"gaussian sgima=1", "did you mean 'sigma'", "sgima"},
    {"gaussian sigma", "not NAME=VALUE", ""},
    {"gaussian border=left", "Choose from nearest", "border"},
    {"gaussian volume=maybe", "yes or no", "volume"},
    {"channel index=1.5", "must be an integer", "index"},
    {"channel from=nowhere", "no earlier step is called 'nowhere'", "from"},
    {"channel as=source", "cannot be called", "as"},
    {"channel as=''", "cannot be called", "as"},
    {"otsu as=a,b", "as=a,b names 2 results, but there is only 1: Mask.", "as"},
    {"regionprops as=a,b", "as=a,b names 2 results, but there is only 1: table.", "as"},
    {"regionprops properties=area,aera", "properties cannot be 'aera'", "properties"},
    {"erosion footprint=matrix matrix=\"1 2; 3\"", "rows of equal length", "matrix"},
    {"channel name='open", "Unclosed quotation mark", ""},
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (recipe_parse (test_modules (), wrong[i].text, &error));
    g_test_message ("%s -> %s", wrong[i].text, error->message);
    g_assert_nonnull (strstr (error->message, wrong[i].word));
    g_assert_cmpstr (step_error_field (error), ==, wrong[i].field);
  }
}

/* ---- Copies ---- */

/* What is not changed is the same step, not one like it. */
static void
test_copies (void)
{
  g_autoptr (Recipe) recipe = recipe_of ("gaussian sigma=1 as=soft | otsu from=soft | label");
  g_autoptr (GError) error = NULL;
  const fv_param *sigma = args_param (recipe_step (recipe, 0)->op, "sigma");
  g_autoptr (Recipe) with = recipe_with_number (recipe, 0, sigma, 2.5, &error);
  g_assert_no_error (error);
  g_assert_true (recipe_step (with, 1) == recipe_step (recipe, 1));
  g_assert_true (recipe_step (with, 2) == recipe_step (recipe, 2));
  g_assert_false (recipe_equal (with, recipe));
  check (g_steal_pointer (&with), "gaussian sigma=2.5 as=soft | otsu from=soft | label");
  check (recipe_with_text (recipe, 0, "border", "wrap", NULL),
         "gaussian sigma=1 border=wrap as=soft | otsu from=soft | label");
  check (recipe_with_skip (recipe, 1, TRUE), "gaussian sigma=1 as=soft | otsu from=soft skip=yes | label");
  check (recipe_with_input (recipe, 1, 0, RECIPE_SOURCE, NULL), "gaussian sigma=1 as=soft | otsu from=source | label");
  check (recipe_with_input (recipe, 1, 0, NULL, NULL), "gaussian sigma=1 as=soft | otsu | label");
  check (recipe_with_move (recipe, 2, 1, NULL), "gaussian sigma=1 as=soft | label | otsu from=soft");
  check (recipe_ref (recipe), "gaussian sigma=1 as=soft | otsu from=soft | label");
  g_autoptr (Recipe) two = recipe_of ("zoom factor=3 | erosion"), none = recipe_new ();
  check (recipe_with_steps (recipe, 3, 0, two, NULL),
         "gaussian sigma=1 as=soft | otsu from=soft | label | zoom factor=3 | erosion");
  check (recipe_with_steps (recipe, 2, 1, none, NULL), "gaussian sigma=1 as=soft | otsu from=soft");
}

/* A step that is renamed is taken by its new name. */
static void
test_renaming (void)
{
  g_autoptr (Recipe) recipe = recipe_of ("gaussian as=a | otsu as=a from=a | label from=a");
  g_autoptr (GError) error = NULL;
  check (recipe_with_name (recipe, 0, 0, "my blur", NULL),
         "gaussian as=\"my blur\" | otsu from=\"my blur\" as=a | label from=a");
  check (recipe_with_name (recipe, 1, 0, "b", NULL), "gaussian as=a | otsu from=a as=b | label from=b");
  g_assert_null (recipe_with_name (recipe, 0, 0, "source", &error));
  g_assert_cmpstr (step_error_field (error), ==, "as");
  g_autofree char *free_name = recipe_free_name (recipe, "a"), *unused = recipe_free_name (recipe, "b");
  g_assert_cmpstr (free_name, ==, "a2");
  g_assert_cmpstr (unused, ==, "b");
}

/* What would leave a step without its image is refused, and says so. */
static void
test_refused (void)
{
  g_autoptr (Recipe) recipe = recipe_of ("gaussian as=soft | otsu from=soft"), none = recipe_new ();
  g_autoptr (GError) error = NULL;
  g_assert_null (recipe_with_steps (recipe, 0, 1, none, &error));
  g_assert_nonnull (strstr (error->message, "no earlier step is called 'soft'"));
  g_clear_error (&error);
  g_assert_null (recipe_with_move (recipe, 0, 1, &error));
  g_assert_nonnull (strstr (error->message, "soft"));
  g_clear_error (&error);
  g_assert_null (recipe_with_number (recipe, 0, args_param (recipe_step (recipe, 0)->op, "sigma"), -1, &error));
  g_assert_cmpstr (step_error_field (error), ==, "sigma");
  g_assert_nonnull (strstr (error->message, "must be from 0 to"));
}

/* ---- Links ---- */

static void
check_link (const char *text, guint n, guint i, LinkKind kind, guint step)
{
  g_autoptr (Recipe) recipe = recipe_of (text);
  g_autoptr (GError) error = NULL;
  Link link;
  g_assert_true (link_find (recipe, n, i, &link, &error));
  g_assert_cmpint (link.kind, ==, kind);
  if (kind == LINK_RESULT)
    g_assert_cmpuint (link.step, ==, step);
}

static void
test_links (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) table = recipe_of ("label | regionprops as=t | gaussian from=t");
  Link link;
  check_link ("gaussian", 0, 0, LINK_SOURCE, 0);
  check_link ("gaussian | otsu", 1, 0, LINK_RESULT, 0);
  check_link ("gaussian | otsu from=source", 1, 0, LINK_SOURCE, 0);
  check_link ("label | regionprops | erosion", 2, 0, LINK_RESULT, 0); /* a table is not an image */
  check_link ("label | regionprops", 1, 1, LINK_NONE, 0);
  check_link ("gaussian as=a | otsu as=a | label from=a", 2, 0, LINK_RESULT, 1); /* the last of the name */
  check_link ("gaussian | otsu skip=yes | label", 2, 0, LINK_RESULT, 0);
  check_link ("label | regionprops | filter_objects", 2, 0, LINK_RESULT, 0);
  check_link ("label | regionprops | filter_objects", 2, 1, LINK_TABLE, 1);
  check_link ("label | regionprops as=t | regionprops | filter_objects table=t", 3, 1, LINK_TABLE, 1);
  check_link ("label | regionprops as=t | regionprops | filter_objects table=", 3, 1, LINK_TABLE, 2);
  check_link ("gaussian | otsu skip=yes from=source as=m | label from=m", 2, 0, LINK_SOURCE, 0);
  check_link ("gaussian as=g | erosion | otsu skip=yes from=g as=m | label from=m", 3, 0, LINK_RESULT, 0);
  check_link ("keep inside=oval(0,0,4,4)", 0, 1, LINK_SELECTION, 0);
  check_link ("label | regionprops intensity=file:a(1).tif", 1, 1, LINK_FILE, 0);
  g_assert_false (link_find (table, 2, 0, &link, &error));
  g_assert_nonnull (strstr (error->message, "'t' is a table"));
}

/* ---- Files ---- */

static void
check_refused (const char *text, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (recipe_parse (test_modules (), text, &error));
  g_assert_nonnull (strstr (error->message, says));
}

static char *
refuse (gpointer user, const char *path, GError **error)
{
  step_error_set (error, FV_BAD_INPUT, NULL, "%s %s", (const char *) user, path);
  return NULL;
}

/* A given limit has precedence over the default method. */
static void
test_limits (void)
{
  g_autoptr (Recipe) manual = recipe_of ("threshold lower=100");
  check (recipe_of ("threshold lower=100"), "threshold method=manual lower=100");
  check (recipe_of ("threshold upper=7"), "threshold method=manual upper=7");
  check (recipe_of ("threshold lower=128"), "threshold method=manual lower=128"); /* the default, but given */
  check (recipe_of ("threshold method=manual lower=3"), "threshold method=manual lower=3");
  check (recipe_of ("threshold"), "threshold");
  check (recipe_with_text (manual, 0, "method", "li", NULL), "threshold method=li");
  check_refused ("threshold method=otsu lower=100",
                 "lower requires method=manual, but method is otsu: remove one of them.");
  check_refused ("threshold upper=9 method=li", "upper requires method=manual");
}

/* A file can be a further input. Its path is relative to a folder and is kept with the text. */
static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe =
    recipe_of ("label | regionprops intensity=file:a.tif | regionprops intensity=file:/b/c.tif");
  check (recipe_in_folder (recipe, "/x y"),
         "label | regionprops intensity=\"file:/x y/a.tif\" | regionprops intensity=file:/b/c.tif");
  g_autofree char *here = g_get_current_dir (), *file = g_strdup_printf ("file:%s/a.tif", here),
                  *quoted = text_quote (file), *text = g_strdup_printf ("label | regionprops intensity=%s", quoted);
  g_autoptr (Recipe) shorter = recipe_of ("label | regionprops intensity=file:a.tif");
  check (recipe_in_folder (shorter, NULL), text);
  g_assert_null (recipe_with_files (recipe, refuse, (gpointer) "not", &error));
  g_assert_cmpstr (error->message, ==, "not a.tif");
  check (recipe_with_input (recipe, 1, 1, "file:d.tif", NULL),
         "label | regionprops intensity=file:d.tif | regionprops intensity=file:/b/c.tif");
  check (recipe_with_text (shorter, 1, "intensity", "", NULL), "label | regionprops");
  check_refused ("gaussian from=file:a.tif", "open the file to use it");
  check_refused ("label | regionprops intensity=file:", "followed by the name of an image file");
  check_refused ("label | regionprops | filter_objects table=file:a.csv", "must be a table, but a file is an image");
  check_refused ("gaussian as=file:a", "does not begin with file:");
}

/* Steps are equal when they take the same file as it is, and not when it was changed between. */
static void
test_changed_file (void)
{
  g_autofree char *path = NULL, *text = NULL;
  int fd = g_file_open_tmp ("fovea-XXXXXX.tif", &path, NULL);
  text = g_strdup_printf ("label | regionprops intensity=file:%s", path);
  g_autoptr (Recipe) one = recipe_of (text), same = recipe_of (text);
  g_assert_true (recipe_equal (one, same));
  g_assert_cmpint (write (fd, "x", 1), ==, 1);
  close (fd);
  g_autoptr (Recipe) other = recipe_of (text), copy = recipe_with_skip (one, 1, FALSE);
  g_assert_false (recipe_equal (one, other));
  g_assert_true (recipe_equal (one, copy)); /* which has what was opened, or will be */
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/recipe/format", test_format_is_a_fixed_point);
  g_test_add_func ("/recipe/errors", test_step_errors);
  g_test_add_func ("/recipe/copies", test_copies);
  g_test_add_func ("/recipe/renaming", test_renaming);
  g_test_add_func ("/recipe/refused", test_refused);
  g_test_add_func ("/recipe/links", test_links);
  g_test_add_func ("/recipe/limits", test_limits);
  g_test_add_func ("/recipe/files", test_files);
  g_test_add_func ("/recipe/changed-file", test_changed_file);
  return g_test_run ();
}
