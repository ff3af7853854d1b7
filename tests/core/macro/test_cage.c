/* SPDX-License-Identifier: MIT
 *
 * What macros may make: each writer of the list does its work where it may, and makes and changes nothing where it may not.
 */
#include "core/base/file_folder.h"
#include "core/base/file_target.h"
#include "core/base/text.h"
#include "core/files/files.h"
#include "core/macro/headless.h"
#include "core/macro/macro.h"
#include "core/macro/writers.h"
#include "core/recipe/macro_text.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* `home` is the home folder; the macro lies in `work`, `outside` is another folder. All are in `all`. */
static char *all, *home, *work, *outside;

/* ---- Macros ---- */

static char *
call_of (const MacroWriter *w, const char *path)
{
  g_autofree char *quoted = macro_text_string (path), *bare = g_strconcat ("path=", path, NULL),
                  *word = text_quote (bare), *quoted_word = macro_text_string (word);
  if (!strcmp (w->function, "saveAs") || !strcmp (w->function, "roiManager"))
    return g_strdup_printf ("%s(\"%s\", %s)", w->function, w->command, quoted);
  if (!strcmp (w->function, "run"))
    return g_strdup_printf ("run(\"%s\", %s)", w->command, quoted_word);
  if (!strcmp (w->function, "image:save"))
    return g_strdup_printf ("getImage():save(%s)", quoted);
  if (!strcmp (w->function, "table:save"))
    return g_strdup_printf ("getTable():save(%s)", quoted);
  if (!strcmp (w->function, "File.saveString"))
    return g_strdup_printf ("File.saveString(\"x\", %s)", quoted);
  if (!strcmp (w->function, "File.makeDirectory"))
    return g_strdup_printf ("File.makeDirectory(%s)", quoted);
  g_error ("say here how %s is called", w->function);
}

/* What every writer needs is there: an image, steps, a table, a selection. */
#define BEGIN "open(\"in.tif\"); run(\"erosion\"); makeRectangle(1, 1, 3, 3); run(\"Measure\");\n"

static GError *
run_text (const char *text, const MacroOptions *options)
{
  GError *error = NULL;
  g_autoptr (Headless) headless = headless_new (test_modules (), "cpu", NULL, &(HeadlessTalk){0});
  macro_run (text, strlen (text), "m.lua", headless_host (headless), options, NULL, &error);
  return error;
}

static GError *
run_call (const MacroWriter *w, const char *path, const char *macro, gboolean overwrite)
{
  g_autofree char *call = call_of (w, path), *text = g_strconcat (BEGIN, call, NULL);
  return run_text (text, &(MacroOptions){.path = macro, .overwrite = overwrite});
}

static const char *
ending_of (const MacroWriter *w)
{
  static char ending[16];
  g_snprintf (ending, sizeof ending, "%.*s", w->endings ? (int) strcspn (w->endings, " ") : 0,
              w->endings ? w->endings : "");
  return ending;
}

/* ---- What is there ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* A line for all that lies below, with what would change if it was written to, replaced or removed. */
static void
add_listing (GString *listing, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; (name = g_dir_read_name (dir));)
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare);
  for (guint i = 0; i < names->len; i++) {
    struct stat about;
    g_assert_no_errno (lstat (names->pdata[i], &about));
    g_autofree char *target = S_ISLNK (about.st_mode) ? g_file_read_link (names->pdata[i], NULL) : g_strdup ("");
    g_string_append_printf (listing, "%s %o %lu %lld.%09ld %s\n", (char *) names->pdata[i], about.st_mode,
                            S_ISDIR (about.st_mode) ? 0 : (gulong) about.st_ino,
                            S_ISDIR (about.st_mode) ? 0 : (long long) about.st_mtim.tv_sec,
                            S_ISDIR (about.st_mode) ? 0 : about.st_mtim.tv_nsec, target);
    if (S_ISDIR (about.st_mode))
      add_listing (listing, names->pdata[i]);
  }
}

