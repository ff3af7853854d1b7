/* SPDX-License-Identifier: MIT
 *
 * Rows stand group by group, as the declaration names them. All and None are about the rows that the search leaves, so that
 * "imagej" and All chooses exactly those.
 */
#include "ui/form/choice_list.h"

#include "core/ops/args.h"
#include "ui/view/shown_value.h"
#include "ui/widgets/button.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

struct _ChoiceList {
  GtkBox parent;
  const ParamSource *source;
  const fv_param *param;
  GtkWidget *search;
  GtkListBox *list;
  GtkLabel *count, *fault;
  GPtrArray *checks; /* GtkCheckButton of each choice */
  gboolean filling;  /* changes are ours */
};

G_DEFINE_FINAL_TYPE (ChoiceList, choice_list, GTK_TYPE_BOX)

/* ---- The declaration ---- */

/* The part of the label before the first slash, "" when there is none; *name is the rest. */
static char *
group_of (const fv_choice *choice, const char **name)
{
  const char *label = words_shown (choice->label), *slash = strchr (label, '/');
  *name = slash ? slash + 1 : label;
  return slash ? g_strndup (label, (gsize) (slash - label)) : g_strdup ("");
}

static gboolean
same_group (const fv_choice *a, const fv_choice *b)
{
  const char *name;
  g_autofree char *first = group_of (a, &name), *second = group_of (b, &name);
  return !strcmp (first, second);
}

static guint
count_choices (const fv_param *param)
{
  guint n = 0;
  while (param->choices[n].key)
    n++;
  return n;
}

/* ---- The value ---- */

/* Whether there is still such a parameter. */
static gboolean
is_there (const ChoiceList *self)
{
  return !self->source->enabled || self->source->enabled (self->source->self, self->param);
}

static guint
choice_of (GtkListBoxRow *row)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "choice"));
}

/* NULL: nothing is wrong. */
static void
say (ChoiceList *self, const char *fault)
{
  gtk_label_set_text (self->fault, fault ? fault : "");
  gtk_widget_set_visible (GTK_WIDGET (self->fault), fault != NULL);
}

static void
apply_choices (ChoiceList *self)
{
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  if (self->filling || !is_there (self))
    return;
  for (guint i = 0; i < self->checks->len; i++)
    if (gtk_check_button_get_active (self->checks->pdata[i]))
      g_string_append_printf (keys, "%s%s", keys->len ? "," : "", self->param->choices[i].key);
  if (!self->source->set (self->source->self, self->param, keys->str, &error))
    say (self, error->message);
}

void
choice_list_refresh (ChoiceList *self)
{
  const ParamSource *source = self->source;
  const gboolean there = is_there (self);
  g_autofree char *value = there ? source->get (source->self, self->param) : g_strdup ("");
  g_autofree char *summary = shown_set (self->param, value);
  g_auto (GStrv) keys = g_strsplit (value, ",", -1);
  self->filling = TRUE;
  for (guint i = 0; i < self->checks->len; i++)
    gtk_check_button_set_active (self->checks->pdata[i],
                                 g_strv_contains ((const char *const *) keys, self->param->choices[i].key));
  self->filling = FALSE;
  gtk_label_set_text (self->count, summary);
  gtk_widget_set_sensitive (GTK_WIDGET (self), there);
  say (self, there && source->fault ? source->fault (source->self, self->param) : NULL);
}

/* ---- Searching ---- */

static gboolean
matches (GtkListBoxRow *row, gpointer self)
{
  const char *search = gtk_editable_get_text (GTK_EDITABLE (FOVEA_CHOICE_LIST (self)->search));
  g_autofree char *folded = g_utf8_casefold (search, -1);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);
  for (char **word = words; *word; word++)
    if (!strstr (g_object_get_data (G_OBJECT (row), "text"), *word))
      return FALSE;
  return TRUE;
}

