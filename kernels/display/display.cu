/* SPDX-License-Identifier: MIT
 *
 * display on the GPU: the screen pixels of display.h. Zoomed in, a thread makes a screen pixel; zoomed out, a block makes a piece of
 * a screen row: sums over image rows first, in 16-byte loads along memory, then over columns. Only what is seen is read, unless the
 * contrast has to be found. Sums are those of display.c but for the order of exact integers among them.
 */
#include "kernels/common/histogram.cuh"
#include "kernels/common/defined.h"
#include "kernels/display/display.h"

enum { THREADS = 256, TABLES = 2 };

/* A channel as it is shown, as display.c has it. */
struct shown {
  double low, scale;
  struct stretch stretch;
  uint32_t colors[DISPLAY_LEVELS];
};

/* What lies under the screen's columns and rows. */
struct screen {
  int64_t width, height;
  int64_t *columns, *rows; /* [-1 ... width], [-1 ... height]: image column and row, or -1 */
  double *from, *to;       /* [width]: the image's columns that are covered */
};

template <typename T> struct preparing {
  screen at;
  double x, y, zoom;
  int64_t image_rows, image_columns;
  int tables; /* channels in this launch */
  bool first; /* the screen and the labels' colors too */
  struct {
    uint32_t table[256];
    double low, high, gamma;
    struct stretch stretch;
    bool found;
  } channels[TABLES];
  const extent<T> *extents; /* [channels][parts] */
  int parts;
  shown *shown;
  uint32_t *glasbey;
};

/* `tables` blocks, and one for each 256 screen columns and rows; reads little. A launch for each two channels. */
template <typename T>
__global__ void
__launch_bounds__ (THREADS) prepare_kernel (preparing<T> p)
{
  __shared__ extent<T> shared[32];
  if ((int) blockIdx.x < p.tables) {
    const auto &c = p.channels[blockIdx.x];
    struct shown *s = p.shown + blockIdx.x;
    double low = c.low, high = c.high;
    if (c.found) {
      range_join (p.extents + (int64_t) blockIdx.x * p.parts, p.parts, shared, &low, &high);
      high = high > low ? high : __dadd_rn (low, 1);
    }
    if (threadIdx.x == 0) {
      s->low = low;
      s->stretch = c.stretch;
      s->scale = high == low ? HUGE_VAL : __ddiv_rn (DISPLAY_LEVELS - 1, __dsub_rn (high, low));
    }
    for (int k = (int) threadIdx.x; k < DISPLAY_LEVELS; k += THREADS) {
      double t = __ddiv_rn ((double) k, DISPLAY_LEVELS - 1);
      s->colors[k] = c.table[(int) fused_not (255.0, c.gamma == 1 ? t : defined_pow (t, c.gamma), 0.5)];
    }
    return;
  }
  int64_t i = ((int64_t) blockIdx.x - p.tables) * THREADS + threadIdx.x - 1;
  if (i <= p.at.width)
    p.at.columns[i] = display_source (p.x, p.zoom, i, p.image_columns);
  if (i <= p.at.height)
    p.at.rows[i] = display_source (p.y, p.zoom, i, p.image_rows);
  if (i >= 0 && i < p.at.width)
    display_cover (p.x, p.zoom, i, p.image_columns, &p.at.from[i], &p.at.to[i]);
}

/* [1]: one block of 256. */
struct label_colors {
  uint32_t table[256];
};

__global__ void
__launch_bounds__ (THREADS) colors_kernel (label_colors c, uint32_t *to)
{
  to[threadIdx.x] = c.table[threadIdx.x];
}

/* ---- Labels ---- */

enum { BESIDE = -1, RIM = -2 }; /* RIM: background beside an object */

struct labels_shown {
  const void *data; /* of the slice; NULL: none */
  fv_type type;
  int64_t row_stride;
  int mode;
  float alpha;
  const uint32_t *glasbey;