static char *
list_all (void)
{
  GString *listing = g_string_new (NULL);
  add_listing (listing, all);
  return g_string_free (listing, FALSE);
}

/* ---- Attacks ---- */

static void
put (const char *folder, const char *name, const char *ending)
{
  g_autofree char *base = g_strconcat (name, ending, NULL), *path = g_build_filename (folder, base, NULL);
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
}

static void
put_link (const char *target_folder, const char *target, const char *name, const char *ending)
{
  g_autofree char *base = g_strconcat (name, ending, NULL), *path = g_build_filename (work, base, NULL),
                  *to_base = g_strconcat (target, ending, NULL), *to = g_build_filename (target_folder, to_base, NULL);
  g_unlink (path);
  g_assert_no_errno (symlink (to, path));
}

/* What the attacks with names of this ending need to be there. */
static void
prepare (const char *ending)
{
  g_autofree char *pipe_base = g_strconcat ("pipe", ending, NULL), *pipe = g_build_filename (work, pipe_base, NULL),
                  *folder_base = g_strconcat ("folder", *ending ? ending : ".d", NULL),
                  *folder = g_build_filename (work, folder_base, NULL);
  put (work, "old", *ending ? ending : ".d");
  put (outside, "old", ending);
  put (work, "thesis.docx", "");
  put_link (outside, "old", "link", ending);
  put_link (outside, "new", "dangling", ending);
  put_link (work, "old", "inside", *ending ? ending : ".d");
  g_assert_true (mkfifo (pipe, 0666) == 0 || errno == EEXIST);
  g_assert_true (g_mkdir (folder, 0700) == 0 || errno == EEXIST);
}

/* Of names that some writer's ending makes whole: what is wrong with them, and a word of the error. */
static const struct {
  const char *name, *word;
} attacks[] = {
  {".x", "hidden"},
  {".ssh/x", "hidden"},
  {".ssh/new/x", "hidden"},
  {"a/.hidden/x", "hidden"},
  {"..x", "hidden"},
  {"~/x", "~"},
  {"~x", "~"},
  {"-x", "-x"},
  {"a\nb", "control"},
  {"a\033[2Jb", "control"},
  {"a\x7f", "control"},
  {"a\xc2\x85", "control"},
  {"a\xe2\x80\xae"
   "b",
   "control"},
  {"../x", "--allow"},
  {"../work2/x", "--allow"}, /* a folder whose name begins as that of the allowed one */
  {"a/../../x", "--allow"},
  {"link", "--allow"},
  {"dangling", "--allow"},
  {"way/x", "--allow"},
  {"gone/x", "--allow"},
};

static void
check_refused (const MacroWriter *w, const char *path, const char *word, const char *macro)
{
  g_autofree char *before = list_all ();
  g_autoptr (GError) error = run_call (w, path, macro, FALSE);
  g_autofree char *after = list_all ();
  if (!error)
    g_error ("%s %s has written '%s'", w->function, w->command ? w->command : "", path);
  if (!strstr (error->message, word) || strchr (error->message, '\n')
      || !g_str_has_prefix (error->message, "m.lua:2: "))
    g_error ("of '%s': %s", path, error->message);
  g_assert_cmpstr (before, ==, after);
}

