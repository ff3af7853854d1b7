/* SPDX-License-Identifier: MIT
 *
 * Plugins as files: damaged ones, what is none, those that anybody may write, and those that take the program down.
 */
#include "core/ops/module.h"
#include "core/ops/module_elf.h"
#include "core/ops/module_trial.h"
#include "tests/support/support.h"

#include <elf.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *folder; /* temporary: plugins and the program's own folders */

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* Compiles tests/third_party_plugin/faulty.c; 11 is a sound one. */
static void
build (int fault, const char *path)
{
  const char *cc = g_getenv ("CC") ? g_getenv ("CC") : "cc";
  g_autofree char *define = g_strdup_printf ("-DFAULT=%d", fault);
  g_autofree char *include = g_strdup_printf ("-I%s/plugin", g_getenv ("FOVEA_SOURCE"));
  g_autofree char *source = g_build_filename (g_getenv ("FOVEA_SOURCE"), "tests/third_party_plugin/faulty.c", NULL);
  const char *argv[] = {cc, "-std=c11", "-shared", "-fPIC", include, define, source, "-o", path, NULL};
  int status;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static char *
make_folder (const char *name)
{
  char *path = path_of (name);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

/* `fovea ops`, with plugins from there; gives what it says. killed: a signal ends it. */
static char *
run (const char *program, const char *plugins, const char *option, gboolean killed, char **errors)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  char *out = NULL;
  if (plugins)
    g_subprocess_launcher_setenv (launcher, "FOVEA_PLUGIN_PATH", plugins, TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, program, "ops", option, NULL);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &out, errors, NULL);
  g_assert_cmpint (g_subprocess_get_if_signaled (process), ==, killed);
  if (!killed)
    g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return out;
}

static char *
fovea (void)
{
  return g_build_filename (g_getenv ("FOVEA_BUILD"), "command", "fovea", NULL);
}

/* ---- ELF ---- */

static void
check_bytes (const char *path, const char *bytes, gsize n, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  g_assert_cmpint (module_elf_check (path, &error), ==, !word);
  if (word)
    g_assert_nonnull (strstr (error->message, word));
}

