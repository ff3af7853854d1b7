/* SPDX-License-Identifier: MIT
 *
 * The source is freed, which closes a file, as soon as memory has all that it could give.
 */
#include "core/data/loader.h"

#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/data/pixel_type.h"

#include <string.h>

#define FEW_BYTES ((gsize) 8 << 20)   /* smaller planes are read side by side, larger ones each by all threads */
#define TILE_BYTES ((gsize) 64 << 20) /* the same of planes that are one tile, which one thread decodes */
#define BAND_BYTES ((gsize) 4 << 20)  /* for each thread, of all channels read together: they stay in the cache */
#define MAX_BYTES ((gsize) 64 << 20)  /* of a band with a waiter: large planes have several */

typedef enum { MISSING, READING, THERE } State;

struct Loader {
  const ImageInfo *info;
  ImageSource source;
  gboolean whole_on_disk; /* there are no addresses but on the disk */
  gint to_disk;           /* atomic */
  GMutex lock;            /* guards all below, but not the pixels */
  GCond change;
  gpointer self; /* of the source; NULL: freed */
  gint64 missing, users;
  guint8 *state; /* State of each plane */
  HostSlot host;
};

static gboolean
fail (const Loader *loader, const fv_error *fault, GError **error)
{
  g_autofree char *who = g_strdup_printf ("'%s'", loader->info->name);
  step_error_set_from_plugin (error, who, fault);
  return FALSE;
}

/* What other threads were reading is abandoned. */
static void
forked (gpointer data)
{
  Loader *loader = data;
  for (gint64 plane = 0; plane < image_info_planes (loader->info); plane++)
    if (loader->state[plane] == READING)
      loader->state[plane] = MISSING;
  loader->users = 0;
  g_cond_init (&loader->change);
}

Loader *
loader_new (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error)
{
  Loader *loader = g_new0 (Loader, 1);
  gint64 planes = image_info_planes (info);
  fv_error fault = FV_ERROR_INIT;
  *loader = (Loader){.info = info, .source = *source, .self = self, .missing = planes};
  g_mutex_init (&loader->lock);
  g_cond_init (&loader->change);
  loader->state = g_malloc0 ((gsize) planes);
  fork_guard (&loader->lock, forked, loader);
  if (!host_slot_map (&loader->host, (gsize) planes * image_info_plane_bytes (info), &fault)
      || (loader->whole_on_disk =
            !host_slot_new_on_disk (&loader->host, (gsize) planes * image_info_plane_bytes (info), G_MAXSIZE, &fault)))
    return loader;
  fail (loader, &fault, error);
  loader_free (loader);
  return NULL;
}

void
loader_free (Loader *loader)
{
  fork_unguard (&loader->lock);
  if (loader->self)
    loader->source.free (loader->self);
  host_slot_free (&loader->host);
  g_free (loader->state);
  g_mutex_clear (&loader->lock);
  g_cond_clear (&loader->change);
  g_free (loader);
}

static guint8 *
plane_at (const Loader *loader, gint64 plane)
{
  return loader->host.pixels + (gsize) plane * image_info_plane_bytes (loader->info);
}

gint64
loader_missing (Loader *loader)
{
  gint64 missing;
  g_mutex_lock (&loader->lock);
  missing = loader->missing;
  g_mutex_unlock (&loader->lock);
  return missing;
}

const void *
loader_plane_now (Loader *loader, gint64 plane)
{
  const void *pixels;
  g_mutex_lock (&loader->lock);
  pixels = loader->state[plane] == THERE ? plane_at (loader, plane) : NULL;
  g_mutex_unlock (&loader->lock);
  return pixels;
}

/* One thread reads less. The lock is held. */
static void
release (Loader *loader)
{
  ImageLevel level;
  if (--loader->users > 0 || loader->missing > 0 || !loader->self || loader->source.level (loader->self, 1, &level))
    return;
  loader->source.free (loader->self);
  loader->self = NULL;
}

/* ---- Reading planes ---- */

void
loader_set_on_disk (Loader *loader)
{
  g_atomic_int_set (&loader->to_disk, TRUE);
}

gsize
loader_on_disk (Loader *loader)
{
  return (gsize) g_atomic_pointer_get (&loader->host.on_disk);
}

/* Memory for the pixels of a plane, which may be reserved addresses only before. *reserved: bytes, until they are
 * written. */
