/* SPDX-License-Identifier: MIT
 *
 * A network in ONNX Runtime.
 */
#ifndef RUNTIME_ORT_H
#define RUNTIME_ORT_H

#include "kernels/network/model_file.h"
#include "runtime/planes.h"

#include <glib.h>

typedef struct Ort Ort;

/* Loads the library and the network of a file; custom operators are not possible. gpu: number of the GPU that computes it, if the library can use that
 * one; -1: the CPU. NULL with *error. */
Ort *ort_new (const char *path, int threads, int gpu, GError **error);
gboolean ort_is_on_gpu (const Ort *ort);
/* A sentence of the version, and where it computes; also why not on the GPU. */
const char *ort_says (const Ort *ort);
/* Sizes of the input, 0 where any is possible, in *n dimensions. FALSE with *error: it has not one input of floats. */
gboolean ort_input (const Ort *ort, gint64 sizes[MODEL_AXES], guint *n, GError **error);
/* Runs it on a plane, whose channels come one after the other. Its output, for g_free(), and the sizes of that. NULL with *error. */
float *ort_run (Ort *ort, const model_head *head, const float *from, gint64 rows, gint64 columns, Planes *planes,
                GError **error);

#endif
