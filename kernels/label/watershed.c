/* SPDX-License-Identifier: MIT
 *
 * watershed: pixels get their labels from the first neighbour that is flooded. They are flooded level by level, a level by steps from
 * the pixels at which it is entered, which is a queue, and what is entered together in the order of labels. Pixels whose level has not come
 * wait in the lists of a radix heap, by level and label. A frame around plane or volume stands for what is outside.
 * Radix heap: R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, J. ACM 37 (1990) 213.
 */
#include "kernels/label/watershed.h"

enum {
  LISTS = 65,          /* by the highest bit in which a rank differs from the last one, from 1; 0: none */
  SAME_LEVEL = 33,     /* lists before this one are of the last level */
  NOWHERE = -1,        /* no pixel, and the label of those that are not flooded */
  TICK = 1 << 16,      /* pixels from one tick to the next */
  PIXEL_BYTES = 16,    /* of scratch */
};

typedef struct flood {
  const fv_call *call;
  int64_t first, planes, rows, columns; /* of the image */
  int64_t height, width, pixels;        /* with the frame */
  int64_t step[26];                     /* to neighbours */
  int n_steps;
  int64_t *next; /* in the list or in the queue */
  uint32_t *keys;
  int32_t *labels; /* 0: not flooded yet */
  int64_t list[LISTS], head, tail;
  uint64_t last; /* rank: no pixel that waits is before it */
  progress *p;
} flood;

/* ---- The pixels ---- */

#define DEFINE_KEYS(NAME, T)                                                                                           \
  VECTORISED static void keys_##NAME (uint32_t *restrict keys, int32_t *restrict labels, const void *row, int64_t n)   \
  {                                                                                                                    \
    const T *v = row;                                                                                                  \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      keys[i] = watershed_key_##NAME (v[i]);                                                                           \
      labels[i] = v[i] == v[i] ? 0 : NOWHERE;                                                                          \
    }                                                                                                                  \
  }
DEFINE_KEYS (u8, uint8_t)
DEFINE_KEYS (u16, uint16_t)
DEFINE_KEYS (i32, int32_t)
DEFINE_KEYS (f32, float)
DEFINE_KEYS (f64, double)

/* Where a row begins within the frame. */
static int64_t
framed (const flood *f, int64_t z, int64_t y)
{
  int64_t above = ((const watershed_args *) f->call->args)->volume;
  return ((z + above) * f->height + y + 1) * f->width + 1;
}

static void
load_row (const flood *f, int64_t z, int64_t y)
{
  const fv_array *const *in = f->call->inputs;
  int64_t at = framed (f, z, y), plane = f->first + z;
  const uint8_t *mask = in[WATERSHED_MASK] ? array_row (in[WATERSHED_MASK], plane, y) : NULL;
  const int32_t *markers = array_row (in[WATERSHED_MARKERS], plane, y);
  uint32_t *keys = f->keys + at;
  int32_t *labels = f->labels + at;
  WITH_TYPE (in[WATERSHED_IMAGE]->grid->type, keys, keys, labels, array_row (in[WATERSHED_IMAGE], plane, y), f->columns)
  if (((const watershed_args *) f->call->args)->invert)
    for (int64_t x = 0; x < f->columns; x++)
      keys[x] = ~keys[x];
  for (int64_t x = 0; x < f->columns; x++)
    if (mask && !mask[x])
      labels[x] = NOWHERE;
    else if (!labels[x])
      labels[x] = markers[x];
}

static void
store_row (const flood *f, int64_t z, int64_t y)
{
  const watershed_args *a = f->call->args;
  int32_t *to = array_row (f->call->outputs[0], f->first + z, y);
  const int32_t *labels = f->labels + framed (f, z, y);
  for (int64_t x = 0; x < f->columns; x++) {
    int32_t label = labels[x];
    for (int k = 0; k < f->n_steps && a->line; k++) {
      int32_t other = labels[x + f->step[k]];
      if (other > 0 && other < labels[x])
        label = 0;
    }
    to[x] = label > 0 ? label : 0;
  }
}

/* ---- What waits ---- */

static uint64_t
rank_of (const flood *f, int64_t i)
{
  return (uint64_t) f->keys[i] << 32 | (uint32_t) f->labels[i];
}