static gboolean
take_memory (Loader *loader, gint64 plane, gsize *reserved, GError **error)
{
  gsize bytes = image_info_plane_bytes (loader->info);
  fv_error fault = FV_ERROR_INIT;
  *reserved = 0;
  if (loader->host.allocator || loader->whole_on_disk)
    return TRUE;
  if (!g_atomic_int_get (&loader->to_disk) && !host_memory_reserve (bytes, &fault)) {
    *reserved = bytes;
    return TRUE;
  }
  return !host_slot_to_disk (&loader->host, (gsize) plane * bytes, bytes, &fault) || fail (loader, &fault, error);
}

/* Whether it falls to the caller to read the plane, and to say when it is done. Waits while another thread does. */
static gboolean
begin (Loader *loader, gint64 plane)
{
  gboolean mine;
  g_mutex_lock (&loader->lock);
  while (loader->state[plane] == READING)
    g_cond_wait (&loader->change, &loader->lock);
  if ((mine = loader->state[plane] == MISSING)) {
    loader->state[plane] = READING;
    loader->users++;
  }
  g_mutex_unlock (&loader->lock);
  return mine;
}

static void
end (Loader *loader, gint64 plane, gsize reserved, gboolean there)
{
  host_memory_settle (reserved);
  g_mutex_lock (&loader->lock);
  loader->state[plane] = there ? THERE : MISSING;
  loader->missing -= there;
  release (loader);
  g_cond_broadcast (&loader->change);
  g_mutex_unlock (&loader->lock);
}

static gboolean
read_rows (Loader *loader, gint64 plane, gint64 first, gint64 rows, GError **error)
{
  const ImageInfo *info = loader->info;
  const ImageRegion region = {first, 0, rows, info->columns};
  gsize stride = image_info_row_bytes (info);
  return loader->source.read (loader->self, 0, plane, &region, plane_at (loader, plane) + (gsize) first * stride,
                              stride, error);
}

const void *
loader_plane (Loader *loader, gint64 plane, GError **error)
{
  gsize reserved;
  gboolean there = TRUE;
  if (begin (loader, plane)) {
    there = take_memory (loader, plane, &reserved, error) && read_rows (loader, plane, 0, loader->info->rows, error);
    end (loader, plane, reserved, there);
  }
  return there ? plane_at (loader, plane) : NULL;
}

/* ---- All planes ---- */

typedef struct {
  Loader *loader;
  const LoaderListener *listener; /* or NULL */
  Progress *progress;
  GThread *caller;
  gint64 first; /* all planes before it are there; the caller's */
  gint done;    /* groups; atomic */
  double share; /* the largest share of the work that a thread has reported; under the loader's lock */
} All;

/* Whether to go on, with `part` of `parts` of a slice done. Threads are in different slices, so the progress is the largest that one reports:
 * it never goes back. */
static gboolean
report (All *all, gint64 part, gint64 parts, GError **error)
{
  const gint64 millionths = 1000000, groups = all->loader->info->frames * all->loader->info->depth;
  const double done = g_atomic_int_get (&all->done) + (double) part / (double) parts;
  gboolean stops;
  g_mutex_lock (&all->loader->lock);
  all->share = MAX (all->share, done / (double) groups);
  stops = progress_report (all->progress, (gint64) (all->share * (double) millionths), millionths);
  g_mutex_unlock (&all->loader->lock);
  if (!stops)
    return TRUE;
  step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return FALSE;
}

/* Tells the listener what is there: all before the plane, which this thread reads, when no other is missing, and so many rows of it. */
static gboolean
tell (All *all, gint64 plane, gint64 rows, GError **error)
{
  Loader *loader = all->loader;
  gsize bytes;
  if (!all->listener || g_thread_self () != all->caller)
    return TRUE;
  g_mutex_lock (&loader->lock);
  while (loader->state[all->first] == THERE)
    all->first++;
  g_mutex_unlock (&loader->lock);
  bytes = (gsize) all->first * image_info_plane_bytes (loader->info);
  if (all->first == plane)
    bytes += (gsize) rows * image_info_row_bytes (loader->info);
  return all->listener->there (all->listener->data, loader->host.pixels, bytes, error);
}

/* Rows of a band: whole tiles where that can be. */
static gint64
band_rows (const All *all)
{
  const ImageInfo *info = all->loader->info;
  gsize row = image_info_row_bytes (info) * (gsize) info->channels, bytes = BAND_BYTES * parallel_threads ();
  gint64 rows = MAX (1, (gint64) ((all->listener ? MIN (bytes, MAX_BYTES) : bytes) / row));
  ImageLevel level;
  loader_level (all->loader, 0, &level);
  return rows < level.tile_rows ? level.tile_rows : rows / level.tile_rows * level.tile_rows;
}

/* Planes that may be one page of the file, band by band, so that what is decoded for one is there for the others and has not to be kept
 * as a whole. */
