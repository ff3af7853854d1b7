/* SPDX-License-Identifier: MIT
 *
 * Cells are counted from the ends of runs, four rows at a time, so that the time grows with the runs and not with the voxels.
 */
#include "kernels/regions/region_surface.h"
#include "kernels/regions/region_surface_cells.h"

/* ---- Counting ---- */

/* Cells between four rows, whose runs are row[k] ... end[k] - 1; k: 2 dz + dy. */
static void
count_row (const run *row[4], const run *const end[4], int64_t counts[SURFACE_CELLS])
{
  int inside = 0;
  for (int64_t at = 0;;) {
    int64_t next = INT64_MAX;
    int changed = 0;
    for (int k = 0; k < 4; k++) {
      if (row[k] == end[k])
        continue;
      const int64_t x = inside >> k & 1 ? row[k]->x1 : row[k]->x0;
      changed = x < next ? 1 << k : x == next ? changed | 1 << k : changed;
      next = x < next ? x : next;
    }
    if (!changed)
      return;
    if (inside)
      counts[inside | inside << 4] += next - at - 1;
    for (int k = 0; k < 4; k++)
      row[k] += changed & inside & 1 << k ? 1 : 0;
    counts[inside | (inside ^ changed) << 4]++;
    inside ^= changed;
    at = next;
  }
}

static bool
is_before (const run *r, int32_t z, int32_t y)
{
  return r->z < z || (r->z == z && r->y < y);
}

/* Runs are in the order of z, y, x, and so are the cells: each of the four rows goes through them once. */
static void
count_cells (const region *o, int64_t counts[SURFACE_CELLS])
{
  const run *row[4] = {o->runs, o->runs, o->runs, o->runs}, *end[4], *last = o->runs + o->n_runs;
  for (int32_t z = o->low[0]; z <= o->high[0]; z++)
    for (int32_t y = o->low[1]; y <= o->high[1]; y++) {
      for (int k = 0; k < 4; k++) {
        const int32_t plane = z - 1 + k / 2, line = y - 1 + k % 2;
        while (row[k] < last && is_before (row[k], plane, line))
          row[k]++;
        for (end[k] = row[k]; end[k] < last && !is_before (end[k], plane, line) && is_before (end[k], plane, line + 1);)
          end[k]++;
      }
      count_row (row, end, counts);
    }
}

/* ---- Areas ---- */

static void
corner_at (char name, const double spacing[3], double at[3])
{
  const int number = name - 'a';
  at[0] = number / 9 * spacing[0] / 2, at[1] = number / 3 % 3 * spacing[1] / 2, at[2] = number % 3 * spacing[2] / 2;
}

static double
triangle_area (const char *names, const double spacing[3])
{
  double corner[3][3], u[3], v[3], normal[3], square = 0;
  for (int i = 0; i < 3; i++)
    corner_at (names[i], spacing, corner[i]);
  for (int a = 0; a < 3; a++)
    u[a] = corner[1][a] - corner[0][a], v[a] = corner[2][a] - corner[0][a];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    normal[a] = product (u[b], v[c]) - product (u[c], v[b]);
    square += product (normal[a], normal[a]);
  }
  return sqrt (square) / 2;
}

static void
find_areas (const double spacing[3], double areas[SURFACE_CELLS])
{
  for (int i = 0; i < SURFACE_CELLS; i++) {
    areas[i] = 0;
    for (const char *names = surface_triangles[i]; *names; names += 3)
      areas[i] += triangle_area (names, spacing);
  }
}

/* ---- All objects ---- */

static void
measure_surface (const region_table *t, const region *o, const double areas[SURFACE_CELLS], int64_t i)
{
  int64_t counts[SURFACE_CELLS] = {0};
  double area = 0, volume = (double) o->pixels * pixel_size (t);
  count_cells (o, counts);
  for (int k = 0; k < SURFACE_CELLS; k++)
    area += product ((double) counts[k], areas[k]);
  put_property (t, P_surface_area, i, 0, area);
  put_property (t, P_sphericity, i, 0, defined_cbrt (36 * PI * volume * volume) / area);
}

fv_status
region_surfaces (const fv_call *call, const region *items, int64_t n, const region_table *t, fv_error *error)
{
  progress p = {call, .total = n};
  double areas[SURFACE_CELLS];
  find_areas (t->spacing, areas);
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < n; i++)
    if (!progress_stopped (&p)) {
      measure_surface (t, items + i, areas, i);
      progress_step (&p, 1);
    }
  return p.stop ? cancelled (error) : FV_OK;
}
