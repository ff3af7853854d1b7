/* SPDX-License-Identifier: MIT
 *
 * ImageJ counts all files of the folder that the filter leaves, and skips those that are no images when it opens them. So positions of a pattern are
 * found by comparing with what it matches, and the most readable pattern that gives exactly these files is taken.
 */
#include "core/files/imagej_sequence.h"

#include "core/base/text.h"
#include "core/files/files.h"
#include "core/files/plate/pattern.h"

#include <string.h>

/* ---- The files of the folder ---- */

/* Files that ImageJ does not look at. */
static gboolean
is_left_out (const char *name)
{
  static const char *const endings[] = {".txt", ".lut", ".roi", ".pty", ".hdr", ".java", ".ijm", ".py",
                                        ".js",  ".bsh", ".xml", ".rar", ".h5",  ".doc",  ".xls"};
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  return *name == '.' || !strcmp (name, "Thumbs.db");
}

/* What is wanted of a name. */
typedef struct {
  char *text;    /* that it has; NULL: anything */
  GRegex *regex; /* or that a part of it matches, or all; NULL: none */
} Wanted;

static gboolean
wanted_init (const ImageJSequence *self, Wanted *wanted, GError **error)
{
  const gsize n = self->filter ? strlen (self->filter) : 0;
  const gboolean part = n > 1 && self->filter[0] == '(' && self->filter[n - 1] == ')';
  g_autoptr (GError) fault = NULL;
  wanted->text = self->whole                     ? g_strdup (self->whole)
                 : part                          ? g_strndup (self->filter + 1, n - 2)
                 : g_strcmp0 (self->filter, "*") ? g_strdup (self->filter)
                                                 : NULL;
  g_autofree char *regex =
    self->whole ? g_strdup_printf ("^(?:%s)$", self->whole) : g_strdup (part ? wanted->text : NULL);
  wanted->regex = regex ? g_regex_new (regex, G_REGEX_DOLLAR_ENDONLY, G_REGEX_MATCH_NOTEMPTY, &fault) : NULL;
  return !fault || file_fail (error, FILE_ERROR_OPEN, self->folder, "cannot be searched: %s", fault->message);
}

static void
wanted_clear (Wanted *wanted)
{
  g_clear_pointer (&wanted->regex, g_regex_unref);
  g_free (wanted->text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wanted, wanted_clear)

static gboolean
is_wanted (const Wanted *wanted, const char *name)
{
  g_autofree char *shown = text_from_bytes (name);
  return !wanted->text || strstr (shown, wanted->text)
         || (wanted->regex && g_regex_match (wanted->regex, shown, 0, NULL));
}

/* In natural order, which is ImageJ's of numbers. NULL with *error. */
static GPtrArray *
list_names (const ImageJSequence *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_auto (Wanted) wanted = {0};
  if (!wanted_init (self, &wanted, error))
    return NULL;
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  g_autoptr (GPtrArray) names = plate_index_names (index, "");
  for (guint i = 0; i < names->len; i++) {
    const char *name = names->pdata[i];
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!is_left_out (name) && is_wanted (&wanted, name) && !g_file_test (path, G_FILE_TEST_IS_DIR))
      g_ptr_array_add (list, g_strdup (name));
  }
  if (list->len)
    return g_steal_pointer (&list);
  file_fail (error, FILE_ERROR_MISSING, folder, "has no file with such a name.");
  return NULL;
}

/* ---- Those that are opened ---- */

/* Tables are images for Fovea, and none for ImageJ. */
static gboolean
is_image (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  if (formats_is_image_name (name))
    return TRUE;
  if (g_str_has_suffix (name, ".csv") || g_str_has_suffix (name, ".tsv"))
    return FALSE;
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  return images != NULL;
}

/* Names of the list's. NULL with *error. */
static GPtrArray *
choose (const ImageJSequence *self, const char *folder, const GPtrArray *list, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  const gint64 start = MAX (self->start, 1), step = MAX (self->step, 1), left = (gint64) list->len - start + 1;
  const gint64 count = self->count < 1 ? left : MIN (self->count, left);
  if (left < 1) {
    file_fail (error, FILE_ERROR_OPEN, folder, "has %u such files: it cannot start at number %" G_GINT64_FORMAT ".",
               list->len, start);
    return NULL;
  }
  for (gint64 i = start - 1; i < list->len && chosen->len < count; i += MIN (step, left))
    if (is_image (folder, list->pdata[i]))
      g_ptr_array_add (chosen, list->pdata[i]);
  if (!chosen->len) {
    file_fail (error, FILE_ERROR_MISSING, folder, "has no image with such a name.");
    return NULL;
  }
  return g_steal_pointer (&chosen);
}

/* Whether the file system's order can be no other one: NTFS has names in the order of their letters, others in any. */
static gboolean
check_order (const ImageJSequence *self, const char *folder, const GPtrArray *chosen, GError **error)
{
  for (guint i = 1; i < chosen->len && !self->sorted; i++)
    if (strcmp (chosen->pdata[i - 1], chosen->pdata[i]) > 0)
      return file_fail (error, FILE_ERROR_OPEN, folder,
                        "has '%s' before '%s' by their numbers, but not by their letters. Without the word sort ImageJ "
                        "takes the order of the file system: add sort.",
                        (char *) chosen->pdata[i - 1], (char *) chosen->pdata[i]);
  return TRUE;
}

