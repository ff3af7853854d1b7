/* SPDX-License-Identifier: MIT
 *
 * sources: strips of rows are filtered and compared with the threshold, which makes a mask; the operation label makes labels of
 * it; each object's runs are measured on their own.
 */
#include "kernels/sky/sources.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/scratch_image.h"
#include "kernels/label/label.h"
#include "kernels/sky/sigma_clip.h"

extern const fv_op fv_op_label;

enum { STRIP = 32 };

/* ---- Arguments ---- */

void
sources_weights_of (const sources_args *a, sources_weights *w)
{
  static const fv_matrix pyramid = {1, 3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}}, none = {1, 1, 1, {1}};
  const fv_matrix *m = a->filter == SOURCES_PYRAMID ? &pyramid : a->filter == SOURCES_NONE ? &none : &a->matrix;
  double sum = 0;
  w->rows = m->rows;
  w->columns = m->columns;
  for (int i = 0; i < m->rows * m->columns; i++)
    sum += fabs (m->v[i]);
  for (int i = 0; i < m->rows * m->columns; i++)
    w->v[i] = m->v[i] / sum;
}

source_needs
sources_needs_of (const sources_args *a)
{
  source_needs needs = {.kron_factor = a->kron_factor, .kron_least = a->kron_least, .apertures = a->apertures.columns};
  memcpy (needs.radius, a->apertures.v, (size_t) needs.apertures * sizeof (double));
  return needs;
}

source_image
sources_plane (const fv_call *call, const sources_weights *w, int64_t z, const double *sigma, const double *weights)
{
  const fv_array *in = call->inputs[SOURCES_IMAGE], *rms = call->inputs[SOURCES_RMS],
                 *mask = call->inputs[SOURCES_MASK];
  source_image m = {.pixels = array_row (in, z, 0),
                    .type = in->grid->type,
                    .stride = in->tensor.strides[1],
                    .rows = array_rows (in),
                    .columns = array_columns (in),
                    .sigma = sigma,
                    .weights = weights,
                    .filter_rows = w->rows,
                    .filter_columns = w->columns};
  if (rms) {
    m.rms = array_row (rms, array_planes (rms) == 1 ? 0 : z, 0);
    m.rms_type = rms->grid->type;
    m.rms_stride = rms->tensor.strides[1];
  }
  if (mask) {
    m.mask = array_row (mask, array_planes (mask) == 1 ? 0 : z, 0);
    m.mask_stride = mask->tensor.strides[1];
  }
  return m;
}

/* ---- Detection ---- */

/* Hidden pixels become 0. */
VECTORISED static void
hide (double *v, const uint8_t *mask, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    v[x] = fabs (v[x]) <= DBL_MAX ? v[x] : 0;
  for (int64_t x = 0; mask && x < n; x++)
    v[x] = mask[x] ? 0 : v[x];
}

VECTORISED static void
add_weighted (double *to, const double *from, double weight, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = to[x] + weight * from[x];
}

VECTORISED static void
compare_row (uint8_t *to, const double *v, const double *sigma, double fixed, double threshold, int64_t n)
{
  if (sigma)
    for (int64_t x = 0; x < n; x++)
      to[x] = v[x] > threshold * sigma[x] ? 255 : 0;
  else
    for (int64_t x = 0; x < n; x++)
      to[x] = v[x] > threshold * fixed ? 255 : 0;
}

/* For a matched filter: v becomes v * certainty, and sigma becomes certainty. */
VECTORISED static void
make_certain (double *v, double *sigma, const uint8_t *mask, int64_t n)
{
  for (int64_t x = 0; x < n; x++) {
    const bool there = fabs (v[x]) <= DBL_MAX && !(mask && mask[x]);
    const double is = there ? v[x] : 0;
    sigma[x] = source_certainty (there, sigma[x]);
    v[x] = is * sigma[x];
  }
}

VECTORISED static void
compare_matched (uint8_t *to, const double *signal, const double *noise, double threshold, int64_t n)
{
  for (int64_t x = 0; x < n; x++)
    to[x] = signal[x] > threshold * sqrt (noise[x]) ? 255 : 0;
}

/* Buffers of a thread. Rows are those of the strip and around it, with columns around them. */
typedef struct strip {
  double *rows, *certain;   /* certain: of a matched filter */
  double *filtered, *sigma; /* a row */
} strip;

