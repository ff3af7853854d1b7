/* SPDX-License-Identifier: MIT
 */
#include "command/batch_json.h"

#include "command/json.h"

JsonBuilder *
batch_json_begin (const char *folder)
{
  g_autofree char *program = g_strdup_printf ("fovea %s", fovea_version ());
  JsonBuilder *json = json_builder_new ();
  json_builder_begin_object (json);
  json_add_text (json, "program", program);
  json_add_bytes (json, "out", folder);
  json_builder_begin_array (json_builder_set_member_name (json, "failures"));
  return json;
}

void
batch_json_add (JsonBuilder *json, const char *file, unsigned series, const char *why)
{
  json_builder_begin_object (json);
  json_add_bytes (json, "file", file);
  json_builder_add_int_value (json_builder_set_member_name (json, "series"), series);
  json_add_text (json, "why", why);
  json_builder_end_object (json);
}

void
batch_json_end (JsonBuilder *json, const fovea_batch_counts *counts, double seconds)
{
  const struct {
    const char *name;
    uint64_t value;
  } all[] = {{"images", counts->images},
             {"done", counts->done},
             {"failed", counts->failed},
             {"before", counts->before},
             {"parts", counts->parts}};
  json_builder_end_array (json);
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    json_builder_add_int_value (json_builder_set_member_name (json, all[i].name), (gint64) all[i].value);
  if (seconds >= 0)
    json_add_number (json_builder_set_member_name (json, "seconds"), seconds);
  json_builder_end_object (json);
  json_print (json);
}
