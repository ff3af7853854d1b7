/* SPDX-License-Identifier: MIT
 *
 * watershed: pixels get their labels from the first neighbour that is flooded. They are flooded level by level, a level by steps from
 * the pixels at which it is entered, which is a queue, and what is entered together in the order of labels. Pixels whose level has not come
 * wait in the lists of a radix heap, by level and label. Components of what may be flooded are flooded one by one, on all threads.
 * A frame of one pixel stands for what is outside.
 * Radix heap: R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, J. ACM 37 (1990) 213.
 */
#include "kernels/label/watershed.h"

#include "kernels/common/inner_call.h"

extern const fv_op fv_op_label;

enum {
  LISTS = 65,       /* by the highest bit in which a rank differs from the last one, from 1; 0: none */
  SAME_LEVEL = 33,  /* lists before this one are of the last level */
  NOWHERE = -1,     /* no pixel, and the label of those that are not flooded */
  TICK = 1 << 16,   /* pixels from one tick to the next */
  PIXEL_BYTES = 16, /* of scratch */
};

/* Planes that are worked on together, or a volume, in scratch. */
typedef struct sheet {
  const fv_call *call;
  const watershed_args *args;
  int64_t first, planes, rows, columns; /* of the image */
  int64_t height, width, pixels;        /* with the frame */
  int64_t step[26];                     /* to neighbours */
  int n_steps;
  int64_t *next; /* in a list or in the queue; before that bytes, 255 where there is something to flood */
  uint32_t *keys;
  int32_t *labels;          /* 0: not flooded yet */
  int64_t *begin;           /* a marker's pixel of each component; the others follow by `next` */
  int64_t *components;      /* before each plane */
  double *counts;           /* of the components of each plane */
  progress *p;
} sheet;

/* A component at work. */
typedef struct flood {
  const sheet *s;
  int64_t list[LISTS], head, tail;
  uint64_t last; /* rank: no pixel that waits is before it */
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
framed (const sheet *s, int64_t z, int64_t y)
{
  return ((z + s->args->volume) * s->height + y + 1) * s->width + 1;
}

/* The bytes of a row that say where there is something to flood. */
static uint8_t *
inside_row (const sheet *s, int64_t z, int64_t y)
{
  return (uint8_t *) s->next + (z * s->rows + y) * s->columns;
}

static void
load_row (const sheet *s, int64_t z, int64_t y)
{
  const fv_array *const *in = s->call->inputs;
  int64_t at = framed (s, z, y), plane = s->first + z;
  const uint8_t *mask = in[WATERSHED_MASK] ? array_row (in[WATERSHED_MASK], plane, y) : NULL;
  const int32_t *markers = array_row (in[WATERSHED_MARKERS], plane, y);
  uint32_t *keys = s->keys + at;
  int32_t *labels = s->labels + at;
  uint8_t *inside = inside_row (s, z, y);
  WITH_TYPE (in[WATERSHED_IMAGE]->grid->type, keys, keys, labels, array_row (in[WATERSHED_IMAGE], plane, y), s->columns)
  for (int64_t x = 0; x < s->columns; x++) {
    bool is = !labels[x] && markers[x] >= 0 && (!mask || mask[x]);
    keys[x] = s->args->invert ? ~keys[x] : keys[x];
    labels[x] = is ? markers[x] : NOWHERE;
    inside[x] = is ? 255 : 0;
  }
}

/* Finds the pixels of markers of each component; others find some of the same one meanwhile. */
static void
gather_row (const sheet *s, int64_t z, int64_t y)
{
  const int32_t *components = array_row (s->call->outputs[0], s->first + z, y);
  int64_t at = framed (s, z, y), before = s->components[z] - 1;
  for (int64_t x = 0; x < s->columns; x++)
    if (s->labels[at + x] > 0)
      s->next[at + x] = __atomic_exchange_n (s->begin + before + components[x], at + x, __ATOMIC_RELAXED);
}

static void
store_row (const sheet *s, int64_t z, int64_t y)
{
  int32_t *to = array_row (s->call->outputs[0], s->first + z, y);
  const int32_t *labels = s->labels + framed (s, z, y);
  for (int64_t x = 0; x < s->columns; x++) {
    int32_t label = labels[x];
    for (int k = 0; k < s->n_steps && s->args->line; k++) {
      int32_t other = labels[x + s->step[k]];
      if (other > 0 && other < labels[x])
        label = 0;
    }
    to[x] = label > 0 ? label : 0;
  }
}

/* False when the work is to stop. */
static bool
each_row (const sheet *s, void (*pass) (const sheet *, int64_t z, int64_t y))
{
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < s->planes; z++)
    for (int64_t y = 0; y < s->rows; y++) {
      if (progress_stopped (s->p))
        continue;
      pass (s, z, y);
      progress_step (s->p, s->columns);
    }
  return !s->p->stop;
}

