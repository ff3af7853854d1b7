/* SPDX-License-Identifier: MIT
 *
 * Images that do not fit into memory. Results are those of a run with enough of it, on disk or strip by strip; what does not fit there either is an
 * error that says so. $FOVEA_HOST_MEMORY simulates a machine with little memory.
 */
#include "core/base/disk_memory.h"
#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/data/host_slot.h"
#include "core/data/table.h"
#include "core/files/files.h"
#include "core/run/plan_memory.h"
#include "tests/support/op_inputs.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h> /* which gives posix_fallocate() the name that is called */
#include <glib/gstdio.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static const gsize mib = (gsize) 1 << 20;
static char *folder; /* for files and for what goes to the disk */
static gboolean disk_is_full;

/* Of large images: what stands on the disk counts, not what is computed. */
static const char few[] = "channel index=1 | gaussian sigma=1 | otsu";
static const char workflow[] =
  "channel index=1 as=green | gaussian sigma=3 | otsu | erosion footprint=disk radius=2 | label as=cells | "
  "regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells";

#ifdef __SANITIZE_ADDRESS__
/* What was freed counts as free at once: else what is left depends on how much the sanitizer keeps to look after, and when it lets go. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "quarantine_size_mb=1:allocator_release_to_os_interval_ms=0";
}
#endif

/* Replaces the C library's. */
int
posix_fallocate (int fd, off_t first, off_t bytes)
{
  return disk_is_full ? ENOSPC : ftruncate (fd, first + bytes) ? errno : 0;
}

/* ---- With little memory ---- */

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

static guint
files_in_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir))
    n++;
  return n;
}

/* The image as a file of compressed tiles. */
static char *
save (Image *image, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  files_save_as (image, path, "compression=deflate tile=256", &error);
  g_assert_no_error (error);
  return path;
}

static char *
save_noise (fv_type type, fv_role role, gint64 channels, gint64 depth, gint64 rows, gint64 columns, const char *name)
{
  g_autoptr (Image) noise = image_random (type, role, channels, depth, rows, columns, 7);
  return save (noise, name);
}

static Image *
open_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  Image *image = files_open (path, 0, &error);
  g_assert_no_error (error);
  return image;
}

static void
assert_tables_equal (Table *a, Table *b)
{
  g_assert_true (!a == !b);
  if (!a)
    return;
  g_assert_cmpint (table_rows (a), ==, table_rows (b));
  g_assert_cmpuint (table_columns (a), ==, table_columns (b));
  for (guint j = 0; j < table_columns (a); j++)
    for (gint64 i = 0; i < table_rows (a); i++) {
      double x = table_value (a, j, i), y = table_value (b, j, i);
      g_assert_true (x == y || (x != x && y != y));
    }
}

static void
assert_runs_equal (const Run *a, const Run *b)
{
  for (guint i = 0; i < run_length (a); i++) {
    const CallResult *x = &run_result (a, i)->result, *y = &run_result (b, i)->result;
    gsize scalars = (gsize) x->scalar_rows * run_result (a, i)->step->op->n_scalars * sizeof *x->scalars;
    g_assert_cmpuint (x->n_images, ==, y->n_images);
    for (guint k = 0; k < x->n_images; k++)
      assert_images_equal (x->images[k], y->images[k]);
    assert_tables_equal (x->table, y->table);
    g_assert_cmpint (x->scalar_rows, ==, y->scalar_rows);
    g_assert_cmpmem (x->scalars, scalars, y->scalars, scalars);
  }
}

/* Runs the steps on a file with so much more memory than there is now, and compares it with `all`, which had enough, or ended with `error`.
 * What was made so; NULL: both ended with the same error. *source: of the image. */
static Run *
check_with (const Run *all, const GError *error, const char *steps, const char *path, gsize more, Image **source)
{
  g_autoptr (GError) other = NULL;
  Run *some = run_of (steps, *source = open_file (path));
  g_test_message ("%s", steps);
  leave (more);
  gboolean done = run_execute (some, cpu (), NULL, &other);
  leave_all ();
  if (!error) {
    g_assert_no_error (other);
    assert_runs_equal (all, some);
    return some;
  }
  g_assert_false (done);
  g_assert_cmpstr (error->message, ==, other->message);
  run_free (some);
  return NULL;
}

