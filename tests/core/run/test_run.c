/* SPDX-License-Identifier: MIT
 *
 * Runs: what is computed again, what is let go and when, what the inputs must be, what goes to a device and back.
 */
#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/run/plan.h"
#include "core/run/execute.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Run *
run_named (const char *steps, Image *source)
{
  g_autoptr (Recipe) recipe = recipe_parse (test_modules (), steps, NULL);
  return run_new (recipe, source, RUN_KEEP_NAMED);
}

static void
execute (Run *run, Device *device)
{
  g_autoptr (GError) error = NULL;
  run_execute (run, device, NULL, &error);
  g_assert_no_error (error);
}

/* Only what changed is computed again: results that stay are the same objects. */
static void
test_cached_results (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 3, 1, 20, 30, 5);
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) a = run_of ("channel index=1 | gaussian sigma=1 | otsu", source), b = NULL;
  g_assert_true (run_execute (a, device, NULL, &error));
  g_autoptr (Image) third = image_ref (run_image (a, 2, 0));
  g_assert_true (run_execute (a, device, NULL, &error));
  g_assert_true (run_image (a, 2, 0) == third);
  b = run_of ("channel index=1 | gaussian sigma=2 | otsu", source);
  run_continue (b, a);
  g_assert_true (run_execute (b, device, NULL, &error));
  g_assert_true (run_image (b, 0, 0) == run_image (a, 0, 0));
  g_assert_true (run_image (b, 1, 0) != run_image (a, 1, 0));
  g_assert_true (run_image (b, 2, 0) != third);
}

/* ---- Threads ---- */

static gint32 min_threads, last_threads;

static void
note_threads (gint32 threads)
{
  min_threads = MIN (min_threads, threads ? threads : G_MAXINT32);
  last_threads = threads;
}

/* For few pixels no other thread wakes, and the limit that the caller has is its own again. */
static void
test_few_pixels (Device *device)
{
  const gint64 sizes[] = {16, 2000};
  if (device->fv->kind != FV_CPU)
    return;
  parallel_follow (note_threads);
  for (guint limit = 0; limit <= 2; limit += 2)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_autoptr (Image) source = image_random (FV_F32, FV_IMAGE, 1, 1, sizes[i], sizes[i], 5);
      g_autoptr (Run) run = run_of ("threshold method=manual lower=0.5 | arithmetic value=2", source);
      parallel_limit_operations (limit);
      min_threads = G_MAXINT32;
      last_threads = (gint32) limit;
      execute (run, device);
      g_assert_cmpint (min_threads, ==, i == 0 ? 1 : G_MAXINT32);
      g_assert_cmpint (last_threads, ==, limit);
      g_assert_cmpuint (parallel_limit_operations (0), ==, limit);
    }
}

/* ---- Several results ---- */

/* Which pixels are dark, and which are bright. */
static fv_status
split_run (const fv_call *call, fv_error *error)
{
  (void) error;
  for (int which = 0; which < 2; which++)
    for (gint64 i = 0; i < 6; i++) {
      guint8 pixel = ((const guint8 *) call->inputs[0]->tensor.data)[i];
      ((guint8 *) call->outputs[which]->tensor.data)[i] = (pixel >= 100) == which ? 255 : 0;
    }
  return FV_OK;
}

static const fv_op split = {
  FV_OP (char),
  .key = "split",
  .label = "Split",
  .help = "Splits.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_U8, false}, {0}},
  .outputs = (const fv_output[]){{"dark", "Dark"}, {"bright", "Bright"}, {0}},
  .run = {[FV_CPU] = split_run},
};

static void
check_pixels (Image *image, const double *pixels)
{
  g_autoptr (Image) expected = image_of (FV_U8, FV_IMAGE, 2, 3, pixels);
  assert_images_equal (image, expected);
}

