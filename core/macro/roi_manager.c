/* SPDX-License-Identifier: MIT
 *
 * What macros do with the list of kept selections, by ImageJ's commands.
 */
#include "core/macro/roi_manager.h"

#include "core/macro/cage.h"
#include "core/macro/images.h"
#include "core/macro/selections.h"
#include "core/measure/object_outlines.h"

static GPtrArray *
kept (Macro *m)
{
  return macro_own (m, m->host->kept (m->host->self, macro_current (m)), (GDestroyNotify) g_ptr_array_unref);
}

/* roiManager (command, text) has been done. */
static void
did (Macro *m, const char *command, const char *text)
{
  if (m->host->did)
    m->host->did (m->host->self, macro_current (m), command, text);
}

/* The list is these now, by that command. */
static void
keep (Macro *m, const GPtrArray *selections, const char *command, const char *text)
{
  m->host->set_kept (m->host->self, macro_current (m), selections);
  did (m, command, text);
}

/* The index in the list of the last selected one; raises an error when none is. */
static guint
chosen (Macro *m, const GPtrArray *list)
{
  if (m->chosen < 0 || (guint) m->chosen >= list->len)
    macro_fail_text (m,
                     "None of the %u selections in the list is selected: use roiManager(\"select\", i), from "
                     "0.",
                     list->len);
  return (guint) m->chosen;
}

/* "1,3,0": channel, slice and frame, from 1; 0: everywhere. */
static PlanePosition
planes_of (Macro *m, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint64 n[3] = {0};
  gboolean good = g_strv_length (words) == G_N_ELEMENTS (n);
  for (guint i = 0; good && i < G_N_ELEMENTS (n); i++)
    good = g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXINT, &n[i], NULL);
  g_clear_pointer (&words, g_strfreev);
  if (!good)
    macro_fail_text (m,
                     "roiManager(\"add\", …) accepts channel, slice and frame from 1, or 0 for all, such as "
                     "\"1,3,0\", not '%s'.",
                     text);
  return (PlanePosition){(gint64) n[0] - 1, (gint64) n[1] - 1, (gint64) n[2] - 1};
}

/* Where one looks. */
static PlanePosition
planes_here (Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  PlanePosition position = m->host->position (m->host->self, macro_current (m));
  return (PlanePosition){info->channels > 1 && info->role != FV_RGB ? position.channel : -1,
                         info->depth > 1 ? position.slice : -1, info->frames > 1 ? position.frame : -1};
}

static void
add_current (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  const char *planes = macro_text_or_null (L, 2);
  PlanePosition position = planes ? planes_of (m, planes) : planes_here (m);
  Selection *copy = selection_copy (selections_current_or_fail (m));
  copy->channel = position.channel;
  copy->slice = position.slice;
  copy->frame = position.frame;
  g_free (copy->name);
  copy->name = selection_free_name (copy, list);
  g_ptr_array_add (list, copy);
  keep (m, list, "add", planes);
  m->chosen = (int) list->len - 1;
}

/* In a record each of them is selected, and then kept. */
void
roi_manager_add_objects (Macro *m, Image *labels)
{
  GError *error = NULL;
  const guint image = macro_current (m);
  GPtrArray *list = kept (m);
  if (!m->host->fetch (m->host->self, labels, &error))
    macro_fail (m, error);
  GPtrArray *outlines = object_outlines (labels, &error);
  if (!outlines)
    macro_fail (m, error);
  macro_own (m, outlines, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < outlines->len; i++)
    g_ptr_array_add (list, selection_copy (outlines->pdata[i]));
  m->host->set_kept (m->host->self, image, list);
  Selection *before = macro_own (m, m->host->selection (m->host->self, image), (GDestroyNotify) selection_free);
  for (guint i = 0; i < outlines->len && m->host->did; i++) {
    const Selection *outline = outlines->pdata[i];
    char *planes =
      macro_own (m, g_strdup_printf ("0,%d,%d", (int) outline->slice + 1, (int) outline->frame + 1), g_free);
    m->host->set_selection (m->host->self, image, outline);
    did (m, "add", planes);
    did (m, "rename", outline->name);
  }
  m->host->set_selection (m->host->self, image, before);
}

static void
choose (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  lua_Integer i = luaL_checkinteger (L, 2);
  if (i < 0 || i >= list->len)
    macro_fail_text (m, "Selection %lld does not exist: the list has %u, counted from 0.", (long long) i, list->len);
  m->chosen = (int) i;
  const Selection *selection = list->pdata[i];
  guint image = macro_current (m);
  PlanePosition position = m->host->position (m->host->self, image);
  position.channel = selection->channel >= 0 ? selection->channel : position.channel;
  position.slice = selection->slice >= 0 ? selection->slice : position.slice;
  position.frame = selection->frame >= 0 ? selection->frame : position.frame;
  m->host->set_position (m->host->self, image, plane_within (image_info (images_shown (m, RECIPE_SOURCE)), position));
  m->host->set_selection (m->host->self, image, selection);
  did (m, "select", lua_tostring (L, 2));
}

