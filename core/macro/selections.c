/* SPDX-License-Identifier: MIT
 *
 * What macros do with selections, their list and the position in an image. As in ImageJ lines and points count from the middle of the
 * first pixel, all else from its corner.
 */
#include "core/macro/selections.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/macro/images.h"

#include <math.h>
#include <string.h>

/* ---- The current one ---- */

/* "oval(1,2,3,4)". Owned. */
static char *
text_of (Macro *m, const char *shape, const double *numbers, guint n)
{
  double by = !strcmp (shape, "point") || !strcmp (shape, "line") ? 0.5 : 0;
  GString *s = g_string_new (shape);
  for (guint i = 0; i < n; i++) {
    g_autofree char *number = text_from_number (numbers[i] + by);
    g_string_append_printf (s, "%c%s", i ? ',' : '(', number);
  }
  g_string_append_c (s, ')');
  return macro_own (m, g_string_free (s, FALSE), g_free);
}

static void
set_text (Macro *m, const char *text)
{
  GError *error = NULL;
  Selection *selection = selection_parse (text, &error);
  if (!selection)
    macro_fail (m, error);
  macro_own (m, selection, (GDestroyNotify) selection_free);
  m->host->set_selection (m->host->self, macro_current (m), selection);
}

/* makeOval (x, y, …), and so the others: all arguments are numbers. */
static int
make (lua_State *L, Macro *m)
{
  GArray *numbers = macro_own (m, g_array_new (FALSE, FALSE, sizeof (double)), (GDestroyNotify) g_array_unref);
  const char *shape = macro_own (m, g_ascii_strdown (macro_function (L)->name + strlen ("make"), -1), g_free);
  for (int i = 1; i <= lua_gettop (L); i++) {
    double number = luaL_checknumber (L, i);
    g_array_append_val (numbers, number);
  }
  set_text (m, text_of (m, shape, (const double *) (gpointer) numbers->data, numbers->len));
  return 0;
}

/* makeSelection (shape, xs, ys) */
static int
make_selection (lua_State *L, Macro *m)
{
  const char *shape = macro_text (L, 1);
  const GArray *xs = macro_numbers (L, 2), *ys = macro_numbers (L, 3);
  GArray *numbers = macro_own (m, g_array_new (FALSE, FALSE, sizeof (double)), (GDestroyNotify) g_array_unref);
  luaL_argcheck (L, xs->len == ys->len, 3, "it has another length than the list of x");
  for (guint i = 0; i < xs->len; i++) {
    g_array_append_val (numbers, g_array_index (xs, double, i));
    g_array_append_val (numbers, g_array_index (ys, double, i));
  }
  set_text (m, text_of (m, shape, (const double *) (gpointer) numbers->data, numbers->len));
  return 0;
}

int
selections_set (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L;
  set_text (m, macro_only_word (m, command, arguments, "selection"));
  return 0;
}

int
selections_none (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L, (void) command, (void) arguments;
  m->host->set_selection (m->host->self, macro_current (m), NULL);
  return 0;
}

/* All of the image; owned. */
static Selection *
everything (Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  const SelectionPoint corners[] = {{0, 0}, {(double) info->columns, (double) info->rows}};
  return macro_own (m, selection_new (SELECTION_RECTANGLE, 2, corners), (GDestroyNotify) selection_free);
}

int
selections_all (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L, (void) command, (void) arguments;
  m->host->set_selection (m->host->self, macro_current (m), everything (m));
  return 0;
}

/* NULL: none. Owned. */
static Selection *
current (Macro *m)
{
  return macro_own (m, m->host->selection (m->host->self, macro_current (m)), (GDestroyNotify) selection_free);
}

static Selection *
current_or_fail (Macro *m)
{
  Selection *selection = current (m);
  if (!selection)
    macro_fail_text (m, "Nothing is selected: makeRectangle(x, y, width, height) and the like select.");
  return selection;
}

static int
selection_type (lua_State *L, Macro *m)
{
  const Selection *selection = current (m);
  lua_pushstring (L, selection ? selection_shape_name (selection->shape) : "none");
  return 1;
}

static int
selection_box (lua_State *L, Macro *m)
{
  SelectionPoint low, high;
  const Selection *selection = current (m);
  selection_bounds (selection ? selection : everything (m), &low, &high);
  const double numbers[] = {low.x, low.y, high.x - low.x, high.y - low.y};
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    macro_push_number (L, numbers[i]);
  return G_N_ELEMENTS (numbers);
}

static int
selection_coordinates (lua_State *L, Macro *m)
{
  const Selection *s = current_or_fail (m);
  double by = s->shape == SELECTION_POINT || s->shape == SELECTION_LINE ? -0.5 : 0;
  double *xy = macro_own (m, g_new (double, 2 * s->n_points + 1), g_free);
  for (guint i = 0; i < s->n_points; i++) {
    xy[i] = s->points[i].x + by;
    xy[s->n_points + i] = s->points[i].y + by;
  }
  macro_push_numbers (L, xy, s->n_points);
  macro_push_numbers (L, xy + s->n_points, s->n_points);
  return 2;
}

/* ---- Measuring ---- */

