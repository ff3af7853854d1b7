/* SPDX-License-Identifier: MIT
 *
 * A region is read in blocks of whole tiles. A tile is always read in the same process, which has decoded it already when its other slices or channels are
 * wanted; processes work at the same time.
 */
#include "readers/process/reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECT = 4 << 20 /* bytes of a block where there are no tiles */, MAX_IMAGES = 1 << 16, MAX_OTHERS = 1 << 16 };

typedef struct {
  const process_program *program;
  char *path, *left_out;
  char **others; /* ended by NULL */
  uint32_t n_images;
  pthread_mutex_t lock;   /* of `images` */
  process_image **images; /* [n_images]; NULL: not asked yet */
  /* In each process, and used by the thread that has it. */
  struct {
    uint64_t generation;
    uint32_t handle;
  } opened[PROCESS_MOST];
} file;

/* ---- In a process ---- */

/* What a process says of a file that it has opened, into *f, when that is new, or whether it is what another one said. */
static fv_status
take_opened (file *f, process_answer *a, uint32_t *handle, fv_error *error)
{
  *handle = process_take_u32 (a);
  const uint32_t images = process_take_u32 (a);
  char *left_out = process_take_text (a);
  const uint32_t n = process_take_u32 (a);
  const bool first = !f->n_images;
  if (images < 1 || images > MAX_IMAGES || n > MAX_OTHERS)
    a->damaged = true;
  if (first && !a->damaged) {
    f->images = calloc (images, sizeof *f->images);
    f->others = calloc ((size_t) n + 1, sizeof *f->others);
    f->left_out = left_out;
    left_out = NULL;
  }
  for (uint32_t i = 0; first && i < n && f->others; i++)
    f->others[i] = process_take_text (a);
  free (left_out);
  if (a->damaged)
    return process_fail (error, FV_BAD_INPUT, "%s gave an answer that cannot be true.", f->program->library);
  if (first && (!f->images || !f->others))
    return process_fail (error, FV_NO_MEMORY, "Not enough memory for a file of %u images.", images);
  if (!first && images != f->n_images)
    return process_fail (error, FV_BAD_INPUT, "It has changed since it was opened.");
  f->n_images = images;
  return FV_OK;
}

/* Opens it in this process unless it is. */
static fv_status
open_in (file *f, process *p, int slot, fv_error *error)
{
  process_answer answer;
  if (f->opened[slot].generation == process_generation (p))
    return FV_OK;
  fv_status status = process_ask (p, PROCESS_OPEN, f->path, strlen (f->path), &answer, error);
  if (status)
    return status;
  status = take_opened (f, &answer, &f->opened[slot].handle, error);
  f->opened[slot].generation = process_generation (p);
  free (answer.bytes);
  return status;
}

static void
put_u64 (uint8_t *to, uint64_t number, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    to[i] = (uint8_t) (number >> 8 * i);
}

/* ---- Opening ---- */

static void
free_file (file *f)
{
  for (uint32_t i = 0; f->images && i < f->n_images; i++)
    process_image_free (f->images[i]);
  for (char **other = f->others; other && *other; other++)
    free (*other);
  free (f->images);
  free (f->others);
  free (f->left_out);
  free (f->path);
  pthread_mutex_destroy (&f->lock);
  free (f);
}

void
process_reader_close (const fv_reader *reader, void *data)
{
  file *f = data;
  for (int slot = 0; slot < PROCESS_MOST; slot++)
    if (f->opened[slot].generation)
      process_close_file (reader->user, slot, f->opened[slot].generation, f->opened[slot].handle);
  free_file (f);
}

fv_status
process_reader_open (const fv_reader *reader, const char *path, void **to, uint32_t *images, fv_error *error)
{
  const process_program *program = reader->user;
  file *f = calloc (1, sizeof *f);
  if (!f || !(f->path = strdup (path))) {
    free (f);
    return process_fail (error, FV_NO_MEMORY, "Not enough memory for a file.");
  }
  f->program = program;
  pthread_mutex_init (&f->lock, NULL);
  process *p = process_take (program, 0, error);
  const fv_status status = p ? open_in (f, p, 0, error) : error->code;
  if (p)
    process_put (p);
  if (status) {
    process_reader_close (reader, f);
    return status;
  }
  *to = f;
  *images = f->n_images;
  return FV_OK;
}

/* ---- Images ---- */

