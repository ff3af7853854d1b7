/* SPDX-License-Identifier: MIT
 *
 * Changes of steps as lines of a macro: their text, and that they make the same steps again from any steps.
 */
#include "core/recipe/macro_text.h"
#include "tests/support/support.h"

#include <lauxlib.h>
#include <string.h>

static const char *const none[] = {NULL};

static void
check_line (const char *before, const char *after, const char *line)
{
  g_autoptr (Recipe) a = recipe_of (before), b = recipe_of (after);
  g_autofree char *written = macro_text_change (test_modules (), a, b);
  g_assert_cmpstr (written, ==, line);
}

static void
test_lines (void)
{
  check_line ("", "gaussian sigma=5", "run(\"gaussian\", \"sigma=5\");");
  check_line ("", "gaussian sigma=5 border=wrap", "run(\"Gaussian Blur...\", \"sigma=5 border=wrap\");");
  check_line ("", "erosion", "run(\"erosion\");");
  check_line ("", "erosion footprint=square", "run(\"Erode\", \"footprint=square\");");
  check_line ("", "median radius=3", "run(\"median\", \"radius=3\");");
  check_line ("", "median", "run(\"Median...\");");
  check_line ("otsu", "otsu as=\"my mask\"", "run(\"Change Step...\", \"step=1 as=[my mask]\");");
  check_line ("gaussian", "gaussian sigma=3 border=wrap", "run(\"Change Step...\", \"step=1 sigma=3 border=wrap\");");
  check_line ("gaussian sigma=3 | otsu", "gaussian | otsu", "run(\"Change Step...\", \"step=1 sigma=2\");");
  check_line ("gaussian | otsu skip=yes", "gaussian | otsu", "run(\"Change Step...\", \"step=2 skip=no\");");
  check_line ("otsu as=a", "otsu", "run(\"Set Steps...\", \"steps=otsu\");");
  check_line ("gaussian | otsu", "gaussian", "run(\"Set Steps...\", \"steps=gaussian\");");
  check_line ("gaussian", "", "run(\"Set Steps...\", \"steps=[]\");");
  check_line ("", "gaussian | otsu", "run(\"Set Steps...\", \"steps=[gaussian | otsu]\");");
  check_line ("otsu", "otsu | keep inside=oval(1,2,3,4) outside=source",
              "run(\"Keep Inside...\", \"inside=oval(1,2,3,4) outside=source\");");
  check_line ("otsu", "otsu as=\"]\"", "run(\"Change Step...\", \"step=1 as=]\");");
  check_line ("otsu", "otsu as=\"] x\"", "run(\"Change Step...\", \"step=1 as=\\\"] x\\\"\");");
  check_line ("otsu", "otsu as=[x", "run(\"Change Step...\", \"step=1 as=\\\"[x\\\"\");");
}

/* What Lua reads in the line that was written: command and arguments. */
static int
take (lua_State *L)
{
  lua_settop (L, 2);
  lua_setglobal (L, "arguments");
  lua_setglobal (L, "command");
  return 0;
}

static Recipe *
replay (lua_State *L, const Recipe *before, const char *line)
{
  GError *error = NULL;
  g_assert_cmpint (luaL_dostring (L, line), ==, LUA_OK);
  lua_getglobal (L, "command");
  lua_getglobal (L, "arguments");
  const char *arguments = lua_tostring (L, -1);
  Recipe *after =
    macro_text_apply (test_modules (), before, lua_tostring (L, -2), arguments ? arguments : "", none, &error);
  g_assert_no_error (error);
  lua_settop (L, 0);
  return after;
}

static void
check_read (const char *command, const char *arguments, const char *wanted)
{
  GError *error = NULL;
  g_autoptr (Recipe) before = recipe_new (), right = recipe_of (wanted);
  g_autoptr (Recipe) made = macro_text_apply (test_modules (), before, command, arguments, none, &error);
  g_assert_no_error (error);
  g_autofree char *text = recipe_format (made), *right_text = recipe_format (right);
  if (!recipe_equal (made, right)) /* texts may have defaults that the line has */
    g_assert_cmpstr (text, ==, right_text);
}

