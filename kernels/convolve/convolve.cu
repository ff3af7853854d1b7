/* SPDX-License-Identifier: MIT
 *
 * convolve on the GPU: directly, axis after axis, or by Fourier transforms; see convolve_sums.cuh and convolve_fft.cuh. A kernel that is an
 * image is read back, for its numbers decide what is done; kernels on the GPU wait for each other only by the order of the stream.
 */
#include "kernels/convolve/convolve.h"
#include "kernels/convolve/convolve_fft.cuh"
#include "kernels/convolve/convolve_kernel.h"

#include <float.h>
#include <type_traits>

struct convolution {
  const fv_call *call;
  fv_error *error;
  convolve_kernel kernel;
  around outside;
};

/* ---- The kernel ---- */

/* Pixels of the kernel image in host memory. */
static fv_status
read_kernel (const fv_call *call, const void **pixels, fv_error *error)
{
  const DLTensor *t = &call->inputs[1]->tensor;
  const int64_t last = (t->shape[0] - 1) * t->strides[0] + (t->shape[1] - 1) * t->strides[1] + t->shape[2];
  const size_t bytes = (size_t) last * (t->dtype.bits / 8);
  void *to;
  if (call->host->host_scratch (call, bytes, &to, error))
    return error->code;
  *pixels = to;
  return call->host->read (call, to, t->data, bytes, error);
}

static fv_status
make_kernel (convolution *c, fv_type working)
{
  const fv_call *call = c->call;
  const convolve_args *a = (const convolve_args *) call->args;
  const fv_array *image = call->inputs[1];
  const void *pixels = NULL;
  void *memory;
  int64_t n[3];
  convolve_kernel_size (a, image ? image->grid : NULL, n);
  if ((image && read_kernel (call, &pixels, c->error))
      || call->host->host_scratch (call, (size_t) convolve_kernel_values (n) * sizeof (double), &memory, c->error))
    return c->error->code;
  return convolve_kernel_make (&c->kernel, a, image, pixels, working, (double *) memory, c->error);
}

/* n numbers of the kernel to the GPU, in the working type. */
template <typename T>
static fv_status
upload (const convolution *c, const double *from, int64_t n, T **to)
{
  void *host;
  const size_t bytes = (size_t) n * sizeof (T);
  if (c->call->host->host_scratch (c->call, bytes, &host, c->error) || cuda_scratch (c->call, (size_t) n, to, c->error))
    return c->error->code;
  for (int64_t i = 0; i < n; i++)
    ((T *) host)[i] = (T) from[i];
  return cuda_status (cudaMemcpyAsync (*to, host, bytes, cudaMemcpyHostToDevice, cuda_stream (c->call)), "convolve",
                      c->error);
}

/* Whether the host wants to go on after a launch that was taken. */
static fv_status
done (const convolution *c, cudaError_t code)
{
  if (cuda_status (code, "convolve", c->error))
    return c->error->code;
  return c->call->host->tick (c->call, 1, 2) ? cancelled (c->error) : FV_OK;
}

/* ---- Directly ---- */

template <typename In, typename Out, typename T>
static fv_status
run_sums (const convolution *c, view<const In> in, view<Out> out, const around &outside, const T *weights,
          const int64_t n[3], const marks &only)
{
  sums_job<In, Out, T> job = {in, out, outside, weights, {(int32_t) n[0], (int32_t) n[1], (int32_t) n[2]}};
  job.across = (int32_t) blocks_for (out.columns, CONVOLVE_COLUMNS);
  job.down = (int32_t) blocks_for (out.rows, CONVOLVE_ROWS);
  job.only = only;
  return done (c,
               launch (sum_windows<In, Out, T>, out.planes * job.down * job.across, CONVOLVE_THREADS, 0, c->call, job));
}

