/* SPDX-License-Identifier: MIT
 *
 * Too little host memory is an error that names how much is needed and what would fit, before the run starts where that can be predicted. The program
 * keeps working. $FOVEA_HOST_MEMORY simulates a machine with little memory.
 */
#include "core/document/document.h"
#include "core/base/disk_memory.h"
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/base/host_memory.h"
#include "core/run/plan_memory.h"
#include "tests/support/support.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>

static const gsize mib = (gsize) 1 << 20;
static char *folder;

static const char workflow[] = "gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
                               "regionprops intensity=source | label2rgb from=cells overlay=source";

/* ---- Limits ---- */

static void
write_number (const char *group, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, group, NULL), *file = g_build_filename (path, name, NULL);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
}

static gsize
room_in (const char *groups)
{
  HostRoom room = {G_MAXSIZE, G_MAXSIZE, "no-user"};
  host_room_narrow_by_groups (&room, groups, folder);
  return room.bytes;
}

/* The narrowest group above counts; pages of files can be dropped. */
static void
test_groups (void)
{
  write_number ("two/inner", "memory.max", "max\n");
  write_number ("two/inner", "memory.current", "1000\n");
  write_number ("two", "memory.max", "5000\n");
  write_number ("two", "memory.current", "4000\n");
  write_number ("two", "memory.stat", "anon 7\ninactive_file 500\nactive_file 250\n");
  write_number ("memory/one/inner", "memory.limit_in_bytes", "9000\n");
  write_number ("memory/one/inner", "memory.usage_in_bytes", "2000\n");
  write_number ("memory/one/inner", "memory.stat", "inactive_file 1\ntotal_inactive_file 100\ntotal_active_file 0\n");
  write_number ("memory", "memory.limit_in_bytes", "9223372036854771712\n");
  write_number ("memory", "memory.usage_in_bytes", "50000\n");
  g_assert_cmpuint (room_in ("0::/two/inner\n"), ==, 1750);
  g_assert_cmpuint (room_in ("3:cpu:/x\n4:memory:/one/inner\n0::/\n"), ==, 7100);
  g_assert_cmpuint (room_in ("4:cpu,memory:/one/inner\n0::/two\n"), ==, 1750);
  write_number ("memory", "memory.limit_in_bytes", "51000\n");
  g_assert_cmpuint (room_in ("4:memory:/of/another/namespace\n"), ==, 1000);
  write_number ("memory", "memory.usage_in_bytes", "60000\n");
  g_assert_cmpuint (room_in ("4:memory:/one\n"), ==, 0);
  g_assert_cmpuint (room_in ("nonsense\n::\n4:memory\n0::/nowhere\n"), ==, G_MAXSIZE);
}

/* This machine's figures make sense. */
static void
test_machine (void)
{
  HostRoom room = host_room_for_pages ();
  g_assert_cmpuint (room.bytes, >, 0);
  g_assert_cmpuint (room.limit, <, (gsize) 1 << 50);
  g_assert_cmpuint (host_room_resident (), >, 0);
  g_assert_cmpuint (host_room_resident (), <, room.limit);
}

/* What is in memory counts, pages of files do not. */
static void
test_resident (void)
{
  gsize before = host_room_resident (), bytes = 32 * mib;
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *on_disk;
  fv_error error = FV_ERROR_INIT;
  g_assert_true (memory != MAP_FAILED);
  memset (memory, 1, bytes);
  g_assert_cmpuint (host_room_resident (), >, before + bytes / 2);
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
  g_assert_cmpint (disk_memory_map (NULL, bytes, &on_disk, &error), ==, FV_OK);
  g_setenv ("FOVEA_SCRATCH_LIMIT", "0", TRUE);
  memset (on_disk, 1, bytes);
  g_assert_cmpuint (host_room_resident (), <, before + bytes + bytes / 2);
  munmap (on_disk, bytes);
  disk_memory_gone (bytes);
  munmap (memory, bytes);
}

