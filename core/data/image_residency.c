/* SPDX-License-Identifier: MIT
 *
 * A host slot, which a loader fills where pixels come from a file, and one slot per device with memory of its own. Pixels go between
 * slots by transfer.h, at once or while the device works on.
 */
#include "core/data/image.h"

#include "core/base/error.h"
#include "core/data/image_private.h"
#include "core/data/pixel_type.h"

static gboolean
device_fault (Image *image, Device *device, const fv_error *fault, GError **error)
{
  g_autofree char *who = g_strdup_printf ("%s: '%s'", device->fv->key, image->info.name);
  step_error_set_from_plugin (error, who, fault);
  return FALSE;
}

/* ---- Slots ---- */

static const SlotOwner slot_owner; /* below: what a device asks of an image when it needs room */

/* The image's lock is held, or the image is not shared yet. */
static void
add_slot (Image *image, Device *device, void *memory, Transfer arrival)
{
  Slot *slot = slot_new (&slot_owner, image, device, memory, image_bytes (image), arrival);
  image->slots = g_slist_prepend (image->slots, slot);
}

static void
remove_slot (Image *image, Slot *slot)
{
  image->slots = g_slist_remove (image->slots, slot);
  slot_free (slot);
}

static Slot *
find_slot (const Image *image, const Device *device)
{
  for (GSList *l = image->slots; l; l = l->next)
    if (((Slot *) l->data)->device == device)
      return l->data;
  return NULL;
}

/* Allocates memory for pixels that the CPU writes. */
static fv_status
make_memory (HostSlot *host, gsize bytes, Device *device, gsize on_disk, fv_error *fault)
{
  if (on_disk && !host_slot_new_on_disk (host, bytes, on_disk, fault))
    return FV_OK;
  return host_slot_new (host, bytes, device, fault);
}

/* A device without memory of its own works in the host slot. */
Image *
image_new_on_device (const ImageInfo *info, Device *device, gsize on_disk, void **memory, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  fv_error fault = FV_ERROR_INIT;
  gsize bytes;
  if (!image)
    return NULL;
  bytes = image_bytes (image);
  if (device->discrete ? device_take (device, bytes, memory, &fault)
                       : make_memory (&image->host, bytes, device, on_disk, &fault)) {
    device_fault (image, device, &fault, error);
    return NULL;
  }
  if (device->discrete) {
    image->maker = device;
    add_slot (image, device, *memory, (Transfer){NULL});
    image->away = TRUE;
  } else
    *memory = image->host.pixels;
  return g_steal_pointer (&image);
}

Image *
image_new_lent_on (const ImageInfo *info, Device *device, void *pixels, GDestroyNotify give_back, gpointer lender,
                   GError **error)
{
  Image *image = image_make (info, error);
  if (!image)
    return NULL;
  image->maker = device;
  image->away = TRUE;
  image->slots =
    g_slist_prepend (NULL, slot_new_lent (&slot_owner, image, device, pixels, image_bytes (image), give_back, lender));
  return image;
}

/* ---- To the host ---- */

static const void *
plane_at (const Image *image, gint64 plane)
{
  return image->host.pixels + (gsize) plane * image_info_plane_bytes (&image->info);
}

/* Begins to bring the rows before `end` of all planes of a device's result to the host. The lock is held. */
static gboolean
start_download (Image *image, gint64 end, GError **error)
{
  const Slot *slot = image->slots->data;
  gsize plane = image_info_plane_bytes (&image->info), row = image_info_row_bytes (&image->info);
  gsize from = (gsize) image->rows_downloaded * row;
  TransferRows rows = {.to_stride = plane,
                       .from = (const guint8 *) slot->memory + from,
                       .from_stride = plane,
                       .bytes = (gsize) end * row - from,
                       .rows = (gsize) image_info_planes (&image->info)};
  fv_error fault = FV_ERROR_INIT;
  if (rows.bytes == 0)
    return TRUE;
  if (!image->host.pixels && !image_make_host (image, slot->device, error))
    return FALSE;
  rows.to = image->host.pixels + from;
  image->rows_downloaded = end;
  if (!transfer_begin (&image->download, slot->device, &rows, FV_TO_HOST, &fault))
    return TRUE;
  image->rows_downloaded = 0;
  return device_fault (image, slot->device, &fault, error);
}