/* ---- What waits ---- */

static uint64_t
rank_of (const sheet *s, int64_t i)
{
  return (uint64_t) s->keys[i] << 32 | (uint32_t) s->labels[i];
}

static void
wait_for_level (flood *f, int64_t i)
{
  uint64_t differs = rank_of (f->s, i) ^ f->last;
  int64_t *list = &f->list[differs ? 64 - __builtin_clzll (differs) : 0];
  f->s->next[i] = *list;
  *list = i;
}

/* Goes on to the least rank of a list whose ranks are the least of all: its pixels go to lists before it. */
static void
go_on (flood *f, int list)
{
  int64_t first = f->list[list];
  f->last = UINT64_MAX;
  for (int64_t i = first; i != NOWHERE; i = f->s->next[i])
    f->last = rank_of (f->s, i) < f->last ? rank_of (f->s, i) : f->last;
  f->list[list] = NOWHERE;
  for (int64_t i = first, next; i != NOWHERE; i = next) {
    next = f->s->next[i];
    wait_for_level (f, i);
  }
}

static void
enqueue (flood *f, int64_t i)
{
  f->s->next[i] = NOWHERE;
  if (f->head == NOWHERE)
    f->head = i;
  else
    f->s->next[f->tail] = i;
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
      next = f->s->next[i];
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
  const sheet *s = f->s;
  uint32_t level = (uint32_t) (f->last >> 32);
  for (int k = 0; k < s->n_steps; k++) {
    int64_t to = i + s->step[k];
    if (s->labels[to])
      continue;
    s->labels[to] = s->labels[i];
    if (s->keys[to] <= level)
      enqueue (f, to);
    else
      wait_for_level (f, to);
  }
}

/* Returns how many pixels it has not told about. */
static int64_t
flood_component (const sheet *s, int64_t begin)
{
  flood f = {.s = s, .head = NOWHERE};
  int64_t done = 0;
  for (int list = 0; list < LISTS; list++)
    f.list[list] = NOWHERE;
  for (int64_t i = begin, next; i != NOWHERE; i = next) {
    next = s->next[i];
    wait_for_level (&f, i);
  }
  while (enter_level (&f))
    while (f.head != NOWHERE) {
      int64_t i = f.head;
      f.head = s->next[i];
      flood_neighbours (&f, i);
      if (++done < TICK)
        continue;
      progress_step (s->p, done);
      done = 0;
      if (progress_stopped (s->p))
        return 0;
    }
  return done;
}

/* ---- Sheets ---- */

static int64_t
framed_pixels (const watershed_args *a, int64_t planes, const int64_t shape[3])
{
  return (planes + 2 * a->volume) * (shape[1] + 2) * (shape[2] + 2);
}

/* How many planes make a sheet. */
static int64_t
planes_together (const watershed_args *a, const int64_t shape[3])
{
  int64_t most = threads_at_most ();
  return a->volume || shape[0] < most ? shape[0] : most;
}

/* Some planes of an array. */
static fv_array
planes_of (const fv_array *a, fv_grid *grid, int64_t shape[3], const sheet *s)
{
  fv_array part = *a;
  memcpy (shape, a->tensor.shape, 3 * sizeof *shape);
  *grid = *a->grid;
  shape[0] = grid->shape[0] = s->planes;
  part.grid = grid;
  part.tensor.shape = shape;
  part.tensor.data = array_row (a, s->first, 0);
  return part;
}

