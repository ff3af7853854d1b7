/* SPDX-License-Identifier: MIT
 *
 * morphology: the CPU version. The image is cut into tiles that stay in a core's cache together with their surroundings. A tile has running minima
 * over longer and longer runs, made in place (footprint.h). The result takes the boxes of one width together: with one row pitch for both, a box is
 * one offset.
 */
#include "kernels/morphology/morphology.h"

#include "kernels/common/bits.h"
#include "kernels/morphology/minimum.h"

/* ---- Declaration ---- */

const fv_input morphology_inputs[] = {
  {"image", "Image", "The image; in a mask every pixel that is not zero is foreground.", FV_ANY_TYPE, false}, {0}};

const fv_output morphology_outputs[] = {{"image", "Image"}, {0}};

const fv_param morphology_params[] = {
  {FV_FIELD (morphology_args, footprint), .label = "Footprint", .choices = (const fv_choice[]){FOOTPRINT_CHOICES, {0}},
   .help = "Shape of the neighborhood."},
  {FV_FIELD (morphology_args, radius), .label = "Radius", .unit = FV_PIXELS, .max = FOOTPRINT_RADIUS_MAX,
   .soft_max = 20, .def = 1, .enabled = "footprint=disk|square|diamond|octagon|ball|cube|octahedron",
   .help = "Pixels from the center to the edge of the footprint."},
  {FV_FIELD (morphology_args, matrix), .label = "Matrix", .def_text = "0 1 0; 1 1 1; 0 1 0",
   .enabled = "footprint=matrix", .help = "The footprint as numbers, where all but zeros belong to it."},
  {FV_FIELD (morphology_args, iterations), .label = "Iterations", .min = 1, .max = 100, .soft_min = 1, .soft_max = 10,
   .def = 1, .help = "How many times each erosion and each dilation is repeated."},
  {FV_FIELD (morphology_args, volume), .label = "3-D (whole stack)",
   .help = "Treats the planes as one volume, as ball, cube, octahedron and matrices of several planes need it."},
  {0}};

fv_grain
morphology_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const morphology_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static footprint_spec
spec_of (const morphology_args *a)
{
  return (footprint_spec){a->footprint, a->radius, &a->matrix};
}

void
morphology_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const morphology_args *a = args;
  footprint_spec spec = spec_of (a);
  int32_t low[3], high[3];
  int64_t passes = a->iterations * (morphology_is_twice (op) ? 2 : 1);
  (void) input;
  footprint_reach (&spec, low, high);
  for (int i = 0; i < 3; i++)
    halo[i] = passes * (-low[i] > high[i] ? -low[i] : high[i]);
}

fv_status
morphology_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const morphology_args *a = args;
  footprint_spec spec = spec_of (a);
  (void) op, (void) in;
  out[0]->dense = false;
  return footprint_check (&spec, a->volume, error);
}

/* ---- One pass ---- */

/* An argument, or what one pass leaves to the next. */
typedef struct pixels {
  char *data;
  int64_t plane, row; /* bytes from one to the next */
  int bits;           /* of a pixel */
} pixels;

/* How a pass cuts the image into tiles; lengths in pixels. */
typedef struct tiling {
  int64_t planes, rows, columns; /* of the image */
  int64_t height, width;         /* of a tile, without its surroundings */
  int64_t down, across;          /* tiles */
  int64_t left, pitch;           /* with surroundings: pixels before those of the tile itself; from row to row */
} tiling;

typedef struct pass {
  const footprint_part *part;
  int64_t *offsets; /* of the boxes in a tile */
  const minimum *op;
  bool maximum;
  tiling t;
  pixels from, to;
} pass;

/* What a tile and its result may take: a part of a core's second cache. */
#define TILE_BYTES (192 << 10)

static int64_t
at_least (int64_t v, int64_t low)
{
  return v < low ? low : v;
}

static int64_t
at_most (int64_t v, int64_t high)
{
  return v > high ? high : v;
}

