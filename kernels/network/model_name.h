/* SPDX-License-Identifier: MIT
 *
 * Models that a user has added: fovea/models/NAME.zip or NAME.onnx in the user's data folder.
 */
#ifndef KERNELS_NETWORK_MODEL_NAME_H
#define KERNELS_NETWORK_MODEL_NAME_H

#define MODEL_NAME_FOLDER "models"

enum { MODEL_PATH = 4096 };

/* Ends with NULL. */
extern const char *const model_name_endings[];

/* The file that a value of the parameter `model` means: that of an added model, written to path; else the value itself. */
const char *model_name_file (const char *name, char path[MODEL_PATH]);

#endif
