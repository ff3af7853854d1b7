/* SPDX-License-Identifier: MIT
 *
 * Images of files, in and out.
 */
#include "library/private.h"

#include "core/files/files.h"
#include "core/files/raw.h"
#include "core/selection/drawn.h"

struct fovea_file {
  fovea_context *context;
  FilesImages *images;
  GPtrArray *described; /* descriptions of images that the caller got */
};

typedef struct {
  ImageInfo info;
  char *text;
} Description;

static void
description_free (gpointer data)
{
  Description *d = data;
  image_info_clear (&d->info);
  g_free (d->text);
  g_free (d);
}

/* ---- In ---- */

fovea_file *
fovea_file_open (fovea_context *context, const char *path, fovea_error **error)
{
  return fovea_file_open_raw (context, path, NULL, error);
}

fovea_code
fovea_file_can_be_raw (const char *raw, fovea_error **error)
{
  GError *fault = NULL;
  FilesRaw read;
  if (!library_has (raw, "raw", error))
    return FOVEA_BAD_ARGUMENT;
  return files_raw_parse (raw, &read, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_file *
fovea_file_open_raw (fovea_context *context, const char *path, const char *raw, fovea_error **error)
{
  GError *fault = NULL;
  FilesImages *images;
  fovea_file *file;
  if (!library_has (context, "context", error) || !library_has (path, "path", error))
    return NULL;
  if (!(images = files_images_fetch (path, raw, &fault))) {
    library_fail (error, fault);
    return NULL;
  }
  file = g_new (fovea_file, 1);
  *file = (fovea_file){library_context_ref (context), images, g_ptr_array_new_with_free_func (description_free)};
  return file;
}

unsigned
fovea_file_count (const fovea_file *file)
{
  return file ? files_images_count (file->images) : 0;
}

const char *
fovea_file_left_out (const fovea_file *file)
{
  return file ? files_images_left_out (file->images) : NULL;
}

fovea_image *
fovea_file_image (const fovea_file *file, unsigned n, fovea_error **error)
{
  GError *fault = NULL;
  Image *image;
  if (!library_has (file, "file", error))
    return NULL;
  if (!(image = files_images_open (file->images, n, &fault)))
    library_fail (error, fault);
  return library_image_new (file->context, image);
}

const char *
fovea_file_describe (fovea_file *file, unsigned n, fovea_image_info *info, const char **depends, fovea_error **error)
{
  GError *fault = NULL;
  const char *clause;
  ImageInfo read;
  if (!library_has (file, "file", error) || !library_has (info, "info", error))
    return NULL;
  if (!files_images_describe (file->images, n, &read, &clause, &fault)) {
    library_fail (error, fault);
    return NULL;
  }
  Description *d = g_new (Description, 1);
  *d = (Description){read, image_info_text (&read)};
  g_ptr_array_add (file->described, d);
  if (depends)
    *depends = clause;
  return library_give_info (&d->info, info, error) == FOVEA_OK ? d->text : NULL;
}

char *
fovea_file_personal (const fovea_file *file, unsigned n, fovea_error **error)
{
  GError *fault = NULL;
  if (!library_has (file, "file", error))
    return NULL;
  char *text = files_images_personal (file->images, n, &fault);
  if (fault)
    library_fail (error, fault);
  return text;
}

void
fovea_file_free (fovea_file *file)
{
  if (!file)
    return;
  g_ptr_array_unref (file->described);
  files_images_free (file->images);
  fovea_context_free (file->context);
  g_free (file);
}

fovea_image *
fovea_image_open (fovea_context *context, const char *path, unsigned n, fovea_error **error)
{
  fovea_file *file = fovea_file_open (context, path, error);
  fovea_image *image = file ? fovea_file_image (file, n, error) : NULL;
  fovea_file_free (file);
  return image;
}

fovea_image *
fovea_image_open_selections (fovea_context *context, const char *path, const fovea_image *like, char **left_out,
                             fovea_error **error)
{
  GError *fault = NULL;
  Image *drawn = NULL;
  g_autofree char *strange = NULL;
  if (left_out)
    *left_out = NULL;
  if (!library_has (context, "context", error) || !library_has (path, "path", error)
      || !library_has (like, "like", error))
    return NULL;
  g_autoptr (GPtrArray) selections = selections_read (path, &strange, &fault);
  if (!selections || !(drawn = selections_drawn (selections, image_info (like->image), TRUE, &fault))) {
    library_fail (error, fault);
    return NULL;
  }
  if (left_out)
    *left_out = g_steal_pointer (&strange);
  return library_image_new (context, drawn);
}

/* ---- Out ---- */

enum { LARGEST_TILE = 8192 };

fovea_code
library_save_choices (const fovea_save_options *options, char **choices, fovea_error **error)
{
  static const char *const methods[] = {"", " compression=deflate", " compression=zstd", " compression=jpeg",
                                        " compression=png"}; /* as fovea_compression */
  fovea_save_options o = {0};
  GString *text;
  *choices = NULL;
  if (!options)
    return FOVEA_OK;
  if (!library_take (options, &o, sizeof o, "options", error))
    return FOVEA_BAD_ARGUMENT;
  if (o.compression > FOVEA_PNG)
    return library_fail_argument (error, "compression", "Unknown compression %d.", (int) o.compression);
  if (o.tile % 16 || o.tile > LARGEST_TILE)
    return library_fail_argument (error, "tile", "The tile size must be a multiple of 16 up to %d, not %u.",
                                  LARGEST_TILE, o.tile);
  text = g_string_new (methods[o.compression]);
  if (o.tile)
    g_string_append_printf (text, " tile=%u", o.tile);
  if (o.pyramid)
    g_string_append (text, " pyramid=yes");
  if (o.rate != 0) {
    char rate[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, " rate=%s", g_ascii_dtostr (rate, sizeof rate, o.rate));
  }
  if (o.others && *o.others)
    g_string_append_printf (text, " %s", o.others);
  *choices = g_string_free (text, FALSE);
  return FOVEA_OK;
}

fovea_code
fovea_image_can_save (const char *path, const fovea_save_options *options, fovea_error **error)
{
  GError *fault = NULL;
  g_autofree char *choices = NULL;
  if (!library_has (path, "path", error) || library_save_choices (options, &choices, error))
    return FOVEA_BAD_ARGUMENT;
  return files_can_save (path, choices, &fault) ? FOVEA_OK : library_fail (error, fault);
}

fovea_code
fovea_image_save (const fovea_image *image, const char *path, const fovea_save_options *options, fovea_error **error)
{
  GError *fault = NULL;
  g_autofree char *choices = NULL;
  if (!library_has (image, "image", error) || !library_has (path, "path", error)
      || library_save_choices (options, &choices, error))
    return FOVEA_BAD_ARGUMENT;
  /* What a device made is brought in its turn; planes of a file come one by one while the other file is written. */
  if ((!image_device (image->image) || library_image_pixels (image, &fault))
      && files_save_as (image->image, path, choices, &fault))
    return FOVEA_OK;
  return library_fail (error, fault);
}
