/* SPDX-License-Identifier: MIT
 *
 * The `fovea` command from the outside: what a user types, what comes out, and the exit status.
 */
#include "tests/support/init.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static char *folder; /* temporary; the working folder of every call */

typedef struct {
  int status;
  char *out, *err;
} Output;

static char *
sample (const char *name)
{
  return g_build_filename (g_getenv ("FOVEA_SOURCE"), "data", "samples", name, NULL);
}

static GSubprocess *
start (const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;
  g_ptr_array_add (argv, g_build_filename (g_getenv ("FOVEA_BUILD"), "command", "fovea", NULL));
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, g_strdup (*arguments));
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_set_cwd (launcher, folder);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  return process;
}

static Output
finish (GSubprocess *process)
{
  Output output;
  g_autoptr (GError) error = NULL;
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output.out, &output.err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process)); /* not by a signal */
  output.status = g_subprocess_get_exit_status (process);
  g_object_unref (process);
  return output;
}

#define FOVEA(...) finish (start ((const char *const[]){__VA_ARGS__, NULL}))

static void
output_clear (Output *o)
{
  g_free (o->out);
  g_free (o->err);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)

static void
expect (const Output *o, int status, const char *in_out, const char *in_err)
{
  if (o->status != status || (in_out && !strstr (o->out, in_out)) || (in_err && !strstr (o->err, in_err)))
    g_error ("status %d, expected %d with \"%s\" and \"%s\"\nout: %s\nerr: %s", o->status, status, in_out ? in_out : "",
             in_err ? in_err : "", o->out, o->err);
}

