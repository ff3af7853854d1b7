/* SPDX-License-Identifier: MIT
 *
 * Finds the runs of a label image in two passes over its rows (count, then write), and sorts them by label with a stable radix sort. Any label values
 * cost the same, and the runs of each object stay in raster order.
 */
#include "kernels/regions/regions.h"

#define DIGIT_BITS 11

fv_status
regions_check_image (const fv_grid *labels, fv_error *error)
{
  if (labels->channels != 1)
    return fail (error, FV_BAD_INPUT, "image", "The label image has %lld channels; take one of them.",
                 (long long) labels->channels);
  for (int i = 0; i < 3; i++)
    if (labels->shape[i] >= REGIONS_MAX_SIDE)
      return fail (error, FV_BAD_INPUT, "image", "The label image has a side of %lld pixels; it must be below %lld.",
                   (long long) labels->shape[i], (long long) REGIONS_MAX_SIDE);
  return FV_OK;
}

/* ---- Runs of one row ---- */

#define DEFINE_ROW(NAME, T)                                                                                            \
  VECTORISED static int32_t count_##NAME (const T *row, int64_t n)                                                     \
  {                                                                                                                    \
    int32_t runs = row[0] > 0;                                                                                         \
    for (int64_t x = 1; x < n; x++)                                                                                    \
      runs += (row[x] > 0) & (row[x] != row[x - 1]);                                                                   \
    return runs;                                                                                                       \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void changes_##NAME (const T *row, int64_t n, uint8_t *changed)                                    \
  {                                                                                                                    \
    changed[0] = 0;                                                                                                    \
    for (int64_t x = 1; x < n; x++)                                                                                    \
      changed[x] = row[x] != row[x - 1];                                                                               \
  }
DEFINE_ROW (u8, uint8_t)
DEFINE_ROW (u16, uint16_t)
DEFINE_ROW (i32, int32_t)

static int32_t
row_count (fv_type type, const void *row, int64_t n)
{
  return type == FV_U8 ? count_u8 (row, n) : type == FV_U16 ? count_u16 (row, n) : count_i32 (row, n);
}

static inline int32_t
label_at (fv_type type, const void *row, int64_t x)
{
  return type == FV_U8    ? ((const uint8_t *) row)[x]
         : type == FV_U16 ? ((const uint16_t *) row)[x]
                          : ((const int32_t *) row)[x];
}

/* Writes the runs of a row. changed: n + 8 bytes to work in; whole words of it without a change are skipped. */
static void
row_runs (fv_type type, const void *row, int64_t n, int32_t z, int32_t y, uint8_t *changed, run *to)
{
  int64_t start = 0;
  switch (type) {
  case FV_U8: changes_u8 (row, n, changed); break;
  case FV_U16: changes_u16 (row, n, changed); break;
  default: changes_i32 (row, n, changed);
  }
  memset (changed + n, 0, 8);
  changed[n] = 1;
  for (int64_t word = 0; word <= n; word += 8) {
    uint64_t w;
    memcpy (&w, changed + word, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64 (w);
#endif
    for (; w; w &= w - 1) {
      int64_t x = word + __builtin_ctzll (w) / 8;
      int32_t label = label_at (type, row, start);
      if (label > 0)
        *to++ = (run){label, z, y, (int32_t) start, (int32_t) x};
      start = x;
    }
  }
}

/* ---- All runs, and their order ---- */

static fv_status
find_runs (const fv_call *call, const fv_array *labels, regions *r, fv_error *error)
{
  int64_t rows = array_rows (labels), columns = array_columns (labels), n = array_planes (labels) * rows;
  fv_type type = labels->grid->type;
  int64_t *first; /* of each row */
  uint8_t *changed;
  size_t bytes = ((size_t) columns + 8 + 63) / 64 * 64;
  progress p = {call, .total = 2 * n};
  fv_status status = scratch_items (call, n + 1, sizeof *first, &first, error);
  if (!status)
    status = scratch_items (call, threads_at_most (), bytes, &changed, error);
  if (status)
    return status;

#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < n; i++)
    if (!progress_stopped (&p)) {
      first[i + 1] = row_count (type, array_row (labels, i / rows, i % rows), columns);
      progress_step (&p, 1);
    }
  if (p.stop)
    return cancelled (error);
  first[0] = 0;
  for (int64_t i = 0; i < n; i++)
    first[i + 1] += first[i];
  r->n_runs = first[n];
  if (regions_check (r->n_runs, error))
    return error->code;
  status = scratch_items (call, r->n_runs, sizeof *r->runs, &r->runs, error);
  if (status)
    return status;

#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < n; i++)
    if (!progress_stopped (&p)) {
      if (first[i + 1] > first[i])
        row_runs (type, array_row (labels, i / rows, i % rows), columns, (int32_t) (i / rows), (int32_t) (i % rows),
                  changed + (size_t) thread_index () * bytes, r->runs + first[i]);
      progress_step (&p, 1);
    }
  for (int64_t g = 0; g <= r->n_groups; g++)
    r->group[g] = first[g * (n / r->n_groups)];
  return p.stop ? cancelled (error) : FV_OK;
}

/* Stable sort of a[0 ... n - 1] by label; b is as large. */
static void
sort_by_label (run *a, run *b, int64_t n)
{
  int32_t all = 0;
  run *from = a, *to = b;
  for (int64_t i = 0; i < n; i++)
    all |= a[i].label;
  for (int shift = 0; shift < 31 && all >> shift; shift += DIGIT_BITS) {
    int64_t at[(1 << DIGIT_BITS) + 1] = {0};
    for (int64_t i = 0; i < n; i++)
      at[(from[i].label >> shift & ((1 << DIGIT_BITS) - 1)) + 1]++;
    for (int d = 0; d < 1 << DIGIT_BITS; d++)
      at[d + 1] += at[d];
    for (int64_t i = 0; i < n; i++)
      to[at[from[i].label >> shift & ((1 << DIGIT_BITS) - 1)]++] = from[i];
    run *swap = from;
    from = to, to = swap;
  }
  if (from != a)
    memcpy (a, from, (size_t) n * sizeof *a);
}

/* ---- Objects ---- */

static int64_t
count_labels (const run *runs, int64_t n)
{
  int64_t found = n > 0;
  for (int64_t i = 1; i < n; i++)
    found += runs[i].label != runs[i - 1].label;
  return found;
}

static void
list_labels (const regions *r, int64_t first, int64_t end, region *to)
{
  for (int64_t i = first, start = first; i < end; i++)
    if (i + 1 == end || r->runs[i + 1].label != r->runs[i].label) {
      *to++ = (region){.runs = r->runs + start, .first_run = start, .n_runs = i + 1 - start, .label = r->runs[i].label};
      start = i + 1;
    }
}

static void
measure_box (region *o)
{
  const run *r = o->runs, *last = r + o->n_runs - 1;
  o->low[0] = r->z, o->high[0] = last->z + 1;
  o->low[1] = o->low[2] = INT32_MAX;
  for (; r <= last; r++) {
    o->pixels += r->x1 - r->x0;
    o->low[1] = r->y < o->low[1] ? r->y : o->low[1];
    o->high[1] = r->y >= o->high[1] ? r->y + 1 : o->high[1];
    o->low[2] = r->x0 < o->low[2] ? r->x0 : o->low[2];
    o->high[2] = r->x1 > o->high[2] ? r->x1 : o->high[2];
  }
}

/* first: run of each group. */
static void
list_objects (const regions *r, const int64_t *first)
{
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t g = 0; g < r->n_groups; g++)
    list_labels (r, first[g], first[g + 1], r->items + r->group[g]);
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < r->n; i++)
    measure_box (r->items + i);
}

