/* SPDX-License-Identifier: MIT
 *
 * watershed: pixels get their labels from the first neighbor that is flooded. They are flooded level by level, a level by steps from the pixels at
 * which it is entered, which is a queue, and what is entered together in the order of labels. Pixels whose level has not come wait in the lists of a
 * radix heap, by the bytes of level and label. Components of what may be flooded are flooded one by one, on all threads; one with markers of one
 * label gets that label. A frame of one pixel represents the outside. Radix heap: R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, J. ACM 37
 * (1990) 213.
 */
#include "kernels/label/watershed.h"

#include "kernels/common/alike.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"

enum {
  DIGITS = 8,       /* of a rank, which are bytes; the lower ones are the label's, */
  LEVEL_DIGIT = 4,  /* and from this one on the level's */
  VALUES = 256,     /* of a digit */
  NOWHERE = -1,     /* no pixel, and the label of those that are not flooded */
  TICK = 1 << 16,   /* pixels from one tick to the next */
  PIXEL_BYTES = 16, /* of scratch */
};

/* Planes that are flooded together, or a volume, in scratch. */
typedef struct flood_planes {
  const fv_call *call;
  const watershed_args *args;
  int64_t first, planes, rows, columns; /* of the image */
  int64_t height, width, pixels;        /* with the frame */
  int64_t step[26];                     /* to neighbors */
  int n_steps;
  int64_t *next; /* in a list or in the queue */
  uint32_t *keys;
  int32_t *labels; /* 0: not flooded yet */
  int64_t *
    begin; /* a pixel of a marker of each component; the others follow by `next`; below NOWHERE: see settle_component() */
  double *counts;  /* of the components of each plane of the image, or of the volume */
  uint8_t *inside; /* of all the image, without frame: 255 where there is something to flood */
  progress *p;
} flood_planes;

/* A component at work. */
typedef struct flood {
  const flood_planes *s;
  int64_t head, tail;
  uint64_t last;                /* rank: no pixel that waits is before it */
  int64_t now;                  /* list of pixels of that rank */
  int64_t list[DIGITS][VALUES]; /* of others, by the highest digit in which they differ from it, and by its value, */
  uint64_t full[DIGITS][VALUES / 64]; /* where there are any */
} flood;

/* ---- The pixels ---- */

#define DEFINE_KEYS(NAME, T, KEY)                                                                                      \
  VECTORISED static void numbers_##NAME (uint8_t *restrict inside, const void *row, int64_t n)                         \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      inside[i] = ((const T *) row)[i] == ((const T *) row)[i] ? 255 : 0;                                              \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void keys_##NAME (uint32_t *restrict keys, const void *row, int64_t n)                             \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      keys[i] = KEY (((const T *) row)[i]);                                                                            \
  }
DEFINE_KEYS (u8, uint8_t, key_u8)
DEFINE_KEYS (u16, uint16_t, key_u16)
DEFINE_KEYS (i32, int32_t, key_i32)
DEFINE_KEYS (f32, float, watershed_key)
DEFINE_KEYS (f64, double, watershed_key)

/* inside stays where no marker is below 0, and where the mask is not 0. */
VECTORISED static void
without_negative (uint8_t *restrict inside, const int32_t *restrict markers, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    inside[x] = markers[x] < 0 ? 0 : inside[x];
}

VECTORISED static void
within (uint8_t *restrict inside, const uint8_t *restrict mask, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    inside[x] = mask[x] ? inside[x] : 0;
}

VECTORISED static void
label_markers (int32_t *restrict labels, const int32_t *restrict markers, const uint8_t *restrict inside, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    labels[x] = inside[x] ? markers[x] : NOWHERE;
}

VECTORISED static void
invert (uint32_t *keys, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    keys[x] = ~keys[x];
}

/* The first pixel from x on that may be flooded, or up to seven before it; n: there is none. */
static int64_t
first_inside (const uint8_t *inside, int64_t x, int64_t n)
{
  for (uint64_t eight; x + 8 <= n; x += 8) {
    memcpy (&eight, inside + x, sizeof eight);
    if (eight)
      break;
  }
  return x;
}

