/* SPDX-License-Identifier: MIT
 *
 * Models of segment by name.
 */
#ifndef KERNELS_NETWORK_SEGMENT_MODEL_H
#define KERNELS_NETWORK_SEGMENT_MODEL_H

#include "kernels/network/network.h"
#include "kernels/network/segment_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A network that gives what segment needs, perhaps with its weights. */
typedef struct segment_model {
  network net;
  float *weights; /* of the device, or NULL */
  int64_t halo;   /* pixels around a tile on which it depends, a multiple of the grid */
} segment_model;

/* name: "nuclei" or an ONNX file. The layers alone. FV_BAD_ARGUMENT: the file cannot be read, or segment cannot use its network. */
fv_status segment_model_read (const char *name, segment_model *model, fv_error *error);
/* With weights: of the device's state, or new. The call gives it back by segment_model_leave(). */
fv_status segment_model_take (const fv_call *call, const char *name, segment_model **model, fv_error *error);
void segment_model_leave (const fv_call *call, const char *name, segment_model *model);

#ifdef __cplusplus
}
#endif

#endif
