/* SPDX-License-Identifier: MIT
 *
 * Reading and writing image files. Readers recognise a file by its contents, writers by the extension.
 * Every error names the file and what is wrong with it.
 */
#ifndef CORE_FILES_H
#define CORE_FILES_H

#include "image.h"

#include <sys/types.h>

typedef enum {
  FILES_ERROR_OPEN,        /* not there, not readable, a folder */
  FILES_ERROR_MISSING,     /* not there, where that need not be a fault: files_small.h */
  FILES_ERROR_FORMAT,      /* not an image file that can be read */
  FILES_ERROR_DAMAGED,     /* truncated, inconsistent, or claims more than it holds */
  FILES_ERROR_UNSUPPORTED, /* a known format's feature that is not supported; says which */
  FILES_ERROR_WRITE,       /* could not be written; nothing was left behind */
} FilesError;
#define FILES_ERROR files_error_quark ()
GQuark files_error_quark (void);
/* Sets *error to "'path' text", one sentence; returns FALSE. For readers and writers. */
gboolean files_fail (GError **error, FilesError code, const char *path, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* The images of a file: several when they are of different size or type. What the file says about them is read once. */
typedef struct FilesImages FilesImages;
FilesImages *files_images_new (const char *path, GError **error);
guint files_images_count (const FilesImages *images);
/* Image n, from 0; a TIFF file's planes are read on demand, other formats at once. The image does not need `images`. */
Image *files_images_open (const FilesImages *images, guint n, GError **error);
void files_images_free (FilesImages *images);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesImages, files_images_free)
/* One image of a file. NULL with *error. */
Image *files_open (const char *path, guint n, GError **error);
/* Writes by extension: .tif/.tiff (all types and dimensions; ImageJ hyperstack, BigTIFF when it must), .png (u8, u16,
 * RGB, mask, labels up to 65535; one plane), .jpg/.jpeg (u8 and RGB; one plane; JPEG changes values a little). Anything
 * else that the format cannot hold exactly is an error that says what to do. The file appears whole or not at all. */
gboolean files_save (Image *image, const char *path, GError **error);
/* Whether the name is one that files_save() knows a format for. */
gboolean files_can_save (const char *path, GError **error);

/* A file that appears whole or not at all: what is written goes into a file that has no name, or where the file system has
 * no such thing a temporary one, .fovea-*.part; files_target_commit() waits until it is on the disk and calls it `path`,
 * files_target_abandon() removes it. All that the program writes goes this way. A link is followed; what is replaced keeps its
 * permissions and, as far as the system allows, its owner; what is not a regular file or is write-protected is not
 * overwritten. Stops when the work of the thread shall (progress.h). g_autoptr (FilesTarget) abandons. */
typedef struct FilesTarget FilesTarget;
FilesTarget *files_target_new (const char *path, GError **error);
gboolean files_target_write (FilesTarget *target, gconstpointer bytes, gsize n, GError **error);
gboolean files_target_commit (FilesTarget *target, GError **error); /* frees target in any case */
void files_target_abandon (FilesTarget *target);                    /* frees target */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTarget, files_target_abandon)
/* A whole file at once. mode: the permissions of a new one, less the umask. */
gboolean files_save_text (const char *path, const char *text, mode_t mode, GError **error);

#endif
