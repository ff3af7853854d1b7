/* SPDX-License-Identifier: MIT
 *
 * What macros do with the current selection. As in ImageJ lines and points count from the middle of the first pixel, all else from its
 * corner.
 */
#include "core/macro/selections.h"

#include "core/base/text.h"
#include "core/macro/images.h"

#include <string.h>

/* ---- The current one ---- */

static gboolean
is_open (const char *shape)
{
  for (SelectionShape s = 0; s <= SELECTION_COMPOSITE; s++)
    if (!strcmp (shape, selection_shape_name (s)))
      return !selection_shape_is_area (s);
  return FALSE;
}

/* "oval(1,2,3,4)". Owned. */
static char *
text_of (Macro *m, const char *shape, const double *numbers, guint n)
{
  double by = is_open (shape) ? 0.5 : 0;
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

Selection *
selections_current_or_fail (Macro *m)
{
  Selection *selection = current (m);
  if (!selection)
    macro_fail_text (m, "Nothing is selected: select something first, for example with makeRectangle(x, y, "
                        "width, height).");
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
  const Selection *s = selections_current_or_fail (m);
  double by = selection_is_area (s) ? 0 : -0.5;
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

static guint
step_of (Macro *m, const char *text)
{
  guint64 step;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT - 1, &step, NULL))
    macro_fail_text (m, "step must be the number of a step, from 1, or 0 for the opened image, not '%s'.", text);
  return (guint) step;
}

void
selections_measure_these (Macro *m, const GPtrArray *selections, gboolean kept, const char *step)
{
  GError *error = NULL;
  guint index = step ? step_of (m, step) : G_MAXUINT;
  if (m->limited && m->threshold && m->thresholded == macro_current (m))
    macro_fail_text (m, "After Set Measurements with limit, ImageJ measures only the pixels within the "
                        "threshold. Fovea measures all selected pixels. Call resetThreshold() first if you want "
                        "that.");
  if (m->unmeasured)
    macro_fail_text (m,
                     "Set Measurements requests '%s', which ImageJ's Measure then adds to the table. Fovea's "
                     "table has area, mean, std, min, max and the bounding box; run(\"Measure Objects...\") "
                     "measures more, for labels.",
                     m->unmeasured);
  if (!m->host->measure (m->host->self, macro_current (m), index, selections, kept, &error))
    macro_fail (m, error);
}

/* The current one where one looks, or all of the image. */
int
selections_measure (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  GPtrArray *one = macro_own (m, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
  Selection *selection = current (m);
  (void) L;
  if (!selection)
    selection = everything (m);
  selection->channel = selection->slice = selection->frame = -1;
  g_ptr_array_add (one, selection);
  selections_measure_these (m, one, FALSE, *arguments ? macro_only_word (m, command, arguments, "step") : NULL);
  return 0;
}

/* ImageJ's Plot Profile: the arguments of the step `profile` along the line that is selected. Owned. */
const char *
selections_profile (Macro *m, const char *command, const char *arguments)
{
  const Selection *line = selections_current_or_fail (m);
  if (!selection_is_line (line))
    macro_fail_text (m, "run(\"%s\") follows a line: select one with makeLine(x1, y1, x2, y2).", command);
  if (*arguments)
    macro_fail_text (m, "run(\"%s\") accepts no arguments.", command);
  const char *rows = macro_own (m, selection_rows (line), g_free);
  return macro_own (m, g_strdup_printf ("points=[%s]", rows), g_free);
}

const MacroFunction macro_selection_functions[] = {
  {"makeRectangle", "x, y, width, height", "selects a rectangle, in pixels from the upper left corner of the image.",
   make},
  {"makeOval", "x, y, width, height", "selects the ellipse in that rectangle.", make},
  {"makePolygon", "x1, y1, x2, y2, x3, y3, …", "selects a polygon.", make},
  {"makeLine", "x1, y1, x2, y2", "selects a line; 0, 0 is the center of the first pixel, as in ImageJ.", make},
  {"makePoint", "x, y", "selects a point; 0, 0 is the center of the first pixel. More points can follow.", make},
  {"makeSelection", "shape, xs, ys",
   "selects a \"polygon\", \"freehand\", \"traced\", \"line\", \"polyline\", \"freeline\", \"angle\" or \"point\" with "
   "these lists of coordinates.",
   make_selection},
  {"selectionType", "", "returns the selected shape, such as \"rectangle\", or \"none\".", selection_type},
  {"getSelectionBounds", "", "returns x, y, width and height of the selection, or of the image if nothing is selected.",
   selection_box},
  {"getSelectionCoordinates", "", "returns the lists of x and y of the selection.", selection_coordinates},
  {0},
};