static void
add_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const ChoiceList *self = data;
  const fv_choice *choice = &self->param->choices[choice_of (row)];
  const char *name;
  g_autofree char *group = group_of (choice, &name);
  GtkWidget *header = gtk_label_new (group);
  if (!*group || (before && same_group (choice, &self->param->choices[choice_of (before)]))) {
    g_object_unref (g_object_ref_sink (header));
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  gtk_label_set_xalign (GTK_LABEL (header), 0);
  gtk_widget_add_css_class (header, "heading");
  gtk_widget_set_margin_start (header, 6);
  gtk_widget_set_margin_top (header, before ? 12 : 4);
  gtk_widget_set_margin_bottom (header, 2);
  gtk_list_box_row_set_header (row, header);
}

static GtkListBoxRow *
first_shown (const ChoiceList *self)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)); i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

static void
on_search (ChoiceList *self)
{
  gtk_list_box_invalidate_filter (self->list);
}

/* Escape empties the search, and then closes. */
static void
on_escape (ChoiceList *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)))
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else if (popover)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

/* ---- Choosing ---- */

static void
toggle (ChoiceList *self, GtkListBoxRow *row)
{
  GtkCheckButton *check = self->checks->pdata[choice_of (row)];
  gtk_check_button_set_active (check, !gtk_check_button_get_active (check));
}

static void
toggle_first (ChoiceList *self)
{
  GtkListBoxRow *row = first_shown (self);
  if (row && *gtk_editable_get_text (GTK_EDITABLE (self->search)))
    toggle (self, row);
}

static void
set_shown (ChoiceList *self, gboolean chosen)
{
  GtkListBoxRow *row;
  self->filling = TRUE;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)); i++)
    if (matches (row, self))
      gtk_check_button_set_active (self->checks->pdata[choice_of (row)], chosen);
  self->filling = FALSE;
  apply_choices (self);
}

static void
choose_all (ChoiceList *self)
{
  set_shown (self, TRUE);
}

static void
choose_none (ChoiceList *self)
{
  set_shown (self, FALSE);
}

static void
choose_default (ChoiceList *self)
{
  g_autofree char *value = args_default (self->param);
  if (is_there (self))
    self->source->set (self->source->self, self->param, value, NULL);
}

static void
on_toggled (ChoiceList *self, GtkCheckButton *check)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (check), GTK_TYPE_LIST_BOX_ROW);
  gtk_accessible_update_state (
    GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_CHECKED,
    gtk_check_button_get_active (check) ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
  apply_choices (self);
}

/* ---- Rows ---- */

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (class)
    gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_texts (const fv_choice *choice, const char *name)
{
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = make_label (name, NULL), *key = make_label (choice->key, "caption");
  GtkWidget *help = make_label (words_shown (choice->help), "caption");
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (key, "dim-label");
  gtk_widget_add_css_class (help, "dim-label");
  gtk_label_set_width_chars (GTK_LABEL (help), 30);
  gtk_label_set_max_width_chars (GTK_LABEL (help), 56);
  gtk_box_append (GTK_BOX (line), title);
  gtk_box_append (GTK_BOX (line), key);
  gtk_box_append (GTK_BOX (texts), line);
  if (choice->help)
    gtk_box_append (GTK_BOX (texts), help);
  else
    g_object_unref (g_object_ref_sink (help));
  gtk_widget_set_hexpand (texts, TRUE);
  return texts;
}

static void
add_row (ChoiceList *self, guint i)
{
  const fv_choice *choice = &self->param->choices[i];
  const char *name;
  g_autofree char *group = group_of (choice, &name);
  g_autofree char *text = g_strjoin (" ", group, name, choice->key, words_shown (choice->help), NULL);
  GtkWidget *row = g_object_new (GTK_TYPE_LIST_BOX_ROW, "accessible-role", GTK_ACCESSIBLE_ROLE_CHECKBOX, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *check = gtk_check_button_new ();
  gtk_widget_set_can_target (check, FALSE); /* the row is what is clicked and has the focus */
  gtk_widget_set_can_focus (check, FALSE);
  gtk_widget_set_valign (check, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), make_texts (choice, name));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "choice", GUINT_TO_POINTER (i));
  g_object_set_data_full (G_OBJECT (row), "text", g_utf8_casefold (text, -1), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, choice->help ? words_shown (choice->help) : "",
                                  -1);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  gtk_list_box_append (self->list, row);
  self->checks->pdata[i] = check;
}

