/* SPDX-License-Identifier: MIT
 *
 * convolve on the GPU by Fourier transforms. The output is made in blocks, two of them as the real and the imaginary parts of one, since the kernel
 * is real. A kernel too large for a transform is split into pieces as large as the blocks. Three passes over memory, of 32 to 256 threads:
 * - make_waves: 256 threads, a root of one each. None.
 * - rows_there: rows of blocks, 9 KiB of them. Reads two pixels, writes one number. __syncthreads: one, and one a step of fft.cuh.
 * - columns_there_and_back: 32 bytes of columns or more, there, times the kernel's, and back. Reads a number and the kernel's, writes one;
 *   with many pieces or planes there and back apart, and the sum of their products between. Two, and one a step each way.
 * - rows_back: rows of blocks, 9 KiB of them. Reads one number, writes two pixels. One, and one a step. Sums of a spectrum mix all pixels of two
 *   blocks. So rows_there marks blocks with pixels that are not finite, or so large that sums would overflow. Then rows_back leaves them out, and
 *   sum_windows (convolve_sums.cuh) makes them.
 */
#ifndef KERNELS_CONVOLVE_CONVOLVE_FFT_CUH
#define KERNELS_CONVOLVE_CONVOLVE_FFT_CUH

#include "kernels/common/fft.cuh"
#include "kernels/convolve/convolve_sums.cuh"

enum { PIXELS = 256 };

/* A box of blocks. */
struct block_box {
  int64_t n[3];

  __host__ __device__ int64_t count () const
  {
    return n[0] * n[1] * n[2];
  }
  __device__ int64_t at (int64_t i, int axis) const
  {
    return axis == 0 ? i / (n[1] * n[2]) : axis == 1 ? i / n[2] % n[1] : i % n[2];
  }
};

struct tiles {
  int64_t rows, columns;   /* of a transform */
  block_box pieces, piece; /* of the kernel: how many, and the values of one */
  block_box step;          /* pixels of the output in a block */
  block_box blocks, pairs; /* of the output; the same, two taken as one along an axis */
  block_box box;           /* pairs at a time */
  double cost;             /* see tiles_cost() */

  __host__ __device__ int64_t numbers () const
  {
    return rows * columns;
  }
  /* Blocks of the input for the box. */
  __host__ __device__ block_box reach () const
  {
    return {{box.n[0] + pieces.n[0] - 1, box.n[1] + pieces.n[1] - 1, box.n[2] + pieces.n[2] - 1}};
  }
  /* Pixels from the first of a pair to the second. */
  __host__ __device__ int64_t second (int axis) const
  {
    return blocks.n[axis] > pairs.n[axis] ? pairs.n[axis] * step.n[axis] : 0;
  }
};

template <typename T> struct waves_job {
  complex_number<T> *to;
  int64_t n[2]; /* those of one length, then those of another */
};

template <typename T>
__global__ void
make_waves (const __grid_constant__ waves_job<T> job)
{
  const int64_t i = (int64_t) blockIdx.x * PIXELS + threadIdx.x, k = i < job.n[0] ? i : i - job.n[0];
  double s, c;
  if (i >= job.n[0] + job.n[1])
    return;
  sincospi (-2 * (double) k / (double) (i < job.n[0] ? job.n[0] : job.n[1]), &s, &c);
  job.to[i] = {(T) c, (T) s};
}

template <typename T>
__device__ __forceinline__ complex_number<T> *
shared_lines (void)
{
  extern __shared__ __align__ (16) unsigned char fft_memory[];
  return (complex_number<T> *) fft_memory;
}

/* ---- Rows, there ---- */

template <typename In, typename T> struct rows_there_job {
  fft_lines<T> lines;
  view<const In> in;
  around outside;
  block_box first, box, step;
  int64_t second[3], height; /* pixels to the imaginary part: 0, 0, 0 where it is 0; rows of a block in `to` */
  int32_t rows, columns;     /* that a block needs; what follows in a line is 0 */
  complex_number<T> *to;
  T most;
  int *marked; /* NULL: they are as they should be */
  block_box blocks, pieces;
};