template <typename In, typename Out, typename T>
static fv_status
run_directly (const convolution *c, view<const In> in, view<Out> out)
{
  const int64_t *n = c->kernel.n;
  T *weights;
  if (upload (c, c->kernel.w, n[0] * n[1] * n[2], &weights))
    return c->error->code;
  return run_sums (c, in, out, c->outside, weights, n, {});
}

/* ---- Axis after axis ---- */

template <typename T>
static fv_status
between (const convolution *c, int64_t planes, int64_t rows, int64_t columns, view<T> *v)
{
  *v = {NULL, planes, rows, columns, rows * columns, columns};
  return cuda_scratch (c->call, (size_t) (planes * rows * columns), &v->data, c->error);
}

template <typename T>
static view<const T>
read_only (const view<T> &v)
{
  return {v.data, v.planes, v.rows, v.columns, v.plane_stride, v.row_stride};
}

/* Along x on all rows that the other axes need, so that these find no border; the last writes the output. */
template <typename In, typename Out, typename T>
static fv_status
run_by_axes (const convolution *c, view<const In> in, view<Out> out)
{
  const int64_t *n = c->kernel.n, along_x[3] = {1, 1, n[2]}, along_y[3] = {1, n[1], 1}, along_z[3] = {n[0], 1, 1};
  const around inside = {BORDER_NEAREST, 0, {0, 0, 0}};
  const marks all = {};
  T *lines;
  view<T> first, second;
  if (upload (c, c->kernel.lines[0], n[0] + n[1] + n[2], &lines)
      || between (c, out.planes + n[0] - 1, out.rows + n[1] - 1, out.columns, &first)
      || run_sums<In, T, T> (c, in, first, c->outside, lines + n[0] + n[1], along_x, all))
    return c->error->code;
  if (n[0] == 1)
    return run_sums<T, Out, T> (c, read_only (first), out, inside, lines + n[0], along_y, all);
  if (between (c, out.planes + n[0] - 1, out.rows, out.columns, &second)
      || run_sums<T, T, T> (c, read_only (first), second, inside, lines + n[0], along_y, all))
    return c->error->code;
  return run_sums<T, Out, T> (c, read_only (second), out, inside, lines, along_z, all);
}

/* ---- By Fourier transforms ---- */

template <typename T> struct spectrum {
  tiles all;
  T *weights;
  complex_number<T> *there, *back, *kernel, *waves; /* there and back: the same where the kernel is one piece */
  fft_lines<T> rows, columns;
  T most; /* what sums can be made of without leaving the range of T */
  int *marked;
};

template <typename T>
static T
most_of (const convolution *c, const tiles &t)
{
  const int64_t *n = c->kernel.n;
  double sum = 1;
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    sum += fabs (c->kernel.w[i]);
  return (T) ((sizeof (T) == 4 ? FLT_MAX : DBL_MAX) / (8 * (double) t.numbers () * (double) t.pieces.count () * sum));
}

/* Memory for all, and what stays the same for all blocks. */
template <typename T>
static fv_status
make_spectrum (const convolution *c, spectrum<T> *s)
{
  const tiles &t = s->all;
  const int64_t *n = c->kernel.n, numbers = t.numbers (), pieces = t.pieces.count (), roots = t.rows + t.columns;
  const size_t marks_bytes = (size_t) t.blocks.count () * sizeof (int);
  if (upload (c, c->kernel.w, n[0] * n[1] * n[2], &s->weights)
      || cuda_scratch (c->call, (size_t) (numbers * t.reach ().count ()), &s->there, c->error)
      || cuda_scratch (c->call, (size_t) (numbers * pieces), &s->kernel, c->error)
      || cuda_scratch (c->call, (size_t) roots, &s->waves, c->error)
      || cuda_scratch (c->call, (size_t) t.blocks.count (), &s->marked, c->error)
      || cuda_status (cudaMemsetAsync (s->marked, 0, marks_bytes, cuda_stream (c->call)), "convolve", c->error))
    return c->error->code;
  s->back = s->there;
  if (pieces > 1 && cuda_scratch (c->call, (size_t) (numbers * t.box.count ()), &s->back, c->error))
    return c->error->code;
  s->most = most_of<T> (c, t);
  s->rows = lines_of_length<T> (t.columns, 1, INT32_MAX, ROWS_BYTES, s->waves);
  s->columns = lines_of_length<T> (t.rows, LEAST_COLUMNS_BYTES / sizeof (complex_number<T>), t.columns & -t.columns,
                                   COLUMNS_BYTES, s->waves + t.columns);
  return done (c, launch (make_waves<T>, blocks_for (roots, PIXELS), PIXELS, 0, c->call,
                          waves_job<T>{s->waves, {t.columns, t.rows}}));
}