/* What is reserved but not written yet counts, once. */
static void
test_reserving (void)
{
  fv_error error = FV_ERROR_INIT;
  leave (300 * mib);
  g_assert_cmpint (host_memory_reserve (150 * mib, &error), ==, FV_OK);
  g_assert_cmpint (host_memory_reserve (150 * mib, &error), ==, FV_NO_MEMORY);
  g_test_message ("%s", error.text);
  g_assert_nonnull (strstr (error.text, "it needs 150.0\u00a0MiB more"));
  g_assert_nonnull (strstr (error.text, "FOVEA_HOST_MEMORY"));
  /* Not from malloc(), of which AddressSanitizer keeps what is freed. */
  void *memory = mmap (NULL, 150 * mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (memory != MAP_FAILED);
  memset (memory, 1, 150 * mib);
  g_assert_cmpint (host_memory_reserve (150 * mib, &error), ==, FV_NO_MEMORY);
  g_assert_cmpint (host_memory_reserve (50 * mib, &error), ==, FV_OK);
  host_memory_settle (150 * mib);
  host_memory_settle (50 * mib);
  munmap (memory, 150 * mib);
  g_assert_cmpint (host_memory_reserve (150 * mib, &error), ==, FV_OK);
  host_memory_settle (150 * mib);
  leave_all ();
}

/* How often this process has read from a file. */
static gint64
reads (void)
{
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents ("/proc/self/io", &text, NULL, NULL) ? strstr (text, "syscr: ") : NULL;
  return at ? g_ascii_strtoll (at + strlen ("syscr: "), NULL, 10) : -1;
}

/* Memory for tables is asked for within a step of a few hundred microseconds: the system's figures are looked at now and then. */
static void
test_asking (void)
{
  fv_error error = FV_ERROR_INIT;
  gint64 before = reads ();
  if (before < 0) {
    g_test_skip ("This system does not count what is read.");
    return;
  }
  for (int i = 0; i < 1000; i++)
    g_assert_cmpint (host_memory_ask (2 * mib, &error), ==, FV_OK);
  g_assert_cmpint (reads () - before, <, 1000);
  leave (100 * mib);
  g_assert_cmpint (host_memory_ask (200 * mib, &error), ==, FV_NO_MEMORY);
  g_assert_nonnull (strstr (error.text, "it needs 200.0\u00a0MiB more"));
  leave_all ();
}

static void
count (gpointer times)
{
  ++*(int *) times;
}

/* Memory that was kept is let go of before any is refused, and not sooner. */
static void
test_keepers (void)
{
  fv_error error = FV_ERROR_INIT;
  int times = 0;
  host_memory_add_keeper (count, &times);
  leave (200 * mib);
  times = 0;
  g_assert_cmpint (host_memory_reserve (50 * mib, &error), ==, FV_OK);
  host_memory_settle (50 * mib);
  g_assert_cmpint (times, ==, 0);
  g_assert_cmpint (host_memory_reserve (500 * mib, &error), ==, FV_NO_MEMORY);
  g_assert_cmpint (times, ==, 1);
  host_memory_remove_keeper (&times);
  leave_all ();
}

/* ---- Plans ---- */

static gboolean
check_plan (gint64 columns, gint64 rows, gint64 depth, GError **error)
{
  ImageInfo info = {.type = FV_U16,
                    .frames = 1,
                    .channels = 1,
                    .depth = depth,
                    .rows = rows,
                    .columns = columns,
                    .spacing = {1, 1, 1},
                    .name = (char *) "promised"};
  g_autoptr (Image) source = image_new_promised (&info);
  g_autoptr (Run) run = run_of (workflow, source);
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Plan) plan = plan_new (run, cpu);
  g_assert_cmpuint (plan->steps->len, >=, 4); /* regionprops has a limit of its own */
  return plan_memory_arrange (plan, cpu, error);
}

/* The size that the error suggests does fit, and not much more. */
static void
test_what_fits (void)
{
  g_autoptr (GError) error = NULL;
  gint64 rows = 0, columns = 0, planes = 0;
  leave (500 * mib);
  g_assert_false (check_plan (9000, 12000, 1, &error));
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_true (g_str_has_prefix (error->message, "label2rgb: "));
  g_assert_nonnull (strstr (error->message, "FOVEA_HOST_MEMORY"));
  g_assert_cmpint (
    sscanf (strstr (error->message, "Of the image, "), "Of the image, %ld × %ld pixels", &columns, &rows), ==, 2);
  g_assert_true (check_plan (columns, rows, 1, NULL));
  g_assert_false (check_plan (columns + columns / 20, rows + rows / 20, 1, NULL));
  g_clear_error (&error);
  g_assert_false (check_plan (1000, 1000, 500, &error));
  g_assert_cmpint (sscanf (strstr (error->message, "Of the image, "), "Of the image, %ld of its 500 planes", &planes),
                   ==, 1);
  g_assert_true (check_plan (1000, 1000, planes, NULL));
  leave_all ();
}

/* No number is too large for the sum. */
static void
test_huge_plan (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (check_plan ((gint64) 1 << 29, (gint64) 1 << 29, 1, &error));
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
}

/* ---- Runs ---- */

