/* SPDX-License-Identifier: MIT
 *
 * Tensors that a program gives, with all axes that an image has.
 */
#ifndef LIBRARY_TENSOR_H
#define LIBRARY_TENSOR_H

#include "library/private.h"

enum { AXES = 5 }; /* time, channel, z, y, x */

typedef struct Tensor {
  char *pixels;
  fv_type type;
  gsize bytes;                      /* of a pixel */
  int64_t shape[AXES], steps[AXES]; /* in pixels */
} Tensor;

/* Whether it is in host memory; FALSE with *error, in which it is called `name`. */
gboolean tensor_on_host (const DLTensor *from, const char *name, fovea_error **error);
/* FALSE with *error, in which it is called `name`, when it is nothing that pixels of an image can be in. Its shape may be anything. */
gboolean tensor_read (const DLTensor *from, const char *name, Tensor *tensor, fovea_error **error);

#endif