/* Every image of a step can be named and taken; the first is the one that the next step takes. */
static void
test_several (void)
{
  static const fv_op *const ops[] = {&split, NULL};
  static const fv_plugin plugin = {
    .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "splitting", .version = "1", .ops = ops};
  static const double pixels[] = {0, 99, 100, 101, 255, 7}, dark[] = {255, 255, 0, 0, 0, 255},
                      bright[] = {0, 0, 255, 255, 255, 0};
  g_autoptr (Modules) modules = modules_new_empty ();
  g_autoptr (Image) source = image_of (FV_U8, FV_IMAGE, 2, 3, pixels);
  g_autoptr (GError) error = NULL;
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  modules_add (modules, &plugin, &error);
  g_assert_no_error (error);
  g_autoptr (Recipe) recipe = recipe_parse (modules, "split as=,b | split | split from=b as=c,d", &error);
  g_assert_no_error (error);
  g_autofree char *text = recipe_format (recipe);
  g_assert_cmpstr (text, ==, "split as=,b | split | split from=b as=c,d");
  {
    g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_ALL), named = run_new (recipe, source, RUN_KEEP_NAMED);
    execute (run, cpu);
    execute (named, cpu);
    check_pixels (run_image (run, 0, 0), dark);
    check_pixels (run_image (run, 0, 1), bright);
    check_pixels (run_image (run, 1, 1), dark);
    check_pixels (run_image (run, 2, 1), bright);
    g_assert_null (run_image (named, 0, 0));
    check_pixels (run_image (named, 0, 1), bright);
    g_assert_null (run_image (named, 1, 0));
    check_pixels (run_last_image (named), dark);
  }
}

/* ---- What is let go ---- */

/* Of results with names those stay that are wanted, and the last one. */
static void
test_wanted (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 5);
  g_autoptr (Run) run = run_named ("gaussian sigma=1 as=soft | otsu as=mask | erosion as=less", source), next = NULL;
  run_want (run, (const char *const[]){"mask", NULL});
  execute (run, modules_device (test_modules (), "cpu", NULL));
  g_assert_null (run_image (run, 0, 0));
  g_assert_nonnull (run_image (run, 1, 0));
  g_assert_nonnull (run_image (run, 2, 0));
  next = run_named ("gaussian sigma=1 as=soft | otsu as=mask | erosion as=less", source);
  run_continue (next, run);
  execute (next, modules_device (test_modules (), "cpu", NULL));
  g_assert_nonnull (run_image (next, 0, 0));
}

/* Names, the last image and what is still to be taken stay, and nothing else; numbers and tables do. */
static void
test_let_go (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 5);
  static const char steps[] =
    "gaussian sigma=1 | otsu as=mask | erosion | label | regionprops intensity=source properties=area | "
    "dilation from=mask | gaussian sigma=2 skip=yes";
  g_autoptr (Run) run = run_named (steps, source), all = run_of (steps, source);
  execute (run, device);
  execute (all, device);
  for (guint i = 0; i < run_length (run); i++) {
    g_assert_true (!run_image (run, i, 0) == !(i == 1 || i == 5));
    g_assert_true (!run_image (all, i, 0) == (i == 4 || i == 6));
  }
  g_assert_cmpuint (run_index (run), ==, 7);
  assert_images_equal (run_image (run, 1, 0), run_image (all, 1, 0));
  assert_images_equal (run_last_image (run), run_last_image (all));
  g_assert_cmpint (table_rows (run_last_table (run)), ==, table_rows (run_last_table (all)));
  g_assert_cmpfloat (run_result (run, 1)->result.scalars[0], ==, run_result (all, 1)->result.scalars[0]);
}

/* What was let go is computed again when a changed step takes it, and gives the same; what did not change is not computed. */
static void
test_continue_after_letting_go (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 5);
  g_autoptr (Run) first = run_named ("gaussian sigma=1 | otsu as=mask | erosion | label", source);
  g_autoptr (Run) last = run_named ("gaussian sigma=1 | otsu as=mask | erosion | dilation", source);
  g_autoptr (Run) again = run_named ("gaussian sigma=1 | otsu as=mask | erosion | dilation", source);
  g_autoptr (Run) fresh = run_named ("gaussian sigma=1 | otsu as=mask | erosion | dilation", source);
  execute (first, device);
  run_continue (last, first);
  g_autoptr (Plan) plan = plan_new (last, device);
  g_assert_cmpuint (plan->steps->len, ==, 2); /* erosion, from the mask that has a name, and dilation */
  execute (last, device);
  execute (fresh, device);
  assert_images_equal (run_last_image (last), run_last_image (fresh));
  g_assert_true (run_image (last, 1, 0) == run_image (first, 1, 0));
  g_assert_null (run_image (last, 2, 0));
  run_continue (again, last);
  g_autoptr (Plan) nothing = plan_new (again, device);
  g_assert_cmpuint (nothing->steps->len, ==, 0);
  execute (again, device);
  g_assert_true (run_last_image (again) == run_last_image (last));
}

