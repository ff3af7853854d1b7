/* SPDX-License-Identifier: MIT
 */
#include "ui/steps/input_row.h"

#include "ui/widgets/image_chooser.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/narrow_choice.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

/* What can be chosen. */
typedef struct {
  char *label;
  char *value;         /* as it is written for the input; NULL: a result, or a file that is to be chosen */
  guint index, result; /* index G_MAXUINT: no result */
} Item;

struct _InputRow {
  GtkBox parent;
  View *view;
  guint index, input;
  GtkDropDown *choice;
  GArray *items;    /* Item */
  gboolean filling; /* it is not the user who chooses */
};

G_DEFINE_FINAL_TYPE (InputRow, input_row, GTK_TYPE_BOX)

static guint failed_signal;

static void
item_clear (gpointer data)
{
  Item *item = data;
  g_free (item->label);
  g_free (item->value);
}

static const Step *
step_of (const InputRow *row)
{
  return recipe_step (document_recipe (view_document (row->view)), row->index);
}

static const fv_input *
declared (const InputRow *row)
{
  return &step_of (row)->op->fv.inputs[row->input];
}

/* ---- What there is ---- */

/* Takes the label. */
static void
add (GArray *items, char *label, const char *value)
{
  const Item item = {label, g_strdup (value), G_MAXUINT, 0};
  g_array_append_val (items, item);
}

static gboolean
has_value (const GArray *items, const char *value)
{
  for (guint i = 0; i < items->len; i++)
    if (!g_strcmp0 (g_array_index (items, Item, i).value, value))
      return TRUE;
  return FALSE;
}

/* "psf.tif" of "file:/images/psf.tif". */
static void
add_file (GArray *items, const char *value)
{
  if (!has_value (items, value))
    add (items, g_path_get_basename (value + strlen (FILE_INPUT)), value);
}

/* "2 Otsu", and where there are several "2 Split: Nuclei". */
static void
add_results (GArray *items, guint index, const Op *op, gboolean table)
{
  g_autofree char *title = words_title (op);
  guint first = table ? op->n_outputs : 0, end = table ? step_results (op) : op->n_outputs;
  for (guint i = first; i < end; i++) {
    const gboolean one = end - first == 1;
    const Item item = {g_strdup_printf ("%u %s%s%s", index + 1, title, one ? "" : ": ",
                                        one ? "" : words_shown (step_result_label (op, i))),
                       NULL, index, i};
    g_array_append_val (items, item);
  }
}

/* Nothing, or the last table, or the opened image; what earlier steps make; other images that are open; what the step takes when that is none of
 * these; and any file. */
static GArray *
items_of (const InputRow *row)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Item));
  const Recipe *recipe = document_recipe (view_document (row->view));
  const char *now = step_of (row)->inputs[row->input];
  const gboolean table = (declared (row)->types & FV_WANTS_TABLE) != 0;
  g_array_set_clear_func (items, item_clear);
  if (declared (row)->optional)
    add (items, g_strdup (_ ("(none)")), "");
  else if (table)
    add (items, g_strdup (_ ("Last table")), "");
  if (!table)
    add (items, g_strdup (_ ("Opened image")), RECIPE_SOURCE);
  for (guint k = 0; k < row->index; k++)
    add_results (items, k, recipe_step (recipe, k)->op, table);
  if (table)
    return items;
  for (const char *const *path = view_others (row->view); path && *path; path++) {
    g_autofree char *value = g_strconcat (FILE_INPUT, *path, NULL);
    add_file (items, value);
  }
  if (step_input_is_selection (now))
    add (items, g_strdup (now), now);
  else if (step_of (row)->files[row->input])
    add_file (items, now);
  add (items, g_strdup (_ ("Choose File…")), NULL);
  return items;
}

static guint
chosen (const InputRow *row)
{
  const char *now = step_of (row)->inputs[row->input];
  guint index = G_MAXUINT, result = 0;
  if (now && !has_value (row->items, now)
      && !recipe_find (document_recipe (view_document (row->view)), row->index, now, &index, &result))
    return 0;
  for (guint i = 0; i < row->items->len && now; i++) {
    const Item *item = &g_array_index (row->items, Item, i);
    if (item->value ? !strcmp (item->value, now) : index != G_MAXUINT && item->index == index && item->result == result)
      return i;
  }
  return 0;
}

