/* SPDX-License-Identifier: MIT
 *
 * Where ONNX Runtime is on this computer.
 */
#ifndef RUNTIME_LIBRARY_H
#define RUNTIME_LIBRARY_H

#include "runtime/ort_api.h"

#include <glib.h>

/* FOVEA_ONNXRUNTIME is the path of a file, or one of Python's package beside ours, or what the loader finds, or a file of Debian's package, or one of Python's package
 * in the usual folders. gpu: with the libraries of CUDA that Python's packages have beside it. NULL with *error, which names the packages that have it. */
const OrtApiBase *library_load (gboolean gpu, GError **error);

#endif
