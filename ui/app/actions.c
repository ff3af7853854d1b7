/* SPDX-License-Identifier: MIT
 *
 * Each action works on the page in front. What fails is said in the window, never in a box that blocks it.
 */
#include "ui/app/actions.h"

#include "core/ops/native.h"
#include "ui/app/closing.h"
#include "ui/app/compare_devices.h"
#include "ui/app/help.h"
#include "ui/batch/window.h"
#include "ui/figure/export.h"
#include "ui/app/lut_files.h"
#include "ui/look/image_properties.h"
#include "ui/look/lut_editor.h"
#include "ui/app/save_operation.h"
#include "ui/app/saving.h"
#include "ui/app/step_actions.h"
#include "ui/shell/native_dialog.h"
#include "ui/steps/new_step.h"
#include "ui/steps/of_selection.h"
#include "ui/steps/recipes.h"
#include "ui/steps/restrict.h"
#include "ui/look/set_scale.h"
#include "ui/app/steps_file.h"

#include <glib/gi18n.h>
#include <string.h>

static Document *
document_of (gpointer shell)
{
  Page *page = shell_page (shell);
  return page ? view_document (page_view (page)) : NULL;
}

static void
say (gpointer shell, const GError *error)
{
  if (error)
    shell_say (shell, GTK_MESSAGE_ERROR, error->message);
}

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
  g_autoptr (GError) error = NULL;
  (void) action;
  if (!strcmp (step, "edit")) { /* by hand, not by typing commands */
    g_action_group_activate_action (G_ACTION_GROUP (shell), "tool",
                                    g_variant_new_string (tool_infos[TOOL_OBJECTS].name));
    gtk_widget_grab_focus (GTK_WIDGET (page_canvas (page)));
    return;
  }
  if (area && !strcmp (step, "keep"))
    restrict_to_selection (view, selection, &error);
  else
    new_step_add (view, shell_modules (shell), of ? of : step, &note, &error);
  if (of && !strcmp (step, "crop") && !error) /* its place is another one now */
    selections_set_current (page_selections (page), NULL);
  if (note)
    shell_say (shell, GTK_MESSAGE_INFO, note);
  say (shell, error);
}

/* The whole list of steps as text, as in `fovea run`. */
static void
set_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action;
  document_set_steps (document_of (shell), g_variant_get_string (parameter, NULL), NULL, &error);
  say (shell, error);
}

static void
undo (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  document_undo (document_of (shell));
}

static void
redo (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  document_redo (document_of (shell));
}

static void
copy_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (shell), document_text (document_of (shell)));
}

static void
pasted (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (Shell) shell = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  if (text && document_of (shell))
    document_set_steps (document_of (shell), g_strstrip (text), NULL, &error);
  say (shell, error);
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
  g_ptr_array_add (documents, document_of (shell));
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
  steps_file_begin (shell, document_of (shell), g_variant_get_bytestring (path));
}

static void
open_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  steps_file_open (shell, document_of (shell));
}

static void
show_batch (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  batch_window_show (shell);
}

static void
ask_code (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  native_dialog_ask_document (shell, document_of (shell));
}