static int64_t
strip_numbers (int rows, int columns, int64_t n, bool matched)
{
  return (STRIP + rows - 1) * (n + columns - 1) * (matched ? 2 : 1) + 2 * n;
}

static strip
strip_of (const source_image *m, bool matched, double *buffers)
{
  const int64_t numbers = (STRIP + m->filter_rows - 1) * (m->columns + m->filter_columns - 1);
  strip s = {.rows = buffers, .certain = matched ? buffers + numbers : NULL};
  s.filtered = buffers + (matched ? 2 : 1) * numbers;
  s.sigma = s.filtered + m->columns;
  return s;
}

static void
read_sigma (const source_image *m, int64_t y, double *to)
{
  if (m->rms)
    row_to_f64 (to, (const char *) m->rms + (size_t) (y * m->rms_stride) * type_bytes (m->rms_type), m->rms_type,
                m->columns);
  for (int64_t x = 0; !m->rms && x < m->columns; x++)
    to[x] = *m->sigma;
}

static void
read_strip (const source_image *m, int64_t y0, const strip *s)
{
  const int64_t width = m->columns + m->filter_columns - 1, left = m->filter_columns / 2;
  const size_t numbers = (size_t) (STRIP + m->filter_rows - 1) * (size_t) width;
  memset (s->rows, 0, (s->certain ? 2 : 1) * numbers * sizeof *s->rows);
  for (int64_t j = 0; j < STRIP + m->filter_rows - 1; j++) {
    const int64_t y = y0 + j - m->filter_rows / 2, at = j * width + left;
    if (y < 0 || y >= m->rows)
      continue;
    const uint8_t *mask = m->mask ? m->mask + y * m->mask_stride : NULL;
    row_to_f64 (s->rows + at, (const char *) m->pixels + (size_t) (y * m->stride) * type_bytes (m->type), m->type,
                m->columns);
    if (s->certain) {
      read_sigma (m, y, s->certain + at);
      make_certain (s->rows + at, s->certain + at, mask, m->columns);
    } else
      hide (s->rows + at, mask, m->columns);
  }
}

/* The sum of weighted rows from the j-th on; squared: of certainties with squared weights. */
static void
filter_row (const source_image *m, const double *rows, int64_t j, bool squared, double *to)
{
  const int64_t width = m->columns + m->filter_columns - 1;
  memset (to, 0, (size_t) m->columns * sizeof *to);
  for (int k = 0; k < m->filter_rows; k++)
    for (int i = 0; i < m->filter_columns; i++) {
      const double weight = m->weights[k * m->filter_columns + i];
      add_weighted (to, rows + (j + k) * width + i, squared ? weight * weight : weight, m->columns);
    }
}

/* Rows from y0 on; buffers: strip_numbers(). */
static void
detect_strip (const source_image *m, bool matched, double threshold, int64_t y0, double *buffers, uint8_t *to)
{
  const strip s = strip_of (m, matched, buffers);
  read_strip (m, y0, &s);
  for (int64_t y = y0; y < y0 + STRIP && y < m->rows; y++) {
    filter_row (m, s.rows, y - y0, false, s.filtered);
    if (matched) {
      filter_row (m, s.certain, y - y0, true, s.sigma);
      compare_matched (to + y * m->columns, s.filtered, s.sigma, threshold, m->columns);
      continue;
    }
    if (m->rms)
      read_sigma (m, y, s.sigma);
    compare_row (to + y * m->columns, s.filtered, m->rms ? s.sigma : NULL, m->rms ? 0 : *m->sigma, threshold,
                 m->columns);
  }
}

fv_status
sources_label (const fv_call *call, fv_device_kind kind, void *detected, double *counts, fv_error *error)
{
  const sources_args *a = call->args;
  const fv_array *out = call->outputs[0];
  const label_args args = {.connectivity = LABEL_8, .min_size = a->min_area};
  scratch_image mask;
  scratch_image_like (&mask, out, FV_U8, FV_MASK, detected);
  return run_inner (call, kind, &fv_op_label, &args, (const fv_array *[]){&mask.array}, call->outputs, counts, error);
}

/* ---- The table ---- */

