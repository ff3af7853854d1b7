/* SPDX-License-Identifier: MIT
 *
 * The properties of regionprops that need no intensities, object by object.
 */
#include "common_region_shape.h"

#include "common_region_hull.h"
#include "common_region_moments.h"
#include "common_region_outline.h"

/* Memory of one thread, large enough for any of the objects. */
typedef struct workspace {
  hull hull;
  run *fill, *border;
  void *hull3;
} workspace;

/* ---- Box, count, ellipse ---- */

static void
measure_box (const region_job *j, const region *o, int64_t i)
{
  int axes = j->volume ? 3 : 2;
  double n = (double) o->pixels, box = 1;
  for (int a = 3 - axes, k = 0; a < 3; a++, k++) {
    box *= o->high[a] - o->low[a];
    put (j, P_bbox, i, k, o->low[a]);
    put (j, P_bbox, i, k + axes, o->high[a]);
  }
  if (j->columns.plane >= 0)
    j->values[j->columns.plane * j->found.n + i] = o->low[0];
  put (j, P_label, i, 0, o->label);
  put (j, P_num_pixels, i, 0, n);
  put (j, P_area, i, 0, n * pixel_size (j));
  put (j, P_area_bbox, i, 0, box * pixel_size (j));
  put (j, P_extent, i, 0, n / box);
  if (wants (j, P_equivalent_diameter_area))
    put (j, P_equivalent_diameter_area, i, 0, pow (2 * axes * n * pixel_size (j) / PI, 1.0 / axes));
}

/* The row and column parts of the inertia tensor give the ellipse; all of it the ellipsoid. */
static void
measure_inertia (const region_job *j, const region_spread *s, int64_t i)
{
  int axes = j->volume ? 3 : 2, base = 3 - axes;
  double tensor[3][3] = {{0}}, trace = 0, l[3];
  for (int a = 0; a < axes; a++)
    for (int b = 0; b < axes; b++) {
      tensor[a][b] = -s->covariance[base + a][base + b] * (j->spacing[base + a] * j->spacing[base + b]);
      trace -= a == b ? tensor[a][b] : 0;
    }
  for (int a = 0; a < axes; a++)
    tensor[a][a] += trace;
  symmetric_eigenvalues (l, tensor, axes);
  for (int a = 0; a < axes; a++) {
    put (j, P_inertia_tensor_eigvals, i, a, l[a]);
    for (int b = 0; b < axes; b++)
      put (j, P_inertia_tensor, i, a * axes + b, tensor[a][b]);
  }
  if (j->volume) {
    put (j, P_axis_major_length, i, 0, sqrt (fmax (0, 10 * (l[0] + l[1] - l[2]))));
    put (j, P_axis_minor_length, i, 0, sqrt (fmax (0, 10 * (l[1] + l[2] - l[0]))));
    return;
  }
  double a = tensor[0][0], b = tensor[0][1], c = tensor[1][1];
  put (j, P_axis_major_length, i, 0, 4 * sqrt (l[0]));
  put (j, P_axis_minor_length, i, 0, 4 * sqrt (l[1]));
  put (j, P_eccentricity, i, 0, l[0] > 0 ? sqrt (1 - l[1] / l[0]) : 0);
  put (j, P_orientation, i, 0, a != c ? 0.5 * atan2 (-2 * b, c - a) : b < 0 ? PI / 4 : -PI / 4);
}

/* ImageJ's ellipse: the moments of square pixels, scaled to the object's area. */
static void
measure_imagej_ellipse (const region_job *j, const region *o, const region_spread *s, int64_t i)
{
  double dy = j->spacing[1], dx = j->spacing[2], area = (double) o->pixels * pixel_size (j);
  double yy = (s->covariance[1][1] + 1.0 / 12) * dy * dy, xx = (s->covariance[2][2] + 1.0 / 12) * dx * dx;
  double xy = s->covariance[1][2] * dy * dx, root = hypot (0.5 * (xx - yy), xy), mean = 0.5 * (xx + yy);
  double ratio = (mean + root) / sqrt (xx * yy - xy * xy);
  double major = sqrt (4 * area / PI * ratio), minor = sqrt (4 * area / PI / ratio);
  double angle = 0.5 * atan2 (-2 * xy, xx - yy) * 180 / PI;
  put (j, P_major_axis_imagej, i, 0, major);
  put (j, P_minor_axis_imagej, i, 0, minor);
  put (j, P_angle_imagej, i, 0, angle < 0 ? angle + 180 : fabs (angle));
  put (j, P_aspect_ratio, i, 0, major / minor);
  put (j, P_roundness, i, 0, 4 * area / (PI * major * major));
}