/* Lines as ImageJ's recorder writes them. */
static void
test_imagej (void)
{
  check_read ("Median...", "radius=2", "median footprint=imagej radius=2");
  check_read ("Median...", "radius=1.2", "median footprint=imagej radius=1");
  check_read ("Median...", "radius=0.5", "median footprint=matrix matrix='0 1 0; 1 1 1; 0 1 0'");
  check_read ("Minimum...", "radius=1.5",
              "minimum footprint=matrix matrix='0 0 1 0 0; 0 1 1 1 0; 1 1 1 1 1; 0 1 1 1 0; 0 0 1 0 0'");
  check_read ("Median...", "radius=2 stack", "median footprint=imagej radius=2");
  check_read ("Median...", "radius=2 border=wrap", "median radius=2 border=wrap");
  check_read ("Median...", "", "median");
  check_read ("Minimum...", "radius=1", "minimum footprint=imagej radius=1");
  check_read ("Maximum...", "radius=1", "maximum footprint=imagej radius=1");
  check_read ("Mean...", "radius=3", "mean output=same footprint=imagej radius=3");
  check_read ("Variance...", "radius=3", "variance output=same footprint=imagej radius=3");
  check_read ("Gaussian Blur...", "sigma=2 scaled stack", "gaussian method=imagej output=same sigma=2 units=physical");
  check_read ("Unsharp Mask...", "radius=3 mask=0.60", "unsharp method=imagej output=same sigma=3 amount=1.5");
  check_read ("Subtract Background...", "rolling=50 light", "rolling_ball radius=50 light=yes");
  check_read ("Subtract Background...", "rolling=20 disable stack", "rolling_ball radius=20 smooth=no");
  check_read ("Subtract Background...", "rolling=50 light sliding disable",
              "rolling_ball radius=50 light=yes method=paraboloid smooth=no");
  check_read ("Enhance Contrast...", "saturated=0.5 normalize process_all use", "contrast saturated=0.5 over=series");
  check_read ("Find Maxima...", "prominence=12 strict exclude light output=[Maxima Within Tolerance]",
              "maxima prominence=12 strict=yes exclude_edges=yes light=yes output=areas | interpret role=mask");
  check_read ("Find Maxima...", "noise=5 output=[Single Points]", "maxima prominence=5 | interpret role=mask");
  check_read ("Find Edges", "", "sobel method=imagej");
  check_read ("Find Edges...", "", "sobel");
  check_read ("Add Noise", "", "noise");
  check_read ("Add Specified Noise...", "standard=15 stack", "noise sigma=15");
  check_read ("Salt and Pepper", "stack", "noise method=salt_and_pepper");
  check_read ("Bleach Correction", "correction=[Simple Ratio] background=0", "bleach");
  check_read ("Reslice [/]...", "output=1.000 start=Left flip avoid", "reslice start=left flip=yes");
  check_read ("Make Montage...", "columns=5 rows=4 scale=1 increment=1 border=0 font=12", "montage columns=5 rows=4");
  check_read ("Lab Stack", "", "rgb to=lab");
  check_read ("HSB (32-bit)", "", "rgb to=hsb");
  check_read ("Erode", "", "minimum footprint=square radius=1 border=constant");
  check_read ("Dilate", "stack", "dilation footprint=square");
  check_read ("Open", "", "minimum footprint=square radius=1 border=constant | dilation footprint=square");
  check_read ("Close-", "", "dilation footprint=square | minimum footprint=square radius=1 border=constant");
  check_read ("Skeletonize", "", "skeleton method=imagej");
  check_read ("Fill Holes", "stack", "fill_holes");
  check_read ("Watershed", "stack", "split method=imagej | interpret role=mask");
  check_read ("Z Project...", "projection=[Max Intensity]", "project");
  check_read ("Z Project...", "start=2 stop=9 projection=[Average Intensity] all",
              "project method=mean output=same first=1 count=8");
  check_read ("Z Project...", "projection=[Standard Deviation]", "project method=sd ddof=1");
  check_read ("Stack to Hyperstack...", "order=xyczt(default) channels=1 slices=1 frames=20 display=Color",
              "hyperstack channels=1 frames=20");
  check_read ("Stack to Hyperstack...", "order=xytzc channels=2 slices=3 frames=4 display=Composite",
              "hyperstack channels=2 slices=3 frames=4 order=tzc");
  check_read ("Duplicate...", "title=[my part] duplicate range=2-5", "substack slices=2-5 as=\"my part\"");
  check_read ("Duplicate...", "duplicate channels=1-2 slices=3 frames=4-6",
              "substack slices=3 channels=1-2 frames=4-6");
}

static const char *
one_of (GRand *random, const char *const *list)
{
  return list[g_rand_int_range (random, 0, (gint32) g_strv_length ((char **) list))];
}