/* Brings a device's result to the host. The lock is held. */
static gboolean
fetch (Image *image, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  if (!image->away)
    return TRUE;
  if (!start_download (image, image->info.rows, error))
    return FALSE;
  image->rows_downloaded = 0;
  if (transfer_end (&image->download, image->maker, &fault))
    return device_fault (image, image->maker, &fault, error);
  host_slot_settle (&image->host);
  image->away = FALSE;
  return TRUE;
}

void
image_start_download (Image *image, gint64 end)
{
  image = image_with_pixels (image);
  g_mutex_lock (&image->lock);
  end = MIN (end, image->info.rows);
  if (image->away && image_bytes (image) <= IMAGE_PINNED && end > image->rows_downloaded)
    start_download (image, end, NULL);
  g_mutex_unlock (&image->lock);
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
  image = image_with_pixels (image);
  g_return_val_if_fail (plane >= 0 && plane < image_info_planes (&image->info), NULL);
  if (image->loader)
    return loader_plane (image->loader, plane, error);
  return fetched (image, error) ? plane_at (image, plane) : NULL;
}

const void *
image_plane_now (Image *image, gint64 plane)
{
  gboolean there;
  image = image_with_pixels (image);
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
  image = image_with_pixels (image);
  if (image->loader)
    return loader_level (image->loader, n, level);
  *level = (ImageLevel){info->rows, info->columns, info->rows, info->columns, TRUE};
  return n == 0;
}

/* A region of what a device alone has. The lock is held. */
static gboolean
move_region (Image *image, gint64 plane, const ImageRegion *region, void *to, gsize stride, GError **error)
{
  const Slot *slot = image->slots->data;
  gsize row = image_info_row_bytes (&image->info), pixel = pixel_type_bytes (image->info.type);
  const guint8 *from = (const guint8 *) slot->memory + (gsize) plane * image_info_plane_bytes (&image->info);
  from += (gsize) region->row * row + (gsize) region->column * pixel;
  const TransferRows rows = {to, stride, from, row, (gsize) region->columns * pixel, (gsize) region->rows};
  fv_error fault = FV_ERROR_INIT;
  Transfer transfer = {NULL};
  return (!transfer_begin (&transfer, slot->device, &rows, FV_TO_HOST, &fault)
          && !transfer_end (&transfer, slot->device, &fault))
         || device_fault (image, slot->device, &fault, error);
}

gboolean
image_read (Image *image, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride, GError **error)
{
  gboolean away, done = TRUE;
  image = image_with_pixels (image);
  if (image->loader)
    return loader_read (image->loader, level, plane, region, to, stride, error);
  g_mutex_lock (&image->lock);
  if ((away = image->away))
    done = move_region (image, plane, region, to, stride, error);
  else
    host_slot_settle (&image->host);
  g_mutex_unlock (&image->lock);
  if (!away)
    loader_copy_region (&image->info, plane_at (image, plane), region, to, stride);
  return done;
}

void *
image_on_host (Image *image, Progress *progress, GError **error)
{
  image = image_with_pixels (image);
  return image->loader ? loader_all (image->loader, NULL, progress, error) : (void *) fetched (image, error);
}

/* What of an image's file has been read goes to a device while the rest is. */
typedef struct {
  Image *image;
  Arrival *arrival;
} Arriving;

static gboolean
send_there (gpointer data, const void *pixels, gsize bytes, GError **error)
{
  const Arriving *a = data;
  fv_error fault = FV_ERROR_INIT;
  a->arrival->pixels = pixels;
  return !arrival_send (a->arrival, bytes, &fault) || device_fault (a->image, a->arrival->device, &fault, error);
}