static process_image *
ask_image (file *f, uint32_t n, fv_error *error)
{
  uint8_t request[8];
  process_answer answer;
  process_image *image = NULL;
  process *p = process_take (f->program, 0, error);
  if (!p)
    return NULL;
  fv_status status = open_in (f, p, 0, error);
  put_u64 (request, f->opened[0].handle, 4);
  put_u64 (request + 4, n, 4);
  if (!status && !(status = process_ask (p, PROCESS_IMAGE, request, sizeof request, &answer, error))) {
    if (!(image = process_image_new (&answer)))
      process_fail (error, FV_BAD_INPUT, "%s gave an answer that cannot be true.", f->program->library);
    free (answer.bytes);
  }
  process_put (p);
  return image;
}

/* Stays the file's. NULL with *error. */
static const process_image *
image_of (file *f, uint32_t n, fv_error *error)
{
  pthread_mutex_lock (&f->lock);
  if (!f->images[n])
    f->images[n] = ask_image (f, n, error);
  const process_image *image = f->images[n];
  pthread_mutex_unlock (&f->lock);
  return image;
}

static const char *
text_or_null (const char *text)
{
  return *text ? text : NULL;
}

fv_status
process_reader_image (const fv_reader *reader, void *data, uint32_t n, fv_file_image *image, fv_error *error)
{
  const process_image *found = image_of (data, n, error);
  (void) reader;
  if (!found)
    return error->code;
  image->type = (fv_type) found->type;
  image->role = (fv_role) found->role;
  image->frames = found->frames;
  image->channels = found->channels;
  image->depth = found->depth;
  image->rows = found->rows;
  image->columns = found->columns;
  for (int axis = 0; axis < 3; axis++) {
    image->spacing[axis] = found->spacing[axis];
    image->units[axis] = text_or_null (found->units[axis]);
  }
  image->frame_interval = found->frame_interval;
  image->frame_unit = text_or_null (found->frame_unit);
  image->channel_names = (const char *const *) found->channel_names;
  image->channel_colors = found->channel_colors;
  image->description = text_or_null (found->description);
  image->levels = found->n_levels;
  image->name = text_or_null (found->name);
  image->display_ranges = found->display_ranges;
  return FV_OK;
}

fv_status
process_reader_level (const fv_reader *reader, void *data, uint32_t n, uint32_t number, fv_level *level,
                      fv_error *error)
{
  const process_image *image = image_of (data, n, error);
  (void) reader;
  if (!image)
    return error->code;
  level->rows = image->levels[number].rows;
  level->columns = image->levels[number].columns;
  level->tile_rows = image->levels[number].tile_rows;
  level->tile_columns = image->levels[number].tile_columns;
  return FV_OK;
}

const char *
process_reader_left_out (const fv_reader *reader, void *data)
{
  (void) reader;
  return text_or_null (((file *) data)->left_out);
}

const char *const *
process_reader_others (const fv_reader *reader, void *data)
{
  (void) reader;
  return (const char *const *) ((file *) data)->others;
}

/* ---- Pixels ---- */

/* A region that is being read. */
typedef struct {
  file *f;
  const fv_region *region;
  const process_level *level;
  size_t pixel;          /* bytes */
  int64_t rows, columns; /* of a block, except at the ends */
  int64_t first;         /* row of the first block, at or before that of the region */
  uint64_t shift;        /* the number of the process that reads the block at row 0 */
  int count;             /* of processes */
  char *to;
  size_t stride;
} reading;

/* What one process reads of it. */
typedef struct {
  const reading *r;
  int slot;
  fv_error error;
} share;