  /* Of an image pixel, or BESIDE. */
  __device__ __forceinline__ int32_t at (int64_t row, int64_t column, int64_t channel_start = 0) const
  {
    if (row < 0 || column < 0)
      return BESIDE;
    int64_t i = channel_start + row * row_stride + column;
    return type == FV_U8    ? ((const uint8_t *) data)[i]
           : type == FV_U16 ? ((const uint16_t *) data)[i]
           : type == FV_F32 ? display_label ((double) ((const float *) data)[i])
           : type == FV_F64 ? display_label (((const double *) data)[i])
                            : max (((const int32_t *) data)[i], 0);
  }
  /* Of the first channel that has an object there. */
  __device__ __forceinline__ int32_t front (int64_t row, int64_t column, int channels, int64_t channel_stride) const
  {
    int32_t label = 0;
    for (int c = 0; c < channels && !label; c++)
      label = at (row, column, c * channel_stride);
    return label;
  }
  /* What is drawn at a screen pixel, 0: nothing. */
  __device__ __forceinline__ int32_t drawn (const screen &s, int64_t i, int64_t j) const
  {
    int32_t c = at (s.rows[i], s.columns[j]);
    if (mode == DISPLAY_FILL)
      return c;
    int32_t around[4] = {at (s.rows[i - 1], s.columns[j]), at (s.rows[i + 1], s.columns[j]),
                         at (s.rows[i], s.columns[j - 1]), at (s.rows[i], s.columns[j + 1])};
    bool edge = false;
    for (int k = 0; k < 4; k++)
      edge = edge || (around[k] != BESIDE && around[k] != c);
    return !edge ? 0 : c > 0 ? c : c == 0 ? RIM : BESIDE;
  }
  /* Over the color 0x00bbggrr. */
  __device__ __forceinline__ uint32_t over (uint32_t below, int32_t label) const
  {
    uint32_t color = label > 0 ? lut_of_label (glasbey, label) : 0, sum = 0;
    if (mode == DISPLAY_OUTLINE && label > 0)
      color = display_lighter (color);
    for (int c = 0; c < 24; c += 8) {
      float v = __fadd_rn (__fmul_rn ((float) (color >> c & 255), alpha),
                           __fmul_rn ((float) (below >> c & 255), __fsub_rn (1, alpha)));
      sum |= ((uint32_t) __fadd_rn (v, 0.5f) & 255) << c;
    }
    return sum;
  }
};

/* ---- Pixels ---- */

template <typename T> struct showing {
  screen at;
  double y, zoom;
  const T *image; /* first pixel of the slice in channel `first` */
  int64_t image_rows, image_columns, row_stride, channel_stride;
  bool aligned; /* its rows start at multiples of 16 bytes */
  int channels;
  const shown *shown;        /* [channels]; of labels none */
  labels_shown own, overlay; /* of an image of labels, of the labels drawn over it */
  uint8_t *out;
  int64_t out_stride;
  bool whole; /* the output's rows start at multiples of 4 bytes */
};

__device__ __forceinline__ uint32_t
color_at (const shown *s, double v)
{
  double t = __dmul_rn (__dsub_rn (v, s->low), s->scale);
  t = t > 0 ? t : 0;
  t = t < DISPLAY_LEVELS - 1 ? t : DISPLAY_LEVELS - 1;
  if (stretch_is_steep (s->stretch.kind))
    t = (double) (stretch_value (s->stretch.kind, s->stretch.a, s->stretch.whole,
                                 (float) t * (1.f / (DISPLAY_LEVELS - 1)))
                  * (DISPLAY_LEVELS - 1));
  return s->colors[(int) __dadd_rn (t, 0.5)];
}

/* Each byte at most 255. */
__device__ __forceinline__ uint32_t
add_colors (uint32_t a, uint32_t b)
{
  return __vaddus4 (a, b);
}