/* Part of a row of pixels, with its border. */
template <typename In, typename T> struct bordered_row {
  const In *row; /* NULL: outside */
  int64_t x0, columns;
  border outside;
  T value;
  int32_t first, end; /* of the part lie in the image */

  __device__ __forceinline__ T pixel (int32_t x) const
  {
    if (x >= first && x < end)
      return (T) row[x0 + x];
    const int64_t at = border_index (x0 + x, columns, outside);
    return row && at >= 0 ? (T) row[at] : value;
  }
};

template <typename In, typename T>
__device__ __forceinline__ bordered_row<In, T>
row_with_border (const rows_there_job<In, T> &job, int64_t z, int64_t y, int64_t x)
{
  const around &outside = job.outside;
  z = border_index (z + outside.start[0], job.in.planes, outside.outside);
  y = border_index (y + outside.start[1], job.in.rows, outside.outside);
  x += outside.start[2];
  const In *row = z < 0 || y < 0 ? NULL : job.in.row (z, y);
  const int64_t first = max (-x, (int64_t) 0), end = min (job.in.columns - x, (int64_t) job.columns);
  return {row,
          x,
          job.in.columns,
          outside.outside,
          (T) outside.value,
          (int32_t) min (first, (int64_t) job.columns),
          row ? (int32_t) max (end, (int64_t) 0) : 0};
}

/* Marks the blocks of the output that have something of this one of the input. */
template <typename In, typename T>
__device__ __noinline__ void
mark_blocks (const rows_there_job<In, T> &job, int64_t z, int64_t y, int64_t x)
{
  const int64_t both[3] = {job.second[0] / job.step.n[0], job.second[1] / job.step.n[1], job.second[2] / job.step.n[2]};
  for (int64_t k = 0; k < 2 * job.pieces.count (); k++) {
    const int64_t oz = z - job.pieces.at (k / 2, 0) + k % 2 * both[0],
                  oy = y - job.pieces.at (k / 2, 1) + k % 2 * both[1],
                  ox = x - job.pieces.at (k / 2, 2) + k % 2 * both[2];
    if (oz >= 0 && oy >= 0 && ox >= 0 && oz < job.blocks.n[0] && oy < job.blocks.n[1] && ox < job.blocks.n[2])
      job.marked[(oz * job.blocks.n[1] + oy) * job.blocks.n[2] + ox] = 1;
  }
}

/* One row into a line. Whether its pixels can be transformed. */
template <typename In, typename T>
__device__ __forceinline__ bool
read_line (const rows_there_job<In, T> &job, int64_t z, int64_t y, int64_t x, complex_number<T> *line)
{
  enum { DEEP = 4 };
  const bordered_row<In, T> a = row_with_border (job, z, y, x),
                            b = row_with_border (job, z + job.second[0], y + job.second[1], x + job.second[2]);
  const bool two = job.second[0] + job.second[1] + job.second[2] > 0;
  const int n = job.lines.plan.n, threads = (int) blockDim.x;
  bool fine = true;
  for (int c = (int) threadIdx.x; c < n; c += DEEP * threads) {
    complex_number<T> v[DEEP];
#pragma unroll
    for (int i = 0; i < DEEP; i++) {
      const int at = c + i * threads;
      v[i] = {at < job.columns ? a.pixel (at) : (T) 0, two && at < job.columns ? b.pixel (at) : (T) 0};
    }
#pragma unroll
    for (int i = 0; i < DEEP; i++) {
      fine = fine && fabs (v[i].re) <= job.most && fabs (v[i].im) <= job.most;
      if (c + i * threads < n)
        line[fft_index (c + i * threads)] = v[i];
    }
  }
  return fine;
}