static int64_t
smaller (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static size_t
bytes_of (uint32_t type)
{
  switch (type) {
  case FV_U8:
  case FV_I8: return 1;
  case FV_U16:
  case FV_I16:
  case FV_F16: return 2;
  case FV_F64: return 8;
  default: return 4;
  }
}

/* A block: whole tiles, as many side by side as have room. A tile that has none is cut into rows. */
static void
set_blocks (reading *r, const process_image *image, int64_t most)
{
  const process_level *l = r->level;
  const fv_region *g = r->region;
  const int64_t plane = g->plane, slice = plane % image->depth, channel = plane / image->depth % image->channels;
  r->columns = smaller (l->tile_columns ? l->columns : g->columns, most);
  if (l->tile_columns && r->columns * l->tile_rows > most)
    r->columns = most / l->tile_rows / l->tile_columns * l->tile_columns;
  if (r->columns < 1)
    r->columns = smaller (l->columns, most);
  r->rows = most / r->columns;
  if (l->tile_rows && r->rows >= l->tile_rows)
    r->rows = l->tile_rows;
  r->first = l->tile_rows ? g->row / r->rows * r->rows : g->row;
  r->shift = (uint64_t) (slice / l->tile_slices + channel / l->tile_channels + plane / image->depth / image->channels);
}

static int
slot_of (const reading *r, int64_t row)
{
  return (int) (((uint64_t) (row / r->rows) + r->shift) % (uint64_t) r->count);
}

static fv_status
read_block (const reading *r, process *p, int slot, int64_t row, int64_t column, int64_t rows, int64_t columns,
            fv_error *error)
{
  const fv_region *g = r->region;
  const int64_t numbers[] = {g->plane, row, column, rows, columns};
  uint8_t request[12 + sizeof numbers];
  process_answer answer;
  put_u64 (request, r->f->opened[slot].handle, 4);
  put_u64 (request + 4, g->image, 4);
  put_u64 (request + 8, g->level, 4);
  for (int i = 0; i < 5; i++)
    put_u64 (request + 12 + 8 * i, (uint64_t) numbers[i], 8);
  if (process_ask (p, PROCESS_READ, request, sizeof request, &answer, error))
    return error->code;
  free (answer.bytes);
  const size_t line = (size_t) columns * r->pixel;
  char *to = r->to + (size_t) (row - g->row) * r->stride + (size_t) (column - g->column) * r->pixel;
  for (int64_t y = 0; y < rows; y++)
    memcpy (to + (size_t) y * r->stride, process_pixels (p) + (size_t) y * line, line);
  return FV_OK;
}

/* The blocks of one band of rows, from `row` on. */
static fv_status
read_band (const reading *r, process *p, int slot, int64_t band, fv_error *error)
{
  const fv_region *g = r->region;
  const int64_t from = band < g->row ? g->row : band, rows = smaller (band + r->rows, g->row + g->rows) - from;
  const int64_t end = g->column + g->columns;
  for (int64_t x = r->level->tile_columns ? g->column / r->columns * r->columns : g->column; x < end; x += r->columns) {
    const int64_t column = x < g->column ? g->column : x;
    if (read_block (r, p, slot, from, column, rows, smaller (x + r->columns, end) - column, error))
      return error->code;
  }
  return FV_OK;
}

static void *
read_share (void *data)
{
  share *s = data;
  const reading *r = s->r;
  process *p = process_take (r->f->program, s->slot, &s->error);
  if (!p)
    return NULL;
  fv_status status = open_in (r->f, p, s->slot, &s->error);
  for (int64_t band = r->first; !status && band < r->region->row + r->region->rows; band += r->rows)
    if (slot_of (r, band) == s->slot)
      status = read_band (r, p, s->slot, band, &s->error);
  process_put (p);
  return NULL;
}

/* Whether a band of rows is that process's. */
static bool
has_share (const reading *r, int slot)
{
  const int64_t end = r->region->row + r->region->rows;
  for (int64_t band = r->first, i = 0; band < end && i < r->count; band += r->rows, i++)
    if (slot_of (r, band) == slot)
      return true;
  return false;
}

fv_status
process_reader_read (const fv_reader *reader, void *data, const fv_region *region, void *to, size_t stride,
                     fv_error *error)
{
  file *f = data;
  const process_image *image = image_of (f, region->image, error);
  share shares[PROCESS_MOST];
  pthread_t threads[PROCESS_MOST];
  bool started[PROCESS_MOST] = {false};
  int n = 0;
  if (!image)
    return error->code;
  reading r = {.f = f,
               .region = region,
               .level = &image->levels[region->level],
               .pixel = bytes_of (image->type),
               .count = process_count (reader->user),
               .to = to,
               .stride = stride};
  const bool together = r.level->tile_rows || r.count == 1;
  set_blocks (&r, image, (together ? PROCESS_PIXELS : DIRECT) / (int64_t) r.pixel);
  for (int slot = 0; slot < r.count; slot++)
    if (has_share (&r, slot))
      shares[n++] = (share){&r, slot, FV_ERROR_INIT};
  for (int i = 1; i < n; i++)
    started[i] = !pthread_create (&threads[i], NULL, read_share, &shares[i]);
  read_share (&shares[0]);
  for (int i = 1; i < n; i++) {
    if (started[i])
      pthread_join (threads[i], NULL);
    else
      read_share (&shares[i]);
  }
  for (int i = 0; i < n; i++)
    if (shares[i].error.code)
      return process_fail (error, shares[i].error.code, "%s", shares[i].error.text);
  return FV_OK;
}
