/* SPDX-License-Identifier: MIT
 *
 * Residency: a host slot that fills plane by plane, and one slot per device with memory of its own. Pixels go between
 * slots in move() and nowhere else.
 */
#include "image.h"

#include "error.h"
#include "files.h"
#include "units.h"

#include <string.h>
#include <sys/mman.h>

typedef struct {
  Device *device;
  void *memory;
} Slot;

struct Image {
  gint references;
  ImageInfo info;
  Image *pixels; /* another image that has the pixels, or NULL */
  GMutex lock;   /* guards all below */
  ImageSource source;
  gpointer self;     /* of the source */
  Device *allocator; /* whose host_alloc() made `host`; NULL: it was mapped */
  guint8 *host;
  guint8 *have;   /* per plane: is in the host slot; NULL: all are */
  gint64 missing; /* planes that are not */
  Slot slots[8];
  guint n_slots;
};

/* ---- Info ---- */

void
image_info_clear (ImageInfo *info)
{
  for (int i = 0; i < 3; i++)
    g_free (info->units[i]);
  g_free (info->frame_unit);
  g_strfreev (info->channel_names);
  g_free (info->channel_colors);
  g_free (info->display_ranges);
  g_free (info->name);
  g_free (info->source_type);
  g_free (info->description);
  *info = (ImageInfo){0};
}

void
image_info_copy (ImageInfo *to, const ImageInfo *from)
{
  *to = *from;
  for (int i = 0; i < 3; i++)
    to->units[i] = g_strdup (from->units[i] ? from->units[i] : "");
  to->frame_unit = g_strdup (from->frame_unit ? from->frame_unit : "");
  to->channel_names = g_strdupv (from->channel_names);
  to->channel_colors = g_memdup2 (from->channel_colors, (gsize) from->channels * sizeof *from->channel_colors);
  to->display_ranges = g_memdup2 (from->display_ranges, (gsize) from->channels * 2 * sizeof *from->display_ranges);
  to->name = g_strdup (from->name ? from->name : "");
  to->source_type = g_strdup (from->source_type);
  to->description = g_strdup (from->description);
}

gint64
image_info_planes (const ImageInfo *info)
{
  return info->frames * info->channels * info->depth;
}

static gsize
type_bytes (fv_type type)
{
  return type == FV_U8 ? 1 : type == FV_U16 ? 2 : type == FV_F64 ? 8 : 4;
}

gsize
image_info_plane_bytes (const ImageInfo *info)
{
  return (gsize) info->rows * (gsize) info->columns * type_bytes (info->type);
}

gboolean
image_info_check (const ImageInfo *info, GError **error)
{
  const gint64 sizes[] = {info->frames, info->channels, info->depth, info->rows, info->columns};
  gint64 limit = G_GINT64_CONSTANT (1) << 59; /* pixels: bytes stay below 2^62 */
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    if (sizes[i] < 1 || sizes[i] > limit) {
      step_error_set (
        error, FV_BAD_INPUT, NULL,
        "'%s' has an impossible size: %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " pixels, %" G_GINT64_FORMAT
        " channels, %" G_GINT64_FORMAT " slices, %" G_GINT64_FORMAT " frames.",
        info->name ? info->name : "image", info->columns, info->rows, info->channels, info->depth, info->frames);
      return FALSE;
    }
    limit /= sizes[i];
  }
  return TRUE;
}

const char *
image_type_name (fv_type type)
{
  return type == FV_U8 ? "u8" : type == FV_U16 ? "u16" : type == FV_I32 ? "i32" : type == FV_F32 ? "f32" : "f64";
}

/* ", 3 channels" when there is more than one. */
static void
append_count (GString *s, gint64 n, const char *what)
{
  if (n > 1)
    g_string_append_printf (s, ", %" G_GINT64_FORMAT " %ss", n, what);
}

char *
image_info_text (const ImageInfo *info)
{
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " %s", info->columns, info->rows,
                          image_type_name (info->type));
  append_count (s, info->channels, "channel");
  append_count (s, info->depth, "slice");
  append_count (s, info->frames, "frame");
  if (info->units[2] && *info->units[2]) {
    g_string_append_printf (s, ", %g × %g", info->spacing[2], info->spacing[1]);
    if (info->depth > 1)
      g_string_append_printf (s, " × %g", info->spacing[0]);
    g_string_append_printf (s, " %s", info->units[2]);
  }
  return g_string_free (s, FALSE);
}

/* ---- Making and freeing ---- */

static gsize
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
no_memory (const Image *image, GError **error)
{
  g_autofree char *size = g_format_size_full (image_bytes (image), G_FORMAT_SIZE_IEC_UNITS);
  step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory for '%s', which needs %s.", image->info.name, size);
  return FALSE;
}

/* Address space for the host slot; the system gives memory page by page as it is written. */
static gboolean
map_host (Image *image, GError **error)
{
  gsize bytes = image_bytes (image);
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return no_memory (image, error);
  madvise (memory, bytes, MADV_HUGEPAGE);
  image->host = memory;
  return TRUE;
}

Image *
image_new (const ImageInfo *info, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  if (!image || !map_host (image, error))
    return NULL;
  return g_steal_pointer (&image);
}

Image *
image_new_from_source (const ImageInfo *info, const ImageSource *source, gpointer self, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  if (!image || !map_host (image, error)) {
    source->free (self);
    return NULL;
  }
  image->source = *source;
  image->self = self;
  image->missing = image_info_planes (info);
  image->have = g_malloc0 ((gsize) image->missing);
  return g_steal_pointer (&image);
}

