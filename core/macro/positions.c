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
      macro_fail_text (m,
                       "Position %lld, %lld, %lld does not exist: the image has %lld channels, %lld slices and "
                       "%lld frames, counted from 1.",
                       (long long) channel, (long long) slice, (long long) frame, (long long) info->channels,
                       (long long) info->depth, (long long) info->frames);
  }
  m->host->set_position (m->host->self, macro_current (m), (PlanePosition){channel - 1, slice - 1, frame - 1});
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
  PlanePosition position = m->host->position (m->host->self, macro_current (m));
  lua_pushinteger (L, position.channel + 1);
  lua_pushinteger (L, position.slice + 1);
  lua_pushinteger (L, position.frame + 1);
  return 3;
}

/* As ImageJ numbers planes: channels first, then slices. */
static int
set_slice (lua_State *L, Macro *m)
{
  const ImageInfo *info = image_info (images_shown (m, NULL));
  lua_Integer n = luaL_checkinteger (L, 1), planes = image_info_planes (info);
  if (n < 1 || n > planes)
    macro_fail_text (m, "Slice %lld does not exist: the image has %lld, counted from 1.", (long long) n,
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
  PlanePosition p = plane_within (info, m->host->position (m->host->self, macro_current (m)));
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
  {"setSlice", "n",
   "shows plane n of the current image, counted from 1: channels first, then slices, then "
   "frames.",
   set_slice},
  {"getSliceNumber", "", "returns that number.", get_slice},
  {"nSlices", "", "returns the number of planes.", count_slices},
  {"Stack.setPosition", "channel, slice, frame", "shows that plane; all are counted from 1.", stack_set_position},
  {"Stack.getPosition", "", "returns channel, slice and frame.", stack_get_position},
  {0},
};