/* Scratch that follows from the pixels is refused when it is asked for: noise has a run in every other pixel. */
static void
test_scratch_of_pixels (void)
{
  g_autoptr (Image) noise = image_random (FV_I32, FV_LABELS, 1, 1, 2000, 2500, 3);
  g_autoptr (Run) run = run_of ("regionprops", noise);
  g_autoptr (GError) error = NULL;
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  leave (120 * mib);
  g_assert_false (run_execute (run, cpu, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_nonnull (strstr (error->message, "Not enough memory: it needs"));
  leave_all ();
  g_clear_error (&error);
  g_assert_true (run_execute (run, cpu, NULL, &error));
}

static void
wait_for (Document *document)
{
  while (document_busy (document))
    g_main_context_iteration (NULL, TRUE);
}

/* The app: an error in the step, and the next run works as before. */
static void
test_document (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 3000, 3000, 3);
  Worker *worker = worker_new ();
  Document *document = document_new (test_modules (), worker, source, NULL);
  const GError *error;
  guint failed_step;
  document_set_device (document, "cpu");
  leave (100 * mib);
  g_assert_true (document_set_steps (document, "otsu | gaussian sigma=3", NULL, NULL));
  wait_for (document);
  error = document_error (document, &failed_step);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_test_message ("step %u: %s", failed_step, error->message);
  g_assert_true (g_str_has_prefix (error->message, "gaussian: "));
  leave_all ();
  g_assert_true (document_set_steps (document, "otsu | gaussian sigma=2", NULL, NULL));
  wait_for (document);
  g_assert_no_error (document_error (document, &failed_step));
  g_object_unref (document);
  worker_free (worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* ---- The command ---- */

/* Standard error of `fovea`, which is to end with this status. */
static char *
fovea (int status, const char *limit, const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  char *said;
  for (const char *const *word = (const char *const[]){"sh", "-c", "$FOVEA_TEST_LIMIT; exec \"$@\"", "sh", NULL}; *word;
       word++)
    g_ptr_array_add (argv, g_strdup (*word));
  g_ptr_array_add (argv, g_build_filename (g_getenv ("FOVEA_BUILD"), "command", "fovea", NULL));
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, g_strdup (*arguments));
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_setenv (launcher, "FOVEA_TEST_LIMIT", limit, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, &error);
  g_assert_no_error (error);
  g_test_message ("%s: %s", limit, said);
  g_assert_true (g_subprocess_get_if_exited (process)); /* not by a signal */
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, status);
  return said;
}

#define FOVEA(STATUS, LIMIT, ...) fovea (STATUS, LIMIT, (const char *const[]){__VA_ARGS__, NULL})

/* 128 MiB of pixels, as a file. */
static void
save_large (void)
{
  g_autofree char *path = g_build_filename (folder, "large.tif", NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  g_autoptr (Image) large = image_random (FV_U8, FV_IMAGE, 1, 8, 4096, 4096, 1);
  g_autoptr (GError) error = NULL;
  files_save (large, path, &error);
  g_assert_no_error (error);
}

static void
assert_no_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_command (void)
{
  g_autofree char *run = NULL, *convert = NULL, *enough = NULL, *info = NULL;
  save_large ();
  info = FOVEA (0, "export FOVEA_HOST_MEMORY=100", "info", "large.tif");
  run = FOVEA (1, "export FOVEA_HOST_MEMORY=400", "run", "gaussian sigma=1 as=blurred | otsu", "large.tif", "-o",
               "run.tif");
  g_assert_nonnull (strstr (run, "fovea: otsu: Not enough memory: steps up to here need 768.0\u00a0MiB more"));
  g_assert_nonnull (strstr (run, "of its 8 planes would fit"));
  assert_no_file ("run.tif");
  convert = FOVEA (1, "export FOVEA_HOST_MEMORY=150", "convert", "large.tif", "convert.tif");
  g_assert_nonnull (strstr (convert, "Not enough memory"));
  assert_no_file ("convert.tif");
  enough = FOVEA (0, "export FOVEA_HOST_MEMORY=1500", "run", "--planes", "gaussian sigma=1 | otsu", "large.tif", "-o",
                  "enough.tif");
  g_assert_cmpstr (enough, ==, "");
}

/* Limits of the process itself; AddressSanitizer needs more addresses than any limit leaves. */
#ifndef __SANITIZE_ADDRESS__
static void
test_address_space (void)
{
  static const char *const limits[] = {"ulimit -v 700000", "ulimit -d 600000"};
  save_large ();
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    g_autofree char *run = FOVEA (1, limits[i], "run", "gaussian sigma=1 | otsu", "large.tif", "-o", "limited.tif");
    g_assert_nonnull (strstr (run, "Not enough memory"));
    g_assert_nonnull (strstr (run, "the limit on"));
    assert_no_file ("limited.tif");
  }
}
#endif

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-memory-XXXXXX", NULL);
  g_setenv ("FOVEA_SCRATCH_LIMIT", "0", TRUE); /* tests/core/run/test_disk.c has what the disk is for */
  g_test_add_func ("/host-memory/groups", test_groups);
  g_test_add_func ("/host-memory/machine", test_machine);
  g_test_add_func ("/host-memory/resident", test_resident);
  g_test_add_func ("/host-memory/reserving", test_reserving);
  g_test_add_func ("/host-memory/asking", test_asking);
  g_test_add_func ("/host-memory/keepers", test_keepers);
  g_test_add_func ("/host-memory/what-fits", test_what_fits);
  g_test_add_func ("/host-memory/huge-plan", test_huge_plan);
  g_test_add_func ("/host-memory/scratch-of-pixels", test_scratch_of_pixels);
  g_test_add_func ("/host-memory/document", test_document);
  g_test_add_func ("/host-memory/command", test_command);
#ifndef __SANITIZE_ADDRESS__
  g_test_add_func ("/host-memory/address-space", test_address_space);
#endif
  return run_tests_in (folder);
}