template <typename T>
__device__ __forceinline__ void
put_pixel (const showing<T> &s, int64_t i, int64_t j, uint32_t color, bool seen)
{
  if (seen && s.overlay.data) {
    int32_t label = s.overlay.drawn (s.at, i, j);
    if (label > 0 || label == RIM)
      color = s.overlay.over (color, label);
  }
  color = seen ? color | 0xff000000u : 0;
  uint8_t *to = s.out + i * s.out_stride + 4 * j;
  if (s.whole)
    *(uint32_t *) to = color;
  else
    for (int c = 0; c < 4; c++)
      to[c] = (uint8_t) (color >> 8 * c);
}

/* Blocks of 256, a screen row in the second dimension: one pixel of each channel read for a screen pixel, 4 bytes written. */
template <typename T>
__global__ void
__launch_bounds__ (THREADS) near_kernel (showing<T> s)
{
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j >= s.at.width)
    return;
  for (int64_t i = blockIdx.y; i < s.at.height; i += gridDim.y) {
    int64_t row = s.at.rows[i], column = s.at.columns[j];
    bool seen = row >= 0 && column >= 0;
    uint32_t color = 0;
    if (seen && s.own.data)
      color = lut_of_label (s.own.glasbey, s.own.front (row, column, s.channels, s.channel_stride));
    for (int c = 0; seen && !s.own.data && c < s.channels; c++)
      color = add_colors (color,
                          color_at (s.shown + c, (double) s.image[c * s.channel_stride + row * s.row_stride + column]));
    put_pixel (s, i, j, color, seen);
  }
}

template <typename T> constexpr int vector_pixels = sizeof (T) == 1 ? 8 : 16 / (int) sizeof (T);
template <typename T> constexpr int tile_pixels = THREADS *vector_pixels<T>;

/* Index of the sum of a column in shared memory: the threads' vectors are one apart, so that they meet no bank conflicts. */
template <typename T>
__device__ __forceinline__ int
sum_index (int x)
{
  return x + x / vector_pixels<T>;
}

/* Adds a row to the sums of a thread's columns: small integers of whole rows as integers, else in double. */
template <typename T, int N>
__device__ __forceinline__ void
add_row (const T v[N], double weight, uint32_t whole[N], double sum[N])
{
  constexpr bool small = std::is_integral<T>::value && sizeof (T) < 4;
  if (small && weight == 1) {
#pragma unroll
    for (int k = 0; k < N; k++)
      whole[k] += (uint32_t) v[k];
  } else {
#pragma unroll
    for (int k = 0; k < N; k++)
      sum[k] = fused_not (weight, (double) v[k], sum[k]);
  }
}

/* Sums over the covered rows of the columns from `start` on, into `sums`. */
template <typename T>
__device__ __forceinline__ void
sum_rows (const showing<T> &s, const T *image, int64_t start, int64_t right, double top, double bottom, double *sums)
{
  constexpr int N = vector_pixels<T>;
  int64_t x = start + (int64_t) threadIdx.x * N;
  if (x >= right)
    return;
  uint32_t whole[N];
  double sum[N];
#pragma unroll
  for (int k = 0; k < N; k++)
    whole[k] = 0, sum[k] = 0;
  bool vector = s.aligned && x + N <= s.image_columns;
  const T *from = image + x;
  auto weight = [&] (int64_t y) { return fmin ((double) (y + 1), bottom) - fmax ((double) y, top); };
  auto load = [&] (int64_t y, T v[N]) {
    const T *at = from + y * s.row_stride;
    if (vector) {
      typedef typename std::conditional<sizeof (T) == 1, uint2, uint4>::type vector_type;
      vector_type loaded = __ldg ((const vector_type *) at);
      memcpy (v, &loaded, sizeof loaded);
    } else
#pragma unroll
      for (int k = 0; k < N; k++)
        v[k] = x + k < s.image_columns ? at[k] : (T) 0;
  };
  int64_t y = (int64_t) top, end = (int64_t) ceil (bottom);
  for (; y + 4 <= end; y += 4) {
    T v[4][N];
#pragma unroll
    for (int k = 0; k < 4; k++)
      load (y + k, v[k]);
#pragma unroll
    for (int k = 0; k < 4; k++)
      add_row<T, N> (v[k], weight (y + k), whole, sum);
  }
  for (; y < end; y++) {
    T v[N];
    load (y, v);
    add_row<T, N> (v, weight (y), whole, sum);
  }
#pragma unroll
  for (int k = 0; k < N; k++)
    sums[sum_index<T> ((int) threadIdx.x * N + k)] = sum[k] + (double) whole[k];
}