template <typename In, typename T>
__global__ void
__launch_bounds__ (PIXELS, sizeof (T) == 4 ? 3 : 2) rows_there (const __grid_constant__ rows_there_job<In, T> job)
{
  complex_number<T> *numbers = shared_lines<T> ();
  const int64_t first = (int64_t) blockIdx.x * job.lines.count, all = job.box.count () * job.rows;
  const int count = (int) min ((int64_t) job.lines.count, all - first), n = job.lines.plan.n;
  for (int l = 0; l < count; l++) {
    const int64_t block = (first + l) / job.rows, r = (first + l) % job.rows;
    const int64_t z = job.first.n[0] + job.box.at (block, 0), y = job.first.n[1] + job.box.at (block, 1),
                  x = job.first.n[2] + job.box.at (block, 2);
    if (!read_line (job, z * job.step.n[0], y * job.step.n[1] + r, x * job.step.n[2], numbers + l * job.lines.pitch)
        && job.marked)
      mark_blocks (job, z, y, x);
  }
  __syncthreads ();
  fft_forward (numbers, job.lines);
  for (int l = 0; l < count; l++) {
    complex_number<T> *to = job.to + ((first + l) / job.rows * job.height + (first + l) % job.rows) * n;
    for (int c = (int) threadIdx.x; c < n; c += (int) blockDim.x)
      to[c] = numbers[l * job.lines.pitch + fft_index (c)];
  }
}

/* ---- Columns ---- */

enum columns_way { THERE, BACK, THERE_AND_BACK };

template <typename T> struct columns_job {
  fft_lines<T> lines;
  int32_t shift;             /* log2 (lines.count) */
  int32_t rows_in, rows_out; /* of a block: all, and those that are needed */
  int32_t columns;
  const complex_number<T> *from, *kernel;
  complex_number<T> *to; /* may be `from`, but with BACK */
  block_box box, reach, pieces;
};

/* Sixteen bytes of neighbors in a row, of which each is in a line of its own. */
template <typename T> struct alignas (16) number_pack {
  complex_number<T> v[16 / sizeof (complex_number<T>)];
};

/* For the first `rows` numbers of all lines, DEEP packs of them at a time: load (index in memory) gets each. Then store (pack, index in memory,
 * index of the first one in the lines) takes it. */
template <typename T, typename Load, typename Store>
__device__ __forceinline__ void
each_pack (const columns_job<T> &job, int rows, Load load, Store store)
{
  enum { DEEP = 4, EACH_PACK = 16 / sizeof (complex_number<T>) };
  const int all = (rows << job.shift) / EACH_PACK, mask = job.lines.count - 1, threads = (int) blockDim.x;
  for (int first = (int) threadIdx.x; first < all; first += DEEP * threads) {
    number_pack<T> v[DEEP];
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
      const int i = (first + k * threads) * EACH_PACK, r = i >> job.shift, c = i & mask;
      if (first + k * threads < all)
        v[k] = load (r, c);
    }
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
      const int i = (first + k * threads) * EACH_PACK, r = i >> job.shift, c = i & mask;
      if (first + k * threads < all)
        store (v[k], r, c);
    }
  }
}

/* Sum of the products of all pieces of the kernel with the blocks that they see from block `block` of the output. */
template <typename T>
__device__ __forceinline__ number_pack<T>
sum_of_pieces (const columns_job<T> &job, int64_t block, int64_t numbers, int64_t at)
{
  enum { EACH_PACK = 16 / sizeof (complex_number<T>) };
  const block_box &p = job.pieces, &in = job.reach;
  number_pack<T> sum = {};
  for (int64_t z = 0; z < p.n[0]; z++)
    for (int64_t y = 0; y < p.n[1]; y++)
      for (int64_t x = 0; x < p.n[2]; x++) {
        const int64_t from =
          ((job.box.at (block, 0) + z) * in.n[1] + job.box.at (block, 1) + y) * in.n[2] + job.box.at (block, 2) + x;
        const number_pack<T> a = *(const number_pack<T> *) &job.from[from * numbers + at],
                             b = *(const number_pack<T> *) &job.kernel[((z * p.n[1] + y) * p.n[2] + x) * numbers + at];
#pragma unroll
        for (int k = 0; k < EACH_PACK; k++) {
          const complex_number<T> v = a.v[k] * conjugate (b.v[k]);
          sum.v[k] = {sum.v[k].re + v.re, sum.v[k].im + v.im};
        }
      }
  return sum;
}

