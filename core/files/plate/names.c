/* SPDX-License-Identifier: MIT
 *
 * A name is divided at what is neither letter nor digit, into columns, and these into letters and digits. Most names have the same division. Others join
 * them where a column is a word in both and no number.
 */
#include "core/files/plate/names.h"

#include "core/base/natural.h"
#include "core/files/plate/index.h"

#include <string.h>

enum { FEWEST = 3 /* files of a sequence */, MOST_OTHERS = 10 /* one in so many */ };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* ---- Divisions ---- */

static gboolean
is_letter (char c)
{
  return g_ascii_isalpha (c) || c & 0x80;
}

/* What a character belongs to: 'a' for letters, '0' for digits, otherwise itself. */
static char
class_of (char c)
{
  return is_letter (c) ? 'a' : g_ascii_isdigit (c) ? '0' : c;
}

/* The bytes from at on that belong together: letters or digits; 1 for others. */
static gsize
run_length (const char *at)
{
  const gboolean runs = is_letter (*at) || g_ascii_isdigit (*at);
  gsize n = 1;
  while (runs && at[n] && class_of (at[n]) == class_of (*at))
    n++;
  return n;
}

/* The bytes of letters and digits from at on. */
static gsize
column_length (const char *at)
{
  gsize n = 0;
  while (is_letter (at[n]) || g_ascii_isdigit (at[n]))
    n++;
  return n;
}

/* "img_t001.tif" as "a_a0.a", with the ending behind it; words: with all columns as 'w'. Free with g_free(). */
static char *
division_of (const char *name, gboolean words)
{
  g_autoptr (GString) division = g_string_new (NULL);
  const char *dot = strrchr (name, '.');
  for (const char *at = name; *at;) {
    const gsize column = words ? column_length (at) : 0;
    g_string_append_c (division, column ? 'w' : class_of (*at));
    at += column ? column : run_length (at);
  }
  g_string_append (division, dot ? dot : "");
  return g_string_free (g_steal_pointer (&division), FALSE);
}

/* Column i of a name, "" behind its end. Free with g_free(). */
static char *
column_of (const char *name, guint i)
{
  for (gsize n;; name += n + 1) {
    n = column_length (name);
    if (!i--)
      return g_strndup (name, n);
    if (!name[n])
      return g_strdup ("");
  }
}

static guint
count_columns (const char *name)
{
  guint n = 1;
  for (; *name; name++)
    n += !is_letter (*name) && !g_ascii_isdigit (*name);
  return n;
}

/* ---- Which names are alike ---- */

/* Of the names with braces, which mean something in a pattern, none. */
static gboolean
is_possible (const char *name)
{
  return !strpbrk (name, "{}");
}

/* The most frequent division; NULL without names. Free with g_free(). */
static char *
usual_division (const GPtrArray *list)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char *usual = NULL;
  guint most = 0;
  for (guint i = 0; i < list->len; i++) {
    g_autofree char *division = division_of (list->pdata[i], FALSE);
    const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, division)) + 1;
    if (!is_possible (list->pdata[i]))
      continue;
    if (n > most) {
      most = n;
      g_free (usual);
      usual = g_strdup (division);
    }
    g_hash_table_replace (counts, g_steal_pointer (&division), GUINT_TO_POINTER (n));
  }
  return usual;
}

static gboolean
has_division (const char *name, const char *division, gboolean words)
{
  g_autofree char *own = division_of (name, words);
  return is_possible (name) && !strcmp (own, division);
}

/* Takes the text. known: what texts has. */
static void
add_once (GPtrArray *texts, GHashTable *known, char *text)
{
  if (g_hash_table_contains (known, text)) {
    g_free (text);
    return;
  }
  g_hash_table_add (known, text);
  g_ptr_array_add (texts, text);
}

/* The different texts of column i in natural order. */
static GPtrArray *
texts_of_column (const GPtrArray *names, guint i)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint n = 0; n < names->len; n++) {
    add_once (texts, known, column_of (names->pdata[n], i));
  }
  g_ptr_array_sort (texts, compare_names);
  return texts;
}

/* Token i of a column, "" behind its end. Free with g_free(). */
static char *
token_of (const char *column, guint i)
{
  for (; *column; column += run_length (column))
    if (!i--)
      return g_strndup (column, run_length (column));
  return g_strdup ("");
}

