/* SPDX-License-Identifier: MIT
 *
 * Hulls of voxels by Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The Quickhull algorithm for convex hulls, ACM
 * Trans. Math. Softw. 22 (1996)), with predicates exact in 64-bit integers: a point in a face's plane does not see the face.
 * The middles of the voxels' faces lie in levels, 2z from the voxels of plane z and 2z + 1 from those of z and z + 1. Only the corners
 * of each level's hull in the plane are points of the hull in space. Each face then writes the ends of the rows below it.
 */
#include "kernels/regions/region_hull.h"
#include "kernels/regions/region_moments.h"

/* Sides below HULL3_MAX_SIDE keep the components of a normal below 2^30, and products with coordinates below 2^46. */
typedef struct face {
  int64_t level;                 /* normal . p <= level for all points of the hull */
  int64_t farthest;              /* height of the first point above */
  int32_t normal[3];             /* outward */
  int32_t vertex[3], next_to[3]; /* next_to[i] is the face across the edge vertex[i], vertex[i + 1] */
  int32_t above;    /* first of the points that see this face and are not in the hull yet, the farthest; -1: none */
  bool gone, waits; /* waits: its number is in `work`, which stays so when the slot is used again */
} face;

typedef struct edge {
  int32_t a, b, beyond;
} edge;

enum { BLOCK = 16 /* corners whose distances are bounded together */ };

typedef struct corners {
  double at[3][BLOCK], low[3], high[3];
} corners;

typedef struct hull3 {
  int32_t (*point)[3]; /* doubled coordinates */
  int32_t *following;  /* next in a face's list of points above it */
  int32_t *face_from;  /* the new face on the horizon's edge that starts at this point */
  face *faces;
  int32_t *spare, *work, *stack; /* faces that are free; faces to look at; for the search */
  edge *horizon;
  int32_t *begin, *end; /* of each row of the box inside the hull: voxels begin ... end - 1 */
  hull section[2], level;
  corners *blocks; /* in the memory of the faces, when these are not needed any more */
  int64_t n_points;
  int32_t n_faces, n_spare, n_work;
} hull3;

/* ---- Memory ---- */

static void
box_size (const region *o, int32_t size[3])
{
  for (int a = 0; a < 3; a++)
    size[a] = o->high[a] - o->low[a];
}

/* Chains of a level have no more points: a convex lattice polygon has few corners, and a row gives two ends. */
static int64_t
most_points (const int32_t size[3])
{
  double side = size[1] > size[2] ? size[1] : size[2];
  double of_level = fmin (4 * ceil (cbrt (side * side)) + 8, 2.0 * size[1]) + 8;
  return (2 * (int64_t) size[0] + 1) * (int64_t) of_level;
}

/* Lays the arrays out from `memory` on, or only counts their bytes. */
static size_t
lay_out (hull3 *h, char *memory, const int32_t size[3])
{
  size_t at = 0, points = (size_t) most_points (size), faces = 2 * points + 8;
  size_t rows = (size_t) size[0] * (size_t) size[1], chain = 3 * (size_t) hull_room (size[1]);
#define TAKE(FIELD, COUNT) h->FIELD = (void *) (memory + at), at += ((COUNT) * sizeof *h->FIELD + 63) / 64 * 64
  TAKE (faces, faces);
  TAKE (point, points);
  TAKE (following, points);
  TAKE (face_from, points);
  TAKE (spare, faces);
  TAKE (work, faces);
  TAKE (stack, faces);
  TAKE (horizon, points);
  TAKE (begin, rows);
  TAKE (end, rows);
  for (int i = 0; i < 2; i++) {
    TAKE (section[i].left, chain);
    TAKE (section[i].right, chain);
  }
  TAKE (level.left, chain);
  TAKE (level.right, chain);
#undef TAKE
  h->blocks = (corners *) (void *) h->faces;
  return at;
}

