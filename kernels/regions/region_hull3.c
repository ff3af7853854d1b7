/* SPDX-License-Identifier: MIT
 *
 * Hulls of voxels by Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The Quickhull algorithm for convex hulls, ACM
 * Trans. Math. Softw. 22 (1996)), with predicates exact in integers: a point in a face's plane does not see the face.
 * The input is cut down beforehand to the vertices of each slice's hull.
 */
#include "kernels/regions/region_hull.h"
#include "kernels/regions/region_moments.h"

enum { MIDDLES = 6 };

typedef struct face {
  int32_t vertex[3], next_to[3]; /* next_to[i] is the face across the edge vertex[i], vertex[i + 1] */
  int32_t above;                 /* first of the points that see this face and are not in the hull yet; -1: none */
  bool gone, waits;              /* waits: its number is in `work`, which stays so when the place is used again */
  int64_t normal[3];             /* outward: normal . p <= level for all points of the hull */
  wide level;
} face;

typedef struct edge {
  int32_t a, b, beyond;
} edge;

typedef struct hull3 {
  int32_t (*point)[3]; /* doubled coordinates */
  int32_t *following;  /* next in a face's list of points above it */
  int32_t *face_from;  /* the new face on the horizon's edge that starts at this point */
  face *faces;
  int32_t *spare, *work, *stack; /* faces that are free; faces to look at; for the search */
  edge *horizon;
  double *reach, *slope; /* of each face at one z */
  run *fill;
  hull slice;
  int64_t n_points;
  int32_t n_faces, n_spare, n_work;
} hull3;

/* ---- Memory ---- */

static int64_t
most_points (const int32_t size[3])
{
  double side = size[1] > size[2] ? size[1] : size[2];
  /* A convex lattice polygon has few corners. */
  double of_slice = fmin (4 * ceil (cbrt (side * side)) + 8, 2.0 * size[1]);
  return MIDDLES * size[0] * (int64_t) of_slice;
}

/* Lays the arrays out from `memory` on, or only counts their bytes. */
static size_t
lay_out (hull3 *h, char *memory, const int32_t size[3])
{
  size_t at = 0, points = (size_t) most_points (size), faces = 2 * points + 8;
#define TAKE(FIELD, COUNT) h->FIELD = (void *) (memory + at), at += ((COUNT) * sizeof *h->FIELD + 63) / 64 * 64
  TAKE (faces, faces);
  TAKE (point, points);
  TAKE (following, points);
  TAKE (face_from, points);
  TAKE (spare, faces);
  TAKE (work, faces);
  TAKE (stack, faces);
  TAKE (horizon, faces);
  TAKE (reach, faces);
  TAKE (slope, faces);
  TAKE (fill, (size_t) size[0] * (size_t) size[1]);
  TAKE (slice.left, (size_t) hull_room (size[1]));
  TAKE (slice.right, (size_t) hull_room (size[1]));
#undef TAKE
  return at;
}

fv_status
hull3_check (const int32_t size[3], fv_error *error)
{
  for (int a = 0; a < 3; a++)
    if (size[a] >= HULL3_MAX_SIDE)
      return fail (
        error, FV_UNSUPPORTED, "properties",
        "An object is %d x %d x %d voxels; convex hulls in 3-D are for sides below %d: leave out area_convex, solidity "
        "and feret_diameter_max, or scale the image down.",
        size[2], size[1], size[0], HULL3_MAX_SIDE);
  return FV_OK;
}

size_t
hull3_bytes (const int32_t size[3])
{
  static char nowhere[1];
  hull3 h;
  return lay_out (&h, nowhere, size);
}

/* ---- Points ---- */

static void
add_point (hull3 *h, int64_t z, int64_t y, int64_t x)
{
  h->point[h->n_points][0] = (int32_t) z;
  h->point[h->n_points][1] = (int32_t) y;
  h->point[h->n_points++][2] = (int32_t) x;
}

