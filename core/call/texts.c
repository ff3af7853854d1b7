/* SPDX-License-Identifier: MIT
 */
#include "core/call/texts.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *text;
  char *key; /* for comparing */
  guint32 number;
} Sortable;

void
call_texts_clear (CallTexts *t)
{
  g_clear_pointer (&t->numbers, g_hash_table_unref);
  g_clear_pointer (&t->texts, g_ptr_array_unref);
  g_clear_pointer (&t->ordered, g_ptr_array_unref);
  g_clear_pointer (&t->ranks, g_free);
}

guint
call_texts_number (CallTexts *t, const char *text)
{
  guint known;
  if (!t->texts) {
    t->texts = g_ptr_array_new_with_free_func (g_free);
    t->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  }
  if ((known = GPOINTER_TO_UINT (g_hash_table_lookup (t->numbers, text))))
    return known - 1;
  g_ptr_array_add (t->texts, g_strdup (text));
  g_hash_table_insert (t->numbers, t->texts->pdata[t->texts->len - 1], GUINT_TO_POINTER (t->texts->len));
  return t->texts->len - 1;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Sortable *x = a, *y = b;
  int order = strcmp (x->key, y->key);
  return order ? order : strcmp (x->text, y->text);
}

GPtrArray *
call_texts_in_order (CallTexts *t)
{
  guint n = t->texts ? t->texts->len : 0;
  g_autofree Sortable *sorted = NULL;
  if (t->ordered)
    return t->ordered;
  sorted = g_new (Sortable, n);
  t->ordered = g_ptr_array_new_full (n, g_free);
  t->ranks = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = (Sortable){t->texts->pdata[i], g_utf8_collate_key_for_filename (t->texts->pdata[i], -1), i};
  if (n)
    qsort (sorted, n, sizeof *sorted, compare);
  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (t->ordered, g_strdup (sorted[i].text));
    t->ranks[sorted[i].number] = i;
    g_free (sorted[i].key);
  }
  return t->ordered;
}

gboolean
call_texts_index (CallTexts *t, double *values, gint64 n)
{
  guint texts = call_texts_in_order (t)->len;
  for (gint64 i = 0; i < n; i++) {
    if (isnan (values[i]))
      continue;
    if (!(values[i] >= 0 && values[i] < texts) || values[i] != floor (values[i]))
      return FALSE;
    values[i] = t->ranks[(guint32) values[i]];
  }
  return TRUE;
}