/* In the image that the step has made, from 1; see host.h. */
static void
measure (Macro *m, const GPtrArray *selections, gboolean is_kept, guint step)
{
  GError *error = NULL;
  if (!m->host->measure (m->host->self, macro_current (m), step, selections, is_kept, &error))
    macro_fail (m, error);
}

static guint
step_of (Macro *m, const char *text)
{
  guint64 step;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT - 1, &step, NULL))
    macro_fail_text (m, "step is the number of a step, from 1, or 0 for the opened image, not '%s'.", text);
  return (guint) step;
}

/* The current one where one looks, or all of the image. */
int
selections_measure (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GPtrArray *one = macro_own (m, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
  Selection *selection = current (m);
  guint step = *arguments ? step_of (m, macro_only_word (m, command, arguments, "step")) : G_MAXUINT;
  (void) L;
  if (!selection)
    selection = everything (m);
  selection->channel = selection->slice = selection->frame = -1;
  g_ptr_array_add (one, selection);
  measure (m, one, FALSE, step);
  return 0;
}

/* ---- The list ---- */

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

/* The place in the list of the one that was chosen last; raises an error when none is. */
static guint
chosen (Macro *m, const GPtrArray *list)
{
  if (m->chosen < 0 || (guint) m->chosen >= list->len)
    macro_fail_text (m, "None of the %u kept selections is chosen: roiManager(\"select\", i) chooses one, from 0.",
                     list->len);
  return (guint) m->chosen;
}

/* "1,3,0": channel, slice and frame, from 1; 0: everywhere. */
static PlanePlace
planes_of (Macro *m, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint64 n[3] = {0};
  gboolean good = g_strv_length (words) == G_N_ELEMENTS (n);
  for (guint i = 0; good && i < G_N_ELEMENTS (n); i++)
    good = g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXINT, &n[i], NULL);
  g_clear_pointer (&words, g_strfreev);
  if (!good)
    macro_fail_text (
      m, "roiManager(\"add\", …) takes channel, slice and frame from 1, or 0 for all, such as \"1,3,0\", not '%s'.",
      text);
  return (PlanePlace){(gint64) n[0] - 1, (gint64) n[1] - 1, (gint64) n[2] - 1};
}

/* Where one looks. */
static PlanePlace
planes_here (Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  PlanePlace place = m->host->position (m->host->self, macro_current (m));
  return (PlanePlace){info->channels > 1 && info->role != FV_RGB ? place.channel : -1,
                      info->depth > 1 ? place.slice : -1, info->frames > 1 ? place.frame : -1};
}

static void
add_current (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  const char *planes = macro_text_or_null (L, 2);
  PlanePlace place = planes ? planes_of (m, planes) : planes_here (m);
  Selection *copy = selection_copy (current_or_fail (m));
  copy->channel = place.channel;
  copy->slice = place.slice;
  copy->frame = place.frame;
  g_free (copy->name);
  copy->name = selection_free_name (copy, list);
  g_ptr_array_add (list, copy);
  keep (m, list, "add", planes);
  m->chosen = (int) list->len - 1;
}

static void
choose (lua_State *L, Macro *m)
{
  GPtrArray *list = kept (m);
  lua_Integer i = luaL_checkinteger (L, 2);
  if (i < 0 || i >= list->len)
    macro_fail_text (m, "There is no selection %lld: %u are kept, counted from 0.", (long long) i, list->len);
  m->chosen = (int) i;
  const Selection *selection = list->pdata[i];
  guint image = macro_current (m);
  PlanePlace place = m->host->position (m->host->self, image);
  place.channel = selection->channel >= 0 ? selection->channel : place.channel;
  place.slice = selection->slice >= 0 ? selection->slice : place.slice;
  place.frame = selection->frame >= 0 ? selection->frame : place.frame;
  m->host->set_position (m->host->self, image, plane_within (image_info (images_shown (m, RECIPE_SOURCE)), place));
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
  Selection *old = list->pdata[chosen (m, list)], *copy = selection_copy (current_or_fail (m));
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
  const char *step = macro_text_or_null (L, 2);
  if (!list->len)
    macro_fail_text (m, "No selection is kept: roiManager(\"add\") keeps the current one.");
  measure (m, list, TRUE, step ? step_of (m, step) : G_MAXUINT);
}

static void
open_list (lua_State *L, Macro *m)
{
  GError *error = NULL;
  char *path = folders_read (m->folders, macro_text (L, 2), &error);
  GPtrArray *more = macro_own (m, path, g_free) ? selections_read (path, &error) : NULL;
  if (!more)
    macro_fail (m, error);
  macro_own (m, more, (GDestroyNotify) g_ptr_array_unref);
  GPtrArray *list = kept (m);
  for (guint i = 0; i < more->len; i++)
    g_ptr_array_add (list, selection_copy (more->pdata[i]));
  keep (m, list, "open", path);
}

void
selections_save (Macro *m, const char *path)
{
  GError *error = NULL;
  const char *target = images_target (m, path);
  GPtrArray *list = kept (m);
  if (!list->len)
    g_ptr_array_add (list, selection_copy (current_or_fail (m)));
  if (!selections_write (list, target, &error))
    macro_fail (m, error);
  did (m, "save", target);
}

