/* SPDX-License-Identifier: MIT
 *
 * Residency: a host slot, which a loader fills where pixels come from a file, and one slot per device with memory of its own.
 * Pixels go between slots in move() and nowhere else.
 */
#include "core/data/image.h"

#include "core/base/error.h"
#include "core/data/host_slot.h"
#include "core/data/loader.h"

#define PINNED ((gsize) 1 << 30) /* for larger ones, to pin memory would take longer than the copy */

struct Image {
  gint references;
  ImageInfo info;
  Image *pixels;  /* another image that has the pixels, or NULL */
  Device *maker;  /* with memory of its own, on which it was made; or NULL */
  Loader *loader; /* has the host slot of an image that comes from a source; else NULL */
  GMutex lock;    /* guards all below */
  HostSlot host;
  gboolean away;               /* it was made on a device and is not in the host slot yet */
  GSList *slots;               /* Slot *: one per device where it is */
  Image *taken[FV_LABELS + 1]; /* by role, or NULL; no reference to itself */
};

gsize
image_bytes (const Image *image)
{
  return (gsize) image_info_planes (&image->info) * image_info_plane_bytes (&image->info);
}

static Image *
image_make (const ImageInfo *info, GError **error)
{
  Image *image;
  if (!image_info_check (info, error))
    return NULL;
  image = g_new0 (Image, 1);
  image->references = 1;
  g_mutex_init (&image->lock);
  image_info_copy (&image->info, info);
  return image;
}

static gboolean
image_fault (const Image *image, const fv_error *fault, GError **error)
{
  g_autofree char *who = g_strdup_printf ("'%s'", image->info.name);
  step_error_set_from_plugin (error, who, fault);
  return FALSE;
}

Image *
image_new (const ImageInfo *info, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  fv_error fault = FV_ERROR_INIT;
  if (!image)
    return NULL;
  if (!host_slot_new (&image->host, image_bytes (image), NULL, &fault))
    return g_steal_pointer (&image);
  image_fault (image, &fault, error);
  return NULL;
}

Image *
image_new_promised (const ImageInfo *info)
{
  return image_make (info, NULL);
}

Image *
image_new_from_source (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  if (!image) {
    source->free (self);
    return NULL;
  }
  image->loader = loader_new (&image->info, source, self, error);
  return image->loader ? g_steal_pointer (&image) : NULL;
}

/* ---- Slots ---- */

static const SlotOwner slot_owner; /* below: what a device asks of an image when it needs room */

/* The image's lock is held, or nobody else knows the image yet. */
static void
slot_add (Image *image, Device *device, void *memory)
{
  Slot *slot = g_new0 (Slot, 1);
  *slot = (Slot){
    .calls = &slot_owner, .owner = image, .device = device, .memory = memory, .bytes = image_bytes (image), .users = 1};
  slot->link.data = slot;
  image->slots = g_slist_prepend (image->slots, slot);
  g_mutex_lock (&device->lock);
  g_queue_push_tail_link (&device->slots, &slot->link);
  g_mutex_unlock (&device->lock);
}

static void
slot_remove (Image *image, Slot *slot)
{
  image->slots = g_slist_remove (image->slots, slot);
  g_mutex_lock (&slot->device->lock);
  g_queue_unlink (&slot->device->slots, &slot->link);
  g_mutex_unlock (&slot->device->lock);
  device_give (slot->device, slot->memory, slot->bytes);
  g_free (slot);
}

static Slot *
slot_find (const Image *image, const Device *device)
{
  for (GSList *l = image->slots; l; l = l->next)
    if (((Slot *) l->data)->device == device)
      return l->data;
  return NULL;
}

/* One more user, and the one used last. The image's lock is held. */
static void *
slot_use (Slot *slot)
{
  Device *device = slot->device;
  g_mutex_lock (&device->lock);
  slot->users++;
  g_queue_unlink (&device->slots, &slot->link);
  g_queue_push_tail_link (&device->slots, &slot->link);
  g_mutex_unlock (&device->lock);
  return slot->memory;
}

/* How many use the slot after `change` of them more. */
static gint
slot_users (Slot *slot, gint change)
{
  gint users;
  g_mutex_lock (&slot->device->lock);
  users = slot->users += change;
  g_mutex_unlock (&slot->device->lock);
  return users;
}

/* ---- Making and freeing ---- */

static gboolean
device_fault (Image *image, Device *device, const fv_error *fault, GError **error)
{
  g_autofree char *who = g_strdup_printf ("%s: '%s'", device->fv->key, image->info.name);
  step_error_set_from_plugin (error, who, fault);
  return FALSE;
}

