/* SPDX-License-Identifier: MIT
 *
 * Files of selections: one .roi, or a .zip with any number of them, as ImageJ's ROI manager saves, and GeoJSON, as QuPath does.
 */
#include "core/selection/selection.h"

#include "core/base/file_target.h"
#include "core/selection/geojson.h"
#include "core/selection/roi.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

/* More than anyone draws by hand, and less than does harm: of one selection, and of a file. */
#define MAX_BYTES (16 << 20)
#define MAX_TOTAL (256 << 20)
#define MAX_ENTRIES 100000
#define MAX_TOLD 3 /* of what is strange in a file */

typedef struct archive ArchiveReader;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveReader, archive_read_free)
typedef struct archive ArchiveWriter;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveWriter, archive_write_free)

static gboolean
ends_in (const char *path, const char *extension)
{
  gsize n = strlen (path), m = strlen (extension);
  return n >= m && !g_ascii_strcasecmp (path + n - m, extension);
}

gboolean
selections_is_name (const char *path)
{
  return ends_in (path, ".roi") || ends_in (path, ".zip") || ends_in (path, ".geojson");
}

/* libarchive converts names to the encoding of the thread's locale and drops those that it cannot: UTF-8 while this lives. */
typedef struct {
  locale_t utf8, before;
} Encoding;

static Encoding
encoding_enter (void)
{
  Encoding encoding = {newlocale (LC_CTYPE_MASK, "C.UTF-8", NULL), NULL};
  encoding.before = uselocale (encoding.utf8);
  return encoding;
}

static void
encoding_leave (Encoding *encoding)
{
  uselocale (encoding->before);
  if (encoding->utf8)
    freelocale (encoding->utf8);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Encoding, encoding_leave)

/* ---- Reading ---- */

/* The data of an open entry, at most MAX_BYTES regardless of its header. NULL: it cannot be read. */
static GByteArray *
read_entry (ArchiveReader *archive)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 part[65536];
  la_ssize_t n;
  while ((n = archive_read_data (archive, part, sizeof part)) > 0) {
    g_byte_array_append (bytes, part, (guint) n);
    if (bytes->len > MAX_BYTES) {
      archive_set_error (archive, EFBIG, "it is larger than %d MB", MAX_BYTES >> 20);
      return NULL;
    }
  }
  return n ? NULL : g_steal_pointer (&bytes);
}

static const char *
archive_fault (struct archive *archive)
{
  const char *text = archive_error_string (archive);
  return text ? text : "it is not complete";
}

static const char *
entry_name (struct archive_entry *entry)
{
  const char *name = archive_entry_pathname_utf8 (entry);
  if (!name)
    name = archive_entry_pathname (entry);
  return name ? name : "";
}

/* Names a selection whose header has no name after its file, as ImageJ does. */
static void
name_after_file (Selection *selection, const char *path)
{
  g_autofree char *file = NULL;
  if (selection->name && *selection->name)
    return;
  file = g_path_get_basename (path);
  if (ends_in (file, ".roi"))
    file[strlen (file) - strlen (".roi")] = 0;
  g_free (selection->name);
  selection->name = *file ? g_filename_display_name (file) : NULL;
}

/* Whether it is a selection by its name, and no file that macOS adds about another ("__MACOSX/._cell.roi"). */
static gboolean
is_selection (const char *name)
{
  const char *slash = strrchr (name, '/');
  return ends_in (name, ".roi") && !g_str_has_prefix (slash ? slash + 1 : name, "._");
}

/* Notes about a file: selections that are left out, and what others lost. */
typedef struct {
  GPtrArray *strange, *lost;
} Notes;

/* Adds the selection of one entry that is a .roi, or its fault to the notes. FALSE with *error: it cannot be read. */
static gboolean
read_zipped (ArchiveReader *archive, struct archive_entry *entry, const char *path, GPtrArray *selections,
             const Notes *notes, gsize *total, GError **error)
{
  g_autofree char *name = g_utf8_make_valid (entry_name (entry), -1), *fault = NULL;
  g_autoptr (GByteArray) bytes = read_entry (archive);
  Selection *selection;
  if (!bytes)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: '%s' in it cannot be read: %s.", name,
                      archive_fault (archive));
  *total += bytes->len;
  selection = selection_from_roi (bytes->data, bytes->len, &fault);
  if (selection) {
    name_after_file (selection, name);
    g_ptr_array_add (selections, selection);
  }
  if (fault)
    g_ptr_array_add (selection ? notes->lost : notes->strange, g_strdup_printf ("'%s' in it %s", name, fault));
  return TRUE;
}

/* The first few of them. */
static void
append_first (GString *text, const GPtrArray *sentences)
{
  for (guint i = 0; i < MIN (sentences->len, MAX_TOLD); i++)
    g_string_append_printf (text, " %s", (const char *) sentences->pdata[i]);
  if (sentences->len > MAX_TOLD)
    g_string_append (text, " …");
}

