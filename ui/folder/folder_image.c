/* SPDX-License-Identifier: MIT
 */
#include "ui/folder/folder_image.h"

struct _FolderImage {
  GObject parent;
  char *path, *name, *about;
  FilesImages *images; /* or NULL */
  guint series;
  FolderImageState state;
  GdkPaintable *picture;
};

G_DEFINE_FINAL_TYPE (FolderImage, folder_image, G_TYPE_OBJECT)

static guint changed_signal;

const char *
folder_image_path (const FolderImage *image)
{
  return image->path;
}

const char *
folder_image_name (const FolderImage *image)
{
  return image->name;
}

FilesImages *
folder_image_images (const FolderImage *image)
{
  return image->images;
}

guint
folder_image_series (const FolderImage *image)
{
  return image->series;
}

FolderImageState
folder_image_state (const FolderImage *image)
{
  return image->state;
}

GdkPaintable *
folder_image_picture (const FolderImage *image)
{
  return image->picture;
}

const char *
folder_image_about (const FolderImage *image)
{
  return image->about;
}

void
folder_image_set (FolderImage *image, FolderImageState state, GdkPaintable *picture, const char *about)
{
  char *copy = g_strdup (about);
  image->state = state;
  g_set_object (&image->picture, picture);
  g_free (image->about);
  image->about = copy;
  g_signal_emit (image, changed_signal, 0);
}

static void
folder_image_finalize (GObject *object)
{
  FolderImage *image = FOVEA_FOLDER_IMAGE (object);
  g_clear_object (&image->picture);
  g_clear_pointer (&image->images, files_images_free);
  g_free (image->path);
  g_free (image->name);
  g_free (image->about);
  G_OBJECT_CLASS (folder_image_parent_class)->finalize (object);
}

static void
folder_image_class_init (FolderImageClass *class)
{
  G_OBJECT_CLASS (class)->finalize = folder_image_finalize;
  changed_signal = g_signal_new ("changed", FOLDER_IMAGE_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
folder_image_init (FolderImage *image)
{
  image->about = g_strdup ("");
}

FolderImage *
folder_image_new (const char *path, const char *name)
{
  FolderImage *image = g_object_new (FOLDER_IMAGE_TYPE, NULL);
  image->path = g_strdup (path);
  image->name = g_filename_display_name (name);
  return image;
}

FolderImage *
folder_image_new_of (FilesImages *images, guint series, const char *path, const char *name)
{
  FolderImage *image = folder_image_new (path, name);
  image->images = files_images_ref (images);
  image->series = series;
  return image;
}
