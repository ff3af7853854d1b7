/* SPDX-License-Identifier: MIT
 *
 * Models of segment by name.
 */
#ifndef KERNELS_NETWORK_SEGMENT_MODEL_H
#define KERNELS_NETWORK_SEGMENT_MODEL_H

#include "kernels/network/model_package.h"
#include "kernels/network/model_process.h"
#include "kernels/network/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A network that gives what segment needs, perhaps with its weights. */
typedef struct segment_model {
  network net;               /* of one that another program computes only its input and output */
  float *weights;            /* of the device, or NULL */
  model_head head;           /* how it takes planes, and what its output means */
  int64_t halo;              /* pixels around a tile on which it depends, a multiple of the grid */
  bool elsewhere;            /* another program computes it */
  char folder[MODEL_FOLDER]; /* of a package; else "" */
  model_process *process;    /* that computes it, or NULL */
} segment_model;

/* name: "nuclei", an ONNX file, a package, or one of these that was added. The layers alone. FV_BAD_ARGUMENT: the file cannot be read, or segment cannot use its network. */
fv_status segment_model_read (const char *name, segment_model *model, fv_error *error);
/* A file in memory. */
typedef struct segment_file {
  const void *bytes;
  size_t n;
  void *own; /* to be freed, also after an error */
} segment_file;

/* The same. *file: the ONNX file with the weights; empty where another program computes it. */
fv_status segment_model_open (const char *name, segment_file *file, segment_model *model, fv_error *error);

/* After an error of a model, or of its run: the error names it. Returns the code. */
fv_status segment_model_fault (const char *name, fv_error *error);

/* The smallest side of an input, in rows (0) or columns (1), that has n pixels; of a network with one size that is multiples of cells. */
int64_t segment_model_whole (const segment_model *model, int direction, int64_t n);
/* The largest possible side of a tile of an image whose whole side that is, for tiles of about so many pixels without what is around them. */
int64_t segment_model_side (const segment_model *model, int direction, int64_t tile, int64_t whole);

#ifdef __cplusplus
}
#endif

#endif
