/* SPDX-License-Identifier: MIT
 *
 * Devices that take time to find are left alone until needed: a plugin's, and in a build with CUDA the GPU's driver. And what "auto" chooses.
 */
#include "core/run/choice.h"
#include "core/run/speed.h"
#include "core/ops/device_list.h"
#include "core/files/files.h"
#include "tests/support/support.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

static char *folder, *plugins, *drivers, *posing_log, *driver_log, *image;

/* ---- The command ---- */

/* Its standard output; *woke: the plugin looked for its device; *loaded: the GPU's driver was loaded. */
static char *
call (const char *const *arguments, gboolean *woke, gboolean *loaded)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  char *out;
  g_ptr_array_add (argv, g_build_filename (g_getenv ("FOVEA_BUILD"), "command", "fovea", NULL));
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, g_strdup (*arguments));
  g_ptr_array_add (argv, NULL);
  g_unlink (posing_log);
  g_unlink (driver_log);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_setenv (launcher, "FOVEA_PLUGIN_PATH", plugins, TRUE);
  g_subprocess_launcher_setenv (launcher, "FOVEA_POSING_LOG", posing_log, TRUE);
  g_subprocess_launcher_setenv (launcher, "FOVEA_DRIVER_LOG", driver_log, TRUE);
  g_subprocess_launcher_setenv (launcher, "LD_LIBRARY_PATH", drivers, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  *woke = g_file_test (posing_log, G_FILE_TEST_EXISTS);
  *loaded = g_file_test (driver_log, G_FILE_TEST_EXISTS);
  return out;
}

static void
test_asleep (void)
{
  static const char *const commands[][8] = {
    {"--version"},
    {"info", "small.png"},
    {"ops"},
    {"help", "gaussian"},
    {"convert", "small.png", "small.tif"},
    {"run", "gaussian | otsu", "small.png", "--device", "cpu", "-o", "cpu.tif"},
    {"run", "gaussian | otsu", "small.png", "-o", "auto.tif"},
    {"run", "pose", "small.png", "-o", "pose.tif"},
  };
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    gboolean woke, loaded;
    g_autofree char *out = call (commands[i], &woke, &loaded);
    g_test_message ("%s %s: %s", commands[i][0], commands[i][1] ? commands[i][1] : "", out);
    g_assert_false (woke);
    g_assert_false (loaded);
  }
  g_autofree char *made = g_build_filename (folder, "pose.tif", NULL);
  g_assert_true (g_file_test (made, G_FILE_TEST_EXISTS));
}

/* Whether the build has CUDA is seen from its devices. */
static void
test_awake (void)
{
  gboolean woke, loaded;
  g_autofree char *devices = call ((const char *[]){"devices", NULL}, &woke, &loaded);
  gboolean cuda = strstr (devices, "\ncuda") != NULL;
  g_test_message ("%s", devices);
  g_assert_nonnull (strstr (devices, "pose:0"));
  g_assert_true (woke);
  g_assert_cmpint (loaded, ==, cuda);
  g_autofree char *run =
    call ((const char *[]){"run", "pose", "small.png", "--device", "pose", "-o", "posed.tif", NULL}, &woke, &loaded);
  g_assert_nonnull (strstr (run, "on pose:0"));
  g_assert_true (woke);
  g_autofree char *gpu =
    call ((const char *[]){"run", "otsu", "small.png", "--device", "cuda:0", "-o", "gpu.tif", NULL}, &woke, &loaded);
  g_assert_nonnull (strstr (gpu, cuda ? "cuda:0 cannot be used" : "Device 'cuda:0' does not exist"));
  g_assert_cmpint (loaded, ==, cuda);
}

static void
test_report (void)
{
  gboolean woke, loaded;
  g_autofree char *report = g_build_filename (folder, "report.json", NULL), *text = NULL;
  g_autofree char *out =
    call ((const char *[]){"run", "pose", "small.png", "-o", "r.tif", "--report", "report.json", NULL}, &woke, &loaded);
  g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"device\" : \"cpu\""));
  g_assert_nonnull (strstr (text, "\"device_reason\" : \"auto: about "));
  g_free (g_steal_pointer (&out));
}

/* The last image is downloaded while the step still runs when it is saved, and not at all otherwise. */
static void
test_fetched (void)
{
  static const char *const commands[][10] = {
    {"run", "pose", "small.png", "--device", "pose", "--report", "report.json", "-o", "r.tif"},
    {"run", "pose", "small.png", "--device", "pose", "--report", "report.json"},
    {"run", "pose as=a | pose", "small.png", "--device", "pose", "--report", "report.json", "-o", "a=r.tif"},
  };
  static const char *const says[] = {"\"bytes_downloaded\" : 4800,", "\"bytes_downloaded\" : 0,",
                                     "\"bytes_downloaded\" : 0,"};
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    gboolean woke, loaded;
    g_autofree char *out = call (commands[i], &woke, &loaded), *text = NULL,
                    *report = g_build_filename (folder, "report.json", NULL);
    g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
    g_test_message ("%s%s", out, text);
    g_assert_nonnull (strstr (text, says[i]));
  }
}