/* A device without memory of its own works in the host slot. */
Image *
image_new_on_device (const ImageInfo *info, Device *device, void **memory, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  fv_error fault = FV_ERROR_INIT;
  gsize bytes;
  if (!image)
    return NULL;
  bytes = image_bytes (image);
  if (device->discrete ? device_take (device, bytes, memory, &fault)
                       : host_slot_new (&image->host, bytes, device, &fault)) {
    device_fault (image, device, &fault, error);
    return NULL;
  }
  if (device->discrete) {
    image->maker = device;
    slot_add (image, device, *memory);
    image->away = TRUE;
  } else
    *memory = image->host.pixels;
  return g_steal_pointer (&image);
}

Image *
image_ref (Image *image)
{
  g_atomic_int_inc (&image->references);
  return image;
}

void
image_unref (Image *image)
{
  if (!image || !g_atomic_int_dec_and_test (&image->references))
    return;
  while (image->slots)
    slot_remove (image, image->slots->data);
  g_clear_pointer (&image->loader, loader_free);
  host_slot_free (&image->host);
  if (image->pixels)
    image_unref (image->pixels);
  for (guint i = 0; i < G_N_ELEMENTS (image->taken); i++)
    if (image->taken[i] != image)
      image_unref (image->taken[i]);
  image_info_clear (&image->info);
  g_mutex_clear (&image->lock);
  g_free (image);
}

const ImageInfo *
image_info (const Image *image)
{
  return &image->info;
}

Device *
image_device (const Image *image)
{
  return image->pixels ? image->pixels->maker : image->maker;
}

void *
image_pixels (Image *image)
{
  return image->host.pixels;
}

Image *
image_with_info (Image *image, const ImageInfo *info)
{
  Image *view;
  g_return_val_if_fail (info->type == image->info.type && info->rows == image->info.rows
                          && info->columns == image->info.columns
                          && image_info_planes (info) == image_info_planes (&image->info),
                        NULL);
  view = g_new0 (Image, 1);
  view->references = 1;
  g_mutex_init (&view->lock);
  image_info_copy (&view->info, info);
  view->pixels = image_ref (image->pixels ? image->pixels : image);
  return view;
}

Image *
image_taken (Image *image, fv_role role)
{
  Image *taken;
  g_mutex_lock (&image->lock);
  if ((taken = image->taken[role]))
    image_ref (taken);
  g_mutex_unlock (&image->lock);
  return taken;
}

void
image_set_taken (Image *image, fv_role role, Image *taken)
{
  g_mutex_lock (&image->lock);
  if (!image->taken[role])
    image->taken[role] = taken == image ? image : image_ref (taken);
  g_mutex_unlock (&image->lock);
}

/* ---- Residency ---- */

/* The one place where pixels go between the host and a device: everything, counted. The lock is held. */
static gboolean
move (Image *image, Device *device, void *to, const void *from, fv_copy direction, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  gsize bytes = image_bytes (image);
  if (device->fv->copy (device->fv, device->stream, to, bytes, from, bytes, bytes, 1, direction, &fault)
      || device->fv->synchronize (device->fv, device->stream, &fault))
    return device_fault (image, device, &fault, error);
  if (direction == FV_TO_DEVICE)
    device->uploaded += bytes;
  else
    device->downloaded += bytes;
  return TRUE;
}

static const void *
plane_at (const Image *image, gint64 plane)
{
  return image->host.pixels + (gsize) plane * image_info_plane_bytes (&image->info);
}

/* A host slot to which the device copies fast. */
static gboolean
make_host (Image *image, Device *device, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  if (host_slot_new (&image->host, image_bytes (image), image_bytes (image) > PINNED ? NULL : device, &fault))
    return image_fault (image, &fault, error);
  return TRUE;
}

/* Brings a device's result to the host. The lock is held. */
static gboolean
fetch (Image *image, GError **error)
{
  Slot *slot = image->slots ? image->slots->data : NULL;
  if (!image->away)
    return TRUE;
  if (!image->host.pixels && !make_host (image, slot->device, error))
    return FALSE;
  if (!move (image, slot->device, image->host.pixels, slot->memory, FV_TO_HOST, error))
    return FALSE;
  host_slot_settle (&image->host);
  image->away = FALSE;
  return TRUE;
}

/* All pixels that did not come from a source, in host memory; NULL with *error. */
static const void *
fetched (Image *image, GError **error)
{
  gboolean there;
  g_mutex_lock (&image->lock);
  there = fetch (image, error);
  host_slot_settle (&image->host); /* who reads it knows that it is written */
  g_mutex_unlock (&image->lock);
  return there ? image->host.pixels : NULL;
}

const void *
image_plane (Image *image, gint64 plane, GError **error)
{
  if (image->pixels)
    image = image->pixels;
  g_return_val_if_fail (plane >= 0 && plane < image_info_planes (&image->info), NULL);
  if (image->loader)
    return loader_plane (image->loader, plane, error);
  return fetched (image, error) ? plane_at (image, plane) : NULL;
}

