/* SPDX-License-Identifier: MIT
 *
 * Makes small pictures of images on a thread of its own, one at a time, of what is seen first. So many of them are kept.
 */
#ifndef UI_FOLDER_THUMBNAILS_H
#define UI_FOLDER_THUMBNAILS_H

#include "core/ops/module.h"
#include "ui/folder/folder_image.h"

enum { THUMBNAIL_WIDTH = 112, THUMBNAIL_HEIGHT = 96 };

typedef struct Thumbnails Thumbnails;

/* modules must live longer. */
Thumbnails *thumbnails_new (Modules *modules);
/* What is being made ends soon. */
void thumbnails_free (Thumbnails *thumbnails);
/* The image is to be seen, and gets its picture, before others that were asked for earlier; or it is not any more. */
void thumbnails_ask (Thumbnails *thumbnails, FolderImage *image);
void thumbnails_forget (Thumbnails *thumbnails, FolderImage *image);

#endif