fv_status
sources_table (const fv_call *call, int64_t rows, double **values, fv_error *error)
{
  static const fv_column columns[] = {
    {"z", "", "The slice that the source is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The source's number in the label image.", FV_COLUMN_INTEGER},
    {"x", FV_PIXELS, "Column of the flux-weighted position in the filtered image; the first pixel's center is at 0.",
     FV_COLUMN_FLOAT},
    {"y", FV_PIXELS, "Row of the flux-weighted position.", FV_COLUMN_FLOAT},
    {"flux", "", "Sum of the source's pixels.", FV_COLUMN_FLOAT},
    {"flux_err", "", "Standard deviation of the flux, from that of the background.", FV_COLUMN_FLOAT},
    {"snr", "", "Signal-to-noise ratio: the flux divided by its standard deviation.", FV_COLUMN_FLOAT},
    {"peak", "", "Largest value of the source's pixels.", FV_COLUMN_FLOAT},
    {"area", FV_PIXEL_COUNT, "Number of pixels above the threshold.", FV_COLUMN_INTEGER},
    {"a", FV_PIXELS, "Standard deviation of the source along its long axis.", FV_COLUMN_FLOAT},
    {"b", FV_PIXELS, "Standard deviation of the source along its short axis.", FV_COLUMN_FLOAT},
    {"theta", "rad", "Angle from the x axis to the long axis, toward larger y, from -pi/2 to pi/2.", FV_COLUMN_FLOAT},
    {"kron_radius", "", "Kron's radius, in units of a and b; 0 where the flux is not positive.", FV_COLUMN_FLOAT},
    {"flux_kron", "", "Flux in the ellipse of Kron's radius, or in the smallest circle.", FV_COLUMN_FLOAT},
    {"flux_kron_err", "", "Standard deviation of Kron's flux.", FV_COLUMN_FLOAT},
    {"flags", "",
     "Sum of: 2 at the border of the image, 8 a line of pixels, 16 an aperture over the border, 32 over hidden pixels, "
     "64 over nothing else, 128 no Kron radius.",
     FV_COLUMN_INTEGER},
  };
  enum { FIXED = sizeof columns / sizeof *columns };
  const sources_args *a = call->args;
  const int without = 2 - sources_first_column (call), n = a->apertures.columns;
  fv_column all[FIXED + 2 * SOURCE_APERTURES];
  char keys[2 * SOURCE_APERTURES][32], helps[2 * SOURCE_APERTURES][96];
  memcpy (all, columns, sizeof columns);
  for (int i = 0; i < 2 * n; i++) {
    const bool err = i % 2;
    snprintf (keys[i], sizeof keys[i], "flux_aperture%s-%d", err ? "_err" : "", i / 2);
    snprintf (helps[i], sizeof helps[i], "%s in a circle, number %d of the list of radii.",
              err ? "Standard deviation of the flux" : "Flux", i / 2);
    all[FIXED + i] = (fv_column){keys[i], "", helps[i], FV_COLUMN_FLOAT};
  }
  return call->host->table (call, all + without, (uint32_t) (FIXED + 2 * n - without), sizeof *all, rows, values,
                            error);
}

/* ---- The operation ---- */

typedef struct sources_work {
  const fv_call *call;
  sources_weights weights;
  double *sigma; /* [planes][sigma_step], or one */
  int64_t sigma_step;
  uint8_t *detected; /* like the image */
  double *counts;    /* [planes] */
  double *buffers;
} sources_work;

static source_image
plane_of (const sources_work *w, int64_t z)
{
  return sources_plane (w->call, &w->weights, z, w->sigma + z * w->sigma_step, w->weights.v);
}

static fv_status
find_sigma (sources_work *w, fv_error *error)
{
  static const sigma_clip_args clip = {3, 0};
  const sources_args *a = w->call->args;
  const fv_array *in = w->call->inputs[SOURCES_IMAGE];
  double *results;
  fv_status status = scratch_items (w->call, array_planes (in) * SIGMA_CLIP_RESULTS, sizeof *results, &results, error);
  if (status)
    return status;
  w->sigma = results;
  *results = a->sigma;
  if (a->sigma > 0 || w->call->inputs[SOURCES_RMS])
    return FV_OK;
  w->sigma = results + SIGMA_CLIP_SIGMA;
  w->sigma_step = SIGMA_CLIP_RESULTS;
  return sigma_clip_measure (w->call, in, &clip, results, error);
}

