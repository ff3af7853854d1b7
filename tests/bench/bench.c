/* SPDX-License-Identifier: MIT
 *
 * bench: times the operations on one device and writes JSON. run.py makes the inputs, calls this and times the peers.
 *
 *   bench --data FOLDER [--device cuda:0] [--lines REGEX] [--repeat 20] [--seconds 4] [--huge] [--output FILE]
 *
 *   bench --list [--device cuda:0] [--lines REGEX] [--huge]
 *
 *   bench --startup --data FOLDER [--device cuda:0] [--started MICROSECONDS]
 */
#include "core/ops/native.h"
#include "tests/bench/measure.h"
#include "tests/bench/rates.h"
#include "tests/bench/startup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

typedef struct {
  char *device, *lines, *data, *output, *plugin;
  int repeats;
  double seconds;
  gint64 started;
  gboolean huge, list, startup;
} Options;

/* ---- What was measured with ---- */

static void
add_string (JsonBuilder *b, const char *name, const char *text)
{
  json_builder_add_string_value (json_builder_set_member_name (b, name), text ? text : "");
}

static void
add_int (JsonBuilder *b, const char *name, gint64 number)
{
  json_builder_add_int_value (json_builder_set_member_name (b, name), number);
}

static void
add_double (JsonBuilder *b, const char *name, double number)
{
  json_builder_add_double_value (json_builder_set_member_name (b, name), number);
}

static void
add_machine (JsonBuilder *b, Modules *modules, const Device *device)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  const Device *cpu = modules_device (modules, "cpu", NULL);
  g_autofree char *machine = NULL;
  struct utsname system;
  uname (&system);
  machine = g_strdup_printf ("%s, %s %s, %s", os ? os : "?", system.sysname, system.release, system.machine);
  add_string (b, "program", "fovea " FOVEA_VERSION);
  add_string (b, "compiler", BENCH_COMPILER);
  add_string (b, "date", date);
  add_string (b, "machine", machine);
  add_string (b, "cpu", cpu ? cpu->fv->name : NULL);
  add_int (b, "cores", g_get_num_processors ());
  add_string (b, "device", device->fv->key);
  add_string (b, "device_name", device->fv->name);
  add_string (b, "device_detail", device->fv->detail);
}

/* Of a device with memory of its own. */
static void
add_rates (JsonBuilder *b, const Device *device)
{
  g_autoptr (GError) error = NULL;
  Rates rates;
  if (!rates_measure (device, &rates, &error)) {
    fprintf (stderr, "bench: %s\n", error->message);
    return;
  }
  json_builder_begin_object (json_builder_set_member_name (b, "gigabytes_per_second"));
  add_double (b, "copy", rates.copy);
  add_double (b, "upload", rates.upload);
  add_double (b, "download", rates.download);
  json_builder_end_object (b);
}

/* ---- Lines as JSON ---- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double
number_at (const GArray *numbers, guint i)
{
  return g_array_index (numbers, double, i);
}

/* Sorts ms. */
static double
median (GArray *ms)
{
  g_array_sort (ms, compare_doubles);
  return (number_at (ms, (ms->len - 1) / 2) + number_at (ms, ms->len / 2)) / 2;
}

static void
add_times (JsonBuilder *b, const char *name, GArray *ms)
{
  json_builder_begin_object (json_builder_set_member_name (b, name));
  add_double (b, "median", median (ms));
  add_double (b, "min", number_at (ms, 0));
  add_double (b, "max", number_at (ms, ms->len - 1));
  json_builder_end_object (b);
}

/* Begins an object and leaves it open. */
static void
begin_line (JsonBuilder *b, const Line *line)
{
  json_builder_begin_object (b);
  add_string (b, "name", line->name);
  add_string (b, "work", line->work);
  add_string (b, "size", line->size);
  add_string (b, "steps", line->steps);
  json_builder_begin_array (json_builder_set_member_name (b, "inputs"));
  for (char **input = line->inputs; *input; input++)
    json_builder_add_string_value (b, *input);
  json_builder_end_array (b);
}

static void
add_measured_line (JsonBuilder *b, const Line *line, const Measurement *m)
{
  begin_line (b, line);
  add_int (b, "repeats", m->wall_ms->len);
  add_times (b, "device_ms", m->device_ms);
  add_times (b, "wall_ms", m->wall_ms);
  add_int (b, "bytes", (gint64) m->bytes);
  add_int (b, "bytes_uploaded", (gint64) m->uploaded);
  add_int (b, "bytes_downloaded", (gint64) m->downloaded);
  json_builder_set_member_name (b, "facts");
  json_builder_add_value (b, json_node_init_object (json_node_alloc (), m->facts));
  json_builder_end_object (b);
}

static void
add_line_without_times (JsonBuilder *b, const Line *line, const char *member, const char *why)
{
  fprintf (stderr, "%-45s %s: %s\n", line->name, member, why);
  begin_line (b, line);
  add_string (b, member, why);
  json_builder_end_object (b);
}

/* FALSE when the line could be run but failed. */
static gboolean
add_line (JsonBuilder *b, const Bench *bench, const Line *line)
{
  g_autofree char *obstacle = measure_obstacle (bench, line);
  g_autoptr (GError) error = NULL;
  Measurement m;
  if (obstacle) {
    add_line_without_times (b, line, "skipped", obstacle);
    return TRUE;
  }
  if (!measure_line (bench, line, &m, &error)) {
    add_line_without_times (b, line, "failed", error->message);
    return FALSE;
  }
  fprintf (stderr, "%-45s %10.3f ms, wall %10.3f ms\n", line->name, median (m.device_ms), median (m.wall_ms));
  add_measured_line (b, line, &m);
  measurement_clear (&m);
  return TRUE;
}