/* Numbers what hangs together, in the output, and makes room for a list of each. */
static fv_status
find_components (sheet *s, fv_error *error)
{
  const fv_call *call = s->call;
  const label_args like = {.connectivity = s->args->connectivity, .volume = s->args->volume};
  int64_t strides[3] = {s->rows * s->columns, s->columns, 1}, shapes[2][3], n = 0;
  fv_grid grids[2];
  fv_array inside = planes_of (call->outputs[0], &grids[0], shapes[0], s);
  fv_array numbers = planes_of (call->outputs[0], &grids[1], shapes[1], s);
  grids[0].type = FV_U8;
  grids[0].role = FV_MASK;
  inside.tensor.data = s->next;
  inside.tensor.dtype = (DLDataType){kDLUInt, 8, 1};
  inside.tensor.strides = strides;
  fv_status status = run_inner (call, FV_CPU, &fv_op_label, &like, (const fv_array *[]){&inside},
                                (const fv_array *[]){&numbers}, s->counts, error);
  if (status)
    return status;
  for (int64_t z = 0; z < s->planes; z++) {
    s->components[z] = n;
    n += z == 0 || !s->args->volume ? (int64_t) s->counts[z] : 0;
    s->components[z] = s->args->volume ? 0 : s->components[z];
  }
  s->components[s->planes] = n;
  status = call->host->scratch (call, (size_t) (n + 1) * sizeof *s->begin, (void **) &s->begin, error);
  for (int64_t i = 0; i < n && !status; i++)
    s->begin[i] = NOWHERE;
  return status;
}

static fv_status
flood_sheet (sheet *s, fv_error *error)
{
  memset (s->labels, 0xff, (size_t) s->pixels * sizeof *s->labels);
  if (!each_row (s, load_row))
    return cancelled (error);
  fv_status status = find_components (s, error);
  if (status)
    return status;
  if (!each_row (s, gather_row))
    return cancelled (error);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < s->components[s->planes]; i++)
    if (!progress_stopped (s->p))
      progress_step (s->p, flood_component (s, s->begin[i]));
  return s->p->stop || !each_row (s, store_row) ? cancelled (error) : FV_OK;
}

static int64_t
watershed_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const watershed_args *a = args;
  const label_args like = {.connectivity = a->connectivity, .volume = a->volume};
  int64_t planes = planes_together (a, in[0]->shape);
  fv_grid sheet = *in[0];
  sheet.shape[0] = planes;
  (void) op;
  return framed_pixels (a, planes, in[0]->shape) * PIXEL_BYTES
         + fv_op_label.scratch (&fv_op_label, &like, (const fv_grid *[]){&sheet});
}

static sheet
sheet_of (const fv_call *call, progress *p)
{
  const watershed_args *a = call->args;
  const int64_t *shape = call->outputs[0]->tensor.shape;
  watershed_neighbours list = watershed_neighbours_of (a);
  sheet s = {.call = call,
             .args = a,
             .planes = planes_together (a, shape),
             .rows = shape[1],
             .columns = shape[2],
             .height = shape[1] + 2,
             .width = shape[2] + 2,
             .n_steps = list.n,
             .p = p};
  s.pixels = framed_pixels (a, s.planes, shape);
  for (int k = 0; k < list.n; k++)
    s.step[k] = (list.z[k] * s.height + list.y[k]) * s.width + list.x[k];
  return s;
}

static fv_status
watershed_cpu (const fv_call *call, fv_error *error)
{
  int64_t planes = array_planes (call->outputs[0]);
  progress p = {call, .total = 4 * planes * array_rows (call->outputs[0]) * array_columns (call->outputs[0])};
  sheet s = sheet_of (call, &p);
  fv_status status = call->host->scratch (call, (size_t) (s.pixels * PIXEL_BYTES), (void **) &s.next, error);
  if (!status)
    status = call->host->scratch (call, (size_t) (2 * s.planes + 1) * sizeof (double), (void **) &s.counts, error);
  s.keys = (uint32_t *) (s.next + s.pixels);
  s.labels = (int32_t *) (s.keys + s.pixels);
  s.components = (int64_t *) (s.counts + s.planes);
  for (; !status && s.first < planes; s.first += s.planes) {
    s.planes = s.planes < planes - s.first ? s.planes : planes - s.first;
    status = flood_sheet (&s, error);
  }
  return status;
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
