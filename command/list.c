/* SPDX-License-Identifier: MIT
 *
 * fovea ops and devices: what there is, from the declarations alone.
 */
#include "command/command.h"
#include "command/json.h"
#include "command/print.h"
#include "command/reference.h"

#include <string.h>

static gboolean as_json, as_markdown;

static const GOptionEntry json_entries[] = {
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const GOptionEntry ops_entries[] = {
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL},
  {"markdown", 0, 0, G_OPTION_ARG_NONE, &as_markdown, "Print the reference page of all operations", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/* ---- Operations ---- */

/* Whether the words name the operation's menu, a part of its path, or a menu above it, in any case: "filters", "Process/Filters", "process". */
static gboolean
is_in_group (const fovea_operation *operation, char **parts)
{
  g_auto (GStrv) menu = g_strsplit (operation->menu ? operation->menu : "", "/", -1);
  for (char **from = menu; *from; from++) {
    guint n = 0;
    while (parts[n] && from[n] && !g_ascii_strcasecmp (parts[n], from[n]))
      n++;
    if (n && !parts[n])
      return TRUE;
  }
  return FALSE;
}

/* Those in no menu come last. */
static int
compare_menus (gconstpointer a, gconstpointer b)
{
  const fovea_operation *one = *(const fovea_operation *const *) a, *other = *(const fovea_operation *const *) b;
  const int order = one->menu && other->menu ? strcmp (one->menu, other->menu) : !one->menu - !other->menu;
  return order ? order : strcmp (one->key, other->key);
}

/* The operations of the group that the words name, then those that the words find, best first; all for no words. How many are of the group: *grouped. */
static GPtrArray *
find (const fovea_operation *const *all, char **words, guint *grouped)
{
  g_autofree char *wanted = g_strjoinv (" ", words), *path = g_strdelimit (g_strdup (wanted), " ", '/');
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  GPtrArray *found = g_ptr_array_new ();
  for (const fovea_operation *const *op = all; *op; op++)
    if (!*words || is_in_group (*op, parts))
      g_ptr_array_add (found, (gpointer) *op);
  g_ptr_array_sort (found, compare_menus);
  *grouped = found->len;
  for (int rank = 4; *words && rank > 0; rank--)
    for (const fovea_operation *const *op = all; *op; op++)
      if (fovea_operation_rank (*op, wanted) == rank && !is_in_group (*op, parts))
        g_ptr_array_add (found, (gpointer) *op);
  return found;
}

/* With a heading for each menu; other operations follow. */
static void
print_operations (const GPtrArray *found, guint grouped)
{
  int width = 0;
  for (guint i = 0; i < found->len; i++)
    width = MAX (width, (int) strlen (((const fovea_operation *) found->pdata[i])->key));
  for (guint i = 0; i < found->len; i++) {
    const fovea_operation *op = found->pdata[i], *before = i ? found->pdata[i - 1] : NULL;
    if (i < grouped ? !before || g_strcmp0 (op->menu, before->menu) : before && i == grouped) {
      print_text (before ? "\n" : "");
      print_line ("%s", i == grouped ? "Others" : op->menu ? op->menu : "In no menu");
    }
    print_line ("%s%-*s  %s", grouped ? "  " : "", width, op->key, op->help);
  }
}

static int
run_ops (int argc, char **argv)
{
  g_autoptr (fovea_context) context = command_context ();
  g_autoptr (GPtrArray) found = NULL;
  guint grouped;
  (void) argc;
  found = find (fovea_context_operations (context), argv + 1, &grouped);
  if (!found->len && argv[1]) {
    g_autofree char *wanted = g_strjoinv (" ", argv + 1);
    return command_wrong_use ("ops", "No operation has '%s' in its name, its help or its search words.", wanted);
  }
  if (!as_json && !as_markdown) {
    print_operations (found, grouped);
    return COMMAND_DONE;
  }
  g_ptr_array_add (found, NULL);
  const fovea_operation *const *operations = (const fovea_operation *const *) found->pdata;
  if (argc == 1)
    operations = fovea_context_operations (context);
  if (as_json)
    json_print (reference_json (operations));
  else {
    g_autofree char *page = reference_markdown (operations);
    print_text (page);
  }
  return COMMAND_DONE;
}

const Command command_ops = {
  .name = "ops",
  .arguments = "[GROUP|WORD...]",
  .help = "list the operations, those of a menu, or those that a word finds",
  .description =
    "Lists the operations by menu, those of one menu (fovea ops filters), or those that words find, best first (fovea "
    "ops blur).\nThe search is that of the app. 'fovea help OPERATION' explains an operation.",
  .options = ops_entries,
  .run = run_ops,
};

/* ---- Devices ---- */

static void
devices_json (const fovea_device *const *devices)
{
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_array (b);
  for (; *devices; devices++) {
    const fovea_device *device = *devices;
    int64_t unused, all;
    json_builder_begin_object (b);
    json_add_text (b, "key", device->key);
    json_add_text (b, "name", device->name);
    json_add_text (b, "detail", device->detail);
    if (device->fault)
      json_add_text (b, "fault", device->fault);
    else if (!fovea_device_get_memory (device, &unused, &all, NULL)) {
      json_builder_add_int_value (json_builder_set_member_name (b, "memory_free"), unused);
      json_builder_add_int_value (json_builder_set_member_name (b, "memory_total"), all);
    }
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_print (b);
}

static void
print_device (const fovea_device *device)
{
  g_autoptr (fovea_error) error = NULL;
  int64_t unused, all;
  if (device->fault)
    print_line ("%-8s not usable: %s", device->key, device->fault);
  else if (!fovea_device_get_memory (device, &unused, &all, &error))
    print_line ("%-8s %s, %s, %.1f of %.1f GiB free", device->key, device->name, device->detail,
                (double) unused / 0x1p30, (double) all / 0x1p30);
  else
    print_line ("%-8s %s, %s; memory unknown: %s", device->key, device->name, device->detail,
                fovea_error_message (error));
}

static int
run_devices (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  const fovea_device *const *devices;
  if (argc > 1)
    return command_wrong_use ("devices", "'devices' takes no arguments; remove '%s'.", argv[1]);
  context = command_context ();
  devices = fovea_context_devices (context);
  if (as_json)
    devices_json (devices);
  else
    for (; *devices; devices++)
      print_device (*devices);
  return COMMAND_DONE;
}

const Command command_devices = {
  .name = "devices",
  .arguments = "",
  .help = "list the devices that work can run on",
  .description = "Lists the devices that can run work, and why others cannot be used.",
  .options = json_entries,
  .run = run_devices,
};
