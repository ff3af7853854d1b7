/* SPDX-License-Identifier: MIT
 */
#include "ui/form/model_entry.h"

#include "core/ops/models.h"
#include "ui/form/param_entry.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>

static GtkWidget *
make (ParamRow *row)
{
  return param_entry_kind.make (row);
}

static void
fill (ParamRow *row, const char *value)
{
  param_entry_kind.fill (row, value);
}

static void
on_use (GSimpleAction *action, GVariant *name, gpointer data)
{
  const ParamRow *row = data;
  (void) action;
  gtk_editable_set_text (GTK_EDITABLE (row->control), g_variant_get_string (name, NULL));
}

/* As they are when it is opened. */
static void
open_menu (GtkMenuButton *button, gpointer data)
{
  const ParamRow *row = data;
  g_autoptr (GPtrArray) models = models_list (NULL, row->param->models);
  g_autoptr (GMenu) menu = g_menu_new (), names = g_menu_new (), more = g_menu_new ();
  for (guint i = 0; i < models->len; i++) {
    const Model *model = models->pdata[i];
    g_autoptr (GMenuItem) item = g_menu_item_new (model->name, NULL);
    g_menu_item_set_action_and_target (item, "model.use", "s", model->name);
    g_menu_append_item (names, item);
  }
  g_menu_append (more, _ ("_Models…"), "win.models");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (names));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static GtkWidget *
make_menu (ParamRow *row)
{
  static const GActionEntry entries[] = {{.name = "use", .activate = on_use, .parameter_type = "s"}};
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkWidget *button = gtk_menu_button_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), row);
  gtk_widget_insert_action_group (button, "model", G_ACTION_GROUP (group));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), open_menu, row, NULL);
  gtk_widget_set_tooltip_text (button, _ ("Choose a model, or manage them"));
  naming_set (button, _ ("Models"));
  return button;
}

const ParamKind model_entry_kind = {make, fill, NULL, make_menu};
