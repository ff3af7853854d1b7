/* SPDX-License-Identifier: MIT
 */
#include "runtime/files.h"

#include "runtime/error.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

enum { PIECE = 1 << 18 };

typedef struct archive Archive;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Archive, archive_read_free)

Files *
files_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
}

/* Whether the name stays in the folder. */
static gboolean
is_inside (const char *name)
{
  if (!*name || strlen (name) > FILES_NAME || *name == '/' || strchr (name, '\\') || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  for (char **part = parts; *part; part++)
    if (!**part || !strcmp (*part, "..") || !strcmp (*part, "."))
      return FALSE;
  return TRUE;
}

gboolean
files_add (Files *files, const char *name, GBytes *bytes, GError **error)
{
  if (is_inside (name) && g_hash_table_size (files) < FILES_MOST) {
    g_hash_table_replace (files, g_strdup (name), bytes);
    return TRUE;
  }
  g_bytes_unref (bytes);
  if (!is_inside (name))
    return model_error (error, "The name of its file '%.60s' leads out of it.", name);
  return model_error (error, "It has more than %d files.", FILES_MOST);
}

/* The contents of the entry, of which *left may be. */
static GBytes *
read_entry (Archive *zip, const char *name, gint64 *left, GError **error)
{
  g_autoptr (GByteArray) to = g_byte_array_new ();
  g_autofree guint8 *piece = g_malloc (PIECE);
  gssize n;
  while ((n = archive_read_data (zip, piece, PIECE)) > 0) {
    if ((*left -= n) < 0) {
      model_error (error, "Its files have more than %d GiB.", (int) (FILES_BYTES >> 30));
      return NULL;
    }
    g_byte_array_append (to, piece, (guint) n);
  }
  if (n == 0)
    return g_byte_array_free_to_bytes (g_steal_pointer (&to));
  model_error (error, "Its file '%.60s' is damaged: %.80s.", name,
               archive_error_string (zip) ? archive_error_string (zip) : "");
  return NULL;
}

static gboolean
read_entries (Archive *zip, Files *files, GError **error)
{
  gint64 left = FILES_BYTES;
  struct archive_entry *entry;
  int found;
  while ((found = archive_read_next_header (zip, &entry)) == ARCHIVE_OK || found == ARCHIVE_WARN) {
    const char *name = archive_entry_pathname_utf8 (entry);
    if (archive_entry_filetype (entry) != AE_IFREG)
      continue;
    g_autofree char *own = g_strdup (name ? name : "");
    GBytes *bytes = read_entry (zip, own, &left, error);
    if (!bytes || !files_add (files, own, bytes, error))
      return FALSE;
  }
  return found == ARCHIVE_EOF || model_error (error, "It is not a ZIP archive, or it is damaged.");
}

/* The folder that all files are in, with its slash, or NULL. */
static char *
common_folder (Files *files)
{
  GHashTableIter all;
  gpointer name;
  char *folder = NULL;
  for (g_hash_table_iter_init (&all, files); g_hash_table_iter_next (&all, &name, NULL);) {
    const char *slash = strchr (name, '/');
    if (!slash || (folder && !g_str_has_prefix (name, folder))) {
      g_free (folder);
      return NULL;
    }
    if (!folder)
      folder = g_strndup (name, (gsize) (slash + 1 - (char *) name));
  }
  return folder;
}

static Files *
without_folder (Files *files)
{
  g_autofree char *folder = common_folder (files);
  GHashTableIter all;
  gpointer name, bytes;
  if (!folder)
    return g_hash_table_ref (files);
  Files *inner = files_new ();
  for (g_hash_table_iter_init (&all, files); g_hash_table_iter_next (&all, &name, &bytes);)
    files_add (inner, (char *) name + strlen (folder), g_bytes_ref (bytes), NULL);
  return inner;
}

Files *
files_unzip (const void *bytes, gsize n, GError **error)
{
  g_autoptr (Archive) zip = archive_read_new ();
  g_autoptr (Files) files = files_new ();
  archive_read_support_format_zip (zip);
  if (archive_read_open_memory (zip, (void *) bytes, n) != ARCHIVE_OK) {
    model_error (error, "It is not a ZIP archive, or it is damaged.");
    return NULL;
  }
  return read_entries (zip, files, error) ? without_folder (files) : NULL;
}

GBytes *
files_get (Files *files, const char *name, GError **error)
{
  const char *inside = g_str_has_prefix (name, "./") ? name + 2 : name;
  GBytes *bytes = g_hash_table_lookup (files, inside);
  if (!bytes)
    model_error (error, "It does not have its file '%.100s'.", name);
  return bytes;
}