/* Another source has other results. */
static void
test_other_source (Device *device)
{
  g_autoptr (Image) a = image_random (FV_U8, FV_IMAGE, 1, 1, 20, 30, 5),
                    b = image_random (FV_U8, FV_IMAGE, 1, 1, 20, 30, 6);
  g_autoptr (Run) first = run_of ("gaussian sigma=1", a), second = run_of ("gaussian sigma=1", b);
  g_autoptr (Run) alone = run_of ("gaussian sigma=1", b);
  execute (first, device);
  run_continue (second, first);
  execute (second, device);
  execute (alone, device);
  assert_images_equal (run_last_image (second), run_last_image (alone));
}

/* Bytes of this program that are in memory now. */
static gsize
resident (void)
{
  g_autofree char *text = NULL;
  gsize pages = 0;
  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%*s %zu", &pages), ==, 1);
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

static gpointer
watch (gpointer data)
{
  gint *end = data;
  gsize max = 0;
  while (!g_atomic_int_get (end)) {
    max = MAX (max, resident ());
    g_usleep (500);
  }
  return GSIZE_TO_POINTER (max);
}

/* What the plan says is held at its peak, beside the source. */
static gsize
planned_peak (const Run *run, Device *device)
{
  g_autoptr (Plan) plan = plan_new (run, device);
  gsize made = 0, peak = 0;
  for (guint i = 0; i < plan->steps->len; i++) {
    const PlanStep *step = &g_array_index (plan->steps, PlanStep, i);
    made += step->made;
    peak = MAX (peak, made + step->scratch);
    made -= step->gone;
  }
  return peak;
}

/* Five steps in a chain hold the images that a step takes and makes, not all five; and the plan knows it. */
static void
test_peak (void)
{
  static const char steps[] =
    "dilation radius=1 | erosion radius=1 | dilation radius=2 | erosion radius=2 | dilation radius=1";
  const gsize image = (gsize) 4096 * 4096;
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 4096, 4096, 5);
  g_autoptr (Run) warm = run_named (steps, source);
  HostRoom room;
  gint end = 0;
  execute (warm, cpu);
  g_clear_pointer (&warm, run_free);
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* freed memory is not kept */
  g_autoptr (Run) run = run_named (steps, source), all = run_of (steps, source);
  gsize planned = planned_peak (run, cpu), before = resident ();
  GThread *thread = g_thread_new ("watch", watch, &end);
  execute (run, cpu);
  g_atomic_int_set (&end, 1);
  gsize max = GPOINTER_TO_SIZE (g_thread_join (thread)) - before;
  g_test_message ("planned %.1f, held %.1f images", (double) planned / (double) image, (double) max / (double) image);
  g_assert_cmpuint (planned, >=, 2 * image);
  g_assert_cmpuint (planned, <, 3 * image);
  g_assert_cmpuint (max, >, image);
#ifndef __SANITIZE_ADDRESS__            /* which keeps what was freed for a while */
  g_assert_cmpuint (max, <, 3 * image); /* with what memory is filled with by a debugging malloc() */
#endif
  g_assert_cmpuint (planned_peak (all, cpu), >=, 5 * image);
}

