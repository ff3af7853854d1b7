/* SPDX-License-Identifier: MIT
 *
 * What a batch does with each image.
 */
#ifndef CORE_BATCH_JOB_H
#define CORE_BATCH_JOB_H

#include "core/data/image.h"
#include "core/data/table.h"

/* What comes of an image for one of the outputs: the one or the other. */
typedef struct BatchProduct {
  Image *image; /* in host memory */
  Table *table;
} BatchProduct;

typedef struct BatchResult {
  const char *device;     /* where it was made; the job's */
  Table *table;           /* its rows in the table of all; NULL: none */
  BatchProduct *products; /* as many as there are outputs, at first empty */
} BatchResult;

typedef struct BatchJob {
  gpointer self;
  /* Bytes of host memory that run() will take, the pixels of the image too. FALSE with *error. Both on any thread, at the same time. */
  gboolean (*needs) (gpointer self, Image *image, gsize *bytes, GError **error);
  /* Fills *result, which is the caller's in any case. FALSE with *error. */
  gboolean (*run) (gpointer self, Image *image, BatchResult *result, GError **error);
} BatchJob;

#endif
