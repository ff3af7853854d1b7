/* SPDX-License-Identifier: MIT
 *
 * Two views of one run.
 */
#include "command/report.h"

#include "command/command.h"
#include "command/json.h"
#include "command/print.h"

/* A step, and what became of it. */
typedef struct {
  fovea_step step;
  fovea_step_run run;
  fovea_table *numbers, *derived;
  fovea_table *table; /* NULL: it made none */
} Row;

static Row
read_row (const Report *report, unsigned n)
{
  Row row = {.step = {.size = sizeof row.step}, .run = {.size = sizeof row.run}};
  fovea_recipe_get_step (report->recipe, n, &row.step, NULL);
  fovea_run_get_step (report->run, n, &row.run, NULL);
  row.numbers = fovea_run_step_numbers (report->run, n, NULL);
  row.derived = fovea_run_step_derived (report->run, n, NULL);
  row.table = fovea_run_step_table (report->run, n, NULL);
  return row;
}

static void
row_clear (Row *row)
{
  fovea_table_free (row->numbers);
  fovea_table_free (row->derived);
  fovea_table_free (row->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

/* "threshold 1023.5", or the first few of several. */
static void
add_numbers (GString *line, const fovea_table *numbers)
{
  enum { SHOWN = 4 };
  gint64 rows = fovea_table_rows (numbers);
  for (unsigned j = 0; j < fovea_table_columns (numbers); j++) {
    g_string_append_printf (line, "  %s", fovea_table_name (numbers, j));
    for (gint64 i = 0; i < MIN (rows, SHOWN); i++) {
      char *text = fovea_text_from_number (fovea_table_numbers (numbers, j)[i]);
      g_string_append_printf (line, " %s", text);
      fovea_text_free (text);
    }
    if (rows > SHOWN)
      g_string_append_printf (line, " ... (%" G_GINT64_FORMAT " in all)", rows);
  }
}

static void
print_row (const Row *row, const fovea_device *device)
{
  g_autoptr (GString) line = g_string_new (row->step.text);
  add_numbers (line, row->derived);
  add_numbers (line, row->numbers);
  if (row->table)
    g_string_append_printf (line, "  %" G_GINT64_FORMAT " rows", fovea_table_rows (row->table));
  if (row->step.device && row->run.device)
    g_string_append_printf (line, "  on %s", row->run.device->key);
  else if (row->run.device && row->run.device != device)
    g_string_append_printf (line, "  on %s: too little memory on %s", row->run.device->key, device->key);
  if (row->run.value_unit)
    g_string_append_printf (line, "  calibrated values in %s", row->run.value_unit);
  if (row->run.left_out)
    g_string_append_printf (line, "  without %s", row->run.left_out);
  print_report ("%9.2f ms  %s", row->run.ms, line->str);
}

/* Of a step whose results another device may give otherwise. */
static void
print_reproducible (const Report *report, unsigned n)
{
  g_auto (Row) row = read_row (report, n);
  if (row.run.reproducible > 0)
    print_report ("%s: reproducible to %g between devices", row.step.operation, row.run.reproducible);
}

char *
report_on_disk (unsigned results)
{
  return results ? g_strdup_printf (", %u result%s on disk", results, results > 1 ? "s" : "") : g_strdup ("");
}

void
report_print (const Report *report)
{
  const fovea_device *device = fovea_run_device (report->run);
  unsigned on_disk = 0;
  print_report ("%s on %s (%s)", report->input, device->key, device->name);
  for (unsigned n = 0; n < fovea_recipe_length (report->recipe); n++) {
    g_auto (Row) row = read_row (report, n);
    print_row (&row, device);
    on_disk += row.run.on_disk > 0;
  }
  g_autofree char *disk = report_on_disk (on_disk);
  for (unsigned n = 0; n < fovea_recipe_length (report->recipe); n++)
    print_reproducible (report, n);
  print_report ("%9.2f ms  all steps; open %.2f ms, save %.2f ms%s", report->run_ms, report->open_ms, report->save_ms,
                disk);
  for (char *const *output = report->outputs; output && *output; output++)
    print_report ("saved %s", *output);
  if (report->table)
    print_report ("saved %s", report->table);
  if (report->folder)
    print_report ("saved the images of all steps in %s", report->folder);
}

/* ---- JSON ---- */

/* How many rows a table has, and its columns. */
static void
add_table (JsonBuilder *b, const fovea_table *table)
{
  static const char *const types[] = {"integer", "float", "text"};
  json_builder_add_int_value (json_builder_set_member_name (b, "rows"), fovea_table_rows (table));
  json_builder_begin_array (json_builder_set_member_name (b, "columns"));
  for (unsigned j = 0; j < fovea_table_columns (table); j++) {
    json_builder_begin_object (b);
    json_add_text (b, "key", fovea_table_name (table, j));
    json_add_text (b, "unit", fovea_table_unit (table, j));
    json_add_text (b, "type", types[fovea_table_type (table, j)]);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
}

static void
add_column (JsonBuilder *b, const char *name, const fovea_table *table, unsigned j)
{
  json_builder_begin_array (json_builder_set_member_name (b, name));
  for (gint64 i = 0; i < fovea_table_rows (table); i++)
    json_add_number (b, fovea_table_numbers (table, j)[i]);
  json_builder_end_array (b);
}

/* Each derived value, as it is written and what it came to. */
static void
add_derived (JsonBuilder *b, const fovea_table *derived)
{
  json_builder_begin_object (json_builder_set_member_name (b, "derived"));
  for (unsigned j = 0; j < fovea_table_columns (derived); j++) {
    json_builder_begin_object (json_builder_set_member_name (b, fovea_table_name (derived, j)));
    json_add_text (b, "text", fovea_table_help (derived, j));
    add_column (b, "values", derived, j);
    json_builder_end_object (b);
  }
  json_builder_end_object (b);
}

static void
add_row (JsonBuilder *b, const Row *row, const fovea_device *device)
{
  json_builder_begin_object (b);
  json_add_text (b, "step", row->step.text);
  json_add_text (b, "operation", row->step.operation);
  json_add_text (b, "device", (row->run.device ? row->run.device : device)->key);
  json_builder_add_double_value (json_builder_set_member_name (b, "ms"), row->run.ms);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_uploaded"), (gint64) row->run.uploaded);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_downloaded"), (gint64) row->run.downloaded);
  json_builder_add_int_value (json_builder_set_member_name (b, "bytes_on_disk"), (gint64) row->run.on_disk);
  if (row->run.reproducible > 0)
    json_builder_add_double_value (json_builder_set_member_name (b, "reproducible"), row->run.reproducible);
  if (row->run.value_unit)
    json_add_text (b, "value_unit", row->run.value_unit);
  if (row->run.left_out)
    json_add_text (b, "left_out", row->run.left_out);
  if (fovea_table_columns (row->derived))
    add_derived (b, row->derived);
  json_builder_begin_object (json_builder_set_member_name (b, "results"));
  for (unsigned j = 0; j < fovea_table_columns (row->numbers); j++)
    add_column (b, fovea_table_name (row->numbers, j), row->numbers, j);
  json_builder_end_object (b);
  if (row->table)
    add_table (b, row->table);
  json_builder_end_object (b);
}

fovea_code
report_save (const Report *report, const char *path, fovea_error **error)
{
  const fovea_device *device = fovea_run_device (report->run);
  g_autofree char *program = g_strdup_printf ("fovea %s", fovea_version ()), *text = NULL;
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_object (b);
  json_add_text (b, "program", program);
  json_add_bytes (b, "input", report->input);
  json_add_text (b, "device", device->key);
  json_add_text (b, "device_name", device->name);
  json_add_text (b, "device_reason", fovea_run_reason (report->run));
  json_builder_begin_array (json_builder_set_member_name (b, "steps"));
  for (unsigned n = 0; n < fovea_recipe_length (report->recipe); n++) {
    g_auto (Row) row = read_row (report, n);
    add_row (b, &row, device);
  }
  json_builder_end_array (b);
  json_builder_add_double_value (json_builder_set_member_name (b, "open_ms"), report->open_ms);
  json_builder_add_double_value (json_builder_set_member_name (b, "run_ms"), report->run_ms);
  json_builder_add_double_value (json_builder_set_member_name (b, "save_ms"), report->save_ms);
  json_builder_end_object (b);
  text = json_end (b);
  return fovea_text_save (text, path, error);
}
