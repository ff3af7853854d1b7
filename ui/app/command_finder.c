/* SPDX-License-Identifier: MIT
 *
 * The commands are those of the menu bar: every item that is not a submenu, with the menus above it as its path.
 */
#include "ui/app/command_finder.h"

#include "core/ops/search.h"
#include "ui/app/menus.h"
#include "ui/app/synonyms.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

/* A row of the list carries what it activates. */
typedef struct {
  char *action;
  SearchTexts *texts;
  GVariant *target;
  const char *key; /* of the operation, or NULL */
} Command;

static void
command_free (gpointer data)
{
  Command *c = data;
  g_free (c->action);
  search_texts_free (c->texts);
  if (c->target)
    g_variant_unref (c->target);
  g_free (c);
}

static Command *
command_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "command");
}

static char *
without_mnemonic (const char *label)
{
  GString *s = g_string_new (NULL);
  for (const char *c = label; *c; c++)
    if (*c != '_' || *++c) /* "__" is an underscore */
      g_string_append_c (s, *c);
  return g_string_free (s, FALSE);
}

static void
add_row (GtkListBox *list, const char *menu_path, const char *label, const Op *op, Command *command)
{
  const char *help = op ? words_shown (op->fv.help) : NULL;
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (label), *where = gtk_label_new (menu_path);
  g_autofree char *more = g_strjoin (" ", menu_path, op ? op->fv.label : "", help, NULL);
  command->key = op ? op->fv.key : NULL;
  command->texts = search_texts_new (command->key, label, op ? op->fv.search : synonyms_of (command->action), more);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (where, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), where);
  gtk_widget_set_tooltip_text (row, help);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "command", command, command_free);
  gtk_list_box_append (list, row);
}

/* The operation that an item adds, or NULL. */
static const Op *
op_of (const Modules *modules, const Command *command)
{
  return strcmp (command->action, "win.add-step")
           ? NULL
           : modules_op ((Modules *) modules, g_variant_get_string (command->target, NULL), NULL);
}

static void
add_menu (GtkListBox *list, GMenuModel *menu, const char *menu_path, const Modules *modules)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *label = NULL, *action = NULL;
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
    if (section)
      add_menu (list, section, menu_path, modules);
    if (below) {
      g_autofree char *deeper = *menu_path ? g_strconcat (menu_path, " ▸ ", label, NULL) : g_strdup (label);
      add_menu (list, below, deeper, modules);
    }
    if (!g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
      continue;
    Command *command = g_new0 (Command, 1);
    g_autofree char *plain = without_mnemonic (label);
    command->action = g_steal_pointer (&action);
    command->target = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    add_row (list, menu_path, plain, op_of (modules, command), command);
  }
}

/* ---- Searching and choosing ---- */

static gboolean
matches (GtkListBoxRow *row, gpointer entry)
{
  return search_texts_rank (command_of (row)->texts, gtk_editable_get_text (GTK_EDITABLE (entry))) != SEARCH_NOWHERE;
}

/* Operations with this key; those with the text in their name; those with it among their search words; other operations; then the rest, and all
 * macros that it would only open, such as the examples. */
static int
rank (GtkListBoxRow *row, gpointer entry)
{
  const Command *c = command_of (row);
  const SearchRank found = search_texts_rank (c->texts, gtk_editable_get_text (GTK_EDITABLE (entry)));
  if (!strcmp (c->action, "win.open-macro-file"))
    return 0;
  return found > SEARCH_TEXT ? (int) found : c->key ? SEARCH_TEXT : SEARCH_NOWHERE;
}

static int
compare (GtkListBoxRow *a, GtkListBoxRow *b, gpointer entry)
{
  return rank (b, entry) - rank (a, entry);
}

static GtkListBoxRow *
first_visible (GtkListBox *list)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)); i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

static void
on_search (GtkListBox *list)
{
  gtk_list_box_invalidate_filter (list);
  gtk_list_box_invalidate_sort (list);
  gtk_list_box_select_row (list, first_visible (list));
}

static void
on_chosen (GtkListBox *list, GtkListBoxRow *row)
{
  GtkWindow *finder = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (list)));
  GtkWidget *window = GTK_WIDGET (gtk_window_get_transient_for (finder));
  const Command *command = command_of (row);
  g_autofree char *action = g_strdup (command->action);
  g_autoptr (GVariant) target = command->target ? g_variant_ref (command->target) : NULL;
  gtk_window_destroy (finder);
  gtk_widget_activate_action_variant (window, action, target);
}

/* The page of the operation, instead of the finder. */
static void
show_help (GtkListBox *list)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
  GtkWindow *finder = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (list)));
  GtkWidget *window = GTK_WIDGET (gtk_window_get_transient_for (finder));
  const char *key = row ? command_of (row)->key : NULL;
  if (!key)
    return;
  gtk_window_destroy (finder);
  gtk_widget_activate_action (window, "win.help", "s", key);
}

static gboolean
on_help_key (GtkWidget *finder, GVariant *arguments, gpointer list)
{
  (void) finder, (void) arguments;
  show_help (list);
  return TRUE;
}

static void
add_help_keys (GtkWidget *finder, GtkListBox *list)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("<Control>Return|<Control>KP_Enter|F1"),
                      gtk_callback_action_new (on_help_key, list, NULL)));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (finder, keys);
}

static void
on_return (GtkListBox *list)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
  if (row)
    on_chosen (list, row);
}

static void
on_escape (GtkWidget *entry)
{
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (entry)));
}

/* Shown instead of the list when the list is empty. */
static GtkWidget *
make_nothing (void)
{
  GtkWidget *nothing =
    gtk_label_new (_ ("Nothing found. Try another word, such as blur, threshold, count, measure or save."));
  gtk_label_set_wrap (GTK_LABEL (nothing), TRUE);
  gtk_widget_set_margin_top (nothing, 24);
  return nothing;
}

static GtkWidget *
make_hint (void)
{
  GtkWidget *hint = gtk_label_new (_ ("Enter: run   Ctrl+Enter: show help"));
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (hint, "caption");
  gtk_widget_set_margin_start (hint, 8);
  gtk_widget_set_margin_bottom (hint, 6);
  return hint;
}

void
command_finder_show (GtkWindow *window, const Modules *modules)
{
  GtkWidget *finder = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *entry = gtk_search_entry_new (), *scroller = gtk_scrolled_window_new (), *list = gtk_list_box_new ();
  add_menu (GTK_LIST_BOX (list), gtk_application_get_menubar (gtk_window_get_application (window)), "", modules);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (list), compare, entry, NULL);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (list), matches, entry, NULL);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (list), make_nothing ());
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Commands"), -1);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), make_hint ());
  gtk_window_set_child (GTK_WINDOW (finder), box);
  add_help_keys (finder, GTK_LIST_BOX (list));
  gtk_window_set_title (GTK_WINDOW (finder), _ ("Find a Command"));
  gtk_window_set_default_size (GTK_WINDOW (finder), 460, 420);
  gtk_window_set_transient_for (GTK_WINDOW (finder), window);
  gtk_window_set_modal (GTK_WINDOW (finder), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (finder), TRUE);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (on_search), list);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (on_return), list);
  g_signal_connect (entry, "stop-search", G_CALLBACK (on_escape), NULL);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_chosen), NULL);
  gtk_window_present (GTK_WINDOW (finder));
  gtk_widget_grab_focus (entry);
}
