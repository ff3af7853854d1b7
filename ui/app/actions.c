/* SPDX-License-Identifier: MIT
 *
 * Each action works on the page in front. What fails is said in the window, never in a box that blocks it.
 */
#include "ui/app/actions.h"

#include "core/ops/native.h"
#include "ui/app/compare_devices.h"
#include "ui/app/help.h"
#include "ui/batch/window.h"
#include "ui/figure/export.h"
#include "ui/look/image_properties.h"
#include "ui/app/save_operation.h"
#include "ui/app/saving.h"
#include "ui/shell/native_dialog.h"
#include "ui/steps/new_step.h"
#include "ui/steps/restrict.h"
#include "ui/look/set_scale.h"
#include "ui/app/steps_file.h"

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

/* The step that crops to the box around the selection. Free with g_free(). */
static char *
crop_step (const View *view, const Selection *selection)
{
  const PlanePart box = selection_part (selection, image_info (view_image (view)), 0);
  return g_strdup_printf ("crop x=%" G_GINT64_FORMAT " y=%" G_GINT64_FORMAT " width=%" G_GINT64_FORMAT
                          " height=%" G_GINT64_FORMAT,
                          box.x, box.y, box.width, box.height);
}

static void
add_step (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Page *page = shell_page (shell);
  View *view = page_view (page);
  const Selection *selection = selections_current (page_selections (page));
  const gboolean area = selection && selection_is_area (selection);
  const char *step = g_variant_get_string (parameter, NULL);
  g_autofree char *note = NULL, *crop = area && !strcmp (step, "crop") ? crop_step (view, selection) : NULL;
  g_autoptr (GError) error = NULL;
  (void) action;
  if (area && !strcmp (step, "keep"))
    restrict_to_selection (view, selection, &error);
  else
    new_step_add (view, shell_modules (shell), crop ? crop : step, &note, &error);
  if (crop && !error) /* its place is another one now */
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

static void
save_steps (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GPtrArray) documents = g_ptr_array_new ();
  (void) action, (void) parameter;
  g_ptr_array_add (documents, document_of (shell));
  steps_file_save (shell, documents, NULL, NULL);
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
  g_autofree char *said = n == 0 ? g_strdup ("No code is remembered as allowed.")
                          : n == 1
                            ? g_strdup ("The code that was remembered is forgotten: it asks again before it runs.")
                            : g_strdup_printf ("%u remembered codes are forgotten: they ask again before they run.", n);
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
    shell_say (shell, GTK_MESSAGE_INFO, "There is no selection to keep: draw one first.");
    return;
  }
  selections_keep (page_selections (page),
                   info->channels > 1 && !view_composite (view) && info->role != FV_RGB ? view_channel (view) : -1,
                   info->depth > 1 ? view_slice (view) : -1, info->frames > 1 ? view_frame (view) : -1);
  page_show_selections (page);
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
    shell_say (shell, GTK_MESSAGE_INFO, "The list of selections is empty: draw one and add it with t.");
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
               n < 2 ? "The image has one channel: there is nothing to split."
                     : "Split Channels opens a tab for each channel, 16 at most: Channel... takes one.");
    return;
  }
  for (gint64 c = 0; c < n && !error; c++) {
    g_autofree char *text = g_strdup_printf ("%s%schannel index=%" G_GINT64_FORMAT, steps, *steps ? " | " : "", c);
    document_set_steps (shell_add (shell, document_source (document), document_path (document)), text, NULL, &error);
  }
  say (shell, error);
}

static void
show_display (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_show_display (shell_page (shell));
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
  {.name = "fullscreen", .activate = full_screen},
  {.name = "move-position", .activate = move_position, .parameter_type = "s"},
  {.name = "save", .activate = save},
  {.name = "export-figure", .activate = export_figure},
  {.name = "copy-figure", .activate = copy_figure},
  {.name = "save-steps", .activate = save_steps},
  {.name = "open-steps", .activate = open_steps},
  {.name = "save-operation", .activate = save_operation},
  {.name = "help", .activate = show_help, .parameter_type = "s"},
  {.name = "new-image", .activate = new_image},
  {.name = "duplicate", .activate = duplicate},
  {.name = "split-channels", .activate = split_channels},
  {.name = "display", .activate = show_display},
  {.name = "properties", .activate = show_properties},
  {.name = "set-scale", .activate = set_scale},
  {.name = "select-all", .activate = select_all},
  {.name = "select-none", .activate = select_none},
  {.name = "keep-selection", .activate = keep_selection},
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
}

static void
enable (Shell *shell, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (shell), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
actions_update (Shell *shell)
{
  static const char *const always[] = {"forget-code", "fullscreen", "help", "new-image", NULL};
  const Document *document = document_of (shell);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    enable (shell, entries[i].name, document || g_strv_contains (always, entries[i].name));
  gboolean steps = document && recipe_length (document_recipe (document)) > 0;
  enable (shell, "batch", steps || batch_window_is_there (shell));
  enable (shell, "compare-devices", steps);
  if (!document)
    return;
  enable (shell, "undo", document_can_undo (document));
  enable (shell, "redo", document_can_redo (document));
}
