/* SPDX-License-Identifier: MIT
 *
 * Texts that all are integers count as such, so that 2 comes before 10; others are in natural order.
 */
#include "core/files/plate/pattern.h"

#include "core/base/name_pattern.h"
#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/files/plate/picks.h"

#include <string.h>

#define BRACE "{"
#define GROUP "(?P<"
#define PARTS "well, row, column, field, channel, z, t"

typedef struct {
  PlateIndex *index;
  NamePattern *pattern;
  PlatePart *parts; /* what each of its names says */
  guint depth;      /* slashes in names */
  GPtrArray *names; /* char *: of each file, below the folder */
  GPtrArray *texts; /* char **: of each file, by Part; NULL: not said */
} Reading;

/* ---- The path ---- */

/* Where the names begin behind the last folder without parts; NULL: there are no parts. */
static const char *
names_in (const char *path)
{
  const char *brace = strstr (path, BRACE), *group = strstr (path, GROUP),
             *first = !group || (brace && brace < group) ? brace : group;
  if (!first || (first == brace && !strchr (brace, '}')))
    return NULL;
  while (first > path && first[-1] != '/')
    first--;
  return first;
}

gboolean
plate_pattern_is (const char *path)
{
  return names_in (path) && !strstr (path, "://") && !g_file_test (path, G_FILE_TEST_EXISTS);
}

static PlatePart
part_of (const char *name)
{
  static const struct {
    const char *name;
    PlatePart part;
  } known[] = {
    {"well", PLATE_PART_WELL},   {"row", PLATE_PART_ROW},         {"column", PLATE_PART_COLUMN},
    {"field", PLATE_PART_FIELD}, {"channel", PLATE_PART_CHANNEL}, {"z", PLATE_PART_SLICE},
    {"slice", PLATE_PART_SLICE}, {"t", PLATE_PART_FRAME},         {"frame", PLATE_PART_FRAME},
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (!strcmp (known[i].name, name))
      return known[i].part;
  return *name == '_' ? PLATE_PART_NOTHING : PLATE_PARTS;
}

/* What the names of the pattern say. FALSE with *error. */
static gboolean
find_parts (Reading *r, const char *path, GError **error)
{
  guint seen = 0;
  r->parts = g_new (PlatePart, r->pattern->names->len);
  for (guint i = 0; i < r->pattern->names->len; i++) {
    const char *name = r->pattern->names->pdata[i];
    const PlatePart part = r->parts[i] = part_of (name);
    if (part == PLATE_PARTS)
      return file_fail (error, FILE_ERROR_OPEN, path,
                        "has a part '%s' that images do not have: " PARTS
                        " can be; what means nothing is called '_', '_a' and so on.",
                        name);
    if (part != PLATE_PART_NOTHING && seen & 1u << part)
      return file_fail (error, FILE_ERROR_OPEN, path, "says '%s' twice.", name);
    seen |= part != PLATE_PART_NOTHING ? 1u << part : 0;
  }
  if (seen & 1u << PLATE_PART_WELL && seen & (1u << PLATE_PART_ROW | 1u << PLATE_PART_COLUMN))
    return file_fail (error, FILE_ERROR_OPEN, path, "says the well twice: use well, or row and column.");
  return !(seen & 1u << PLATE_PART_ROW) == !(seen & 1u << PLATE_PART_COLUMN)
         || file_fail (error, FILE_ERROR_OPEN, path, "says only half of the well: row and column belong together.");
}

/* ---- Files ---- */

static gboolean
add_name (Reading *r, const char *below, GError **error)
{
  g_auto (GStrv) found = name_pattern_match (r->pattern, below);
  if (!found)
    return TRUE;
  if (r->names->len == PLATE_MAX_FILES)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, r->index->folder, "has more than %d files that match.",
                      PLATE_MAX_FILES);
  g_ptr_array_add (r->names, g_strdup (below));
  char **texts = g_new0 (char *, PLATE_PARTS);
  for (guint i = 0; i < r->pattern->names->len; i++)
    if (r->parts[i] != PLATE_PART_NOTHING)
      texts[r->parts[i]] = g_steal_pointer (&found[i]);
  for (guint i = 0; i < r->pattern->names->len; i++) /* freed by g_strfreev() up to the first that was taken */
    g_clear_pointer (&found[i], g_free);
  g_ptr_array_add (r->texts, texts);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* The files in a folder and, as deep as names go, below it. */
static gboolean
add_folder (Reading *r, const char *below, guint depth, GError **error)
{
  g_autoptr (GPtrArray) names = plate_index_names (r->index, below);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *own = *below ? g_build_filename (below, names->pdata[i], NULL) : g_strdup (names->pdata[i]);
    g_autofree char *path = depth ? g_build_filename (r->index->folder, own, NULL) : NULL;
    if (progress_stopped (error)
        || !(depth ? !g_file_test (path, G_FILE_TEST_IS_DIR) || add_folder (r, own, depth - 1, error)
                   : add_name (r, own, error)))
      return FALSE;
  }
  return TRUE;
}

