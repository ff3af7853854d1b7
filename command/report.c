/* SPDX-License-Identifier: MIT
 *
 * Two views of one run.
 */
#include "core/command/report.h"

#include "core/base/file_target.h"
#include "core/command/print.h"
#include "core/base/text.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* "threshold 1023.5", or the first few of several. */
static void
add_scalars (GString *line, const RunStep *step)
{
  const CallResult *r = &step->result;
  const Op *op = step->step->op;
  enum { SHOWN = 4 };
  for (guint j = 0; j < op->n_scalars; j++) {
    g_string_append_printf (line, "  %s", op->fv.scalars[j].key);
    for (gint64 row = 0; row < MIN (r->scalar_rows, SHOWN); row++) {
      g_autofree char *text = text_from_number (r->scalars[row * op->n_scalars + j]);
      g_string_append_printf (line, " %s", text);
    }
    if (r->scalar_rows > SHOWN)
      g_string_append_printf (line, " ... (%" G_GINT64_FORMAT " in all)", r->scalar_rows);
  }
}

static void
print_step (const RunStep *step)
{
  g_autofree char *text = step_format (step->step);
  g_autoptr (GString) line = g_string_new (text);
  add_scalars (line, step);
  if (step->result.table)
    g_string_append_printf (line, "  %" G_GINT64_FORMAT " rows", table_rows (step->result.table));
  print_line ("%9.2f ms  %s", step->result.ms, line->str);
}

void
report_print (const Report *report)
{
  const Device *device = run_device (report->run);
  print_line ("%s on %s (%s)", report->input, device->fv->key, device->fv->name);
  for (guint i = 0; i < run_length (report->run); i++)
    print_step (run_result (report->run, i));
  print_line ("%9.2f ms  all steps; open %.2f ms, save %.2f ms", report->run_ms, report->open_ms, report->save_ms);
  for (char *const *output = report->outputs; output && *output; output++)
    print_line ("saved %s", *output);
  if (report->table)
    print_line ("saved %s", report->table);
}

/* ---- JSON ---- */

static void
add_number (JsonBuilder *b, double number)
{
  if (isfinite (number))
    json_builder_add_double_value (b, number);
  else
    json_builder_add_null_value (b);
}

/* How many rows a table has, and its columns. */
static void
add_table (JsonBuilder *b, const Table *table)
{
  static const char *const types[] = {"integer", "float", "text"};
  json_builder_add_int_value (json_builder_set_member_name (b, "rows"), table_rows (table));
  json_builder_begin_array (json_builder_set_member_name (b, "columns"));
  for (guint j = 0; j < table_columns (table); j++) {
    const TableColumn *column = table_column (table, j);
    json_builder_begin_object (b);
    json_builder_add_string_value (json_builder_set_member_name (b, "key"), column->key);
    json_builder_add_string_value (json_builder_set_member_name (b, "unit"), column->unit);
    json_builder_add_string_value (json_builder_set_member_name (b, "type"), types[column->type]);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_step (JsonBuilder *b, const RunStep *step, const Device *device)
{
  const CallResult *r = &step->result;
  const Op *op = step->step->op;
  g_autofree char *text = step_format (step->step);
  json_builder_begin_object (b);
  json_builder_add_string_value (json_builder_set_member_name (b, "step"), text);
  json_builder_add_string_value (json_builder_set_member_name (b, "operation"), op->fv.key);
  json_builder_add_string_value (json_builder_set_member_name (b, "device"), device->fv->key);
  json_builder_add_double_value (json_builder_set_member_name (b, "ms"), r->ms);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_uploaded"), (gint64) r->uploaded);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_downloaded"), (gint64) r->downloaded);
  json_builder_begin_object (json_builder_set_member_name (b, "results"));
  for (guint j = 0; j < op->n_scalars; j++) {
    json_builder_begin_array (json_builder_set_member_name (b, op->fv.scalars[j].key));
    for (gint64 row = 0; row < r->scalar_rows; row++)
      add_number (b, r->scalars[row * op->n_scalars + j]);
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
  if (r->table)
    add_table (b, r->table);
  json_builder_end_object (b);
}

char *
report_json (JsonNode *root)
{
  g_autofree char *raw = json_to_string (root, TRUE), *text = text_json (raw);
  g_autoptr (GRegex) regex = g_regex_new ("(: -?[0-9]+e[+-][0-9]+)\\.0\\b", 0, 0, NULL);
  return g_regex_replace (regex, text, -1, 0, "\\1", 0, NULL);
}

gboolean
report_save (const Report *report, const char *path, GError **error)
{
  const Device *device = run_device (report->run);
  g_autoptr (JsonBuilder) b = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL, *input = text_from_bytes (report->input);
  json_builder_begin_object (b);
  json_builder_add_string_value (json_builder_set_member_name (b, "program"), "fovea " FOVEA_VERSION);
  json_builder_add_string_value (json_builder_set_member_name (b, "input"), input);
  json_builder_add_string_value (json_builder_set_member_name (b, "device"), device->fv->key);
  json_builder_add_string_value (json_builder_set_member_name (b, "device_name"), device->fv->name);
  json_builder_add_string_value (json_builder_set_member_name (b, "device_reason"), report->reason);
  json_builder_begin_array (json_builder_set_member_name (b, "steps"));
  for (guint i = 0; i < run_length (report->run); i++)
    add_step (b, run_result (report->run, i), device);
  json_builder_end_array (b);
  json_builder_add_double_value (json_builder_set_member_name (b, "open_ms"), report->open_ms);
  json_builder_add_double_value (json_builder_set_member_name (b, "run_ms"), report->run_ms);
  json_builder_add_double_value (json_builder_set_member_name (b, "save_ms"), report->save_ms);
  json_builder_end_object (b);
  root = json_builder_get_root (b);
  text = report_json (root);
  return file_save_text (path, text, 0666, error);
}