fv_status
regions_find (const fv_call *call, const fv_array *labels, bool volume, regions *r, fv_error *error)
{
  int64_t *first;
  run *other;
  *r = (regions){.n_groups = volume ? 1 : array_planes (labels)};
  fv_status status = scratch_items (call, r->n_groups + 1, sizeof *r->group, &r->group, error);
  if (!status)
    status = scratch_items (call, r->n_groups + 1, sizeof *first, &first, error);
  if (!status)
    status = find_runs (call, labels, r, error);
  if (!status)
    status = scratch_items (call, r->n_runs, sizeof *other, &other, error);
  if (status)
    return status;
  memcpy (first, r->group, (size_t) (r->n_groups + 1) * sizeof *first);

#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t g = 0; g < r->n_groups; g++) {
    sort_by_label (r->runs + first[g], other + first[g], first[g + 1] - first[g]);
    r->group[g + 1] = count_labels (r->runs + first[g], first[g + 1] - first[g]);
  }
  r->group[0] = 0;
  for (int64_t g = 0; g < r->n_groups; g++)
    r->group[g + 1] += r->group[g];
  r->n = r->group[r->n_groups];
  status = scratch_items (call, r->n, sizeof *r->items, &r->items, error);
  if (status)
    return status;
  list_objects (r, first);
  return FV_OK;
}

fv_status
regions_of_runs (const fv_call *call, run *runs, int64_t n, int64_t planes, bool volume, regions *r, fv_error *error)
{
  int64_t *first, end = 0;
  *r = (regions){.runs = runs, .n_runs = n, .n_groups = volume ? 1 : planes};
  fv_status status = host_items (call, r->n_groups + 1, sizeof *r->group, &r->group, error);
  if (!status)
    status = host_items (call, r->n_groups + 1, sizeof *first, &first, error);
  if (status)
    return status;
  first[0] = r->group[0] = 0;
  for (int64_t g = 0; g < r->n_groups; g++) {
    while (end < n && (volume || runs[end].z == g))
      end++;
    first[g + 1] = end;
    r->group[g + 1] = r->group[g] + count_labels (runs + first[g], end - first[g]);
  }
  r->n = r->group[r->n_groups];
  status = host_items (call, r->n, sizeof *r->items, &r->items, error);
  if (!status)
    list_objects (r, first);
  return status;
}