/* Whether a column of these texts, of one division, has a number that differs. */
static gboolean
has_number (const GPtrArray *texts)
{
  g_autofree char *division = division_of (texts->pdata[0], FALSE);
  for (guint i = 0; division[i]; i++) {
    g_autofree char *first = token_of (texts->pdata[0], i);
    for (guint n = 1; division[i] == '0' && n < texts->len; n++) {
      g_autofree char *other = token_of (texts->pdata[n], i);
      if (strcmp (first, other))
        return TRUE;
    }
  }
  return FALSE;
}

/* Which names are as those of `some`, but for words in columns that have no numbers there. */
static GPtrArray *
join (const GPtrArray *list, const GPtrArray *some)
{
  const guint columns = count_columns (some->pdata[0]);
  g_autofree char *words = division_of (some->pdata[0], TRUE);
  g_autofree char **wanted = g_new0 (char *, columns); /* divisions; NULL: any */
  GPtrArray *joined = g_ptr_array_new ();
  for (guint i = 0; i < columns; i++) {
    g_autoptr (GPtrArray) texts = texts_of_column (some, i);
    wanted[i] = has_number (texts) ? division_of (texts->pdata[0], FALSE) : NULL;
  }
  for (guint n = 0; n < list->len; n++) {
    gboolean fits = has_division (list->pdata[n], words, TRUE);
    for (guint i = 0; i < columns && fits; i++) {
      g_autofree char *column = wanted[i] ? column_of (list->pdata[n], i) : NULL;
      fits = !column || has_division (column, wanted[i], FALSE);
    }
    if (fits)
      g_ptr_array_add (joined, list->pdata[n]);
  }
  for (guint i = 0; i < columns; i++)
    g_free (wanted[i]);
  return joined;
}

static GPtrArray *
names_alike (const GPtrArray *list)
{
  g_autofree char *usual = usual_division (list);
  g_autoptr (GPtrArray) some = g_ptr_array_new ();
  for (guint i = 0; usual && i < list->len; i++)
    if (has_division (list->pdata[i], usual, FALSE))
      g_ptr_array_add (some, list->pdata[i]);
  return some->len ? join (list, some) : g_steal_pointer (&some);
}

/* ---- Parts ---- */

static void
part_free (gpointer data)
{
  PlateNamesPart *part = data;
  g_clear_pointer (&part->texts, g_ptr_array_unref);
  g_free (part->text);
  g_free (part->before);
  g_free (part);
}

/* Text that is the same in all names, behind that before it. */
static void
add_text (PlateNames *names, const char *text)
{
  PlateNamesPart *last = names->parts->len ? names->parts->pdata[names->parts->len - 1] : NULL;
  if (!last || !last->text) {
    g_ptr_array_add (names->parts, last = g_new0 (PlateNamesPart, 1));
    last->text = g_strdup ("");
    last->before = g_strdup ("");
  }
  char *both = g_strconcat (last->text, text, NULL);
  g_free (last->text);
  last->text = both;
}

/* The last letters of the text before, "t" of "img_t"; a separator at its end does not count. Free with g_free(). */
static char *
letters_before (const PlateNames *names)
{
  const PlateNamesPart *last = names->parts->len ? names->parts->pdata[names->parts->len - 1] : NULL;
  const char *text = last && last->text ? last->text : "", *end = text + strlen (text), *begin;
  if (end > text && strchr ("_-. =", end[-1]))
    end--;
  for (begin = end; begin > text && is_letter (begin[-1]);)
    begin--;
  g_autofree char *letters = g_strndup (begin, (gsize) (end - begin));
  return g_ascii_strdown (letters, -1);
}