static void
test_attacks (gconstpointer writer)
{
  const MacroWriter *w = writer;
  const char *ending = ending_of (w);
  g_autofree char *macro = g_build_filename (work, "m.lua", NULL), *elsewhere = g_build_filename (outside, "x", NULL),
                  *whole = g_strconcat (elsewhere, ending, NULL), *backup = g_strconcat ("x", ending, "~", NULL),
                  *old_outside = g_strconcat (outside, "/old", ending, NULL);
  prepare (ending);
  for (guint i = 0; i < G_N_ELEMENTS (attacks); i++) {
    g_autofree char *path = g_strconcat (attacks[i].name, ending, NULL);
    check_refused (w, path, attacks[i].word, macro);
  }
  check_refused (w, whole, "--allow", macro);
  if (w->endings)
    check_refused (w, old_outside, "--allow", macro);
  check_refused (w, backup, "~", macro);
  /* Names that other programs use for what they run or trust. */
  static const char *const trusted[] = {".bashrc", ".ssh/authorized_keys", ".config/autostart/x.desktop",
                                        ".config/fovea/allowed-code", ".config/fovea/settings.ini"};
  for (guint i = 0; i < G_N_ELEMENTS (trusted); i++) {
    g_autofree char *path = g_build_filename (home, trusted[i], NULL), *own = g_build_filename (home, "own.lua", NULL);
    check_refused (w, trusted[i], "hidden", macro);
    check_refused (w, path, "", own);
  }
}

/* Files have endings, and replace nothing. */
static void
test_files (gconstpointer writer)
{
  static const char *const wrong[] = {"thesis.docx", "x.desktop", "x.lua", "x.sh",
                                      "x.py",        "x.html",    "x.ini", "x.operation"};
  static const struct {
    const char *name, *word;
  } there[] = {
    {"old", "--overwrite"}, {"inside", "is a link"}, {"pipe", "not a regular file"}, {"folder", "not a regular file"}};
  const MacroWriter *w = writer;
  const char *ending = ending_of (w);
  g_autofree char *macro = g_build_filename (work, "m.lua", NULL);
  prepare (ending);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    check_refused (w, wrong[i], ending, macro);
  for (guint i = 0; i < G_N_ELEMENTS (there); i++) {
    g_autofree char *path = g_strconcat (there[i].name, ending, NULL);
    check_refused (w, path, there[i].word, macro);
  }
}

/* A file, or a folder with all that is in it. */
static void
remove_made (const char *path)
{
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  file_folder_remove (AT_FDCWD, path);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* A macro in the home folder writes in that alone, and in folders that it has made. */
static void
test_home (gconstpointer writer)
{
  const MacroWriter *w = writer;
  const char *ending = ending_of (w);
  g_autofree char *macro = g_build_filename (home, "own.lua", NULL), *name = g_strconcat ("beside", ending, NULL),
                  *path = g_build_filename (home, name, NULL), *below = g_strconcat ("work/x", ending, NULL),
                  *made = g_strconcat ("made/x", ending, NULL), *call = call_of (w, made),
                  *text = g_strconcat (BEGIN "File.makeDirectory(\"made\") ", call, NULL);
  check_refused (w, below, "it may only write next to itself", macro);
  g_autoptr (GError) error = run_call (w, name, macro, FALSE);
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  error = run_text (text, &(MacroOptions){.path = macro});
  g_assert_no_error (error);
  g_autofree char *whole = g_build_filename (home, made, NULL), *folder = g_build_filename (home, "made", NULL);
  remove_made (whole);
  remove_made (path);
  g_assert_true (g_remove (folder) == 0);
  g_autofree char *allowed = call_of (w, below), *with_it = g_strconcat (BEGIN, allowed, NULL),
                  *there = g_build_filename (home, below, NULL);
  error = run_text (with_it, &(MacroOptions){.path = macro, .folders = (const char *const[]){home, NULL}});
  g_assert_no_error (error);
  remove_made (there);
}

/* ---- What works ---- */

static gboolean
keeps_attributes (const char *path)
{
  return !setxattr (path, "user.test", "", 0, 0);
}

static void
test_works (gconstpointer writer)
{
  const MacroWriter *w = writer;
  const char *ending = ending_of (w);
  g_autofree char *macro = g_build_filename (work, "m.lua", NULL), *other = g_build_filename (work, "n.lua", NULL),
                  *name = g_strconcat ("a/good", ending, NULL), *path = g_build_filename (work, name, NULL),
                  *call = call_of (w, name), *twice = g_strconcat (BEGIN, call, " ", call, NULL);
  const gboolean is_image_folder = !strcmp (ending, ".zarr");
  g_autoptr (GError) error =
    is_image_folder ? run_call (w, name, macro, FALSE) : run_text (twice, &(MacroOptions){.path = macro});
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, w->endings && !is_image_folder ? G_FILE_TEST_IS_REGULAR : G_FILE_TEST_IS_DIR));
  if (is_image_folder)
    check_refused (w, name, "is not a regular file", macro);
  else if (w->endings) {
    check_refused (w, name, "--overwrite", other);
    if (keeps_attributes (path)) { /* known again, until it is written to */
      error = run_call (w, name, macro, FALSE);
      g_assert_no_error (error);
      g_assert_true (g_file_set_contents_full (path, "mine", -1, G_FILE_SET_CONTENTS_NONE, 0666, NULL));
    }
    check_refused (w, name, "--overwrite", macro);
    error = run_call (w, name, macro, TRUE);
    g_assert_no_error (error);
  }
  remove_made (path);
}