static void
wait_for_level (flood *f, int64_t i)
{
  uint64_t differs = rank_of (f, i) ^ f->last;
  int64_t *list = &f->list[differs ? 64 - __builtin_clzll (differs) : 0];
  f->next[i] = *list;
  *list = i;
}

/* Goes on to the least rank of a list whose ranks are the least of all: its pixels go to lists before it. */
static void
go_on (flood *f, int list)
{
  int64_t first = f->list[list];
  f->last = UINT64_MAX;
  for (int64_t i = first; i != NOWHERE; i = f->next[i])
    f->last = rank_of (f, i) < f->last ? rank_of (f, i) : f->last;
  f->list[list] = NOWHERE;
  for (int64_t i = first, next; i != NOWHERE; i = next) {
    next = f->next[i];
    wait_for_level (f, i);
  }
}

static void
enqueue (flood *f, int64_t i)
{
  f->next[i] = NOWHERE;
  if (f->head == NOWHERE)
    f->head = i;
  else
    f->next[f->tail] = i;
  f->tail = i;
}

static int
first_list (const flood *f, int end)
{
  int list = 0;
  while (list < end && f->list[list] == NOWHERE)
    list++;
  return list;
}

/* Puts the pixels at which the next level is entered into the queue, in the order of labels. False: there are none. */
static bool
enter_level (flood *f)
{
  int list = first_list (f, LISTS);
  if (list == LISTS)
    return false;
  for (; list < SAME_LEVEL || f->head == NOWHERE; list = first_list (f, SAME_LEVEL)) {
    if (list)
      go_on (f, list);
    for (int64_t i = f->list[0], next; i != NOWHERE; i = next) {
      next = f->next[i];
      enqueue (f, i);
    }
    f->list[0] = NOWHERE;
  }
  return true;
}

/* ---- The flood ---- */

static void
flood_neighbours (flood *f, int64_t i)
{
  uint32_t level = (uint32_t) (f->last >> 32);
  for (int k = 0; k < f->n_steps; k++) {
    int64_t to = i + f->step[k];
    if (f->labels[to])
      continue;
    f->labels[to] = f->labels[i];
    if (f->keys[to] <= level)
      enqueue (f, to);
    else
      wait_for_level (f, to);
  }
}

static void
flood_all (flood *f)
{
  int64_t done = 0;
  while (!progress_stopped (f->p) && enter_level (f))
    while (f->head != NOWHERE) {
      int64_t i = f->head;
      f->head = f->next[i];
      flood_neighbours (f, i);
      if (++done % TICK)
        continue;
      progress_step (f->p, TICK);
      if (progress_stopped (f->p))
        return;
    }
}

/* One plane, or the volume. */
static void
flood_planes (flood *f)
{
  for (int list = 0; list < LISTS; list++)
    f->list[list] = NOWHERE;
  f->head = NOWHERE;
  f->last = 0;
  for (int64_t i = 0; i < f->pixels; i++)
    f->labels[i] = NOWHERE;
  for (int64_t z = 0; z < f->planes; z++)
    for (int64_t y = 0; y < f->rows && !progress_stopped (f->p); y++) {
      load_row (f, z, y);
      progress_step (f->p, 0);
    }
  for (int64_t i = 0; i < f->pixels; i++)
    if (f->labels[i] > 0)
      wait_for_level (f, i);
  flood_all (f);
  for (int64_t z = 0; z < f->planes; z++)
    for (int64_t y = 0; y < f->rows && !progress_stopped (f->p); y++) {
      store_row (f, z, y);
      progress_step (f->p, 0);
    }
}

static int64_t
framed_pixels (const watershed_args *a, const int64_t shape[3])
{
  return (a->volume ? shape[0] + 2 : 1) * (shape[1] + 2) * (shape[2] + 2);
}

/* How many planes are flooded at once; a volume is one. */
static int64_t
floods_at_once (const watershed_args *a, const int64_t shape[3])
{
  int64_t most = threads_at_most ();
  return a->volume ? 1 : shape[0] < most ? shape[0] : most;
}

