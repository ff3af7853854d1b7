/* SPDX-License-Identifier: MIT
 *
 * colocalize: each pass goes over bands of lines, which are read as doubles.
 */
#include "kernels/measure/colocalize.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"

enum { CHUNK = 32 * LANES };

/* ---- Arguments ---- */

static int64_t
channel_of (const fv_grid *grid, int32_t index)
{
  return grid->channels == 1 ? 0 : index;
}

colocalize_pair
colocalize_pair_of (const fv_call *call)
{
  const colocalize_args *args = call->args;
  const fv_array *a = call->inputs[COLOCALIZE_IMAGE], *second = call->inputs[COLOCALIZE_SECOND],
                 *b = second ? second : a;
  const int64_t depth = grid_depth (a->grid), channel = channel_of (a->grid, args->channel_a);
  return (colocalize_pair){.a = stack_view_of (a, channel, depth),
                           .b = stack_view_of (b, channel_of (b->grid, args->channel_b), depth),
                           .mask = stack_view_of (call->inputs[COLOCALIZE_MASK], channel, depth),
                           .depth = depth,
                           .rows = array_rows (a),
                           .columns = array_columns (a),
                           .integers = !(a->grid->type & FV_FLOATS)};
}

colocalize_blocks
colocalize_blocks_of (const colocalize_pair *p, const colocalize_args *args)
{
  colocalize_blocks o = {.side = args->block, .seed = (uint32_t) args->seed};
  o.across = p->columns / o.side;
  o.down = p->rows / o.side;
  o.count = o.across * o.down * p->depth;
  while ((int64_t) 1 << 2 * o.bits < o.count)
    o.bits++;
  return o;
}

static fv_status
check_channel (const fv_grid *grid, const char *key, int32_t index, fv_error *error)
{
  if (grid->channels == 1 || index < grid->channels)
    return FV_OK;
  return fail (error, FV_BAD_ARGUMENT, key, "No such channel: the image has %lld.", (long long) grid->channels);
}

static fv_status
colocalize_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const colocalize_args *a = args;
  const fv_grid *image = in[COLOCALIZE_IMAGE], *second = in[COLOCALIZE_SECOND];
  (void) op, (void) out;
  if (!second && image->channels == 1)
    return fail (error, FV_BAD_INPUT, "second", "The image has one channel; give a second image to compare it with.");
  if (check_channel (image, "channel_a", a->channel_a, error)
      || check_channel (second ? second : image, "channel_b", a->channel_b, error))
    return error->code;
  if (check_alike (second, "second", image, "the first image", ALIKE_IN_CHANNEL, error))
    return error->code;
  return check_alike (in[COLOCALIZE_MASK], "mask", image, "the image", ALIKE_OR_ONE, error);
}

/* ---- A chunk ---- */

/* A pair of which one is NaN does not count. */
VECTORISED static void
add_range (const double *a, const double *b, int64_t n, pixel_lanes *to)
{
  double low0 = to->low[0], low1 = to->low[1], high0 = to->high[0], high1 = to->high[1];
#pragma omp simd reduction(min : low0, low1) reduction(max : high0, high1)
  for (int64_t i = 0; i < n; i++) {
    const double x = b[i] == b[i] ? a[i] : NAN, y = a[i] == a[i] ? b[i] : NAN;
    low0 = x < low0 ? x : low0;
    low1 = y < low1 ? y : low1;
    high0 = x > high0 ? x : high0;
    high1 = y > high1 ? y : high1;
  }
  to->low[0] = low0;
  to->low[1] = low1;
  to->high[0] = high0;
  to->high[1] = high1;
}

/* Six sums at once, of pairs of which the first is in lane `first`; TERMS puts those of a pair into t. */
#define DEFINE_ADD(NAME, COUNTS, TERMS)                                                                                \
  VECTORISED static void add_##NAME (const colocalize_state *state, const double *restrict a,                          \
                                     const double *restrict b, int64_t n, int64_t first, double (*restrict to)[LANES]) \
  {                                                                                                                    \
    const colocalize_state s = *state;                                                                                 \
    EACH_LANE (n, first, i, l, {                                                                                       \
      double t[PIXEL_SUMS] = {0, 0, 0, 0, 0, 0};                                                                       \
      const bool counts = (a[i] == a[i]) & (b[i] == b[i]) & (COUNTS);                                                  \
      TERMS;                                                                                                           \
      for (int k = 0; k < PIXEL_SUMS; k++)                                                                             \
        to[k][l] += counts ? t[k] : 0;                                                                                 \
    })                                                                                                                 \
  }
