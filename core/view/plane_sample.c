/* SPDX-License-Identifier: MIT
 *
 * Of the first samples of an image some values stay with it, and the last one as a whole: several parts of a program ask for it.
 */
#include "core/view/plane_sample.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/view/tiles.h"

enum {
  WHOLE = 1 << 22,  /* pixels: a plane of no more is read as a whole, */
  LEVEL = 1 << 18,  /* of a larger one the coarsest level with so many, */
  SPREAD = 1 << 22, /* and this many positions all over it: */
  WINDOWS = 8,      /* so many in each direction */
  WINDOW = 256,     /* of so many rows and columns */
  GLIMPSES = 16,
  GLIMPSE = 1 << 14
};

/* ---- What stays with the image ---- */

typedef struct {
  GMutex lock;
  guint n;
  gint64 planes[GLIMPSES];
  gint64 counts[GLIMPSES];
  double *values[GLIMPSES];
  PlaneSample last; /* no memory: none */
  gint64 last_plane;
} Glimpses;

G_DEFINE_QUARK (plane - glimpses, glimpses)

static void
glimpses_free (gpointer data)
{
  Glimpses *g = data;
  for (guint i = 0; i < g->n; i++)
    g_free (g->values[i]);
  plane_sample_clear (&g->last);
  g_mutex_clear (&g->lock);
  g_free (g);
}

static Glimpses *
glimpses_of (Image *image)
{
  Glimpses *g = image_kept (image, glimpses_quark ());
  if (g)
    return g;
  g = g_new0 (Glimpses, 1);
  g_mutex_init (&g->lock);
  if (!image_keep (image, glimpses_quark (), g, glimpses_free))
    glimpses_free (g);
  return image_kept (image, glimpses_quark ());
}

/* Every so many pixels; not the same columns in each row. */
static double *
pick (const ImageInfo *info, const void *pixels, gint64 max, gint64 *n)
{
  const gint64 all = info->rows * info->columns, stride = MAX (all / max, 1) | 1;
  double *values = g_new (double, (all - 1) / stride + 1);
  *n = 0;
  for (gint64 i = 0; i < all; i += stride)
    values[(*n)++] = pixel_type_value (info->type, pixels, i);
  return values;
}

static void
remember (Image *image, gint64 plane, const PlaneSample *sample)
{
  Glimpses *g = glimpses_of (image);
  g_mutex_lock (&g->lock);
  gboolean known = g->n == GLIMPSES;
  for (guint i = 0; i < g->n; i++)
    known |= g->planes[i] == plane;
  if (!known) {
    g->values[g->n] = pick (&sample->info, sample->pixels, GLIMPSE, &g->counts[g->n]);
    g->planes[g->n++] = plane;
  }
  plane_sample_clear (&g->last);
  g->last = *sample;
  g->last.memory = g_bytes_ref (sample->memory);
  g->last_plane = plane;
  g_mutex_unlock (&g->lock);
}

static gboolean
recall (PlaneSample *sample, Image *image, gint64 plane)
{
  Glimpses *g = glimpses_of (image);
  g_mutex_lock (&g->lock);
  gboolean known = g->last.memory && g->last_plane == plane;
  if (known) {
    *sample = g->last;
    g_bytes_ref (sample->memory);
  }
  g_mutex_unlock (&g->lock);
  return known;
}

double *
plane_glimpse (Image *image, gint64 plane, gint64 max, gint64 *n)
{
  const void *pixels = image_plane_now (image, plane);
  Glimpses *g = image_kept (image, glimpses_quark ());
  double *values = NULL;
  if (pixels)
    return pick (image_info (image), pixels, max, n);
  if (!g)
    return NULL;
  g_mutex_lock (&g->lock);
  for (guint i = 0; i < g->n; i++)
    if (g->planes[i] == plane) {
      const gint64 stride = MAX (g->counts[i] / max, 1);
      values = g_new (double, g->counts[i] / stride + 1);
      for (gint64 k = *n = 0; k < g->counts[i]; k += stride)
        values[(*n)++] = g->values[i][k];
    }
  g_mutex_unlock (&g->lock);
  return values;
}

/* ---- Reading ---- */

/* A level covers everything, but its objects are smaller and fainter; sampled positions have the true values, but
 * not all of them. */
