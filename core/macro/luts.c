/* SPDX-License-Identifier: MIT
 *
 * How a macro shows the channel that it looks at. Values stay what they are.
 */
#include "core/macro/luts.h"

#include "core/macro/images.h"
#include "core/macro/imagej_range.h"

#include <math.h>
#include <string.h>

/* Of the opened image, or else of what its steps make: that is computed only where it matters. */
static gint64
current_channel (Macro *m)
{
  PlanePosition position = m->host->position (m->host->self, macro_current (m));
  if (position.channel < image_info (images_shown (m, RECIPE_SOURCE))->channels)
    return position.channel;
  return plane_within (image_info (images_shown (m, NULL)), position).channel;
}

static ViewChannel
current_look (Macro *m, gint64 *channel)
{
  *channel = current_channel (m);
  return m->host->look (m->host->self, macro_current (m), *channel);
}

static int
set_look (Macro *m, gint64 channel, const ViewChannel *look)
{
  m->host->set_look (m->host->self, macro_current (m), channel, look);
  return 0;
}

static int
set_min_and_max (lua_State *L, Macro *m)
{
  double low = luaL_checknumber (L, 1), high = luaL_checknumber (L, 2);
  gint64 channel;
  if (!isfinite (low) || !isfinite (high) || !(low < high))
    macro_fail_text (m, "Limits need two numbers, the second above the first, not %g and %g.", low, high);
  ViewChannel look = current_look (m, &channel);
  look.automatic = look.zscale = FALSE;
  look.low = low;
  look.high = high;
  imagej_range_set (m, low, high);
  return set_look (m, channel, &look);
}

static int
reset_min_and_max (lua_State *L, Macro *m)
{
  gint64 channel;
  ViewChannel look = current_look (m, &channel);
  (void) L;
  look.automatic = TRUE;
  look.zscale = FALSE;
  imagej_range_follow (m);
  return set_look (m, channel, &look);
}

static int
set_stretch (lua_State *L, Macro *m)
{
  const char *word = macro_text (L, 1);
  double a = luaL_optnumber (L, 2, 0), gamma = luaL_optnumber (L, 3, 1), min, max;
  gint64 channel;
  ViewChannel look = current_look (m, &channel);
  if (!stretch_of_word (word, &look.stretch))
    macro_fail_text (m, "Unknown stretch '%s'. Use linear, log, asinh, sqrt or power.", word);
  stretch_limits (look.stretch, &min, &max);
  if (a != 0 && !(a >= min && a <= max))
    macro_fail_text (m,
                     max > 0 ? "Parameter a of stretch %s must be from %g to %g, or 0 for the default."
                             : "Stretch %s has no parameter a.",
                     word, min, max);
  if (!(gamma > 0 && isfinite (gamma)))
    macro_fail_text (m, "Gamma must be above 0, not %g.", gamma);
  look.a = a;
  look.gamma = gamma;
  return set_look (m, channel, &look);
}

static int
set_lut (Macro *m, const char *name)
{
  gint64 channel;
  ViewChannel look = current_look (m, &channel);
  g_strlcpy (look.lut, name, sizeof look.lut);
  return set_look (m, channel, &look);
}

int
luts_set (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  const char *open = macro_only_word (m, command, arguments, "open");
  GError *error = NULL;
  (void) L;
  macro_current (m);
  if (!strcmp (open, "default"))
    return set_lut (m, "");
  if (luts_known (open))
    return set_lut (m, open);
  char *path = macro_own (m, folders_read (m->folders, open, &error), g_free);
  char *name = path ? macro_own (m, luts_open (path, &error), g_free) : NULL;
  if (!name)
    macro_fail (m, error);
  folders_tell (m->folders, path);
  return set_lut (m, name);
}

int
luts_set_named (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  (void) L;
  if (*arguments)
    macro_fail_text (m, "run(\"%s\") accepts nothing else.", command);
  return set_lut (m, luts_of_imagej (command));
}

const MacroFunction macro_look_functions[] = {
  {"setMinAndMax", "min, max",
   "sets the display limits of the current channel: min is darkest and max brightest. Pixel "
   "values do not change.",
   set_min_and_max},
  {"resetMinAndMax", "", "returns to limits that follow the image.", reset_min_and_max},
  {"setStretch", "stretch[, a[, gamma]]",
   "sets how brightness increases between the limits: \"linear\", \"log\", \"asinh\", "
   "\"sqrt\" or \"power\"; `a` is that of the step `display`, 0 the default.",
   set_stretch},
  {0},
};
