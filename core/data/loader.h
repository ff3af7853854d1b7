/* SPDX-License-Identifier: MIT
 *
 * The way of an image's planes from its source into host memory, each when it is asked for. All functions but loader_free() may be
 * called from any thread.
 */
#ifndef CORE_DATA_LOADER_H
#define CORE_DATA_LOADER_H

#include "core/base/progress.h"
#include "core/data/host_slot.h"
#include "core/data/image_info.h"
#include "core/data/source.h"

typedef struct Loader Loader;

/* Who wants pixels as they come: told, on the thread that asked for all of them and not after the last, that the first `bytes` of the
 * image are at `pixels`, which stay. FALSE with *error ends the reading. */
typedef struct LoaderListener {
  gboolean (*there) (gpointer data, const void *pixels, gsize bytes, GError **error);
  gpointer data;
} LoaderListener;

/* Takes `self`, also when it returns NULL with *error. info must live as long as the loader. */
Loader *loader_new (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error);
void loader_free (Loader *loader);
/* How many planes are not in memory. */
gint64 loader_missing (Loader *loader);
/* A plane in host memory when it is there without waiting; else NULL. */
const void *loader_plane_now (Loader *loader, gint64 plane);
/* A plane in host memory, where it is read by one thread when it is not there yet. NULL with *error. */
const void *loader_plane (Loader *loader, gint64 plane, GError **error);
/* All planes in host memory, valid as long as the loader. listener and progress may be NULL. NULL with *error. */
void *loader_all (Loader *loader, const LoaderListener *listener, Progress *progress, GError **error);
/* From now on planes go to the disk. This is a hint: they also do when memory is short. */
void loader_set_on_disk (Loader *loader);
/* Bytes that are on the disk. */
gsize loader_on_disk (Loader *loader);
/* Before any plane is read: takes memory that the device copies from fast, where that can be had. */
void loader_pin (Loader *loader, Device *device);

/* As ImageSource's level() and read(), the latter from memory where the plane is there. */
gboolean loader_level (Loader *loader, guint n, ImageLevel *level);
gboolean loader_read (Loader *loader, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
                      GError **error);
/* Copies a region of a plane in memory into rows `stride` bytes apart. */
void loader_copy_region (const ImageInfo *info, const void *plane, const ImageRegion *region, void *to, gsize stride);

#endif