static void
add_points (hull3 *h, const run *runs, int64_t n, const int32_t low[3])
{
  h->n_points = 0;
  for (int64_t i = 0, end; i < n; i = end) {
    for (end = i; end < n && runs[end].z == runs[i].z;)
      end++;
    hull_build (&h->slice, runs + i, end - i, low, HULL_CENTRE);
    int64_t z = 2 * ((int64_t) runs[i].z - low[0]);
    for (int64_t k = 0; k < hull_points (&h->slice); k++) {
      hull_point p = hull_at (&h->slice, k);
      add_point (h, z - 1, p.y, p.x), add_point (h, z + 1, p.y, p.x);
      add_point (h, z, p.y - 1, p.x), add_point (h, z, p.y + 1, p.x);
      add_point (h, z, p.y, p.x - 1), add_point (h, z, p.y, p.x + 1);
    }
  }
}

/* ---- Faces ---- */

static void
cross_product (const hull3 *h, int32_t a, int32_t b, int32_t c, int64_t n[3])
{
  int64_t u[3], v[3];
  for (int i = 0; i < 3; i++)
    u[i] = h->point[b][i] - h->point[a][i], v[i] = h->point[c][i] - h->point[a][i];
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
}

static wide
height (const hull3 *h, const face *f, int32_t p)
{
  return (wide) f->normal[0] * h->point[p][0] + (wide) f->normal[1] * h->point[p][1]
         + (wide) f->normal[2] * h->point[p][2] - f->level;
}

static int32_t
new_face (hull3 *h, int32_t a, int32_t b, int32_t c)
{
  bool again = h->n_spare > 0;
  int32_t i = again ? h->spare[--h->n_spare] : h->n_faces++;
  face *f = h->faces + i;
  *f = (face){.vertex = {a, b, c}, .above = -1, .waits = again && f->waits};
  cross_product (h, a, b, c, f->normal);
  f->level = height (h, f, a);
  return i;
}

/* Gives a point to the first of n faces that it sees. */
static void
give_point (hull3 *h, int32_t p, const int32_t *faces, int32_t n)
{
  for (int32_t i = 0; i < n; i++) {
    face *f = h->faces + faces[i];
    if (height (h, f, p) > 0) {
      h->following[p] = f->above;
      f->above = p;
      return;
    }
  }
}

static void
look_at_later (hull3 *h, int32_t i)
{
  if (h->faces[i].above >= 0 && !h->faces[i].waits) {
    h->faces[i].waits = true;
    h->work[h->n_work++] = i;
  }
}

static double
square (const int64_t v[3])
{
  return (double) v[0] * (double) v[0] + (double) v[1] * (double) v[1] + (double) v[2] * (double) v[2];
}

/* A tetrahedron of points that lie far from each other; the middles of a voxel's faces always hold one. */
static void
first_faces (hull3 *h)
{
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  int32_t v[4] = {0};
  int64_t n[3];
  double most = -1;
  for (int32_t i = 0; i < h->n_points; i++) {
    int64_t d[3] = {h->point[i][0] - h->point[0][0], h->point[i][1] - h->point[0][1], h->point[i][2] - h->point[0][2]};
    if (square (d) > most)
      most = square (d), v[1] = i;
  }
  most = -1;
  for (int32_t i = 0; i < h->n_points; i++) {
    cross_product (h, v[0], v[1], i, n);
    if (square (n) > most)
      most = square (n), v[2] = i;
  }
  h->n_faces = h->n_spare = 0;
  wide farthest = 0;
  face *f = h->faces + new_face (h, v[0], v[1], v[2]);
  for (int32_t i = 0; i < h->n_points; i++) {
    wide d = height (h, f, i);
    if ((d < 0 ? -d : d) > (farthest < 0 ? -farthest : farthest))
      farthest = d, v[3] = i;
  }
  if (farthest > 0) {
    int32_t swap = v[0];
    v[0] = v[1], v[1] = swap;
  }
  h->n_faces = 0;
  for (int i = 0; i < 4; i++) {
    new_face (h, v[corner[i][0]], v[corner[i][1]], v[corner[i][2]]);
    for (int e = 0; e < 3; e++)
      h->faces[i].next_to[e] = beside[i][e];
  }
}

