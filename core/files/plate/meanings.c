/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/meanings.h"

#include "core/base/name_pattern.h"

#include <string.h>

enum { MOST_CHANNELS = 16 };

/* Which meanings are given already. */
typedef guint Taken;

static gboolean
take (PlateNamesPart *part, PlatePart meaning, Taken *taken)
{
  if (part->meaning != PLATE_PART_NOTHING || *taken & 1u << meaning)
    return FALSE;
  part->meaning = meaning;
  *taken |= 1u << meaning;
  return TRUE;
}

/* What these letters in front of a number say. */
static PlatePart
meaning_of (const char *letters)
{
  static const struct {
    PlatePart meaning;
    const char *words;
  } known[] = {
    {PLATE_PART_FRAME, " t time timepoint tp frame fr sk day hour cycle "},
    {PLATE_PART_SLICE, " z slice sl plane zstep sec section "},
    {PLATE_PART_CHANNEL, " ch channel chan w wave wavelength wv "},
    {PLATE_PART_FIELD, " s f site field fov xy pos position series m tile "},
    {PLATE_PART_WELL, " well "},
    {PLATE_PART_ROW, " r row "},
    {PLATE_PART_COLUMN, " col column "},
  };
  g_autofree char *word = g_strdup_printf (" %s ", letters);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (*letters && strstr (known[i].words, word))
      return known[i].meaning;
  return PLATE_PART_NOTHING;
}

/* Whether a number with these letters in front differs. */
static PlateNamesPart *
find (const PlateNames *names, const char *letters)
{
  for (guint i = 0; i < names->differ->len; i++) {
    PlateNamesPart *part = names->differ->pdata[i];
    if (part->are_numbers && !strcmp (part->before, letters))
      return part;
  }
  return NULL;
}

/* "r01c02f03p04": with a row, c is the column and p the plane; else they are channel and position. */
static void
take_short (const PlateNames *names, Taken *taken)
{
  PlateNamesPart *r = find (names, "r"), *row = r ? r : find (names, "row"), *c = find (names, "c"),
                 *col = c ? c : find (names, "col"), *column = col ? col : find (names, "column"),
                 *p = find (names, "p");
  if (row && column) {
    take (row, PLATE_PART_ROW, taken);
    take (column, PLATE_PART_COLUMN, taken);
    *taken |= 1u << PLATE_PART_WELL;
  } else {
    *taken |= 1u << PLATE_PART_ROW | 1u << PLATE_PART_COLUMN; /* one alone says nothing */
    if (c)
      take (c, PLATE_PART_CHANNEL, taken);
  }
  if (p)
    take (p, row && column ? PLATE_PART_SLICE : PLATE_PART_FIELD, taken);
}

/* ---- What tells nothing that the others do not ---- */

/* The texts of the parts that differ, of each name: array of char **. */
static GPtrArray *
texts_of_names (const PlateNames *names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint differ = 0;
  for (guint i = 0; i < names->parts->len; i++) {
    const PlateNamesPart *part = names->parts->pdata[i];
    if (part->text)
      g_string_append (text, part->text);
    else
      g_string_append_printf (text, "{p%u}", differ++);
  }
  g_autoptr (NamePattern) pattern = differ ? name_pattern_new (text->str, NULL) : NULL;
  for (guint i = 0; pattern && i < names->alike->len; i++)
    g_ptr_array_add (texts, name_pattern_match (pattern, names->alike->pdata[i]));
  return texts;
}

/* Whether the parts that count, but one, still tell all names apart. */
static gboolean
tell_apart (const GPtrArray *texts, const gboolean *counts, guint parts, guint without)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < texts->len; i++) {
    g_autoptr (GString) others = g_string_new (NULL);
    for (guint j = 0; texts->pdata[i] && j < parts; j++)
      if (counts[j] && j != without)
        g_string_append_printf (others, "%s/", ((char **) texts->pdata[i])[j]);
    if (!g_hash_table_add (known, g_strdup (others->str)))
      return FALSE;
  }
  return texts->len > 0;
}

/* Parts without a meaning that the others make superfluous, such as a date in each name, mean nothing: words first, then numbers, the last first. */
static void
find_superfluous (const PlateNames *names, gboolean *counts)
{
  const guint n = names->differ->len;
  g_autoptr (GPtrArray) texts = texts_of_names (names);
  for (guint i = 0; i < n; i++)
    counts[i] = TRUE;
  for (int numbers = 0; numbers < 2; numbers++)
    for (guint i = n; i--;) {
      const PlateNamesPart *part = names->differ->pdata[i];
      if (part->meaning == PLATE_PART_NOTHING && part->are_numbers == numbers)
        counts[i] = !tell_apart (texts, counts, n, i);
    }
}

/* ---- The others ---- */

/* Numbers without letters that say something: the last one is the slice. */
static void
take_numbers (const PlateNames *names, const gboolean *counts, Taken *taken)
{
  static const PlatePart order[] = {PLATE_PART_SLICE, PLATE_PART_FRAME, PLATE_PART_FIELD};
  for (guint i = names->differ->len; i--;) {
    PlateNamesPart *part = names->differ->pdata[i];
    for (guint n = 0; counts[i] && part->are_numbers && n < G_N_ELEMENTS (order) && !take (part, order[n], taken);)
      n++;
  }
}

/* Few words are channels; names of their own, otherwise. */
static void
take_words (const PlateNames *names, const gboolean *counts, Taken *taken)
{
  static const PlatePart order[] = {PLATE_PART_CHANNEL, PLATE_PART_WELL, PLATE_PART_FIELD};
  for (guint i = 0; i < names->differ->len; i++) {
    PlateNamesPart *part = names->differ->pdata[i];
    for (guint n = part->texts->len > MOST_CHANNELS;
         counts[i] && !part->are_numbers && n < G_N_ELEMENTS (order) && !take (part, order[n], taken);)
      n++;
  }
}

void
plate_meanings_guess (PlateNames *names)
{
  Taken taken = 0;
  for (guint i = 0; i < names->differ->len; i++)
    ((PlateNamesPart *) names->differ->pdata[i])->meaning = PLATE_PART_NOTHING;
  take_short (names, &taken);
  for (guint i = 0; i < names->differ->len; i++) {
    PlateNamesPart *part = names->differ->pdata[i];
    const PlatePart meaning = part->are_wells ? PLATE_PART_WELL : meaning_of (part->before);
    if (meaning != PLATE_PART_NOTHING && (part->are_numbers || meaning == PLATE_PART_WELL || part->are_wells))
      take (part, meaning, &taken);
  }
  g_autofree gboolean *counts = g_new (gboolean, names->differ->len);
  find_superfluous (names, counts);
  take_words (names, counts, &taken);
  take_numbers (names, counts, &taken);
}
