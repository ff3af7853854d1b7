/* SPDX-License-Identifier: MIT
 *
 * Networks that other people have made: packages of the BioImage Model Zoo, and ONNX files that network.h cannot compute. The program fovea-model makes a folder of
 * each, which is kept in models/ of the user's cache folder, $XDG_CACHE_HOME/fovea or ~/.cache/fovea, until the file changes.
 */
#ifndef KERNELS_NETWORK_MODEL_PACKAGE_H
#define KERNELS_NETWORK_MODEL_PACKAGE_H

#include "kernels/common/common.h"
#include "kernels/network/model_file.h"

enum { MODEL_FOLDER = 1024 };

/* folder: MODEL_FOLDER bytes. FV_BAD_ARGUMENT with *error. */
fv_status model_package_open (const char *file, char *folder, model_head *head, fv_error *error);
/* "FOLDER/NAME"; size: of to. */
void model_package_path (const char *folder, const char *name, char *to, size_t size);
/* n floats of a file of the folder, for free(). NULL: it cannot be read. */
float *model_package_floats (const char *folder, const char *name, int64_t n);
/* Whether the network has made its test output on a GPU, or on the CPU, and that it did now. */
bool model_package_is_tested (const char *folder, bool gpu);
void model_package_set_tested (const char *folder, bool gpu);

#endif