static fv_status
detect (sources_work *w, fv_error *error)
{
  const sources_args *a = w->call->args;
  const fv_array *in = w->call->inputs[SOURCES_IMAGE];
  const int64_t rows = array_rows (in), columns = array_columns (in), strips = (rows + STRIP - 1) / STRIP;
  const bool matched = a->filter_type == SOURCES_MATCHED;
  const int64_t each = strip_numbers (w->weights.rows, w->weights.columns, columns, matched);
  progress p = {w->call, .total = array_planes (in) * strips};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < p.total; i++) {
    const int64_t z = i / strips;
    const source_image m = plane_of (w, z);
    if (progress_stopped (&p))
      continue;
    detect_strip (&m, matched, a->threshold, i % strips * STRIP, w->buffers + thread_index () * each,
                  w->detected + z * rows * columns);
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
measure (const sources_work *w, fv_error *error)
{
  const fv_call *call = w->call;
  const source_needs needs = sources_needs_of (call->args);
  const int first = sources_first_column (call);
  const source_team alone = {0, 1};
  regions found;
  double *values;
  fv_status status = regions_find (call, call->outputs[0], false, &found, error);
  if (!status)
    status = sources_table (call, found.n, &values, error);
  if (status || !found.n)
    return status;
  progress p = {call, .total = found.n};
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 0; i < found.n; i++) {
    const region *o = found.items + i;
    const source_image m = plane_of (w, o->low[0]);
    if (progress_stopped (&p))
      continue;
    values[i] = o->low[0] + 1;
    values[(first - 1) * found.n + i] = o->label;
    source_measure (&m, &needs, o->runs, o->n_runs, alone, values + first * found.n + i, found.n);
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static int64_t
detect_bytes (const sources_args *a, const fv_grid *in)
{
  sources_weights w;
  sources_weights_of (a, &w);
  return in->shape[0] * (in->shape[1] * in->shape[2] + (int64_t) sizeof (double))
         + threads_at_most () * strip_numbers (w.rows, w.columns, in->shape[2], a->filter_type == SOURCES_MATCHED)
             * (int64_t) sizeof (double);
}

static int64_t
sources_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const label_args label = {.connectivity = LABEL_8};
  return detect_bytes (args, in[0]) + fv_op_label.scratch (&fv_op_label, &label, in);
}

static fv_status
sources_cpu (const fv_call *call, fv_error *error)
{
  const sources_args *a = call->args;
  const fv_grid *in = call->inputs[SOURCES_IMAGE]->grid;
  sources_work w = {.call = call};
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) detect_bytes (a, in), &memory, error);
  if (status)
    return status;
  sources_weights_of (a, &w.weights);
  w.counts = memory;
  w.buffers = w.counts + in->shape[0];
  w.detected = (uint8_t *) (w.buffers
                            + threads_at_most ()
                                * strip_numbers (w.weights.rows, w.weights.columns, in->shape[2],
                                                 a->filter_type == SOURCES_MATCHED));
  if ((status = find_sigma (&w, error)) || (status = detect (&w, error))
      || (status = sources_label (call, FV_CPU, w.detected, w.counts, error)))
    return status;
  return measure (&w, error);
}

static fv_status
sources_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const sources_args *a = args;
  double weights = 0;
  (void) op;
  for (int i = 0; i < a->matrix.planes * a->matrix.rows * a->matrix.columns; i++)
    weights += fabs (a->matrix.v[i]);
  if (a->filter == SOURCES_MATRIX && (a->matrix.planes != 1 || !(weights > 0) || !(weights <= DBL_MAX)))
    return fail (error, FV_BAD_ARGUMENT, "matrix",
                 "The filter needs a matrix of one plane that is not 0, such as 1 2 1; 2 4 2; 1 2 1.");
  if (a->apertures.planes > 1 || a->apertures.rows > 1 || a->apertures.columns > SOURCE_APERTURES)
    return fail (error, FV_BAD_ARGUMENT, "apertures", "The radii are a list of at most %d numbers, such as 3, 5, 10.",
                 SOURCE_APERTURES);
  for (int i = 0; i < a->apertures.columns; i++)
    if (!(a->apertures.v[i] > 0 && a->apertures.v[i] <= 10000))
      return fail (error, FV_BAD_ARGUMENT, "apertures", "A radius of %g: radii are above 0 and at most 10000 pixels.",
                   a->apertures.v[i]);
  if (in[0]->channels != 1)
    return fail (error, FV_BAD_INPUT, "image", "The image has %lld channels; take one of them.",
                 (long long) in[0]->channels);
  for (int i = 0; i < 3; i++)
    if (in[0]->shape[i] >= REGIONS_MAX_SIDE)
      return fail (error, FV_BAD_INPUT, "image", "The image has a side of %lld pixels; it must be below %lld.",
                   (long long) in[0]->shape[i], (long long) REGIONS_MAX_SIDE);
  if (check_alike (in[SOURCES_RMS], "rms", in[0], "the image", ALIKE_OR_ONE_PLANE, error)
      || check_alike (in[SOURCES_MASK], "mask", in[0], "the image", ALIKE_OR_ONE_PLANE, error))
    return error->code;
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

