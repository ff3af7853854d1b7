/* SPDX-License-Identifier: MIT
 */
#include "ui/app/image_actions.h"

#include "ui/app/convert_shown.h"
#include "ui/app/lut_files.h"
#include "ui/app/raw_import.h"
#include "ui/app/saving.h"
#include "ui/figure/export.h"
#include "ui/look/image_properties.h"
#include "ui/look/lut_editor.h"
#include "ui/look/set_scale.h"

#include <glib/gi18n.h>
#include <string.h>

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

/* Out of nothing: the form of its first step, which makes it, says how large it is. */
static void
new_image (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  document_set_steps (shell_add (shell, run_nothing (), NULL), "plain width=512 height=512", NULL, &error);
  shell_say_error (shell, error);
}

/* The same image and steps in a tab of their own, to go on differently there. */
static void
duplicate (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Document *document = shell_document (shell), *copy;
  g_autofree char *steps = g_strdup (document_text (document));
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  copy = shell_add (shell, document_source (document), document_path (document));
  document_set_steps (copy, steps, NULL, &error);
  shell_say_error (shell, error);
}

/* The steps up to the image that is looked at. Free with g_free(). */
static char *
steps_to_here (const View *view, GError **error)
{
  const Recipe *recipe = document_recipe (view_document (view));
  const guint n = (guint) (view_index (view) + 1);
  g_autoptr (Recipe) none = recipe_new (),
                     here = recipe_with_steps (recipe, n, recipe_length (recipe) - n, none, error);
  return here ? recipe_format (here) : NULL;
}

/* Each channel of what is looked at, in a tab of its own. */
static void
split_channels (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  enum { MAXIMUM = 16 };
  const View *view = page_view (shell_page (shell));
  Document *document = shell_document (shell);
  const gint64 n = image_info (view_image (view))->channels;
  g_autoptr (GError) error = NULL;
  g_autofree char *steps = steps_to_here (view, &error);
  (void) action, (void) parameter;
  if (n < 2 || n > MAXIMUM) {
    shell_say (shell, GTK_MESSAGE_INFO,
               n < 2 ? _ ("The image has only one channel.")
                     : _ ("Split Channels opens a tab for each channel, up to 16. Use Channel... for one."));
    return;
  }
  for (gint64 c = 0; c < n && !error; c++) {
    g_autofree char *text = g_strdup_printf ("%s%schannel index=%" G_GINT64_FORMAT, steps, *steps ? " | " : "", c);
    document_set_steps (shell_add (shell, document_source (document), document_path (document)), text, NULL, &error);
  }
  shell_say_error (shell, error);
}

static void
copy_path (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  g_autofree char *path = g_filename_display_name (document_path (shell_document (shell)));
  (void) action, (void) parameter;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (shell), path);
}

/* A stack of slices: the planes of an image that does not name its axes, unless the user has set them. */
static gboolean
can_be_frames (const Document *document)
{
  const ImageInfo *info = image_info (document_source (document));
  const Recipe *recipe = document_recipe (document);
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (op_has_trait (recipe_step (recipe, i)->op, FV_ARRANGES_PLANES))
      return FALSE;
  return info->depth > 1 && info->frames == 1;
}

/* A step before all others but the size of a pixel. */
static void
slices_are_frames (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  Document *document = shell_document (shell);
  const Recipe *recipe = document_recipe (document);
  const gboolean calibrated = recipe_length (recipe) && op_has_trait (recipe_step (recipe, 0)->op, FV_CALIBRATES);
  g_autoptr (GError) error = NULL;
  (void) action, (void) parameter;
  document_add_step (document, calibrated ? 1 : 0, "hyperstack", &error);
  shell_say_error (shell, error);
}

static void
show_display (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  page_show_display (shell_page (shell));
}

/* Its type is what it takes. */
static void
convert (GSimpleAction *action, GVariant *type, gpointer shell)
{
  (void) action;
  convert_shown (shell, page_view (shell_page (shell)), g_variant_get_string (type, NULL));
}

/* Each object in a color of its own, or no longer. */
static void
show_labels (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  View *view = page_view (shell_page (shell));
  const gint64 channels = image_info (view_image (view))->channels;
  const gboolean are = view_is_labels (view), all = view_composite (view);
  (void) action, (void) parameter;
  for (gint64 c = 0; c < channels; c++) {
    ViewChannel look = *view_look (view, c);
    g_strlcpy (look.lut, !are ? LOOK_LABELS : channels > 1 ? "" : "gray", sizeof look.lut);
    if (all || c == view_channel (view))
      view_set_look (view, c, &look);
  }
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
  set_scale_show (shell, page_view (page), line && selection_is_line (line) ? selection_length (line, 1, 1) : 0);
}

static void
import_raw (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  raw_import_ask (shell);
}

static void
import_raw_file (GSimpleAction *action, GVariant *path, gpointer shell)
{
  (void) action;
  raw_import_show (shell, g_variant_get_bytestring (path));
}

static const GActionEntry entries[] = {
  {.name = "save", .activate = save},
  {.name = "export-figure", .activate = export_figure},
  {.name = "copy-figure", .activate = copy_figure},
  {.name = "new-image", .activate = new_image},
  {.name = "import-raw", .activate = import_raw},
  {.name = "import-raw-file", .activate = import_raw_file, .parameter_type = "ay"},
  {.name = "duplicate", .activate = duplicate},
  {.name = "split-channels", .activate = split_channels},
  {.name = "slices-are-frames", .activate = slices_are_frames},
  {.name = "copy-path", .activate = copy_path},
  {.name = "display", .activate = show_display},
  {.name = "convert", .activate = convert, .parameter_type = "s"},
  {.name = "show-labels", .activate = show_labels, .state = "false"},
  {.name = "open-lut", .activate = open_lut},
  {.name = "open-lut-file", .activate = open_lut_file, .parameter_type = "ay"},
  {.name = "save-lut", .activate = save_lut},
  {.name = "edit-lut", .activate = edit_lut},
  {.name = "properties", .activate = show_properties},
  {.name = "set-scale", .activate = set_scale},
};

void
image_actions_add (Shell *shell)
{
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), shell);
}

void
image_actions_update (Shell *shell)
{
  static const char *const always[] = {"new-image", "import-raw", "import-raw-file", "open-lut", "open-lut-file", NULL};
  const Document *document = shell_document (shell);
  const View *view = document ? page_view (shell_page (shell)) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    shell_enable (shell, entries[i].name, document || g_strv_contains (always, entries[i].name));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (shell), "show-labels")),
                             g_variant_new_boolean (view && view_is_labels (view)));
  if (!document)
    return;
  const fv_role role = image_info (view_image (view))->role;
  shell_enable (shell, "convert", role != FV_RGB);
  shell_enable (shell, "show-labels", role != FV_RGB && role != FV_LABELS);
  shell_enable (shell, "slices-are-frames", can_be_frames (document));
  shell_enable (shell, "copy-path", document_path (document) != NULL);
}
