/* SPDX-License-Identifier: MIT
 *
 * convolve on the GPU: directly, axis after axis, or by cuFFT; see convolve_sums.cuh and convolve_fft.cuh. Where there is no cuFFT,
 * directly. A kernel that is an image is read back, for its numbers decide what is done; kernels on the GPU wait for each other only
 * by the order of the stream.
 */
#include "kernels/filters/convolve_fft.cuh"

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
  job.across = (int32_t) blocks_for (out.columns, COLUMNS);
  job.down = (int32_t) blocks_for (out.rows, ROWS);
  job.only = only;
  return done (c, launch (sum_windows<In, Out, T>, out.planes * job.down * job.across, THREADS, 0, c->call, job));
}

template <typename In, typename Out, typename T>
static fv_status
run_directly (const convolution *c, view<const In> in, view<Out> out, const marks &only)
{
  const int64_t *n = c->kernel.n;
  T *weights;
  if (upload (c, c->kernel.w, n[0] * n[1] * n[2], &weights))
    return c->error->code;
  return run_sums (c, in, out, c->outside, weights, n, only);
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

/* ---- By cuFFT ---- */

template <typename T> struct spectrum {
  plans *plan;
  tiles all;
  T *numbers;
  complex_number<T> *there, *back, *kernel;
  int *marked;
};

template <typename T>
static fv_status
transform (const convolution *c, const spectrum<T> &, int plan, bool forward, void *from, void *to)
{
  const cufft *fft = find_cufft ();
  auto run = sizeof (T) == 8 ? (forward ? fft->exec_d2z : fft->exec_z2d) : (forward ? fft->exec_r2c : fft->exec_c2r);
  return cufft_status (run (plan, from, to), c->error);
}

/* Memory for all, and the plans told where to work. */
template <typename T>
static fv_status
make_spectrum (const convolution *c, spectrum<T> *s)
{
  const cufft *fft = find_cufft ();
  const tiles &t = s->all;
  const size_t real = (size_t) (t.rows * t.columns), half = (size_t) (t.rows * t.half ()),
               depth = (size_t) c->kernel.n[0];
  const size_t planes = (size_t) (t.each * t.planes), results = (size_t) (t.each * t.deep);
  char *work;
  if (cuda_scratch (c->call, real * (planes > depth ? planes : depth), &s->numbers, c->error)
      || cuda_scratch (c->call, half * planes, &s->there, c->error)
      || cuda_scratch (c->call, half * depth, &s->kernel, c->error)
      || cuda_scratch (c->call, (size_t) t.count, &s->marked, c->error)
      || cuda_scratch (c->call, s->plan->bytes, &work, c->error))
    return c->error->code;
  s->back = s->there;
  if (depth > 1 && cuda_scratch (c->call, half * results, &s->back, c->error))
    return c->error->code;
  const int all[] = {s->plan->there, s->plan->back, s->plan->kernel};
  int code = 0;
  for (int plan : all)
    code = code ? code : fft->set_stream (plan, c->call->stream) ? 1 : fft->set_work_area (plan, work);
  return cufft_status (code, c->error);
}

template <typename T>
static fv_status
transform_kernel (const convolution *c, const spectrum<T> &s)
{
  const tiles &t = s.all;
  const int64_t *n = c->kernel.n, values = n[0] * n[1] * n[2];
  place_job<T> job = {NULL, {n[0], n[1], n[2]}, t, s.numbers};
  T *weights;
  if (upload (c, c->kernel.w, values, &weights)
      || cuda_status (
        cudaMemsetAsync (s.numbers, 0, (size_t) (n[0] * t.rows * t.columns) * sizeof (T), cuda_stream (c->call)),
        "convolve", c->error)
      || cuda_status (cudaMemsetAsync (s.marked, 0, (size_t) t.count * sizeof (int), cuda_stream (c->call)), "convolve",
                      c->error))
    return c->error->code;
  job.weights = weights;
  if (done (c, launch (place_kernel<T>, blocks_for (values, PIXELS), PIXELS, 0, c->call, job)))
    return c->error->code;
  return transform (c, s, s.plan->kernel, true, s.numbers, s.kernel);
}

/* Starts `kernel` (job) on a grid of three dimensions. */
template <typename Job>
static fv_status
launch_grid (const convolution *c, void (*kernel) (Job), int64_t x, int64_t y, int64_t z, const Job &job)
{
  void *args[1] = {(void *) &job};
  return done (c, cudaLaunchKernel ((const void *) kernel, dim3 ((unsigned) x, (unsigned) y, (unsigned) z),
                                    dim3 ((unsigned) PIXELS), args, 0, cuda_stream (c->call)));
}

/* What sums of a spectrum can be made of without leaving the range of T. */
template <typename T>
static T
most_of (const convolution *c, const tiles &t)
{
  const int64_t *n = c->kernel.n;
  double sum = 1;
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    sum += fabs (c->kernel.w[i]);
  return (T) ((sizeof (T) == 4 ? FLT_MAX : DBL_MAX) / (8 * (double) (t.rows * t.columns) * sum));
}

/* Tiles from `first` on. */
template <typename In, typename Out, typename T>
static fv_status
run_tiles (const convolution *c, const spectrum<T> &s, view<const In> in, view<Out> out, int64_t first)
{
  const tiles &t = s.all;
  const int64_t depth = c->kernel.n[0], numbers = t.rows * t.half ();
  const fill_job<In, T> fill = {in, c->outside, t, first, s.numbers, most_of<T> (c, t), s.marked};
  const multiply_job<T> product = {s.there, s.kernel, s.back, numbers, depth, t.planes, t.deep};
  const take_job<Out, T> take = {s.numbers, t, first, out, s.marked};
  if (launch_grid (c, fill_tiles<In, T>, blocks_for (t.columns, PIXELS), t.rows, t.each * t.planes, fill)
      || transform (c, s, s.plan->there, true, s.numbers, s.there)
      || launch_grid (c, multiply_spectra<T>, blocks_for (numbers, PIXELS), t.each * t.deep, 1, product)
      || transform (c, s, s.plan->back, false, s.back, s.numbers))
    return c->error->code;
  return launch_grid (c, take_tiles<Out, T>, blocks_for (t.wide, PIXELS), t.high, t.each * t.deep, take);
}

template <typename In, typename Out, typename T>
static fv_status
run_spectrum (const convolution *c, spectrum<T> *s, view<const In> in, view<Out> out)
{
  const tiles &t = s->all;
  if (make_spectrum (c, s) || transform_kernel (c, *s))
    return c->error->code;
  for (int64_t first = 0; first < t.count; first += t.each)
    if (run_tiles (c, *s, in, out, first))
      return c->error->code;
  return run_directly<In, Out, T> (c, in, out, {s->marked, t.deep, t.high, t.wide, t.down, t.across});
}

template <typename In, typename Out, typename T>
static fv_status
run_by_fft (const convolution *c, const tiles &t, view<const In> in, view<Out> out)
{
  const char *key = sizeof (T) == 4 ? "convolve f32" : "convolve f64";
  spectrum<T> s = {NULL, t};
  if (take_plans<T> (c->call, key, t, c->kernel.n[0], &s.plan, c->error))
    return c->error->code;
  fv_status status = run_spectrum (c, &s, in, out);
  c->call->host->leave_state (c->call, key, s.plan, free_plans);
  return status;
}

/* ---- Choosing ---- */

enum way { DIRECTLY, BY_AXES, BY_FFT };

/* By picoseconds for an output pixel, as an H200 takes them; each launch costs all pixels together LAUNCH of them. */
template <typename T>
static way
choose_way (const convolution *c, const tiles &t, const int64_t out[3])
{
  const int64_t *n = c->kernel.n;
  const double pixels = (double) out[0] * (double) out[1] * (double) out[2], launch = 5e6 / pixels;
  const double product = sizeof (T) == 4 ? 0.1 : 0.16, number = 4.0 * sizeof (T);
  const double read = (double) (t.count * t.planes * t.rows * t.columns) / pixels;
  const double direct = (double) (n[0] * n[1] * n[2]) * product + number / 4 + launch;
  const double axes = (double) (n[0] + n[1] + n[2]) * 3 * product + number + 3 * launch;
  const double fft = number * (read + 0.3 * (double) n[0] + 0.5) + 10 * launch;
  const double least = c->kernel.separable && axes < direct ? axes : direct;
  if (fft < least && t.rows < 65536 && t.planes < 65536) {
    if (find_cufft ())
      return BY_FFT;
    c->call->host->log (c->call,
                        "convolve: cuFFT is not installed, without which a kernel as large as this takes longer.");
  }
  return least < direct ? BY_AXES : DIRECTLY;
}

template <typename In, typename Out, typename T>
static fv_status
run_all (const convolution *c)
{
  const view<const In> in = view_of<const In> (c->call->inputs[0]);
  const view<Out> out = view_of<Out> (c->call->outputs[0]);
  const int64_t size[3] = {out.planes, out.rows, out.columns};
  const tiles t = choose_tiles (size, c->kernel.n);
  switch (choose_way<T> (c, t, size)) {
  case BY_FFT: return run_by_fft<In, Out, T> (c, t, in, out);
  case BY_AXES: return run_by_axes<In, Out, T> (c, in, out);
  default: return run_directly<In, Out, T> (c, in, out, {});
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