/* Steps of all kinds that need nothing before them, with words that are hard to write. */
static Recipe *
random_change (GRand *random, const Recipe *before)
{
  static const char *const whole[] = {"gaussian sigma=5",
                                      "gaussian",
                                      "otsu as=mask",
                                      "label",
                                      "erosion",
                                      "erosion footprint=square",
                                      "median radius=3",
                                      "threshold",
                                      "channel index=1 as=\"a b\"",
                                      "otsu as=\"x [1\" | label from=\"x [1\"",
                                      "keep inside=oval(1,2,3,4.5)",
                                      "regionprops as=rows",
                                      NULL};
  static const char *const keys[] = {"sigma", "border", "as", "skip", "from", "iterations", "index", NULL};
  static const char *const values[] = {"1",  "2.5", "wrap", "yes",    "no",   "a b", "it's \"so\"", "",  "[x]", "x]",
                                       "\\", "|",   "a\nb", "source", "µm [", "'",   "\t\r\n",      "[", NULL};
  guint n = recipe_length (before), index = n ? (guint) g_rand_int_range (random, 0, (gint32) n) : 0;
  g_autoptr (Recipe) nothing = recipe_new ();
  switch (g_rand_int_range (random, 0, n ? 6 : 1)) {
  case 0: return recipe_with_parsed (before, n, 0, test_modules (), one_of (random, whole), NULL);
  case 1: return recipe_with_steps (before, index, 1, nothing, NULL);
  case 2: return recipe_with_move (before, index, (guint) g_rand_int_range (random, 0, (gint32) n), NULL);
  case 3: return recipe_with_parsed (before, index, 0, test_modules (), one_of (random, whole), NULL);
  default: return recipe_with_text (before, index, one_of (random, keys), one_of (random, values), NULL);
  }
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20261122);
  lua_State *L = luaL_newstate ();
  Recipe *now = recipe_new ();
  guint changes = 0;
  lua_register (L, "run", take);
  for (int i = 0; i < 20000; i++) {
    Recipe *next = recipe_length (now) > 6 ? recipe_new () : random_change (random, now);
    if (!next)
      continue;
    g_autofree char *line = macro_text_change (test_modules (), now, next), *wanted = recipe_format (next);
    g_autoptr (Recipe) made = replay (L, now, line);
    g_autofree char *text = recipe_format (made);
    g_assert_null (strchr (line, '\n'));
    g_assert_cmpstr (text, ==, wanted);
    g_assert_true (recipe_equal (made, next));
    recipe_unref (now);
    now = next;
    changes++;
  }
  g_assert_cmpuint (changes, >, 5000);
  recipe_unref (now);
  lua_close (L);
}

static void
check_fault (const char *command, const char *arguments, const char *part)
{
  g_autoptr (Recipe) before = recipe_of ("gaussian | otsu");
  g_autoptr (GError) error = NULL;
  g_assert_null (
    macro_text_apply (test_modules (), before, command, arguments, (const char *const[]){"Measure", NULL}, &error));
  if (!strstr (error->message, part))
    g_error ("'%s' is not in: %s", part, error->message);
}

static void
test_faults (void)
{
  check_fault ("Gausian Blur...", "", "Unknown command 'Gausian Blur...'. Did you mean 'Gaussian Blur...'");
  check_fault ("gausian", "", "Did you mean 'gaussian'?");
  check_fault ("xyzzy", "", "Unknown command 'xyzzy'. See 'fovea ops'");
  check_fault ("Mesure", "", "Did you mean 'Measure'");
  check_fault ("Gaussian Blur...", "sigm=2", "sigma");
  check_fault ("Gaussian Blur...", "sigma", "'sigma' is not NAME=VALUE");
  check_fault ("Gaussian Blur...", "sigma=[2", "Unclosed bracket: sigma=[2");
  check_fault ("Gaussian Blur...", "border=\"2", "Unclosed quotation mark");
  check_fault ("Gaussian Blur...", "sigma=2 | otsu", "'|' is not NAME=VALUE");
  check_fault ("Change Step...", "step=3 sigma=2", "which is 2");
  check_fault ("Change Step...", "sigma=2", "begins with step=N");
  check_fault ("Change Step...", "step=2 sigma=2", "sigma");
  check_fault ("Bleach Correction", "correction=[Simple Ratio] background=12", "before it takes means");
  check_fault ("Bleach Correction", "correction=[Histogram Matching]", "next value of the first frame");
  check_fault ("Duplicate...", "title=x", "ImageJ's Duplicate... is supported only with");
  check_fault ("Duplicate...", "title=x duplicate ignore", "of which it needs duplicate");
  check_fault ("Median...", "radius=2 slice", "with slice changes only the current slice");
  check_fault ("Median...", "radius=2 border", "'border' is not NAME=VALUE");
  check_fault ("Find Maxima...", "prominence=2 output=Count", "does not change the image, but counts maxima");
  check_fault ("Unsharp Mask...", "radius=2 mask=x", "amount");
  check_fault ("Z Project...", "start=3 stop=2 projection=[Max Intensity]", "count");
  check_fault ("Z Project...", "projection=[Max]", "projection");
  check_fault ("Set Steps...", "gaussian", "accepts steps=");
  check_fault ("Set Steps...", "steps=[gaussian | ots]", "Did you mean 'otsu'");
}

static void
test_no_steps (void)
{
  g_autoptr (Recipe) before = recipe_new ();
  g_autoptr (GError) error = NULL;
  g_assert_null (macro_text_apply (test_modules (), before, MACRO_CHANGE_STEP, "step=1 sigma=2", none, &error));
  g_assert_true (strstr (error->message, "which is 0") != NULL);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/macro_text/lines", test_lines);
  g_test_add_func ("/macro_text/imagej", test_imagej);
  g_test_add_func ("/macro_text/random", test_random);
  g_test_add_func ("/macro_text/faults", test_faults);
  g_test_add_func ("/macro_text/no-steps", test_no_steps);
  return g_test_run ();
}
