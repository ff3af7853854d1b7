/* SPDX-License-Identifier: MIT
 *
 * An image of a folder, with a small picture of it when that is there.
 */
#ifndef UI_FOLDER_FOLDER_IMAGE_H
#define UI_FOLDER_FOLDER_IMAGE_H

#include "core/files/files.h"

#include <gtk/gtk.h>

#define FOLDER_IMAGE_TYPE (folder_image_get_type ())
/* Signal: "changed" when its picture or what is known of it has. */
G_DECLARE_FINAL_TYPE (FolderImage, folder_image, FOVEA, FOLDER_IMAGE, GObject)

/* name: how it is called in the folder. */
FolderImage *folder_image_new (const char *path, const char *name);
/* One of the images of a file, which stays open. */
FolderImage *folder_image_new_of (FilesImages *images, guint series, const char *path, const char *name);
/* What it is one of, and which; NULL: the first image of the file. */
FilesImages *folder_image_images (const FolderImage *image);
guint folder_image_series (const FolderImage *image);
const char *folder_image_path (const FolderImage *image);
const char *folder_image_name (const FolderImage *image);

/* not read yet; being read; has a picture; too large for one; not an image, with the reason */
typedef enum {
  FOLDER_IMAGE_NEW,
  FOLDER_IMAGE_ASKED,
  FOLDER_IMAGE_SEEN,
  FOLDER_IMAGE_LARGE,
  FOLDER_IMAGE_BAD
} FolderImageState;
FolderImageState folder_image_state (const FolderImage *image);
/* The picture, or NULL; and how large the image is, or what is wrong with it: "" while that is not known. */
GdkPaintable *folder_image_picture (const FolderImage *image);
const char *folder_image_about (const FolderImage *image);
/* Takes a reference to the picture. */
void folder_image_set (FolderImage *image, FolderImageState state, GdkPaintable *picture, const char *about);

#endif