/* ---- The program ---- */

/* The built plugin, or the one beside this program. Free with g_free(). */
static char *
default_plugin (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *home = self ? g_path_get_dirname (self) : g_strdup (".");
  char *built = g_build_filename (home, "..", "..", "plugin", "fovea-kernels.so", NULL);
  if (g_file_test (built, G_FILE_TEST_IS_REGULAR))
    return built;
  g_free (built);
  return g_build_filename (home, "fovea-kernels.so", NULL);
}

static gboolean
save (JsonBuilder *b, const Options *o, GError **error)
{
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  g_autofree char *json = json_to_string (root, TRUE);
  if (o->output)
    return g_file_set_contents (o->output, json, -1, error);
  puts (json);
  return TRUE;
}

static void
add_list (JsonBuilder *b, const Bench *bench, const GPtrArray *lines)
{
  json_builder_begin_array (b);
  for (guint i = 0; i < lines->len; i++) {
    g_autofree char *obstacle = measure_obstacle (bench, lines->pdata[i]);
    begin_line (b, lines->pdata[i]);
    if (obstacle)
      add_string (b, "skipped", obstacle);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

/* The number of lines that could be run but failed. */
static guint
add_results (JsonBuilder *b, const Bench *bench, const GPtrArray *lines)
{
  guint failed = 0;
  json_builder_begin_object (b);
  add_machine (b, bench->modules, bench->device);
  if (bench->device->discrete)
    add_rates (b, bench->device);
  json_builder_begin_array (json_builder_set_member_name (b, "lines"));
  for (guint i = 0; i < lines->len; i++)
    failed += !add_line (b, bench, lines->pdata[i]);
  json_builder_end_array (b);
  json_builder_end_object (b);
  return failed;
}

/* *failed: lines that could be run but failed. FALSE with *error when nothing could be run. */
static gboolean
run_lines (JsonBuilder *b, const Options *o, const char *plugin, const char *device, guint *failed, GError **error)
{
  static Modules *modules; /* never freed: threads of the plugin may outlive the last line */
  Bench bench = {modules = modules_new_empty (), NULL, o->data, (guint) o->repeats, o->seconds};
  g_autoptr (GRegex) names = g_regex_new (o->lines ? o->lines : "", 0, 0, error);
  g_autoptr (GPtrArray) lines = NULL;
  if (!names || !modules_load (modules, plugin, error) || !(bench.device = modules_device (modules, device, error)))
    return FALSE;
  native_allow (modules, NULL);
  lines = lines_new (bench.device->fv->kind, o->huge, names);
  if (o->list)
    add_list (b, &bench, lines);
  else
    *failed = add_results (b, &bench, lines);
  return TRUE;
}

static gboolean
parse_options (Options *o, int *argc, char ***argv, GError **error)
{
  GOptionEntry entries[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &o->device, "cpu or cuda:N", "DEVICE"},
    {"lines", 0, 0, G_OPTION_ARG_STRING, &o->lines, "Only lines whose names match", "REGEX"},
    {"repeat", 0, 0, G_OPTION_ARG_INT, &o->repeats, "How often each line is timed, 20", "N"},
    {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &o->seconds, "A line's time, after five runs, 4", "N"},
    {"huge", 0, 0, G_OPTION_ARG_NONE, &o->huge, "Images of 16384 x 16384 too", NULL},
    {"data", 0, 0, G_OPTION_ARG_FILENAME, &o->data, "Folder with the inputs", "FOLDER"},
    {"output", 0, 0, G_OPTION_ARG_FILENAME, &o->output, "Write here instead of to the terminal", "FILE"},
    {"plugin", 0, 0, G_OPTION_ARG_FILENAME, &o->plugin, "The plugin with the operations", "FILE"},
    {"list", 0, 0, G_OPTION_ARG_NONE, &o->list, "List the lines and their inputs instead", NULL},
    {"startup", 0, 0, G_OPTION_ARG_NONE, &o->startup, "Time the way to the first result instead", NULL},
    {"started", 0, 0, G_OPTION_ARG_INT64, &o->started, "When this process was asked for, monotonic clock", "US"},
    {0},
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("- time the operations");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (*argc == 1 && o->repeats > 0 && (o->data || o->list))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--data FOLDER or --list is needed; --repeat is at least 1");
  return FALSE;
}

/* Does what the options ask for. */
static gboolean
run (const Options *o, gint64 entered, guint *failed, GError **error)
{
  g_autofree char *plugin = o->plugin ? g_strdup (o->plugin) : default_plugin ();
  const char *device = o->device ? o->device : "cpu";
  g_autoptr (JsonBuilder) b = json_builder_new ();
  if (o->startup ? !startup_measure (b, plugin, device, o->data, o->started ? o->started : entered, entered, error)
                 : !run_lines (b, o, plugin, device, failed, error))
    return FALSE;
  return save (b, o, error);
}

int
main (int argc, char **argv)
{
  gint64 entered = g_get_monotonic_time ();
  Options o = {.repeats = 20, .seconds = 4};
  g_autoptr (GError) error = NULL;
  guint failed = 0;
  if (!parse_options (&o, &argc, &argv, &error) || !run (&o, entered, &failed, &error))
    fprintf (stderr, "bench: %s\n", error->message);
  g_free (o.device);
  g_free (o.lines);
  g_free (o.data);
  g_free (o.output);
  g_free (o.plugin);
  return error || failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