static void
forget_code (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  const Modules *modules = shell_modules (shell);
  guint n = native_kept (modules);
  g_autofree char *said =
    n == 0   ? g_strdup (_ ("No code is remembered as allowed."))
    : n == 1 ? g_strdup (_ ("The code that was remembered is forgotten: it asks again before it runs."))
             : g_strdup_printf (_ ("%u remembered codes are forgotten: they ask again before they run."), n);
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

/* Moves through the image: "c-", "z+", "t+"; "-" and "+" go along the first of channels, slices and frames that there are. */
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

/* ---- Selections ---- */

/* The whole plane. */
static Selection *
all_of (const View *view)
{
  const ImageInfo *info = image_info (view_image (view));
  const SelectionPoint corners[2] = {{0, 0}, {(double) info->columns, (double) info->rows}};
  return selection_new (SELECTION_RECTANGLE, 2, corners);
}

static void
select_all (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  (void) action, (void) parameter;
  selections_set_current (page_selections (page), all_of (page_view (page)));
}

static void
select_none (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  selections_set_current (page_selections (shell_page (shell)), NULL);
}

/* With the plane, where there are several. */
static void
keep_selection (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  const View *view = page_view (page);
  const ImageInfo *info = image_info (view_image (view));
  (void) action, (void) parameter;
  if (!selections_current (page_selections (page)) || selections_drawing (page_selections (page))) {
    shell_say (shell, GTK_MESSAGE_INFO, _ ("There is no selection to keep: draw one first."));
    return;
  }
  selections_keep (page_selections (page),
                   info->channels > 1 && !view_composite (view) && info->role != FV_RGB ? view_channel (view) : -1,
                   info->depth > 1 ? view_slice (view) : -1, info->frames > 1 ? view_frame (view) : -1);
  page_show_selections (page);
}

static void
rename_selection (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_rename_selection (shell_page (shell));
}

static void
update_selection (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  selections_update (page_selections (shell_page (shell)));
}

static void
remove_selection (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  selections_remove_chosen (page_selections (shell_page (shell)));
}

static void
restrict_step (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  restrict_to_selection (page_view (page), selections_current (page_selections (page)), &error);
  say (shell, error);
}

static void
show_selections (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_show_selections (shell_page (shell));
}

static void
line_profile (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_toggle_profile (shell_page (shell));
}

/* The current selection, or all when there is none. */
static void
measure (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  const Selection *current = selections_current (page_selections (page));
  GPtrArray *one = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  Selection *s = current ? selection_copy (current) : all_of (page_view (page));
  (void) action, (void) parameter;
  s->channel = s->slice = s->frame = -1; /* what is looked at */
  g_ptr_array_add (one, s);
  measurements_add (page_measurements (page), page_view (page), one, FALSE);
}

static void
measure_list (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  (void) action, (void) parameter;
  if (selections_length (page_selections (page)))
    measurements_add (page_measurements (page), page_view (page), selections_copy_kept (page_selections (page)), TRUE);
  else
    shell_say (shell, GTK_MESSAGE_INFO, _ ("The list of selections is empty: draw one and add it with t."));
}

static void
clear_measurements (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  measurements_clear (page_measurements (shell_page (shell)));
}

static void
save (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  saving_ask (shell, page_view (shell_page (shell)));
}

static void
export_figure (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  figure_export_show (shell);
}

static void
copy_figure (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  figure_copy (shell);
}

/* ---- What the image is ---- */

/* Out of nothing: the form of its first step, which makes it, says how large it is. */
static void
new_image (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  document_set_steps (shell_add (shell, run_nothing (), NULL), "plain width=512 height=512", NULL, &error);
  say (shell, error);
}

/* The same image and steps in a tab of their own, to go on differently there. */
static void
duplicate (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Document *document = document_of (shell), *copy;
  g_autofree char *steps = g_strdup (document_text (document));
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  copy = shell_add (shell, document_source (document), document_path (document));
  document_set_steps (copy, steps, NULL, &error);
  say (shell, error);
}

/* The steps up to the image that is looked at. Free with g_free(). */
static char *
steps_to_here (const View *view, GError **error)
{
  const Recipe *recipe = document_recipe (view_document (view));
  const guint n = (guint) (view_place (view) + 1);
  g_autoptr (Recipe) none = recipe_new (),
                     here = recipe_with_steps (recipe, n, recipe_length (recipe) - n, none, error);
  return here ? recipe_format (here) : NULL;
}

/* Each channel of what is looked at, in a tab of its own. */
static void
split_channels (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  enum { MOST = 16 };
  const View *view = page_view (shell_page (shell));
  Document *document = document_of (shell);
  const gint64 n = image_info (view_image (view))->channels;
  g_autoptr (GError) error = NULL;
  g_autofree char *steps = steps_to_here (view, &error);
  (void) action, (void) parameter;
  if (n < 2 || n > MOST) {
    shell_say (shell, GTK_MESSAGE_INFO,
               n < 2 ? _ ("The image has one channel: there is nothing to split.")
                     : _ ("Split Channels opens a tab for each channel, 16 at most: Channel... takes one."));
    return;
  }
  for (gint64 c = 0; c < n && !error; c++) {
    g_autofree char *text = g_strdup_printf ("%s%schannel index=%" G_GINT64_FORMAT, steps, *steps ? " | " : "", c);
    document_set_steps (shell_add (shell, document_source (document), document_path (document)), text, NULL, &error);
  }
  say (shell, error);
}

static void
copy_path (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autofree char *path = g_filename_display_name (document_path (document_of (shell)));
  (void) action, (void) parameter;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (shell), path);
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
  g_ptr_array_remove (documents, document_of (shell));
  closing_ask (shell, documents, remove_others, G_OBJECT (shell_page (shell)));
}

/* A stack of slices, as one is that does not say what its planes are, and nobody has yet said. */
static gboolean
can_be_frames (const Document *document)
{
  const ImageInfo *info = image_info (document_source (document));
  const Recipe *recipe = document_recipe (document);
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (!strcmp (recipe_step (recipe, i)->op->fv.key, "hyperstack"))
      return FALSE;
  return info->depth > 1 && info->frames == 1;
}

/* A step before all others but the size of a pixel. */
static void
slices_are_frames (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Document *document = document_of (shell);
  const Recipe *recipe = document_recipe (document);
  const gboolean calibrated = recipe_length (recipe) && !strcmp (recipe_step (recipe, 0)->op->fv.key, "calibrate");
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  document_add_step (document, calibrated ? 1 : 0, "hyperstack", &error);
  say (shell, error);
}

static void
show_display (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_show_display (shell_page (shell));
}

static void
open_lut (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  lut_files_open (shell);
}

static void
open_lut_file (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action;
  lut_files_open_path (shell, g_variant_get_bytestring (parameter));
}

static void
edit_lut (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  lut_editor_show (shell, page_view (shell_page (shell)), shell_modules (shell));
}

static void
save_lut (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  lut_files_save (shell);
}

static void
show_properties (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  image_properties_show (shell, page_view (shell_page (shell)));
}