static Run *
check (const char *steps, const char *path, gsize more, Image **source)
{
  g_autoptr (Image) image = open_file (path);
  g_autoptr (Run) all = run_of (steps, image);
  g_autoptr (GError) error = NULL;
  run_execute (all, cpu (), NULL, &error);
  return check_with (all, error, steps, path, more, source);
}

/* ---- Runs ---- */

/* The channels lie pixel by pixel in the file. Nothing of the disk has a name. */
static void
test_workflow (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_RGB, 3, 1, 2100, 1900, "rgb.tif");
  g_autoptr (Image) source = NULL;
  guint files = files_in_folder ();
  g_autoptr (Run) run = check (workflow, path, 90 * mib, &source);
  guint64 bytes;
  g_assert_cmpuint (run_on_disk (run, &bytes), >=, 3);
  g_assert_cmpuint (bytes, >, 30 * mib);
  g_assert_true (image_can_stream (source)); /* was read strip by strip */
  g_assert_cmpuint (files_in_folder (), ==, files);
}

/* Whether it would take minutes: its work grows with the square of the image. */
static gboolean
is_long (const char *steps, Image *source)
{
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), steps, NULL);
  Image *inputs[OP_MAX_ARRAYS];
  for (guint i = 0; i < OP_MAX_ARRAYS; i++)
    inputs[i] = source;
  return recipe && op_is_long (recipe_step (recipe, 0)->op, recipe_step (recipe, 0)->args, inputs);
}

/* Noise for an operation: of 8 bits, or of floats with the channels that it wants, at a fraction of the size. */
static char *
save_noise_for (const Op *op, Image **alike)
{
  const gint64 channels = op_channels (op), rows = channels == 1 ? 1100 : 220, columns = channels == 1 ? 1300 : 260;
  const fv_type type = channels == 1 ? FV_U8 : FV_F32;
  *alike = image_random (type, FV_IMAGE, channels, 1, rows, columns, 7);
  return save (*alike, "noise.tif");
}

/* Every operation, where it is given noise for all that it takes. Scratch that follows from the pixels is on disk, too; a
 * table of the peaks of noise, or of the borders of its objects, is not, and takes its 4 MiB. */
static void
test_every_operation (void)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    if (!op->fv.run[FV_CPU] || !op->n_inputs)
      continue;
    g_autoptr (GString) steps = g_string_new (op->fv.key);
    g_autoptr (Image) source = NULL, alike = NULL;
    g_autofree char *noise = save_noise_for (op, &alike);
    for (guint k = 1; k < op->n_inputs; k++)
      if (op->fv.inputs[k].types & FV_WANTS_TABLE)
        g_string_prepend (steps, "regionprops | ");
      else if (!op->fv.inputs[k].optional)
        g_string_append_printf (steps, " %s=source", op->fv.inputs[k].key);
    gboolean tried = !is_long (steps->str, alike);
    g_clear_pointer (&alike, image_unref);
    g_autoptr (Run) run = tried ? check (steps->str, noise, 88 * mib, &source) : NULL;
    if (tried && !run) /* those that may be missing only where there are more channels or frames */
      for (guint k = 1; k < op->n_inputs; k++)
        if (op->fv.inputs[k].optional && !(op->fv.inputs[k].types & FV_WANTS_TABLE)) {
          g_string_append_printf (steps, " %s=source", op->fv.inputs[k].key);
          g_clear_pointer (&source, image_unref);
          if ((run = check (steps->str, noise, 88 * mib, &source)))
            break;
        }
    g_assert_true (!tried || run);
  }
}

/* Scratch, however much memory there is for it, goes to the disk before a table has none. */
static void
test_room_for_a_table (void)
{
  static const char steps[] = "merge_objects intensity=source";
  g_autofree char *gray = save_noise (FV_U8, FV_IMAGE, 1, 1, 1100, 1300, "table.tif");
  g_autoptr (Image) image = open_file (gray);
  g_autoptr (Run) all = run_of (steps, image);
  g_autoptr (GError) error = NULL;
  g_assert_true (run_execute (all, cpu (), NULL, &error));
  for (gsize more = 88; more <= 128; more += 20) {
    g_autoptr (Image) source = NULL;
    g_autoptr (Run) run = check_with (all, NULL, steps, gray, more * mib, &source);
    g_assert_nonnull (run);
  }
}