static flood
flood_of (const fv_call *call, progress *p)
{
  const watershed_args *a = call->args;
  const int64_t *shape = call->outputs[0]->tensor.shape;
  watershed_neighbours list = watershed_neighbours_of (a);
  flood f = {.call = call,
             .planes = a->volume ? shape[0] : 1,
             .rows = shape[1],
             .columns = shape[2],
             .height = shape[1] + 2,
             .width = shape[2] + 2,
             .pixels = framed_pixels (a, shape),
             .n_steps = list.n,
             .p = p};
  for (int k = 0; k < list.n; k++)
    f.step[k] = (list.z[k] * f.height + list.y[k]) * f.width + list.x[k];
  return f;
}

static int64_t
watershed_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  return floods_at_once (args, in[0]->shape) * framed_pixels (args, in[0]->shape) * PIXEL_BYTES;
}

static fv_status
watershed_cpu (const fv_call *call, fv_error *error)
{
  const int64_t *shape = call->outputs[0]->tensor.shape;
  progress p = {call, .total = shape[0] * shape[1] * shape[2]};
  const flood plain = flood_of (call, &p);
  int64_t at_once = floods_at_once (call->args, shape);
  char *memory;
  fv_status status =
    call->host->scratch (call, (size_t) (at_once * plain.pixels * PIXEL_BYTES), (void **) &memory, error);
  if (status)
    return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int) at_once)
  for (int64_t z = 0; z < shape[0]; z += plain.planes) {
    flood f = plain;
    f.first = z;
    f.next = (int64_t *) (memory + thread_index () * plain.pixels * PIXEL_BYTES);
    f.keys = (uint32_t *) (f.next + plain.pixels);
    f.labels = (int32_t *) (f.keys + plain.pixels);
    if (!progress_stopped (&p))
      flood_planes (&f);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

/* ---- The operation ---- */

static fv_grain
watershed_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const watershed_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
check_size (const fv_grid *input, const fv_grid *image, const char *key, const char *name, fv_error *error)
{
  if (!input || !memcmp (input->shape, image->shape, sizeof image->shape))
    return FV_OK;
  return fail (error, FV_BAD_INPUT, key, "%s are %lld x %lld x %lld, the image is %lld x %lld x %lld.", name,
               (long long) input->shape[2], (long long) input->shape[1], (long long) input->shape[0],
               (long long) image->shape[2], (long long) image->shape[1], (long long) image->shape[0]);
}

static fv_status
watershed_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const watershed_args *a = args;
  const fv_grid *image = in[WATERSHED_IMAGE];
  (void) op;
  fv_status status = label_check_connectivity (a->connectivity, a->volume, error);
  if (!status)
    status = check_size (in[WATERSHED_MARKERS], image, "markers", "The markers", error);
  if (!status)
    status = check_size (in[WATERSHED_MASK], image, "mask", "The pixels of the mask", error);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = false;
  return status;
}

const fv_op fv_op_watershed = {
  FV_OP (watershed_args),
  .key = "watershed",
  .menu = "Process/Binary",
  .label = "Watershed from Markers...",
  .help = "Floods the image from markers, dark pixels first: each pixel takes the label of the marker that reaches it "
          "first (0 at NaN; 64-bit values are compared as 32-bit floats).",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether the flood goes on */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "The image that is flooded.", FV_ANY_TYPE, false},
      {"markers", "Markers", "Labels from which the flood starts: 0 is none.", FV_I32 | FV_WANTS_LABELS, false},
      {"mask", "Mask", "What may be flooded: every value but 0 and NaN; none: all.", FV_U8 | FV_WANTS_MASK, true},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (watershed_args, invert), .label = "Bright first",
       .help = "Floods bright pixels first, as for distances and for nuclei that shine."},
      {FV_FIELD (watershed_args, line), .label = "Line between objects",
       .help = "Leaves a line of zeros one pixel wide where objects touch."},
      {FV_FIELD (watershed_args, connectivity), .label = "Connectivity", .advanced = true,
       .choices = (const fv_choice[]){LABEL_CONNECTIVITIES, {0}},
       .help = "To how many neighbors of a pixel the flood goes on."},
      {FV_FIELD (watershed_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume and floods across them."},
      {0}},
  .grain = watershed_grain,
  .infer = watershed_infer,
  .scratch = watershed_scratch,
  .run = {[FV_CPU] = watershed_cpu, [FV_CUDA] = FV_CUDA_FN (watershed_cuda)},
  .part = FV_PART_ALIKE,
};
