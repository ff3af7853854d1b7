/* SPDX-License-Identifier: MIT
 *
 * FileTarget: a file appears whole or not at all, and nothing stays beside it.
 */
#include "core/base/file_target.h"
#include "core/base/error.h"
#include "core/base/file_temporary.h"
#include "tests/core/files/files_support.h"
#include "core/base/progress.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes and commits. */
static void
save_text (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  FileTarget *target = file_target_new (path, &error);
  g_assert_no_error (error);
  g_assert_true (file_target_write (target, text, strlen (text), &error));
  g_assert_true (file_target_commit (target, &error));
  g_assert_no_error (error);
}

static void
assert_contents (const char *path, const char *text)
{
  g_autofree char *contents = NULL;
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text);
}

static mode_t
mode_of (const char *path)
{
  GStatBuf about;
  g_assert_cmpint (g_stat (path, &about), ==, 0);
  return about.st_mode & 07777;
}

static void
test_new (void)
{
  g_autofree char *path = scratch ("table.csv");
  g_autoptr (GError) error = NULL;
  mode_t mask = umask (0027);
  FileTarget *target = file_target_new (path, &error);
  g_assert_no_error (error);
  g_assert_true (file_target_write (target, "1,2\n", 4, &error));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  file_target_abandon (target);
  g_assert_cmpuint (sweep (), ==, 0);
  save_text (path, "1,2\n");
  assert_contents (path, "1,2\n");
  g_assert_cmpint (mode_of (path), ==, 0640);
  g_assert_true (file_save_text (path, "private", 0600, &error)); /* of a new file only */
  g_assert_cmpint (mode_of (path), ==, 0640);
  g_assert_cmpuint (sweep (), ==, 1);
  g_assert_true (file_save_text (path, "private", 0600, &error));
  umask (mask);
  g_assert_cmpint (mode_of (path), ==, 0600);
  g_assert_cmpuint (sweep (), ==, 1);
}

/* What is replaced keeps its permissions and, where the system lets us, its owner; a link stays a link. */
static void
test_existing (void)
{
  g_autofree char *path = scratch ("real.csv"), *link = scratch ("link.csv");
  GStatBuf about;
  g_file_set_contents (path, "old", 3, NULL);
  if (geteuid () == 0)
    g_assert_cmpint (chown (path, 12345, 23456), ==, 0);
  g_chmod (path, 0604);
  g_assert_cmpint (symlink ("real.csv", link), ==, 0);
  save_text (link, "new");
  assert_contents (path, "new");
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (mode_of (path), ==, 0604);
  g_stat (path, &about);
  if (geteuid () == 0) {
    g_assert_cmpint (about.st_uid, ==, 12345);
    g_assert_cmpint (about.st_gid, ==, 23456);
  }
  g_assert_cmpuint (sweep (), ==, 2);
}

static void
check_refused (const char *path, const char *text)
{
  GError *error = NULL;
  g_assert_null (file_target_new (path, &error));
  check_error (error, FILE_ERROR_WRITE, path, text);
}

