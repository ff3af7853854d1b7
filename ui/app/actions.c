/* SPDX-License-Identifier: MIT
 *
 * Each action works on the front page. Failures are shown in the window, never in a modal dialog.
 */
#include "ui/app/actions.h"

#include "core/ops/native.h"
#include "ui/app/closing.h"
#include "ui/app/help.h"
#include "ui/app/image_actions.h"
#include "ui/app/manual.h"
#include "ui/app/save_operation.h"
#include "ui/app/selection_actions.h"
#include "ui/app/step_actions.h"
#include "ui/app/steps_file.h"
#include "ui/batch/window.h"
#include "ui/devices/compare_devices.h"
#include "ui/folder/plate_window.h"
#include "ui/folder/sequence.h"
#include "ui/folder/window.h"
#include "ui/models/window.h"
#include "ui/several/dialogs.h"
#include "ui/shell/native_dialog.h"
#include "ui/steps/new_step.h"
#include "ui/steps/of_selection.h"
#include "ui/steps/recipes.h"
#include "ui/steps/restrict.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- Steps ---- */

static void
add_step (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  View *view = page_view (page);
  const Selection *selection = selections_current (page_selections (page));
  const gboolean area = selection && selection_is_area (selection);
  const char *step = g_variant_get_string (parameter, NULL);
  g_autofree char *note = NULL, *of = step_of_selection (view, shell_modules (shell), step, selection);
  const Op *op = modules_op (shell_modules (shell), step, NULL);
  g_autoptr (GError) error = NULL;
  (void) action;
  if (several_dialog_show (shell, step))
    return;
  if (op && op_has_trait (op, FV_EDITS_LABELS)) { /* by hand, not by typing commands */
    g_action_group_activate_action (G_ACTION_GROUP (shell), "tool",
                                    g_variant_new_string (tool_infos[TOOL_OBJECTS].name));
    gtk_widget_grab_focus (GTK_WIDGET (page_canvas (page)));
    return;
  }
  if (area && !strcmp (step, "keep"))
    restrict_to_selection (view, selection, &error);
  else
    new_step_add (view, shell_modules (shell), of ? of : step, &note, &error);
  if (of && op->n_outputs && op_has_trait (op, FV_TAKES_BOX) && !error) /* its index has changed */
    selections_set_current (page_selections (page), NULL);
  if (note)
    shell_say (shell, GTK_MESSAGE_INFO, note);
  shell_say_error (shell, error);
}

/* The whole list of steps as text, as in `fovea run`. */
static void
set_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action;
  document_set_steps (shell_document (shell), g_variant_get_string (parameter, NULL), NULL, &error);
  shell_say_error (shell, error);
}

static void
undo (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  document_undo (shell_document (shell));
}

static void
redo (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  document_redo (shell_document (shell));
}

static void
copy_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (shell), document_text (shell_document (shell)));
}

static void
pasted (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (Shell) shell = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  if (text && shell_document (shell))
    document_set_steps (shell_document (shell), g_strstrip (text), NULL, &error);
  shell_say_error (shell, error);
}

static void
paste_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (shell), NULL, pasted, g_object_ref (shell));
}

/* folder: where the dialog begins, or NULL. */
static void
ask_where_to_save (Shell *shell, const char *folder)
{
  g_autoptr (GPtrArray) documents = g_ptr_array_new ();
  g_ptr_array_add (documents, shell_document (shell));
  steps_file_save (shell, documents, folder, NULL, NULL);
}

static void
save_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  ask_where_to_save (shell, NULL);
}

static void
save_recipe (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autofree char *folder = recipes_folder ();
  (void) action, (void) parameter;
  g_mkdir_with_parents (folder, 0700);
  ask_where_to_save (shell, folder);
}

static void
take_recipe (GSimpleAction *action, GVariant *path, gpointer shell)
{
  (void) action;
  steps_file_begin (shell, shell_document (shell), g_variant_get_bytestring (path));
}

static void
open_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  steps_file_open (shell, shell_document (shell));
}

static void
show_batch (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  batch_window_show (shell);
}

static void
show_batch_folder (GSimpleAction *action, GVariant *folder, gpointer shell)
{
  (void) action;
  batch_window_show_folder (shell, g_variant_get_bytestring (folder));
}

static void
open_folder (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  folder_window_ask (shell);
}

static void
show_folder (GSimpleAction *action, GVariant *folder, gpointer shell)
{
  (void) action;
  folder_window_show (shell, g_variant_get_bytestring (folder));
  actions_update (shell);
}

