/* SPDX-License-Identifier: MIT
 *
 * fovea ops, help and devices: what there is, from the declarations alone.
 */
#include "command/command.h"
#include "command/json.h"
#include "command/print.h"
#include "command/reference.h"

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

/* The operations that the words find, best first; free the list with g_free(). */
static const fovea_operation **
find (const fovea_operation *const *all, const char *wanted)
{
  guint n = 0, found = 0;
  while (all[n])
    n++;
  const fovea_operation **list = g_new0 (const fovea_operation *, n + 1);
  for (int rank = 4; rank > 0; rank--)
    for (guint i = 0; i < n; i++)
      if (fovea_operation_rank (all[i], wanted) == rank)
        list[found++] = all[i];
  return list;
}

static int
run_ops (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  const fovea_operation *const *operations;
  g_autofree const fovea_operation **found = NULL;
  g_autofree char *wanted = NULL;
  context = command_context ();
  wanted = g_strjoinv (" ", argv + 1);
  operations = found = find (fovea_context_operations (context), wanted);
  if (argc > 1 && !*operations)
    return command_wrong_use ("ops", "No operation has '%s' in its name, its help or its search words.", wanted);
  if (as_json)
    json_print (reference_json (operations));
  else if (as_markdown) {
    g_autofree char *page = reference_markdown (operations);
    print_text (page);
  } else
    for (; *operations; operations++)
      print_line ("%-12s %s", (*operations)->key, (*operations)->help);
  return COMMAND_DONE;
}

const Command command_ops = {
  .name = "ops",
  .arguments = "[WORD...]",
  .help = "list the operations, or find some",
  .description = "Lists the operations, or those that WORD finds, best first: "
                 "fovea ops blur. 'fovea help OPERATION' explains one.",
  .options = ops_entries,
  .run = run_ops,
};

static int
run_help (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_error) error = NULL;
  g_autofree char *text = NULL;
  const fovea_operation *operation;
  if (argc != 2)
    return command_wrong_use ("help", "Usage: fovea help OPERATION; 'fovea ops' lists the operations.");
  context = command_context ();
  if (!(operation = fovea_context_operation (context, argv[1], &error)))
    return command_wrong_use ("help", "%s", fovea_error_message (error));
  text = reference_text (operation);
  print_text (text);
  return COMMAND_DONE;
}

const Command command_help = {
  .name = "help",
  .arguments = "OPERATION",
  .help = "explain an operation and its parameters",
  .description = "Explains an operation.",
  .run = run_help,
};

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