static void
choose_none (lua_State *L, Macro *m)
{
  (void) L;
  m->chosen = -1;
  did (m, "deselect", NULL);
}

static void
remove_chosen (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  (void) L;
  g_ptr_array_remove_index (list, chosen (m, list));
  keep (m, list, "delete", NULL);
  m->chosen = -1;
}

static void
update_chosen (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  Selection *old = list->pdata[chosen (m, list)], *copy = selection_copy (selections_current_or_fail (m));
  (void) L;
  g_free (copy->name);
  copy->name = g_strdup (old->name);
  copy->channel = old->channel;
  copy->slice = old->slice;
  copy->frame = old->frame;
  list->pdata[m->chosen] = copy;
  selection_free (old);
  keep (m, list, "update", NULL);
}

static void
rename_chosen (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  const char *name = macro_text (L, 2);
  Selection *selection = list->pdata[chosen (m, list)];
  g_free (selection->name);
  selection->name = g_strdup (name);
  keep (m, list, "rename", name);
}

static void
remove_all (lua_State *L, Macro *m)
{
  (void) L;
  keep (m, macro_own (m, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref), "reset", NULL);
  m->chosen = -1;
}

static void
measure_all (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  if (!list->len)
    macro_fail_text (m, "The list of selections is empty: add the current one with roiManager(\"add\").");
  selections_measure_these (m, list, TRUE, macro_text_or_null (L, 2));
}

static void
open_list (lua_State *L, Macro *m)
{
  GError *error = NULL;
  char *left_out = NULL, *path = folders_read (m->folders, macro_text (L, 2), &error);
  GPtrArray *more = macro_own (m, path, g_free) ? selections_read (path, &left_out, &error) : NULL;
  if (!more)
    macro_fail (m, error);
  macro_own (m, more, (GDestroyNotify) g_ptr_array_unref);
  folders_tell (m->folders, path);
  if (left_out)
    m->host->print (m->host->self, macro_own (m, left_out, g_free));
  GPtrArray *list = kept (m);
  for (guint i = 0; i < more->len; i++)
    g_ptr_array_add (list, selection_copy (more->pdata[i]));
  keep (m, list, "open", path);
}

void
roi_manager_save (Macro *m, const char *command, const char *path)
{
  GError *error = NULL;
  const char *target = cage_file (m, command, path);
  GPtrArray *list = kept (m);
  if (!list->len)
    g_ptr_array_add (list, selection_copy (selections_current_or_fail (m)));
  if (!selections_write (list, target, &error))
    macro_fail (m, error);
  did (m, "save", target);
}

static void
save_list (lua_State *L, Macro *m)
{
  roi_manager_save (m, "save", macro_text (L, 2));
}

static int
manage (lua_State *L, Macro *m)
{
  static const struct {
    const char *name;
    void (*run) (lua_State *L, Macro *m);
  } commands[] = {{"add", add_current},      {"select", choose},        {"deselect", choose_none},
                  {"delete", remove_chosen}, {"update", update_chosen}, {"rename", rename_chosen},
                  {"reset", remove_all},     {"measure", measure_all},  {"open", open_list},
                  {"save", save_list}};
  const char *name = macro_text (L, 1);
  if (!g_ascii_strcasecmp (name, "count")) {
    lua_pushinteger (L, kept (m)->len);
    return 1;
  }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (!g_ascii_strcasecmp (name, commands[i].name)) {
      commands[i].run (L, m);
      return 0;
    }
  macro_fail_text (m,
                   "roiManager() accepts add, select, deselect, delete, update, rename, reset, measure, "
                   "open, save and count, not '%s'.",
                   name);
}

const MacroFunction macro_roi_functions[] = {
  {"roiManager", "command[, i or name]",
   "works on the current image's list of selections. Commands are \"add\" (on the shown plane, or "
   "\"1,3,0\": channel, slice and frame, 0 for all), \"select\" (i, from 0; shows its plane), "
   "\"deselect\", \"delete\", \"update\", \"rename\" (name) and \"reset\". The command \"measure\" measures in the "
   "last image, or that of a step. Both \"open\" and \"save\" take a path. Last, \"count\" returns the number of "
   "selections.",
   manage},
  {0},
};