DEFINE_ADD (mean, true, colocalize_add (&s, COLOCALIZE_MEAN, a[i], b[i], t))
DEFINE_ADD (moments, true, colocalize_add (&s, COLOCALIZE_MOMENTS, a[i], b[i], t))
DEFINE_ADD (above, true, colocalize_add (&s, COLOCALIZE_ABOVE, a[i], b[i], t))
DEFINE_ADD (below, colocalize_is_below (&s, a[i], b[i]), colocalize_add_moments (s.mean, a[i], b[i], t))
DEFINE_ADD (shuffled, true, colocalize_add_moments (s.mean, a[i], b[i], t))

static void
add_pairs (const colocalize_state *s, colocalize_pass pass, const double *a, const double *b, int64_t n,
           pixel_lanes *to)
{
  switch (pass) {
  case COLOCALIZE_RANGE: add_range (a, b, n, to); break;
  case COLOCALIZE_MEAN: add_mean (s, a, b, n, 0, to->v); break;
  case COLOCALIZE_MOMENTS: add_moments (s, a, b, n, 0, to->v); break;
  case COLOCALIZE_BELOW: add_below (s, a, b, n, 0, to->v); break;
  case COLOCALIZE_ABOVE: add_above (s, a, b, n, 0, to->v); break;
  }
}

/* ---- A pass ---- */

typedef struct colocalization {
  const fv_call *call;
  colocalize_pair pair;
  colocalize_state state;
  pixel_sums *sums; /* of bands, of as many problems as there are at a time */
  progress progress;
} colocalization;

static void
add_line (const colocalization *w, colocalize_pass pass, int64_t line, pixel_lanes *to)
{
  const colocalize_pair *p = &w->pair;
  const int64_t z = line / p->rows, y = line % p->rows;
  double a[CHUNK], b[CHUNK];
  for (int64_t x = 0; x < p->columns; x += CHUNK) {
    const int64_t n = p->columns - x < CHUNK ? p->columns - x : CHUNK;
    stack_read (&p->a, z, y, x, n, a);
    stack_read (&p->b, z, y, x, n, b);
    stack_hide (&p->mask, z, y, x, n, a);
    add_pairs (&w->state, pass, a, b, n, to);
  }
}

/* False when the work is to stop. */
static bool
go_over (colocalization *w, colocalize_pass pass)
{
  const int64_t lines = w->pair.depth * w->pair.rows, bands = pixel_bands (1, lines);
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < bands; i++) {
    pixel_lanes lanes;
    pixel_lanes_clear (&lanes);
    for (int64_t line = lines * i / bands; line < lines * (i + 1) / bands && !progress_stopped (&w->progress); line++)
      add_line (w, pass, line, &lanes);
    w->sums[i] = pixel_lanes_join (&lanes);
    if (!progress_stopped (&w->progress))
      progress_step (&w->progress, 1);
  }
  if (w->progress.stop)
    return false;
  const pixel_sums all = pixel_bands_join (w->sums, bands);
  colocalize_after (&w->state, pass, w->call->args, w->pair.integers, &all);
  return true;
}

static bool
go_over_all (colocalization *w)
{
  bool going = go_over (w, COLOCALIZE_RANGE) && go_over (w, COLOCALIZE_MEAN) && go_over (w, COLOCALIZE_MOMENTS);
  while (going && !w->state.found)
    going = go_over (w, COLOCALIZE_BELOW);
  return going && go_over (w, COLOCALIZE_ABOVE);
}

/* ---- Shuffles ---- */

