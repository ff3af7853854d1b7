/* SPDX-License-Identifier: MIT
 *
 * What the parts of the library share.
 */
#ifndef LIBRARY_PRIVATE_H
#define LIBRARY_PRIVATE_H

#include "core/data/image.h"
#include "core/data/table.h"
#include "core/macro/macro.h"
#include "core/files/tiff/choices.h"
#include "core/ops/module.h"
#include "core/run/run.h"
#include "library/fovea.h"
#include "library/helper.h"
#include "library/operations.h"

struct fovea_context {
  gatomicrefcount
    references; /* its own and those of what was made with it: devices hold pixels, steps are a plugin's */
  Modules *modules;
  GMutex lock; /* guards what follows, which is made when it is asked for */
  Operations *operations;
  GHashTable *devices; /* what is shown of each */
  const fovea_device **device_list;
  Helper *helper; /* NULL: none is idle */
};

struct fovea_image {
  fovea_context *context;
  Image *image;
  char *text; /* made when it is asked for */
};

struct fovea_recipe {
  fovea_context *context;
  Recipe *recipe;
  char *text, **steps;
};

struct fovea_run {
  fovea_context *context;
  Run *run;
  Progress progress;
  const Device *device; /* NULL: not executed yet */
  char *reason;
};

fovea_context *library_context_ref (fovea_context *context);
const fovea_device *library_device (fovea_context *context, const Device *device);
Device *library_device_of (const fovea_device *device);
/* Takes the image; NULL stays NULL. */
fovea_image *library_image_new (fovea_context *context, Image *image);
/* An image of this type, shape and calibration without pixels; NULL with *error. */
Image *library_image_promised (const fovea_image_info *info, fovea_error **error);
/* Fills *info, whose `size` is set. */
fovea_code library_give_info (const ImageInfo *from, fovea_image_info *info, fovea_error **error);
/* All pixels in host memory; NULL with *error. Any thread. */
void *library_image_pixels (const fovea_image *image, GError **error);
fovea_table *library_table_new (Table *table);
/* What the options, or NULL, say. */
fovea_code library_save_choices (const fovea_save_options *options, char **choices, fovea_error **error);
fovea_code library_csv_format (const fovea_csv_options *options, CsvFormat *format, fovea_error **error);

/* What errors call a macro of that file. Free with g_free(). */
char *library_macro_name (const char *path);
/* The text of a macro, n bytes. Free with g_free(). */
char *library_macro_read (const char *path, gsize *n, GError **error);
/* Of the arguments those with names, a list that ends with NULL. */
GPtrArray *library_macro_answers (const char *const *arguments);
/* All other options of a macro. */
MacroOptions library_macro_settings (const char *path, const fovea_macro_options *options);

/* One thread at a time works on a GPU. NULL: nothing. */
void library_device_enter (Device *device);
void library_device_leave (Device *device);

/* Gives the caller the error, which is freed here, and returns its code. */
fovea_code library_fail (fovea_error **error, GError *from);
/* The same for an argument that is wrong. */
fovea_code library_fail_argument (fovea_error **error, const char *name, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Whether an argument is not NULL; FALSE with *error. */
gboolean library_has (const void *argument, const char *name, fovea_error **error);

/* A struct that the library has made, to one of the program's, which says its own size. FALSE with *error, in which it is called `name`. */
gboolean library_give (const void *from, gsize size, void *to, const char *name, fovea_error **error);
/* The other way. */
gboolean library_take (const void *from, void *to, gsize size, const char *name, fovea_error **error);

#endif
