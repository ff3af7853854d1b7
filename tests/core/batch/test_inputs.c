/* SPDX-License-Identifier: MIT
 *
 * Which files are the inputs, and what their outputs are called.
 */
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/batch/names.h"
#include "core/batch/stamp.h"
#include "core/files/formats.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static char *
below (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
make_folder (const char *name)
{
  g_autofree char *path = below (name);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
}

static void
make_file (const char *name)
{
  g_autofree char *path = below (name), *in = g_path_get_dirname (name);
  make_folder (in);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
}

static void
make_link (const char *name, const char *target)
{
  g_autofree char *path = below (name);
  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
remove_all (void)
{
  const char *const rm[] = {"rm", "-rf", folder, NULL};
  g_assert_true (g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
}

static BatchInputs *
inputs_of (const char *name, const char *out)
{
  g_autofree char *path = below (name), *out_path = below (out);
  g_autoptr (GError) error = NULL;
  BatchInputs *inputs = batch_inputs_new ((const char *const[]){path, NULL}, out_path, &error);
  g_assert_no_error (error);
  return inputs;
}

static void
check_names (const BatchInputs *inputs, const char *const *names)
{
  for (guint i = 0; i < inputs->files->len && names[i]; i++)
    g_assert_cmpstr (batch_input_name (inputs, i), ==, names[i]);
  g_assert_cmpuint (inputs->files->len, ==, g_strv_length ((char **) names));
}

/* ---- Inputs ---- */

static void
test_endings (void)
{
  static const char *const files[] = {"a.tif",  "b.TIFF", "c.Png", "d.jpg", "e.JPEG", "f.bmp",   "g.gif", "h.webp",
                                      "i.pnm",  "j.pbm",  "k.pgm", "l.ppm", "m.txt",  "n",       "tif",   "o.tif2",
                                      ".p.tif", "q.tif~", "r.tar", "s.csv", "t.tif/", "u.tif/x", "v.",    "w.ti"};
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *name = g_strconcat ("in/", files[i], NULL);
    (g_str_has_suffix (name, "/") ? make_folder : make_file) (name);
  }
  g_autoptr (BatchInputs) inputs = inputs_of ("in", "out");
  check_names (inputs, (const char *const[]){"a.tif", "b.TIFF", "c.Png", "d.jpg", "e.JPEG", "f.bmp", "g.gif", "h.webp",
                                             "i.pnm", "j.pbm", "k.pgm", "l.ppm", NULL});
  remove_all ();
}

/* Of links those to files, wherever they lead; what is neither a file nor a folder is left out. */
static void
test_kinds (void)
{
  g_autofree char *pipe = below ("in/pipe.tif");
  make_file ("in/d.tif/1.tif");
  make_file ("other/2.tif");
  make_file ("in/out/3.tif");
  make_file ("in/out2/4.tif");
  make_link ("in/file.tif", "../other/2.tif");
  make_link ("in/folder.tif", "../other");
  make_link ("in/gone.tif", "nowhere");
  make_link ("in/pipe2.tif", "pipe.tif");
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_autoptr (BatchInputs) inputs = inputs_of ("in", "in/out");
  check_names (inputs, (const char *const[]){"d.tif/1.tif", "file.tif", "gone.tif", "out2/4.tif", NULL});
  remove_all ();
}

static void
test_depth (void)
{
  g_autoptr (GString) path = g_string_new ("in");
  for (int i = 0; i < 257; i++) {
    if (i == 256)
      make_file (g_string_append (path, "/x.tif")->str), g_string_truncate (path, path->len - strlen ("/x.tif"));
    g_string_append (path, "/d");
  }
  make_file (g_string_append (path, "/y.tif")->str);
  g_autoptr (BatchInputs) inputs = inputs_of ("in", "out");
  g_assert_cmpuint (inputs->files->len, ==, 2);
  g_assert_null (batch_input (inputs, 1)->fault);
  g_assert_true (g_str_has_suffix (batch_input (inputs, 1)->path, "/d/x.tif"));
  g_assert_nonnull (strstr (batch_input (inputs, 0)->fault, "cannot be read"));
  remove_all ();
}

/* A format whose images are folders with a file `mark`. */
static gboolean
has_mark (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  g_autofree char *mark = g_build_filename (path, "mark", NULL);
  (void) self, (void) head;
  return n == 0 && g_file_test (mark, G_FILE_TEST_EXISTS);
}

/* A folder that is an image is one input, and its stamp and hash are those of all files in it. */
static void
test_folders (void)
{
  static const char *const none[] = {NULL};
  static const FileFormat marked = {.key = "marked", .endings = none, .is = has_mark};
  g_autofree char *inside = below ("in/b.marked/0/1.tif"), *itself = below ("in/b.marked");
  g_autoptr (GError) error = NULL;
  BatchStamp before, after;
  make_file ("in/a.tif");
  make_file ("in/b.marked/mark");
  make_file ("in/b.marked/0/1.tif");
  make_file ("in/c/2.tif");
  g_assert_true (formats_add (&marked, NULL));
  g_autoptr (BatchInputs) inputs = inputs_of ("in", "out"), one = inputs_of ("in/b.marked", "out");
  check_names (inputs, (const char *const[]){"a.tif", "b.marked", "c/2.tif", NULL});
  check_names (one, (const char *const[]){"b.marked", NULL});
  formats_remove (&marked);
  g_assert_true (batch_stamp_look (&before, itself, &error) && file_hash_of_path (itself, before.hash, &error));
  g_assert_true (g_file_set_contents (inside, "x", 1, NULL));
  g_assert_true (batch_stamp_look (&after, itself, &error) && file_hash_of_path (itself, after.hash, &error));
  g_assert_cmpint (before.size, ==, 0);
  g_assert_cmpint (after.size, ==, 1);
  g_assert_false (batch_stamp_is_same (&before, &after));
  g_assert_cmpstr (before.hash, !=, after.hash);
  remove_all ();
}

/* What they have in common is a folder, not the beginning of its name. */
static void
test_common (void)
{
  static const char *const files[] = {"/nowhere/ab/c/x.tif", "/nowhere/a/y.tif", "/nowhere/ab/x.tif", "", NULL};
  g_autoptr (BatchInputs) inputs = batch_inputs_of_files (files, NULL), one = batch_inputs_of_files (files + 2, NULL);
  g_assert_cmpstr (inputs->folder, ==, "/nowhere/");
  check_names (inputs, (const char *const[]){"a/y.tif", "ab/c/x.tif", "ab/x.tif", NULL});
  check_names (one, (const char *const[]){"x.tif", NULL});
}

/* ---- Names of outputs ---- */

static GPtrArray *
names_of (const char *const *files, const char *const *patterns, const char *table, GError **error)
{
  g_autoptr (BatchInputs) inputs = batch_inputs_of_files (files, NULL);
  return batch_names_new (inputs, patterns, "/nowhere/out", table, error);
}

static void
test_names (void)
{
  static const char *const files[] = {"/nowhere/in/.tif",
                                      "/nowhere/in/a.b.tif",
                                      "/nowhere/in/c",
                                      "/nowhere/in/d.e/f",
                                      "/nowhere/in/g#1.tif",
                                      "/nowhere/in/h#.tif",
                                      "/nowhere/in/i#1b.x",
                                      "/nowhere/in/j#x#20.tif",
                                      "/nowhere/in/k.png",
                                      "/nowhere/in/k.tif",
                                      NULL},
                           *const names[] = {".tif", "a.b",  "c",          "d.e/f", "g#1.tif",
                                             "h#",   "i#1b", "j#x#20.tif", "k.png", "k.tif"};
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = names_of (files, (const char *const[]){"a/{name}.x", "..{name}", NULL}, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < found->len; i++)
    g_assert_cmpstr (found->pdata[i], ==, names[i]);
  g_autofree char *first = batch_names_fill ("x{name}y", "n", 0), *other = batch_names_fill ("{name}", "n", 3);
  g_assert_cmpstr (first, ==, "xny");
  g_assert_cmpstr (other, ==, "n#3");
}

static void
test_refused (void)
{
  static const char *const files[] = {"/nowhere/in/a.tif", "/nowhere/in/b/c.tif", NULL};
  static const struct {
    const char *pattern, *table, *text;
  } cases[] = {{"name", NULL, "is one file for all images"},
               {"{name}/{name}", NULL, "more than once"},
               {"/{name}", NULL, "points outside the output folder"},
               {"a/../{name}", NULL, "points outside the output folder"},
               {"{name}", "/nowhere/in/b/c.tif", "is an input"},
               {"{name}.csv", "/nowhere/out/b/c.csv", "an output of one of them"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;
    g_assert_null (
      names_of (files, (const char *const[]){"{name}.png", cases[i].pattern, NULL}, cases[i].table, &error));
    g_assert_error (error, STEP_ERROR, FV_BAD_ARGUMENT);
    g_assert_nonnull (strstr (error->message, cases[i].text));
    g_error_free (error);
  }
}

/* A folder is searched until a stop is requested. */
static void
test_stop (void)
{
  const char *const names[] = {folder, NULL};
  g_autoptr (GError) error = NULL;
  Progress progress = {0};
  make_file ("stop/a.tif");
  progress_enter (&progress);
  g_autoptr (BatchInputs) inputs = batch_inputs_new (names, "", &error);
  g_assert_no_error (error);
  progress_stop (&progress);
  g_assert_null (batch_inputs_new (names, "", &error));
  progress_enter (NULL);
  g_assert_true (step_error_is_cancelled (error));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  g_test_add_func ("/inputs/endings", test_endings);
  g_test_add_func ("/inputs/kinds", test_kinds);
  g_test_add_func ("/inputs/depth", test_depth);
  g_test_add_func ("/inputs/folders", test_folders);
  g_test_add_func ("/inputs/common", test_common);
  g_test_add_func ("/inputs/names", test_names);
  g_test_add_func ("/inputs/refused", test_refused);
  g_test_add_func ("/inputs/stop", test_stop);
  return run_tests_in (folder);
}
