/* SPDX-License-Identifier: MIT
 */
#include "readers/process/answer.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 1 << 16, MAX_TILE = INT32_MAX };

static uint64_t
take (process_answer *a, size_t bytes)
{
  uint64_t number = 0;
  if (a->damaged || a->n - a->at < bytes) {
    a->damaged = true;
    return 0;
  }
  for (size_t i = 0; i < bytes; i++)
    number |= (uint64_t) a->bytes[a->at++] << 8 * i;
  return number;
}

uint32_t
process_take_u32 (process_answer *a)
{
  return (uint32_t) take (a, 4);
}

static int64_t
take_i64 (process_answer *a)
{
  return (int64_t) take (a, 8);
}

static double
take_f64 (process_answer *a)
{
  const uint64_t bits = take (a, 8);
  double number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

char *
process_take_text (process_answer *a)
{
  const size_t length = process_take_u32 (a);
  char *text = !a->damaged && length <= a->n - a->at ? malloc (length + 1) : NULL;
  if (!text) {
    a->damaged = true;
    return NULL;
  }
  memcpy (text, a->bytes + a->at, length);
  text[length] = '\0';
  a->at += length;
  return text;
}

/* How many channels have something that takes at least `bytes` each: none, or all of them. */
static uint32_t
take_count (process_answer *a, int64_t channels, size_t bytes)
{
  const uint32_t n = process_take_u32 (a);
  if (n && (n != channels || n > MAX_CHANNELS || a->n - a->at < n * bytes))
    a->damaged = true;
  return a->damaged ? 0 : n;
}

static void
take_channels (process_answer *a, process_image *i)
{
  const uint32_t names = take_count (a, i->channels, 4);
  i->channel_names = names ? calloc (names, sizeof *i->channel_names) : NULL;
  for (uint32_t c = 0; c < names && i->channel_names; c++)
    i->channel_names[c] = process_take_text (a);
  const uint32_t colors = take_count (a, i->channels, 4);
  i->channel_colors = colors ? calloc (colors, sizeof *i->channel_colors) : NULL;
  for (uint32_t c = 0; c < colors && i->channel_colors; c++)
    i->channel_colors[c] = process_take_u32 (a);
  const uint32_t ranges = take_count (a, i->channels, 16);
  i->display_ranges = ranges ? calloc (2 * (size_t) ranges, sizeof *i->display_ranges) : NULL;
  for (size_t c = 0; c < 2 * (size_t) ranges && i->display_ranges; c++)
    i->display_ranges[c] = take_f64 (a);
  if ((names && !i->channel_names) || (colors && !i->channel_colors) || (ranges && !i->display_ranges))
    a->damaged = true;
}

static void
take_levels (process_answer *a, process_image *i)
{
  i->n_levels = process_take_u32 (a);
  if (i->n_levels < 1 || i->n_levels > PROCESS_LEVELS)
    a->damaged = true;
  for (uint32_t n = 0; n < i->n_levels && !a->damaged; n++) {
    process_level *l = &i->levels[n];
    l->rows = take_i64 (a);
    l->columns = take_i64 (a);
    l->tile_rows = take_i64 (a);
    l->tile_columns = take_i64 (a);
    l->tile_slices = take_i64 (a);
    l->tile_channels = take_i64 (a);
    if (l->rows < 1 || l->columns < 1 || l->tile_rows < 0 || l->tile_columns < 0 || !l->tile_rows != !l->tile_columns
        || l->tile_rows > MAX_TILE || l->tile_columns > MAX_TILE || l->tile_slices < 1 || l->tile_channels < 1)
      a->damaged = true;
  }
}

process_image *
process_image_new (process_answer *a)
{
  process_image *i = calloc (1, sizeof *i);
  if (!i)
    return NULL;
  i->type = process_take_u32 (a);
  i->role = process_take_u32 (a);
  int64_t *const sizes[] = {&i->frames, &i->channels, &i->depth, &i->rows, &i->columns};
  for (int axis = 0; axis < 5; axis++)
    *sizes[axis] = take_i64 (a);
  for (int axis = 0; axis < 3; axis++)
    i->spacing[axis] = take_f64 (a);
  for (int axis = 0; axis < 3; axis++)
    i->units[axis] = process_take_text (a);
  i->frame_interval = take_f64 (a);
  i->frame_unit = process_take_text (a);
  take_channels (a, i);
  i->name = process_take_text (a);
  i->description = process_take_text (a);
  take_levels (a, i);
  if (!a->damaged)
    return i;
  process_image_free (i);
  return NULL;
}

void
process_image_free (process_image *i)
{
  if (!i)
    return;
  for (int axis = 0; axis < 3; axis++)
    free (i->units[axis]);
  for (int64_t c = 0; i->channel_names && c < i->channels; c++)
    free (i->channel_names[c]);
  free (i->channel_names);
  free (i->channel_colors);
  free (i->display_ranges);
  free (i->frame_unit);
  free (i->name);
  free (i->description);
  free (i);
}
