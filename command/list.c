/* SPDX-License-Identifier: MIT
 *
 * fovea ops, help and devices: what there is, from the declarations alone.
 */
#include "core/ops/args.h"
#include "core/command/command.h"
#include "core/command/print.h"
#include "core/ops/reference.h"

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

int
command_ops (int argc, char **argv)
{
  g_autoptr (Modules) modules = NULL;
  const GPtrArray *ops;
  int status = command_parse (&argc, &argv, NULL, "Lists the operations.", ops_entries);
  if (status != COMMAND_GO_ON)
    return status;
  if (argc > 1)
    return command_wrong_use ("ops", "'ops' takes no arguments; 'fovea help %s' explains an operation.", argv[1]);
  modules = command_modules ();
  ops = modules_ops (modules);
  if (as_json) {
    command_print_json (reference_json (ops));
    return COMMAND_DONE;
  }
  if (as_markdown) {
    g_autofree char *page = reference_markdown (ops);
    print_text (page);
    return COMMAND_DONE;
  }
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    print_line ("%-12s %s", op->fv.key, op->fv.help);
  }
  return COMMAND_DONE;
}

int
command_help (int argc, char **argv)
{
  static const GOptionEntry none[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
  g_autoptr (Modules) modules = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const Op *op;
  int status = command_parse (&argc, &argv, "OPERATION", "Explains an operation.", none);
  if (status != COMMAND_GO_ON)
    return status;
  if (argc != 2)
    return command_wrong_use ("help", "'help' takes the name of one operation; 'fovea ops' lists them.");
  modules = command_modules ();
  if (!(op = modules_op (modules, argv[1], &error)))
    return command_wrong_use ("help", "%s", error->message);
  text = reference_text (op);
  print_text (text);
  return COMMAND_DONE;
}

static void
devices_json (const GPtrArray *devices)
{
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_array (b);
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    gint64 available = 0, total = 0;
    fv_error fault = FV_ERROR_INIT;
    json_builder_begin_object (b);
    json_builder_add_string_value (json_builder_set_member_name (b, "key"), fv->key);
    json_builder_add_string_value (json_builder_set_member_name (b, "name"), fv->name);
    json_builder_add_string_value (json_builder_set_member_name (b, "detail"), fv->detail);
    if (fv->fault)
      json_builder_add_string_value (json_builder_set_member_name (b, "fault"), fv->fault);
    else if (fv->memory (fv, &available, &total, &fault) == FV_OK) {
      json_builder_add_int_value (json_builder_set_member_name (b, "memory_free"), available);
      json_builder_add_int_value (json_builder_set_member_name (b, "memory_total"), total);
    }
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  command_print_json (b);
}

int
command_devices (int argc, char **argv)
{
  g_autoptr (Modules) modules = NULL;
  const GPtrArray *devices;
  int status = command_parse (&argc, &argv, NULL, "Lists the devices that work can run on, and why one cannot be used.",
                              json_entries);
  if (status != COMMAND_GO_ON)
    return status;
  if (argc > 1)
    return command_wrong_use ("devices", "'devices' takes no arguments.");
  modules = command_modules ();
  devices = modules_find_devices (modules);
  if (as_json) {
    devices_json (devices);
    return COMMAND_DONE;
  }
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    gint64 available, total;
    fv_error fault = FV_ERROR_INIT;
    if (fv->fault)
      print_line ("%-8s not usable: %s", fv->key, fv->fault);
    else if (fv->memory (fv, &available, &total, &fault) == FV_OK)
      print_line ("%-8s %s, %s, %.1f of %.1f GiB free", fv->key, fv->name, fv->detail, (double) available / 0x1p30,
                  (double) total / 0x1p30);
    else
      print_line ("%-8s %s, %s; memory unknown: %s", fv->key, fv->name, fv->detail, fault.text);
  }
  return COMMAND_DONE;
}
