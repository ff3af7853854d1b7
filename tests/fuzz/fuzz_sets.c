/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: a folder with several files, the first of which is opened and may name the others: OME-TIFF in several
 * files, and a companion. Each file comes after a line "--- NAME". Of a name with slashes the first folder is opened, as OME-Zarr is one. A name with
 * named parts makes no file: it is opened as it is.
 */
#include "tests/fuzz/support.h"
#include "tests/fuzz/tree.h"

#include <string.h>

#define MAX_FILES 64
#define MAX_IMAGES 8
#define MAX_BYTES (4 << 20)
#define MARK "--- "

/* The next mark at the start of a line, or `end`. */
static const guint8 *
next_mark (const guint8 *at, const guint8 *end)
{
  const guint8 *found = memmem (at, (gsize) (end - at), "\n" MARK, strlen ("\n" MARK));
  return found ? found + 1 : end;
}

/* Whether a file can have that name, below the folder. */
static gboolean
is_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  gboolean is = strlen (name) < 200 && g_strv_length (parts) < 16;
  for (char **part = parts; *part; part++)
    is = is && **part && strcmp (*part, ".") && strcmp (*part, "..");
  return is;
}

/* Takes the file that begins with the mark; what is opened of it, it or its folder, or NULL when it has no usable name. *at: behind it. */
static char *
take_file (const guint8 **at, const guint8 *end, GHashTable *files)
{
  const guint8 *name = *at + strlen (MARK), *line = memchr (name, '\n', (gsize) (end - name));
  g_autofree char *given = line ? g_strndup ((const char *) name, (gsize) (line - name)) : g_strdup ("");
  const guint8 *next = next_mark (line ? line + 1 : end, end);
  gsize size = line ? (gsize) (next - (line + 1)) : 0;
  *at = next;
  if (size > 0 && next < end)
    size--; /* the line's end before the mark */
  if (!line || !*given || *given == '.' || !is_name (given))
    return NULL;
  if (strchr (given, '{') || strstr (given, "(?P<"))
    return g_build_filename (fuzz_folder (), given, NULL);
  g_hash_table_insert (files, g_strdup (given), g_bytes_new (line + 1, size));
  given[strcspn (given, "/")] = 0;
  return g_build_filename (fuzz_folder (), given, NULL);
}

static void
open_set (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = files_images_new (path, &error);
  if (!images && !error)
    g_error ("no images and no error");
  for (guint i = 0; images && i < MIN (files_images_count (images), MAX_IMAGES); i++) {
    g_autoptr (GError) fault = NULL;
    g_autoptr (Image) image = files_images_open (images, i, &fault);
    if (!image && !fault)
      g_error ("no image and no error");
    if (image)
      fuzz_read_planes (image, MAX_BYTES);
  }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GHashTable) files =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  g_autofree char *first = NULL;
  const guint8 *at = bytes, *end = bytes + size;
  if (size < strlen (MARK) || memcmp (bytes, MARK, strlen (MARK)))
    return 0;
  for (guint n = 0; at < end && n < MAX_FILES; n++) {
    char *path = take_file (&at, end, files);
    if (!first)
      first = path;
    else
      g_free (path);
  }
  fuzz_tree_set (files);
  if (first)
    open_set (first);
  return 0;
}
