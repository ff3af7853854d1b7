/* SPDX-License-Identifier: MIT
 *
 * A table by planes has a column z, which counts from 1: the same label is another object in each plane.
 */
#include "ui/results/fade.h"

#include "core/measure/object_table.h"

#include <string.h>

/* The labels that the table measures; NULL when it does not. */
static Image *
measured_labels (const Table *table, const View *view)
{
  const Run *run = document_run (view_document (view));
  for (guint n = run_length (run); table && n--;) {
    if (run_result (run, n)->result.table == table && table_find_numbers (table, "label"))
      return view_measured (run, n);
  }
  return NULL;
}

static void
add_object (GByteArray *bits, guint label)
{
  guint byte = label >> 3, before = bits->len;
  if (byte >= before) {
    g_byte_array_set_size (bits, byte + 1);
    memset (bits->data + before, 0, byte + 1 - before);
  }
  bits->data[byte] |= (guint8) (1 << (label & 7));
}

/* As view_set_kept() takes them. */
static GBytes *
kept_objects (const ResultsModel *model, gint64 slice, gint64 frame)
{
  const Table *table = results_model_table (model);
  const TableColumn *labels = table_find_numbers (table, "label");
  GByteArray *bits = g_byte_array_new ();
  gint64 row;
  for (guint i = 0; (row = results_model_row (model, i)) >= 0; i++) {
    double label = labels->values[row];
    if (label >= 0 && label <= G_MAXINT32 && object_table_is_of (table, row, slice, frame))
      add_object (bits, (guint) label);
  }
  return g_byte_array_free_to_bytes (bits);
}

gboolean
results_fade (const ResultsModel *model, View *view)
{
  Image *labels = results_model_filtered (model) ? measured_labels (results_model_table (model), view) : NULL;
  if (!labels)
    return FALSE;
  g_autoptr (GBytes) kept = kept_objects (model, view_slice (view), view_frame (view));
  view_set_kept (view, labels, kept);
  return TRUE;
}