/* A line of pixels, of whole blocks alone, in the turn's order; CHUNK pixels at a time, and blocks are at most as wide. */
static void
add_shuffled_line (const colocalization *w, const colocalize_blocks *o, int64_t line, uint32_t turn, pixel_lanes *to)
{
  const colocalize_pair *p = &w->pair;
  const int64_t side = o->side, most = CHUNK / side, block_line = line / side, row = line % side,
                z = block_line / o->down, y = block_line % o->down * side + row;
  double a[CHUNK], b[CHUNK];
  for (int64_t first = 0, n; first < o->across; first += n) {
    n = o->across - first < most ? o->across - first : most;
    stack_read (&p->a, z, y, first * side, n * side, a);
    stack_hide (&p->mask, z, y, first * side, n * side, a);
    for (int64_t i = 0; i < n; i++) {
      const int64_t from = colocalize_shuffled (o, block_line * o->across + first + i, turn),
                    from_line = from / o->across, from_z = from_line / o->down,
                    from_y = from_line % o->down * side + row, from_x = from % o->across * side;
      stack_read (&p->b, from_z, from_y, from_x, side, b + i * side);
      stack_hide (&p->mask, from_z, from_y, from_x, side, b + i * side);
    }
    add_shuffled (&w->state, a, b, n * side, first * side % LANES, to->v);
  }
}

/* Of each turn the coefficient. */
static fv_status
shuffle (colocalization *w, int64_t turns, double *pearson, fv_error *error)
{
  const colocalize_blocks o = colocalize_blocks_of (&w->pair, w->call->args);
  const int64_t lines = o.down * o.side * w->pair.depth, bands = pixel_bands (turns, lines);
  progress *p = &w->progress;
  fv_status status =
    w->call->host->scratch (w->call, (size_t) (turns * bands + 1) * sizeof *w->sums, (void **) &w->sums, error);
  if (status)
    return status;
  *p = (progress){w->call, .total = turns * bands};
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < turns * bands; i++) {
    const int64_t turn = i / bands, band = i % bands;
    pixel_lanes lanes;
    pixel_lanes_clear (&lanes);
    for (int64_t line = lines * band / bands; line < lines * (band + 1) / bands && !progress_stopped (p); line++)
      add_shuffled_line (w, &o, line, (uint32_t) turn, &lanes);
    w->sums[i] = pixel_lanes_join (&lanes);
    if (!progress_stopped (p))
      progress_step (p, 1);
  }
  for (int64_t turn = 0; turn < turns; turn++)
    pearson[turn] = colocalize_pearson (pixel_bands_join (w->sums + turn * bands, bands).v);
  return p->stop ? cancelled (error) : FV_OK;
}

static fv_status
colocalize_cpu (const fv_call *call, fv_error *error)
{
  const colocalize_args *args = call->args;
  colocalization w = {.call = call, .pair = colocalize_pair_of (call)};
  double *pearson = NULL;
  const int64_t bands = pixel_bands (1, w.pair.depth * w.pair.rows);
  fv_status status = call->host->scratch (call, (size_t) bands * sizeof *w.sums, (void **) &w.sums, error);
  if (status)
    return status;
  w.progress = (progress){call, .total = (5 + COLOCALIZE_HALVINGS) * bands};
  if (!go_over_all (&w))
    return cancelled (error);
  if (args->shuffles) {
    status = call->host->scratch (call, (size_t) (args->shuffles + 1) * sizeof *pearson, (void **) &pearson, error);
    if (!status)
      status = shuffle (&w, args->shuffles + 1, pearson, error);
  }
  return status ? status : colocalize_table (call, &w.state, pearson, error);
}

/* ---- The table ---- */

