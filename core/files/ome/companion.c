/* SPDX-License-Identifier: MIT
 *
 * The images are those of the first file that it names and that is there; the reader of TIFF finds the others as it does for a set.
 */
#include "core/files/ome/companion.h"

#include "core/base/file_error.h"

#include <string.h>

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

FilesTiffLayout *
ome_companion_layout (const char *path, FilesOme *ome, const char *text, GError **error)
{
  g_autoptr (FilesOme) own = ome;
  const char *named = NULL;
  g_autofree char *first = first_file (path, own, &named);
  if (first) {
    g_clear_pointer (&own->uuid, g_free); /* that of this file, not of the first one */
    return files_tiff_layout_of_text (first, g_steal_pointer (&own), text, path, error);
  }
  if (named)
    file_fail (error, FILE_ERROR_MISSING, path, "needs its OME-TIFF files beside it, and not even '%s' is there.",
               named);
  else
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "is OME-XML without pixels, and names no files with any; save the image as OME-TIFF with Bio-Formats.");
  return NULL;
}
