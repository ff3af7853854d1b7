/* SPDX-License-Identifier: MIT
 *
 * What programs share that decode one image by a library, which ends the process or writes outside of its memory when a file lies.
 */
#ifndef CORE_FILES_CODEC_MAIN_H
#define CORE_FILES_CODEC_MAIN_H

#include "core/files/codec/job.h"

#include <stdbool.h>
#include <stddef.h>

/* A program. */
typedef struct {
  bool (*load) (void); /* the library: whether it is there */
  /* Writes the pixels of the job; file: its memory. */
  codec_end (*decode) (const codec_job *job, uint8_t *file);
} codec_program;

/* Sets a function pointer of that size to a function of a library. */
bool codec_load (void *library, const char *name, void *to);
/* Without an argument the program only looks for the library. Ends the process as it is: what the library has is not looked through. */
void codec_run (const codec_program *program, int argc) __attribute__ ((noreturn));

#endif
