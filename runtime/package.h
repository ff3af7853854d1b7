/* SPDX-License-Identifier: MIT
 *
 * A package of the BioImage Model Zoo, checked as far as it can be without running its network.
 */
#ifndef RUNTIME_PACKAGE_H
#define RUNTIME_PACKAGE_H

#include "kernels/network/model_file.h"
#include "runtime/files.h"

typedef struct Package {
  model_head head;
  char *card;   /* of card_new(), or NULL */
  Files *files; /* the ONNX file, and its external data */
  /* Planes of the test: rows * columns pixels, preprocessed; and channels * cells, in this order. */
  float *input, *output;
  gint64 pixels, numbers; /* of them */
} Package;

/* NULL with *error. */
Package *package_new (Files *files, GError **error);
void package_free (Package *package);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Package, package_free)

/* What network.h says to the network: whether it can compute it as *head has it; else head->why has the reason. */
void package_set_why (model_head *head, GBytes *onnx);
/* Whole steps and cells of the halo. Sizes that are not known are those of the test. FALSE with *error. */
gboolean package_set_sizes (model_head *head, GError **error);

#endif
