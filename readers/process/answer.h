/* SPDX-License-Identifier: MIT
 *
 * The answers of a process, taken apart. Nothing in them is believed: a number is taken only when its bytes are there.
 */
#ifndef READERS_PROCESS_ANSWER_H
#define READERS_PROCESS_ANSWER_H

#include "fovea-plugin.h"

typedef struct {
  uint8_t *bytes;
  size_t n, at;
  bool damaged; /* something was taken that is not there; all later numbers are 0 */
} process_answer;

enum { PROCESS_LEVELS = 32 };

/* Of a level: rows and columns, and of how many pixels the parts are that are decoded together, in columns, rows, slices and channels; 0 columns: any region
 * is read as it is. */
typedef struct {
  int64_t rows, columns, tile_rows, tile_columns, tile_slices, tile_channels;
} process_level;

/* Image n. An answer has its members in this order:
 * - u32 type and role;
 * - i64 frames, channels, depth, rows, columns;
 * - f64 pixel size along z, y, x, and the texts of their units;
 * - f64 frame interval, and the text of its unit;
 * - u32 number of channel names, 0 or all, and their texts; the same of colors (u32) and of contrast limits (pairs of f64);
 * - texts of the name and the description;
 * - u32 number of levels, and six i64 for each.
 * Texts may be empty. */
typedef struct {
  uint32_t type, role;
  int64_t frames, channels, depth, rows, columns;
  double spacing[3], frame_interval;
  char *units[3], *frame_unit, *name, *description;
  char **channel_names;     /* [channels], or NULL */
  uint32_t *channel_colors; /* likewise */
  double *display_ranges;   /* pairs */
  uint32_t n_levels;
  process_level levels[PROCESS_LEVELS];
} process_image;

uint32_t process_take_u32 (process_answer *a);
/* Free with free(). NULL: damaged, or no memory. */
char *process_take_text (process_answer *a);
/* NULL: damaged, or no memory. */
process_image *process_image_new (process_answer *a);
void process_image_free (process_image *image);

#endif
