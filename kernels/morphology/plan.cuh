/* SPDX-License-Identifier: MIT
 *
 * The host's part of morphology on the GPU: from a footprint to passes, from a pass to tiles, and to the code that
 * says what is done in a tile (tile.cuh); and the launch.
 */
#ifndef KERNELS_MORPHOLOGY_PLAN_CUH
#define KERNELS_MORPHOLOGY_PLAN_CUH

#include "kernels/common/lines.cuh"
#include "kernels/morphology/morphology_args.h"
#include "kernels/morphology/tile.cuh"

/* ---- Passes ---- */

/* An argument, or what one pass leaves to the next. */
struct target {
  surface pixels;
  bool aligned; /* rows start at multiples of 16 bytes */
  bool bytes;   /* pixels, not words of bits */
};

/* How a pass cuts the image into tiles. */
struct tiling {
  int n;                                            /* words of the result for each thread */
  int32_t left, pitch, width, height, across, down; /* as in tile_job */
  int32_t band;                                     /* rows of the footprint that are dealt with together */
  size_t shared;                                    /* bytes */
  bool strips;                                      /* they are those of strips.cuh */
};

/* A part of a footprint: a box, for which the rows of the tile are the image's, or for `deep` its planes; or all rows. */
struct part {
  int32_t low[3], high[3]; /* reach along z, y, x */
  int32_t height, width;   /* of a box; else 0 */
  bool deep;
};

/* The parts that make one erosion or dilation, and how often they do. */
struct schedule {
  footprint_spec spec;
  int iterations, n_parts;
  part parts[3];
};

struct pass : part {
  const footprint_spec *spec;
  bool mirrored, packed, maximum;
  int32_t planes, rows, columns;
  int each;          /* pixels of a word */
  size_t word_bytes; /* of a tile */
  target from, to;
  tiling t;
};

static inline target
target_of (const fv_array *a)
{
  int64_t bytes = a->tensor.dtype.bits / 8;
  return {
    {(char *) a->tensor.data, a->tensor.strides[0] * bytes, a->tensor.strides[1] * bytes}, rows_aligned (a, 16), true};
}

/* Squares of pixels that are not packed are made one axis after the other from this radius on. */
#define SQUARE_AT_ONCE 8

static inline schedule
make_schedule (const morphology_args *a, bool packed)
{
  schedule s = {{(footprint_shape) a->footprint, a->radius, &a->matrix}, a->iterations, 0};
  bool cube = s.spec.shape == FOOTPRINT_CUBE;
  if (!cube && s.spec.shape != FOOTPRINT_SQUARE) {
    footprint_reach (&s.spec, s.parts[0].low, s.parts[0].high);
    s.n_parts = 1;
    return s;
  }
  int32_t r = a->radius;
  if (r * a->iterations <= FOOTPRINT_RADIUS_MAX) { /* as on the CPU */
    r *= a->iterations;
    s.iterations = 1;
  }
  int32_t n = 2 * r + 1;
  if (packed || r < SQUARE_AT_ONCE)
    s.parts[s.n_parts++] = {{0, -r, -r}, {0, r, r}, n, n, false};
  else {
    s.parts[s.n_parts++] = {{0, 0, -r}, {0, 0, r}, 1, n, false};
    s.parts[s.n_parts++] = {{0, -r, 0}, {0, r, 0}, n, 1, false};
  }
  if (cube)
    s.parts[s.n_parts++] = {{0, -r, 0}, {0, r, 0}, n, 1, true};
  return s;
}

/* ---- Tiles ---- */

static inline int32_t
doublings (int32_t n)
{
  int32_t i = 0;
  while (1 << i < n)
    i++;
  return i;
}

/* At most so many runs, each with two takes, or single pixels has a row of the footprint. */
static inline int32_t
takes_of_row (const pass *p)
{
  return p->spec->shape == FOOTPRINT_MATRIX ? p->spec->matrix->columns / 2 + 1 : 2;
}

enum { CODE_STEPS = 20, CODE_FIXED = 4 + 2 * CODE_STEPS };

/* Device time that a choice of tiles may take, in turns of a multiprocessor's shared memory. */
static inline double
cost_of (const pass *p, const tiling *t, int32_t shared_all)
{
  int32_t all = p->high[1] - p->low[1] + 1, wide = p->high[2] - p->low[2] + 1, slices = p->high[0] - p->low[0] + 1;
  double steps = doublings (wide) + (p->height ? doublings (p->height) : 0), items = TILE_THREADS / 32.0 * t->n;
  double takes = p->height ? 1 : 0.8 * all * takes_of_row (p);
  double words = (double) blocks_for (all, t->band) * (t->height + t->band - 1) * t->pitch / 32;
  double load = p->packed ? 25 : 10, step = p->packed ? 6 : 4, take = p->packed ? 3 : 1.3, start = 200;
  double tile = start + slices * (words * (load + step * steps) + items * take * takes) + items * load;
  int64_t tiles = (int64_t) p->planes * t->across * t->down, resident = shared_all / (int64_t) (t->shared + 1024);
  int64_t rounds = blocks_for (tiles, multiprocessors ());
  resident = resident < rounds ? resident : rounds;
  return rounds * tile * (resident < 4 ? 4.0 / resident : 1);
}