static gboolean
device_fault (Image *image, Device *device, const fv_error *fault, GError **error)
{
  g_autofree char *who = g_strdup_printf ("%s: '%s'", device->fv->key, image->info.name);
  step_error_set_from_plugin (error, who, fault);
  return FALSE;
}

/* A device without memory of its own works in the host slot. */
Image *
image_new_on_device (const ImageInfo *info, Device *device, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  fv_error fault = {.code = FV_OK};
  void *memory;
  if (!image)
    return NULL;
  if (device->discrete ? device->fv->alloc (device->fv, device->stream, image_bytes (image), &memory, &fault)
                       : device->fv->host_alloc (device->fv, image_bytes (image), &memory, &fault)) {
    device_fault (image, device, &fault, error);
    return NULL;
  }
  if (device->discrete) {
    image->slots[image->n_slots++] = (Slot){device, memory};
    image->missing = image_info_planes (info);
  } else {
    image->allocator = device;
    image->host = memory;
  }
  return g_steal_pointer (&image);
}

Image *
image_ref (Image *image)
{
  g_atomic_int_inc (&image->references);
  return image;
}

static void
free_host (Image *image)
{
  if (image->allocator)
    image->allocator->fv->host_free (image->allocator->fv, image->host);
  else if (image->host)
    munmap (image->host, image_bytes (image));
}

void
image_unref (Image *image)
{
  if (!image || !g_atomic_int_dec_and_test (&image->references))
    return;
  for (guint i = 0; i < image->n_slots; i++) {
    const Device *device = image->slots[i].device;
    device->fv->free (device->fv, device->stream, image->slots[i].memory);
  }
  if (image->self)
    image->source.free (image->self);
  free_host (image);
  if (image->pixels)
    image_unref (image->pixels);
  g_free (image->have);
  image_info_clear (&image->info);
  g_mutex_clear (&image->lock);
  g_free (image);
}

const ImageInfo *
image_info (const Image *image)
{
  return &image->info;
}

void *
image_pixels (Image *image)
{
  return image->host;
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

/* ---- Residency ---- */

/* The one place where pixels go between the host and a device: everything, counted. The lock is held. */
static gboolean
move (Image *image, Device *device, void *to, const void *from, fv_copy direction, GError **error)
{
  fv_error fault = {.code = FV_OK};
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

/* Reads one plane from the file. The lock is held. */
static gboolean
read_plane (Image *image, gint64 plane, GError **error)
{
  if (!image->have || image->have[plane])
    return TRUE;
  if (!image->source.read_plane (image->self, plane,
                                 image->host + (gsize) plane * image_info_plane_bytes (&image->info), error))
    return FALSE;
  image->have[plane] = 1;
  if (--image->missing == 0) {
    image->source.free (image->self);
    image->self = NULL;
    g_clear_pointer (&image->have, g_free);
  }
  return TRUE;
}

/* Brings a device's result to the host. The lock is held. */
static gboolean
fetch (Image *image, GError **error)
{
  if (image->have || image->missing == 0)
    return TRUE;
  if (!image->host && !map_host (image, error))
    return FALSE;
  if (!move (image, image->slots[0].device, image->host, image->slots[0].memory, FV_TO_HOST, error))
    return FALSE;
  image->missing = 0;
  return TRUE;
}

const void *
image_plane (Image *image, gint64 plane, GError **error)
{
  gboolean there;
  if (image->pixels)
    image = image->pixels;
  g_return_val_if_fail (plane >= 0 && plane < image_info_planes (&image->info), NULL);
  g_mutex_lock (&image->lock);
  there = fetch (image, error) && read_plane (image, plane, error);
  g_mutex_unlock (&image->lock);
  return there ? image->host + (gsize) plane * image_info_plane_bytes (&image->info) : NULL;
}

/* Reads all planes that are missing, one lock at a time so that others can look meanwhile. */
static gboolean
load (Image *image, Progress *progress, GError **error)
{
  gint64 planes = image_info_planes (&image->info);
  for (gint64 plane = 0; plane < planes; plane++) {
    if (progress_report (progress, plane, planes)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
    if (!image_plane (image, plane, error))
      return FALSE;
  }
  return TRUE;
}

static void *
find_slot (const Image *image, const Device *device)
{
  for (guint i = 0; i < image->n_slots; i++)
    if (image->slots[i].device == device)
      return image->slots[i].memory;
  return NULL;
}

/* Makes a slot on a device and fills it from the host. The lock is held. */
static void *
upload (Image *image, Device *device, GError **error)
{
  fv_error fault = {.code = FV_OK};
  void *memory;
  g_return_val_if_fail (image->n_slots < G_N_ELEMENTS (image->slots), NULL);
  if (device->fv->alloc (device->fv, device->stream, image_bytes (image), &memory, &fault)) {
    device_fault (image, device, &fault, error);
    return NULL;
  }
  if (!move (image, device, memory, image->host, FV_TO_DEVICE, error)) {
    device->fv->free (device->fv, device->stream, memory);
    return NULL;
  }
  image->slots[image->n_slots++] = (Slot){device, memory};
  return memory;
}

void *
image_on_device (Image *image, Device *device, Progress *progress, GError **error)
{
  void *memory;
  if (image->pixels)
    image = image->pixels;
  g_mutex_lock (&image->lock);
  memory = device->discrete ? find_slot (image, device) : NULL;
  g_mutex_unlock (&image->lock);
  if (memory)
    return memory;
  if (!load (image, progress, error))
    return NULL;
  if (!device->discrete)
    return image->host;
  g_mutex_lock (&image->lock);
  memory = find_slot (image, device);
  if (!memory)
    memory = upload (image, device, error);
  g_mutex_unlock (&image->lock);
  return memory;
}