static void
test_inputs_must_fit (Device *device)
{
  g_autoptr (Image) labels = image_random (FV_I32, FV_LABELS, 1, 1, 20, 30, 5);
  g_autoptr (Image) other = image_random (FV_U8, FV_IMAGE, 1, 1, 20, 31, 5);
  g_autoptr (Image) floats = image_random (FV_F32, FV_IMAGE, 1, 1, 20, 30, 5);
  g_autoptr (GError) error = NULL;
  CallResult result;
  g_assert_false (run_step ("regionprops properties=intensity_mean", labels, other, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "intensity");
  g_clear_error (&error);
  g_assert_false (run_step ("label2rgb", floats, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "image");
  g_clear_error (&error);
  g_assert_false (run_step ("channel index=5", other, NULL, device, &result, &error));
  g_assert_cmpstr (step_error_field (error), ==, "index");
}

/* ---- Residency ---- */

/* The device with memory of its own, as a GPU has: the source goes up once; the table and what is looked at come down,
 * nothing else. */
static void
test_residency (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 64, 64, 5);
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run =
    run_of ("gaussian sigma=2 | otsu | erosion | label as=cells | regionprops intensity=source "
            "properties=area,intensity_mean | label2rgb from=cells overlay=source | display width=16 "
            "height=16",
            source);
  gboolean discrete = device->discrete;
  guint64 up = device->uploaded, down = device->downloaded, rest;
  const Table *table;
  Image *shown;
  device->discrete = TRUE;
  g_assert_true (run_execute (run, device, NULL, &error));
  g_assert_no_error (error);
  table = run_last_table (run);
  g_assert_cmpuint (device->uploaded - up, ==, 64 * 64 * 2);
  /* two scalars, the table, and what regionprops says that it reads: how many runs and objects there are */
  rest = 2 * sizeof (double) + (guint64) table_rows (table) * 2 * sizeof (double) + 32;
  g_assert_cmpuint (device->downloaded - down, <=, rest);
  shown = run_last_image (run);
  g_assert_null (image_plane_now (shown, 0));
  g_assert_cmpuint (device->downloaded - down, <=, rest);
  g_assert_nonnull (image_plane (shown, 0, &error));
  g_assert_cmpuint (device->downloaded - down, <=, 16 * 16 * 4 + rest);
  g_assert_true (image_plane_now (shown, 0) == image_plane (shown, 0, NULL));
  g_clear_pointer (&run, run_free);
  device->discrete = discrete;
}

/* What an image will be is known before it is made, and what it is when it is there. */
static void
test_foreseen (void)
{
  static const char *const texts[] = {
    "channel index=1 as=green | zoom factor=0.5 | otsu | label as=cells | regionprops | label2rgb from=cells",
    "gaussian sigma=1 skip=yes | gaussian sigma=2 | threshold lower=99 | label", "regionprops | label2rgb"};
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 3, 2, 20, 30, 5);
  for (guint t = 0; t < G_N_ELEMENTS (texts); t++) {
    g_autoptr (Run) run = run_of (texts[t], source), never = run_of (texts[t], source);
    g_autoptr (Plan) before = plan_new (never, NULL);
    run_execute (run, cpu, NULL, NULL); /* not to the end where a step is wrong */
    g_autoptr (Plan) after = plan_new (run, cpu);
    for (int index = -1; index <= (int) run_length (run); index++) {
      const ImageInfo *now = image_info (run_image_at (run, index)),
                      *foreseen = image_info (plan_image_at (before, never, index));
      g_assert_true (plan_image_at (after, run, index) == run_image_at (run, index));
      g_assert_cmpint (foreseen->role, ==, now->role);
      g_assert_cmpint (foreseen->type, ==, now->type);
      g_assert_cmpint (foreseen->channels, ==, now->channels);
      g_assert_cmpint (foreseen->depth, ==, now->depth);
      g_assert_cmpint (foreseen->rows, ==, now->rows);
      g_assert_cmpint (foreseen->columns, ==, now->columns);
    }
  }
}

/* What a step takes, and that it takes no more. */
static void
test_inputs (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 9, 11, 1);
  g_autoptr (Run) run = run_of ("gaussian | otsu", source);
  g_autoptr (GError) error = NULL;
  run_execute (run, modules_device (test_modules (), "cpu", NULL), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (run_input (run, 0, 0) == source);
  g_assert_true (run_input (run, 1, 0) == run_image (run, 0, 0));
  for (guint input = run_result (run, 1)->step->op->n_inputs; input < OP_MAX_ARRAYS; input++)
    g_assert_null (run_input (run, 1, input));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/run/cached-results", test_cached_results);
  add_device_test ("/run/few-pixels", test_few_pixels);
  g_test_add_func ("/run/several-results", test_several);
  add_device_test ("/run/let-go", test_let_go);
  add_device_test ("/run/continue-after-letting-go", test_continue_after_letting_go);
  add_device_test ("/run/other-source", test_other_source);
  g_test_add_func ("/run/wanted", test_wanted);
  g_test_add_func ("/run/peak", test_peak);
  g_test_add_func ("/run/foreseen", test_foreseen);
  add_device_test ("/run/inputs-must-fit", test_inputs_must_fit);
  add_device_test ("/run/residency", test_residency);
  g_test_add_func ("/run/inputs", test_inputs);
  return g_test_run ();
}