/* Rows of the image, from its plane z. */
static uint8_t *
inside_row (const flood_planes *s, int64_t z, int64_t y)
{
  return s->inside + (z * s->rows + y) * s->columns;
}

/* Where a row begins within the frame, from plane z of the group. */
static int64_t
framed (const flood_planes *s, int64_t z, int64_t y)
{
  return ((z + s->args->volume) * s->height + y + 1) * s->width + 1;
}

static void
find_inside (const flood_planes *s, int64_t z, int64_t y)
{
  const fv_array *const *in = s->call->inputs;
  const uint8_t *mask = in[WATERSHED_MASK] ? array_row (in[WATERSHED_MASK], z, y) : NULL;
  uint8_t *inside = inside_row (s, z, y);
  WITH_TYPE (in[WATERSHED_IMAGE]->grid->type, numbers, inside, array_row (in[WATERSHED_IMAGE], z, y), s->columns)
  without_negative (inside, array_row (in[WATERSHED_MARKERS], z, y), s->columns);
  if (mask)
    within (inside, mask, s->columns);
}

/* What is beside the row in the frame is nowhere, too. */
static void
load_row (const flood_planes *s, int64_t z, int64_t y)
{
  const fv_array *const *in = s->call->inputs;
  int64_t at = framed (s, z, y), plane = s->first + z;
  WITH_TYPE (in[WATERSHED_IMAGE]->grid->type, keys, s->keys + at, array_row (in[WATERSHED_IMAGE], plane, y), s->columns)
  if (s->args->invert)
    invert (s->keys + at, s->columns);
  label_markers (s->labels + at, array_row (in[WATERSHED_MARKERS], plane, y), inside_row (s, plane, y), s->columns);
  s->labels[at - 1] = s->labels[at + s->columns] = NOWHERE;
}

/* The first component of a plane of the group, counted through those of its planes before. */
static int64_t
components_before (const flood_planes *s, int64_t z)
{
  int64_t n = 0;
  for (int64_t i = 0; i < z && !s->args->volume; i++)
    n += (int64_t) s->counts[s->first + i];
  return n;
}

/* Finds the pixels of markers of each component; other threads find some of the same one meanwhile. */
static void
gather_row (const flood_planes *s, int64_t z, int64_t y)
{
  const int32_t *components = array_row (s->call->outputs[0], s->first + z, y);
  const uint8_t *inside = inside_row (s, s->first + z, y);
  int64_t *begin = s->begin + components_before (s, z) - 1, at = framed (s, z, y), n = s->columns;
  for (int64_t x = first_inside (inside, 0, n), first; x < n; x = first_inside (inside, x + 1, n)) {
    if (s->labels[at + x] <= 0)
      continue;
    for (first = x; x + 1 < n && s->labels[at + x + 1] > 0; x++)
      s->next[at + x + 1] = at + x;
    s->next[at + first] = __atomic_exchange_n (begin + components[x], at + x, __ATOMIC_RELAXED);
  }
}

/* The output has components until now, and is 0 where nothing is flooded. */
static void
store_row (const flood_planes *s, int64_t z, int64_t y)
{
  int32_t *to = array_row (s->call->outputs[0], s->first + z, y);
  const int32_t *labels = s->labels + framed (s, z, y);
  const uint8_t *inside = inside_row (s, s->first + z, y);
  const int64_t *begin = s->begin + components_before (s, z) - 1;
  int64_t n = s->columns;
  for (int64_t x = first_inside (inside, 0, n); x < n; x = first_inside (inside, x + 1, n)) {
    int32_t label = labels[x];
    if (to[x] > 0 && begin[to[x]] < NOWHERE)
      label = (int32_t) (NOWHERE - begin[to[x]]);
    for (int k = 0; k < s->n_steps && s->args->line; k++) {
      int32_t other = labels[x + s->step[k]];
      if (other > 0 && other < labels[x])
        label = 0;
    }
    to[x] = label > 0 ? label : 0;
  }
}

