/* SPDX-License-Identifier: MIT
 *
 * What is timed: one line for each operation, kind of input and size. run.py makes the inputs and times the peers under
 * the same names.
 */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "fovea-plugin.h"

#include <glib.h>

enum { LINE_INPUTS = 3 };

/* The last image is the colored one; the table is beside it. */
#define LINES_MEASURE "regionprops properties=label,area,intensity_mean,solidity"
#define LINES_WORKFLOW                                                                                                 \
  "gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=objects | label2rgb | " LINES_MEASURE          \
  " from=objects intensity=source"

typedef enum LineMode {
  LINE_STEP,       /* one step, inputs on the device, outputs left there */
  LINE_PIPELINE,   /* a fresh run, source on the device, last image left there */
  LINE_ROUND_TRIP, /* a fresh run, source in host memory, last image brought back */
} LineMode;

typedef struct Line {
  char *name; /* "label nuclei 2048": work and size */
  char *work, *size;
  LineMode mode;
  char **inputs; /* at most LINE_INPUTS, in the order of the operation's; "mask-noise-2048" is mask-noise-2048.npy */
  const char *steps;
} Line;

/* Array of Line *: those for one kind of device whose names match. huge: those of the largest images too. */
GPtrArray *lines_new (fv_device_kind kind, gboolean huge, const GRegex *names);
/* By the first word of the input's name: mask, labels, rgb; all others are images. */
fv_role line_input_role (const char *input);

#endif
