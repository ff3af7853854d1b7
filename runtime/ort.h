/* SPDX-License-Identifier: MIT
 *
 * A network in ONNX Runtime, on the CPU.
 */
#ifndef RUNTIME_ORT_H
#define RUNTIME_ORT_H

#include "kernels/network/model_file.h"

#include <glib.h>

typedef struct Ort Ort;

/* Loads the library and the network of a file; custom operators are not possible. NULL with *error. */
Ort *ort_new (const char *path, int threads, GError **error);
const char *ort_version (const Ort *ort);
/* Sizes of the input, 0 where any is possible, in *n dimensions. FALSE with *error: it has not one input of floats. */
gboolean ort_input (const Ort *ort, gint64 sizes[MODEL_AXES], guint *n, GError **error);
/* Runs it on a plane. *numbers: its output, channel by channel, to be freed by g_free(), and the sizes of that: channels, rows, columns. FALSE with *error. */
gboolean ort_run (Ort *ort, const model_head *head, const float *plane, gint64 rows, gint64 columns, float **numbers,
                  gint64 sizes[3], GError **error);

#endif