static void
test_refused (void)
{
  g_autofree char *missing = scratch ("none/a.csv"), *protected = scratch ("protected.csv"),
                  *under = scratch ("protected.csv/a.csv");
  check_refused (folder, "it is a folder");
  check_refused (missing, "does not exist");
  check_refused ("/dev/null", "it is not a regular file");
  g_file_set_contents (protected, "old", 3, NULL);
  check_refused (under, "does not exist");
  g_chmod (protected, 0444);
  if (g_access (protected, W_OK))
    check_refused (protected, "it is write-protected");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* More than the buffer and than what the disk may be behind, in pieces of all sizes. */
static void
test_large (void)
{
  gsize size = 50 << 20;
  g_autofree char *path = scratch ("large"), *contents = NULL, *bytes = g_malloc (size);
  g_autoptr (GError) error = NULL;
  FileTarget *target = file_target_new (path, &error);
  gsize n;
  g_assert_no_error (error);
  for (gsize i = 0; i < size; i++)
    bytes[i] = (char) (i * 2654435761u >> 13);
  for (gsize at = 0, piece = 1; at < size; at += n, piece = piece * 3 % (7 << 20)) {
    n = MIN (piece, size - at);
    g_assert_true (file_target_write (target, bytes + at, n, &error));
  }
  g_assert_true (file_target_commit (target, &error));
  g_assert_true (g_file_get_contents (path, &contents, &n, NULL));
  g_assert_cmpmem (contents, n, bytes, size);
  g_assert_cmpuint (sweep (), ==, 1);
}

/* While it is written and at its end. */
static void
test_stop (void)
{
  g_autofree char *path = scratch ("stopped.csv");
  Progress progress = {0};
  g_file_set_contents (path, "old", 3, NULL);
  progress_enter (&progress);
  for (int late = 0; late < 2; late++) {
    GError *error = NULL;
    FileTarget *target = file_target_new (path, &error);
    g_autofree char *much = g_malloc0 (1 << 20);
    progress.stop = !late;
    g_assert_true (file_target_write (target, much, 1 << 20, &error) == late);
    if (late) {
      progress_stop (&progress);
      g_assert_false (file_target_commit (target, &error));
    } else
      file_target_abandon (target);
    g_assert_true (step_error_is_cancelled (error));
    g_error_free (error);
  }
  progress_enter (NULL);
  assert_contents (path, "old");
  g_assert_cmpuint (sweep (), ==, 1);
}

/* What a signal's handler does while files are written: those that have names go, the old ones stay, and a file that was
 * committed. */
static void
test_remove_all (void)
{
  g_autofree char *path = scratch ("old.csv");
  char name[FILE_TEMPORARY_NAME], done[FILE_TEMPORARY_NAME];
  int here = open (folder, O_PATH | O_DIRECTORY);
  save_text (path, "old");
  file_temporary_new (here, name);
  file_temporary_new (here, done);
  close (openat (here, name, O_RDWR | O_CREAT, 0600));
  close (openat (here, done, O_RDWR | O_CREAT, 0600));
  file_temporary_forget (done);
  file_temporary_remove_all ();
  g_assert_cmpint (faccessat (here, name, F_OK, 0), ==, -1);
  g_assert_cmpint (faccessat (here, done, F_OK, 0), ==, 0);
  assert_contents (path, "old");
  file_temporary_forget (name);
  close (here);
  g_assert_cmpuint (sweep (), ==, 2);
}

/* Where standard input is closed files are number 0. */
static void
test_no_input (void)
{
  static const char *const names[] = {"a.tif", "a.png", "a.jpg"};
  int input = dup (STDIN_FILENO);
  g_autoptr (Image) image = image_random (FV_U8, FV_IMAGE, 1, 1, 9, 7, 1);
  close (STDIN_FILENO);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = scratch (names[i]);
    g_autoptr (GError) error = NULL;
    files_save (image, path, &error);
    g_assert_no_error (error);
    g_autoptr (Image) back = open_file (path);
    g_assert_cmpint (image_info (back)->columns, ==, 7);
    g_assert_nonnull (image_plane (back, 0, NULL));
  }
  g_assert_true (input < 0 || dup2 (input, STDIN_FILENO) == STDIN_FILENO);
  close (input);
  g_assert_cmpuint (sweep (), ==, 3);
}

/* ---- What others left ---- */

static int
make (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT, 0600);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static gboolean
exists (const char *path)
{
  GStatBuf about;
  return !g_lstat (path, &about);
}

static void
test_left (void)
{
  static const char *const left[] = {".fovea-0123abcd.part", ".fovea-0123456789abcdef.part"};
  static const char *const others[] = {".fovea-.part", ".fovea-mine.part", ".fovea-0123abcd.part~",
                                       "fovea-0123abcd.part"};
  g_autofree char *lives = scratch (".fovea-11111111.part"), *link = scratch (".fovea-22222222.part");
  g_autofree char *pipe = scratch (".fovea-33333333.part"), *path = scratch ("new.csv");
  int fd = make (lives);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  g_assert_cmpint (symlink (others[3], link), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    g_autofree char *name = scratch (left[i]);
    close (make (name));
  }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autofree char *name = scratch (others[i]);
    close (make (name));
  }
  save_text (path, "new");
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    g_autofree char *name = scratch (left[i]);
    g_assert_false (exists (name));
  }
  g_assert_true (exists (lives));
  g_assert_true (exists (link));
  g_assert_true (exists (pipe));
  close (fd);
  g_assert_cmpuint (sweep (), ==, 3 + G_N_ELEMENTS (others) + 1);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/files/target/left", test_left); /* first: a folder is looked through once */
  g_test_add_func ("/files/target/new", test_new);
  g_test_add_func ("/files/target/existing", test_existing);
  g_test_add_func ("/files/target/refused", test_refused);
  g_test_add_func ("/files/target/large", test_large);
  g_test_add_func ("/files/target/stop", test_stop);
  g_test_add_func ("/files/target/remove-all", test_remove_all);
  g_test_add_func ("/files/target/no-input", test_no_input);
  return run_files_tests ();
}
