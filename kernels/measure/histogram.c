/* SPDX-License-Identifier: MIT
 *
 * histogram: a pass for the ends, where one is not given, and one that counts, by strips of lines that have counts of their own.
 */
#include "kernels/measure/histogram.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"

enum { CHUNK = 1024, STRIPS = 16 };

static fv_status
histogram_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const histogram_args *a = args;
  (void) op, (void) out;
  if (!(a->low < a->high))
    return fail (error, FV_BAD_ARGUMENT, "high",
                 "The histogram would end at %g, where it begins at %g; it must end above.", a->high, a->low);
  return check_alike (in[HISTOGRAM_MASK], "mask", in[HISTOGRAM_IMAGE], "the image", ALIKE_OR_ONE, error);
}

/* ---- A channel ---- */

typedef struct histogram_work {
  masked_stack stack;
  int64_t rows, columns;
  histogram_range range; /* of the channel */
  uint64_t *parts;       /* [STRIPS][bins] */
  progress *progress;
} histogram_work;

typedef struct ends {
  double low, high;
} ends;

VECTORISED static void
add_ends (const double *v, int64_t n, ends *to)
{
  double low = to->low, high = to->high;
#pragma omp simd reduction(min : low) reduction(max : high)
  for (int64_t i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  to->low = low;
  to->high = high;
}

VECTORISED static void
find_bins (const histogram_range *range, const double *v, int64_t n, int64_t *bin)
{
  const histogram_range r = *range;
  for (int64_t i = 0; i < n; i++)
    bin[i] = histogram_bin (&r, v[i]);
}

/* Of one strip of the channel either the ends or, where there are counts, these. */
static void
go_over_strip (const histogram_work *w, int64_t channel, int64_t strip, ends *e, uint64_t *counts)
{
  const int64_t lines = w->stack.depth * w->rows;
  double v[CHUNK];
  int64_t bin[CHUNK];
  for (int64_t line = lines * strip / STRIPS; line < lines * (strip + 1) / STRIPS; line++) {
    for (int64_t x = 0; x < w->columns && !progress_stopped (w->progress); x += CHUNK) {
      const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
      masked_read (&w->stack, channel * w->stack.depth + line / w->rows, line % w->rows, x, n, v);
      if (!counts) {
        add_ends (v, n, e);
        continue;
      }
      find_bins (&w->range, v, n, bin);
      for (int64_t i = 0; i < n; i++)
        if (bin[i] >= 0)
          counts[bin[i]]++;
    }
    progress_step (w->progress, 1);
  }
}

static histogram_work
work_of (const fv_array *image, const fv_array *mask, progress *p)
{
  return (histogram_work){.stack = masked_stack_of (image, mask),
                          .rows = array_rows (image),
                          .columns = array_columns (image),
                          .progress = p};
}

histogram_range
histogram_find_range (const fv_array *image, const fv_array *mask, const histogram_args *args, int64_t channel,
                      progress *p)
{
  const histogram_work w = work_of (image, mask, p);
  ends parts[STRIPS], all = {INFINITY, -INFINITY};
  if (!isfinite (args->low) || !isfinite (args->high)) {
#pragma omp parallel for schedule(dynamic)
    for (int64_t s = 0; s < STRIPS; s++) {
      parts[s] = (ends){INFINITY, -INFINITY};
      go_over_strip (&w, channel, s, &parts[s], NULL);
    }
    for (int64_t s = 0; s < STRIPS; s++)
      all = (ends){fmin (all.low, parts[s].low), fmax (all.high, parts[s].high)};
  }
  return histogram_range_of (args, all.low, all.high);
}

static void
count (const histogram_work *w, int64_t channel, uint64_t *to)
{
  const int64_t bins = w->range.bins;
  memset (w->parts, 0, (size_t) (STRIPS * bins) * sizeof *w->parts);
#pragma omp parallel for schedule(dynamic)
  for (int64_t s = 0; s < STRIPS; s++)
    go_over_strip (w, channel, s, NULL, w->parts + s * bins);
  memset (to, 0, (size_t) bins * sizeof *to);
  for (int64_t i = 0; i < STRIPS * bins; i++)
    to[i % bins] += w->parts[i];
}

static fv_status
histogram_cpu (const fv_call *call, fv_error *error)
{
  const histogram_args *a = call->args;
  const fv_array *image = call->inputs[HISTOGRAM_IMAGE];
  const fv_array *mask = call->inputs[HISTOGRAM_MASK];
  const int64_t channels = image->grid->channels, bins = a->bins;
  progress p = {call, .total = 2 * array_planes (image) * array_rows (image)};
  histogram_work w = work_of (image, mask, &p);
  histogram_range *ranges;
  void *memory;
  fv_status status = call->host->scratch (
    call, (size_t) channels * sizeof *ranges + (size_t) ((STRIPS + channels) * bins) * sizeof (uint64_t), &memory,
    error);
  if (status)
    return status;
  ranges = memory;
  w.parts = (uint64_t *) (ranges + channels);
  uint64_t *counts = w.parts + STRIPS * bins;
  for (int64_t channel = 0; channel < channels && !p.stop; channel++) {
    ranges[channel] = w.range = histogram_find_range (image, mask, a, channel, &p);
    count (&w, channel, counts + channel * bins);
  }
  return p.stop ? cancelled (error) : histogram_table (call, ranges, counts, error);
}

/* ---- The table ---- */

fv_status
histogram_table (const fv_call *call, const histogram_range *ranges, const uint64_t *counts, fv_error *error)
{
  const char *unit = call->inputs[HISTOGRAM_IMAGE]->grid->value_unit;
  const fv_column columns[] = {
    {"channel", "", "The channel, counted from 1.", FV_COLUMN_INTEGER},
    {"from", unit, "Where the bin begins.", FV_COLUMN_FLOAT},
    {"to", unit, "Where it ends; this value is in the next one, and in the last bin in this.", FV_COLUMN_FLOAT},
    {"pixels", "", "How many pixels are in the bin.", FV_COLUMN_INTEGER},
  };
  const histogram_args *a = call->args;
  const int64_t channels = call->inputs[HISTOGRAM_IMAGE]->grid->channels, rows = channels * a->bins;
  const uint32_t skipped = channels == 1;
  double *v;
  fv_status status = call->host->table (call, columns + skipped, 4 - skipped, sizeof *columns, rows, &v, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    const histogram_range *r = &ranges[i / a->bins];
    const int64_t bin = i % a->bins, column = skipped ? 0 : rows;
    if (!skipped)
      v[i] = (double) (i / a->bins + 1);
    v[column + i] = histogram_edge (r, bin);
    v[column + rows + i] = bin + 1 < r->bins ? histogram_edge (r, bin + 1) : r->high;
    v[column + 2 * rows + i] = (double) counts[i];
  }
  return status;
}

/* ---- The operation ---- */

static double
histogram_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return 20;
}

