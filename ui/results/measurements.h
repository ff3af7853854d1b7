/* SPDX-License-Identifier: MIT
 *
 * The table of what was measured in selections of one opened image (core/measure/measurements.h), which grows in the background.
 */
#ifndef UI_RESULTS_MEASUREMENTS_H
#define UI_RESULTS_MEASUREMENTS_H

#include "core/selection/selection.h"
#include "ui/view/view.h"

#define MEASUREMENTS_TYPE (measurements_get_type ())
/* Signals: "changed" when the table is another one; "asked" (kept, step, request) when something is to be measured: see
 * measurements_add(); "vain" (request) when nothing came of that; "cleared"; "failed" (text). */
G_DECLARE_FINAL_TYPE (Measurements, measurements, FOVEA, MEASUREMENTS, GObject)

/* worker must live longer. */
Measurements *measurements_new (Worker *worker);
/* NULL: nothing was measured. It is immutable; a new one replaces it. */
Table *measurements_table (const Measurements *m);
/* Measures the plane that is looked at, or that of the selection, in the background, as soon as no other results are on their way.
 * Takes the array. kept: whether they are those of the list. (element-type Selection) */
void measurements_add (Measurements *m, View *view, GPtrArray *selections, gboolean kept);
/* Rows that were measured elsewhere, of the selections in the list, or of the current one, in the image of a step: as in record_measured().
 * FALSE with *error, as measurements_join(). */
gboolean measurements_extend (Measurements *m, Table *rows, gboolean kept, guint step, GError **error);
/* How many rows are not in a file. */
guint measurements_unsaved (const Measurements *m);
/* The table was written to a file. */
void measurements_saved (Measurements *m);
/* Replaces the table with the one of a restored session, which is not saved to a file. */
void measurements_restore (Measurements *m, Table *table);
/* Nothing is measured any more: the worker goes. */
void measurements_end (Measurements *m);
void measurements_clear (Measurements *m);

#endif