const void *
image_plane_now (Image *image, gint64 plane)
{
  gboolean there;
  if (image->pixels)
    image = image->pixels;
  g_return_val_if_fail (plane >= 0 && plane < image_info_planes (&image->info), NULL);
  if (image->loader)
    return loader_plane_now (image->loader, plane);
  if (!g_mutex_trylock (&image->lock))
    return NULL;
  there = !image->away && image->host.pixels;
  g_mutex_unlock (&image->lock);
  return there ? plane_at (image, plane) : NULL;
}

gboolean
image_level (Image *image, guint n, ImageLevel *level)
{
  const ImageInfo *info = &image->info;
  if (image->pixels)
    image = image->pixels;
  if (image->loader)
    return loader_level (image->loader, n, level);
  *level = (ImageLevel){info->rows, info->columns, info->rows, info->columns};
  return n == 0;
}

gboolean
image_read (Image *image, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride, GError **error)
{
  const void *pixels;
  if (image->pixels)
    image = image->pixels;
  if (image->loader)
    return loader_read (image->loader, level, plane, region, to, stride, error);
  pixels = image_plane (image, plane, error);
  if (pixels)
    loader_copy_region (&image->info, pixels, region, to, stride);
  return pixels != NULL;
}

void *
image_on_host (Image *image, Progress *progress, GError **error)
{
  if (image->pixels)
    image = image->pixels;
  return image->loader ? loader_all (image->loader, progress, error) : (void *) fetched (image, error);
}

/* Fills new memory on a device from the host. */
static gboolean
upload (Image *image, Device *device, const void *pixels, void **memory, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  if (device_take (device, image_bytes (image), memory, &fault))
    return device_fault (image, device, &fault, error);
  if (move (image, device, *memory, pixels, FV_TO_DEVICE, error))
    return TRUE;
  device_give (device, *memory, image_bytes (image));
  return FALSE;
}

void *
image_on_device (Image *image, Device *device, Progress *progress, GError **error)
{
  void *memory, *pixels;
  Slot *slot;
  if (image->pixels)
    image = image->pixels;
  g_mutex_lock (&image->lock);
  slot = slot_find (image, device);
  memory = slot ? slot_use (slot) : NULL;
  g_mutex_unlock (&image->lock);
  if (memory)
    return memory;
  if (image->loader && device->discrete && image_bytes (image) <= PINNED)
    loader_pin (image->loader, device);
  pixels = image_on_host (image, progress, error);
  if (!pixels || !device->discrete)
    return pixels;
  /* Without the lock: to make room, other images may have to leave. Each device has one thread that does this. */
  if (!upload (image, device, pixels, &memory, error))
    return NULL;
  g_mutex_lock (&image->lock);
  slot_add (image, device, memory);
  g_mutex_unlock (&image->lock);
  return memory;
}

gboolean
image_is_on (Image *image, const Device *device)
{
  gboolean there;
  if (image->pixels)
    image = image->pixels;
  g_mutex_lock (&image->lock);
  there = slot_find (image, device) != NULL;
  g_mutex_unlock (&image->lock);
  return there;
}

gsize
image_missing_bytes (Image *image)
{
  gboolean away;
  if (image->pixels)
    image = image->pixels;
  if (image->loader)
    return (gsize) loader_missing (image->loader) * image_info_plane_bytes (&image->info);
  g_mutex_lock (&image->lock);
  away = image->away;
  g_mutex_unlock (&image->lock);
  return away ? image_bytes (image) : 0;
}

void
image_off_device (Image *image, Device *device)
{
  Slot *slot;
  if (image->pixels)
    image = image->pixels;
  g_mutex_lock (&image->lock);
  slot = slot_find (image, device);
  if (slot)
    slot_users (slot, -1);
  host_slot_settle (&image->host); /* what the step was to write there is there */
  g_mutex_unlock (&image->lock);
}

/* ---- Making room on a device ---- */

/* One more reference, unless the image is about to be freed. */
static gboolean
try_ref (gpointer data)
{
  Image *image = data;
  gint references = g_atomic_int_get (&image->references);
  while (references > 0 && !g_atomic_int_compare_and_exchange (&image->references, references, references + 1))
    references = g_atomic_int_get (&image->references);
  return references > 0;
}

static void
unref (gpointer image)
{
  image_unref (image);
}

/* Brings the pixels to the host and gives the slot back. */
static gboolean
leave (gpointer data, Slot *slot)
{
  Image *image = data;
  gboolean there;
  g_mutex_lock (&image->lock);
  there = fetch (image, NULL);
  /* Someone may have begun to use it meanwhile. */
  if (slot_users (slot, -1) == 0 && there)
    slot_remove (image, slot);
  g_mutex_unlock (&image->lock);
  return there;
}

static const SlotOwner slot_owner = {try_ref, unref, leave};