const fv_op fv_op_histogram = {
  FV_OP (histogram_args),
  .key = "histogram",
  .menu = "Analyze",
  .label = "Histogram...",
  .search = "distribution bins values grey levels frequency",
  .columns = (const fv_column_name[]){{"channel", "Ch"}, {0}},
  .help = "Counts the pixels by their values, in bins of equal width, for each channel.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image; NaN and infinities are left out.",
                                FV_ANY_TYPE | FV_WANTS_CALIBRATED, false},
                               {"mask", "Mask", "The pixels that count; none: all.", FV_U8 | FV_WANTS_MASK, true},
                               {0}},
  .params =
    (const fv_param[]){{FV_FIELD (histogram_args, bins), .label = "Bins", .def = 256, .min = 1, .max = 65536,
                        .soft_min = 1, .soft_max = 1024, .help = "Number of bins."},
                       {FV_FIELD (histogram_args, low), .label = "From", .def = -INFINITY, .min = -INFINITY,
                        .max = INFINITY, .open = true,
                        .help = "Where the first bin begins; empty: at the smallest value."},
                       {FV_FIELD (histogram_args, high), .label = "To", .def = INFINITY, .min = -INFINITY,
                        .max = INFINITY, .open = true, .help = "Where the last bin ends; empty: at the largest value."},
                       {0}},
  .grain = grain_frame,
  .infer = histogram_infer,
  .arithmetic = histogram_arithmetic,
  .run = {[FV_CPU] = histogram_cpu, [FV_CUDA] = FV_CUDA_FN (histogram_cuda)},
};