static gboolean
same_labels (const GArray *a, const GArray *b)
{
  gboolean same = a->len == b->len;
  for (guint i = 0; i < a->len && same; i++)
    same = !strcmp (g_array_index (a, Item, i).label, g_array_index (b, Item, i).label);
  return same;
}

void
input_row_refresh (InputRow *row)
{
  GArray *items = items_of (row);
  const gboolean same = same_labels (row->items, items);
  g_array_unref (row->items);
  row->items = items;
  row->filling = TRUE;
  if (!same) {
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    for (guint i = 0; i < items->len; i++)
      gtk_string_list_append (names, g_array_index (items, Item, i).label);
    gtk_drop_down_set_model (row->choice, G_LIST_MODEL (names));
  }
  gtk_drop_down_set_selected (row->choice, chosen (row));
  row->filling = FALSE;
}

/* ---- Choosing ---- */

static void
set_value (InputRow *row, const char *value)
{
  g_autoptr (GError) error = NULL;
  document_set_value (view_document (row->view), row->index, declared (row)->key, value, &error);
  if (error)
    g_signal_emit (row, failed_signal, 0, error->message);
}

static void
set_file (InputRow *row, const char *path)
{
  g_autofree char *value = g_strconcat (FILE_INPUT, path, NULL);
  if (g_utf8_validate (path, -1, NULL))
    set_value (row, value);
  else
    g_signal_emit (row, failed_signal, 0, _ ("The name of a file that a step uses must be UTF-8. Rename it."));
}

static void
on_chosen (InputRow *row)
{
  guint i = gtk_drop_down_get_selected (row->choice);
  if (row->filling || i >= row->items->len)
    return;
  const Item *item = &g_array_index (row->items, Item, i);
  if (item->value) {
    g_autofree char *value = g_strdup (item->value); /* the items may go */
    set_value (row, value);
  } else if (item->index != G_MAXUINT) {
    const char *name = document_name_result (view_document (row->view), item->index, item->result, NULL);
    if (name)
      set_value (row, name);
  } else {
    input_row_refresh (row);
    image_chooser_ask (GTK_WIDGET (row), document_path (view_document (row->view)), (ImageChosen) set_file);
  }
}

/* ---- The widget ---- */

static void
input_row_dispose (GObject *object)
{
  g_clear_object (&FOVEA_INPUT_ROW (object)->view);
  G_OBJECT_CLASS (input_row_parent_class)->dispose (object);
}

static void
input_row_finalize (GObject *object)
{
  g_array_unref (FOVEA_INPUT_ROW (object)->items);
  G_OBJECT_CLASS (input_row_parent_class)->finalize (object);
}

static void
input_row_class_init (InputRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = input_row_dispose;
  G_OBJECT_CLASS (class)->finalize = input_row_finalize;
  failed_signal =
    g_signal_new ("failed", INPUT_ROW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
input_row_init (InputRow *row)
{
  row->items = g_array_new (FALSE, FALSE, sizeof (Item));
  row->choice = GTK_DROP_DOWN (narrow_choice_new (NULL));
}

GtkWidget *
input_row_new (View *view, guint index, guint input)
{
  InputRow *row = g_object_new (INPUT_ROW_TYPE, "spacing", 6, NULL);
  row->view = g_object_ref (view);
  row->index = index;
  row->input = input;
  GtkWidget *label = gtk_label_new (words_shown (declared (row)->label)), *choice = GTK_WIDGET (row->choice);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 11);
  gtk_widget_set_hexpand (choice, TRUE);
  gtk_widget_set_tooltip_text (choice, words_shown (declared (row)->help));
  naming_set (choice, words_shown (declared (row)->label));
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), choice);
  input_row_refresh (row);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (on_chosen), row, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "others", G_CALLBACK (input_row_refresh), row, G_CONNECT_SWAPPED);
  return GTK_WIDGET (row);
}