/* ImageJ sorts them by their headers, and has other values. */
static gboolean
check_format (const char *folder, const GPtrArray *chosen, GError **error)
{
  g_autofree char *path = g_build_filename (folder, chosen->pdata[0], NULL);
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  return !images || strcmp (files_images_format (images)->key, "dicom")
         || file_fail (error, FILE_ERROR_UNSUPPORTED, folder,
                       "has DICOM files, which are no sequence here: open the folder itself, which is a volume in the "
                       "order of their positions.");
}

/* ---- Their path ---- */

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const gint64 one = ((const PlateEntry *) a)->at[PLATE_SLICE], other = ((const PlateEntry *) b)->at[PLATE_SLICE];
  return (one > other) - (one < other);
}

/* Positions from 1 among all files of the pattern; *n: of these. NULL: it does not have them all in this order. */
static GArray *
positions_in (const char *path, const GPtrArray *chosen, guint *n)
{
  g_autoptr (PlateIndex) index = plate_pattern_read (path, NULL);
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));
  if (!index)
    return NULL;
  GArray *entries = index->entries;
  g_array_sort (entries, compare_slices);
  *n = entries->len;
  for (guint i = 1; i <= entries->len; i++) {
    const PlateEntry *entry = &g_array_index (entries, PlateEntry, i - 1);
    if (i > 1 && entry[-1].at[PLATE_SLICE] == entry->at[PLATE_SLICE])
      return NULL;
    if (positions->len < chosen->len && !strcmp (index->files->pdata[entry->file], chosen->pdata[positions->len]))
      g_array_append_val (positions, i);
  }
  return positions->len == chosen->len ? g_steal_pointer (&positions) : NULL;
}

/* How many positions from i on are in equal distance; *step: which. */
static guint
run_at (const GArray *positions, guint i, guint *step)
{
  const guint *at = &g_array_index (positions, guint, i);
  guint n = MIN (2, positions->len - i);
  *step = n > 1 ? at[1] - at[0] : 1;
  while (i + n < positions->len && at[n] - at[n - 1] == *step)
    n++;
  return n;
}

/* ":1-end-2" of these positions of n; "" for all. Free with g_free(). */
static char *
picks_of (const GArray *positions, guint n)
{
  g_autoptr (GString) picks = g_string_new (NULL);
  guint step;
  for (guint i = 0, run; i < positions->len && positions->len < n; i += run) {
    run = run_at (positions, i, &step);
    const guint first = g_array_index (positions, guint, i), last = g_array_index (positions, guint, i + run - 1);
    g_string_append_printf (picks, "%c%u", i ? ',' : ':', first);
    if (run > 1 && last < n)
      g_string_append_printf (picks, "-%u", last);
    else if (run > 1)
      g_string_append (picks, "-end");
    if (run > 1 && step > 1)
      g_string_append_printf (picks, "-%u", step);
  }
  return g_string_free (g_steal_pointer (&picks), FALSE);
}

/* The path of a pattern with one part, "{z%s}.tif", with the positions in it. NULL: these files cannot be said so. Free with g_free(). */
static char *
path_by (const char *folder, const char *like, const char *ending, const GPtrArray *chosen)
{
  guint n;
  g_autofree char *all = g_strconcat (folder, "/{z", like, "}", ending, NULL);
  g_autoptr (GArray) positions = positions_in (all, chosen, &n);
  g_autofree char *picks = positions ? picks_of (positions, n) : NULL;
  return picks ? g_strconcat (folder, "/{z", picks, like, "}", ending, NULL) : NULL;
}

static char *
path_of (const ImageJSequence *self, const char *folder, const GPtrArray *chosen, GError **error)
{
  const char *dot = strrchr (chosen->pdata[0], '.'), *ending = dot && !strpbrk (dot, "{}") ? dot : "";
  const gboolean plain = self->filter && !self->whole && !strpbrk (self->filter, "{}()*?#/:=");
  g_autofree char *like = plain ? g_strconcat ("=*", self->filter, "*", NULL) : NULL;
  char *path = like ? path_by (folder, like, ending, chosen) : NULL;
  if (!path)
    path = path_by (folder, "", ending, chosen);
  if (!path)
    path = path_by (folder, "", "", chosen);
  if (!path)
    file_fail (error, FILE_ERROR_UNSUPPORTED, folder,
               "cannot be a sequence: its name has braces, or those of its files "
               "have.");
  return path;
}

char *
imagej_sequence_path (const ImageJSequence *self, GError **error)
{
  g_autofree char *folder = g_file_test (self->folder, G_FILE_TEST_IS_REGULAR)
                              ? g_path_get_dirname (self->folder)
                              : g_canonicalize_filename (self->folder, NULL);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    file_fail (error, FILE_ERROR_MISSING, folder, "is not a folder.");
    return NULL;
  }
  g_autoptr (GPtrArray) list = list_names (self, folder, error);
  g_autoptr (GPtrArray) chosen = list ? choose (self, folder, list, error) : NULL;
  return chosen && check_order (self, folder, chosen, error) && check_format (folder, chosen, error)
           ? path_of (self, folder, chosen, error)
           : NULL;
}
