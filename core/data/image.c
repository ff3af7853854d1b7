/* SPDX-License-Identifier: MIT
 *
 * Making images, and what is known about them; image_residency.c brings their pixels to where they are wanted.
 */
#include "core/data/image.h"

#include "core/base/error.h"
#include "core/base/fork.h"
#include "core/data/image_private.h"

gsize
image_bytes (const Image *image)
{
  return (gsize) image_info_planes (&image->info) * image_info_plane_bytes (&image->info);
}

Image *
image_make (const ImageInfo *info, GError **error)
{
  Image *image;
  if (!image_info_check (info, error))
    return NULL;
  image = g_new0 (Image, 1);
  image->references = 1;
  g_mutex_init (&image->lock);
  fork_guard (&image->lock, NULL, NULL);
  image_info_copy (&image->info, info);
  return image;
}

gboolean
image_make_host (Image *image, Device *device, GError **error)
{
  fv_error fault = FV_ERROR_INIT;
  g_autofree char *who = NULL;
  if (!host_slot_new (&image->host, image_bytes (image), image_bytes (image) > IMAGE_PINNED ? NULL : device, &fault))
    return TRUE;
  who = g_strdup_printf ("'%s'", image->info.name);
  step_error_set_from_plugin (error, who, &fault);
  return FALSE;
}

Image *
image_new_near (const ImageInfo *info, Device *device, GError **error)
{
  g_autoptr (Image) image = image_make (info, error);
  return image && image_make_host (image, device, error) ? g_steal_pointer (&image) : NULL;
}

Image *
image_new (const ImageInfo *info, GError **error)
{
  return image_new_near (info, NULL, error);
}

Image *
image_new_lent (const ImageInfo *info, void *pixels, GDestroyNotify give_back, gpointer lender, GError **error)
{
  Image *image = image_make (info, error);
  if (image)
    image->host = (HostSlot){.pixels = pixels, .bytes = image_bytes (image), .give_back = give_back, .lender = lender};
  return image;
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

Image *
image_ref (Image *image)
{
  g_atomic_int_inc (&image->references);
  return image;
}

void
image_unref (Image *image)
{
  fv_error fault = FV_ERROR_INIT;
  if (!image || !g_atomic_int_dec_and_test (&image->references))
    return;
  if (image->download.event)
    transfer_end (&image->download, image->maker, &fault);
  g_slist_free_full (image->slots, (GDestroyNotify) slot_free);
  g_clear_pointer (&image->loader, loader_free);
  host_slot_free (&image->host);
  image_unref (image->pixels);
  for (guint i = 0; i < G_N_ELEMENTS (image->taken); i++)
    if (image->taken[i] != image)
      image_unref (image->taken[i]);
  g_datalist_clear (&image->kept);
  image_info_clear (&image->info);
  fork_unguard (&image->lock);
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
  return image_with_pixels ((Image *) image)->maker;
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
  view = image_make (info, NULL);
  view->pixels = image_ref (image_with_pixels (image));
  return view;
}

G_STATIC_ASSERT (G_N_ELEMENTS (((Image *) NULL)->taken) == IMAGE_TAKEN);

Image *
image_taken (Image *image, ImageTaken as)
{
  Image *taken;
  g_mutex_lock (&image->lock);
  if ((taken = image->taken[as]))
    image_ref (taken);
  g_mutex_unlock (&image->lock);
  return taken;
}

void
image_set_taken (Image *image, ImageTaken as, Image *taken)
{
  g_mutex_lock (&image->lock);
  if (!image->taken[as])
    image->taken[as] = taken == image ? image : image_ref (taken);
  g_mutex_unlock (&image->lock);
}

gpointer
image_kept (Image *image, GQuark key)
{
  return g_datalist_id_get_data (&image->kept, key);
}

gboolean
image_keep (Image *image, GQuark key, gpointer data, GDestroyNotify free)
{
  return g_datalist_id_replace_data (&image->kept, key, NULL, data, free, NULL);
}
