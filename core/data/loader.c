/* SPDX-License-Identifier: MIT
 *
 * The source is freed, which closes a file, as soon as memory has all that it could give.
 */
#include "core/data/loader.h"

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"

#include <string.h>

#define FEW_BYTES ((gsize) 8 << 20) /* smaller planes are read side by side, larger ones each by all threads */

typedef enum { MISSING, READING, THERE } State;

struct Loader {
  const ImageInfo *info;
  ImageSource source;
  GMutex lock; /* guards all below, but not the pixels */
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
  if (!host_slot_map (&loader->host, (gsize) planes * image_info_plane_bytes (info), &fault))
    return loader;
  fail (loader, &fault, error);
  loader_free (loader);
  return NULL;
}

void
loader_free (Loader *loader)
{
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

/* Into memory that may have only its addresses before. */
static gboolean
read_plane (Loader *loader, gint64 plane, GError **error)
{
  const ImageInfo *info = loader->info;
  gsize bytes = loader->host.allocator ? 0 : image_info_plane_bytes (info);
  const ImageRegion all = {0, 0, info->rows, info->columns};
  fv_error fault = FV_ERROR_INIT;
  gboolean done;
  if (bytes && host_memory_reserve (bytes, &fault))
    return fail (loader, &fault, error);
  done = loader->source.read (loader->self, 0, plane, &all, plane_at (loader, plane),
                              image_info_plane_bytes (info) / (gsize) info->rows, error);
  if (bytes)
    host_memory_settle (bytes);
  return done;
}

const void *
loader_plane (Loader *loader, gint64 plane, GError **error)
{
  gboolean there;
  g_mutex_lock (&loader->lock);
  while (loader->state[plane] == READING)
    g_cond_wait (&loader->change, &loader->lock);
  there = loader->state[plane] == THERE;
  if (!there) {
    loader->state[plane] = READING;
    loader->users++;
    g_mutex_unlock (&loader->lock);
    there = read_plane (loader, plane, error);
    g_mutex_lock (&loader->lock);
    loader->state[plane] = there ? THERE : MISSING;
    loader->missing -= there;
    release (loader);
    g_cond_broadcast (&loader->change);
  }
  g_mutex_unlock (&loader->lock);
  return there ? plane_at (loader, plane) : NULL;
}

/* ---- All planes ---- */

typedef struct {
  Loader *loader;
  Progress *progress;
  gint done; /* groups; atomic */
} All;

/* The channels of one slice, which may be one page of a file. */
static gboolean
load_group (gpointer data, guint64 i, GError **error)
{
  All *all = data;
  const ImageInfo *info = all->loader->info;
  gint64 groups = info->frames * info->depth, frame = (gint64) i / info->depth, slice = (gint64) i % info->depth;
  for (gint64 c = 0; c < info->channels; c++) {
    if (progress_report (all->progress, g_atomic_int_get (&all->done) * info->channels + c, groups * info->channels)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
    if (!loader_plane (all->loader, (frame * info->channels + c) * info->depth + slice, error))
      return FALSE;
  }
  g_atomic_int_inc (&all->done);
  return TRUE;
}

void *
loader_all (Loader *loader, Progress *progress, GError **error)
{
  const ImageInfo *info = loader->info;
  gboolean small = image_info_plane_bytes (info) < FEW_BYTES;
  All all = {loader, progress, 0};
  if (loader_missing (loader) > 0
      && !parallel_do ((guint64) (info->frames * info->depth), small ? G_MAXUINT : 1, load_group, &all, error))
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
  if (loader->users == 0 && loader->missing == image_info_planes (loader->info)) {
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
  *level = (ImageLevel){info->rows, info->columns, info->rows, info->columns};
  g_mutex_lock (&loader->lock);
  if (loader->self)
    there = loader->source.level (loader->self, n, level);
  g_mutex_unlock (&loader->lock);
  return there;
}

void
loader_copy_region (const ImageInfo *info, const void *plane, const ImageRegion *region, void *to, gsize stride)
{
  gsize row = image_info_plane_bytes (info) / (gsize) info->rows, pixel = row / (gsize) info->columns;
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