/* Tiles are at least twice as large as what surrounds them, unless the image is smaller. */
static tiling
tile_image (const footprint_part *f, int bits, const fv_array *image, int threads)
{
  tiling t = {array_planes (image), array_rows (image), array_columns (image), .left = -f->low[2]};
  int64_t budget = (int64_t) TILE_BYTES * 8 / bits, above = f->high[1] - f->low[1];
  if (bits == 1)
    t.left = bits_words (t.left) * 64;
  t.height = at_least (above, 16);
  t.width = budget / (2 * t.height + above) - t.left - f->high[2];
  t.width = at_least (t.width, at_least (2 * (t.left + f->high[2]), 1024));
  t.across = (t.columns + t.width - 1) / t.width;
  t.width = bits_words ((t.columns + t.across - 1) / t.across) * 64;
  t.pitch = bits_words (t.left + t.width + f->high[2]) * 64;
  t.height = at_least ((budget / t.pitch - above) / 2, t.height);
  t.height = at_most (t.height, at_least (t.planes * t.rows / (4 * threads), at_least (above, 16)));
  t.height = at_most (t.height, t.rows);
  t.down = (t.rows + t.height - 1) / t.height;
  t.across = (t.columns + t.width - 1) / t.width;
  return t;
}

/* A tile at work: its first pixel in the image, its size, and its memory with and without its surroundings. */
typedef struct tile {
  int64_t z, y, x, height, width;
  void *pixels, *result;
} tile;

/* Row i of the tile, from plane z. */
static void
load_row (const pass *p, const tile *t, int64_t i, int64_t z)
{
  const tiling *g = &p->t;
  int64_t y = t->y + p->part->low[1] + i, at = i * g->pitch;
  int64_t origin = t->x - g->left, begin = at_least (origin, 0);
  int64_t end = at_most (t->x + g->width + p->part->high[2], g->columns);
  if (y < 0 || y >= g->rows) {
    p->op->clear (t->pixels, at, g->pitch);
    return;
  }
  const char *from = p->from.data + z * p->from.plane + y * p->from.row + begin * p->from.bits / 8;
  p->op->clear (t->pixels, at, begin - origin);
  p->op->load (t->pixels, at + begin - origin, from, end - begin, p->maximum);
  p->op->clear (t->pixels, at + end - origin, g->pitch - (end - origin));
}

/* From minima over *n pixels to minima over `wanted`; pitch: from one of them to the next. */
static void
grow (const pass *p, const tile *t, int64_t pitch, int32_t *n, int32_t wanted)
{
  int64_t rows = t->height + p->part->high[1] - p->part->low[1];
  while (*n < wanted) {
    int32_t step = wanted - *n < *n ? wanted - *n : *n;
    p->op->widen (t->pixels, rows * p->t.pitch, step * pitch);
    *n += step;
  }
}

/* Takes the boxes first ... last - 1, which are of one slice of the footprint, out of plane z. */
static void
take_slice (const pass *p, const tile *t, int64_t first, int64_t last, int64_t z)
{
  const footprint_part *f = p->part;
  const footprint_box *b = f->boxes;
  int32_t height = 1, width = 1;
  for (int64_t i = 0; i < t->height + f->high[1] - f->low[1]; i++)
    load_row (p, t, i, z);
  while (first < last) {
    int64_t n = 1;
    while (first + n < last && b[first + n].width == b[first].width)
      n++;
    grow (p, t, 1, &width, b[first].width);
    grow (p, t, p->t.pitch, &height, b[first].height);
    p->op->combine (t->result, t->pixels, p->offsets + first, n, (t->height - 1) * p->t.pitch + p->t.width);
    first += n;
  }
}