static void
set_scale (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  const Selection *line = selections_current (page_selections (page));
  (void) action, (void) parameter;
  set_scale_show (shell, page_view (page), line && line->shape == SELECTION_LINE ? selection_length (line, 1, 1) : 0);
}

static void
save_operation (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  save_operation_show (shell);
}

/* ---- Help ---- */

/* Of the operation named, or else of the step that is looked at. */
static void
show_help (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  const char *key = g_variant_get_string (parameter, NULL);
  Page *page = shell_page (shell);
  int place = page ? view_place (page_view (page)) : -1;
  (void) action;
  if (!*key)
    key = place >= 0 ? recipe_step (document_recipe (document_of (shell)), (guint) place)->op->fv.key : NULL;
  help_page_show (shell, shell_modules (shell), key);
}

static void
compare_devices (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  compare_devices_show (shell, (Modules *) shell_modules (shell), page_view (shell_page (shell)));
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
  {.name = "ask-code", .activate = ask_code},
  {.name = "forget-code", .activate = forget_code},
  {.name = "compare", .activate = compare},
  {.name = "compare-devices", .activate = compare_devices},
  {.name = "zoom-in", .activate = zoom_in},
  {.name = "zoom-out", .activate = zoom_out},
  {.name = "zoom-100", .activate = zoom_100},
  {.name = "zoom-fit", .activate = zoom_fit},
  {.name = "zoom-object", .activate = zoom_object},
  {.name = "show-row", .activate = show_row},
  {.name = "fullscreen", .activate = full_screen},
  {.name = "move-position", .activate = move_position, .parameter_type = "s"},
  {.name = "save", .activate = save},
  {.name = "export-figure", .activate = export_figure},
  {.name = "copy-figure", .activate = copy_figure},
  {.name = "save-steps", .activate = save_steps},
  {.name = "save-recipe", .activate = save_recipe},
  {.name = "open-steps", .activate = open_steps},
  {.name = "recipe", .activate = take_recipe, .parameter_type = "ay"},
  {.name = "save-operation", .activate = save_operation},
  {.name = "help", .activate = show_help, .parameter_type = "s"},
  {.name = "new-image", .activate = new_image},
  {.name = "duplicate", .activate = duplicate},
  {.name = "split-channels", .activate = split_channels},
  {.name = "slices-are-frames", .activate = slices_are_frames},
  {.name = "copy-path", .activate = copy_path},
  {.name = "close-others", .activate = close_others},
  {.name = "display", .activate = show_display},
  {.name = "open-lut", .activate = open_lut},
  {.name = "open-lut-file", .activate = open_lut_file, .parameter_type = "ay"},
  {.name = "save-lut", .activate = save_lut},
  {.name = "edit-lut", .activate = edit_lut},
  {.name = "properties", .activate = show_properties},
  {.name = "set-scale", .activate = set_scale},
  {.name = "select-all", .activate = select_all},
  {.name = "select-none", .activate = select_none},
  {.name = "keep-selection", .activate = keep_selection},
  {.name = "rename-selection", .activate = rename_selection},
  {.name = "update-selection", .activate = update_selection},
  {.name = "remove-selection", .activate = remove_selection},
  {.name = "restrict", .activate = restrict_step},
  {.name = "selections", .activate = show_selections},
  {.name = "line-profile", .activate = line_profile},
  {.name = "measure", .activate = measure},
  {.name = "measure-list", .activate = measure_list},
  {.name = "clear-measurements", .activate = clear_measurements},
};

void
actions_add (Shell *shell)
{
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), shell);
  step_actions_add (shell);
}

static void
enable (Shell *shell, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (shell), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* What needs an object that is picked, or a selection. */
static void
update_chosen (Shell *shell, Page *page)
{
  const Selections *selections = page_selections (page);
  const gboolean object = view_object (page_view (page)) != 0, chosen = selections_chosen (selections) >= 0;
  enable (shell, "zoom-object", object);
  enable (shell, "show-row", object && view_objects_table (page_view (page)));
  enable (shell, "rename-selection", chosen);
  enable (shell, "update-selection", chosen && selections_current (selections));
  enable (shell, "remove-selection", chosen);
}

void
actions_update (Shell *shell)
{
  static const char *const always[] = {"forget-code", "fullscreen",    "help", "new-image",
                                       "open-lut",    "open-lut-file", NULL};
  const Document *document = document_of (shell);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    enable (shell, entries[i].name, document || g_strv_contains (always, entries[i].name));
  gboolean steps = document && recipe_length (document_recipe (document)) > 0;
  enable (shell, "batch", steps || batch_window_is_there (shell));
  enable (shell, "compare-devices", steps);
  enable (shell, "save-recipe", steps);
  step_actions_update (shell);
  if (!document)
    return;
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  update_chosen (shell, shell_page (shell));
  enable (shell, "slices-are-frames", can_be_frames (document));
  enable (shell, "copy-path", document_path (document) != NULL);
  enable (shell, "close-others", documents->len > 1);
  enable (shell, "undo", document_can_undo (document));
  enable (shell, "redo", document_can_redo (document));
}