/* Blocks of 256, a screen row in the second dimension: `each` screen pixels a block. Reads what they cover once, writes 4 bytes
 * each. Two barriers a channel. */
template <typename T>
__global__ void
__launch_bounds__ (THREADS, 4) far_kernel (const __grid_constant__ showing<T> s, int each)
{
  __shared__ double sums[tile_pixels<T> + THREADS];
  __shared__ uint32_t colors[tile_pixels<T>];
  int64_t first = (int64_t) blockIdx.x * each, left = s.at.width - first;
  int n = left < each ? (int) left : each;
  int64_t start = (int64_t) s.at.from[first], right = (int64_t) ceil (s.at.to[first + n - 1]);
  start -= start % vector_pixels<T>;
  for (int64_t i = blockIdx.y; i < s.at.height; i += gridDim.y) {
    double top, bottom;
    display_cover (s.y, s.zoom, i, s.image_rows, &top, &bottom);
    bool seen = s.at.rows[i] >= 0;
    for (int c = 0; seen && c < s.channels; c++) {
      sum_rows (s, s.image + c * s.channel_stride, start, right, top, bottom, sums);
      __syncthreads ();
      for (int k = (int) threadIdx.x; k < n; k += THREADS) {
        if (s.at.columns[first + k] < 0)
          continue;
        double from = s.at.from[first + k], to = s.at.to[first + k], sum;
        int64_t x = (int64_t) from, last = (int64_t) ceil (to) - 1;
        sum = __dmul_rn (sums[sum_index<T> ((int) (x - start))], fmin ((double) (x + 1), to) - from);
        for (x++; x < last; x++)
          sum += sums[sum_index<T> ((int) (x - start))];
        if (x == last)
          sum = fused_not (sums[sum_index<T> ((int) (x - start))], to - (double) x, sum);
        double mean = __ddiv_rn (sum, __dmul_rn (to - from, bottom - top));
        colors[k] = add_colors (c ? colors[k] : 0, color_at (s.shown + c, mean));
      }
      __syncthreads ();
    }
    for (int k = (int) threadIdx.x; k < n; k += THREADS)
      put_pixel (s, i, first + k, seen ? colors[k] : 0, seen && s.at.columns[first + k] >= 0);
  }
}

/* When a screen pixel covers a great part of the image: one block of 256 for each. */
template <typename T>
__global__ void
__launch_bounds__ (THREADS) farther_kernel (showing<T> s)
{
  __shared__ double shared[THREADS / 32];
  int64_t j = blockIdx.x;
  for (int64_t i = blockIdx.y; i < s.at.height; i += gridDim.y) {
    double top, bottom, from = s.at.from[j], to = s.at.to[j];
    display_cover (s.y, s.zoom, i, s.image_rows, &top, &bottom);
    bool seen = s.at.rows[i] >= 0 && s.at.columns[j] >= 0;
    uint32_t color = 0;
    for (int c = 0; seen && c < s.channels; c++) {
      double sum = 0;
      for (int64_t y = (int64_t) top; (double) y < bottom; y++) {
        const T *row = s.image + c * s.channel_stride + y * s.row_stride;
        double weight = fmin ((double) (y + 1), bottom) - fmax ((double) y, top);
        for (int64_t x = (int64_t) from + threadIdx.x; (double) x < to; x += THREADS)
          sum += weight * (fmin ((double) (x + 1), to) - fmax ((double) x, from)) * (double) row[x];
      }
      for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync (~0u, sum, d);
      if ((threadIdx.x & 31) == 0)
        shared[threadIdx.x / 32] = sum;
      __syncthreads ();
      sum = 0;
      for (int w = 0; w < THREADS / 32; w++)
        sum += shared[w];
      __syncthreads ();
      color = add_colors (color, color_at (s.shown + c, __ddiv_rn (sum, __dmul_rn (to - from, bottom - top))));
    }
    if (threadIdx.x == 0)
      put_pixel (s, i, j, color, seen);
  }
}