/* What looks at the neighborhood reads the file strip by strip, with all its halo. */
static void
test_strips (void)
{
  static const char *const texts[] = {
    "gaussian sigma=4 border=nearest",
    "gaussian sigma=4 border=reflect",
    "gaussian sigma=5,0.5",
    "erosion footprint=disk radius=6",
    "dilation radius=1 iterations=4",
    "closing footprint=disk radius=2 iterations=3",
  };
  g_autofree char *plane = save_noise (FV_U16, FV_IMAGE, 1, 1, 3003, 3500, "plane.tif");
  g_autofree char *stack = save_noise (FV_U16, FV_IMAGE, 2, 12, 1051, 400, "stack.tif");
  const char *const paths[] = {plane, stack};
  for (guint i = 0; i < G_N_ELEMENTS (texts) * 2; i++) {
    g_autoptr (Image) source = NULL;
    g_autoptr (Run) run = check (texts[i / 2], paths[i % 2], 92 * mib, &source);
    g_assert_nonnull (run);
    g_assert_true (image_can_stream (source));
  }
}

static void
test_volume (void)
{
  g_autofree char *path = save_noise (FV_U16, FV_IMAGE, 1, 30, 300, 310, "volume.tif");
  g_autoptr (Image) source = NULL;
  g_autoptr (Run) run = check ("gaussian sigma=1 volume=yes as=smooth | otsu volume=yes | label volume=yes as=cells | "
                               "regionprops volume=yes intensity=smooth properties=label,area,intensity_mean | "
                               "label2rgb from=cells | zoom factor=1.3 from=smooth",
                               path, 72 * mib, &source);
  g_assert_nonnull (run);
  g_assert_cmpuint (run_on_disk (run, NULL), >=, 2);
}

/* A source that a step needs whole is read to the disk, all channels together. */
static void
test_whole_source (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_RGB, 3, 1, 2100, 1900, "whole.tif");
  g_autoptr (Image) source = NULL;
  g_autoptr (Run) run = check ("otsu", path, 76 * mib, &source);
  g_assert_nonnull (run);
  g_assert_cmpuint (image_on_disk (source), >, 2 * image_bytes (source) / 3);
}

/* No more goes to the disk than has to. */
static void
test_part_of_an_image (void)
{
  g_autoptr (Image) mask = image_random (FV_U8, FV_MASK, 1, 1, 2000, 2000, 3);
  g_autoptr (Run) all = run_of ("label", mask), some = run_of ("label", mask);
  g_autoptr (GError) error = NULL;
  g_assert_true (run_execute (all, cpu (), NULL, &error));
  leave ((64 + 14) * mib); /* of which half is for images: 7 MiB, and labels are 15.3, with 0.5 of scratch */
  g_assert_true (run_execute (some, cpu (), NULL, &error));
  leave_all ();
  g_assert_cmpuint (image_on_disk (run_image (some, 0, 0)), >=, 7 * mib);
  g_assert_cmpuint (image_on_disk (run_image (some, 0, 0)), <=, 11 * mib);
  assert_runs_equal (all, some);
}

/* Strips of the file are uploaded to a GPU, which the CPU simulates. */
static void
test_gpu (void)
{
  static const char steps[] = "gaussian sigma=4 | erosion radius=2";
  g_autofree char *path = save_noise (FV_U8, FV_IMAGE, 1, 1, 9000, 3000, "gpu.tif");
  g_autoptr (Image) image = open_file (path), source = open_file (path);
  g_autoptr (Run) all = run_of (steps, image), some = run_of (steps, source);
  g_autoptr (GError) error = NULL;
  Device *device = cpu ();
  g_assert_true (run_execute (all, device, NULL, &error));
  device->discrete = TRUE;
  leave (80 * mib);
  run_execute (some, device, NULL, &error);
  leave_all ();
  device->discrete = FALSE;
  g_assert_no_error (error);
  g_assert_true (image_can_stream (source));
  assert_runs_equal (all, some);
}

/* A step that needs the whole of what lies on disk is not for a GPU. */
static void
test_gpu_reaches_no_disk (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_IMAGE, 1, 1, 6000, 3000, "far.tif");
  g_autoptr (Image) source = open_file (path);
  g_autoptr (Run) run = run_of ("label", source);
  g_autoptr (GError) error = NULL;
  Device *device = cpu ();
  device->discrete = TRUE;
  device->limit = device->used + 5 * mib;
  leave (75 * mib);
  g_assert_false (run_execute (run, device, NULL, &error));
  leave_all ();
  device->discrete = FALSE;
  device->limit = 0;
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_nonnull (strstr (error->message, "'far.tif'"));
  g_assert_nonnull (strstr (error->message, "device cpu"));
}