/* As sentences. NULL: nothing. Free with g_free(). */
static char *
notes_text (const char *path, const Notes *notes, guint read)
{
  const guint strange = notes->strange->len, lost = notes->lost->len;
  g_autofree char *file = g_filename_display_name (path);
  GString *text = g_string_new (NULL);
  if (strange)
    g_string_append_printf (text, "%u of the %u selections of '%s' %s left out.", strange, strange + read, file,
                            strange == 1 ? "is" : "are");
  append_first (text, notes->strange);
  if (lost)
    g_string_append_printf (text, "%s%u of the selections of '%s' %s changed.", strange ? " " : "", lost, file,
                            lost == 1 ? "is" : "are");
  append_first (text, notes->lost);
  return g_string_free (text, !text->len);
}

static gboolean
read_zip (const char *path, GPtrArray *selections, char **left_out, GError **error)
{
  g_autoptr (GPtrArray) strange = g_ptr_array_new_with_free_func (g_free),
                        lost = g_ptr_array_new_with_free_func (g_free);
  const Notes notes = {strange, lost};
  g_auto (Encoding) encoding = encoding_enter ();
  g_autoptr (ArchiveReader) archive = archive_read_new ();
  struct archive_entry *entry;
  gsize total = 0;
  int status;
  archive_read_support_format_zip (archive);
  if (archive_read_open_filename (archive, path, 65536) < ARCHIVE_WARN)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "cannot be read: %s.", archive_fault (archive));
  for (guint n = 0; (status = archive_read_next_header (archive, &entry)) >= ARCHIVE_WARN && status != ARCHIVE_EOF;
       n++) {
    if (n >= MAX_ENTRIES || total > MAX_TOTAL)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "contains more than %d selections or %d MB.", MAX_ENTRIES,
                        MAX_TOTAL >> 20);
    if (is_selection (entry_name (entry)) && !read_zipped (archive, entry, path, selections, &notes, &total, error))
      return FALSE;
  }
  if (status != ARCHIVE_EOF)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: %s.", archive_fault (archive));
  if (!selections->len && strange->len)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "cannot be read: %s", (const char *) strange->pdata[0]);
  if (left_out)
    *left_out = notes_text (path, &notes, selections->len);
  return selections->len || file_fail (error, FILE_ERROR_FORMAT, path, "contains no selections (.roi).");
}

static gboolean
read_roi (FILE *file, const char *path, GPtrArray *selections, char **left_out, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *fault = NULL;
  guint8 part[65536];
  Selection *selection;
  for (gsize n; bytes->len <= MAX_BYTES && (n = fread (part, 1, sizeof part, file));)
    g_byte_array_append (bytes, part, (guint) n);
  if (ferror (file))
    return file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  if (bytes->len > MAX_BYTES)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is larger than %d MB.", MAX_BYTES >> 20);
  selection = selection_from_roi (bytes->data, bytes->len, &fault);
  if (!selection)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "%s", fault);
  name_after_file (selection, path);
  g_ptr_array_add (selections, selection);
  if (fault && left_out) {
    g_autofree char *name = g_filename_display_name (path);
    *left_out = g_strdup_printf ("'%s' %s", name, fault);
  }
  return TRUE;
}

static gboolean
read_geojson (const char *path, GPtrArray *selections, char **left_out, GError **error)
{
  g_autoptr (GPtrArray) strange = g_ptr_array_new_with_free_func (g_free), lost = g_ptr_array_new ();
  const Notes notes = {strange, lost};
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autofree char *fault = NULL;
  if (!file)
    return file_fail (error, FILE_ERROR_OPEN, path, "cannot be read.");
  if (g_mapped_file_get_length (file) > MAX_TOTAL)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path, "is larger than %d MB.", MAX_TOTAL >> 20);
  fault =
    selections_from_geojson (g_mapped_file_get_contents (file), g_mapped_file_get_length (file), selections, strange);
  if (fault)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "%s", fault);
  if (!selections->len)
    return file_fail (error, FILE_ERROR_FORMAT, path, "has no selections.%s%s", strange->len ? " " : "",
                      strange->len ? (const char *) strange->pdata[0] : "");
  if (left_out)
    *left_out = notes_text (path, &notes, selections->len);
  return TRUE;
}

/* By its first bytes. */
static gboolean
read_any (const char *path, GPtrArray *selections, char **left_out, GError **error)
{
  FILE *file = NULL;
  char head[5] = "";
  gboolean done;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return file_fail (error, FILE_ERROR_OPEN, path, "does not exist.");
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return file_fail (error, FILE_ERROR_OPEN, path, "is not a regular file.");
  file = g_fopen (path, "rb");
  if (!file)
    return file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
  (void) !fread (head, 1, 4, file);
  rewind (file);
  done = !memcmp (head, "PK", 2)                                  ? read_zip (path, selections, left_out, error)
         : *head && strchr ("{[", head[strspn (head, " \t\r\n")]) ? read_geojson (path, selections, left_out, error)
                                                                  : read_roi (file, path, selections, left_out, error);
  fclose (file);
  return done;
}

