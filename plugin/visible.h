/* SPDX-License-Identifier: MIT
 *
 * CUDA_VISIBLE_DEVICES, by which the driver shows some GPUs or none.
 */
#ifndef PLUGIN_VISIBLE_H
#define PLUGIN_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `text` with one sentence that says why the driver shows no GPU when the variable has this value, and what would work. False when it
 * does not say: the value is NULL. */
bool visible_explain (const char *value, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
