/* SPDX-License-Identifier: MIT
 */
#include "ui/form/param_entry.h"

#include "core/base/text.h"
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
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_entry), row, G_CONNECT_SWAPPED);
  return entry;
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
  if (gtk_widget_get_state_flags (row->control) & GTK_STATE_FLAG_FOCUS_WITHIN)
    return;
  const gboolean empty = is && (isinf (number) || (is_automatic (row) && number == 0));
  g_autofree char *text = empty ? g_strdup ("") : shown_from_value (row->param, value);
  show_text (row, GTK_EDITABLE (row->control), text);
}

const ParamKind param_entry_kind = {make, fill, NULL};