template <typename T, columns_way WAY>
__global__ void
__launch_bounds__ (PIXELS, sizeof (T) == 4 ? 3 : 2) columns_there_and_back (const __grid_constant__ columns_job<T> job)
{
  enum { EACH_PACK = 16 / sizeof (complex_number<T>) };
  complex_number<T> *numbers = shared_lines<T> ();
  const int rows = job.lines.plan.n, groups = (int) (job.columns >> job.shift);
  const int64_t block = blockIdx.x / groups, x0 = (int64_t) (blockIdx.x % groups) << job.shift,
                size = (int64_t) rows * job.columns;
  const auto index = [&] (int r, int c) { return c * job.lines.pitch + fft_index (r); };
  const auto put = [&] (const number_pack<T> &v, int r, int c) {
#pragma unroll
    for (int k = 0; k < EACH_PACK; k++)
      numbers[index (r, c + k)] = v.v[k];
  };
  if (WAY == BACK)
    each_pack (
      job, rows, [&] (int r, int c) { return sum_of_pieces (job, block, size, r * job.columns + c + x0); }, put);
  else {
    const complex_number<T> *from = job.from + block * size + x0;
    each_pack (
      job, rows,
      [&] (int r, int c) {
        return r < job.rows_in ? *(const number_pack<T> *) &from[r * job.columns + c] : number_pack<T>{};
      },
      put);
    __syncthreads ();
    fft_forward (numbers, job.lines);
  }
  if (WAY == THERE_AND_BACK)
    each_pack (
      job, rows, [&] (int r, int c) { return *(const number_pack<T> *) &job.kernel[r * job.columns + c + x0]; },
      [&] (const number_pack<T> &v, int r, int c) {
#pragma unroll
        for (int k = 0; k < EACH_PACK; k++)
          numbers[index (r, c + k)] = numbers[index (r, c + k)] * conjugate (v.v[k]);
      });
  if (WAY != THERE) {
    __syncthreads ();
    fft_inverse (numbers, job.lines);
  }
  complex_number<T> *to = job.to + block * size + x0;
  each_pack (
    job, job.rows_out,
    [&] (int r, int c) {
      number_pack<T> v;
#pragma unroll
      for (int k = 0; k < EACH_PACK; k++)
        v.v[k] = numbers[index (r, c + k)];
      return v;
    },
    [&] (const number_pack<T> &v, int r, int c) { *(number_pack<T> *) &to[r * job.columns + c] = v; });
}

/* ---- Rows, back ---- */

template <typename Out, typename T> struct rows_back_job {
  fft_lines<T> lines;
  const complex_number<T> *from;
  block_box first, box, step, blocks;
  int64_t second[3], height;
  view<Out> out;
  T scale;
  const int *marked;
};

/* One part of a line into a row of the output. */
template <typename Out, typename T, typename F>
__device__ __forceinline__ void
write_line (const rows_back_job<Out, T> &job, int64_t z, int64_t y, int64_t x, F part)
{
  const block_box &s = job.step, &b = job.blocks;
  if (z >= job.out.planes || y >= job.out.rows || x >= job.out.columns
      || job.marked[(z / s.n[0] * b.n[1] + y / s.n[1]) * b.n[2] + x / s.n[2]])
    return;
  Out *to = job.out.row (z, y) + x;
  const int columns = (int) min (s.n[2], job.out.columns - x);
  for (int c = (int) threadIdx.x; c < columns; c += (int) blockDim.x)
    to[c] = pixel_from<Out> (job.scale * part (c));
}