static void
run_tile (const pass *p, const tile *t, progress *progress)
{
  const footprint_part *f = p->part;
  int64_t next;
  p->op->clear (t->result, 0, t->height * p->t.pitch);
  for (int64_t k = 0; k < f->n && !progress_stopped (progress); k = next) {
    int64_t z = t->z + f->boxes[k].dz;
    for (next = k + 1; next < f->n && f->boxes[next].dz == f->boxes[k].dz;)
      next++;
    if (z < 0 || z >= p->t.planes)
      continue;
    take_slice (p, t, k, next, z);
    progress_step (progress, 0);
  }
  char *to = p->to.data + t->z * p->to.plane + t->y * p->to.row + t->x * p->to.bits / 8;
  for (int64_t i = 0; i < t->height; i++)
    p->op->store (to + i * p->to.row, t->result, i * p->t.pitch, t->width, p->maximum);
  progress_step (progress, t->height * t->width);
}

/* ---- All passes ---- */

/* Erosions and dilations differ in the order and in which of them has the mirrored footprint. */
typedef struct plan {
  int halves, iterations, parts;
  bool packed;
  footprint footprint[2]; /* of each half */
  pass pass[2][2];        /* of each half and part */
  int threads;
  size_t tile_bytes, result_bytes; /* the most that one needs */
  char *memory;                    /* both, for each thread */
  pixels between[2];               /* where passes put their result, in turn; the last one but one into [1] */
} plan;

/* A square so many times is one of so many times its radius. */
static bool
is_one_square (const morphology_args *a)
{
  return (a->footprint == FOOTPRINT_SQUARE || a->footprint == FOOTPRINT_CUBE)
         && a->radius * a->iterations <= FOOTPRINT_RADIUS_MAX;
}

static fv_status
make_footprints (const fv_call *call, plan *m, fv_error *error)
{
  const morphology_args *a = call->args;
  footprint_spec spec = spec_of (a);
  void *memory;
  m->iterations = a->iterations;
  if (is_one_square (a)) {
    spec.radius *= a->iterations;
    m->iterations = 1;
  }
  int64_t n = footprint_boxes (&spec);
  fv_status status =
    call->host->scratch (call, (size_t) (2 * n) * (sizeof (footprint_box) + sizeof (int64_t)), &memory, error);
  if (status)
    return status;
  int64_t *offsets = (int64_t *) ((footprint_box *) memory + 2 * n);
  for (int i = 0; i < m->halves; i++) {
    footprint_make (&spec, (footprint_box *) memory + i * n, &m->footprint[i]);
    if (i == 1)
      footprint_mirror (&m->footprint[i]);
    m->parts = m->footprint[i].parts;
    for (int j = 0; j < m->parts; j++) {
      m->pass[i][j].part = &m->footprint[i].part[j];
      m->pass[i][j].offsets = offsets;
      offsets += m->pass[i][j].part->n;
    }
  }
  return FV_OK;
}

static void
make_pass (plan *m, pass *p, const fv_array *image)
{
  const footprint_part *f = p->part;
  p->op = m->packed ? minimum_of_bits (true, true) : minimum_of (image->grid->type);
  p->t = tile_image (f, p->op->bits, image, m->threads);
  for (int64_t k = 0; k < f->n; k++)
    p->offsets[k] = (f->boxes[k].dy - f->low[1]) * p->t.pitch + p->t.left + f->boxes[k].dx;
  size_t row = (size_t) p->t.pitch * (size_t) p->op->bits / 8, rows = (size_t) p->t.height;
  size_t result_bytes = row * rows, tile_bytes = row * (rows + (size_t) (f->high[1] - f->low[1])) + 64;
  m->result_bytes = m->result_bytes < result_bytes ? result_bytes : m->result_bytes;
  m->tile_bytes = m->tile_bytes < tile_bytes ? tile_bytes : m->tile_bytes;
}

static pixels
pixels_of (const fv_array *a)
{
  int64_t bytes = a->tensor.dtype.bits / 8;
  return (pixels){a->tensor.data, a->tensor.strides[0] * bytes, a->tensor.strides[1] * bytes, a->tensor.dtype.bits};
}