static char *
contents (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static guint
count_lines (const char *text)
{
  guint n = 0;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

/* ---- Tests ---- */

static void
test_workflow (void)
{
  g_autofree char *input = sample ("nuclei_rgb.tif"), *csv = NULL, *report = NULL, *png = NULL;
  g_auto (Output) o =
    FOVEA ("run",
           "channel index=1 as=green | gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=cells | "
           "regionprops intensity=green properties=label,intensity_mean,area,solidity | label2rgb from=cells",
           input, "-o", "labels.png", "--table", "cells.csv", "--report", "report.json");
  expect (&o, 0, "threshold", NULL);
  expect (&o, 0, "objects", NULL);
  g_assert_cmpstr (o.err, ==, "");
  csv = contents ("cells.csv");
  g_assert_nonnull (csv);
  g_assert_true (g_str_has_prefix (csv, "label,"));
  g_assert_cmpuint (count_lines (csv), >, 30);
  png = contents ("labels.png");
  g_assert_nonnull (png);
  report = contents ("report.json");
  g_assert_nonnull (strstr (report, "\"threshold\""));
  g_assert_nonnull (strstr (report, "\"bytes_uploaded\""));
}

static void
test_named_outputs (void)
{
  g_autofree char *input = sample ("nuclei_rgb.tif"), *mask = NULL, *last = NULL;
  g_auto (Output) o =
    FOVEA ("run", "channel index=1 | otsu as=mask | label", input, "-q", "-o", "mask=mask.png", "-o", "labels.tif");
  expect (&o, 0, NULL, NULL);
  g_assert_cmpstr (o.out, ==, "");
  mask = contents ("mask.png");
  last = contents ("labels.tif");
  g_assert_nonnull (mask);
  g_assert_nonnull (last);
  g_auto (Output) info = FOVEA ("info", "--json", "labels.tif");
  expect (&info, 0, "\"i32\"", NULL);
}

static void
test_wrong_use (void)
{
  g_autofree char *input = sample ("nuclei_rgb.tif");
  g_auto (Output) nothing = FOVEA ("run");
  g_auto (Output) command = FOVEA ("rnu");
  g_auto (Output) operation = FOVEA ("run", "gausian", input);
  g_auto (Output) argument = FOVEA ("run", "gaussian sigma=-3", input);
  g_auto (Output) option = FOVEA ("run", "--nope", "gaussian", input);
  g_auto (Output) help = FOVEA ("help", "gausian");
  expect (&nothing, 2, NULL, "--help");
  expect (&command, 2, NULL, "unknown command 'rnu'");
  expect (&operation, 2, NULL, "Did you mean 'gaussian'");
  expect (&argument, 2, NULL, "sigma must be from 0 to");
  expect (&option, 2, NULL, "--nope");
  expect (&help, 2, NULL, "Did you mean 'gaussian'");
}

static void
test_failures (void)
{
  g_autofree char *input = sample ("nuclei_rgb.tif"), *png = NULL;
  g_auto (Output) missing = FOVEA ("run", "otsu", "no-such.tif");
  g_auto (Output) device = FOVEA ("run", "--device", "cuda:99", "otsu", input);
  g_auto (Output) no_table = FOVEA ("run", "channel index=1 | otsu", input, "--table", "t.csv");
  g_auto (Output) no_folder = FOVEA ("run", "channel index=1 | otsu", input, "-o", "nowhere/x.png");
  g_auto (Output) extension = FOVEA ("run", "channel index=1 | otsu", input, "-o", "x.xyz");
  g_auto (Output) floats = FOVEA ("run", "channel index=1 | gaussian", input, "-o", "x.png");
  expect (&missing, 2, NULL, "no-such.tif");
  expect (&device, 1, NULL, "cuda:99");
  expect (&no_table, 2, NULL, "no step makes a table");
  expect (&no_folder, 2, NULL, "nowhere");
  expect (&extension, 2, NULL, "x.xyz");
  expect (&floats, 1, NULL, ".tif");
  png = contents ("x.png");
  g_assert_null (png);
}

/* Code that a step carries runs when it is allowed, and a macro cannot allow it. */
static void
test_native (void)
{
  static const char *const steps = "kernel operation=\"z = 255 - x;\"";
  g_autofree char *input = sample ("points.tif"), *macro = g_build_filename (folder, "native.lua", NULL);
  g_autofree char *text = g_strdup_printf (
    "open([[%s]])\nrun('Custom Kernel...', 'operation=[z = 255 - x;]')\nprint('ran', getPixel(0, 0))\n", input);
  g_assert_true (g_file_set_contents (macro, text, -1, NULL));
  g_auto (Output) refused = FOVEA ("run", steps, input, "-o", "native.tif");
  g_auto (Output) allowed = FOVEA ("run", "--allow-native", steps, input, "-q", "-o", "native.tif");
  g_auto (Output) batch = FOVEA ("batch", steps, input, "--out", "native");
  g_auto (Output) many = FOVEA ("batch", "--allow-native", steps, input, "--out", "native", "-o", "{name}.tif");
  g_auto (Output) by_macro = FOVEA ("macro", "native.lua", input);
  g_auto (Output) with_macro = FOVEA ("macro", "--allow-native", "native.lua", input);
  g_auto (Output) batch_of_macro = FOVEA ("batch", "native.lua", input, "--out", "untouched");
  expect (&refused, 2, NULL, "--allow-native");
  expect (&allowed, 0, NULL, NULL);
  expect (&batch, 2, NULL, "--allow-native");
  expect (&many, 0, NULL, NULL);
  expect (&by_macro, 1, NULL, "native.lua:2: Custom Kernel runs code");
  g_assert_false (g_file_test ("untouched", G_FILE_TEST_EXISTS));
  expect (&batch_of_macro, 1, NULL, "native.lua:2: Custom Kernel runs code");
  expect (&with_macro, 0, "ran", NULL);
}

static void
test_lists (void)
{
  g_auto (Output) ops = FOVEA ("ops");
  g_auto (Output) json = FOVEA ("ops", "--json");
  g_auto (Output) help = FOVEA ("help", "gaussian");
  g_auto (Output) devices = FOVEA ("devices");
  g_auto (Output) devices_json = FOVEA ("devices", "--json");
  g_auto (Output) version = FOVEA ("--version");
  g_auto (Output) usage = FOVEA ("--help");
  expect (&ops, 0, "regionprops", NULL);
  expect (&json, 0, "\"parameters\"", NULL);
  g_assert_null (strstr (json.out, "e+308.0")); /* not a number of JSON */
  expect (&help, 0, "sigma=", NULL);
  expect (&devices, 0, "cpu", NULL);
  expect (&devices_json, 0, "\"memory_total\"", NULL);
  expect (&version, 0, "fovea ", NULL);
  expect (&usage, 0, "devices", NULL);
}

static void
test_info_and_convert (void)
{
  g_autofree char *stack = sample ("stack.tif"), *rgb = sample ("nuclei_rgb.tif");
  g_auto (Output) info = FOVEA ("info", stack, rgb);
  g_auto (Output) convert = FOVEA ("convert", rgb, "rgb.png");
  g_auto (Output) converted = FOVEA ("info", "rgb.png");
  g_auto (Output) partly = FOVEA ("info", "no-such.tif", rgb);
  expect (&info, 0, "slices", NULL);
  expect (&info, 0, "µm", NULL);
  expect (&convert, 0, NULL, NULL);
  expect (&converted, 0, "640×640 8-bit, 3 channels", NULL);
  expect (&partly, 2, "640×640", "no-such.tif");
}

/* Whether the program has its handler of Ctrl-C. */
static gboolean
catches_interrupt (GSubprocess *process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/status", g_subprocess_get_identifier (process)), *status = NULL;
  g_assert_true (g_file_get_contents (path, &status, NULL, NULL));
  const char *caught = strstr (status, "SigCgt:");
  return caught && g_ascii_strtoull (caught + strlen ("SigCgt:"), NULL, 16) >> (SIGINT - 1) & 1;
}

/* Ctrl-C in the middle: a clean end with status 1 and no file, finished or not. */
static void
test_interrupt (void)
{
  g_autofree char *input = sample ("nuclei_rgb.tif");
  const char *const arguments[] = {
    "run", "zoom factor=12 order=5 | gaussian sigma=300 | gaussian sigma=300", input, "-o", "big.tif", NULL};
  GSubprocess *process = start (arguments);
  g_autoptr (GDir) dir = NULL;
  const char *name;
  gint64 begin;
  while (!catches_interrupt (process))
    g_usleep (1000);
  g_usleep (400 * 1000);
  begin = g_get_monotonic_time ();
  g_subprocess_send_signal (process, SIGINT);
  g_auto (Output) o = finish (process);
  g_test_message ("stopped after %.0f ms", (double) (g_get_monotonic_time () - begin) / 1000);
  expect (&o, 1, NULL, "Stopped");
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    g_assert_false (g_str_has_prefix (name, "big") || g_str_has_prefix (name, ".fovea"));
}

/* The reference page is what the declarations say. */
static void
test_reference_is_current (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOVEA_SOURCE"), "data", "operations.md", NULL), *page = NULL;
  g_auto (Output) o = FOVEA ("ops", "--markdown");
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  if (strcmp (page, o.out))
    g_error ("data/operations.md is stale: run 'fovea ops --markdown > data/operations.md'");
}

int
main (int argc, char **argv)
{
  const char *rm[] = {"rm", "-r", NULL, NULL};
  int status;
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-cli-XXXXXX", NULL);
  g_test_add_func ("/cli/workflow", test_workflow);
  g_test_add_func ("/cli/named-outputs", test_named_outputs);
  g_test_add_func ("/cli/wrong-use", test_wrong_use);
  g_test_add_func ("/cli/failures", test_failures);
  g_test_add_func ("/cli/native", test_native);
  g_test_add_func ("/cli/lists", test_lists);
  g_test_add_func ("/cli/info-and-convert", test_info_and_convert);
  g_test_add_func ("/cli/interrupt", test_interrupt);
  g_test_add_func ("/cli/reference-is-current", test_reference_is_current);
  status = g_test_run ();
  rm[2] = folder;
  g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (folder);
  return status;
}
