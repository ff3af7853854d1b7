/* SPDX-License-Identifier: MIT
 *
 * Reading and writing image files. Formats (formats.h) recognize a file by its contents, and a name to write by its ending.
 * Every error names the file and what is wrong with it.
 */
#ifndef CORE_FILES_FILES_H
#define CORE_FILES_FILES_H

#include "core/files/formats.h"

/* The images of a file: several when they are of different size or type. What the file says about them is read once. */
typedef struct FilesImages FilesImages;
FilesImages *files_images_new (const char *path, GError **error);
/* The same of what people name: a path, or a URL, which is fetched (file_source.h) and lasts as long as these and their images. Of an
 * OME-Zarr folder only what is read is fetched. raw: NULL, or what the
 * pixels are, as files_raw_set() takes it. */
FilesImages *files_images_fetch (const char *given, const char *raw, GError **error);
guint files_images_count (const FilesImages *images);
/* The format of the file. */
const FileFormat *files_images_format (const FilesImages *images);
/* Another reference, for files_images_free(). Any thread. */
FilesImages *files_images_ref (FilesImages *images);
/* Where on a plate image n was taken, without opening it. FALSE: on none. */
gboolean files_images_position (const FilesImages *images, guint n, FilePosition *position);
/* What the file, or the set that it belongs to, has and none of its images shows, in a few words: the tables of a FITS file, pages and missing planes of
 * a TIFF file. NULL: nothing. */
const char *files_images_left_out (const FilesImages *images);
/* The files and folders that image n is read from, of a data set with many, so that few of them have to be looked at; NULL: all that the data set has.
 * Free with g_ptr_array_unref(). */
GPtrArray *files_images_paths (const FilesImages *images, guint n);
/* Image n, from 0, with pixels that are read on demand or at once, as the format does it. The image does not need `images`. */
Image *files_images_open (const FilesImages *images, guint n, GError **error);
/* What the headers say of image n, without reading pixels. *depends: what these may change of it, as a clause, or NULL. Clear *info with
 * image_info_clear(). FALSE with *error. */
gboolean files_images_describe (const FilesImages *images, guint n, ImageInfo *info, const char **depends,
                                GError **error);
/* What the file says of people, institutions and dates with image n, a line for each, which no image keeps; NULL: nothing, or *error. Free with g_free(). */
char *files_images_personal (const FilesImages *images, guint n, GError **error);
/* From now on what is read of the file counts for its hash. */
void files_images_begin_hash (FilesImages *images);
/* The hash of all of the file; what has not been read since files_images_begin_hash() is read. FALSE with *error. */
gboolean files_images_hash (const FilesImages *images, char text[FILE_HASH_TEXT], GError **error);
/* The same of a path, which can be a folder or have named parts (plate/pattern.h). */
gboolean files_hash_of_path (const char *path, char text[FILE_HASH_TEXT], GError **error);
/* The paths of the files that match a path with named parts. NULL: it has none, or *error. */
GPtrArray *files_paths_of_pattern (const char *path, GError **error);
void files_images_free (FilesImages *images);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesImages, files_images_free)
/* One image of a file. NULL with *error. */
Image *files_open (const char *path, guint n, GError **error);
/* Paths of the other files that the image is read from, as of a set in OME-TIFF; NULL: none. The image's. */
const GPtrArray *files_others (Image *image);
/* The same of all images of a file together. The images'. */
const GPtrArray *files_images_others (const FilesImages *images);
/* Writes by the ending of the name, in the format that formats_of_output() says. What the format cannot hold exactly is an error that says what to do,
 * but JPEG changes values a little. The file appears whole or not at all. */
gboolean files_save (Image *image, const char *path, GError **error);
/* The same with options of the format, "compression=zstd tile=256" (options.h), which may be NULL. */
gboolean files_save_as (Image *image, const char *path, const char *options, GError **error);
/* Whether the name is one of a format that can be written, with these options. */
gboolean files_can_save (const char *path, const char *options, GError **error);

#endif