static const fv_column columns[] = {
  {"pixels", "", "How many pixels count.", FV_COLUMN_INTEGER},
  {"mean_a", "", "Mean of channel a.", FV_COLUMN_FLOAT},
  {"mean_b", "", "Mean of channel b.", FV_COLUMN_FLOAT},
  {"pearson", "", "Pearson's correlation coefficient.", FV_COLUMN_FLOAT},
  {"overlap", "", "Manders' overlap coefficient.", FV_COLUMN_FLOAT},
  {"k1", "", "Overlap coefficient k1: sum of a b divided by that of a squared.", FV_COLUMN_FLOAT},
  {"k2", "", "Overlap coefficient k2: sum of a b divided by that of b squared.", FV_COLUMN_FLOAT},
  {"m1", "", "Manders' M1: share of a that lies where b is above 0.", FV_COLUMN_FLOAT},
  {"m2", "", "Manders' M2: share of b that lies where a is above 0.", FV_COLUMN_FLOAT},
  {"icq", "", "Li's intensity correlation quotient, from -0.5 to 0.5.", FV_COLUMN_FLOAT},
  {"slope", "", "Slope of the orthogonal regression line, b over a.", FV_COLUMN_FLOAT},
  {"intercept", "", "Where that line meets a = 0.", FV_COLUMN_FLOAT},
  {"threshold_a", "", "Threshold of channel a.", FV_COLUMN_FLOAT},
  {"threshold_b", "", "Threshold of channel b.", FV_COLUMN_FLOAT},
  {"tm1", "", "Share of a that lies where b is above its threshold.", FV_COLUMN_FLOAT},
  {"tm2", "", "Share of b that lies where a is above its threshold.", FV_COLUMN_FLOAT},
  {"above_both", "", "How many pixels are above both thresholds.", FV_COLUMN_INTEGER},
  {"shuffled_mean", "", "Mean of Pearson's coefficient of the shuffled blocks.", FV_COLUMN_FLOAT},
  {"shuffled_sd", "", "Standard deviation of these.", FV_COLUMN_FLOAT},
  {"costes_p", "",
   "Share of the shuffles whose coefficient is below that of the blocks as they are: from 0.95 on, the channels "
   "colocalize.",
   FV_COLUMN_FLOAT},
};
enum { COLUMNS = sizeof columns / sizeof *columns, OF_SHUFFLES = 3 };

/* Mean, standard deviation, and the share below the first. */
static void
compare_shuffles (const double *pearson, int32_t n, double *to)
{
  double mean = 0, squares = 0, below = 0;
  for (int32_t i = 1; i <= n; i++) {
    mean += pearson[i] / n;
    below += pearson[i] < pearson[0] - 1e-12 ? 1 : 0;
  }
  for (int32_t i = 1; i <= n; i++)
    squares += (pearson[i] - mean) * (pearson[i] - mean);
  to[0] = mean;
  to[1] = sqrt (squares / n);
  to[2] = isnan (mean) ? NAN : below / n;
}

fv_status
colocalize_table (const fv_call *call, const colocalize_state *s, const double *pearson, fv_error *error)
{
  const colocalize_args *args = call->args;
  const uint32_t n = COLUMNS - (args->shuffles ? 0 : OF_SHUFFLES);
  const double a = s->n * s->mean[0], b = s->n * s->mean[1], aa = s->squares[0] + a * s->mean[0],
               bb = s->squares[1] + b * s->mean[1], ab = s->product + a * s->mean[1];
  const bool none = isnan (s->threshold[0]);
  double *values;
  fv_status status = call->host->table (call, columns, n, sizeof *columns, 1, &values, error);
  if (status)
    return status;
  const double row[COLUMNS - OF_SHUFFLES] = {s->n,
                                             s->mean[0],
                                             s->mean[1],
                                             s->product / sqrt (s->squares[0] * s->squares[1]),
                                             ab / sqrt (aa * bb),
                                             ab / aa,
                                             ab / bb,
                                             s->m[0] / a,
                                             s->m[1] / b,
                                             s->concordant / s->n - 0.5,
                                             s->slope,
                                             s->intercept,
                                             s->threshold[0],
                                             s->threshold[1],
                                             none ? NAN : s->tm[0] / a,
                                             none ? NAN : s->tm[1] / b,
                                             none ? NAN : s->both};
  for (uint32_t i = 0; i < COLUMNS - OF_SHUFFLES; i++)
    values[i] = isfinite (row[i]) ? row[i] : NAN;
  if (args->shuffles)
    compare_shuffles (pearson, args->shuffles, values + COLUMNS - OF_SHUFFLES);
  return FV_OK;
}

