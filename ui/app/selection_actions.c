/* SPDX-License-Identifier: MIT
 */
#include "ui/app/selection_actions.h"

#include "ui/steps/restrict.h"

#include <glib/gi18n.h>

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
    shell_say (shell, GTK_MESSAGE_INFO, _ ("No selection: draw one first."));
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
  shell_say_error (shell, error);
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
    shell_say (shell, GTK_MESSAGE_INFO, _ ("The list of selections is empty; draw one and add it with t."));
}

static void
clear_measurements (GSimpleAction *action, GVariant *parameter, gpointer shell)
{
  (void) action, (void) parameter;
  measurements_clear (page_measurements (shell_page (shell)));
}

static const GActionEntry entries[] = {
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
selection_actions_add (Shell *shell)
{
  g_action_map_add_action_entries (G_ACTION_MAP (shell), entries, G_N_ELEMENTS (entries), shell);
}

void
selection_actions_update (Shell *shell)
{
  const Page *page = shell_page (shell);
  const Selections *selections = page ? page_selections (page) : NULL;
  const gboolean chosen = selections && selections_chosen (selections) >= 0;
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    shell_enable (shell, entries[i].name, page != NULL);
  shell_enable (shell, "rename-selection", chosen);
  shell_enable (shell, "update-selection", chosen && selections_current (selections));
  shell_enable (shell, "remove-selection", chosen);
}