/* ---- Other ways ---- */

static void
write_unasked (gpointer user, const char *line)
{
  GError **error = user;
  g_autofree char *path = g_build_filename (work, "unasked.txt", NULL);
  (void) line;
  g_assert_false (file_save_text (path, "x", 0666, error));
}

/* A function that does not say where it writes cannot. */
static void
test_unasked (void)
{
  g_autoptr (GError) error = NULL, fault = NULL;
  g_autofree char *macro = g_build_filename (work, "m.lua", NULL), *path = g_build_filename (work, "free.txt", NULL);
  const char text[] = "File.saveString(\"x\", \"asked.txt\") print(1)";
  g_autoptr (Headless) headless =
    headless_new (test_modules (), "cpu", NULL, &(HeadlessTalk){.print = write_unasked, .user = &fault});
  g_assert_true (
    macro_run (text, strlen (text), "m.lua", headless_host (headless), &(MacroOptions){.path = macro}, NULL, &error));
  g_assert_error (fault, FILE_ERROR, FILE_ERROR_WRITE);
  g_autofree char *asked = g_build_filename (work, "asked.txt", NULL);
  remove_made (asked);
  g_assert_true (file_save_text (path, "x", 0666, NULL)); /* the thread is free again */
  remove_made (path);
}

/* Between the check and the write a link replaces the folder, or a file appears under the new name. */
static void
test_swapped (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (work, "swapped", NULL), *path = g_build_filename (folder, "x.txt", NULL),
                  *away = g_build_filename (outside, "x.txt", NULL);
  g_assert_no_errno (g_mkdir (folder, 0700));
  file_targets_limit (FILE_TARGETS_NEW, path);
  g_autoptr (FileTarget) target = file_target_new (path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  g_assert_false (file_target_commit (g_steal_pointer (&target), &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_WRITE);
  g_clear_error (&error);
  remove_made (path);
  remove_made (folder);
  g_assert_no_errno (symlink (outside, folder));
  g_assert_null (file_target_new (path, &error));
  g_assert_error (error, FILE_ERROR, FILE_ERROR_WRITE);
  g_assert_false (g_file_test (away, G_FILE_TEST_EXISTS));
  file_targets_limit (FILE_TARGETS_ALL, NULL);
  g_assert_no_errno (g_unlink (folder));
}

/* Another image of a hidden folder does not open that for writing, and what a set is read from stays. */
static void
test_opened (void)
{
  g_autofree char *macro = g_build_filename (home, "own.lua", NULL),
                  *hidden = g_build_filename (home, ".ssh", "in.tif", NULL);
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 24, 30, 2);
  g_assert_true (files_save (image, hidden, NULL));
  g_autoptr (GError) error =
    run_text ("open(\".ssh/in.tif\")\nsaveAs(\"Tiff\", \".ssh/x.tif\")", &(MacroOptions){.path = macro});
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "hidden"));
  g_clear_error (&error);
  error = run_text ("open(\"work/in.tif\") saveAs(\"Tiff\", \"work/x.tif\")", &(MacroOptions){.path = macro});
  g_assert_no_error (error);
  g_autoptr (GError) below =
    run_text ("open(\"work/in.tif\")\nsaveAs(\"Tiff\", \"work/a/x.tif\")", &(MacroOptions){.path = macro});
  g_assert_nonnull (below);
  g_assert_nonnull (strstr (below->message, "it may only write next to itself"));
  g_autofree char *made = g_build_filename (work, "x.tif", NULL);
  remove_made (made);
  remove_made (hidden);
}

