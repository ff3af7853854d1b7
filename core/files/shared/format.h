/* SPDX-License-Identifier: MIT
 *
 * A format of image files, as it declares itself: names, reading and writing. Everything else asks the list of core/files/formats.h.
 */
#ifndef CORE_FILES_SHARED_FORMAT_H
#define CORE_FILES_SHARED_FORMAT_H

#include "core/base/file_hash.h"
#include "core/data/image.h"

typedef struct FileFormat FileFormat;

/* Where on a plate an image was taken. */
typedef struct FilePosition {
  const char *well;   /* "B02"; the layout's */
  gint row, column;   /* of the well, from 0; -1: it is in no row */
  gint64 field;       /* as the data set numbers them */
  gint rows, columns; /* of the plate; 0: unknown */
} FilePosition;

/* What a file says about its images is read once, into a layout. A format whose files have one image each needs none: without `layout` the functions
 * get the path instead. Every function may be called from any thread; open() and describe() also at the same time. */
struct FileFormat {
  const char *key;    /* "tiff"; unique, lower case */
  const char *label;  /* "TIFF" */
  const char *plugin; /* that reads it; NULL: none is needed */
  const char *const
    *endings; /* of names, lower case, without the first dot: "tif", "fits.gz"; the usual one first; NULL at the end */
  const char *const *mime; /* media types, likewise */
  gboolean only_named;     /* files with these endings are mostly of other kinds: folders do not offer them as images */

  /* ---- Reading ---- */

  /* Files that gzip packed as a whole are asked about with what they unpack to. */
  gboolean gzip;
  /* Is asked before formats as whose its files begin; or after all others. */
  gboolean first, last;
  /* Whether the file is of this format. head: its first n bytes, at most FORMAT_HEAD; of a folder n is 0. */
  gboolean (*is) (const FileFormat *self, const char *path, const guint8 *head, gsize n);
  /* Whether a folder is of this format when its subfolders have such files (shared/subfolders.h). */
  gboolean in_subfolders;
  gpointer (*layout) (const FileFormat *self, const char *path, GError **error);
  /* Whether layout() takes this URL in place of a path, and fetches of it what is needed. NULL: no URL. */
  gboolean (*is_url) (const FileFormat *self, const char *url);
  void (*free) (gpointer layout);
  guint (*count) (gconstpointer layout); /* of images; NULL: one */
  /* What no image shows, in a few words; NULL: nothing. */
  const char *(*left_out) (gconstpointer layout);
  /* Where image n was taken, from the layout alone; FALSE: on no plate. NULL as a function: never on one. */
  gboolean (*position) (gconstpointer layout, guint n, FilePosition *position);
  /* Paths of the other files that the images are read from; NULL or empty: none. */
  const GPtrArray *(*others) (gconstpointer layout);
  /* Paths of the files and folders that image n alone is read from, of a data set that has many; NULL: all of it. Free with g_ptr_array_unref(). NULL as
   * a function: always all of it. */
  GPtrArray *(*paths) (gconstpointer layout, guint n);
  /* What the headers say of image n, see files_images_describe(). NULL: open() reads no pixels and tells it. */
  gboolean (*describe) (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error);
  /* Image n, which does not need the layout: pixels now, or an ImageSource that reads them on demand. */
  Image *(*open) (gpointer layout, guint n, GError **error);
  /* What the file says of people, institutions and dates with image n, a line for each: shown on request, and never kept with an image. NULL: nothing, or
   * *error. NULL as a function: there is never anything. */
  char *(*personal) (gconstpointer layout, guint n, GError **error);
  /* Where the reader leaves the hash of what it reads, and the file's descriptor. NULL: the file is read again for its hash. */
  FileHash **(*hash) (gpointer layout, int *fd);

  /* ---- Writing ---- */

  guint n_written;   /* so many of the endings, the first ones, are written, too; 0: none */
  const char *macro; /* what saveAs() of macros calls it: "Tiff" */
  /* Choices: fields of a struct of so many bytes, which check() looks at as a whole. NULL: none. */
  const fv_param *options;
  gsize options_size;
  gboolean (*check) (gconstpointer options, GError **error);
  /* Changes the defaults to what suits the image. NULL: they do. */
  void (*propose) (gpointer options, const ImageInfo *info);
  /* options: NULL when the format has none. */
  gboolean (*save) (Image *image, const char *path, gconstpointer options, GError **error);
};

enum { FORMAT_HEAD = 1024 }; /* bytes of a file's beginning that tell all formats apart */

#endif
