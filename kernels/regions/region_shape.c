/* SPDX-License-Identifier: MIT
 *
 * The properties of regionprops that need no intensities, object by object.
 */
#include "kernels/regions/region_shape.h"

#include "kernels/regions/region_hull.h"
#include "kernels/regions/region_moments.h"
#include "kernels/regions/region_outline.h"
#include "kernels/regions/region_solids.h"
#include "kernels/regions/region_surface.h"

/* Memory of one thread, large enough for any of the objects. */
typedef struct workspace {
  hull hull;
  run *fill, *border;
} workspace;

/* ---- Box, ellipse, moments ---- */

static void
measure_spread (const region_job *j, const region_needs *need, const region *o, int64_t i)
{
  static const double corner[3] = {0};
  double m[VOLUME_MOMENTS];
  region_spread s = region_spread_of (o);
  put_spread (&j->t, o, &s, i);
  if (need->moments) {
    region_moments (o, j->t.volume, corner, m);
    put_moments (&j->t, m, i);
  }
  if (need->central) {
    region_moments (o, j->t.volume, s.center, m);
    put_central_moments (&j->t, m, i);
  }
}

/* ---- Hulls ---- */

static void
measure_convex (const region_job *j, const region *o, workspace *w, int64_t i)
{
  static const int32_t corner[3] = {0};
  int64_t rows = o->high[1] - o->low[1];
  bool with_feret = wants (&j->t, P_feret_diameter_max);
  hull_build (&w->hull, o->runs, o->n_runs, o->low, HULL_DIAMOND);
  int64_t pixels = hull_fill (&w->hull, rows, with_feret ? w->fill : NULL);
  put_property (&j->t, P_area_convex, i, 0, (double) pixels * pixel_size (&j->t));
  put_property (&j->t, P_solidity, i, 0, (double) o->pixels / (double) pixels);
  if (!with_feret)
    return;
  hull_build (&w->hull, w->fill, rows, corner, HULL_DIAMOND);
  put_property (&j->t, P_feret_diameter_max, i, 0, hull_diameter (&w->hull, j->t.spacing[1], j->t.spacing[2], NULL));
}

static void
measure_imagej_hull (const region_job *j, const region *o, workspace *w, int64_t i)
{
  double dy = j->t.spacing[1], dx = j->t.spacing[2], angle;
  hull_build (&w->hull, o->runs, o->n_runs, o->low, HULL_SQUARE);
  if (wants (&j->t, P_solidity_imagej))
    put_property (&j->t, P_solidity_imagej, i, 0, (double) o->pixels / hull_area (&w->hull));
  if (wants (&j->t, P_feret_imagej) || wants (&j->t, P_feret_angle)) {
    put_property (&j->t, P_feret_imagej, i, 0, hull_diameter (&w->hull, dy, dx, &angle));
    put_property (&j->t, P_feret_angle, i, 0, angle);
  }
  if (wants (&j->t, P_feret_min))
    put_property (&j->t, P_feret_min, i, 0, hull_width (&w->hull, dy, dx));
}

/* ---- Outlines ---- */

static void
measure_perimeters (const region_job *j, const region_needs *need, const region *o, workspace *w, int32_t *link,
                    int64_t i)
{
  double scale = square_pixel_side (&j->t);
  if (need->perimeter)
    put_property (&j->t, P_perimeter, i, 0, region_perimeter (o, w->border) * scale);
  if (need->patterns) {
    region_patterns p = region_patterns_plane (o);
    put_property (&j->t, P_euler_number, i, 0, (double) p.euler);
    put_property (&j->t, P_perimeter_crofton, i, 0, p.crofton * scale);
  }
  if (need->trace)
    put_imagej_perimeter (&j->t, o, region_traced_perimeter (o, j->labels, j->t.spacing[1], j->t.spacing[2], link), i);
}

static void
measure_outline (const region_job *j, const region_needs *need, const region *o, workspace *w, int32_t *link, int64_t i)
{
  if (need->filled)
    put_property (&j->t, P_area_filled, i, 0, (double) region_filled (o, j->t.volume, link) * pixel_size (&j->t));
  if (!j->t.volume)
    measure_perimeters (j, need, o, w, link, i);
  else if (need->patterns)
    put_property (&j->t, P_euler_number, i, 0, (double) region_euler_volume (o));
}

/* ---- All objects ---- */

/* Memory for each thread, for the largest object along each axis. */
static fv_status
make_workspaces (const region_job *j, workspace **to, fv_error *error)
{
  int64_t threads = threads_at_most ();
  int32_t size[3] = {1, 1, 1};
  for (int64_t i = 0; i < j->found.n; i++) {
    const region *o = j->found.items + i;
    for (int a = 0; a < 3; a++)
      size[a] = o->high[a] - o->low[a] > size[a] ? o->high[a] - o->low[a] : size[a];
  }
  size_t chain = (size_t) hull_room (size[1]) * sizeof (hull_point), border = 3 * (size_t) region_border_runs (size[2]);
  size_t total = (2 * chain + ((size_t) size[1] + border) * sizeof (run) + 127) / 64 * 64;
  char *memory;
  fv_status status = scratch_items (j->call, threads, sizeof **to, to, error);
  if (!status)
    status = scratch_items (j->call, threads, total, &memory, error);
  for (int64_t t = 0; !status && t < threads; t++, memory += total) {
    workspace *w = *to + t;
    w->hull.left = (hull_point *) memory;
    w->hull.right = w->hull.left + hull_room (size[1]);
    w->fill = (run *) (w->hull.right + hull_room (size[1]));
    w->border = w->fill + size[1];
  }
  return status;
}

fv_status
region_shapes (const region_job *j, fv_error *error)
{
  const int64_t chunk = 32;
  region_needs need = region_needs_of (&j->t);
  bool links = need.filled || need.trace, outline = links || need.patterns || need.perimeter;
  workspace *spaces;
  int32_t *link;
  progress p = {j->call, .total = j->found.n};
  fv_status status = make_workspaces (j, &spaces, error);
  if (!status)
    status = scratch_items (j->call, links ? j->found.n_runs : 1, sizeof *link, &link, error);
  if (!status && j->t.volume && need.convex)
    status = region_solids (j->call, j->found.items, j->found.n, &j->t, error);
  if (!status && need.surface)
    status = region_surfaces (j->call, j->found.items, j->found.n, &j->t, error);
  if (status)
    return status;

#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t start = 0; start < j->found.n; start += chunk) {
    int64_t end = start + chunk < j->found.n ? start + chunk : j->found.n;
    workspace *w = spaces + thread_index ();
    if (progress_stopped (&p))
      continue;
    for (int64_t i = start; i < end; i++) {
      const region *o = j->found.items + i;
      put_box (&j->t, o, i);
      if (need.spread)
        measure_spread (j, &need, o, i);
      if (need.convex && !j->t.volume)
        measure_convex (j, o, w, i);
      if (need.imagej_hull)
        measure_imagej_hull (j, o, w, i);
      if (outline)
        measure_outline (j, &need, o, w, link + (links ? o->first_run : 0), i);
    }
    progress_step (&p, end - start);
  }
  return p.stop ? cancelled (error) : FV_OK;
}