/* ---- Moments ---- */

static void
measure_moments (const region_job *j, const region *o, const region_spread *s, int64_t i)
{
  static const double corner[3] = {0};
  double m[VOLUME_MOMENTS], nu[VOLUME_MOMENTS], hu[7];
  int n = j->volume ? VOLUME_MOMENTS : PLANE_MOMENTS;
  if (wants (j, P_moments)) {
    region_moments (o, j->volume, corner, m);
    moments_scale (m, j->volume, j->spacing);
    for (int k = 0; k < n; k++)
      put (j, P_moments, i, k, m[k]);
  }
  if (!wants (j, P_moments_central) && !wants (j, P_moments_normalized) && !wants (j, P_moments_hu))
    return;
  region_moments (o, j->volume, s->centre, m);
  moments_scale (m, j->volume, j->spacing);
  moments_normalise (nu, m, j->volume, j->spacing);
  for (int k = 0; k < n; k++) {
    put (j, P_moments_central, i, k, m[k]);
    put (j, P_moments_normalized, i, k, nu[k]);
  }
  moments_hu (hu, nu);
  for (int k = 0; k < 7; k++)
    put (j, P_moments_hu, i, k, hu[k]);
}

static void
measure_spread (const region_job *j, const region *o, int64_t i)
{
  int axes = j->volume ? 3 : 2;
  region_spread s = region_spread_of (o);
  for (int a = 3 - axes, k = 0; a < 3; a++, k++) {
    put (j, P_centroid_local, i, k, s.centre[a] * j->spacing[a]);
    put (j, P_centroid, i, k, (o->low[a] + s.centre[a]) * j->spacing[a]);
  }
  measure_inertia (j, &s, i);
  if (!j->volume)
    measure_imagej_ellipse (j, o, &s, i);
  measure_moments (j, o, &s, i);
}

/* ---- Hulls ---- */

static void
measure_convex (const region_job *j, const region *o, workspace *w, int64_t i)
{
  static const int32_t corner[3] = {0};
  int64_t pixels, rows = o->high[1] - o->low[1];
  double feret;
  bool with_feret = wants (j, P_feret_diameter_max);
  if (j->volume)
    pixels = hull3_volume (o, w->hull3, j->spacing, with_feret ? &feret : NULL);
  else {
    hull_build (&w->hull, o->runs, o->n_runs, o->low, HULL_DIAMOND);
    pixels = hull_fill (&w->hull, rows, with_feret ? w->fill : NULL);
    if (with_feret) {
      hull_build (&w->hull, w->fill, rows, corner, HULL_DIAMOND);
      feret = hull_diameter (&w->hull, j->spacing[1], j->spacing[2], NULL);
    }
  }
  put (j, P_area_convex, i, 0, (double) pixels * pixel_size (j));
  put (j, P_solidity, i, 0, (double) o->pixels / (double) pixels);
  if (with_feret)
    put (j, P_feret_diameter_max, i, 0, feret);
}

static void
measure_imagej_hull (const region_job *j, const region *o, workspace *w, int64_t i)
{
  double dy = j->spacing[1], dx = j->spacing[2], angle;
  hull_build (&w->hull, o->runs, o->n_runs, o->low, HULL_SQUARE);
  if (wants (j, P_solidity_imagej))
    put (j, P_solidity_imagej, i, 0, (double) o->pixels / hull_area (&w->hull));
  if (wants (j, P_feret_imagej) || wants (j, P_feret_angle)) {
    put (j, P_feret_imagej, i, 0, hull_diameter (&w->hull, dy, dx, &angle));
    put (j, P_feret_angle, i, 0, angle);
  }
  if (wants (j, P_feret_min))
    put (j, P_feret_min, i, 0, hull_width (&w->hull, dy, dx));
}

/* ---- Outlines ---- */

static void
measure_perimeters (const region_job *j, const region *o, workspace *w, int32_t *link, int64_t i)
{
  double dy = j->spacing[1], dx = j->spacing[2], scale = fabs (dy - dx) <= 1e-6 * dy ? dy : NAN;
  if (wants (j, P_perimeter))
    put (j, P_perimeter, i, 0, region_perimeter (o, w->border) * scale);
  if (wants (j, P_euler_number) || wants (j, P_perimeter_crofton)) {
    region_patterns p = region_patterns_plane (o);
    put (j, P_euler_number, i, 0, (double) p.euler);
    put (j, P_perimeter_crofton, i, 0, p.crofton * scale);
  }
  if (wants (j, P_perimeter_imagej) || wants (j, P_circularity)) {
    double length = region_traced_perimeter (o, j->labels, dy, dx, link);
    put (j, P_perimeter_imagej, i, 0, length);
    put (j, P_circularity, i, 0, fmin (1, 4 * PI * (double) o->pixels * pixel_size (j) / (length * length)));
  }
}