/* Pinned memory is exhausted: planes go to the disk as they are read, once. */
static void
test_gpu_unpinned (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_IMAGE, 1, 1, 9000, 3000, "unpinned.tif");
  g_autoptr (Image) source = open_file (path);
  Device *device = cpu ();
  device->discrete = TRUE;
  leave (66 * mib);
  g_assert_null (image_on_device (source, device, NULL, NULL));
  g_assert_nonnull (image_on_host (source, NULL, NULL));
  leave_all ();
  device->discrete = FALSE;
  g_assert_cmpuint (image_on_disk (source), >, image_bytes (source) / 2);
  g_assert_cmpuint (image_on_disk (source), <=, image_bytes (source));
}

/* A pyramid's levels are large, too. */
static void
test_pyramid (void)
{
  g_autoptr (Image) image = image_random (FV_I32, FV_LABELS, 1, 1, 3000, 3100, 5);
  g_autofree char *path = g_build_filename (folder, "pyramid.tif", NULL);
  g_autoptr (GError) error = NULL;
  leave (66 * mib);
  files_save_as (image, path, "compression=zstd tile=512 pyramid=yes", &error);
  leave_all ();
  g_assert_no_error (error);
  g_autoptr (Image) again = open_file (path);
  assert_images_equal (image, again);
}

/* What is not to go to the disk has memory reserved, or goes there, too. */
static void
test_slots (void)
{
  fv_error error = FV_ERROR_INIT;
  for (int room = 0; room < 2; room++) {
    HostSlot part = {0}, all = {0};
    if (!room)
      leave (8 * mib);
    g_assert_cmpint (host_slot_new_on_disk (&part, 64 * mib, 16 * mib, &error), ==, FV_OK);
    g_assert_cmpint (host_slot_new_on_disk (&all, 64 * mib, 64 * mib, &error), ==, FV_OK);
    leave_all ();
    g_assert_cmpuint (part.on_disk, ==, room ? 16 * mib : 64 * mib);
    g_assert_cmpuint (part.reserved, ==, room ? 48 * mib : 0);
    g_assert_cmpuint (all.on_disk, ==, 64 * mib);
    g_assert_cmpuint (all.reserved, ==, 0);
    host_slot_free (&part);
    host_slot_free (&all);
  }
}

/* A limit on memory of the process alone, which leaves not even the addresses of the source. AddressSanitizer needs more than any. */
#ifndef __SANITIZE_ADDRESS__
static gsize
bytes_now (const char *key)
{
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  return (gsize) g_ascii_strtoull (strstr (text, key) + strlen (key), NULL, 10) << 10;
}

/* The disk has space, but the address space is exhausted: then the slot has no memory and can be asked again. */
static void
test_no_addresses (void)
{
  struct rlimit before, limit;
  fv_error error = FV_ERROR_INIT;
  HostSlot slot = {0};
  fv_status status;
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  limit = before;
  limit.rlim_cur = bytes_now ("VmSize:") + 8 * mib;
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  status = host_slot_new_on_disk (&slot, 64 * mib, G_MAXSIZE, &error);
  setrlimit (RLIMIT_AS, &before);
  g_assert_cmpint (status, ==, FV_NO_MEMORY);
  g_assert_null (slot.pixels);
  g_assert_cmpint (host_slot_new_on_disk (&slot, 64 * mib, G_MAXSIZE, &error), ==, FV_OK);
  host_slot_free (&slot);
}