static gboolean
are_all (const GPtrArray *texts, gboolean (*is) (const char *text))
{
  for (guint i = 0; i < texts->len; i++)
    if (!is (texts->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_number (const char *text)
{
  return *text && strlen (text) < 10 && text[strspn (text, "0123456789")] == 0;
}

/* With a capital letter: others are those in front of numbers. */
static gboolean
is_well (const char *text)
{
  gint row, column;
  return g_ascii_isupper (*text) && plate_well_parse (text, &row, &column);
}

/* Whether it is a well of a row whose letter means nothing else in front of a number, "A01". */
static gboolean
is_in_row (const char *text)
{
  return strchr ("ABDEGH", *text) && strlen (text) == 3;
}

/* A part that differs; takes the texts. */
static void
add_differing (PlateNames *names, GPtrArray *texts)
{
  PlateNamesPart *part = g_new0 (PlateNamesPart, 1);
  part->before = letters_before (names);
  part->texts = texts;
  part->are_numbers = are_all (texts, is_number);
  part->are_wells = are_all (texts, is_well);
  part->meaning = PLATE_PART_NOTHING;
  g_ptr_array_add (names->parts, part);
  g_ptr_array_add (names->differ, part);
}

/* The different texts of token i of column texts, in natural order. */
static GPtrArray *
texts_of_token (const GPtrArray *columns, guint i)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  for (guint n = 0; n < columns->len; n++) {
    add_once (texts, known, token_of (columns->pdata[n], i));
  }
  g_ptr_array_sort (texts, compare_names);
  return texts;
}

static gboolean
have_division (const GPtrArray *texts, const char *division)
{
  for (guint i = 0; i < texts->len; i++)
    if (!has_division (texts->pdata[i], division, FALSE))
      return FALSE;
  return TRUE;
}

/* Whether a column is one part: words of several divisions, wells, or tokens of which two in a row differ, whose border no pattern finds. tokens: the
 * texts of each token. */
static gboolean
is_whole (const GPtrArray *columns, const GPtrArray *tokens)
{
  if (tokens->len == 2 && are_all (columns, is_well)
      && (((GPtrArray *) tokens->pdata[0])->len > 1 || are_all (columns, is_in_row)))
    return TRUE;
  for (guint i = 1; i < tokens->len; i++)
    if (((GPtrArray *) tokens->pdata[i - 1])->len > 1 && ((GPtrArray *) tokens->pdata[i])->len > 1)
      return TRUE;
  return FALSE;
}

/* Adds the parts of a column. columns: its texts. */
static void
add_column (PlateNames *names, const GPtrArray *columns)
{
  g_autofree char *division = division_of (columns->pdata[0], FALSE);
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  const gboolean divided = have_division (columns, division);
  for (guint i = 0; divided && division[i]; i++)
    g_ptr_array_add (tokens, texts_of_token (columns, i));
  if (columns->len == 1)
    add_text (names, columns->pdata[0]);
  else if (!divided || is_whole (columns, tokens)) {
    GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
    for (guint i = 0; i < columns->len; i++)
      g_ptr_array_add (texts, g_strdup (columns->pdata[i]));
    add_differing (names, texts);
  } else
    for (guint i = 0; i < tokens->len; i++) {
      GPtrArray *texts = tokens->pdata[i];
      if (texts->len == 1)
        add_text (names, texts->pdata[0]);
      else
        add_differing (names, g_ptr_array_ref (texts));
    }
}

static void
add_parts (PlateNames *names)
{
  const char *first = names->alike->pdata[0];
  for (guint i = 0; *first; i++) {
    g_autoptr (GPtrArray) columns = texts_of_column (names->alike, i);
    if (*(const char *) columns->pdata[0] || columns->len > 1)
      add_column (names, columns);
    first += column_length (first);
    if (*first) {
      const char separator[] = {*first++, 0};
      add_text (names, separator);
    }
  }
}

/* ---- All ---- */

PlateNames *
plate_names_new (const GPtrArray *list)
{
  PlateNames *names = g_new0 (PlateNames, 1);
  names->alike = names_alike (list);
  names->parts = g_ptr_array_new_with_free_func (part_free);
  names->differ = g_ptr_array_new ();
  if (names->alike->len)
    add_parts (names);
  return names;
}

void
plate_names_free (PlateNames *names)
{
  g_ptr_array_unref (names->differ);
  g_ptr_array_unref (names->parts);
  g_ptr_array_unref (names->alike);
  g_free (names);
}

gboolean
plate_names_are_sequence (const PlateNames *names, const GPtrArray *list)
{
  gboolean numbered = FALSE;
  for (guint i = 0; i < names->differ->len; i++) {
    const PlateNamesPart *part = names->differ->pdata[i];
    numbered = numbered || part->are_numbers || part->are_wells;
  }
  return numbered && names->alike->len >= FEWEST && names->differ->len <= PLATE_NAMES_PARTS
         && (list->len - names->alike->len) * MOST_OTHERS <= list->len;
}