template <typename Out, typename T>
__global__ void
__launch_bounds__ (PIXELS, sizeof (T) == 4 ? 3 : 2) rows_back (const __grid_constant__ rows_back_job<Out, T> job)
{
  complex_number<T> *numbers = shared_lines<T> ();
  const int64_t rows = job.step.n[1], first = (int64_t) blockIdx.x * job.lines.count, all = job.box.count () * rows;
  const int count = (int) min ((int64_t) job.lines.count, all - first), n = job.lines.plan.n;
  const bool two = job.second[0] + job.second[1] + job.second[2] > 0;
  for (int l = 0; l < count; l++) {
    const complex_number<T> *from = job.from + ((first + l) / rows * job.height + (first + l) % rows) * n;
#pragma unroll 4
    for (int c = (int) threadIdx.x; c < n; c += (int) blockDim.x)
      numbers[l * job.lines.pitch + fft_index (c)] = from[c];
  }
  __syncthreads ();
  fft_inverse (numbers, job.lines);
  for (int l = 0; l < count; l++) {
    const complex_number<T> *line = numbers + l * job.lines.pitch;
    const int64_t block = (first + l) / rows;
    const int64_t z = (job.first.n[0] + job.box.at (block, 0)) * job.step.n[0],
                  y = (job.first.n[1] + job.box.at (block, 1)) * rows + (first + l) % rows,
                  x = (job.first.n[2] + job.box.at (block, 2)) * job.step.n[2];
    write_line (job, z, y, x, [&] (int c) { return line[fft_index (c)].re; });
    if (two)
      write_line (job, z + job.second[0], y + job.second[1], x + job.second[2],
                  [&] (int c) { return line[fft_index (c)].im; });
  }
}

/* ---- Choosing ---- */

/* Bytes of blocks at a time, and of the lines that a block of threads has, so that many of these fit on a multiprocessor. */
enum { BOX_BYTES = 256 << 20, ROWS_BYTES = 9 << 10, COLUMNS_BYTES = 36 << 10, LEAST_COLUMNS_BYTES = 32 };

/* Lines of n numbers for a block of threads: a power of two, and of at least so many bytes together. */
template <typename T>
static inline fft_lines<T>
lines_of_length (int64_t n, int64_t least, int64_t most, int64_t bytes, const complex_number<T> *waves)
{
  const int64_t size = sizeof (complex_number<T>), banks = 128 / size;
  int64_t count = 1;
  while (count * 2 <= most && (count < least || 2 * count * n * size <= bytes))
    count *= 2;
  int64_t pitch = fft_index ((int) n - 1) + 1;
  const int64_t wanted = banks / (count < banks ? count : banks);
  while (pitch % banks != wanted % banks)
    pitch++;
  return {fft_plan_of (n), (int32_t) count, (int32_t) pitch, waves};
}

/* Of a launch: steps of 16 keep nearly all of them busy. */
template <typename T>
static inline int
threads_for (const fft_lines<T> &lines)
{
  const int64_t parts = blocks_for ((int64_t) lines.count * lines.plan.n, 16), rounds = blocks_for (parts, PIXELS);
  return (int) (blocks_for (blocks_for (parts, rounds), 32) * 32);
}

template <typename T>
static inline int64_t
shared_for (const fft_lines<T> &lines)
{
  return (int64_t) lines.count * lines.pitch * (int64_t) sizeof (complex_number<T>);
}

/* How an axis of `out` pixels goes with n values of a kernel and transforms of `length`. */
struct axis_tiles {
  int64_t length, piece, pieces, step, blocks;
};

static inline axis_tiles
axis_with (int64_t out, int64_t n, int64_t length)
{
  if (n > length) { /* blocks as large as the pieces */
    const int64_t piece = (length + 1) / 2;
    return {length, piece, blocks_for (n, piece), piece, blocks_for (out, piece)};
  }
  const int64_t blocks = blocks_for (out, length - n + 1);
  return {length, n, 1, blocks_for (out, blocks), blocks};
}