/* All lines of so many rows, or columns. */
template <typename T, typename Job>
static fv_status
run_lines (const convolution *c, const fft_lines<T> &lines, int64_t count, void (*kernel) (Job), const Job &job)
{
  return done (c,
               launch (kernel, blocks_for (count, lines.count), threads_for (lines), shared_for (lines), c->call, job));
}

template <typename T, columns_way WAY>
static fv_status
run_columns (const convolution *c, const spectrum<T> &s, const block_box &blocks, const columns_job<T> &job)
{
  return run_lines (c, s.columns, blocks.count () * s.all.columns, columns_there_and_back<T, WAY>, job);
}

template <typename T>
static columns_job<T>
columns_of (const spectrum<T> &s)
{
  columns_job<T> job = {};
  job.lines = s.columns;
  while (1 << job.shift < s.columns.count)
    job.shift++;
  job.columns = (int32_t) s.all.columns;
  job.kernel = s.kernel;
  job.box = s.all.box;
  job.reach = s.all.reach ();
  job.pieces = s.all.pieces;
  return job;
}

template <typename T>
static fv_status
transform_kernel (const convolution *c, const spectrum<T> &s)
{
  const tiles &t = s.all;
  const int64_t *n = c->kernel.n;
  rows_there_job<T, T> rows = {
    s.rows, {s.weights, n[0], n[1], n[2], n[1] * n[2], n[2]}, {BORDER_CONSTANT, 0, {0, 0, 0}}};
  rows.box = t.pieces;
  rows.step = t.piece;
  rows.height = t.rows;
  rows.rows = (int32_t) t.piece.n[1];
  rows.columns = (int32_t) t.piece.n[2];
  rows.to = s.kernel;
  columns_job<T> columns = columns_of (s);
  columns.rows_in = rows.rows;
  columns.rows_out = (int32_t) t.rows;
  columns.from = columns.to = s.kernel;
  if (run_lines (c, s.rows, t.pieces.count () * rows.rows, rows_there<T, T>, rows))
    return c->error->code;
  return run_columns<T, THERE> (c, s, t.pieces, columns);
}

/* The columns of a box, after the rows of `rows_in`. */
template <typename T>
static fv_status
run_all_columns (const convolution *c, const spectrum<T> &s, int32_t rows_in)
{
  columns_job<T> there = columns_of (s), back = there;
  there.rows_in = rows_in;
  there.rows_out = s.all.pieces.count () > 1 ? (int32_t) s.all.rows : (int32_t) s.all.step.n[1];
  there.from = back.from = there.to = s.there;
  if (s.all.pieces.count () == 1)
    return run_columns<T, THERE_AND_BACK> (c, s, s.all.box, there);
  back.rows_out = (int32_t) s.all.step.n[1];
  back.to = s.back;
  if (run_columns<T, THERE> (c, s, there.reach, there))
    return c->error->code;
  return run_columns<T, BACK> (c, s, s.all.box, back);
}