/* All of the frame but what is beside rows. */
static void
load_frame (const flood_planes *s)
{
  int64_t plane = s->height * s->width, begin = s->args->volume ? plane : 0;
  for (int64_t i = 0; i < begin; i++)
    s->labels[i] = s->labels[s->pixels - 1 - i] = NOWHERE;
  for (int64_t z = 0; z < s->planes; z++)
    for (int64_t x = 0; x < s->width; x++) {
      int32_t *first = s->labels + begin + z * plane + x;
      first[0] = first[plane - s->width] = NOWHERE;
    }
}

/* False when the work is to stop. */
static bool
each_row (const flood_planes *s, int64_t planes, void (*pass) (const flood_planes *, int64_t z, int64_t y))
{
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < planes; z++)
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
rank_of (const flood_planes *s, int64_t i)
{
  return (uint64_t) s->keys[i] << 32 | (uint32_t) s->labels[i];
}

static void
wait_for_level (flood *f, int64_t i)
{
  uint64_t rank = rank_of (f->s, i), differs = rank ^ f->last;
  if (!differs) {
    f->s->next[i] = f->now;
    f->now = i;
    return;
  }
  int digit = (63 - __builtin_clzll (differs)) / 8, value = rank >> 8 * digit & (VALUES - 1);
  uint64_t bit = UINT64_C (1) << value % 64, *full = &f->full[digit][value / 64];
  f->s->next[i] = *full & bit ? f->list[digit][value] : NOWHERE;
  f->list[digit][value] = i;
  *full |= bit;
}

/* The lowest digit in which pixels that wait differ from the last rank; DIGITS: there are none. */
static int
first_digit (const flood *f)
{
  int digit = 0;
  while (digit < DIGITS && !(f->full[digit][0] | f->full[digit][1] | f->full[digit][2] | f->full[digit][3]))
    digit++;
  return digit;
}

/* The pixels of the least value of a digit, which wait no more. */
static int64_t
take_list (flood *f, int digit)
{
  uint64_t *full = f->full[digit];
  int word = 0;
  while (!full[word])
    word++;
  int64_t first = f->list[digit][64 * word + __builtin_ctzll (full[word])];
  full[word] &= full[word] - 1;
  return first;
}