/* Takes away the faces that point q sees, from face `start` on; returns the number of the horizon's edges. The points
 * above those faces are put together in one list. */
static int32_t
open_hull (hull3 *h, int32_t start, int32_t q, int32_t *orphans)
{
  int32_t n_stack = 0, n_horizon = 0;
  h->stack[n_stack++] = start;
  h->faces[start].gone = true;
  while (n_stack) {
    int32_t i = h->stack[--n_stack];
    face *f = h->faces + i;
    for (int e = 0; e < 3; e++) {
      face *g = h->faces + f->next_to[e];
      if (g->gone)
        continue;
      if (height (h, g, q) > 0) {
        g->gone = true;
        h->stack[n_stack++] = f->next_to[e];
      } else
        h->horizon[n_horizon++] = (edge){f->vertex[e], f->vertex[(e + 1) % 3], f->next_to[e]};
    }
    for (int32_t p = f->above, next; p >= 0; p = next) {
      next = h->following[p];
      if (p != q)
        h->following[p] = *orphans, *orphans = p;
    }
    h->spare[h->n_spare++] = i;
  }
  return n_horizon;
}

static void
close_hull (hull3 *h, int32_t n_horizon, int32_t q, int32_t orphans)
{
  int32_t *made = h->stack;
  for (int32_t i = 0; i < n_horizon; i++) {
    edge e = h->horizon[i];
    face *g = h->faces + e.beyond;
    made[i] = new_face (h, e.a, e.b, q);
    h->faces[made[i]].next_to[0] = e.beyond;
    for (int k = 0; k < 3; k++)
      if (g->vertex[k] == e.b && g->vertex[(k + 1) % 3] == e.a)
        g->next_to[k] = made[i];
    h->face_from[e.a] = made[i];
  }
  for (int32_t i = 0; i < n_horizon; i++) {
    int32_t after = h->face_from[h->horizon[i].b];
    h->faces[made[i]].next_to[1] = after;
    h->faces[after].next_to[2] = made[i];
  }
  for (int32_t p = orphans, next; p >= 0; p = next) {
    next = h->following[p];
    give_point (h, p, made, n_horizon);
  }
  for (int32_t i = 0; i < n_horizon; i++)
    look_at_later (h, made[i]);
}

static void
build (hull3 *h)
{
  static const int32_t four[] = {0, 1, 2, 3};
  first_faces (h);
  for (int32_t p = 0; p < h->n_points; p++)
    give_point (h, p, four, 4);
  h->n_work = 0;
  for (int32_t i = 0; i < 4; i++)
    look_at_later (h, i);
  while (h->n_work) {
    int32_t start = h->work[--h->n_work];
    face *f = h->faces + start;
    wide most = 0;
    int32_t q = -1, orphans = -1;
    f->waits = false;
    if (f->gone)
      continue;
    for (int32_t p = f->above; p >= 0; p = h->following[p])
      if (height (h, f, p) > most)
        most = height (h, f, p), q = p;
    if (q >= 0) {
      int32_t n = open_hull (h, start, q, &orphans);
      close_hull (h, n, q, orphans);
    }
  }
}

/* ---- Results ---- */

/* Smallest of reach - slope * y over n faces. */
VECTORISED static double
least_reach (const double *reach, const double *slope, int32_t n, double y)
{
  enum { LANES = 8 };
  double least[LANES];
  int32_t i = 0;
  for (int k = 0; k < LANES; k++)
    least[k] = INFINITY;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) {
      double x = reach[i + k] - slope[i + k] * y;
      least[k] = x < least[k] ? x : least[k];
    }
  for (; i < n; i++)
    least[0] = fmin (least[0], reach[i] - slope[i] * y);
  for (int k = 1; k < LANES; k++)
    least[0] = fmin (least[0], least[k]);
  return least[0];
}