/* ---- The choice ---- */

static const char workflow[] = "gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
                               "regionprops intensity=source | label2rgb from=cells overlay=source";

static Image *
promised (gint64 side)
{
  ImageInfo info = {.type = FV_U16,
                    .frames = 1,
                    .channels = 1,
                    .depth = 1,
                    .rows = side,
                    .columns = side,
                    .spacing = {1, 1, 1},
                    .name = (char *) "promised"};
  return image_new_promised (&info);
}

/* Plugins of their own, whose operations all run on the GPU that poses. */
static Modules *
posing_modules (void)
{
  Modules *modules = modules_new_empty ();
  g_autofree char *kernels = g_build_filename (g_getenv ("FOVEA_BUILD"), "plugin", "fovea-kernels.so", NULL),
                  *posing = g_build_filename (plugins, "posing.so", NULL);
  g_autoptr (GError) error = NULL;
  modules_load (modules, kernels, &error);
  g_assert_no_error (error);
  modules_load (modules, posing, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < modules_ops (modules)->len; i++) {
    fv_op *op = &((Op *) modules_ops (modules)->pdata[i])->fv;
    op->run[FV_CUDA] = NULL;
    op->run[FV_DEVICE_KINDS - 1] = op->run[FV_CPU];
  }
  return modules;
}

static void
choose (Modules *modules, const char *steps, gint64 side, const char *key, const char *expected, const char *because)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (modules, steps, &error);
  g_autoptr (Image) source = promised (side);
  g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_ALL);
  g_autofree char *reason = NULL;
  Device *device = choice_device (run, modules, key, &reason, &error);
  g_assert_no_error (error);
  g_test_message ("%" G_GINT64_FORMAT ": %s, %s", side, device->fv->key, reason);
  g_assert_cmpstr (device->fv->key, ==, expected);
  g_assert_nonnull (strstr (reason, because));
}

/* What this machine and its GPU are said to have been measured at. */
static void
say_speeds (Modules *modules, double cpu_ns, double driver_ms, double context_ms)
{
  const GPtrArray *devices = modules_find_devices (modules);
  for (guint i = 0; i < devices->len; i++) {
    const Device *device = devices->pdata[i];
    if (device->fv->kind == FV_CPU)
      speed_keep (device, &(Speed){.arithmetic_ns = cpu_ns, .byte_ns = 0.1});
    else if (!device->fv->fault)
      speed_keep (
        device,
        &(Speed){
          .arithmetic_ns = 0.0005, .byte_ns = 0.004, .bus_ns = 0.11, .driver_ms = driver_ms, .context_ms = context_ms});
  }
}

/* Small images do not pay for waking a GPU, and large ones do; a GPU that is awake is paid for already. */
static void
test_choice (void)
{
  g_autoptr (Modules) modules = posing_modules (), others = posing_modules ();
  say_speeds (others, 0.05, 280, 130);
  choose (modules, workflow, 640, "auto", "cpu", "to start it");
  choose (modules, workflow, 2048, "auto", "cpu", "to start it");
  choose (modules, workflow, 16384, "cpu", "cpu", "asked for");
  g_assert_true (modules_devices_pending (modules));
  const gint64 start = g_get_monotonic_time ();
  choose (modules, workflow, 16384, "auto", "pose:0", "to start it");
  const double ms = (double) (g_get_monotonic_time () - start) / 1000;
  g_assert_false (modules_devices_pending (modules));
  /* How long it took to find the GPU is known from now on. */
  const double driver_ms = speed_of_gpu (modules_device (modules, "pose:0", NULL)).driver_ms;
  g_assert_cmpfloat (driver_ms, >, 0);
  g_assert_cmpfloat (driver_ms, <, ms);
  choose (modules, workflow, 2048, "auto", "pose:0", " including 0 ms to start it");
  choose (modules, "otsu skip=yes", 16384, "auto", "cpu", "about 0 ms on the CPU");
}

/* Another machine chooses otherwise: a faster processor is not left, a GPU that wakes quickly is taken early. */
static void
test_choice_by_speed (void)
{
  g_autoptr (Modules) modules = posing_modules (), others = posing_modules ();
  say_speeds (others, 0.001, 280, 130);
  choose (modules, workflow, 4096, "auto", "cpu", "to start it");
  say_speeds (others, 0.05, 1, 1);
  choose (modules, workflow, 2048, "auto", "pose:0", " including 2 ms to start it");
}