/* Moves to the next rank, the minimum of a list: its pixels go to lists before it. */
static void
go_on (flood *f, int digit)
{
  int64_t first = take_list (f, digit);
  f->last = rank_of (f->s, first);
  for (int64_t i = f->s->next[first]; i != NOWHERE; i = f->s->next[i])
    f->last = rank_of (f->s, i) < f->last ? rank_of (f->s, i) : f->last;
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

static void
enqueue_now (flood *f)
{
  for (int64_t i = f->now, next; i != NOWHERE; i = next) {
    next = f->s->next[i];
    enqueue (f, i);
  }
  f->now = NOWHERE;
}

/* Puts the pixels at which the next level is entered into the queue, in the order of labels. False: there are none. */
static bool
enter_level (flood *f)
{
  enqueue_now (f);
  for (int digit = first_digit (f); digit < LEVEL_DIGIT || (digit < DIGITS && f->head == NOWHERE);
       digit = first_digit (f)) {
    go_on (f, digit);
    enqueue_now (f);
  }
  return f->head != NOWHERE;
}

/* ---- The flood ---- */

static void
flood_neighbors (flood *f, int64_t i)
{
  const flood_planes *s = f->s;
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

static bool
can_flood (const flood_planes *s, int64_t i)
{
  for (int k = 0; k < s->n_steps; k++)
    if (!s->labels[i + s->step[k]])
      return true;
  return false;
}

/* Returns how many pixels it has not told about. */
static int64_t
flood_component (const flood_planes *s, int64_t begin)
{
  flood f;
  int64_t done = 0;
  f.s = s;
  f.head = f.now = NOWHERE;
  f.last = 0;
  memset (f.full, 0, sizeof f.full);
  for (int64_t i = begin, next; i != NOWHERE; i = next) {
    next = s->next[i];
    if (can_flood (s, i))
      wait_for_level (&f, i);
  }
  while (enter_level (&f))
    while (f.head != NOWHERE) {
      int64_t i = f.head;
      f.head = s->next[i];
      flood_neighbors (&f, i);
      if (++done < TICK)
        continue;
      progress_step (s->p, done);
      done = 0;
      if (progress_stopped (s->p))
        return 0;
    }
  return done;
}

/* The label of all pixels of markers of a component, when there is but one; else 0. */
static int32_t
only_label (const flood_planes *s, int64_t begin)
{
  int32_t only = begin == NOWHERE ? 0 : s->labels[begin];
  for (int64_t i = begin; i != NOWHERE && only; i = s->next[i])
    only = s->labels[i] == only ? only : 0;
  return only;
}

/* A component that has one label is not flooded: its beginning becomes NOWHERE - label. */
static void
settle_component (const flood_planes *s, int64_t *begin)
{
  int32_t only = only_label (s, *begin);
  if (only)
    *begin = NOWHERE - only;
  else
    progress_step (s->p, flood_component (s, *begin));
}

/* ---- Sheets ---- */

static int64_t
framed_pixels (const watershed_args *a, int64_t planes, const int64_t shape[3])
{
  return (planes + 2 * a->volume) * (shape[1] + 2) * (shape[2] + 2);
}

/* How many planes make a group. */
static int64_t
planes_together (const watershed_args *a, const int64_t shape[3])
{
  int64_t most = threads_at_most ();
  return a->volume || shape[0] < most ? shape[0] : most;
}

/* Numbers what hangs together, in the output. */
static fv_status
find_components (const flood_planes *s, fv_error *error)
{
  const fv_array *out = s->call->outputs[0];
  const label_args like = {.connectivity = s->args->connectivity, .volume = s->args->volume};
  scratch_image inside;
  scratch_image_like (&inside, out, FV_U8, FV_MASK, s->inside);
  if (!each_row (s, array_planes (out), find_inside))
    return cancelled (error);
  return run_inner (s->call, FV_CPU, &fv_op_label, &like, (const fv_array *[]){&inside.array}, s->call->outputs,
                    s->counts, error);
}

static int64_t
components_of (const flood_planes *s)
{
  return s->args->volume ? (int64_t) s->counts[0] : components_before (s, s->planes);
}

static fv_status
flood_all (const flood_planes *s, fv_error *error)
{
  int64_t n = components_of (s);
  load_frame (s);
  for (int64_t i = 0; i < n; i++)
    s->begin[i] = NOWHERE;
  if (!each_row (s, s->planes, load_row) || !each_row (s, s->planes, gather_row))
    return cancelled (error);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < n; i++)
    if (!progress_stopped (s->p))
      settle_component (s, s->begin + i);
  return each_row (s, s->planes, store_row) ? FV_OK : cancelled (error);
}

/* A list for each component of the group that has the most. */
static fv_status
make_lists (flood_planes *s, fv_error *error)
{
  int64_t most = 0, planes = array_planes (s->call->outputs[0]);
  for (s->first = 0; s->first < planes; s->first += s->planes) {
    flood_planes part = *s;
    part.planes = planes - s->first < s->planes ? planes - s->first : s->planes;
    most = components_of (&part) > most ? components_of (&part) : most;
  }
  s->first = 0;
  return s->call->host->scratch (s->call, (size_t) (most + 1) * sizeof *s->begin, (void **) &s->begin, error);
}

static int64_t
watershed_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const watershed_args *a = args;
  const label_args like = {.connectivity = a->connectivity, .volume = a->volume};
  const int64_t *shape = in[0]->shape;
  (void) op;
  return framed_pixels (a, planes_together (a, shape), shape) * PIXEL_BYTES + shape[0] * shape[1] * shape[2]
         + fv_op_label.scratch (&fv_op_label, &like, in);
}