/* NULL: nothing. */
static void
free_texts (gpointer data)
{
  char **texts = data;
  if (!texts)
    return;
  for (guint i = 0; i < PLATE_PARTS; i++)
    g_free (texts[i]);
  g_free (texts);
}

/* ---- What the names say ---- */

static const char *
text_of (const Reading *r, guint file, PlatePart part)
{
  return ((char **) r->texts->pdata[file])[part];
}

static gboolean
is_number (const char *text, gint64 *number)
{
  return g_ascii_string_to_signed (text, 10, G_MININT32, G_MAXINT32, number, NULL);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 one = 0, other = 0;
  is_number (*(const char *const *) a, &one);
  is_number (*(const char *const *) b, &other);
  return (one > other) - (one < other);
}

/* Different texts of a part in natural order, which is that of numbers, too. *are_numbers: whether all are integers. NULL: the pattern does not have it. */
static GPtrArray *
texts_of (const Reading *r, PlatePart part, gboolean *are_numbers)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  *are_numbers = TRUE;
  for (guint i = 0; i < r->texts->len; i++) {
    const char *text = text_of (r, i, part);
    gint64 number;
    if (!text)
      return NULL;
    *are_numbers = *are_numbers && is_number (text, &number);
    if (g_hash_table_add (known, (gpointer) text))
      g_ptr_array_add (texts, (gpointer) text);
  }
  g_ptr_array_sort (texts, *are_numbers ? compare_numbers : compare_names);
  return g_steal_pointer (&texts);
}

/* The same of a part that is not all integers; NULL: it is. */
static GPtrArray *
words_of (const Reading *r, PlatePart part)
{
  gboolean are_numbers;
  g_autoptr (GPtrArray) texts = texts_of (r, part, &are_numbers);
  return are_numbers ? NULL : g_steal_pointer (&texts);
}

/* The number that the text of a file means. words: see words_of(). */
static gint64
number_of (const char *text, GHashTable *words)
{
  gint64 number = 0;
  if (words)
    return GPOINTER_TO_INT (g_hash_table_lookup (words, text));
  is_number (text, &number);
  return number;
}

/* From words to 1, 2, ... */
static GHashTable *
numbers_of_words (const GPtrArray *words)
{
  GHashTable *numbers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < words->len; i++)
    g_hash_table_insert (numbers, words->pdata[i], GINT_TO_POINTER ((gint) i + 1));
  return numbers;
}

/* ---- Some of them ---- */