/* The box of blocks from `first` on. */
template <typename In, typename Out, typename T>
static fv_status
run_box (const convolution *c, const spectrum<T> &s, view<const In> in, view<Out> out, const block_box &first)
{
  const tiles &t = s.all;
  rows_there_job<In, T> there = {
    s.rows, in, c->outside, first, t.reach (), t.step, {t.second (0), t.second (1), t.second (2)}, t.rows};
  there.rows = (int32_t) (t.step.n[1] + t.piece.n[1] - 1);
  there.columns = (int32_t) (t.step.n[2] + t.piece.n[2] - 1);
  there.to = s.there;
  there.most = s.most;
  there.marked = s.marked;
  there.blocks = t.blocks;
  there.pieces = t.pieces;
  const rows_back_job<Out, T> back = {s.rows,
                                      s.back,
                                      first,
                                      t.box,
                                      t.step,
                                      t.blocks,
                                      {t.second (0), t.second (1), t.second (2)},
                                      t.rows,
                                      out,
                                      (T) (1 / (double) t.numbers ()),
                                      s.marked};
  if (run_lines (c, s.rows, there.box.count () * there.rows, rows_there<In, T>, there)
      || run_all_columns (c, s, there.rows))
    return c->error->code;
  return run_lines (c, s.rows, t.box.count () * t.step.n[1], rows_back<Out, T>, back);
}

template <typename In, typename Out, typename T>
static fv_status
run_by_fft (const convolution *c, const tiles &t, view<const In> in, view<Out> out)
{
  spectrum<T> s = {t};
  if (make_spectrum (c, &s) || transform_kernel (c, s))
    return c->error->code;
  const int64_t *pairs = t.pairs.n, *box = t.box.n;
  for (int64_t z = 0; z < pairs[0]; z += box[0])
    for (int64_t y = 0; y < pairs[1]; y += box[1])
      for (int64_t x = 0; x < pairs[2]; x += box[2]) {
        s.all.box = {{min (box[0], pairs[0] - z), min (box[1], pairs[1] - y), min (box[2], pairs[2] - x)}};
        if (run_box (c, s, in, out, {{z, y, x}}))
          return c->error->code;
      }
  return run_sums (c, in, out, c->outside, s.weights, c->kernel.n,
                   {s.marked, 1, t.step.n[1], t.step.n[2], t.blocks.n[1], t.blocks.n[2]});
}

template <typename In, typename Out, typename T>
static fv_status
run_all (const convolution *c)
{
  const view<const In> in = view_of<const In> (c->call->inputs[0]);
  const view<Out> out = view_of<Out> (c->call->outputs[0]);
  const int64_t size[3] = {out.planes, out.rows, out.columns};
  switch (convolve_way_of (c->kernel.n, c->kernel.separable)) {
  case CONVOLVE_BY_FFT:
    return run_by_fft<In, Out, T> (c, choose_tiles (size, c->kernel.n, sizeof (complex_number<T>), most_shared ()), in,
                                   out);
  case CONVOLVE_BY_AXES: return run_by_axes<In, Out, T> (c, in, out);
  default: return run_directly<In, Out, T> (c, in, out);
  }
}

extern "C" fv_status
convolve_cuda (const fv_call *call, fv_error *error)
{
  const convolve_args *a = (const convolve_args *) call->args;
  const fv_type type = call->inputs[0]->grid->type;
  convolution c = {call, error};
  if (call->host->tick (call, 0, 2))
    return cancelled (error);
  if (make_kernel (&c, convolve_working_type (call->inputs[0]->grid)))
    return error->code;
  c.outside.outside = convolve_border (a);
  c.outside.value = a->value;
  for (int axis = 0; axis < 3; axis++)
    c.outside.start[axis] = axis || a->volume ? convolve_start (a, c.kernel.n[axis]) : 0;
  return with_type (type, [&] (auto zero) {
    using In = decltype (zero);
    using T = std::conditional_t<sizeof (In) == 8 || (sizeof (In) == 4 && In (0.5) == 0), double, float>;
    return call->outputs[0]->grid->type == type ? run_all<In, In, T> (&c) : run_all<In, T, T> (&c);
  });
}
