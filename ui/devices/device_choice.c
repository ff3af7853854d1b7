/* SPDX-License-Identifier: MIT
 *
 * GPUs are found after the window is there: until then, one that is asked for is believed.
 */
#include "ui/devices/device_choice.h"

#include "ui/devices/gpus.h"
#include "ui/widgets/naming.h"

#include <glib/gi18n.h>
#include <string.h>

static Modules *
modules_of (GtkDropDown *choice)
{
  return g_object_get_data (G_OBJECT (choice), "modules");
}

static GtkStringList *
keys_of (GtkDropDown *choice)
{
  return GTK_STRING_LIST (gtk_drop_down_get_model (choice));
}

static guint
find (GtkDropDown *choice, const char *key)
{
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (choice)), i = 0;
  while (i < n && strcmp (gtk_string_list_get_string (keys_of (choice), i), key))
    i++;
  return i < n ? i : GTK_INVALID_LIST_POSITION;
}

static gboolean
is_usable (Modules *modules, const char *key)
{
  const GPtrArray *devices = modules_devices (modules);
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (!fv->fault && !strcmp (fv->key, key))
      return TRUE;
  }
  return FALSE;
}

/* Adds the devices that are known now, and takes away those that turned out not to be there. */
static void
update (gpointer data)
{
  GtkDropDown *choice = data;
  Modules *modules = modules_of (choice);
  const GPtrArray *devices = modules_devices (modules);
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (!fv->fault && find (choice, fv->key) == GTK_INVALID_LIST_POSITION)
      gtk_string_list_append (keys_of (choice), fv->key);
  }
  for (guint i = g_list_model_get_n_items (gtk_drop_down_get_model (choice)); --i > 0;)
    if (!modules_devices_pending (modules) && !is_usable (modules, gtk_string_list_get_string (keys_of (choice), i))) {
      if (gtk_drop_down_get_selected (choice) == i)
        gtk_drop_down_set_selected (choice, 0);
      gtk_string_list_remove (keys_of (choice), i);
    }
}

const char *
device_choice_key (GtkDropDown *choice)
{
  return gtk_string_list_get_string (keys_of (choice), gtk_drop_down_get_selected (choice));
}

void
device_choice_set (GtkDropDown *choice, const char *key)
{
  if (find (choice, key) == GTK_INVALID_LIST_POSITION && modules_devices_pending (modules_of (choice)))
    gtk_string_list_append (keys_of (choice), key);
  if (find (choice, key) != GTK_INVALID_LIST_POSITION)
    gtk_drop_down_set_selected (choice, find (choice, key));
}

GtkWidget *
device_choice_new (Modules *modules)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings ((const char *[]){"auto", NULL});
  g_object_set_data (G_OBJECT (choice), "modules", modules);
  gtk_widget_set_tooltip_text (choice, _ ("Where steps run"));
  naming_set (choice, _ ("Device"));
  update (choice);
  gpus_when_found (choice, update);
  return choice;
}
