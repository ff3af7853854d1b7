/* SPDX-License-Identifier: MIT
 *
 * What a run did: per step the device, the time, the bytes moved and the results that are single numbers. For people and as
 * JSON.
 */
#ifndef CORE_COMMAND_REPORT_H
#define CORE_COMMAND_REPORT_H

#include "core/run/run.h"

#include <json-glib/json-glib.h>

typedef struct Report {
  const char *input;
  const Run *run;
  char *reason;         /* why it ran there */
  char *const *outputs; /* as asked for, or NULL */
  const char *table;    /* path, or NULL */
  double open_ms, run_ms, save_ms;
} Report;

/* On standard output. */
void report_print (const Report *report);
/* JSON-GLib writes 1e+308 as 1e+308.0, which no other program reads: the text without that. Free with g_free(). */
char *report_json (JsonNode *root);
gboolean report_save (const Report *report, const char *path, GError **error);

#endif