/* The ways of an axis, with lengths to `most`. How many there are. */
enum { MOST_LENGTHS = 64 };

static inline int
axis_ways (int64_t out, int64_t n, int64_t most, axis_tiles ways[MOST_LENGTHS])
{
  int count = 0;
  for (int64_t odd = 1; odd <= 9; odd *= 3)
    for (int64_t length = 16 * odd; length <= most; length *= 2) {
      ways[count++] = axis_with (out, n, length);
      if (ways[count - 1].blocks == 1 && ways[count - 1].pieces == 1)
        break;
    }
  return count;
}

/* Along which axis two blocks are taken as one. */
static inline int
pair_axis (int64_t down, int64_t across)
{
  return down > 1 ? 1 : across > 1 ? 2 : 0;
}

/* Numbers that are transformed there and back; those of the kernel are half of that work, and sums of pieces, too. */
static inline double
tiles_cost (int64_t planes, int64_t depth, const axis_tiles &y, const axis_tiles &x)
{
  int64_t blocks[3] = {planes, y.blocks, x.blocks};
  const int along = pair_axis (y.blocks, x.blocks);
  blocks[along] = (blocks[along] + 1) / 2;
  const double pieces = (double) (depth * y.pieces * x.pieces), pairs = (double) (blocks[0] * blocks[1] * blocks[2]);
  return (double) (y.length * x.length) * (pairs * (1 + 0.5 * (pieces - 1)) + 0.5 * pieces);
}

static inline tiles
tiles_with (int64_t planes, int64_t depth, const axis_tiles &y, const axis_tiles &x)
{
  tiles t = {y.length, x.length};
  const int along = pair_axis (y.blocks, x.blocks);
  t.pieces = {{depth, y.pieces, x.pieces}};
  t.piece = {{1, y.piece, x.piece}};
  t.step = {{1, y.step, x.step}};
  t.blocks = t.pairs = {{planes, y.blocks, x.blocks}};
  t.pairs.n[along] = blocks_for (t.blocks.n[along], 2);
  return t;
}

static inline void
choose_box (tiles *t, int64_t size)
{
  int64_t bytes = t->numbers () * size;
  for (int axis = 2; axis >= 0; axis--) {
    const int64_t pieces = t->pieces.n[axis], all = t->pairs.n[axis], least = pieces > 1 ? 4 * pieces : 1;
    int64_t fit = BOX_BYTES / bytes - pieces + 1;
    fit = fit < least ? least : fit;
    t->box.n[axis] = blocks_for (all, blocks_for (all, fit));
    bytes *= t->box.n[axis] + pieces - 1;
  }
}

/* The cheapest for numbers of `size` bytes and so much shared memory. */
static inline tiles
choose_tiles (const int64_t out[3], const int64_t n[3], int64_t size, int64_t shared)
{
  const int64_t numbers = shared / size / 17 * 16 - 128; /* in lines with gaps */
  axis_tiles ys[MOST_LENGTHS] = {axis_with (out[1], 1, 1)}, xs[MOST_LENGTHS];
  const int rows = n[1] == 1 ? 1 : axis_ways (out[1], n[1], numbers * size / LEAST_COLUMNS_BYTES, ys);
  const int columns = axis_ways (out[2], n[2], numbers, xs);
  double least = INFINITY;
  int y = 0, x = 0;
  for (int i = 0; i < rows * columns; i++) {
    const double cost = tiles_cost (out[0], n[0], ys[i / columns], xs[i % columns]);
    if (cost < least) {
      least = cost;
      y = i / columns;
      x = i % columns;
    }
  }
  tiles best = tiles_with (out[0], n[0], ys[y], xs[x]);
  best.cost = least;
  choose_box (&best, size);
  return best;
}

#endif
