/* SPDX-License-Identifier: MIT
 *
 * fovea batch --json: the summary of a batch.
 */
#ifndef COMMAND_BATCH_JSON_H
#define COMMAND_BATCH_JSON_H

#include "library/fovea.h"

#include <json-glib/json-glib.h>

/* folder: of the outputs. The failures come next. */
JsonBuilder *batch_json_begin (const char *folder);
/* An image that failed; one at a time. */
void batch_json_add (JsonBuilder *json, const char *file, unsigned series, const char *why);
/* Prints it, and takes it. seconds: what it took; below 0: not known. */
void batch_json_end (JsonBuilder *json, const fovea_batch_counts *counts, double seconds);

#endif