static flood_planes
flood_planes_of (const fv_call *call, progress *p)
{
  const watershed_args *a = call->args;
  const int64_t *shape = call->outputs[0]->tensor.shape;
  watershed_neighbors list = watershed_neighbors_of (a);
  flood_planes s = {.call = call,
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
take_scratch (flood_planes *s, fv_error *error)
{
  const fv_call *call = s->call;
  int64_t planes = array_planes (call->outputs[0]);
  fv_status status = call->host->scratch (call, (size_t) (s->pixels * PIXEL_BYTES), (void **) &s->next, error);
  if (!status)
    status = call->host->scratch (call, (size_t) planes * sizeof *s->counts, (void **) &s->counts, error);
  s->keys = (uint32_t *) (s->next + s->pixels);
  s->labels = (int32_t *) (s->keys + s->pixels);
  return status ? status
                : call->host->scratch (call, (size_t) (planes * s->rows * s->columns), (void **) &s->inside, error);
}

static fv_status
watershed_cpu (const fv_call *call, fv_error *error)
{
  int64_t planes = array_planes (call->outputs[0]);
  progress p = {call, .total = 5 * planes * array_rows (call->outputs[0]) * array_columns (call->outputs[0])};
  flood_planes s = flood_planes_of (call, &p);
  fv_status status = take_scratch (&s, error);
  if (status || (status = find_components (&s, error)) || (status = make_lists (&s, error)))
    return status;
  for (; !status && s.first < planes; s.first += s.planes) {
    s.planes = s.planes < planes - s.first ? s.planes : planes - s.first;
    status = flood_all (&s, error);
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
watershed_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const watershed_args *a = args;
  const fv_grid *image = in[WATERSHED_IMAGE];
  (void) op;
  fv_status status = label_check_connectivity (a->connectivity, a->volume, error);
  if (!status)
    status = check_alike (in[WATERSHED_MARKERS], "markers", image, "the image", ALIKE, error);
  if (!status)
    status = check_alike (in[WATERSHED_MASK], "mask", image, "the image", ALIKE, error);
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
  .search = "split touching separate",
  .help = "Floods the image from markers, dark pixels first: each pixel takes the label of the marker that reaches it "
          "first (0 at NaN; 64-bit values are compared as 32-bit floats).",
  .cite = "L. Vincent, P. Soille, IEEE Trans. Pattern Anal. Mach. Intell. 13 (1991) 583",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether the flood continues */
  .inputs =
    (const fv_input[]){
      {"image", "Image", "The image that is flooded.", FV_ANY_TYPE, false},
      {"markers", "Markers", "Labels from which the flood starts: 0 is none.", FV_I32 | FV_WANTS_LABELS, false},
      {"mask", "Mask", "What may be flooded: every value but 0 and NaN; none: all.", FV_U8 | FV_WANTS_MASK, true},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (watershed_args, invert), .label = "Bright first",
                        .help = "Floods bright pixels first, as for distances and for nuclei that shine."},
                       {FV_FIELD (watershed_args, line), .label = "Line between objects",
                        .help = "Leaves a line of zeros one pixel wide where objects touch."},
                       {FV_FIELD (watershed_args, connectivity), .label = "Connectivity", .advanced = true,
                        .choices = label_connectivities, .help = "To how many neighbors of a pixel the flood spreads."},
                       {FV_FIELD (watershed_args, volume), .label = "3-D (whole stack)",
                        .help = "Takes the planes as one volume and floods across them."},
                       {0}},
  .grain = watershed_grain,
  .infer = watershed_infer,
  .scratch = watershed_scratch,
  .run = {[FV_CPU] = watershed_cpu, [FV_CUDA] = FV_CUDA_FN (watershed_cuda)},
  .part = FV_PART_ALIKE,
};
