/* SPDX-License-Identifier: MIT
 *
 * The sliding paraboloid on the CPU, plane by plane, in double. Rows are slid under where they are; of columns and diagonals eight at a time are
 * copied, so that whole cache lines are read and written.
 */
#include "kernels/filters/paraboloid.h"

#include "kernels/common/row.h"
#include "kernels/filters/paraboloid_lines.h"
#include "kernels/filters/rolling_ball_args.h"

enum { BAND = 8 };

typedef struct paraboloid_job {
  const fv_call *call;
  progress progress;
  rolling_ball_args args;
  int64_t rows, columns, pitch; /* pitch: of copied lines, and of what threads have */
  int64_t across;               /* tiles */
  double *image;
  paraboloid_rise *rises; /* of each row and PARABOLOID_TILE columns: what smoothing raised */
  double *lines;          /* of each thread: BAND lines */
  int32_t *touched;
  double shift;
} paraboloid_job;

/* ---- Smoothing ---- */

static int64_t
tiles_across (int64_t columns)
{
  return (columns + PARABOLOID_TILE - 1) / PARABOLOID_TILE;
}

static int64_t
limited (int64_t i, int64_t n)
{
  return i < 0 ? 0 : i < n ? i : n - 1;
}

static void
load_row (const paraboloid_job *j, int64_t z, int64_t y, double missing, double *to)
{
  const fv_array *in = j->call->inputs[0];
  row_to_f64 (to, array_row (in, z, y), in->grid->type, j->columns);
  for (int64_t x = 0; x < j->columns; x++)
    to[x] = paraboloid_height (to[x], j->args.light, missing);
}

VECTORISED static void
greatest_of_three (double *restrict to, const double *restrict a, const double *restrict b, const double *restrict c,
                   int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    double v = a[i] > b[i] ? a[i] : b[i];
    to[i] = c[i] > v ? c[i] : v;
  }
}

/* from: three rows, n apart. Pixels that do not count are -INFINITY, and stay. */
static void
raise_row (const double *from, int64_t n, double *across, double *to)
{
  greatest_of_three (across, from, from + n, from + 2 * n, n);
  for (int64_t x = 0; x < n; x++) {
    double left = across[x ? x - 1 : 0], right = across[x < n - 1 ? x + 1 : x], v = left > right ? left : right;
    to[x] = from[n + x] == -INFINITY ? -INFINITY : across[x] > v ? across[x] : v;
  }
}

/* Of what counts of three rows: their sum, and how many it has. */
VECTORISED static void
add_counting (const double *restrict rows, int64_t n, double *restrict sum, double *restrict count)
{
  for (int64_t i = 0; i < n; i++) {
    double a = rows[i], b = rows[n + i], c = rows[2 * n + i];
    sum[i] = ((a > -INFINITY ? a : 0) + (b > -INFINITY ? b : 0)) + (c > -INFINITY ? c : 0);
    count[i] = (a > -INFINITY) + (b > -INFINITY) + (c > -INFINITY);
  }
}

/* Of the columns of a tile from x on. */
static paraboloid_rise
rise_of (const double *from, const double *raised, int64_t x, int64_t columns)
{
  double rise[PARABOLOID_TILE] = {0};
  paraboloid_rise all = {0, 0};
  for (int64_t i = 0; i < PARABOLOID_TILE && x + i < columns; i++)
    if (from[x + i] > -INFINITY) {
      rise[i] = raised[x + i] - from[x + i];
      all.pixels++;
    }
  all.sum = join_halves (rise, PARABOLOID_TILE);
  return all;
}

static void
smooth_row (const paraboloid_job *j, int64_t z, int64_t y, double *lines)
{
  int64_t n = j->columns;
  double *raised = lines + 3 * n, *sum = lines + 6 * n, *count = lines + 7 * n, *to = j->image + y * n;
  for (int64_t k = -1; k <= 1; k++) {
    int64_t row = limited (y + k, j->rows);
    for (int64_t i = -1; i <= 1; i++)
      load_row (j, z, limited (row + i, j->rows), -INFINITY, lines + (i + 1) * n);
    raise_row (lines, n, sum, raised + (k + 1) * n);
    for (int64_t i = 0; i < j->across && !k; i++)
      j->rises[y * j->across + i] = rise_of (lines + n, raised + n, i * PARABOLOID_TILE, n);
  }
  add_counting (raised, n, sum, count);
  for (int64_t x = 0; x < n; x++) {
    int64_t left = x ? x - 1 : 0, right = x < n - 1 ? x + 1 : x;
    double mean = (sum[left] + sum[x] + sum[right]) / (count[left] + count[x] + count[right]);
    to[x] = raised[n + x] > -INFINITY ? mean : INFINITY;
  }
}

static void
start_row (const paraboloid_job *j, int64_t z, int64_t y, double *lines)
{
  if (j->args.smooth)
    smooth_row (j, z, y, lines);
  else
    load_row (j, z, y, INFINITY, j->image + y * j->columns);
}