static const fv_choice filters[] = {{"pyramid", "Pyramid 3 x 3", "The weights 1 2 1; 2 4 2; 1 2 1."},
                                    {"none", "None", "The image as it is."},
                                    {"matrix", "Matrix", "The weights that are typed."},
                                    {0}};

static const fv_choice filter_types[] = {
  {"convolution", "Convolution", "The filtered pixels, compared with the deviation of the pixel in the middle."},
  {"matched", "Matched",
   "The signal-to-noise ratio of what looks like the filter, from the deviation of each pixel under it."},
  {0}};

const fv_op fv_op_sources = {
  FV_OP (sources_args),
  .key = "sources",
  .menu = "Analyze/Sky",
  .label = "Detect Sources...",
  .search = "stars galaxies sextractor sep photometry astronomy catalog catalogue count detect spots flux magnitude",
  .columns = (const fv_column_name[]){{"area", "Area"}, {0}},
  .help = "Finds stars and galaxies in an image without background and measures them: one row of the table for each.",
  .cite =
    "E. Bertin, S. Arnouts, A&AS 117 (1996) 393; K. Barbary, SEP, JOSS 1 (2016) 58; R. G. Kron, ApJS 43 (1980) 305",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){
      {"image", "Image", "The image, of which the background is subtracted.", FV_ANY_TYPE, false},
      {"rms", "Deviation", "The standard deviation of the background, as background makes it.", FV_ANY_TYPE, true},
      {"mask", "Mask", "Pixels that are hidden.", FV_U8 | FV_WANTS_MASK, true},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Sources"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (sources_args, threshold), .label = "Threshold", .unit = "σ", .def = 1.5, .max = 1e6, .soft_min = 0.5,
       .soft_max = 10, .help = "How many standard deviations above 0 the filtered pixels of a source are."},
      {FV_FIELD (sources_args, sigma), .label = "Sigma", .max = 1e30, .soft_max = 100,
       .help =
         "Standard deviation of the background where no image of it is given; 0 measures it by clipping at 3 sigma."},
      {FV_FIELD (sources_args, min_area), .label = "Smallest area", .unit = FV_PIXEL_COUNT, .def = 5, .min = 1,
       .max = INT32_MAX, .soft_min = 1, .soft_max = 50, .help = "Sources of fewer pixels are dropped."},
      {FV_FIELD (sources_args, filter), .label = "Filter", .choices = filters,
       .help = "What the image is filtered with before it is compared with the threshold."},
      {FV_FIELD (sources_args, matrix), .label = "Weights", .def_text = "1 2 1; 2 4 2; 1 2 1",
       .enabled = "filter=matrix", .help = "Weights of the filter; divided by the sum of their absolute values."},
      {FV_FIELD (sources_args, filter_type), .label = "Filter type", .choices = filter_types,
       .enabled = "filter=pyramid|matrix",
       .help = "Whether the filter is a convolution, or matched to the noise, which finds more where it is uneven."},
      {FV_FIELD (sources_args, apertures), .label = "Radii of apertures", .unit = FV_PIXELS, .def_text = "3",
       .help = "Radii of circles in which fluxes are measured."},
      {FV_FIELD (sources_args, kron_factor), .label = "Kron factor", .advanced = true, .def = 2.5, .min = 0.1,
       .max = 100, .soft_min = 1, .soft_max = 5, .help = "Size of the ellipse of Kron's flux, in Kron radii."},
      {FV_FIELD (sources_args, kron_least), .label = "Smallest Kron radius", .unit = FV_PIXELS, .advanced = true,
       .def = 1.75, .max = 1000, .soft_max = 10,
       .help = "Where Kron's radius times the mean axis is smaller, Kron's flux is that of a circle of this radius."},
      {0}},
  .grain = grain_frame,
  .infer = sources_infer,
  .scratch = sources_scratch,
  .run = {[FV_CPU] = sources_cpu, [FV_CUDA] = FV_CUDA_FN (sources_cuda)},
};