/* What Fovea keeps stays, even if a macro or an image lies there; the folder of macros is theirs. */
static void
test_own_folders (void)
{
  static const char text[] = "File.saveString(\"x\", \"x.txt\")";
  g_autofree char *folder = g_build_filename (home, ".config/fovea", NULL),
                  *kept = g_build_filename (folder, "m.lua", NULL), *macros = g_build_filename (folder, "macros", NULL),
                  *macro = g_build_filename (macros, "m.lua", NULL), *made = g_build_filename (macros, "x.txt", NULL);
  g_assert_no_errno (g_mkdir (macros, 0700));
  g_autoptr (GError) error = run_text (text, &(MacroOptions){.path = kept});
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "uses internally"));
  g_clear_error (&error);
  error = run_text (text, &(MacroOptions){.path = macro});
  g_assert_no_error (error);
  remove_made (made);
}

static void
add (const char *what, const MacroWriter *w, void (*test) (gconstpointer writer))
{
  g_autofree char *name =
    g_strdup_printf ("/cage/%s/%s%s%s", what, w->function, w->command ? "-" : "", w->command ? w->command : "");
  g_test_add_data_func (name, w, test);
}

static void
make_folders (void)
{
  static const char *const folders[] = {
    "home/.ssh",          "home/work/.ssh",          "home/work/a/.hidden",    "outside",
    "home/.config/fovea", "home/work/.config/fovea", "home/.config/autostart", "home/work/.config/autostart",
    "home/work2"};
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = g_build_filename (all, folders[i], NULL);
    g_assert_no_errno (g_mkdir_with_parents (path, 0700));
  }
  home = g_build_filename (all, "home", NULL);
  work = g_build_filename (home, "work", NULL);
  outside = g_build_filename (all, "outside", NULL);
  put (home, ".bashrc", "");
  put (home, ".ssh/authorized_keys", "");
  put (work, ".bashrc", "");
  put (work, "m.lua", "");
  put (work, "n.lua", "");
  g_autofree char *way = g_build_filename (work, "way", NULL), *gone = g_build_filename (work, "gone", NULL),
                  *nowhere = g_build_filename (outside, "nowhere", NULL);
  g_assert_no_errno (symlink (outside, way));
  g_assert_no_errno (symlink (nowhere, gone));
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 24, 30, 1);
  for (int i = 0; i < 2; i++) {
    g_autofree char *path = g_build_filename (i ? home : work, "in.tif", NULL);
    g_assert_true (files_save (image, path, NULL));
  }
}

int
main (int argc, char **argv)
{
  all = g_dir_make_tmp ("fovea-XXXXXX", NULL);
  make_folders ();
  g_setenv ("HOME", home, TRUE); /* before GLib looks */
  init_tests (&argc, &argv);
  for (const MacroWriter *w = writers_all (); w->function; w++) {
    add ("attacks", w, test_attacks);
    add ("works", w, test_works);
    add ("home", w, test_home);
    if (w->endings)
      add ("files", w, test_files);
  }
  g_test_add_func ("/cage/unasked", test_unasked);
  g_test_add_func ("/cage/swapped", test_swapped);
  g_test_add_func ("/cage/opened", test_opened);
  g_test_add_func ("/cage/own-folders", test_own_folders);
  return run_tests_in (all);
}
