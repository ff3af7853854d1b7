/* SPDX-License-Identifier: MIT
 */
#include "ui/app/step_actions.h"

#include "ui/steps/step_commands.h"

#include <glib/gi18n.h>

static View *
view_of (gpointer shell)
{
  return page_view (shell_page (shell));
}

static void
move_up (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  step_command_move (view_of (shell), -1, &error);
  shell_say_error (shell, error);
}

static void
move_down (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  step_command_move (view_of (shell), 1, &error);
  shell_say_error (shell, error);
}

static void delete (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  step_command_delete (view_of (shell), &error);
  shell_say_error (shell, error);
}

static void
duplicate (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  step_command_duplicate (view_of (shell), &error);
  shell_say_error (shell, error);
}

static void
reset (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  step_command_reset (view_of (shell), &error);
  shell_say_error (shell, error);
}

static void
skip (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  step_command_skip (view_of (shell), !step_command_step (view_of (shell))->skipped);
}

/* key: "" for where the others run. */
static void
set_device (GSimpleAction *action, GVariant *key, gpointer shell)
{
  View *view = view_of (shell);
  g_autoptr (GError) error = NULL;
  (void) action;
  document_set_value (view_document (view), (guint) view_index (view), "device", g_variant_get_string (key, NULL),
                      &error);
  shell_say_error (shell, error);
}

static void
copy (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autofree char *text = step_format (step_command_step (view_of (shell)));
  (void) action, (void) parameter;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (shell), text);
}

static const GActionEntry entries[] = {
  {.name = "skip-step", .activate = skip, .state = "false"},
  {.name = "step-device", .activate = set_device, .parameter_type = "s", .state = "''"},
  {.name = "reset-step", .activate = reset},
  {.name = "duplicate-step", .activate = duplicate},
  {.name = "copy-step", .activate = copy},
  {.name = "step-up", .activate = move_up},
  {.name = "step-down", .activate = move_down},
  {.name = "delete-step", .activate = delete},
};

void
step_actions_add (Shell *shell)
{
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), shell);
}

static void
add_device (GMenu *menu, const char *label, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, "win.step-device", "s", key);
  g_menu_append_item (menu, item);
}

GMenuModel *
step_actions_devices (Shell *shell)
{
  GMenu *menu = g_menu_new ();
  const GPtrArray *devices = modules_devices (shell_modules (shell));
  add_device (menu, _ ("Where the Others Run"), "");
  add_device (menu, _ ("Automatic"), "auto");
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (!fv->fault)
      add_device (menu, fv->key, fv->key);
  }
  return G_MENU_MODEL (menu);
}

void
step_actions_update (Shell *shell)
{
  const View *view = shell_page (shell) ? view_of (shell) : NULL;
  const Step *step = view ? step_command_step (view) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    shell_enable (shell, entries[i].name, step != NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (shell), "skip-step")),
                             g_variant_new_boolean (step && step->skipped));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (shell), "step-device")),
                             g_variant_new_string (step && step->device ? step->device : ""));
  if (!step)
    return;
  shell_enable (shell, "reset-step", step->op->n_params > 0);
  shell_enable (shell, "step-up", step_command_can_move (view, -1));
  shell_enable (shell, "step-down", step_command_can_move (view, 1));
}