/* Of the tile i columns of tiles from the left whose first row is y. */
static paraboloid_rise
rise_of_tile (const paraboloid_job *j, int64_t y, int64_t i)
{
  double rise[PARABOLOID_TILE] = {0};
  paraboloid_rise all = {0, 0};
  for (int64_t k = 0; k < PARABOLOID_TILE && y + k < j->rows; k++) {
    const paraboloid_rise *row = &j->rises[(y + k) * j->across + i];
    rise[k] = row->sum;
    all.pixels += row->pixels;
  }
  all.sum = join_halves (rise, PARABOLOID_TILE);
  return all;
}

static double
mean_rise (const paraboloid_job *j)
{
  double parts[PARABOLOID_PARTS] = {0}, warps[PARABOLOID_PARTS / 32];
  paraboloid_rise all = {0, 0};
  if (!j->args.smooth)
    return 0;
  for (int64_t y = 0, n = 0; y < j->rows; y += PARABOLOID_TILE)
    for (int64_t i = 0; i < j->across; i++, n++) {
      const paraboloid_rise tile = rise_of_tile (j, y, i);
      parts[n % PARABOLOID_PARTS] += tile.sum;
      all.pixels += tile.pixels;
    }
  for (int i = 0; i < PARABOLOID_PARTS / 32; i++)
    warps[i] = join_halves (parts + 32 * i, 32);
  all.sum = join_halves (warps, PARABOLOID_PARTS / 32);
  return paraboloid_shift (all);
}

/* ---- Sliding ---- */

/* Which values of a line the parabola touches, in order; returns how many. */
static int64_t
find_touched (const double *v, int64_t n, double c, int32_t *touched)
{
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    if (!paraboloid_may_touch (i ? v[i - 1] : INFINITY, v[i], i < n - 1 ? v[i + 1] : INFINITY, c))
      continue;
    while (count > 1) {
      int32_t a = touched[count - 2], b = touched[count - 1];
      if (!paraboloid_over (v[a], v[b], v[i], b - a, (double) (i - b), c))
        break;
      count--;
    }
    touched[count++] = (int32_t) i;
  }
  return count;
}

/* Puts the parabola between those. */
static void
lower_between (double *v, const int32_t *touched, int64_t count, double c)
{
  for (int64_t i = 1; i < count; i++) {
    int32_t from = touched[i - 1], n = touched[i] - from;
    double a = v[from], b = v[touched[i]];
    for (int32_t k = 1; k < n; k++) {
      double height = paraboloid_between (a, b, k, n, c);
      v[from + k] = height < v[from + k] ? height : v[from + k];
    }
  }
}

static void
copy_band (const paraboloid_job *j, const paraboloid_pass *p, const paraboloid_band *b, int64_t count, bool back,
           double *lines)
{
  for (int64_t position = 0; position < b->n; position++)
    for (int64_t k = 0; k < count; k++) {
      int64_t index = paraboloid_index (p, b, k, position);
      double *v = &lines[k * j->pitch + position];
      if (!back)
        *v = index < 0 ? INFINITY : j->image[index];
      else if (index >= 0)
        j->image[index] = *v;
    }
}

static void
slide_band (const paraboloid_job *j, const paraboloid_pass *p, int64_t band, double *lines, int32_t *touched)
{
  if (p->along_rows) {
    double *row = j->image + band * j->columns;
    lower_between (row, touched, find_touched (row, j->columns, p->c, touched), p->c);
    return;
  }
  int64_t first = band * BAND, count = p->lines - first < BAND ? p->lines - first : BAND;
  paraboloid_band b = paraboloid_band_at (p, p->first + first, count);
  copy_band (j, p, &b, count, false, lines);
  for (int64_t k = 0; k < count; k++) {
    double *v = lines + k * j->pitch;
    lower_between (v, touched, find_touched (v, b.n, p->c, touched), p->c);
  }
  copy_band (j, p, &b, count, true, lines);
}

/* Slides under a line at the corners, and adds how high it says that they are. */
static void
slide_corner_line (const paraboloid_job *j, int i, double *heights)
{
  paraboloid_corner_line l = paraboloid_corner_line_of (i, j->rows, j->columns, j->args.radius);
  paraboloid_band b = paraboloid_band_at (&l.pass, l.line, 1);
  double *v = j->lines, c = l.pass.c;
  copy_band (j, &l.pass, &b, 1, false, v);
  int64_t count = find_touched (v, b.n, c, j->touched);
  int64_t first = paraboloid_first_touched (count > 1 ? j->touched[1] : -1, b.n),
          last = paraboloid_last_touched (count > 1 ? j->touched[count - 2] : -1, b.n);
  bool whole = v[0] < INFINITY && v[b.n - 1] < INFINITY;
  for (int end = 0; end < 2; end++)
    if (l.corner[end] >= 0)
      heights[l.corner[end]] += whole ? paraboloid_end (end, v[first], v[last], first, last, b.n, c) : NAN;
  lower_between (v, j->touched, count, c);
  copy_band (j, &l.pass, &b, 1, true, v);
}

