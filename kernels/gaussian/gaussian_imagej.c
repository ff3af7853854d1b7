/* SPDX-License-Identifier: MIT
 *
 * gaussian with method=imagej on the CPU: the tables, and lines beside each other, which a thread takes together.
 */
#include "kernels/gaussian/gaussian_imagej.h"

#include "kernels/common/defined.h"
#include "kernels/common/row.h"

/* ---- Tables ---- */

static double
accuracy_of (const gaussian_args *a, const fv_grid *in)
{
  return a->accuracy > 0 ? a->accuracy : in->type == FV_U8 ? 0.002 : 0.0002;
}

/* Of the line that is convolved. */
static double
small_sigma (const gaussian_imagej_axis *axis, const gaussian_args *a, const fv_grid *in, int number)
{
  const double sigma = gaussian_sigma (a, in, number), s = (double) axis->shrink;
  return axis->shrinks ? sqrt (sigma * sigma / (s * s) - 1. / 3. - 1. / 4.) : sigma;
}

/* More taps than that are not made. */
static int64_t
most_taps (const gaussian_imagej_axis *a)
{
  return a->small < 50 ? 50 : a->small;
}

gaussian_imagej_axis
gaussian_imagej_axis_of (const gaussian_args *a, const fv_grid *in, int number)
{
  const double sigma = gaussian_sigma (a, in, number);
  gaussian_imagej_axis axis = {.n = in->shape[number], .shrink = 1};
  if (!(sigma > 0))
    return axis;
  axis.shrinks = sigma > 8.5;
  if (axis.shrinks)
    axis.shrink = sigma / 4 < (double) axis.n ? (int64_t) (sigma / 4) : axis.n;
  axis.small = axis.shrinks ? (axis.n + axis.shrink - 1) / axis.shrink + 2 * GAUSSIAN_IMAGEJ_MARGIN : axis.n;
  const double reach = small_sigma (&axis, a, in, number) * sqrt (-2 * defined_log (accuracy_of (a, in)));
  const double most = (double) most_taps (&axis), radius = ceil (reach) + 1;
  axis.radius = (int64_t) (radius < most ? radius : most);
  return axis;
}

/* The last taps become a parabola that is 0 behind them. */
static void
end_taps (float *taps, int64_t radius)
{
  double slope = INFINITY;
  int64_t at = radius;
  while (at > radius / 2) {
    at--;
    const double own = sqrt (taps[at]) / (double) (radius - at);
    if (!(own < slope))
      break;
    slope = own;
  }
  for (int64_t k = at + 2; k < radius; k++)
    taps[k] = (float) ((double) ((radius - k) * (radius - k)) * slope * slope);
}

static void
fill_taps (const gaussian_imagej_axis *a, double sigma)
{
  const bool whole = a->radius < most_taps (a);
  for (int64_t k = 0; k < a->radius; k++)
    a->taps[k] = (float) defined_exp (-0.5 * (double) k * (double) k / sigma / sigma);
  if (whole && a->radius > 3)
    end_taps (a->taps, a->radius);
  double sum = whole ? a->taps[0] : sigma * sqrt (2 * DEFINED_PI);
  for (int64_t k = 1; k < a->radius && whole; k++)
    sum += 2 * a->taps[k];
  double rest = 0.5 + 0.5 * a->taps[0] / sum;
  for (int64_t k = 0; k < a->radius; k++) {
    const double tap = a->taps[k] / sum;
    a->taps[k] = (float) tap;
    rest -= tap;
    a->rest[k] = (float) rest;
  }
}

static void
fill_scales (const gaussian_imagej_axis *a)
{
  const int64_t s = a->shrink, middle = s * 3 / 2;
  memset (a->down, 0, (size_t) (7 * s) * sizeof (float));
  for (int64_t i = 0; i < (s * 3 + 1) / 2; i++) {
    const double x = (double) i / (double) s;
    const double v = i <= s / 2 ? (0.75 - x * x) / (double) s : (0.125 + 0.5 * (x - 1) * (x - 2)) / (double) s;
    a->down[middle - i] = a->down[middle + i] = (float) v;
  }
  for (int64_t i = 0; i < 2 * s; i++) {
    const double x = (double) i / (double) s;
    const double v = i < s ? 2. / 3. - x * x * (1 - 0.5 * x) : (2 - x) * (2 - x) * (2 - x) / 6;
    a->enlarge[2 * s - i] = a->enlarge[2 * s + i] = (float) v;
  }
}

void
gaussian_imagej_fill (const gaussian_imagej_axis *axis, const gaussian_args *a, const fv_grid *in, int number)
{
  if (!axis->radius)
    return;
  fill_taps (axis, small_sigma (axis, a, in, number));
  if (axis->shrinks)
    fill_scales (axis);
}

/* ---- Lines ---- */

enum { LANES = 16 };

typedef struct gaussian_job {
  const fv_call *call;
  progress progress;
  gaussian_imagej_axis axes[3];
  float *plane;    /* [rows][columns] */
  float *lines;    /* of each thread: the lines, and what is made of them on the way, number by number */
  int64_t longest; /* numbers of a line, or of a shrunk one */
} gaussian_job;

static int64_t
blocks_of (int64_t lines)
{
  return (lines + LANES - 1) / LANES;
}

/* What NUMBER (line, i) is of LANES lines beside each other. */
#define DEFINE_LINES(NAME, NUMBER)                                                                                     \
  VECTORISED static void NAME (const gaussian_imagej_axis *a, float *to, const float *from, int64_t n)                 \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      for (int lane = 0; lane < LANES; lane++)                                                                         \
        to[i * LANES + lane] = NUMBER (a, from + lane, LANES, i);                                                      \
  }