/* Lists the faces that look along side * axis: at z, side * c[axis] <= reach - slope * c[axis - 1]. */
static int32_t
faces_along (hull3 *h, int axis, int side, double z)
{
  int32_t n = 0;
  for (int32_t i = 0; i < h->n_faces; i++) {
    const face *f = h->faces + i;
    double along = (double) (side * f->normal[axis]);
    if (f->gone || along <= 0 || (axis == 1 && f->normal[2]))
      continue;
    h->reach[n] = ((double) f->level - (double) f->normal[0] * z) / along;
    h->slope[n++] = axis == 2 ? (double) f->normal[1] / along : 0;
  }
  return n;
}

/* Lists the voxels in the hull row by row. A face's reach at a grid point is off the point by no less than 1 over a
 * component of its normal, which is more than `slack` with sides below HULL3_MAX_SIDE. */
static int64_t
fill_hull (hull3 *h, const int32_t size[3])
{
  const double slack = 1e-9;
  int64_t voxels = 0;
  for (int32_t z = 0; z < size[0]; z++) {
    run *to = h->fill + (int64_t) z * size[1];
    double top = floor (least_reach (h->reach, h->slope, faces_along (h, 1, 1, 2.0 * z), 0) / 2 + slack);
    double bottom = ceil (-least_reach (h->reach, h->slope, faces_along (h, 1, -1, 2.0 * z), 0) / 2 - slack);
    int32_t n = faces_along (h, 2, 1, 2.0 * z);
    for (int32_t y = 0; y < size[1]; y++) {
      double x = least_reach (h->reach, h->slope, n, 2.0 * y) / 2;
      bool empty = y < bottom || y > top || x < -1;
      to[y] = (run){.z = z, .y = y, .x1 = empty ? INT32_MIN : (int32_t) floor (x + slack) + 1};
    }
    n = faces_along (h, 2, -1, 2.0 * z);
    for (int32_t y = 0; y < size[1]; y++) {
      double x = -least_reach (h->reach, h->slope, n, 2.0 * y) / 2;
      to[y].x0 = x <= 0 ? 0 : x >= size[2] ? size[2] : (int32_t) ceil (x - slack);
      voxels += to[y].x1 > to[y].x0 ? to[y].x1 - to[y].x0 : 0;
    }
  }
  return voxels;
}

static double
diameter (hull3 *h, const double spacing[3])
{
  int32_t *corner = h->following, n = 0;
  double most = 0;
  memset (h->face_from, 0, (size_t) h->n_points * sizeof *h->face_from);
  for (int32_t i = 0; i < h->n_faces; i++)
    for (int k = 0; k < 3 && !h->faces[i].gone; k++)
      if (!h->face_from[h->faces[i].vertex[k]]++)
        corner[n++] = h->faces[i].vertex[k];
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = i + 1; j < n; j++) {
      double d = 0;
      for (int a = 0; a < 3; a++) {
        double along = (h->point[corner[i]][a] - h->point[corner[j]][a]) * spacing[a];
        d += along * along;
      }
      most = d > most ? d : most;
    }
  return sqrt (most) / 2;
}

int64_t
hull3_volume (const region *o, void *memory, const double spacing[3], double *feret)
{
  static const int32_t origin[3] = {0};
  int32_t size[3];
  hull3 h;
  for (int a = 0; a < 3; a++)
    size[a] = o->high[a] - o->low[a];
  lay_out (&h, memory, size);
  add_points (&h, o->runs, o->n_runs, o->low);
  build (&h);
  int64_t voxels = fill_hull (&h, size);
  if (feret) {
    add_points (&h, h.fill, (int64_t) size[0] * size[1], origin);
    build (&h);
    *feret = diameter (&h, spacing);
  }
  return voxels;
}
