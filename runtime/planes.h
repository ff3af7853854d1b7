/* SPDX-License-Identifier: MIT
 *
 * Tensors as planes: channel by channel, each of rows of columns. All other axes of the tensor have one position.
 */
#ifndef RUNTIME_PLANES_H
#define RUNTIME_PLANES_H

#include <glib.h>

/* Channels, rows and columns. */
typedef struct Planes {
  gint64 channels, rows, columns;
} Planes;

/* The planes of a tensor of n axes, for g_free(). axes: their letters, as model_head has them; what: the tensor, in an error. NULL with *error: it has other
 * axes, or more than one position along another one. */
float *planes_of (const float *tensor, const gint64 *sizes, guint n, const char *axes, const char *what, Planes *planes,
                  GError **error);
/* The tensor of planes, for g_free(), and its sizes, one for each letter. */
float *planes_tensor (const float *from, const Planes *planes, const char *axes, gint64 *sizes);

#endif
