/* SPDX-License-Identifier: MIT
 *
 * bench: times the operations on one device and writes JSON. run.py makes the inputs, calls this and times the peers.
 *   bench --data FOLDER [--device cuda:0] [--lines REGEX] [--repeat 20] [--huge] [--output FILE]
 *   bench --list [--device cuda:0] [--lines REGEX] [--huge]
 * "kernels_sha256" is the SHA-256 of the files of kernels/, one after the other in the byte order of their names, as
 * `cat kernels/\* | sha256sum` prints it under LC_ALL=C. FOVEA_SOURCE says where kernels/ is, else the current folder.
 */
#include "measure.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

typedef struct {
  char *device, *lines, *data, *output, *plugin;
  int repeats;
  gboolean huge, list;
} Options;

/* ---- What was measured with ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
checksum_add_file (GChecksum *sum, const char *path)
{
  g_autofree char *contents = NULL;
  gsize length;
  if (!g_file_get_contents (path, &contents, &length, NULL))
    return FALSE;
  g_checksum_update (sum, (const guchar *) contents, (gssize) length);
  return TRUE;
}

/* NULL when the folder cannot be read. Free with g_free(). */
static char *
folder_sha256 (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && !checksum_add_file (sum, path))
      return NULL;
  }
  return dir ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

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
add_machine (JsonBuilder *b, Modules *modules, const Device *device)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_autofree char *kernels = source_path ("kernels");
  g_autofree char *sha256 = folder_sha256 (kernels);
  const Device *cpu = modules_device (modules, "cpu", NULL);
  g_autofree char *machine = NULL;
  struct utsname system;
  uname (&system);
  machine = g_strdup_printf ("%s, %s %s, %s", os ? os : "?", system.sysname, system.release, system.machine);
  add_string (b, "program", "fovea " FOVEA_VERSION);
  add_string (b, "kernels_sha256", sha256);
  add_string (b, "compiler", BENCH_COMPILER);
  add_string (b, "date", date);
  add_string (b, "machine", machine);
  add_string (b, "cpu", cpu ? cpu->fv->name : NULL);
  add_int (b, "cores", g_get_num_processors ());
  add_string (b, "device", device->fv->key);
  add_string (b, "device_name", device->fv->name);
  add_string (b, "device_detail", device->fv->detail);
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
  json_builder_add_double_value (json_builder_set_member_name (b, "median"), median (ms));
  json_builder_add_double_value (json_builder_set_member_name (b, "min"), number_at (ms, 0));
  json_builder_add_double_value (json_builder_set_member_name (b, "max"), number_at (ms, ms->len - 1));
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
  g_autofree char *missing = measure_missing (bench, line);
  g_autoptr (GError) error = NULL;
  Measurement m;
  if (missing) {
    g_autofree char *why = g_strdup_printf ("there is no operation '%s' yet", missing);
    add_line_without_times (b, line, "skipped", why);
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
add_list (JsonBuilder *b, const GPtrArray *lines)
{
  json_builder_begin_array (b);
  for (guint i = 0; i < lines->len; i++) {
    begin_line (b, lines->pdata[i]);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

/* *failed: lines that could be run but failed. FALSE with *error when nothing could be run. */
static gboolean
add_results (JsonBuilder *b, const Options *o, const GPtrArray *lines, guint *failed, GError **error)
{
  g_autofree char *plugin = o->plugin ? g_strdup (o->plugin) : default_plugin ();
  static Modules *modules; /* never freed: threads of the plugin may outlive the last line */
  Bench bench = {modules = modules_new_empty (), NULL, o->data, (guint) o->repeats};
  if (!modules_load (modules, plugin, error)
      || !(bench.device = modules_device (modules, o->device ? o->device : "cpu", error)))
    return FALSE;
  json_builder_begin_object (b);
  add_machine (b, modules, bench.device);
  json_builder_begin_array (json_builder_set_member_name (b, "lines"));
  for (guint i = 0; i < lines->len; i++)
    *failed += !add_line (b, &bench, lines->pdata[i]);
  json_builder_end_array (b);
  json_builder_end_object (b);
  return TRUE;
}

static gboolean
parse_options (Options *o, int *argc, char ***argv, GError **error)
{
  GOptionEntry entries[] = {
    {"device", 0, 0, G_OPTION_ARG_STRING, &o->device, "cpu or cuda:N", "DEVICE"},
    {"lines", 0, 0, G_OPTION_ARG_STRING, &o->lines, "Only lines whose names match", "REGEX"},
    {"repeat", 0, 0, G_OPTION_ARG_INT, &o->repeats, "How often each line is timed, 20", "N"},
    {"huge", 0, 0, G_OPTION_ARG_NONE, &o->huge, "Images of 16384 x 16384 too", NULL},
    {"data", 0, 0, G_OPTION_ARG_FILENAME, &o->data, "Folder with the inputs", "FOLDER"},
    {"output", 0, 0, G_OPTION_ARG_FILENAME, &o->output, "Write here instead of to the terminal", "FILE"},
    {"plugin", 0, 0, G_OPTION_ARG_FILENAME, &o->plugin, "The plugin with the operations", "FILE"},
    {"list", 0, 0, G_OPTION_ARG_NONE, &o->list, "List the lines and their inputs instead", NULL},
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
run (const Options *o, guint *failed, GError **error)
{
  fv_device_kind kind = o->device && g_str_has_prefix (o->device, "cuda") ? FV_CUDA : FV_CPU;
  g_autoptr (GRegex) names = g_regex_new (o->lines ? o->lines : "", 0, 0, error);
  g_autoptr (GPtrArray) lines = names ? lines_new (kind, o->huge, names) : NULL;
  g_autoptr (JsonBuilder) b = json_builder_new ();
  if (!lines)
    return FALSE;
  if (o->list)
    add_list (b, lines);
  else if (!add_results (b, o, lines, failed, error))
    return FALSE;
  return save (b, o, error);
}

int
main (int argc, char **argv)
{
  Options o = {.repeats = 20};
  g_autoptr (GError) error = NULL;
  guint failed = 0;
  if (!parse_options (&o, &argc, &argv, &error) || !run (&o, &failed, &error))
    fprintf (stderr, "bench: %s\n", error->message);
  g_free (o.device);
  g_free (o.lines);
  g_free (o.data);
  g_free (o.output);
  g_free (o.plugin);
  return error || failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
