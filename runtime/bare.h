/* SPDX-License-Identifier: MIT
 *
 * An ONNX file without a description: what it says itself, and what ONNX Runtime makes of an empty image.
 */
#ifndef RUNTIME_BARE_H
#define RUNTIME_BARE_H

#include "runtime/package.h"

/* Images are taken as those of nuclei: percentile 0.5 becomes 0, percentile 99.9 becomes 1. path: of the file. NULL with *error. */
Package *bare_new (const char *path, GBytes *onnx, GError **error);

#endif