static bool
is_packed (const fv_grid *image)
{
  return image->role == FV_MASK && image->type == FV_U8;
}

/* Bytes of an image between two passes. */
static int64_t
between_bytes (const fv_grid *image)
{
  int64_t row =
    is_packed (image) ? bits_words (image->shape[2]) * 8 : image->shape[2] * (int64_t) type_bytes (image->type);
  return image->shape[0] * image->shape[1] * row;
}

/* What is between the passes. */
int64_t
morphology_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs)
{
  const morphology_args *a = args;
  int halves = morphology_is_twice (op) ? 2 : 1;
  int passes = halves * (is_one_square (a) ? 1 : a->iterations) * (a->footprint == FOOTPRINT_CUBE ? 2 : 1);
  int images = (passes > 1) + (is_packed (inputs[0]) && passes > 2);
  return images * between_bytes (inputs[0]);
}

static fv_status
make_between (const fv_call *call, plan *m, int passes, fv_error *error)
{
  const fv_array *image = call->inputs[0];
  int bits = m->packed ? 1 : image->tensor.dtype.bits;
  int64_t row = m->packed ? bits_words (array_columns (image)) * 8 : array_columns (image) * bits / 8;
  int64_t plane = row * array_rows (image);
  m->between[0] = m->between[1] = pixels_of (call->outputs[0]);
  for (int i = m->packed ? 0 : 1; i < 2; i++) {
    void *memory;
    if (passes < 3 - i)
      continue;
    fv_status status = call->host->scratch (call, (size_t) between_bytes (image->grid), &memory, error);
    if (status)
      return status;
    m->between[i] = (pixels){memory, plane, row, bits};
  }
  return FV_OK;
}

static void
run_pass (const plan *m, const pass *p, progress *progress)
{
  const tiling *g = &p->t;
  progress_step (progress, 0); /* other threads may take all tiles */
#pragma omp parallel for schedule(dynamic, 1) num_threads(m->threads)
  for (int64_t i = 0; i < g->planes * g->down * g->across; i++) {
    char *memory = m->memory + (size_t) thread_index () * (m->tile_bytes + m->result_bytes);
    int64_t z = i / g->across / g->down, y = i / g->across % g->down * g->height, x = i % g->across * g->width;
    tile t = {
      z, y, x, at_most (g->height, g->rows - y), at_most (g->width, g->columns - x), memory + m->result_bytes, memory};
    if (!progress_stopped (progress))
      run_tile (p, &t, progress);
  }
}

fv_status
morphology_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  bool maximum_first = morphology_begins_with_maximum (call->op);
  plan m = {.halves = morphology_is_twice (call->op) ? 2 : 1, .threads = (int) threads_at_most ()};
  m.packed = is_packed (in->grid);
  fv_status status = make_footprints (call, &m, error);
  if (status)
    return status;
  int passes = m.halves * m.iterations * m.parts;
  for (int i = 0; i < m.halves * m.parts; i++)
    make_pass (&m, &m.pass[i / m.parts][i % m.parts], in);
  if ((status = make_between (call, &m, passes, error))
      || (status = call->host->scratch (call, (size_t) m.threads * (m.tile_bytes + m.result_bytes), (void **) &m.memory,
                                        error)))
    return status;

  progress progress = {call, .total = passes * array_planes (in) * array_rows (in) * array_columns (in)};
  pixels from = pixels_of (in);
  for (int i = 0; i < passes && !progress.stop; i++) {
    int half = i / (m.iterations * m.parts), left = passes - 1 - i;
    pass *p = &m.pass[half][i % m.parts];
    p->from = from;
    p->to = from = left ? m.between[left % 2] : pixels_of (call->outputs[0]);
    p->maximum = maximum_first == (half == 0);
    if (m.packed)
      p->op = minimum_of_bits (i == 0, left == 0);
    run_pass (&m, p, &progress);
  }
  return progress.stop ? cancelled (error) : FV_OK;
}