static void
test_limit_on_data (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_RGB, 3, 1, 6000, 12000, "data.tif");
  struct rlimit before, limit;
  HostRoom room;
  g_autoptr (Image) image = open_file (path);
  g_autoptr (Run) all = run_of (few, image);
  g_autoptr (GError) error = NULL;
  g_assert_true (run_execute (all, cpu (), NULL, &error));
  g_assert_cmpint (getrlimit (RLIMIT_DATA, &before), ==, 0);
  limit = before;
  malloc_trim (0);
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* freed memory is not kept */
  /* Fewer than the source has, even if some threads end, whose stacks count; enough for some that begin, and for what the C library
   * keeps of what is freed. */
  limit.rlim_cur = bytes_now ("VmData:") + 168 * mib;
  g_assert_cmpint (setrlimit (RLIMIT_DATA, &limit), ==, 0);
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* earlier observations no longer hold */
  g_autoptr (Image) source = open_file (path);
  g_assert_cmpuint (image_on_disk (source), ==, image_bytes (source));
  g_autoptr (Run) some = run_of (few, source);
  run_execute (some, cpu (), NULL, &error);
  setrlimit (RLIMIT_DATA, &before);
  g_assert_no_error (error);
  g_assert_cmpuint (run_on_disk (some, NULL), >=, 2);
  assert_runs_equal (all, some);
}
#endif

/* ---- A control group ---- */

/* What is written to a file of the system; FALSE: it may not be. */
static gboolean
tell (const char *group, const char *file, gint64 number)
{
  g_autofree char *path = g_build_filename (group, file, NULL);
  FILE *to = fopen (path, "w");
  gboolean written = to && fprintf (to, "%" G_GINT64_FORMAT, number) > 0;
  return to && !fclose (to) && written;
}

/* A group that may have so much, of version 1 or 2; NULL: none can be made. */
static char *
group_new (gsize bytes)
{
  static const char *const kinds[][2] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
                                         {"/sys/fs/cgroup", "memory.max"}};
  g_autofree char *name = g_strdup_printf ("fovea-test-%d", getpid ());
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *group = g_build_filename (kinds[i][0], name, NULL);
    if (!g_mkdir (group, 0755) && tell (group, kinds[i][1], (gint64) bytes))
      return g_steal_pointer (&group);
    g_rmdir (group);
  }
  return NULL;
}