/* Wherever it is cut off, it is not given to dlopen(). */
static void
test_cut (void)
{
  g_autofree char *path = path_of ("cut.so"), *bytes = NULL;
  gsize n;
  build (11, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  check_bytes (path, bytes, n, NULL);
  for (gsize length = 0; length < n; length += length < 1024 || n - length < 1024 ? 1 : 101)
    check_bytes (path, bytes, length, "cut.so");
  g_unlink (path);
}

static void
test_headers (void)
{
  g_autofree char *path = path_of ("header.so"), *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;
  build (11, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  const struct {
    gsize at;
    char value;
    const char *word;
  } cases[] = {{0, 'X', "not a shared library"},
               {EI_CLASS, 7, "another kind of machine"},
               {EI_DATA, 7, "another kind of machine"},
               {offsetof (Elf64_Ehdr, e_machine), 1, "another kind of machine"},
               {offsetof (Elf64_Ehdr, e_type), ET_EXEC, "another kind of ELF file"},
               {offsetof (Elf64_Ehdr, e_phentsize), 1, "damaged"},
               {offsetof (Elf64_Ehdr, e_phnum), 0, "nothing to load"},
               {offsetof (Elf64_Ehdr, e_phoff) + 7, 127, "cut off"},
               {offsetof (Elf64_Ehdr, e_shoff) + 6, 127, "cut off"},
               /* the first segment, whose header comes next */
               {sizeof (Elf64_Ehdr) + offsetof (Elf64_Phdr, p_offset) + 7, 127, "cut off"}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char was = bytes[cases[i].at];
    bytes[cases[i].at] = cases[i].value;
    check_bytes (path, bytes, n, cases[i].word);
    bytes[cases[i].at] = was;
  }
  g_unlink (path);
}

/* ---- Files that are not plugins ---- */

static void
test_no_files (void)
{
  g_autofree char *plugins = make_folder ("odd"), *pipe = path_of ("odd/pipe.so"),
                  *directory = make_folder ("odd/dir.so"), *device = path_of ("odd/zero.so"),
                  *dangling = path_of ("odd/dangling.so"), *program = fovea (), *errors = NULL, *out = NULL;
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", device), ==, 0);
  g_assert_cmpint (symlink ("/nowhere/x.so", dangling), ==, 0);
  out = run (program, plugins, NULL, FALSE, &errors);
  g_assert_nonnull (strstr (out, "gaussian"));
  g_assert_nonnull (strstr (errors, "pipe.so' is not a regular file"));
  g_assert_nonnull (strstr (errors, "dir.so' is a folder"));
  g_assert_nonnull (strstr (errors, "zero.so' is writable by everyone"));
  g_assert_nonnull (strstr (errors, "dangling.so' does not exist"));
}

/* ---- What anybody may write ---- */

static void
test_writable (void)
{
  g_autofree char *plugins = make_folder ("open"), *path = path_of ("open/sound.so"), *program = fovea ();
  struct {
    mode_t folder, file;
    const char *word; /* NULL: it is loaded */
  } cases[] = {{0700, 0600, NULL},
               {0775, 0664, NULL}, /* a group is another user */
               {0755, 0666, "sound.so' is writable by everyone"},
               {0777, 0644, "open' is writable by everyone"},
               {01777, 0644, "open' is writable by everyone"}};
  build (11, path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *errors = NULL, *out = NULL;
    g_chmod (plugins, cases[i].folder);
    g_chmod (path, cases[i].file);
    out = run (program, plugins, NULL, FALSE, &errors);
    g_assert_cmpint (strstr (out, "faulty") != NULL, ==, !cases[i].word);
    if (cases[i].word)
      g_assert_nonnull (strstr (errors, cases[i].word));
  }
}

static void
test_no_plugins (void)
{
  g_autofree char *plugins = make_folder ("sound"), *path = path_of ("sound/sound.so"), *program = fovea ();
  build (11, path);
  g_autofree char *with = run (program, plugins, NULL, FALSE, NULL);
  g_autofree char *without = run (program, plugins, "--no-plugins", FALSE, NULL);
  g_assert_nonnull (strstr (with, "faulty"));
  g_assert_null (strstr (without, "faulty"));
  g_assert_nonnull (strstr (without, "gaussian"));
}

static void
copy (const char *from, const char *to)
{
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (from, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (to, bytes, (gssize) n, NULL));
  g_chmod (to, 0700);
}

/* A copy of the program, and of the library that it looks for beside its folder, that are not in their build tree. */
static char *
copy_program (void)
{
  g_autofree char *from = fovea (), *bin = make_folder ("prefix/bin"), *beside = make_folder ("prefix/library"),
                  *library = g_build_filename (g_getenv ("FOVEA_BUILD"), "library", "libfovea.so.0", NULL),
                  *copied = path_of ("prefix/library/libfovea.so.0");
  char *program = path_of ("prefix/bin/fovea");
  copy (from, program);
  copy (library, copied);
  return program;
}

/* A file in the same folder is not loaded instead of the installed one. */
static void
test_beside (void)
{
  static const char *const folders[] = {"prefix/plugin", "prefix/plugins", "prefix/bin/plugin", "prefix/bin/plugins"};
  g_autofree char *program = copy_program ();
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *beside = make_folder (folders[i]), *shipped = g_build_filename (beside, "fovea-kernels.so", NULL);
    build (11, shipped);
  }
  g_autofree char *errors = NULL, *out = run (program, NULL, NULL, FALSE, &errors);
  g_assert_null (strstr (out, "faulty"));
  g_assert_true (strstr (out, "gaussian") || strstr (errors, "fovea-kernels.so' does not exist"));
}

/* `fovea` alone is the window: the one beside it, not one in a folder that only a build tree would have. */
static void
test_window (void)
{
  static const char *const scripts[] = {"prefix/bin/fovea-gtk", "prefix/ui/fovea-gtk"};
  g_autofree char *ui = make_folder ("prefix/ui"), *program = copy_program (), *out = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++) {
    g_autofree char *path = path_of (scripts[i]), *text = g_strdup_printf ("#!/bin/sh\necho %s $1\n", scripts[i]);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_chmod (path, 0700);
  }
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_subprocess_launcher_setenv (launcher, "DISPLAY", ":none", TRUE);
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawn (launcher, NULL, program, "--no-plugins", NULL);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, NULL);
  g_assert_cmpstr (out, ==, "prefix/bin/fovea-gtk --no-plugins\n");
}

