/* SPDX-License-Identifier: MIT
 */
#include "ui/several/param_choice.h"

#include "ui/widgets/naming.h"
#include "ui/widgets/narrow_choice.h"
#include "ui/widgets/words.h"

GtkWidget *
param_choice_new (const fv_param *param, GCallback changed, gpointer object)
{
  GtkWidget *choice;
  if (param->choices) {
    GtkStringList *texts = gtk_string_list_new (NULL);
    for (const fv_choice *c = param->choices; c->key; c++)
      gtk_string_list_append (texts, words_shown (c->label));
    choice = narrow_choice_new (texts);
    naming_set (choice, words_shown (param->label));
  } else
    choice = gtk_check_button_new_with_label (words_shown (param->label));
  gtk_widget_set_tooltip_text (choice, words_shown (param->help));
  g_signal_connect_object (choice, param->choices ? "notify::selected" : "toggled", changed, object, G_CONNECT_SWAPPED);
  return choice;
}

const char *
param_choice_value (GtkWidget *choice, const fv_param *param)
{
  return param->choices ? param->choices[gtk_drop_down_get_selected (GTK_DROP_DOWN (choice))].key
         : gtk_check_button_get_active (GTK_CHECK_BUTTON (choice)) ? "yes"
                                                                   : "no";
}