typedef struct {
  Image *image;
  gint64 plane;
  guint level;
  ImageLevel small;     /* that level; of no rows when there is none */
  ImageLevel whole;     /* level 0 */
  gint64 down, across;  /* positions */
  gint64 rows, columns; /* of each */
  gsize pixel;
  guint8 *to;
} Reading;

static void
choose_level (Reading *r)
{
  ImageLevel next;
  while (image_level (r->image, r->level + 1, &next) && next.rows * next.columns >= LEVEL) {
    r->small = next;
    r->level++;
  }
}

/* As wide as what the file decodes at once. */
static void
choose_windows (Reading *r)
{
  const ImageLevel *l = &r->whole;
  r->columns = MIN (l->direct ? WINDOW : MAX (l->tile_columns, WINDOW), l->columns);
  r->across = CLAMP (l->columns / r->columns, 1, WINDOWS);
  r->rows = MIN (CLAMP (SPREAD / (WINDOWS * r->across * r->columns), 1, WINDOW), l->rows);
  r->down = CLAMP (l->rows / r->rows, 1, WINDOWS);
}

/* The start of position i of n: that of a tile if tiles are not larger. */
static gint64
begin (gint64 i, gint64 windows, gint64 n, gint64 length, gint64 tile)
{
  gint64 at = (gint64) (((double) i + 0.5) / (double) windows * (double) n) - length / 2;
  at = tile <= length ? at / tile * tile : at;
  return CLAMP (at, 0, n - length);
}

/* The level comes last, which is piece 0. */
static gboolean
read_piece (gpointer data, guint64 i, GError **error)
{
  const Reading *r = data;
  const gint64 window = (gint64) i - 1, y = window / r->across, x = window % r->across;
  const ImageRegion small = {0, 0, r->small.rows, r->small.columns};
  gsize row = (gsize) r->columns * r->pixel, bytes = row * (gsize) r->rows;
  if (window < 0)
    return small.rows == 0
           || image_read (r->image, r->level, r->plane, &small, r->to + bytes * (gsize) (r->down * r->across),
                          (gsize) small.columns * r->pixel, error);
  const ImageRegion region = {begin (y, r->down, r->whole.rows, r->rows, r->whole.tile_rows),
                              begin (x, r->across, r->whole.columns, r->columns, r->whole.tile_columns), r->rows,
                              r->columns};
  return image_read (r->image, 0, r->plane, &region, r->to + bytes * (gsize) window, row, error);
}

static gboolean
read_sample (PlaneSample *sample, Image *image, gint64 plane, GError **error)
{
  Reading r = {.image = image, .plane = plane, .down = 1, .across = 1};
  image_level (image, 0, &r.whole);
  r.rows = r.whole.rows;
  r.columns = r.whole.columns;
  sample->exact = r.rows * r.columns <= WHOLE;
  if (!sample->exact) {
    choose_level (&r);
    choose_windows (&r);
  }
  r.pixel = pixel_type_bytes (sample->info.type);
  sample->info.rows = 1;
  sample->info.columns = r.down * r.across * r.rows * r.columns + r.small.rows * r.small.columns;
  if (!(r.to = g_try_malloc (image_info_plane_bytes (&sample->info)))) {
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to read '%s'.", sample->info.name);
    return FALSE;
  }
  sample->memory = g_bytes_new_take (r.to, image_info_plane_bytes (&sample->info));
  sample->pixels = r.to;
  return parallel_do ((guint64) (r.down * r.across) + 1, sample->exact ? 1 : G_MAXUINT, read_piece, &r, error);
}

/* ---- Samples ---- */

gboolean
plane_sample_take (PlaneSample *sample, Image *image, gint64 plane, GError **error)
{
  *sample = (PlaneSample){.info = *image_info (image), .pixels = image_plane_now (image, plane), .exact = TRUE};
  if (!sample->pixels && tiles_suit (image, plane)) {
    if (recall (sample, image, plane))
      return TRUE;
    if (!read_sample (sample, image, plane, error)) {
      plane_sample_clear (sample);
      return FALSE;
    }
    remember (image, plane, sample);
  } else if (!sample->pixels)
    sample->pixels = image_plane (image, plane, error);
  return sample->pixels != NULL;
}

void
plane_sample_clear (PlaneSample *sample)
{
  g_clear_pointer (&sample->memory, g_bytes_unref);
}
