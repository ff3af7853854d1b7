/* SPDX-License-Identifier: MIT
 *
 * Which plane of an image a macro looks at.
 */
#include "core/macro/images.h"
#include "core/macro/state.h"

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

const MacroFunction macro_position_functions[] = {
  {"setSlice", "n", "goes to plane n of the current image, from 1; channels count first, then slices, then frames.",
   set_slice},
  {"getSliceNumber", "", "gives that number.", get_slice},
  {"nSlices", "", "gives how many planes there are.", count_slices},
  {"Stack.setPosition", "channel, slice, frame", "goes to that plane; all count from 1.", stack_set_position},
  {"Stack.getPosition", "", "gives channel, slice and frame.", stack_get_position},
  {0},
};
