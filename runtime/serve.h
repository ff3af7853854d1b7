/* SPDX-License-Identifier: MIT
 *
 * Computes a network for the plugin until that closes the socket: see kernels/network/model_file.h.
 */
#ifndef RUNTIME_SERVE_H
#define RUNTIME_SERVE_H

/* folder: as store.h makes it. gpu: as ort_new() has it. Returns the exit status. */
int serve_folder (const char *folder, int threads, int gpu);

#endif