/* A GPU is not chosen for what fits into its memory neither at once nor strip by strip: 8 MiB, of which otsu makes 4. */
static void
test_choice_by_room (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  say_speeds (modules, 0.5, 1, 1);
  Device *gpu = modules_device (modules, "pose:0", NULL);
  choose (modules, "otsu", 2048, "auto", "pose:0", "to start it");
  device_set_limit (gpu, (gsize) 12 << 20);
  choose (modules, "otsu", 2048, "auto", "pose:0", "to start it");
  device_set_limit (gpu, (gsize) 10 << 20);
  choose (modules, "otsu", 2048, "auto", "cpu",
          "auto: pose:0 has 10.0\302\240MiB free, but the run needs 12.0\302\240MiB; about ");
  choose (modules, "gaussian sigma=1", 2048, "auto", "pose:0", "to start it");
}

/* A slow GPU is chosen for what the CPU has no memory for, on disk either; not when it has too little itself. */
static void
test_choice_by_room_here (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  say_speeds (modules, 0.0001, 280, 130);
  choose (modules, workflow, 2048, "auto", "cpu", "to start it");
  g_setenv ("FOVEA_SCRATCH_LIMIT", "0", TRUE);
  leave (80 * (gsize) 1 << 20);
  choose (modules, workflow, 2048, "auto", "pose:0", "auto: too little memory for the CPU; about ");
  device_set_limit (modules_device (modules, "pose:0", NULL), (gsize) 10 << 20);
  choose (modules, workflow, 2048, "auto", "cpu", "auto: pose:0 has 10.0");
  leave_all ();
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
}

/* One operation for the CPU alone: no GPU is looked for. */
static void
test_choice_of_what_runs (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  Op *otsu = (Op *) modules_op (modules, "otsu", NULL);
  otsu->fv.run[FV_DEVICE_KINDS - 1] = NULL;
  choose (modules, workflow, 16384, "auto", "cpu", "not all steps can run on a GPU");
  g_assert_true (modules_devices_pending (modules));
}

/* A step whose image is given does not run, wherever it could. */
static void
test_choice_of_what_is_given (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  g_autoptr (Image) source = promised (16384);
  ((Op *) modules_op (modules, "gaussian", NULL))->fv.run[FV_DEVICE_KINDS - 1] = NULL;
  say_speeds (modules, 0.5, 1, 1);
  for (int given = 0; given < 2; given++) {
    g_autoptr (Recipe) recipe = recipe_parse (modules, "gaussian | otsu", NULL);
    g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_ALL);
    g_autofree char *reason = NULL;
    if (given)
      run_give (run, 0, source);
    g_assert_cmpstr (choice_device (run, modules, "auto", &reason, NULL)->fv->key, ==, given ? "pose:0" : "cpu");
  }
}

static int tries;

static fv_status
fail_to_run (const fv_call *run, fv_error *error)
{
  (void) run;
  tries++;
  return error->code = FV_UNSUPPORTED;
}

/* What cannot be measured is not tried again before each run. */
static void
test_measured_once (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  modules_find_devices (modules);
  Device *gpu = modules_device (modules, "pose:0", NULL);
  ((Op *) modules_op (modules, "gaussian", NULL))->fv.run[FV_DEVICE_KINDS - 1] = fail_to_run;
  fv_device other = *gpu->fv;
  other.name = "Another gpu";
  speed_keep (&(Device){.fv = &other}, &(Speed){.arithmetic_ns = 1}); /* so that nothing is known of this one */
  for (int i = 0; i < 3; i++)
    g_assert_false (speed_measure (modules, gpu, NULL));
  g_assert_cmpint (tries, ==, 1);
}

/* A GPU without the compiler that a step needs there is passed over, for that step alone, and taken when it has one. */
static void
test_choice_by_compiler (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  say_speeds (modules, 0.5, 1, 1);
  Op *otsu = (Op *) modules_op (modules, "otsu", NULL);
  otsu->fv.compiles = 1u << (FV_DEVICE_KINDS - 1);
  g_autoptr (Modules) others = posing_modules ();
  ((Op *) modules_op (others, "otsu", NULL))->fv.compiles = 1u << (FV_DEVICE_KINDS - 1);
  g_setenv ("FOVEA_POSING_BARE", "1", TRUE);
  choose (others, workflow, 2048, "auto", "cpu",
          "auto: a GPU would be faster, but none can be used: otsu: a compiler is missing.");
  choose (modules, workflow, 2048, "auto", "cpu", "auto: no GPU can be used: otsu: a compiler is missing.");
  choose (modules, "gaussian sigma=5 | otsu skip=yes", 2048, "auto", "pose:0", "to start it");
  choose (modules, workflow, 2048, "pose:0", "pose:0", "asked for");
  otsu->fv.compiles = 1u << FV_CUDA;
  choose (modules, workflow, 2048, "auto", "pose:0", "to start it");
  otsu->fv.compiles = 1u << (FV_DEVICE_KINDS - 1);
  g_unsetenv ("FOVEA_POSING_BARE");
  choose (modules, workflow, 2048, "auto", "pose:0", "to start it");
}

