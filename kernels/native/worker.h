/* SPDX-License-Identifier: MIT
 *
 * A process in which compiled code of users runs on the CPU, as its owner sees it. It is kept from call to call, and belongs to one call at a
 * time. A process that was forked from the owner has no part in it.
 */
#ifndef KERNELS_NATIVE_WORKER_H
#define KERNELS_NATIVE_WORKER_H

#include "kernels/native/worker_arena.h"

typedef struct worker worker;

/* Starts one. NULL with *error. */
worker *worker_start (fv_error *error);
/* Ends the process and frees what the owner has. */
void worker_free (worker *w);
/* Whether this process may use it: it has started it, and it has not ended. */
bool worker_is_usable (const worker *w);

worker_arena *worker_shared (const worker *w);
/* The pixels of a slot, and their offset in the file. */
char *worker_pixels (const worker *w, int slot, size_t *offset);
/* Memory for whole arrays, of at least so many bytes; their offset is WORKER_WHOLE. NULL with *error. */
char *worker_whole (worker *w, size_t bytes, fv_error *error);

/* The index of the library made of that source; *known: the worker has it already. */
int worker_library (worker *w, const char *source, bool *known);
/* Makes ready to run that library, loaded from a file when file >= 0, on so many threads. stop (data) is asked every few milliseconds.
 * FV_CANCELLED without *error when it said so or the process ended; else *error says why it cannot be loaded. */
fv_status worker_prepare (worker *w, int library, const char *source, int file, int threads, int (*stop) (void *),
                          void *data, fv_error *error);

/* The slot of a thread's ring at which the thread stands, and the step to the next one. */
int worker_slot_of (const worker *w, int thread);
void worker_next_slot (worker *w, int thread);

/* Whether the process has ended. Any thread. */
bool worker_has_ended (const worker *w);
/* "ended with SIGSEGV (stack overflow)": how it ended; waits for the end, which has begun. */
void worker_how (worker *w, char *text, size_t bytes);

#endif
