/* SPDX-License-Identifier: MIT
 */
#include "ui/form/param_entry.h"

#include "core/base/text.h"
#include "core/recipe/derived.h"
#include "ui/form/param_slider.h"
#include "ui/view/shown_value.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* One for each axis counts, too: mostly all of them are the same. */
static gboolean
is_number (const fv_param *p)
{
  return p->type == FV_FLOAT || p->type == FV_INT || p->type == FV_AXES;
}

/* 0 means that the program chooses. */
static gboolean
is_automatic (const ParamRow *row)
{
  const fv_param *p = row->param;
  return row->source->automatic && is_number (p) && p->def == 0 && p->min == 0 && !p->ordinal;
}

/* What an empty entry means: no limit, or automatic; NULL: nothing. */
static char *
empty_value (const ParamRow *row)
{
  return isinf (row->param->def) ? text_from_number (row->param->def) : is_automatic (row) ? g_strdup ("0") : NULL;
}

static void
on_entry (ParamRow *row, GtkEditable *entry)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (entry)), *empty = empty_value (row);
  if (!row->source->verbatim)
    g_strstrip (text);
  g_autofree char *value = shown_to_value (row->param, text);
  param_row_set (row, !*text && empty ? empty : value);
}

static void
show_text (ParamRow *row, GtkEditable *entry, const char *text)
{
  row->filling = TRUE;
  if (strcmp (text, gtk_editable_get_text (entry)))
    gtk_editable_set_text (entry, text);
  row->filling = FALSE;
}

/* With as few digits as a hand can set. */
static void
on_slider (ParamRow *row, double number)
{
  g_autofree char *text = g_strdup_printf ("%.6g", number), *shown = shown_from_value (row->param, text);
  show_text (row, GTK_EDITABLE (row->control), isinf (number) ? "" : shown);
  param_row_set_number (row, number);
}

static void
add_slider (ParamRow *row)
{
  GtkWidget *slider = param_slider_new (row->source, row->param);
  if (!slider)
    return;
  gtk_widget_set_tooltip_text (slider, param_row_words (row, row->param->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  param_row_words (row, row->param->label), -1);
  gtk_box_append (GTK_BOX (row->line), slider);
  g_signal_connect_object (slider, "moved", G_CALLBACK (on_slider), row, G_CONNECT_SWAPPED);
}

/* ---- Numbers of earlier steps ---- */

static void
on_found (GSimpleAction *action, GVariant *text, gpointer data)
{
  const ParamRow *row = data;
  (void) action;
  gtk_editable_set_text (GTK_EDITABLE (row->control), g_variant_get_string (text, NULL));
}

static void
add_actions (ParamRow *row, GtkWidget *entry)
{
  static const GActionEntry entries[] = {{.name = "use", .activate = on_found, .parameter_type = "s"}};
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), row);
  gtk_widget_insert_action_group (entry, "found", G_ACTION_GROUP (group));
}

static void
add_use (GMenu *menu, const char *label, const char *text)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, "found.use", "s", text);
  g_menu_append_item (menu, item);
}

/* In the menu of the entry: numbers that can be used, and the one that a computed value came to. */
static void
offer_found (ParamRow *row, gboolean is)
{
  const ParamSource *source = row->source;
  g_auto (GStrv) found = source->found ? source->found (source->self, row->param) : NULL;
  g_autofree char *number = is || !source->computed ? NULL : source->computed (source->self, row->param);
  g_autoptr (GMenu) menu = g_menu_new (), list = g_menu_new ();
  for (char **text = found; text && *text; text++)
    add_use (list, *text, *text);
  if (g_menu_model_get_n_items (G_MENU_MODEL (list)))
    g_menu_append_submenu (menu, _ ("Use a Found Number"), G_MENU_MODEL (list));
  if (number && !strstr (number, "…")) {
    g_autofree char *label = g_strdup_printf (_ ("Use the Number %s"), number);
    add_use (menu, label, number);
  }
  gtk_entry_set_extra_menu (GTK_ENTRY (row->control),
                            g_menu_model_get_n_items (G_MENU_MODEL (menu)) ? G_MENU_MODEL (menu) : NULL);
}

static GtkWidget *
make (ParamRow *row)
{
  GtkWidget *entry = gtk_entry_new ();
  const gboolean number = is_number (row->param);
  if (number)
    add_slider (row);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), number ? 7 : 12);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), number ? 7 : 40);
  gtk_widget_set_hexpand (entry, !number);
  gtk_editable_set_alignment (GTK_EDITABLE (entry), number ? 1 : 0);
  if (row->param->open)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("no limit"));
  else if (is_automatic (row))
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), row->source->automatic);
  if (row->source->found && number)
    add_actions (row, entry);
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_entry), row, G_CONNECT_SWAPPED);
  return entry;
}

/* Whether the text is arithmetic on numbers of earlier steps. */
static gboolean
is_computed (const ParamRow *row, const char *text)
{
  return row->source->found && is_number (row->param) && derived_is (text);
}

/* A computed value takes the width of the slider, which cannot show it. */
static void
show_kind (ParamRow *row, gboolean is)
{
  GtkWidget *slider = gtk_widget_get_prev_sibling (row->control);
  if (FOVEA_IS_PARAM_SLIDER (slider))
    gtk_widget_set_visible (slider, is);
  gtk_widget_set_hexpand (row->control, !is);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (row->control), is ? 7 : 40);
  offer_found (row, is);
}

/* The text stays while the user types in it. */
static void
fill (ParamRow *row, const char *value)
{
  GtkWidget *slider = gtk_widget_get_prev_sibling (row->control);
  double number;
  const gboolean is = text_to_number_or_infinity (value, &number);
  if (is && FOVEA_IS_PARAM_SLIDER (slider))
    param_slider_show (FOVEA_PARAM_SLIDER (slider), number);
  if (row->source->found && is_number (row->param))
    show_kind (row, !is_computed (row, value));
  if (gtk_widget_get_state_flags (row->control) & GTK_STATE_FLAG_FOCUS_WITHIN)
    return;
  const gboolean empty = is && (isinf (number) || (is_automatic (row) && number == 0));
  g_autofree char *text = empty ? g_strdup ("") : shown_from_value (row->param, value);
  show_text (row, GTK_EDITABLE (row->control), text);
}

const ParamKind param_entry_kind = {make, fill, NULL, NULL};