/* ---- The operation ---- */

static int64_t
colocalize_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const colocalize_args *a = args;
  const int64_t depth = grid_depth (in[COLOCALIZE_IMAGE]), rows = in[COLOCALIZE_IMAGE]->shape[1],
                lines = rows / a->block * a->block * depth, turns = a->shuffles ? a->shuffles + 1 : 0;
  (void) op;
  return (pixel_bands (1, depth * rows) + (turns ? turns * pixel_bands (turns, lines) : 0))
         * (int64_t) sizeof (pixel_sums);
}

static double
colocalize_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const colocalize_args *a = args;
  (void) op, (void) in;
  return 8.0 * (4 + (a->method == COLOCALIZE_COSTES ? COLOCALIZE_HALVINGS : 0) + a->shuffles);
}

static const fv_choice methods[] = {
  {"costes", "Costes", "On the regression line, where pixels below do not correlate."},
  {"manual", "Manual", "The numbers below."},
  {0}};

const fv_op fv_op_colocalize = {
  FV_OP (colocalize_args),
  .key = "colocalize",
  .menu = "Analyze",
  .label = "Colocalization...",
  .search = "colocalisation coloc overlap correlation pearson manders costes li coloc2 jacop two channels",
  .traits = FV_COMPARES_CHANNELS,
  .help = "Measures how two channels go together: Pearson, Manders, Costes and Li, over the whole image or a mask.",
  .cite =
    "E. M. M. Manders et al., J. Microsc. 169 (1993); S. V. Costes et al., Biophys. J. 86 (2004); Q. Li et al., J. "
    "Neurosci. 24 (2004)",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image",
                        "The image with channel a; where either channel is NaN or infinite a pixel does not count.",
                        FV_ANY_TYPE, false},
                       {"second", "Second image", "The image with channel b; none: the first.", FV_ANY_TYPE, true},
                       {"mask", "Mask", "The pixels that count; none: all.", FV_U8 | FV_WANTS_MASK, true},
                       {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (colocalize_args, channel_a), .label = "Channel a", .max = 1e6, .soft_max = 7, .ordinal = true,
       .help = "Which channel of the image; an image of one channel has no choice."},
      {FV_FIELD (colocalize_args, channel_b), .label = "Channel b", .def = 1, .max = 1e6, .soft_max = 7,
       .ordinal = true, .help = "Which channel it is compared with, of the second image where there is one."},
      {FV_FIELD (colocalize_args, method), .label = "Thresholds", .choices = methods,
       .help = "Above which values of a and b count for tm1, tm2 and above_both."},
      {FV_FIELD (colocalize_args, threshold_a), .label = "Threshold a", .min = -1e300, .max = 1e300, .soft_min = 0,
       .soft_max = 65535, .enabled = "method=manual", .help = "Values of channel a above it count."},
      {FV_FIELD (colocalize_args, threshold_b), .label = "Threshold b", .min = -1e300, .max = 1e300, .soft_min = 0,
       .soft_max = 65535, .enabled = "method=manual", .help = "Values of channel b above it count."},
      {FV_FIELD (colocalize_args, shuffles), .label = "Shuffles", .max = 10000, .soft_max = 200,
       .help = "How many times the blocks of channel b are put in random order, for Costes' test; 0 leaves it out."},
      {FV_FIELD (colocalize_args, block), .label = "Block", .unit = FV_PIXELS, .def = 4, .min = 1, .max = CHUNK,
       .soft_min = 1, .soft_max = 32, .advanced = true,
       .help = "Side of a block: about the size of what the microscope makes of a point."},
      {FV_FIELD (colocalize_args, seed), .label = "Seed", .max = 2147483647, .soft_max = 100, .advanced = true,
       .help = "Another number makes other random orders."},
      {0}},
  .grain = grain_frame,
  .infer = colocalize_infer,
  .scratch = colocalize_scratch,
  .arithmetic = colocalize_arithmetic,
  .run = {[FV_CPU] = colocalize_cpu, [FV_CUDA] = FV_CUDA_FN (colocalize_cuda)},
};