/* The process is in a group with less memory than the images would take, which would end it if it took them. */
static void
run_in_group (void)
{
  const char *group = g_getenv ("FOVEA_TEST_GROUP");
  g_autofree char *path = save_noise (FV_U8, FV_RGB, 3, 1, 5000, 6000, "group.tif");
  g_autoptr (Image) image = open_file (path), source = open_file (path), other = open_file (path);
  g_autoptr (Run) all = run_of (few, image), some = run_of (few, source), none = run_of (few, other);
  g_autoptr (GError) error = NULL;
  HostRoom room;
  g_assert_true (run_execute (all, cpu (), NULL, &error));
  g_assert_true (tell (group, "cgroup.procs", getpid ()));
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* earlier observations no longer hold */
  g_setenv ("FOVEA_SCRATCH_LIMIT", "8", TRUE);
  g_assert_false (run_execute (none, cpu (), NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (
    strstr (error->message, "are left of the 160.0\u00a0MiB of the control group, and 8.0\u00a0MiB on"));
  g_clear_error (&error);
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
  run_execute (some, cpu (), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (run_on_disk (some, NULL), >=, 2);
  assert_runs_equal (all, some);
}

static void
test_group (void)
{
  if (g_test_subprocess ()) {
    run_in_group ();
    return;
  }
  g_autofree char *group = group_new (160 * mib);
  if (!group) {
    g_test_skip ("no control group can be made that limits memory");
    return;
  }
  g_setenv ("FOVEA_TEST_GROUP", group, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_rmdir (group);
  g_test_trap_assert_passed ();
}

/* ---- The disk ---- */

static char *
failed (const char *steps, const char *path)
{
  g_autoptr (Image) source = open_file (path);
  g_autoptr (Run) run = run_of (steps, source);
  g_autoptr (GError) error = NULL;
  leave (75 * mib);
  g_assert_false (run_execute (run, cpu (), NULL, &error));
  leave_all ();
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  return g_strdup (error->message);
}

/* What fits nowhere is an error that says what there is of both, before the run where that is known, and leaves nothing. */
static void
test_full (void)
{
  g_autofree char *path = save_noise (FV_U8, FV_RGB, 3, 1, 2100, 1900, "full.tif");
  guint files = files_in_folder ();
  g_setenv ("FOVEA_SCRATCH_LIMIT", "8", TRUE);
  g_autofree char *known = failed (workflow, path);
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
  g_assert_nonnull (strstr (known, "of FOVEA_HOST_MEMORY, and 8.0\u00a0MiB on the disk of "));
  g_assert_nonnull (strstr (known, folder));
  g_assert_nonnull (strstr (known, "Of the image, "));
  disk_is_full = TRUE;
  g_autofree char *late = failed (workflow, path);
  disk_is_full = FALSE;
  g_assert_nonnull (strstr (late, "Not enough memory: "));
  g_assert_nonnull (strstr (late, folder));
  g_assert_nonnull (strstr (late, g_strerror (ENOSPC)));
  g_assert_cmpuint (files_in_folder (), ==, files);
  g_autoptr (Image) source = NULL;
  g_autoptr (Run) run = check (workflow, path, 90 * mib, &source);
  g_assert_nonnull (run);
}

/* The folder: told, or the usual one for temporary files, unless that is in memory itself. */
static void
test_folder (void)
{
  fv_error error = FV_ERROR_INIT;
  g_autofree char *nowhere = g_build_filename (folder, "nowhere", NULL), *before = g_strdup (g_getenv ("TMPDIR"));
  void *memory;
  g_setenv ("FOVEA_SCRATCH", nowhere, TRUE);
  g_assert_cmpint (disk_memory_map (NULL, mib, &memory, &error), ==, FV_NO_MEMORY);
  g_assert_nonnull (strstr (error.text, nowhere));
  g_assert_cmpuint (disk_memory_room ().bytes, ==, 0);
  g_unsetenv ("FOVEA_SCRATCH");
  g_setenv ("TMPDIR", folder, TRUE);
  g_assert_cmpstr (disk_memory_room ().whose, ==, folder);
  g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_assert_cmpstr (disk_memory_room ().whose, ==, "/var/tmp");
  g_setenv ("FOVEA_SCRATCH", "/dev/shm", TRUE);
  g_assert_cmpstr (disk_memory_room ().whose, ==, "/dev/shm");
  g_setenv ("FOVEA_SCRATCH", folder, TRUE);
  g_unsetenv ("TMPDIR");
  if (before)
    g_setenv ("TMPDIR", before, TRUE);
}

/* What is given back can be taken again. */
static void
test_limit (void)
{
  fv_error error = FV_ERROR_INIT;
  void *memory, *more;
  g_setenv ("FOVEA_SCRATCH_LIMIT", "8", TRUE);
  for (int i = 0; i < 3; i++) {
    g_assert_cmpint (disk_memory_map (NULL, 5 * mib, &memory, &error), ==, FV_OK);
    g_assert_cmpuint (disk_memory_room ().bytes, ==, 3 * mib);
    g_assert_cmpint (disk_memory_map (NULL, 5 * mib, &more, &error), ==, FV_NO_MEMORY);
    g_assert_nonnull (strstr (error.text, "limited by FOVEA_SCRATCH_LIMIT"));
    munmap (memory, 5 * mib);
    disk_memory_gone (5 * mib);
  }
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-disk-XXXXXX", NULL);
  g_setenv ("FOVEA_SCRATCH", folder, TRUE);
  g_test_add_func ("/disk/workflow", test_workflow);
  g_test_add_func ("/disk/every-operation", test_every_operation);
  g_test_add_func ("/disk/room-for-a-table", test_room_for_a_table);
  g_test_add_func ("/disk/strips", test_strips);
  g_test_add_func ("/disk/volume", test_volume);
  g_test_add_func ("/disk/whole-source", test_whole_source);
  g_test_add_func ("/disk/part-of-an-image", test_part_of_an_image);
#ifdef __SANITIZE_ADDRESS__
  (void) test_group; /* which would need more memory than that */
#else
  g_test_add_func ("/disk/group", test_group);
#endif
  g_test_add_func ("/disk/gpu", test_gpu);
  g_test_add_func ("/disk/gpu-reaches-no-disk", test_gpu_reaches_no_disk);
  g_test_add_func ("/disk/gpu-unpinned", test_gpu_unpinned);
  g_test_add_func ("/disk/pyramid", test_pyramid);
  g_test_add_func ("/disk/slots", test_slots);
#ifndef __SANITIZE_ADDRESS__
  g_test_add_func ("/disk/no-addresses", test_no_addresses);
  g_test_add_func ("/disk/limit-on-data", test_limit_on_data);
#endif
  g_test_add_func ("/disk/full", test_full);
  g_test_add_func ("/disk/folder", test_folder);
  g_test_add_func ("/disk/limit", test_limit);
  return run_tests_in (folder);
}
