/* SPDX-License-Identifier: MIT
 *
 * Compiled code that outlives the program: a file for each key in kernels/ of the user's cache folder, $XDG_CACHE_HOME/fovea or
 * ~/.cache/fovea. A file holds its whole key and a checksum, so that none is taken for another and a damaged one is as none. Nothing here
 * fails: without a folder nothing is kept.
 */
#ifndef PLUGIN_CODE_CACHE_H
#define PLUGIN_CODE_CACHE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The code that was kept under the key, for free(), or NULL. */
void *code_cache_read (const char *key, size_t *bytes);
/* Stores it; when there are many files, it replaces the least recently used one. */
void code_cache_write (const char *key, const void *code, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
