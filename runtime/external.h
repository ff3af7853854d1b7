/* SPDX-License-Identifier: MIT
 *
 * Which other files an ONNX file takes weights from.
 */
#ifndef RUNTIME_EXTERNAL_H
#define RUNTIME_EXTERNAL_H

#include <glib.h>

/* Adds their names as the file has them, each once. FALSE with *error: it is damaged. */
gboolean external_names (GBytes *onnx, GPtrArray *names, GError **error);

#endif