static void
lower_corners (const paraboloid_job *j)
{
  double heights[4] = {0};
  for (int i = 0; i < PARABOLOID_CORNER_LINES; i++)
    slide_corner_line (j, i, heights);
  for (int i = 0; i < 4; i++) {
    double *v = &j->image[(i / 2 ? j->rows - 1 : 0) * j->columns + (i % 2 ? j->columns - 1 : 0)];
    *v = heights[i] / 3 < *v ? heights[i] / 3 : *v;
  }
}

/* ---- All of it ---- */

static void
write_row (const paraboloid_job *j, int64_t z, int64_t y, double *lines)
{
  const fv_array *in = j->call->inputs[0], *const *out = j->call->outputs;
  fv_type type = in->grid->type;
  int64_t n = j->columns;
  const double *from = j->image + y * n;
  double *background = lines, *left = lines + n, white = rolling_ball_white (j->args.light, type);
  row_to_f64 (left, array_row (in, z, y), type, n);
  for (int64_t x = 0; x < n; x++) {
    background[x] = paraboloid_background (from[x], j->shift, j->args.light);
    left[x] = left[x] - background[x] + white;
  }
  row_from_f64 (array_row (out[0], z, y), type, left, n);
  row_from_f64 (array_row (out[1], z, y), type, background, n);
}

enum { STAGE_START = -1, STAGE_WRITE = PARABOLOID_PASSES };

/* How many rows or bands a stage has. */
static int64_t
parts_of_stage (const paraboloid_job *j, int stage)
{
  if (stage == STAGE_START || stage == STAGE_WRITE)
    return j->rows;
  paraboloid_pass p = paraboloid_pass_number (stage, j->rows, j->columns, j->args.radius);
  return p.along_rows ? p.lines : (p.lines + BAND - 1) / BAND;
}

static void
run_stage (paraboloid_job *j, int64_t z, int stage)
{
  int64_t parts = parts_of_stage (j, stage);
  paraboloid_pass p = paraboloid_pass_number (stage, j->rows, j->columns, j->args.radius);
  progress_step (&j->progress, 0); /* other threads may take all parts */
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < parts; i++) {
    double *lines = j->lines + thread_index () * BAND * j->pitch;
    if (progress_stopped (&j->progress))
      continue;
    if (stage == STAGE_START)
      start_row (j, z, i, lines);
    else if (stage == STAGE_WRITE)
      write_row (j, z, i, lines);
    else
      slide_band (j, &p, i, lines, j->touched + thread_index () * j->pitch);
    progress_step (&j->progress, 1);
  }
}

static void
run_plane (paraboloid_job *j, int64_t z)
{
  run_stage (j, z, STAGE_START);
  if (!j->progress.stop) {
    j->shift = mean_rise (j);
    lower_corners (j);
  }
  for (int stage = 0; stage <= STAGE_WRITE; stage++)
    run_stage (j, z, stage);
}

int64_t
paraboloid_scratch (const fv_grid *in)
{
  return in->shape[1] * in->shape[2] * (int64_t) sizeof (double)
         + in->shape[1] * tiles_across (in->shape[2]) * (int64_t) sizeof (paraboloid_rise);
}

static fv_status
take_memory (paraboloid_job *j, fv_error *error)
{
  size_t threads = (size_t) threads_at_most (), pitch = (size_t) j->pitch,
         bytes[] = {(size_t) (j->rows * j->columns) * sizeof (double),
                    (size_t) (j->rows * j->across) * sizeof (paraboloid_rise), threads * pitch * BAND * sizeof (double),
                    threads * pitch * sizeof (int32_t)};
  void **memory[] = {(void **) &j->image, (void **) &j->rises, (void **) &j->lines, (void **) &j->touched};
  for (int i = 0; i < 4; i++)
    if (j->call->host->scratch (j->call, bytes[i], memory[i], error))
      return error->code;
  return FV_OK;
}

fv_status
paraboloid_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  paraboloid_job j = {call, .args = *(const rolling_ball_args *) call->args, .rows = array_rows (in)};
  j.columns = array_columns (in);
  j.pitch =
    (j.rows > j.columns ? j.rows : j.columns) + 8; /* lines whose positions are not all in the same sets of a cache */
  j.across = tiles_across (j.columns);
  if (j.pitch > INT32_MAX)
    return fail (error, FV_UNSUPPORTED, "image", "The image has too many pixels for one call.");
  if (take_memory (&j, error))
    return error->code;
  for (int stage = STAGE_START; stage <= STAGE_WRITE; stage++)
    j.progress.total += array_planes (in) * parts_of_stage (&j, stage);
  j.progress.call = call;
  for (int64_t z = 0; z < array_planes (in) && !j.progress.stop; z++)
    run_plane (&j, z);
  return j.progress.stop ? cancelled (error) : FV_OK;
}