DEFINE_LINES (convolve_lines, gaussian_imagej_sum)
DEFINE_LINES (shrink_lines, gaussian_imagej_shrunk)
DEFINE_LINES (enlarge_lines, gaussian_imagej_enlarged)

/* Lines from number `first` on, of the plane, along the axis. */
static void
blur_lines (const gaussian_job *j, int number, int64_t first)
{
  const gaussian_imagej_axis *a = &j->axes[number];
  const int64_t columns = array_columns (j->call->inputs[0]),
                lines = number == 2 ? array_rows (j->call->inputs[0]) : columns;
  const int64_t n = lines - first < LANES ? lines - first : LANES, along = number == 2 ? 1 : columns,
                across = number == 2 ? columns : 1;
  float *one = j->lines + thread_index () * 2 * LANES * j->longest, *other = one + LANES * j->longest;
  float *from = j->plane + first * across;
  for (int64_t i = 0; i < a->n; i++)
    for (int64_t lane = 0; lane < LANES; lane++)
      one[i * LANES + lane] = lane < n ? from[i * along + lane * across] : 0;
  if (a->shrinks) {
    shrink_lines (a, other, one, a->small);
    convolve_lines (a, one, other, a->small);
    enlarge_lines (a, other, one, a->n);
  } else
    convolve_lines (a, other, one, a->n);
  for (int64_t i = 0; i < a->n; i++)
    for (int64_t lane = 0; lane < n; lane++)
      from[i * along + lane * across] = other[i * LANES + lane];
}

static void
blur_along (gaussian_job *j, int number)
{
  const fv_array *in = j->call->inputs[0];
  const int64_t lines = number == 2 ? array_rows (in) : array_columns (in);
  if (!j->axes[number].radius)
    return;
  progress_step (&j->progress, 0); /* other threads may take all lines */
#pragma omp parallel for schedule(dynamic)
  for (int64_t first = 0; first < lines; first += LANES) {
    if (progress_stopped (&j->progress))
      continue;
    blur_lines (j, number, first);
    progress_step (&j->progress, 1);
  }
}

/* Row y of the plane as pixels of the output. */
static void
write_row (const fv_array *out, int64_t z, int64_t y, float *row)
{
  const fv_type type = out->grid->type;
  const float most = type == FV_U8 ? 255 : 65535;
  for (int64_t x = 0; x < array_columns (out) && (type == FV_U8 || type == FV_U16); x++)
    row[x] = gaussian_imagej_rounded (row[x], most);
  row_from_f32 (array_row (out, z, y), type, row, array_columns (out));
}

static void
blur_plane (gaussian_job *j, int64_t z)
{
  const fv_array *in = j->call->inputs[0], *out = j->call->outputs[0];
  const int64_t rows = array_rows (in), n = array_columns (in);
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < rows; y++)
    row_to_f32 (j->plane + y * n, array_row (in, z, y), in->grid->type, n);
  blur_along (j, 2);
  blur_along (j, 1);
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < rows; y++)
    write_row (out, z, y, j->plane + y * n);
}

static int64_t
longest (const gaussian_imagej_axis *axes)
{
  int64_t most = 0;
  for (int i = 1; i < 3; i++) {
    most = axes[i].n > most ? axes[i].n : most;
    most = axes[i].small > most ? axes[i].small : most;
  }
  return most;
}

fv_status
gaussian_imagej_cpu (const fv_call *call, fv_error *error)
{
  const gaussian_args *a = call->args;
  const fv_grid *in = call->inputs[0]->grid;
  const int64_t planes = array_planes (call->inputs[0]), rows = array_rows (call->inputs[0]),
                columns = array_columns (call->inputs[0]);
  gaussian_job j = {call, .progress = {call, .total = planes * (blocks_of (rows) + blocks_of (columns))}};
  for (int i = 1; i < 3; i++) {
    void *tables;
    j.axes[i] = gaussian_imagej_axis_of (a, in, i);
    if (call->host->scratch (call, (size_t) gaussian_imagej_tables (&j.axes[i]) * sizeof (float), &tables, error))
      return error->code;
    gaussian_imagej_lay_out (&j.axes[i], tables);
    gaussian_imagej_fill (&j.axes[i], a, in, i);
  }
  j.longest = longest (j.axes);
  void *plane, *lines;
  if (call->host->scratch (call, (size_t) (rows * columns) * sizeof (float), &plane, error)
      || call->host->scratch (call, (size_t) (threads_at_most () * 2 * LANES * j.longest) * sizeof (float), &lines,
                              error))
    return error->code;
  j.plane = plane;
  j.lines = lines;
  for (int64_t z = 0; z < planes; z++)
    blur_plane (&j, z);
  return j.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

int64_t
gaussian_imagej_scratch (const gaussian_args *a, const fv_grid *in)
{
  (void) a;
  return in->shape[1] * in->shape[2] * (int64_t) sizeof (float);
}

double
gaussian_imagej_arithmetic (const gaussian_args *a, const fv_grid *in)
{
  double products = 0;
  for (int i = 1; i < 3; i++) {
    const gaussian_imagej_axis axis = gaussian_imagej_axis_of (a, in, i);
    products += axis.shrink > 1 ? 8 + (double) axis.radius / (double) axis.shrink : (double) axis.radius;
  }
  return products;
}