/* Positions of texts in their order: numbers that are equal, as "1" and "01", have one. From the text to its position + 1; *n: of all. */
static GHashTable *
positions_of (const GPtrArray *texts, gboolean are_numbers, guint *n)
{
  GHashTable *positions = g_hash_table_new (g_str_hash, g_str_equal);
  *n = 0;
  for (guint i = 0; i < texts->len; i++) {
    *n += !i || !are_numbers || compare_numbers (&texts->pdata[i - 1], &texts->pdata[i]);
    g_hash_table_insert (positions, texts->pdata[i], GUINT_TO_POINTER (*n));
  }
  return positions;
}

/* Clears keep[] of the files whose text of the pattern's name j is none of the picked ones. FALSE with *error. */
static gboolean
pick (const Reading *r, guint j, gboolean *keep, const char *path, GError **error)
{
  const char *list = r->pattern->picks->pdata[j], *name = r->pattern->names->pdata[j];
  const PlatePart part = r->parts[j];
  gboolean are_numbers;
  guint n;
  if (part == PLATE_PART_NOTHING)
    return file_fail (error, FILE_ERROR_OPEN, path, "chooses positions of '%s', which means nothing.", name);
  g_autofree char *what = g_strdup_printf ("'{%s:%s}'", name, list);
  g_autoptr (GPtrArray) texts = texts_of (r, part, &are_numbers);
  g_autoptr (GHashTable) positions = positions_of (texts, are_numbers, &n);
  g_autofree gboolean *taken = g_new0 (gboolean, n);
  if (!plate_picks_read (list, n, taken, path, what, error))
    return FALSE;
  for (guint i = 0; i < r->texts->len; i++)
    keep[i] = keep[i] && taken[GPOINTER_TO_UINT (g_hash_table_lookup (positions, text_of (r, i, part))) - 1];
  return TRUE;
}

static void
remove_others (Reading *r, const gboolean *keep)
{
  guint kept = 0;
  for (guint i = 0; i < r->texts->len; i++) {
    char **texts = r->texts->pdata[i], *name = r->names->pdata[i];
    r->texts->pdata[i] = r->names->pdata[i] = NULL;
    if (keep[i]) {
      r->texts->pdata[kept] = texts;
      r->names->pdata[kept++] = name;
    } else {
      free_texts (texts);
      g_free (name);
    }
  }
  g_ptr_array_set_size (r->texts, (gint) kept);
  g_ptr_array_set_size (r->names, (gint) kept);
}

/* FALSE with *error, also when no file is left. */
static gboolean
pick_all (Reading *r, const char *path, GError **error)
{
  g_autofree gboolean *keep = g_new (gboolean, r->texts->len);
  for (guint i = 0; i < r->texts->len; i++)
    keep[i] = TRUE;
  for (guint j = 0; j < r->pattern->names->len; j++)
    if (r->pattern->picks->pdata[j] && !pick (r, j, keep, path, error))
      return FALSE;
  remove_others (r, keep);
  return r->texts->len || file_fail (error, FILE_ERROR_MISSING, path, "chooses no file: none has all that it picks.");
}

/* ---- Entries ---- */

/* Sets what a part says in all entries. */
static void
set_numbers (Reading *r, PlatePart part, gsize offset)
{
  g_autoptr (GPtrArray) words = words_of (r, part);
  g_autoptr (GHashTable) numbers = words ? numbers_of_words (words) : NULL;
  for (guint i = 0; i < r->texts->len && text_of (r, i, part); i++) {
    PlateEntry *entry = &g_array_index (r->index->entries, PlateEntry, i);
    const gint64 number = number_of (text_of (r, i, part), numbers);
    G_STRUCT_MEMBER (gint64, entry, offset) = number;
    if (part == PLATE_PART_CHANNEL && words && !plate_index_channel (r->index, number)->name)
      plate_index_channel (r->index, number)->name = text_visible (text_of (r, i, part), "");
  }
}

/* A row is a letter or a number. FALSE: neither. */
static gboolean
row_and_column (const char *row, const char *column, gint64 *y, gint64 *x)
{
  g_autofree char *together = g_strconcat (row, "1", NULL);
  gint letter, one;
  if (!is_number (column, x))
    return FALSE;
  --*x;
  if (plate_well_parse (together, &letter, &one) && !g_ascii_isdigit (*row)) {
    *y = letter;
    return TRUE;
  }
  const gboolean is = is_number (row, y);
  --*y;
  return is;
}

