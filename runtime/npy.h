/* SPDX-License-Identifier: MIT
 *
 * An array of NumPy, .npy of versions 1 to 3: a line of Python in a header and the numbers behind it.
 */
#ifndef RUNTIME_NPY_H
#define RUNTIME_NPY_H

#include <glib.h>

enum { NPY_AXES = 8 };
#define NPY_MOST ((gint64) 1 << 28) /* numbers */

typedef struct Npy {
  gint64 sizes[NPY_AXES];
  guint n_axes;
  gint64 n;       /* numbers */
  float *numbers; /* the last axis is dense */
} Npy;

/* NULL with *error. */
Npy *npy_new (GBytes *file, GError **error);
void npy_free (Npy *npy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Npy, npy_free)

#endif