static void
measure_outline (const region_job *j, const region *o, workspace *w, int32_t *link, int64_t i)
{
  if (wants (j, P_area_filled))
    put (j, P_area_filled, i, 0, (double) region_filled (o, j->volume, link) * pixel_size (j));
  if (!j->volume)
    measure_perimeters (j, o, w, link, i);
  else if (wants (j, P_euler_number))
    put (j, P_euler_number, i, 0, (double) region_euler_volume (o));
}

/* ---- All objects ---- */

static bool
wants_any (const region_job *j, const property *list)
{
  bool any = false;
  for (; *list != PROPERTIES; list++)
    any |= wants (j, *list);
  return any;
}

/* Which of the parts above the asked properties need. */
typedef struct needs {
  bool spread, convex, imagej_hull, outline, links;
} needs;

static needs
needs_of (const region_job *j)
{
  static const property spread[] = {P_axis_major_length,
                                    P_axis_minor_length,
                                    P_centroid,
                                    P_centroid_local,
                                    P_eccentricity,
                                    P_inertia_tensor,
                                    P_inertia_tensor_eigvals,
                                    P_moments,
                                    P_moments_central,
                                    P_moments_hu,
                                    P_moments_normalized,
                                    P_orientation,
                                    P_major_axis_imagej,
                                    P_minor_axis_imagej,
                                    P_angle_imagej,
                                    P_aspect_ratio,
                                    P_roundness,
                                    PROPERTIES};
  static const property convex[] = {P_area_convex, P_solidity, P_feret_diameter_max, PROPERTIES};
  static const property imagej_hull[] = {P_solidity_imagej, P_feret_imagej, P_feret_angle, P_feret_min, PROPERTIES};
  static const property outline[] = {P_area_filled,      P_euler_number, P_perimeter, P_perimeter_crofton,
                                     P_perimeter_imagej, P_circularity,  PROPERTIES};
  static const property links[] = {P_area_filled, P_perimeter_imagej, P_circularity, PROPERTIES};
  return (needs){wants_any (j, spread), wants_any (j, convex), wants_any (j, imagej_hull), wants_any (j, outline),
                 wants_any (j, links)};
}

/* Memory for each thread, for the largest object along each axis. */
static fv_status
make_workspaces (const region_job *j, const needs *need, workspace **to, fv_error *error)
{
  int64_t threads = threads_at_most ();
  int32_t size[3] = {1, 1, 1};
  size_t bytes = 0;
  for (int64_t i = 0; i < j->found.n; i++) {
    const region *o = j->found.items + i;
    int32_t side[3];
    for (int a = 0; a < 3; a++) {
      side[a] = o->high[a] - o->low[a];
      size[a] = side[a] > size[a] ? side[a] : size[a];
    }
    size_t of_hull = j->volume && need->convex ? hull3_bytes (side) : 0;
    bytes = of_hull > bytes ? of_hull : bytes;
  }
  size_t chain = (size_t) hull_room (size[1]) * sizeof (hull_point), border = 3 * (size_t) region_border_runs (size[2]);
  size_t total = (2 * chain + ((size_t) size[1] + border) * sizeof (run) + bytes + 127) / 64 * 64;
  char *memory;
  fv_status status = scratch_items (j->call, threads, sizeof **to, to, error);
  if (!status)
    status = scratch_items (j->call, threads, total, &memory, error);
  for (int64_t t = 0; !status && t < threads; t++, memory += total) {
    workspace *w = *to + t;
    w->hull3 = memory;
    w->hull.left = (hull_point *) (memory + (bytes + 63) / 64 * 64);
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
  needs need = needs_of (j);
  workspace *spaces;
  int32_t *link;
  progress p = {j->call, .total = j->found.n};
  fv_status status = make_workspaces (j, &need, &spaces, error);
  if (!status)
    status = scratch_items (j->call, need.links ? j->found.n_runs : 1, sizeof *link, &link, error);
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
      measure_box (j, o, i);
      if (need.spread)
        measure_spread (j, o, i);
      if (need.convex)
        measure_convex (j, o, w, i);
      if (need.imagej_hull)
        measure_imagej_hull (j, o, w, i);
      if (need.outline)
        measure_outline (j, o, w, link + (need.links ? o->first_run : 0), i);
    }
    progress_step (&p, end - start);
  }
  return p.stop ? cancelled (error) : FV_OK;
}