static void
open_folder_path (GSimpleAction *action, GVariant *folder, gpointer shell)
{
  (void) action;
  sequence_offer (shell, g_variant_get_bytestring (folder));
}

static void
import_sequence (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  sequence_ask (shell);
}

static void
import_sequence_folder (GSimpleAction *action, GVariant *folder, gpointer shell)
{
  (void) action;
  sequence_show (shell, g_variant_get_bytestring (folder));
}

static void
show_plate (GSimpleAction *action, GVariant *path, gpointer shell)
{
  (void) action;
  plate_window_show (shell, g_variant_get_bytestring (path));
}

static void
open_next (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  folder_window_move (shell, 1);
}

static void
open_previous (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  folder_window_move (shell, -1);
}

static void
ask_code (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  native_dialog_ask_document (shell, shell_document (shell));
}

static void
forget_code (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  const Modules *modules = shell_modules (shell);
  guint n = native_kept (modules);
  g_autofree char *said =
    n == 0   ? g_strdup (_ ("No code is remembered as allowed."))
    : n == 1 ? g_strdup (_ ("The permission of this code is removed: it asks again before it runs."))
             : g_strdup_printf (_ ("Forgot %u remembered permissions: that code asks again before it runs."), n);
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  if (native_forget (modules, &error))
    shell_say (shell, GTK_MESSAGE_INFO, said);
  else
    shell_say (shell, GTK_MESSAGE_ERROR, error->message);
}

/* ---- Looking ---- */

static void
compare (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  View *view = page_view (shell_page (shell));
  (void) action, (void) parameter;
  view_set_compare (view, !view_compare (view));
}

static void
zoom_in (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  canvas_zoom_by (page_canvas (shell_page (shell)), 1.5);
}

static void
zoom_out (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  canvas_zoom_by (page_canvas (shell_page (shell)), 1 / 1.5);
}

static void
zoom_100 (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  canvas_set_zoom (page_canvas (shell_page (shell)), 1);
}

static void
zoom_fit (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  canvas_fit (page_canvas (shell_page (shell)));
}

static void
zoom_object (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  canvas_zoom_to_object (page_canvas (shell_page (shell)));
}

static void
show_row (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_show_results (shell_page (shell));
}

static void
full_screen (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  if (gtk_window_is_fullscreen (shell))
    gtk_window_unfullscreen (shell);
  else
    gtk_window_fullscreen (shell);
}

/* Moves through the image: "c-", "z+", "t+"; "-" and "+" move along the first axis of channels, slices and frames
 * that has more than one. */
static void
move_position (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  const char *where = g_variant_get_string (parameter, NULL);
  View *view = page_view (shell_page (shell));
  const ImageInfo *info = image_info (view_image (view));
  gint64 by = where[strlen (where) - 1] == '-' ? -1 : 1;
  char axis = where[1] ? *where : info->channels > 1 ? 'c' : info->depth > 1 ? 'z' : 't';
  (void) action;
  if (axis == 'z' && info->depth == 1)
    axis = 't';
  view_set_position (view, view_channel (view) + (axis == 'c' ? by : 0), view_slice (view) + (axis == 'z' ? by : 0),
                     view_frame (view) + (axis == 't' ? by : 0));
}

static void
remove_others (GObject *page)
{
  Shell *shell = FOVEA_SHELL (gtk_widget_get_root (GTK_WIDGET (page)));
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  for (guint i = 0; i < documents->len; i++)
    if (documents->pdata[i] != view_document (page_view (FOVEA_PAGE (page))))
      shell_remove (shell, shell_page_of (shell, documents->pdata[i]));
}

static void
close_others (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  (void) action, (void) parameter;
  g_ptr_array_remove (documents, shell_document (shell));
  closing_ask (shell, documents, remove_others, G_OBJECT (shell_page (shell)));
}

static void
save_operation (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  save_operation_show (shell);
}

/* ---- Help ---- */

static void
show_help_page (GtkWindow *shell, const Op *op)
{
  help_page_show (shell, shell_modules (FOVEA_SHELL (shell)), op ? op->fv.key : NULL);
}

/* The manual at the named operation, or that of the selected step; without either, its first page. */
static void
show_help (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  const char *key = g_variant_get_string (parameter, NULL);
  Page *page = shell_page (shell);
  int index = page ? view_index (page_view (page)) : -1;
  const Op *op = NULL;
  (void) action;
  if (*key)
    op = modules_op (shell_modules (shell), key, NULL);
  else if (index >= 0)
    op = recipe_step (document_recipe (shell_document (shell)), (guint) index)->op;
  manual_open (GTK_WINDOW (shell), op, show_help_page);
}

