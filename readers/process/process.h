/* SPDX-License-Identifier: MIT
 *
 * Processes that read files for a reader, started when they are first needed and kept until the program ends. A library that crashes or hangs there is a
 * sentence here. Each serves one thread at a time and has its own copy of every file that it was asked about.
 */
#ifndef READERS_PROCESS_PROCESS_H
#define READERS_PROCESS_PROCESS_H

#include "readers/process/answer.h"
#include "readers/process/protocol.h"

enum { PROCESS_MOST = 8, PROCESS_WORDS = 12 };

/* What runs there. One static struct for each reader. */
typedef struct process_program {
  const char *library; /* for errors: "The HDF5 library" */
  int most;            /* processes side by side, at most PROCESS_MOST */
  int seconds;         /* for one answer */
  bool
    once_damaged; /* a damaged file may leave it in disorder: it ends after such an error, before it reads another file */
  /* The words of its command, ended by NULL. They are allocated, and freed with free() also after an error. FV_UNSUPPORTED with *error: why it cannot run. */
  fv_status (*words) (char *words[PROCESS_WORDS], fv_error *error);
} process_program;

/* One that is running, and the caller's alone. */
typedef struct process process;

/* Sets *error to a sentence of a printf() format; returns the code. */
fv_status process_fail (fv_error *error, fv_status code, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* How many there can be: one for each processor, at most as many as the program says. */
int process_count (const process_program *program);
/* Number `slot` of them, started when it does not run; waits until no other thread has it. NULL with *error. */
process *process_take (const process_program *program, int slot, fv_error *error);
void process_put (process *p);
/* Differs from that of every other process, also of one that was in this slot before. */
uint64_t process_generation (const process *p);
/* Memory of PROCESS_PIXELS bytes that both have. */
const uint8_t *process_pixels (const process *p);
/* Asks and waits for the answer, whose bytes are freed with free(). After an error the process may have ended: it starts again for the next process_take(). */
fv_status process_ask (process *p, process_kind kind, const void *request, size_t n, process_answer *answer,
                       fv_error *error);
/* The file with this handle is not needed any more, in the process that had the number `generation` in that slot. Never waits. */
void process_close_file (const process_program *program, int slot, uint64_t generation, uint32_t handle);
/* Ends all of them; no thread has one. */
void process_end_all (void);

#endif