/* Formulas and kernels, and user operations made of them, report that they compile on a GPU, and others do not. */
static void
test_compiling (void)
{
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autofree char *path = g_build_filename (folder, "twice.operation", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "[operation]\nexpression=2*a\n", -1, &error));
  modules_load_operation (modules, path, &error);
  g_assert_no_error (error);
  g_autoptr (GString) compiling = g_string_new (NULL);
  for (guint i = 0; i < modules_ops (modules)->len; i++) {
    const fv_op *op = &((const Op *) modules_ops (modules)->pdata[i])->fv;
    if (op->compiles)
      g_string_append_printf (compiling, "%s %u, ", op->key, op->compiles);
  }
  g_assert_cmpstr (compiling->str, ==, "arithmetic 2, calculate 2, expression 2, kernel 2, twice 2, ");
}

/* A placeholder for all devices of a kind is refused by the requested name. */
static void
test_fault_names_what_was_asked (void)
{
  static const fv_device absent = {.size = sizeof (fv_device), .key = "absent", .fault = "its cable is cut."};
  static const fv_device *const devices[] = {&absent, NULL};
  DeviceList *list = device_list_new ();
  g_autoptr (GError) error = NULL;
  device_list_add (list, devices, NULL);
  g_assert_null (device_list_get (list, "absent:77", &error));
  g_assert_cmpstr (error->message, ==, "absent:77 cannot be used: its cable is cut.");
  device_list_free (list);
}

/* Threads that ask at once get the same devices, and arrays that were given out stay as they are. */
static void
test_found_once (void)
{
  g_autoptr (Modules) modules = posing_modules ();
  const GPtrArray *before = modules_devices (modules);
  GThread *threads[4];
  const GPtrArray *found[4];
  g_unlink (posing_log);
  g_setenv ("FOVEA_POSING_LOG", posing_log, TRUE);
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("finder", (GThreadFunc) modules_find_devices, modules);
  for (int i = 0; i < 4; i++)
    found[i] = g_thread_join (threads[i]);
  g_unsetenv ("FOVEA_POSING_LOG");
  for (int i = 1; i < 4; i++)
    g_assert_true (found[i] == found[0]);
  g_autofree char *log = NULL;
  g_assert_true (g_file_get_contents (posing_log, &log, NULL, NULL));
  g_assert_cmpstr (log, ==, "looked for devices\n");
  g_assert_cmpuint (before->len, ==, 1);
  g_assert_cmpstr (((Device *) before->pdata[0])->fv->key, ==, "cpu");
}

int
main (int argc, char **argv)
{
  g_autofree char *build = NULL;
  g_autoptr (GError) error = NULL;
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-wake-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  plugins = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", NULL);
  drivers = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "fake_driver", NULL);
  posing_log = g_build_filename (folder, "posing.log", NULL);
  driver_log = g_build_filename (folder, "driver.log", NULL);
  image = g_build_filename (folder, "small.png", NULL);
  {
    g_autoptr (Image) small = image_random (FV_U8, FV_IMAGE, 1, 1, 60, 80, 1);
    files_save (small, image, &error);
    g_assert_no_error (error);
  }
  g_test_add_func ("/wake/left-asleep", test_asleep);
  g_test_add_func ("/wake/woken", test_awake);
  g_test_add_func ("/wake/report", test_report);
  g_test_add_func ("/wake/fetched", test_fetched);
  g_test_add_func ("/wake/choice", test_choice);
  g_test_add_func ("/wake/choice-by-speed", test_choice_by_speed);
  g_test_add_func ("/wake/choice-by-room", test_choice_by_room);
  g_test_add_func ("/wake/choice-by-room-here", test_choice_by_room_here);
  g_test_add_func ("/wake/choice-of-what-runs", test_choice_of_what_runs);
  g_test_add_func ("/wake/choice-of-what-is-given", test_choice_of_what_is_given);
  g_test_add_func ("/wake/measured-once", test_measured_once);
  g_test_add_func ("/wake/choice-by-compiler", test_choice_by_compiler);
  g_test_add_func ("/wake/compiling", test_compiling);
  g_test_add_func ("/wake/fault-names-what-was-asked", test_fault_names_what_was_asked);
  g_test_add_func ("/wake/found-once", test_found_once);
  return run_tests_in (folder);
}