static void
show_manual (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  manual_open (GTK_WINDOW (shell), NULL, show_help_page);
}

static void
show_operations (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  show_help_page (GTK_WINDOW (shell), NULL);
}

static void
compare_devices (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  compare_devices_show (shell, (Modules *) shell_modules (shell), page_view (shell_page (shell)));
}

static void
show_models (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  models_window_show (shell, shell_modules (shell));
}

/* ---- All ---- */

static const GActionEntry entries[] = {
  {.name = "add-step", .activate = add_step, .parameter_type = "s"},
  {.name = "set-steps", .activate = set_steps, .parameter_type = "s"},
  {.name = "undo", .activate = undo},
  {.name = "redo", .activate = redo},
  {.name = "copy-steps", .activate = copy_steps},
  {.name = "paste-steps", .activate = paste_steps},
  {.name = "batch", .activate = show_batch},
  {.name = "batch-folder", .activate = show_batch_folder, .parameter_type = "ay"},
  {.name = "open-folder", .activate = open_folder},
  {.name = "open-folder-path", .activate = open_folder_path, .parameter_type = "ay"},
  {.name = "import-sequence", .activate = import_sequence},
  {.name = "import-sequence-folder", .activate = import_sequence_folder, .parameter_type = "ay"},
  {.name = "show-folder", .activate = show_folder, .parameter_type = "ay"},
  {.name = "show-plate", .activate = show_plate, .parameter_type = "ay"},
  {.name = "open-next", .activate = open_next},
  {.name = "open-previous", .activate = open_previous},
  {.name = "ask-code", .activate = ask_code},
  {.name = "forget-code", .activate = forget_code},
  {.name = "compare", .activate = compare},
  {.name = "compare-devices", .activate = compare_devices},
  {.name = "models", .activate = show_models},
  {.name = "zoom-in", .activate = zoom_in},
  {.name = "zoom-out", .activate = zoom_out},
  {.name = "zoom-100", .activate = zoom_100},
  {.name = "zoom-fit", .activate = zoom_fit},
  {.name = "zoom-object", .activate = zoom_object},
  {.name = "show-row", .activate = show_row},
  {.name = "fullscreen", .activate = full_screen},
  {.name = "move-position", .activate = move_position, .parameter_type = "s"},
  {.name = "save-steps", .activate = save_steps},
  {.name = "save-recipe", .activate = save_recipe},
  {.name = "open-steps", .activate = open_steps},
  {.name = "recipe", .activate = take_recipe, .parameter_type = "ay"},
  {.name = "save-operation", .activate = save_operation},
  {.name = "help", .activate = show_help, .parameter_type = "s"},
  {.name = "manual", .activate = show_manual},
  {.name = "operations", .activate = show_operations},
  {.name = "close-others", .activate = close_others},
};

void
actions_add (Shell *shell)
{
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), shell);
  image_actions_add (shell);
  selection_actions_add (shell);
  step_actions_add (shell);
}

void
actions_update (Shell *shell)
{
  static const char *const always[] = {"forget-code",
                                       "fullscreen",
                                       "help",
                                       "manual",
                                       "operations",
                                       "batch-folder",
                                       "open-folder",
                                       "open-folder-path",
                                       "import-sequence",
                                       "import-sequence-folder",
                                       "show-folder",
                                       "show-plate",
                                       NULL};
  const Document *document = shell_document (shell);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    shell_enable (shell, entries[i].name, document || g_strv_contains (always, entries[i].name));
  gboolean steps = document && recipe_length (document_recipe (document)) > 0;
  shell_enable (shell, "batch", steps || batch_window_is_there (shell));
  shell_enable (shell, "open-next", folder_window_is_there (shell));
  shell_enable (shell, "open-previous", folder_window_is_there (shell));
  shell_enable (shell, "compare-devices", steps);
  shell_enable (shell, "save-recipe", steps);
  image_actions_update (shell);
  selection_actions_update (shell);
  step_actions_update (shell);
  if (!document)
    return;
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  const gboolean object = view_object (page_view (shell_page (shell))) != 0;
  shell_enable (shell, "zoom-object", object);
  shell_enable (shell, "show-row", object && view_objects_table (page_view (shell_page (shell))));
  shell_enable (shell, "close-others", documents->len > 1);
  shell_enable (shell, "undo", document_can_undo (document));
  shell_enable (shell, "redo", document_can_redo (document));
}
