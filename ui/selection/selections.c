/* SPDX-License-Identifier: MIT
 *
 * The current selection and the kept ones never share anything. A kept one may be shared with others: it is replaced, never changed.
 */
#include "ui/selection/selections.h"

#include <string.h>

struct _Selections {
  GObject parent;
  Selection *current;
  gboolean drawing, shown;
  GPtrArray *kept;
  int chosen;
  GPtrArray *shared;      /* the kept ones for others; NULL: the list has changed since */
  guint changes, saved;   /* how often the list has changed, and had when it was in a file */
  gboolean current_saved; /* or a copy of a kept one */
};

G_DEFINE_FINAL_TYPE (Selections, selections, G_TYPE_OBJECT)

enum { CURRENT, LIST, DID, FAILED, SIGNALS };
static guint signals[SIGNALS];

/* ---- The current one ---- */

const Selection *
selections_current (const Selections *s)
{
  return s->current;
}

gboolean
selections_drawing (const Selections *s)
{
  return s->drawing;
}

static void
replace (Selections *s, Selection *selection, gboolean drawing)
{
  if (s->current)
    selection_free (s->current);
  s->current = selection;
  s->current_saved = FALSE;
  s->drawing = drawing && selection;
  g_signal_emit (s, signals[CURRENT], 0);
}

static void
list_changed (Selections *s)
{
  s->changes++;
  g_clear_pointer (&s->shared, g_ptr_array_unref);
  g_signal_emit (s, signals[LIST], 0);
}

void
selections_did (Selections *s, const char *command, const char *text)
{
  if (!strcmp (command, "save")) {
    s->saved = s->changes;
    s->current_saved |= !s->kept->len; /* without a list the current one is what is saved */
  }
  g_signal_emit (s, signals[DID], 0, command, text);
}

static void
set_chosen (Selections *s, int chosen)
{
  if (chosen == s->chosen)
    return;
  s->chosen = chosen;
  g_signal_emit (s, signals[LIST], 0);
}

void
selections_set_current (Selections *s, Selection *selection)
{
  set_chosen (s, -1);
  if (selection || s->current)
    replace (s, selection, FALSE);
}

void
selections_reshape (Selections *s, Selection *selection)
{
  replace (s, selection, FALSE);
}

void
selections_draw (Selections *s, Selection *selection)
{
  set_chosen (s, -1);
  replace (s, selection, TRUE);
}

/* ---- The kept ones ---- */

guint
selections_length (const Selections *s)
{
  return s->kept->len;
}

const Selection *
selections_kept (const Selections *s, guint i)
{
  return s->kept->pdata[i];
}

int
selections_chosen (const Selections *s)
{
  return s->chosen;
}

void
selections_choose (Selections *s, guint i)
{
  g_autofree char *text = g_strdup_printf ("%u", i);
  set_chosen (s, (int) i);
  selections_did (s, "select", text);
  replace (s, selection_copy (selections_kept (s, i)), FALSE);
  s->current_saved = TRUE;
}

void
selections_keep (Selections *s, gint64 channel, gint64 slice, gint64 frame)
{
  Selection *copy = selection_copy (s->current);
  copy->channel = channel;
  copy->slice = slice;
  copy->frame = frame;
  g_free (copy->name);
  copy->name = selection_free_name (copy, s->kept);
  g_ptr_array_add (s->kept, copy);
  s->chosen = (int) s->kept->len - 1;
  s->current_saved = TRUE;
  g_autofree char *planes = g_strdup_printf ("%d,%d,%d", (int) channel + 1, (int) slice + 1, (int) frame + 1);
  selections_did (s, "add", planes);
  list_changed (s);
}

void
selections_update (Selections *s)
{
  Selection *copy = selection_copy (s->current), *old = s->kept->pdata[s->chosen];
  g_free (copy->name);
  copy->name = g_strdup (old->name);
  copy->channel = old->channel;
  copy->slice = old->slice;
  copy->frame = old->frame;
  selection_free (old);
  s->kept->pdata[s->chosen] = copy;
  s->current_saved = TRUE;
  selections_did (s, "update", NULL);
  list_changed (s);
}

void
selections_rename (Selections *s, guint i, const char *name)
{
  Selection *old = s->kept->pdata[i], *renamed;
  if (!*name || !g_strcmp0 (old->name, name))
    return;
  renamed = selection_copy (old);
  g_free (renamed->name);
  renamed->name = g_strdup (name);
  s->kept->pdata[i] = renamed;
  selection_free (old);
  selections_did (s, "rename", name);
  list_changed (s);
}