/* Group by group, in the order in which they come first. */
static void
add_rows (ChoiceList *self)
{
  const fv_choice *choices = self->param->choices;
  guint n = count_choices (self->param);
  g_ptr_array_set_size (self->checks, (int) n);
  for (guint first = 0; first < n; first++)
    for (guint i = first; i < n; i++)
      if (!self->checks->pdata[i] && same_group (&choices[first], &choices[i]))
        add_row (self, i);
}

/* ---- The widget ---- */

static GtkWidget *
make_foot (ChoiceList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *count = make_label (NULL, "dim-label");
  self->count = GTK_LABEL (count);
  gtk_widget_add_css_class (count, "numeric");
  gtk_widget_set_hexpand (count, TRUE);
  gtk_box_append (GTK_BOX (box), count);
  gtk_box_append (GTK_BOX (box),
                  button_with_text (_ ("_All"), _ ("Select all that the search shows"), G_CALLBACK (choose_all), self));
  gtk_box_append (GTK_BOX (box), button_with_text (_ ("_None"), _ ("Deselect all that the search shows"),
                                                   G_CALLBACK (choose_none), self));
  gtk_box_append (GTK_BOX (box), button_with_text (_ ("_Default"), _ ("Restore the default selection"),
                                                   G_CALLBACK (choose_default), self));
  return box;
}

static void
choice_list_finalize (GObject *object)
{
  g_ptr_array_unref (FOVEA_CHOICE_LIST (object)->checks);
  G_OBJECT_CLASS (choice_list_parent_class)->finalize (object);
}

static void
choice_list_class_init (ChoiceListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = choice_list_finalize;
}

static void
choice_list_init (ChoiceList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *nothing = make_label (_ ("Nothing has that name."), "dim-label");
  self->checks = g_ptr_array_new ();
  self->search = gtk_search_entry_new ();
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  self->fault = GTK_LABEL (make_label (NULL, "error"));
  gtk_label_set_max_width_chars (self->fault, 50);
  gtk_widget_set_visible (GTK_WIDGET (self->fault), FALSE);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (self->list, matches, self, NULL);
  gtk_list_box_set_header_func (self->list, add_header, self, NULL);
  gtk_list_box_set_placeholder (self->list, nothing);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Search"), -1);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (toggle_first), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (on_escape), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (toggle), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), self->search);
  gtk_box_append (GTK_BOX (self), scroller);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->fault));
  gtk_box_append (GTK_BOX (self), make_foot (self));
}

static GtkWidget *
make_list (const ParamSource *source, const fv_param *param)
{
  ChoiceList *self = g_object_new (CHOICE_LIST_TYPE, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6, NULL);
  self->source = source;
  self->param = param;
  add_rows (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words_shown (param->label), -1);
  choice_list_refresh (self);
  return GTK_WIDGET (self);
}

/* The height of the window above this widget or below it, whichever is more: a popover that fits neither is not shown by GTK 4.18. */
static int
room_beside (GtkWidget *near)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (near));
  double x, y;
  gtk_widget_translate_coordinates (near, window, 0, 0, &x, &y);
  return (int) MAX (y, gtk_widget_get_height (window) - y - gtk_widget_get_height (near));
}

GtkWidget *
choice_list_popover_new (const ParamSource *source, const fv_param *param, GtkWidget *near)
{
  GtkWidget *popover = gtk_popover_new (), *list = make_list (source, param);
  gtk_widget_set_size_request (list, 440, CLAMP (room_beside (near) - 60, 140, 520));
  gtk_popover_set_child (GTK_POPOVER (popover), list);
  return popover;
}