static inline int32_t
device_attribute (cudaDeviceAttr a)
{
  int device = 0, value = 0;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&value, a, device);
  return value;
}

/* Fills in what follows from n and the most words of a row; false: it does not fit in `most` bytes. */
static inline bool
fit_tiles (const pass *p, int32_t width, size_t most, tiling *t)
{
  int32_t words = (int32_t) blocks_for (p->columns, p->each), unit = p->packed ? 32 : 1;
  int32_t right = (p->high[2] + unit - 1) / unit, all = p->high[1] - p->low[1] + 1, room = TILE_THREADS * t->n;
  int32_t rows = (TILE_CODE - CODE_FIXED) / takes_of_row (p);
  t->left = (unit - 1 - p->low[2]) / unit;
  t->across = (words + width - 1) / width;
  t->width = (words + t->across - 1) / t->across;
  t->pitch = t->left + t->width + right;
  t->pitch = t->pitch < 2 ? 2 : t->pitch;
  if (t->pitch > room)
    return false;
  t->height = room / t->pitch < p->rows ? room / t->pitch : p->rows;
  t->down = (p->rows + t->height - 1) / t->height;
  t->height = (p->rows + t->down - 1) / t->down;
  t->band = p->height || all < rows ? all : rows;
  for (;; t->band = (t->band + 1) / 2) {
    t->shared = p->word_bytes * ((size_t) room + (size_t) t->band * (size_t) t->pitch + 2);
    if (t->shared <= most)
      return true;
    if (p->height || t->band == 1)
      return false;
  }
}