GPtrArray *
selections_read (const char *path, char **left_out, GError **error)
{
  g_autoptr (GPtrArray) selections = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  if (left_out)
    *left_out = NULL;
  return read_any (path, selections, left_out, error) ? g_steal_pointer (&selections) : NULL;
}

/* ---- Writing ---- */

/* A name for the zip that no other entry has: the selection's, without characters that file names cannot have. The table `names` has the entries so
 * far, and how often the name before "-2", "-3" ... was used. So many equal names take linear time. */
static char *
unique_name (const Selection *selection, GHashTable *names)
{
  guint used;
  g_autofree char *name = g_utf8_make_valid (selection->name ? selection->name : "", -1);
  char *entry;
  for (char *c = name; *c; c++)
    if (g_ascii_iscntrl (*c) || strchr ("/\\:*?\"<>|", *c))
      *c = '_';
  if (!*name) {
    g_free (name);
    name = g_strdup (selection_shape_name (selection->shape));
  }
  entry = g_strconcat (name, ".roi", NULL);
  used = GPOINTER_TO_UINT (g_hash_table_lookup (names, entry));
  if (used) {
    char *first = entry;
    do {
      if (entry != first)
        g_free (entry);
      entry = g_strdup_printf ("%s-%u.roi", name, ++used);
    } while (g_hash_table_contains (names, entry));
    g_hash_table_insert (names, first, GUINT_TO_POINTER (used));
  }
  g_hash_table_insert (names, entry, GUINT_TO_POINTER (1));
  return entry;
}

static gboolean
write_entry (ArchiveWriter *archive, const Selection *selection, GHashTable *names)
{
  g_autoptr (GBytes) bytes = selection_to_roi (selection);
  struct archive_entry *entry = archive_entry_new ();
  gboolean written;
  archive_entry_update_pathname_utf8 (entry, unique_name (selection, names));
  archive_entry_set_size (entry, (la_int64_t) g_bytes_get_size (bytes));
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  written = archive_write_header (archive, entry) >= ARCHIVE_WARN
            && archive_write_data (archive, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                 == (la_ssize_t) g_bytes_get_size (bytes);
  archive_entry_free (entry);
  return written;
}

typedef struct {
  FileTarget *target;
  GError *error; /* of the target */
} ZipFile;

static la_ssize_t
write_bytes (struct archive *archive, void *file, const void *bytes, size_t n)
{
  ZipFile *zip = file;
  (void) archive;
  return file_target_write (zip->target, bytes, n, &zip->error) ? (la_ssize_t) n : -1;
}

static gboolean
write_zip (GPtrArray *selections, FileTarget *target, const char *path, GError **error)
{
  g_auto (Encoding) encoding = encoding_enter ();
  ZipFile zip = {target, NULL};
  g_autoptr (ArchiveWriter) archive = archive_write_new ();
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean written;
  archive_write_set_format_zip (archive);
  archive_write_set_bytes_in_last_block (archive, 1); /* without a padding */
  written = archive_write_set_options (archive, "zip:hdrcharset=UTF-8") >= ARCHIVE_WARN
            && archive_write_open2 (archive, &zip, NULL, write_bytes, NULL, NULL) >= ARCHIVE_WARN;
  for (guint i = 0; i < selections->len && written; i++)
    written = write_entry (archive, selections->pdata[i], names);
  if (written && archive_write_close (archive) >= ARCHIVE_WARN)
    return TRUE;
  if (zip.error)
    g_propagate_error (error, zip.error);
  else
    file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", archive_fault (archive));
  archive_write_fail (archive); /* or it would be tried again to finish it */
  return FALSE;
}

gboolean
selections_write (GPtrArray *selections, const char *path, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const gboolean one = ends_in (path, ".roi"), geojson = ends_in (path, ".geojson");
  if (!selections_is_name (path))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "does not end in .roi (one selection), .zip or .geojson (any number of them).");
  if (one && selections->len != 1)
    return file_fail (error, FILE_ERROR_WRITE, path, "can store one selection, not %u; save them as .zip.",
                      selections->len);
  if (!(target = file_target_new (path, error)))
    return FALSE;
  if (one)
    bytes = selection_to_roi (selections->pdata[0]);
  if (geojson) {
    char *text = selections_to_geojson (selections);
    bytes = g_bytes_new_take (text, strlen (text));
  }
  if (!(bytes ? file_target_write (target, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error)
              : write_zip (selections, target, path, error)))
    return FALSE;
  return file_target_commit (g_steal_pointer (&target), error);
}