/* ---- The host's side ---- */

template <typename T> struct frame {
  const fv_call *call;
  const display_args *args;
  const fv_array *image, *overlay;
  showing<T> s;
  int first, n; /* channels; of labels none */
  shown *shown;
  uint32_t *glasbey;
  extent<T> *extents; /* [n][parts]; NULL: not needed */
  int parts;
};

/* The slice in all channels that are shown; a problem is a channel. */
template <typename T>
static lines<T>
slices (const frame<T> *f)
{
  int64_t depth = grid_depth (f->image->grid);
  lines<T> l = lines_of<T> (f->image, f->first * depth + f->args->z, 2, 1);
  l.problem_stride *= depth;
  return l;
}

template <typename T>
static fv_status
lay_out_frame (frame<T> *f, fv_error *error)
{
  screen *at = &f->s.at;
  bool found = false;
  for (int k = 0; k < f->n; k++) {
    double low, high, gamma;
    found = found || !display_contrast (f->args, f->image->grid, f->first + k, &low, &high, &gamma);
  }
  f->parts = found ? range_parts (slices (f)) : 0;
  size_t sizes[] = {(size_t) f->n * sizeof (struct shown),
                    1024,
                    (size_t) f->n * (size_t) f->parts * sizeof (extent<T>),
                    (size_t) (at->width + 2) * 8,
                    (size_t) (at->height + 2) * 8,
                    (size_t) at->width * 16};
  size_t total = 0, starts[6];
  for (int i = 0; i < 6; i++) {
    starts[i] = total;
    total += (sizes[i] + 255) / 256 * 256;
  }
  char *memory;
  fv_status status = cuda_scratch (f->call, total, &memory, error);
  if (status)
    return status;
  f->shown = (struct shown *) (memory + starts[0]);
  f->glasbey = (uint32_t *) (memory + starts[1]);
  f->extents = found ? (extent<T> *) (memory + starts[2]) : NULL;
  at->columns = (int64_t *) (memory + starts[3]) + 1;
  at->rows = (int64_t *) (memory + starts[4]) + 1;
  at->from = (double *) (memory + starts[5]);
  at->to = at->from + at->width;
  return FV_OK;
}

template <typename T>
static fv_status
prepare_frame (frame<T> *f, fv_error *error)
{
  cudaStream_t stream = cuda_stream (f->call);
  const display_args *a = f->args;
  const fv_grid *g = f->image->grid;
  int64_t longer = f->s.at.width > f->s.at.height ? f->s.at.width : f->s.at.height;
  if (f->extents) {
    range_kernel<T>
      <<<(unsigned) (f->n * f->parts), RANGE_THREADS, 0, stream>>> (slices (f), f->parts, f->extents, NULL, 0);
    fv_status status = cuda_status (cudaGetLastError (), "Finding the contrast", error);
    if (status)
      return status;
  }
  if (f->overlay || f->n == 0) {
    label_colors c;
    lut_fill (LUT_GLASBEY, c.table);
    colors_kernel<<<1, THREADS, 0, stream>>> (c, f->glasbey);
  }
  for (int first = 0; first == 0 || first < f->n; first += TABLES) {
    preparing<T> p = {};
    p.at = f->s.at;
    p.x = a->x;
    p.y = a->y;
    p.zoom = a->zoom;
    p.image_rows = array_rows (f->image);
    p.image_columns = array_columns (f->image);
    p.tables = f->n - first < TABLES ? f->n - first : TABLES;
    p.parts = f->parts;
    p.extents = f->extents ? f->extents + (int64_t) first * f->parts : NULL;
    p.shown = f->shown + first;
    for (int k = 0; k < p.tables; k++) {
      int channel = f->first + first + k;
      auto &c = p.channels[k];
      display_table (a, g, channel, c.table);
      c.found = !display_contrast (a, g, channel, &c.low, &c.high, &c.gamma);
      c.stretch = display_stretch (a, channel, &c.gamma);
    }
    int64_t blocks = p.tables + (first ? 0 : blocks_for (longer + 2, THREADS));
    prepare_kernel<T><<<(unsigned) blocks, THREADS, 0, stream>>> (p);
  }
  return cuda_status (cudaGetLastError (), "Preparing the display", error);
}

