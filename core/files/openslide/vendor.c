/* SPDX-License-Identifier: MIT
 *
 * Slides of Aperio and tiled pyramids, which OpenSlide knows, too, are the TIFF reader's, those of Zeiss the CZI reader's.
 */
#include "core/files/openslide/vendor.h"

#include "core/files/tiff/tiff.h"

#include <string.h>

enum { NDPI, SCN, PHILIPS, TRESTLE, VENTANA, MIRAX, VMS, VMU, SAKURA };

static const OpenslideVendor vendors[] = {
  [NDPI] = {"a slide of Hamamatsu (NDPI)", FALSE},   [SCN] = {"a slide of Leica (SCN)", TRUE},
  [PHILIPS] = {"a slide of Philips (TIFF)", TRUE},   [TRESTLE] = {"a slide of Trestle (TIFF)", TRUE},
  [VENTANA] = {"a slide of Ventana (BIF)", TRUE},    [MIRAX] = {"a slide of 3DHISTECH (MRXS)", FALSE},
  [VMS] = {"a slide of Hamamatsu (VMS)", FALSE},     [VMU] = {"a slide of Hamamatsu (VMU)", FALSE},
  [SAKURA] = {"a slide of Sakura (SVSLIDE)", FALSE},
};

/* ---- TIFF ---- */

enum { TAG_DESCRIPTION = 270, TAG_SOFTWARE = 305, TAG_XMP = 700, TAG_NDPI = 65420 };
enum { TEXT_BYTES = 1 << 16 /* of the beginning, where the marks are */ };

/* How a field of the first page begins, as text; NULL: there is none. Free with g_free(). */
static char *
text_of_tag (const FilesTiffFile *file, guint16 tag)
{
  FilesTiffField field;
  if (!files_tiff_field_read (file, file->first, tag, &field))
    return NULL;
  field.count = MIN (field.count, TEXT_BYTES);
  return files_tiff_bytes (file, &field);
}

static gboolean
tag_has (const FilesTiffFile *file, guint16 tag, const char *text)
{
  g_autofree char *all = text_of_tag (file, tag);
  return all && strstr (all, text);
}

static gboolean
tag_begins (const FilesTiffFile *file, guint16 tag, const char *text)
{
  g_autofree char *all = text_of_tag (file, tag);
  return all && g_str_has_prefix (all, text);
}

static const OpenslideVendor *
vendor_of_tiff (const char *path)
{
  g_autoptr (FilesTiffFile) file = files_tiff_file_open (path, NULL);
  FilesTiffField field;
  if (!file || !file->first)
    return NULL;
  if (files_tiff_field_read (file, file->first, TAG_NDPI, &field))
    return &vendors[NDPI];
  if (tag_has (file, TAG_DESCRIPTION, "http://www.leica-microsystems.com/scn/"))
    return &vendors[SCN];
  if (tag_begins (file, TAG_SOFTWARE, "Philips") && tag_has (file, TAG_DESCRIPTION, "DPUfsImport"))
    return &vendors[PHILIPS];
  if (tag_begins (file, TAG_SOFTWARE, "MedScan"))
    return &vendors[TRESTLE];
  return tag_has (file, TAG_XMP, "iScan") ? &vendors[VENTANA] : NULL;
}

/* ---- Others ---- */

static gboolean
has_ending (const char *path, const char *ending)
{
  const gsize length = strlen (path), n = strlen (ending);
  return length > n && !g_ascii_strcasecmp (path + length - n, ending);
}

/* The folder of a slide of MRXS, which has its name without the ending. Free with g_free(). */
static char *
folder_of (const char *path)
{
  return g_strndup (path, strlen (path) - strlen (".mrxs"));
}

static gboolean
is_mirax (const char *path)
{
  g_autofree char *folder = has_ending (path, ".mrxs") ? folder_of (path) : NULL;
  g_autofree char *index = folder ? g_build_filename (folder, "Slidedat.ini", NULL) : NULL;
  return index && g_file_test (index, G_FILE_TEST_IS_REGULAR);
}

static gboolean
begins (const guint8 *head, gsize n, const char *text)
{
  return n >= strlen (text) && !memcmp (head, text, strlen (text));
}

const OpenslideVendor *
openslide_vendor_of (const char *path, const guint8 *head, gsize n)
{
  if (n == 0)
    return NULL;
  if (files_tiff_is (head, n))
    return vendor_of_tiff (path);
  if (begins (head, n, "[Virtual Microscope Specimen]"))
    return &vendors[VMS];
  if (begins (head, n, "[Uncompressed Virtual Microscope Specimen]"))
    return &vendors[VMU];
  if (begins (head, n, "SQLite format 3") && has_ending (path, ".svslide"))
    return &vendors[SAKURA];
  return is_mirax (path) ? &vendors[MIRAX] : NULL;
}

/* ---- Files ---- */

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* All files of a folder. */
static void
add_folder (GPtrArray *others, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (others, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (others, compare_paths);
}

/* Files beside a slide of VMS or VMU, which its lines name behind "=". */
static void
add_named (GPtrArray *others, const char *path)
{
  g_autoptr (GKeyFile) lines = g_key_file_new ();
  g_autofree char *folder = g_path_get_dirname (path), *group = NULL;
  g_auto (GStrv) keys = NULL;
  if (!g_key_file_load_from_file (lines, path, G_KEY_FILE_NONE, NULL) || !(group = g_key_file_get_start_group (lines)))
    return;
  keys = g_key_file_get_keys (lines, group, NULL, NULL);
  for (char **key = keys; key && *key; key++) {
    g_autofree char *value = g_key_file_get_value (lines, group, *key, NULL);
    g_autofree char *name = value && *value ? g_path_get_basename (value) : NULL;
    g_autofree char *other = name ? g_build_filename (folder, name, NULL) : NULL;
    if (other && g_file_test (other, G_FILE_TEST_IS_REGULAR))
      g_ptr_array_add (others, g_steal_pointer (&other));
  }
}

GPtrArray *
openslide_vendor_others (const char *path)
{
  GPtrArray *others = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = is_mirax (path) ? folder_of (path) : NULL;
  if (folder)
    add_folder (others, folder);
  else if (has_ending (path, ".vms") || has_ending (path, ".vmu"))
    add_named (others, path);
  return others;
}