static gboolean
read_bands (All *all, const gint64 *planes, guint n, GError **error)
{
  Loader *loader = all->loader;
  gint64 height = band_rows (all), rows = loader->info->rows;
  for (gint64 y = 0; y < rows && n; y += height) {
    if (!tell (all, planes[0], y, error))
      return FALSE;
    for (guint i = 0; i < n; i++)
      if (!report (all, y * n + i, rows * n, error) || !read_rows (loader, planes[i], y, MIN (height, rows - y), error))
        return FALSE;
  }
  return TRUE;
}

/* The channels of one slice. */
static gboolean
load_group (gpointer data, guint64 i, GError **error)
{
  All *all = data;
  Loader *loader = all->loader;
  const ImageInfo *info = loader->info;
  gint64 frame = (gint64) i / info->depth, slice = (gint64) i % info->depth;
  g_autofree gint64 *mine = g_new (gint64, info->channels);
  g_autofree gsize *reserved = g_new (gsize, info->channels);
  gboolean done = report (all, 0, 1, error);
  guint n = 0;
  for (gint64 c = 0; c < info->channels && done; c++) {
    mine[n] = (frame * info->channels + c) * info->depth + slice;
    if (begin (loader, mine[n]))
      done = take_memory (loader, mine[n], &reserved[n], error), n++;
  }
  done = done && read_bands (all, mine, n, error);
  for (guint k = 0; k < n; k++)
    end (loader, mine[k], reserved[k], done);
  g_atomic_int_inc (&all->done);
  return done;
}

/* Whether planes are read side by side. */
static gboolean
are_small (Loader *loader)
{
  const gsize bytes = image_info_plane_bytes (loader->info);
  ImageLevel level;
  loader_level (loader, 0, &level);
  return bytes < FEW_BYTES
         || (bytes < TILE_BYTES && !level.direct && level.tile_rows >= level.rows
             && level.tile_columns >= level.columns);
}

void *
loader_all (Loader *loader, const LoaderListener *listener, Progress *progress, GError **error)
{
  const ImageInfo *info = loader->info;
  All all = {loader, listener, progress, g_thread_self (), 0, 0, 0};
  if (loader_missing (loader) > 0
      && !parallel_do ((guint64) (info->frames * info->depth), are_small (loader) ? G_MAXUINT : 1, load_group, &all,
                       error))
    return NULL;
  return loader->host.pixels;
}

void
loader_pin (Loader *loader, Device *device)
{
  HostSlot pinned = {0}, unused;
  fv_error fault = FV_ERROR_INIT;
  if (loader_missing (loader) < image_info_planes (loader->info)
      || host_slot_new (&pinned, loader->host.bytes, device, &fault))
    return;
  host_slot_settle (&pinned); /* it is there from the start */
  g_mutex_lock (&loader->lock);
  unused = pinned;
  if (pinned.allocator && loader->users == 0 && loader->missing == image_info_planes (loader->info)) {
    unused = loader->host;
    loader->host = pinned;
  }
  g_mutex_unlock (&loader->lock);
  host_slot_free (&unused);
}

/* ---- Regions ---- */

gboolean
loader_level (Loader *loader, guint n, ImageLevel *level)
{
  const ImageInfo *info = loader->info;
  gboolean there = n == 0;
  *level = (ImageLevel){info->rows, info->columns, info->rows, info->columns, TRUE};
  g_mutex_lock (&loader->lock);
  if (loader->self)
    there = loader->source.level (loader->self, n, level);
  g_mutex_unlock (&loader->lock);
  return there;
}

void
loader_copy_region (const ImageInfo *info, const void *plane, const ImageRegion *region, void *to, gsize stride)
{
  gsize row = image_info_row_bytes (info), pixel = pixel_type_bytes (info->type);
  const guint8 *from = (const guint8 *) plane + (gsize) region->row * row + (gsize) region->column * pixel;
  for (gsize y = 0; y < (gsize) region->rows; y++)
    memcpy ((guint8 *) to + y * stride, from + y * row, (gsize) region->columns * pixel);
}

gboolean
loader_read (Loader *loader, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  gboolean there, done;
  g_mutex_lock (&loader->lock);
  there = level == 0 && loader->state[plane] == THERE;
  loader->users += !there;
  g_mutex_unlock (&loader->lock);
  if (there) {
    loader_copy_region (loader->info, plane_at (loader, plane), region, to, stride);
    return TRUE;
  }
  done = loader->source.read (loader->self, level, plane, region, to, stride, error);
  g_mutex_lock (&loader->lock);
  release (loader);
  g_mutex_unlock (&loader->lock);
  return done;
}