static labels_shown
labels_of (const fv_array *a, int64_t plane, const display_args *args, const uint32_t *glasbey)
{
  labels_shown l = {};
  if (!a)
    return l;
  l.data = array_row (a, plane, 0);
  l.type = a->grid->type;
  l.row_stride = a->tensor.strides[1];
  l.mode = args->overlay_mode;
  l.alpha = (float) args->overlay_alpha;
  l.glasbey = glasbey;
  return l;
}

template <typename T>
static fv_status
show (const fv_call *call, fv_error *error)
{
  frame<T> f = {};
  const display_args *a = (const display_args *) call->args;
  const fv_array *out = call->outputs[0];
  f.call = call;
  f.args = a;
  f.image = call->inputs[0];
  f.overlay = call->inputs[1];
  f.first = a->mode == DISPLAY_SINGLE ? a->channel : 0;
  int seen = a->mode == DISPLAY_SINGLE ? 1 : (int) f.image->grid->channels;
  f.n = display_is_labels (a, f.image->grid) ? 0 : seen;
  showing<T> *s = &f.s;
  s->at.width = array_columns (out) / 4;
  s->at.height = array_rows (out);
  fv_status status = lay_out_frame (&f, error);
  if (status || (status = prepare_frame (&f, error)))
    return status;
  if (call->host->tick (call, 1, 2))
    return cancelled (error);

  lines<T> l = slices (&f);
  s->y = a->y;
  s->zoom = a->zoom;
  s->image = l.data;
  s->image_rows = array_rows (f.image);
  s->image_columns = array_columns (f.image);
  s->row_stride = f.image->tensor.strides[1];
  s->channel_stride = l.problem_stride;
  s->aligned = rows_aligned (f.image, 16);
  s->channels = seen;
  s->shown = f.shown;
  s->own = labels_of (f.n ? NULL : f.image, f.first * grid_depth (f.image->grid) + a->z, a, f.glasbey);
  s->overlay = labels_of (f.overlay, a->z, a, f.glasbey);
  s->out = (uint8_t *) array_row (out, 0, 0);
  s->out_stride = out->tensor.strides[1];
  s->whole = rows_aligned (out, 4);
  cudaStream_t stream = cuda_stream (call);
  double each = floor ((tile_pixels<T> - 2 * vector_pixels<T> - 2) * a->zoom);
  unsigned rows = (unsigned) (s->at.height < 65535 ? s->at.height : 65535);
  if (a->zoom >= 1 || f.n == 0)
    near_kernel<T><<<dim3 ((unsigned) blocks_for (s->at.width, THREADS), rows), THREADS, 0, stream>>> (*s);
  else if (each >= 8)
    far_kernel<T>
      <<<dim3 ((unsigned) blocks_for (s->at.width, (int64_t) each), rows), THREADS, 0, stream>>> (*s, (int) each);
  else
    farther_kernel<T><<<dim3 ((unsigned) s->at.width, rows), THREADS, 0, stream>>> (*s);
  return cuda_status (cudaGetLastError (), "Drawing", error);
}

fv_status
display_cuda (const fv_call *call, fv_error *error)
{
  return with_type (call->inputs[0]->grid->type, [&] (auto zero) { return show<decltype (zero)> (call, error); });
}
