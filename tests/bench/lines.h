/* SPDX-License-Identifier: MIT
 *
 * What is timed: one line for each operation, kind of input and size. run.py makes the inputs and times the peers under the
 * same names.
 */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "fovea-plugin.h"

#include <glib.h>

enum { LINE_INPUTS = 2 };

/* On which kind of device a line is run; LINE_HUGE: only when asked for. */
enum { LINE_CPU = 1, LINE_CUDA = 2, LINE_BOTH = LINE_CPU | LINE_CUDA, LINE_HUGE = 4 };

typedef enum LineMode {
  LINE_STEP,       /* one step, inputs on the device, outputs left there */
  LINE_PIPELINE,   /* a fresh pipeline, source on the device, last image left there */
  LINE_ROUND_TRIP, /* a fresh pipeline, source in host memory, last image brought back */
} LineMode;

typedef struct LineInput {
  const char *name; /* NAME.npy in the data folder */
  fv_role role;
} LineInput;

typedef struct Line {
  const char *work, *size;
  guint where;
  LineMode mode;
  LineInput inputs[LINE_INPUTS]; /* in the order of the operation's; name NULL: none */
  const char *steps;
} Line;

/* Ends with work NULL. */
extern const Line lines[];

/* "label nuclei 2048". Free with g_free(). */
char *line_name (const Line *line);
guint line_inputs (const Line *line);

#endif