fv_status
hull3_check (const region *o, fv_error *error)
{
  int32_t size[3];
  box_size (o, size);
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
hull3_bytes (const region *o)
{
  static char nowhere[1];
  int32_t size[3];
  hull3 h;
  box_size (o, size);
  return lay_out (&h, nowhere, size);
}

/* ---- Points ---- */

static void
add_points (hull3 *h, int64_t z)
{
  for (int64_t k = 0; k < hull_points (&h->level); k++) {
    hull_point p = hull_at (&h->level, k);
    int32_t *to = h->point[h->n_points++];
    to[0] = (int32_t) z, to[1] = p.y, to[2] = p.x;
  }
}

/* The chain of the points of two chains. */
static int64_t
merge_chains (hull_point *to, const hull_point *a, int64_t n_a, const hull_point *b, int64_t n_b, int side)
{
  int64_t n = 0;
  for (int64_t i = 0, k = 0; i < n_a || k < n_b;) {
    bool first = k == n_b || (i < n_a && a[i].y <= b[k].y);
    hull_point p = first ? a[i++] : b[k++];
    chain_add (to, &n, p.y, p.x, side);
  }
  return n;
}

/* The level between two planes, from the centers of the voxels in both. */
static void
add_between (hull3 *h, const hull *a, const hull *b, int64_t z)
{
  h->level.n_left = merge_chains (h->level.left, a->left, a->n_left, b->left, b->n_left, -1);
  h->level.n_right = merge_chains (h->level.right, a->right, a->n_right, b->right, b->n_right, 1);
  add_points (h, z);
}

/* The level of a plane, from the middles of the sides of its pixels. */
static void
add_within (hull3 *h, const hull *section, int64_t z)
{
  h->level.n_left = h->level.n_right = 0;
  for (int64_t i = 0; i < section->n_left; i++)
    chain_add_row (h->level.left, &h->level.n_left, section->left[i].y, section->left[i].x, -1, HULL_DIAMOND);
  for (int64_t i = 0; i < section->n_right; i++)
    chain_add_row (h->level.right, &h->level.n_right, section->right[i].y, section->right[i].x, 1, HULL_DIAMOND);
  add_points (h, z);
}

/* Adds the planes from the first to the last; `next` makes the section of plane z, which may be empty. */
static void
add_planes (hull3 *h, int64_t planes, void (*next) (hull3 *h, int64_t z, hull *section, void *data), void *data)
{
  h->n_points = 0;
  h->section[1].n_left = h->section[1].n_right = 0;
  for (int64_t z = 0; z <= planes; z++) {
    hull *now = &h->section[z & 1], *before = &h->section[1 - (z & 1)];
    now->n_left = now->n_right = 0;
    if (z < planes)
      next (h, z, now, data);
    add_between (h, before, now, 2 * z - 1);
    add_within (h, now, 2 * z);
  }
}

typedef struct plane_runs {
  const region *object;
  int64_t at;
} plane_runs;

/* A section of the object itself. */
static void
section_of_runs (hull3 *h, int64_t z, hull *section, void *data)
{
  plane_runs *p = data;
  const region *o = p->object;
  int64_t end = p->at;
  (void) h;
  while (end < o->n_runs && o->runs[end].z - o->low[0] == z)
    end++;
  hull_build (section, o->runs + p->at, end - p->at, o->low, HULL_CENTER);
  p->at = end;
}

/* A section of the voxels in the hull; data: rows of the box. */
static void
section_of_hull (hull3 *h, int64_t z, hull *section, void *data)
{
  int64_t rows = *(int32_t *) data;
  const int32_t *begin = h->begin + z * rows, *end = h->end + z * rows;
  for (int64_t y = 0; y < rows; y++)
    if (end[y] > begin[y]) {
      chain_add (section->left, &section->n_left, 2 * y, 2 * (int64_t) begin[y], -1);
      chain_add (section->right, &section->n_right, 2 * y, 2 * (int64_t) end[y] - 2, 1);
    }
}

/* ---- Faces ---- */

static void
cross_product (const hull3 *h, int32_t a, int32_t b, int32_t c, int32_t n[3])
{
  int32_t u[3], v[3];
  for (int i = 0; i < 3; i++)
    u[i] = h->point[b][i] - h->point[a][i], v[i] = h->point[c][i] - h->point[a][i];
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
}

static inline int64_t
height (const hull3 *h, const face *f, int32_t p)
{
  const int32_t *at = h->point[p];
  return (int64_t) f->normal[0] * at[0] + (int64_t) f->normal[1] * at[1] + (int64_t) f->normal[2] * at[2] - f->level;
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
    int64_t d = height (h, f, p);
    if (d <= 0)
      continue;
    if (d > f->farthest) {
      h->following[p] = f->above;
      f->above = p;
      f->farthest = d;
    } else {
      h->following[p] = h->following[f->above];
      h->following[f->above] = p;
    }
    return;
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
square (const int32_t v[3])
{
  return (double) v[0] * (double) v[0] + (double) v[1] * (double) v[1] + (double) v[2] * (double) v[2];
}

/* A tetrahedron of points that lie far from each other; the middles of a voxel's faces always hold one. */
static void
first_faces (hull3 *h)
{
  static const int8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int8_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  int32_t v[4] = {0}, n[3];
  double most = -1;
  for (int32_t i = 0; i < h->n_points; i++) {
    int32_t d[3] = {h->point[i][0] - h->point[0][0], h->point[i][1] - h->point[0][1], h->point[i][2] - h->point[0][2]};
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
  int64_t farthest = 0;
  face *f = h->faces + new_face (h, v[0], v[1], v[2]);
  for (int32_t i = 0; i < h->n_points; i++) {
    int64_t d = height (h, f, i);
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
    int32_t q = f->above, orphans = -1;
    f->waits = false;
    if (f->gone || q < 0)
      continue;
    int32_t n = open_hull (h, start, q, &orphans);
    close_hull (h, n, q, orphans);
  }
}

/* ---- Results ---- */

/* Rounds (base - step * y) / under towards 0, for y = from ... to. What is divided is an integer below 2^53, and a quotient that is
 * not whole is farther from an integer than it is rounded by, since sides are below HULL3_MAX_SIDE. */
VECTORISED static void
divide_rows (int32_t *row, int32_t from, int32_t to, double base, double step, double under)
{
  for (int32_t y = from; y <= to; y++)
    row[y] = (int32_t) ((base - step * y) / under);
}

/* Narrows rows from ... to to those that the edge from a to b crosses at level z, wherever the edge does. */
static void
widen_rows (const int32_t *a, const int32_t *b, int64_t z, int64_t *from, int64_t *to)
{
  int64_t under = 2 * ((int64_t) b[0] - a[0]), over = (int64_t) a[1] * under / 2 + ((int64_t) b[1] - a[1]) * (z - a[0]);
  if (under == 0 || (z < a[0] && z < b[0]) || (z > a[0] && z > b[0]))
    return;
  if (under < 0)
    under = -under, over = -over;
  int64_t down = over / under - (over % under < 0), up = down + (over % under != 0);
  *from = up < *from ? up : *from;
  *to = down > *to ? down : *to;
}

/* Ends the rows through a face: those whose centers are in its shadow along x. */
static void
end_rows (hull3 *h, const face *f, int64_t rows)
{
  const int side = f->normal[2] > 0 ? 1 : -1;
  const int32_t *a = h->point[f->vertex[0]], *b = h->point[f->vertex[1]], *c = h->point[f->vertex[2]];
  int32_t low = a[0] < b[0] ? a[0] : b[0], high = a[0] > b[0] ? a[0] : b[0];
  low = c[0] < low ? c[0] : low, high = c[0] > high ? c[0] : high;
  const int64_t under = 2 * (int64_t) side * f->normal[2];
  for (int64_t z = (low + 1) / 2; 2 * z <= high; z++) {
    int64_t from = INT32_MAX, to = -1;
    widen_rows (a, b, 2 * z, &from, &to);
    widen_rows (b, c, 2 * z, &from, &to);
    widen_rows (c, a, 2 * z, &from, &to);
    /* The last voxel and one more, or the first: x is at least -1/2. */
    int64_t base = side * (f->level - 2 * z * f->normal[0]) + under - (side < 0);
    divide_rows ((side > 0 ? h->end : h->begin) + z * rows, (int32_t) from, (int32_t) to, (double) base,
                 2.0 * side * f->normal[1], (double) under);
  }
}

/* Finds the voxels in the hull row by row, and counts them. */
static int64_t
fill_hull (hull3 *h, const int32_t size[3])
{
  int64_t rows = (int64_t) size[0] * size[1], voxels = 0;
  memset (h->begin, 0, (size_t) rows * sizeof *h->begin);
  memset (h->end, 0, (size_t) rows * sizeof *h->end);
  for (int32_t i = 0; i < h->n_faces; i++)
    if (!h->faces[i].gone && h->faces[i].normal[2])
      end_rows (h, h->faces + i, size[1]);
  for (int64_t i = 0; i < rows; i++)
    voxels += h->end[i] - h->begin[i];
  return voxels;
}

/* ---- The diameter ---- */

/* Gathers the corners of the hull into blocks, the last of which repeats its last corner. */
static int64_t
gather_corners (hull3 *h, const double spacing[3])
{
  int64_t n = 0, blocks;
  memset (h->face_from, 0, (size_t) h->n_points * sizeof *h->face_from);
  for (int32_t i = 0; i < h->n_faces; i++)
    for (int k = 0; k < 3 && !h->faces[i].gone; k++)
      h->face_from[h->faces[i].vertex[k]] = 1;
  for (int64_t p = 0; p < h->n_points; p++)
    if (h->face_from[p])
      h->following[n++] = (int32_t) p;
  blocks = (n + BLOCK - 1) / BLOCK;
  for (int64_t i = 0; i < blocks; i++) {
    corners *b = h->blocks + i;
    for (int a = 0; a < 3; a++) {
      b->low[a] = INFINITY, b->high[a] = -INFINITY;
      for (int64_t k = 0; k < BLOCK; k++) {
        int64_t at = i * BLOCK + k < n ? i * BLOCK + k : n - 1;
        b->at[a][k] = h->point[h->following[at]][a];
        b->low[a] = fmin (b->low[a], b->at[a][k] * spacing[a]);
        b->high[a] = fmax (b->high[a], b->at[a][k] * spacing[a]);
      }
    }
  }
  return blocks;
}

/* No square of a distance between two blocks is larger. */
static double
most_between (const corners *a, const corners *b)
{
  double d = 0;
  for (int i = 0; i < 3; i++) {
    double along = fmax (a->high[i] - b->low[i], b->high[i] - a->low[i]);
    d += along * along;
  }
  return d * (1 + 1e-12);
}

VECTORISED static double
farthest (const corners *a, const corners *b, const double spacing[3])
{
  double most[BLOCK] = {0}, all = 0;
  for (int i = 0; i < BLOCK; i++)
    for (int k = 0; k < BLOCK; k++) {
      double z = (a->at[0][i] - b->at[0][k]) * spacing[0], y = (a->at[1][i] - b->at[1][k]) * spacing[1];
      double x = (a->at[2][i] - b->at[2][k]) * spacing[2], d = z * z + y * y + x * x;
      most[k] = d > most[k] ? d : most[k];
    }
  for (int k = 0; k < BLOCK; k++)
    all = most[k] > all ? most[k] : all;
  return all;
}

static double
diameter (hull3 *h, const double spacing[3])
{
  int64_t n = gather_corners (h, spacing);
  double most = 0;
  /* Blocks far from each other in the list come first, which are far in space as well. */
  for (int64_t apart = n - 1; apart >= 0; apart--)
    for (int64_t i = 0; i + apart < n; i++)
      if (most_between (h->blocks + i, h->blocks + i + apart) > most)
        most = fmax (most, farthest (h->blocks + i, h->blocks + i + apart, spacing));
  return sqrt (most) / 2;
}

int64_t
hull3_volume (const region *o, void *memory, const double spacing[3], double *feret)
{
  int32_t size[3];
  hull3 h;
  box_size (o, size);
  lay_out (&h, memory, size);
  add_planes (&h, size[0], section_of_runs, &(plane_runs){o, 0});
  build (&h);
  int64_t voxels = fill_hull (&h, size);
  if (feret) {
    add_planes (&h, size[0], section_of_hull, &size[1]);
    build (&h);
    *feret = diameter (&h, spacing);
  }
  return voxels;
}