/* ---- What takes the program down ---- */

static guint
count_markers (void)
{
  g_autofree char *markers = g_build_filename (g_get_user_state_dir (), "fovea", "loading", NULL);
  g_autoptr (GDir) dir = g_dir_open (markers, 0, NULL);
  guint n = 0;
  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

static void
test_crash (void)
{
  g_autofree char *plugins = make_folder ("crash"), *path = path_of ("crash/a.so"), *sound = path_of ("crash/b.so"),
                  *program = fovea (), *marker = NULL;
  build (10, path);
  build (11, sound);
  g_free (run (program, plugins, NULL, TRUE, NULL));
  for (int again = 0; again < 2; again++) { /* left out, and named, until something changes; the other is loaded */
    g_autofree char *errors = NULL, *out = run (program, plugins, NULL, FALSE, &errors);
    g_assert_nonnull (strstr (out, "faulty"));
    g_assert_nonnull (strstr (errors, "crash/a.so' was skipped because Fovea crashed while loading it"));
    g_assert_cmpuint (count_markers (), ==, 1);
    g_free (marker);
    marker = g_strdup (strstr (errors, "when you delete the file '") + strlen ("when you delete the file '"));
    *strchr (marker, '\'') = 0;
  }
  g_assert_cmpint (g_unlink (marker), ==, 0); /* as it says */
  g_free (run (program, plugins, NULL, TRUE, NULL));
  g_autofree char *without = run (program, plugins, "--no-plugins", FALSE, NULL);
  build (11, path); /* mended */
  g_unlink (sound);
  g_autofree char *errors = NULL, *out = run (program, plugins, NULL, FALSE, &errors);
  g_assert_nonnull (strstr (out, "faulty"));
  g_assert_cmpuint (count_markers (), ==, 0);
}

/* Two processes at once: a plugin that another process is loading, or has loaded, is not refused. */
static void
test_two (void)
{
  g_autofree char *markers = make_folder ("markers"), *path = path_of ("any.so");
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  ModuleTrials *first = module_trials_new (markers);
  g_assert_true (module_trial_begin (first, path, &error));
  ModuleTrials *second = module_trials_new (markers);
  g_assert_true (module_trial_begin (second, path, &error));
  module_trial_end (first);
  module_trial_end (second);
  module_trials_free (first);
  module_trials_free (second);
  g_assert_cmpint (g_rmdir (markers), ==, 0); /* empty */
}

/* Invalid markers are removed; a folder that cannot be written does not prevent loading. */
static void
test_odd_markers (void)
{
  static const char *const texts[] = {"", "x", "\n", "1 bytes of 2.3\n/nowhere/x.so", "\xff\xfe"};
  g_autofree char *markers = make_folder ("markers"), *path = path_of ("any.so"), *file = path_of ("markers/1.marker"),
                  *pipe = path_of ("markers/2.marker");
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_assert_true (g_file_set_contents (file, texts[i], -1, NULL));
    g_autoptr (ModuleTrials) trials = module_trials_new (markers);
    g_assert_true (module_trial_begin (trials, path, &error));
    module_trial_end (trials);
    g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));
  }
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (int i = 0; i < 2; i++) {
    g_autoptr (ModuleTrials) trials = module_trials_new (i ? "/dev/null/markers" : markers);
    g_assert_true (module_trial_begin (trials, path, &error));
    module_trial_end (trials);
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-module-files-XXXXXX", NULL);
  g_autofree char *state = make_folder ("state"), *data = make_folder ("data");
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_add_func ("/module-files/cut", test_cut);
  g_test_add_func ("/module-files/headers", test_headers);
  g_test_add_func ("/module-files/no-files", test_no_files);
  g_test_add_func ("/module-files/writable", test_writable);
  g_test_add_func ("/module-files/no-plugins", test_no_plugins);
  g_test_add_func ("/module-files/beside-the-program", test_beside);
  g_test_add_func ("/module-files/window", test_window);
  g_test_add_func ("/module-files/crash", test_crash);
  g_test_add_func ("/module-files/two-at-once", test_two);
  g_test_add_func ("/module-files/odd-markers", test_odd_markers);
  return run_tests_in (folder);
}