void
selections_remove (Selections *s, guint i)
{
  g_ptr_array_remove_index (s->kept, i);
  selections_did (s, "delete", NULL);
  s->chosen = s->chosen == (int) i ? -1 : s->chosen > (int) i ? s->chosen - 1 : s->chosen;
  list_changed (s);
}

static void
extend (Selections *s, const GPtrArray *selections)
{
  for (guint i = 0; i < selections->len; i++) {
    Selection *copy = selection_copy (selections->pdata[i]);
    if (!copy->name || !*copy->name) {
      g_free (copy->name);
      copy->name = selection_free_name (copy, s->kept);
    }
    g_ptr_array_add (s->kept, copy);
  }
  list_changed (s);
}

void
selections_remove_chosen (Selections *s)
{
  const guint i = (guint) s->chosen;
  selections_remove (s, i);
  if (i < s->kept->len)
    selections_choose (s, i);
  else
    selections_set_current (s, NULL);
}

void
selections_extend (Selections *s, const GPtrArray *selections, const char *path)
{
  const gboolean none = !s->kept->len;
  selections_did (s, "open", path);
  extend (s, selections);
  if (none) /* the list is what is in the file */
    s->saved = s->changes;
}

void
selections_set_kept (Selections *s, const GPtrArray *selections)
{
  g_ptr_array_set_size (s->kept, 0);
  s->chosen = -1;
  extend (s, selections);
}

GPtrArray *
selections_copy_kept (const Selections *s)
{
  GPtrArray *copies = g_ptr_array_new_full (s->kept->len, (GDestroyNotify) selection_free);
  for (guint i = 0; i < s->kept->len; i++)
    g_ptr_array_add (copies, selection_copy (selections_kept (s, i)));
  return copies;
}

static gboolean
is_work (const Selection *s)
{
  return s->shape == SELECTION_POLYGON || s->shape == SELECTION_FREEHAND
         || (s->shape == SELECTION_POINT && s->n_points > 1);
}

guint
selections_unsaved (const Selections *s)
{
  return (s->changes != s->saved ? s->kept->len : 0) + (s->current && !s->current_saved && is_work (s->current));
}

GPtrArray *
selections_share_kept (Selections *s)
{
  if (!s->shared) {
    s->shared = g_ptr_array_new_full (s->kept->len, (GDestroyNotify) selection_free);
    for (guint i = 0; i < s->kept->len; i++)
      g_ptr_array_add (s->shared, selection_share (selections_kept (s, i)));
  }
  return g_ptr_array_ref (s->shared);
}

void
selections_restore (Selections *s, const GPtrArray *kept, const Selection *current)
{
  if (kept)
    selections_set_kept (s, kept);
  if (current)
    selections_set_current (s, selection_copy (current));
}

gboolean
selections_shown (const Selections *s)
{
  return s->shown;
}

void
selections_set_shown (Selections *s, gboolean shown)
{
  if (shown == s->shown)
    return;
  s->shown = shown;
  g_signal_emit (s, signals[LIST], 0);
}

void
selections_fail (Selections *s, const char *text)
{
  g_signal_emit (s, signals[FAILED], 0, text);
}

/* ---- The object ---- */

static void
selections_finalize (GObject *object)
{
  Selections *s = FOVEA_SELECTIONS (object);
  g_clear_pointer (&s->current, selection_free);
  g_ptr_array_unref (s->kept);
  g_clear_pointer (&s->shared, g_ptr_array_unref);
  G_OBJECT_CLASS (selections_parent_class)->finalize (object);
}

static void
selections_class_init (SelectionsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = selections_finalize;
  signals[CURRENT] = g_signal_new ("current", SELECTIONS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LIST] = g_signal_new ("list", SELECTIONS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DID] = g_signal_new ("did", SELECTIONS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                               G_TYPE_STRING, G_TYPE_STRING);
  signals[FAILED] =
    g_signal_new ("failed", SELECTIONS_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
selections_init (Selections *s)
{
  s->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  s->chosen = -1;
  s->shown = TRUE;
}

Selections *
selections_new (void)
{
  return g_object_new (SELECTIONS_TYPE, NULL);
}