void
image_near (Image *image, Device *device)
{
  image = image_with_pixels (image);
  if (image->loader && image_bytes (image) <= IMAGE_PINNED)
    loader_pin (image->loader, device);
}

void *
image_begin_arrival (Image *image, Device *device, Progress *progress, Arrival *arrival, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  const LoaderListener listener = {send_there, &(Arriving){image_with_pixels (image), arrival}};
  void *memory;
  Slot *slot;
  *arrival = (Arrival){NULL};
  image = image_with_pixels (image);
  g_mutex_lock (&image->lock);
  slot = find_slot (image, device);
  memory = slot ? slot_use (slot) : NULL;
  g_mutex_unlock (&image->lock);
  if (memory)
    return memory;
  if (!device->discrete)
    return image_on_host (image, progress, error);
  image_near (image, device);
  /* Without the lock: to make room, other images may have to leave. Each device has one thread that does this. */
  if (device_take (device, image_bytes (image), &memory, &fault)) {
    device_fault (image, device, &fault, error);
    return NULL;
  }
  *arrival = (Arrival){.device = device, .memory = memory, .bytes = image_bytes (image)};
  arrival->pixels = image->loader ? loader_all (image->loader, &listener, progress, error) : fetched (image, error);
  if (arrival->pixels)
    return memory;
  arrival_undo (arrival);
  *arrival = (Arrival){NULL};
  return NULL;
}

gboolean
image_end_arrival (Image *image, Arrival *arrival, gboolean wanted, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  if (!arrival->memory)
    return TRUE;
  image = image_with_pixels (image);
  if (wanted && !arrival_advance (arrival, arrival->bytes, &fault)) {
    g_mutex_lock (&image->lock);
    add_slot (image, arrival->device, arrival->memory, arrival->transfer);
    g_mutex_unlock (&image->lock);
    return TRUE;
  }
  arrival_undo (arrival);
  return !wanted || device_fault (image, arrival->device, &fault, error);
}

void *
image_on_device (Image *image, Device *device, Progress *progress, GError **error)
{
  Arrival arrival;
  void *memory = image_begin_arrival (image, device, progress, &arrival, error);
  return memory && image_end_arrival (image, &arrival, TRUE, error) ? memory : NULL;
}

gboolean
image_is_on (Image *image, const Device *device)
{
  gboolean there;
  image = image_with_pixels (image);
  g_mutex_lock (&image->lock);
  there = find_slot (image, device) != NULL;
  g_mutex_unlock (&image->lock);
  return there;
}

gsize
image_missing_bytes (Image *image)
{
  gboolean away;
  image = image_with_pixels (image);
  if (image->loader)
    return (gsize) loader_missing (image->loader) * image_info_plane_bytes (&image->info);
  g_mutex_lock (&image->lock);
  away = image->away;
  g_mutex_unlock (&image->lock);
  return away ? image_bytes (image) : 0;
}

gsize
image_on_disk (Image *image)
{
  gsize bytes;
  image = image_with_pixels (image);
  if (image->loader)
    return loader_on_disk (image->loader);
  g_mutex_lock (&image->lock);
  bytes = image->host.on_disk;
  g_mutex_unlock (&image->lock);
  return bytes;
}

void
image_set_on_disk (Image *image)
{
  image = image_with_pixels (image);
  if (image->loader)
    loader_set_on_disk (image->loader);
}

gboolean
image_comes_from_file (Image *image)
{
  return image_with_pixels (image)->loader != NULL;
}

gboolean
image_can_stream (Image *image)
{
  image = image_with_pixels (image);
  return image->loader && loader_missing (image->loader) == image_info_planes (&image->info);
}

void
image_off_device (Image *image, Device *device)
{
  Slot *slot;
  image = image_with_pixels (image);
  g_mutex_lock (&image->lock);
  slot = find_slot (image, device);
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
    remove_slot (image, slot);
  g_mutex_unlock (&image->lock);
  return there;
}

static const SlotOwner slot_owner = {try_ref, unref, leave};