/* Wells that are in no row of a plate have names alone. */
static gboolean
set_wells (Reading *r, GError **error)
{
  for (guint i = 0; i < r->texts->len; i++) {
    PlateEntry *entry = &g_array_index (r->index->entries, PlateEntry, i);
    const char *well = text_of (r, i, PLATE_PART_WELL), *row = text_of (r, i, PLATE_PART_ROW),
               *column = text_of (r, i, PLATE_PART_COLUMN);
    gint64 y, x;
    gint letter, number;
    if (row && row_and_column (row, column, &y, &x))
      entry->well = plate_index_well (r->index, y, x);
    else if (well)
      entry->well = plate_well_parse (well, &letter, &number) ? plate_index_well (r->index, letter, number)
                                                              : plate_index_named_well (r->index, well);
    if (row && entry->well == PLATE_NO_WELL)
      return file_fail (error, FILE_ERROR_OPEN, r->index->folder,
                        "has '%s', whose row '%s' and column '%s' no plate has.", (char *) r->names->pdata[i], row,
                        column);
  }
  return TRUE;
}

static gboolean
make_entries (Reading *r, GError **error)
{
  for (guint i = 0; i < r->texts->len; i++) {
    PlateEntry entry = plate_entry ();
    entry.file = plate_index_add_file (r->index, r->names->pdata[i]);
    g_array_append_val (r->index->entries, entry);
  }
  r->index->has_fields = text_of (r, 0, PLATE_PART_FIELD) != NULL;
  set_numbers (r, PLATE_PART_FIELD, G_STRUCT_OFFSET (PlateEntry, field));
  set_numbers (r, PLATE_PART_SLICE, G_STRUCT_OFFSET (PlateEntry, at[PLATE_SLICE]));
  set_numbers (r, PLATE_PART_CHANNEL, G_STRUCT_OFFSET (PlateEntry, at[PLATE_CHANNEL]));
  set_numbers (r, PLATE_PART_FRAME, G_STRUCT_OFFSET (PlateEntry, at[PLATE_FRAME]));
  return set_wells (r, error);
}

/* ---- The whole ---- */

static gboolean
read_folder (Reading *r, const char *path, const char *names, GError **error)
{
  GError *fault = NULL;
  if (!(r->pattern = name_pattern_new (names, &fault))) {
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s", fault->message);
    g_error_free (fault);
    return FALSE;
  }
  for (const char *at = names; (at = strchr (at, '/')); at++)
    r->depth++;
  if (!find_parts (r, path, error) || !add_folder (r, "", r->depth, error))
    return FALSE;
  if (r->texts->len)
    return pick_all (r, path, error) && make_entries (r, error);
  return file_fail (error, FILE_ERROR_MISSING, path, "matches no file.");
}

char *
plate_pattern_folder (const char *path)
{
  const char *names = names_in (path);
  return !names ? NULL : names > path ? g_strndup (path, (gsize) (names - path)) : g_strdup (".");
}

PlateIndex *
plate_pattern_read (const char *path, GError **error)
{
  const char *names = names_in (path);
  g_autofree char *folder = plate_pattern_folder (path);
  g_autoptr (PlateIndex) index = plate_index_new (folder);
  Reading r = {.index = index,
               .names = g_ptr_array_new_with_free_func (g_free),
               .texts = g_ptr_array_new_with_free_func (free_texts)};
  const gboolean done = read_folder (&r, path, names, error);
  g_clear_pointer (&r.pattern, name_pattern_free);
  g_ptr_array_unref (r.names);
  g_ptr_array_unref (r.texts);
  g_free (r.parts);
  return done ? g_steal_pointer (&index) : NULL;
}
