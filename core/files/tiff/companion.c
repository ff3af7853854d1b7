/* SPDX-License-Identifier: MIT
 *
 * The images are those of the first file that it names and that is there; the reader of TIFF finds the others as it does for a set.
 */
#include "core/files/tiff/companion.h"

#include "core/base/file_read.h"
#include "core/files/tiff/tiff.h"

#include <string.h>

#define LARGEST ((gsize) 256 << 20) /* bytes */

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  g_autofree char *text = g_strndup ((const char *) head, n);
  (void) self, (void) path;
  return n && files_ome_is (text) && strstr (text, "<OME");
}

/* The first file beside the companion that a block names. NULL: none is there. Free with g_free(). */
static char *
first_file (const char *path, const FilesOme *ome, const char **named)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *last = NULL;
  for (guint i = 0; i < ome->images->len; i++) {
    const FilesOmeImage *image = ome->images->pdata[i];
    for (guint j = 0; j < image->blocks->len; j++) {
      const char *file = g_array_index (image->blocks, FilesOmeBlock, j).file;
      if (!file || file == last)
        continue;
      *named = *named ? *named : file;
      last = file;
      g_autofree char *plain = g_strdelimit (g_strdup (file), "\\", '/'), *base = g_path_get_basename (plain),
                      *beside = g_build_filename (folder, base, NULL);
      if (g_file_test (beside, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&beside);
    }
  }
  return NULL;
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  gsize n;
  const char *named = NULL;
  GError *fault = NULL;
  g_autofree char *text = file_read_small (path, 0, LARGEST, &n, error);
  (void) self;
  if (!text)
    return NULL;
  if (!g_utf8_validate (text, -1, NULL)) {
    char *converted = g_convert (text, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
    g_free (text);
    text = converted;
  }
  g_autoptr (FilesOme) ome = files_ome_parse (text, &fault);
  if (!ome) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: %s.", fault->message);
    g_error_free (fault);
    return NULL;
  }
  g_autofree char *first = first_file (path, ome, &named);
  if (first) {
    g_clear_pointer (&ome->uuid, g_free); /* that of this file, not of the first one */
    return files_tiff_layout_of_text (first, g_steal_pointer (&ome), text, path, error);
  }
  if (named)
    file_fail (error, FILE_ERROR_MISSING, path, "needs its OME-TIFF files beside it, and not even '%s' is there.",
               named);
  else
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "is OME-XML that names no files; save the image as OME-TIFF with Bio-Formats.");
  return NULL;
}

const FileFormat format_companion = {
  .key = "ome_companion",
  .label = "OME-XML",
  .endings = (const char *const[]){"companion.ome", "ome", NULL},
  .mime = (const char *const[]){"application/x-ome-xml", NULL},
  .only_named = TRUE,
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_tiff_layout_unref,
  .count = files_tiff_layout_count,
  .left_out = files_tiff_layout_left_out,
  .others = files_tiff_layout_others,
  .open = files_tiff_open,
};
