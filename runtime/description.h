/* SPDX-License-Identifier: MIT
 *
 * The description of a package of the BioImage Model Zoo, rdf.yaml, in the formats 0.4 and 0.5.
 */
#ifndef RUNTIME_DESCRIPTION_H
#define RUNTIME_DESCRIPTION_H

#include "kernels/network/model_file.h"
#include "runtime/tree.h"

/* A file of the package. */
typedef struct Source {
  char *name, *sha256; /* or NULL */
} Source;

typedef struct Description {
  model_head head; /* without what the test tensors tell */
  Source onnx, data, test_input, test_output;
  GStrv channels;       /* names of those of the output, or NULL */
  gboolean stars;       /* the output is said to be distances of stars */
  gboolean one_channel; /* the preprocessing is possible for a network of one channel alone */
} Description;

/* FALSE with *error names what is not possible. */
gboolean description_read (Tree *tree, Description *to, GError **error);
void description_clear (Description *d);
/* The index of an axis in such letters; -1: there is none. */
int description_axis (const char *axes, char letter);

#endif