static inline tiling
make_tiling (const pass *p)
{
  static const int ns[] = {1, 4, 16};
  int32_t block = device_attribute (cudaDevAttrMaxSharedMemoryPerBlockOptin);
  int32_t all = device_attribute (cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  tiling best = {};
  double least = HUGE_VAL;
  for (int i = 0; i < 3; i++)
    for (int32_t width = 16; width <= 512; width *= 2)
      for (int blocks = 1; blocks <= 4; blocks *= 2) {
        tiling t = {};
        t.n = ns[i];
        if (!fit_tiles (p, width, (size_t) block / blocks, &t))
          continue;
        double cost = cost_of (p, &t, all);
        if (cost < least) {
          least = cost;
          best = t;
        }
      }
  return best;
}

/* Tiles of strips (strips.cuh), for footprints of at least STRIP_LEAST rows, in images that have two or more for each multiprocessor. */
enum { STRIP_ROWS = 16, STRIP_WIDTH = 64, STRIP_REACH = 32, STRIP_LEAST = 7 };

static inline bool
fit_strips (const pass *p, tiling *t)
{
  int32_t rows = p->high[1] - p->low[1] + 1, beside = p->high[2] - p->low[2];
  *t = {};
  t->left = -p->low[2];
  t->width = t->height = STRIP_WIDTH;
  t->pitch = STRIP_WIDTH + (beside <= 16 ? 16 : beside <= 32 ? 32 : 64);
  t->across = (int32_t) blocks_for (p->columns, p->each * t->width);
  t->down = (int32_t) blocks_for (p->rows, t->height);
  t->band = rows;
  t->shared = p->word_bytes * ((size_t) (t->height + rows - 1) * (size_t) t->pitch + 2);
  t->strips = true;
  return !p->packed && !p->height && p->low[0] == p->high[0] && rows >= STRIP_LEAST && rows <= 2 * STRIP_REACH + 1
         && beside <= 2 * STRIP_REACH && p->low[2] <= 0 && p->spec->shape != FOOTPRINT_MATRIX
         && (int64_t) p->planes * t->across * t->down >= 2 * multiprocessors ()
         && t->shared <= (size_t) device_attribute (cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

static inline pass
make_pass (const schedule *s, int number, bool mirrored, bool packed, const fv_array *image)
{
  pass p = {};
  (part &) p = s->parts[number];
  p.spec = &s->spec;
  p.mirrored = mirrored && !p.height;
  for (int i = 0; i < 3 && p.mirrored; i++) {
    int32_t low = p.low[i];
    p.low[i] = -p.high[i];
    p.high[i] = -low;
  }
  p.packed = packed;
  p.planes = (int32_t) (p.deep ? array_rows (image) : array_planes (image));
  p.rows = (int32_t) (p.deep ? array_planes (image) : array_rows (image));
  p.columns = (int32_t) array_columns (image);
  p.each = packed ? 32 : type_bytes (image->grid->type) < 4 ? 2 : 1;
  p.word_bytes = image->grid->type == FV_F64 ? 8 : 4;
  if (!fit_strips (&p, &p.t))
    p.t = make_tiling (&p);
  return p;
}

static inline surface
surface_of (const pass *p, const target *t)
{
  surface s = t->pixels;
  return p->deep ? surface{s.data, s.row, s.plane} : s;
}

static inline tile_job
make_job (const pass *p)
{
  const tiling *t = &p->t;
  return {surface_of (p, &p->from),
          surface_of (p, &p->to),
          p->planes,
          p->rows,
          p->columns,
          t->left,
          t->pitch,
          t->width,
          t->height,
          t->across,
          t->down,
          (uint32_t) ((UINT64_C (1) << 32) / (uint64_t) t->pitch + 1),
          p->maximum,
          p->from.aligned,
          p->to.aligned};
}

/* ---- Code ---- */

struct code_writer {
  tile_job *job;
  int n, step; /* numbers written; where the number of takes of the current step stands */
};

struct code_run {
  int32_t offset, width; /* of its first pixel; pixels */
};

static inline void
code_put (code_writer *w, int32_t v)
{
  w->job->code[w->n++] = v;
}

static inline void
code_step (code_writer *w, int32_t widen)
{
  code_put (w, widen);
  w->step = w->n;
  code_put (w, 0);
}

static inline void
code_take (code_writer *w, int32_t offset)
{
  w->job->code[w->step]++;
  code_put (w, offset);
}

/* From minima over *n words to minima over `wanted`; pitch: from one of them to the next. */
static inline void
code_grow (code_writer *w, int32_t *n, int32_t wanted, int32_t pitch)
{
  while (*n < wanted) {
    int32_t step = wanted - *n < *n ? wanted - *n : *n;
    code_step (w, step * pitch);
    *n += step;
  }
}

/* Widths that more runs have get a step of their own; others are covered by two shorter runs. */
#define RUNS_WITHOUT_STEP 4

static inline void
code_runs (code_writer *w, const code_run *r, int n)
{
  int32_t width = 1;
  code_step (w, 0);
  for (int i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && r[next].width == r[i].width;)
      next++;
    while (2 * width < r[i].width) {
      code_step (w, width);
      width *= 2;
    }
    if (next - i > RUNS_WITHOUT_STEP)
      code_grow (w, &width, r[i].width, 1);
    for (int k = i; k < next; k++) {
      code_take (w, r[k].offset);
      if (width < r[k].width)
        code_take (w, r[k].offset + r[k].width - width);
    }
  }
}

/* The runs of `rows` rows of the footprint from dy on, by width. */
static inline int
code_collect (const pass *p, int32_t dz, int32_t dy, int32_t rows, code_run *runs)
{
  int n = 0, unit = p->packed ? 32 : 1, sign = p->mirrored ? -1 : 1;
  int32_t before = (p->mirrored ? -p->high[2] : p->low[2]) - 1;
  for (int32_t i = 0; i < rows; i++)
    for (footprint_run r = {0, before}; footprint_next_run (p->spec, sign * dz, sign * (dy + i), &r);) {
      int32_t first = p->mirrored ? -r.last : r.first, width = r.last - r.first + 1;
      int k = n++;
      for (; k > 0 && runs[k - 1].width > width; k--)
        runs[k] = runs[k - 1];
      runs[k] = {(i * p->t.pitch + p->t.left) * unit + first, width};
    }
  return n;
}

static inline bool
code_has_room (const code_writer *w, const pass *p)
{
  return w->n + CODE_FIXED + (p->height ? 1 : p->t.band * takes_of_row (p)) <= TILE_CODE;
}

/* Rows dy ... of slice dz of the footprint, at most as many as are dealt with together. */
static inline void
code_add_slice (code_writer *w, const pass *p, int32_t dz, int32_t dy)
{
  const tiling *t = &p->t;
  int32_t unit = p->packed ? 32 : 1, rows = p->high[1] - dy + 1 < t->band ? p->high[1] - dy + 1 : t->band;
  code_run runs[TILE_CODE];
  int n = p->height ? 1 : code_collect (p, dz, dy, rows, runs), start = w->n;
  if (n == 0)
    return;
  code_put (w, dz);
  code_put (w, dy);
  code_put (w, t->height + rows - 1);
  code_put (w, 0);
  if (p->height) {
    int32_t wide = 1, high = 1;
    code_step (w, 0);
    code_grow (w, &wide, p->width, 1);
    code_grow (w, &high, p->height, t->pitch * unit);
    code_take (w, t->left * unit + p->low[2]);
  } else
    code_runs (w, runs, n);
  w->job->code[start + 3] = w->n;
  w->job->slices++;
}

/* ---- Launch ---- */

/* A block for each tile. */
static fv_status
launch_blocks (void (*kernel) (tile_job), const fv_call *call, const pass *p, const tile_job *j, fv_error *error)
{
  int64_t blocks = (int64_t) j->planes * j->across * j->down;
  if (blocks > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  cudaError_t code = cudaSuccess;
  if (p->t.shared > 48 << 10)
    code = cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) p->t.shared);
  if (!code)
    code = launch_after (kernel, (unsigned) blocks, TILE_THREADS, p->t.shared, cuda_stream (call), *j);
  return cuda_status (code, "Morphology", error);
}

#endif
