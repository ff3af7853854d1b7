/* SPDX-License-Identifier: MIT */
#include "core/ops/search.h"

#include <string.h>

struct SearchTexts {
  char *key, *label, *words, *all; /* folded; the key may be NULL */
};

/* Without differences of case, and with blanks for underscores. */
static char *
folded (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);
  return g_strdelimit (g_utf8_casefold (normal ? normal : "", -1), "_", ' ');
}

SearchTexts *
search_texts_new (const char *key, const char *label, const char *words, const char *more)
{
  g_autofree char *all = g_strjoin (" ", key ? key : "", label, words ? words : "", more ? more : "", NULL);
  SearchTexts *texts = g_new (SearchTexts, 1);
  *texts = (SearchTexts){key ? folded (key) : NULL, folded (label), folded (words ? words : ""), folded (all)};
  return texts;
}

void
search_texts_free (SearchTexts *texts)
{
  if (!texts)
    return;
  g_free (texts->key);
  g_free (texts->label);
  g_free (texts->words);
  g_free (texts->all);
  g_free (texts);
}

SearchRank
search_texts_rank (const SearchTexts *texts, const char *wanted)
{
  g_autofree char *text = folded (wanted);
  g_strstrip (text);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  for (char **word = words; *word; word++)
    if (!strstr (texts->all, *word))
      return SEARCH_NOWHERE;
  return !*text                          ? SEARCH_TEXT
         : !g_strcmp0 (texts->key, text) ? SEARCH_KEY
         : strstr (texts->label, text)   ? SEARCH_LABEL
         : strstr (texts->words, text)   ? SEARCH_WORDS
                                         : SEARCH_TEXT;
}

SearchRank
search_op_rank (const fv_op *op, const char *wanted)
{
  g_autofree char *more = g_strjoin (" ", op->menu ? op->menu : "", op->help, NULL);
  g_autoptr (SearchTexts) texts = search_texts_new (op->key, op->label, op->search, more);
  return search_texts_rank (texts, wanted);
}

/* Adds the keys of the operations of which the text has words that begin like those of `wanted`. */
static void
add_matching (GPtrArray *keys, const GPtrArray *ops, const char *wanted, gboolean label, guint n)
{
  for (guint i = 0; i < ops->len && keys->len < n; i++) {
    const fv_op *op = &((const Op *) ops->pdata[i])->fv;
    const char *text = label ? op->label : op->search;
    if (op->menu && text && g_str_match_string (wanted, text, FALSE) && !g_ptr_array_find (keys, op->key, NULL))
      g_ptr_array_add (keys, (gpointer) op->key);
  }
}

char *
search_suggestion (const GPtrArray *ops, const char *wanted, guint n)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  GString *list = g_string_new (NULL);
  add_matching (keys, ops, wanted, TRUE, n);
  add_matching (keys, ops, wanted, FALSE, n);
  for (guint i = 0; i < keys->len; i++)
    g_string_append_printf (list, "%s'%s'", i == 0 ? "" : i + 1 < keys->len ? ", " : " or ", (char *) keys->pdata[i]);
  return g_string_free (list, keys->len == 0);
}