static void
save_list (lua_State *L, Macro *m)
{
  selections_save (m, macro_text (L, 2));
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
  macro_fail_text (
    m,
    "roiManager() knows add, select, deselect, delete, update, rename, reset, measure, open, save and count, not '%s'.",
    name);
}

/* ---- Position ---- */

static gboolean
has_plane (const ImageInfo *info, gint64 channel, gint64 slice, gint64 frame)
{
  return channel >= 1 && slice >= 1 && frame >= 1 && channel <= info->channels && slice <= info->depth
         && frame <= info->frames;
}

/* Planes are those of the opened image, or of what its steps make: that is computed only where it matters. */
static void
set_position (Macro *m, gint64 channel, gint64 slice, gint64 frame)
{
  if (!has_plane (image_info (images_shown (m, RECIPE_SOURCE)), channel, slice, frame)) {
    const ImageInfo *info = image_info (images_shown (m, NULL));
    if (!has_plane (info, channel, slice, frame))
      macro_fail_text (
        m,
        "There is no position %lld, %lld, %lld: the image has %lld channels, %lld slices and %lld frames, "
        "counted from 1.",
        (long long) channel, (long long) slice, (long long) frame, (long long) info->channels, (long long) info->depth,
        (long long) info->frames);
  }
  m->host->set_position (m->host->self, macro_current (m), (PlanePlace){channel - 1, slice - 1, frame - 1});
}

static int
stack_set_position (lua_State *L, Macro *m)
{
  set_position (m, luaL_checkinteger (L, 1), luaL_checkinteger (L, 2), luaL_checkinteger (L, 3));
  return 0;
}

static int
stack_get_position (lua_State *L, Macro *m)
{
  PlanePlace place = m->host->position (m->host->self, macro_current (m));
  lua_pushinteger (L, place.channel + 1);
  lua_pushinteger (L, place.slice + 1);
  lua_pushinteger (L, place.frame + 1);
  return 3;
}

/* As ImageJ numbers planes: channels first, then slices. */
static int
set_slice (lua_State *L, Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  lua_Integer n = luaL_checkinteger (L, 1), planes = image_info_planes (info);
  if (n < 1 || n > planes)
    macro_fail_text (m, "There is no slice %lld: the image has %lld, counted from 1.", (long long) n,
                     (long long) planes);
  n--;
  set_position (m, n % info->channels + 1, n / info->channels % info->depth + 1,
                n / (info->channels * info->depth) + 1);
  return 0;
}

static int
get_slice (lua_State *L, Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  PlanePlace p = plane_within (info, m->host->position (m->host->self, macro_current (m)));
  lua_pushinteger (L, (p.frame * info->depth + p.slice) * info->channels + p.channel + 1);
  return 1;
}

static int
count_slices (lua_State *L, Macro *m)
{
  lua_pushinteger (L, image_info_planes (image_info (images_shown (m, NULL))));
  return 1;
}

const MacroFunction macro_selection_functions[] = {
  {"makeRectangle", "x, y, width, height", "selects a rectangle, in pixels from the upper left corner of the image.",
   make},
  {"makeOval", "x, y, width, height", "selects the ellipse in that rectangle.", make},
  {"makePolygon", "x1, y1, x2, y2, x3, y3, …", "selects a polygon.", make},
  {"makeLine", "x1, y1, x2, y2", "selects a line; 0, 0 is the middle of the first pixel, as in ImageJ.", make},
  {"makePoint", "x, y", "selects a point; 0, 0 is the middle of the first pixel. More points can follow.", make},
  {"makeSelection", "shape, xs, ys",
   "selects a \"polygon\", \"freehand\", \"traced\", \"line\" or \"point\" with these lists of coordinates.",
   make_selection},
  {"selectionType", "", "gives the shape that is selected, \"rectangle\" for example, or \"none\".", selection_type},
  {"getSelectionBounds", "",
   "gives x, y, width and height of the selection, or of the image where nothing is selected.", selection_box},
  {"getSelectionCoordinates", "", "gives the lists of x and y of the selection.", selection_coordinates},
  {"roiManager", "command[, i or name]",
   "works on the list of kept selections of the current image: \"add\" (where one looks, or \"1,3,0\": channel, slice "
   "and frame, 0 for all), \"select\" (i, from 0; it goes to its plane), \"deselect\", "
   "\"delete\", \"update\", "
   "\"rename\" (name), \"reset\", \"measure\" (in the last image, or that of a step), \"open\" (path), \"save\" "
   "(path); \"count\" gives how many there are.",
   manage},
  {"setSlice", "n", "goes to plane n of the current image, from 1; channels count first, then slices, then frames.",
   set_slice},
  {"getSliceNumber", "", "gives that number.", get_slice},
  {"nSlices", "", "gives how many planes there are.", count_slices},
  {"Stack.setPosition", "channel, slice, frame", "goes to that plane; all count from 1.", stack_set_position},
  {"Stack.getPosition", "", "gives channel, slice and frame.", stack_get_position},
  {0},
};
