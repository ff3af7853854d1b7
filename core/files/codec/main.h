/* SPDX-License-Identifier: MIT
 *
 * What programs share that decode one image by a library, which ends the process or writes outside of its memory when a file lies.
 */
#ifndef CORE_FILES_CODEC_MAIN_H
#define CORE_FILES_CODEC_MAIN_H

#include "core/files/codec/job.h"

#include <stddef.h>

typedef struct {
  const char *name;
  void *to; /* a function pointer, which is set */
} codec_function;

/* A program. */
typedef struct {
  const char *library;
  const codec_function *functions; /* of the library, all of which are needed; the last has no name */
  /* Writes the pixels of the job; file: its memory. */
  codec_end (*decode) (const codec_job *job, uint8_t *file);
} codec_program;

/* Without an argument the program only looks for the library. Ends the process as it is: what the library has is not looked through. */
void codec_run (const codec_program *program, int argc) __attribute__ ((noreturn));

#endif
