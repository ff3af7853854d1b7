/* SPDX-License-Identifier: MIT
 */
#include "ui/form/param_kinds.h"

#include "ui/form/choice_list.h"
#include "ui/form/code_entry.h"
#include "ui/form/model_entry.h"
#include "ui/form/param_entry.h"
#include "ui/view/shown_value.h"
#include "ui/widgets/narrow_choice.h"

#include <stdio.h>
#include <string.h>

enum { CODE_BYTES = 1024 }; /* a text with more room has lines */

/* ---- On or off ---- */

static void
on_check (ParamRow *row, GtkCheckButton *check)
{
  param_row_set (row, gtk_check_button_get_active (check) ? "yes" : "no");
}

static GtkWidget *
make_check (ParamRow *row)
{
  GtkWidget *check = gtk_check_button_new_with_label (param_row_words (row, row->param->label));
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_check), row, G_CONNECT_SWAPPED);
  return check;
}

static void
fill_check (ParamRow *row, const char *value)
{
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row->control), !strcmp (value, "yes"));
}

static const ParamKind check_kind = {make_check, fill_check, NULL, NULL};

/* ---- One of some ---- */

static void
on_choice (ParamRow *row, GParamSpec *property, GtkDropDown *choice)
{
  guint i = gtk_drop_down_get_selected (choice);
  (void) property;
  if (i != GTK_INVALID_LIST_POSITION)
    param_row_set (row, row->param->choices[i].key);
}

static GtkWidget *
make_choice (ParamRow *row)
{
  GtkStringList *labels = gtk_string_list_new (NULL);
  for (const fv_choice *c = row->param->choices; c->key; c++)
    gtk_string_list_append (labels, param_row_words (row, c->label));
  GtkWidget *choice = narrow_choice_new (labels);
  gtk_widget_set_hexpand (choice, TRUE);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (on_choice), row, G_CONNECT_SWAPPED);
  return choice;
}

static void
fill_choice (ParamRow *row, const char *value)
{
  for (guint i = 0; row->param->choices[i].key; i++)
    if (!strcmp (row->param->choices[i].key, value))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (row->control), i);
}

static const ParamKind choice_kind = {make_choice, fill_choice, NULL, NULL};

/* ---- Any of some ---- */

static void
open_set (GtkMenuButton *button, gpointer data)
{
  const ParamRow *row = data;
  gtk_menu_button_set_popover (button, choice_list_popover_new (row->source, row->param, GTK_WIDGET (button)));
}

static GtkWidget *
make_set (ParamRow *row)
{
  GtkWidget *button = gtk_menu_button_new ();
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), open_set, row, NULL);
  gtk_widget_set_hexpand (button, TRUE);
  return button;
}

/* The list, when it has been opened. */
static void
refresh_list (const ParamRow *row)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (row->control));
  if (popover)
    choice_list_refresh (FOVEA_CHOICE_LIST (gtk_popover_get_child (popover)));
}

static void
fill_set (ParamRow *row, const char *value)
{
  g_autofree char *summary = shown_set (row->param, value);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (row->control), summary);
  refresh_list (row);
}

static void
mark_set (ParamRow *row, const char *fault)
{
  (void) fault;
  refresh_list (row);
}

static const ParamKind set_kind = {make_set, fill_set, mark_set, NULL};

/* ---- Lines of code ---- */

static void
on_code (ParamRow *row, CodeEntry *entry)
{
  g_autofree char *text = code_entry_text (entry);
  param_row_set (row, text);
}

static GtkWidget *
make_code (ParamRow *row)
{
  GtkWidget *entry = code_entry_new (param_row_words (row, row->param->label));
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_code), row, G_CONNECT_SWAPPED);
  return entry;
}

static void
fill_code (ParamRow *row, const char *value)
{
  if (!(gtk_widget_get_state_flags (row->control) & GTK_STATE_FLAG_FOCUS_WITHIN))
    code_entry_set_text (FOVEA_CODE_ENTRY (row->control), value);
}

/* Where the compiler found fault with this text, "line 2, column 7: ..." */
static void
mark_code (ParamRow *row, const char *fault)
{
  int line = 0, column = 0;
  const char *at = fault ? strstr (fault, "line ") : NULL;
  if (at && sscanf (at, "line %d, column %d:", &line, &column) < 1)
    line = 0;
  code_entry_mark (FOVEA_CODE_ENTRY (row->control), line, column);
}

static const ParamKind code_kind = {make_code, fill_code, mark_code, NULL};

const ParamKind *
param_kind (const ParamSource *source, const fv_param *param)
{
  const gboolean code = source->code && param->type == FV_TEXT && param->capacity > CODE_BYTES;
  return param->type == FV_BOOL  ? &check_kind
         : param->type == FV_SET ? &set_kind
         : param->choices        ? &choice_kind
         : param->models         ? &model_entry_kind
         : code                  ? &code_kind
                                 : &param_entry_kind;
}
