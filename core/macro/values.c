/* SPDX-License-Identifier: MIT
 *
 * A value is a pointer with a metatable that macros cannot take.
 */
#include "core/macro/values.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"
#include "core/macro/state.h"

#include <string.h>

/* ---- Results ---- */

Results *
results_new (Run *run)
{
  Results *results = g_rc_box_new (Results);
  results->run = run;
  return results;
}

static void
results_clear (gpointer results)
{
  run_free (((Results *) results)->run);
}

void
results_unref (Results *results)
{
  g_rc_box_release_full (results, results_clear);
}

static void
missing (const char *name, const char *noun, GError **error)
{
  if (name)
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "No step makes %s '%s': name a result with as=NAME.", noun, name);
  else
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "No step makes %s: put one before it that does, such as regionprops.",
                    noun);
}

Image *
results_image (const Run *run, const char *name, GError **error)
{
  guint index, result;
  Image *image = name ? NULL : run_last_image (run);
  if (name && recipe_find (run_recipe (run), run_length (run), name, &index, &result))
    image = run_image (run, index, result);
  if (!image)
    missing (name, "an image", error);
  return image;
}

Table *
results_table (const Run *run, const char *name, GError **error)
{
  guint index, result;
  Table *table = name ? NULL : run_last_table (run);
  if (name && recipe_find (run_recipe (run), run_length (run), name, &index, &result)
      && result == recipe_step (run_recipe (run), index)->op->n_outputs)
    table = run_result (run, index)->result.table;
  if (!table)
    missing (name, "a table", error);
  return table;
}

/* ---- Kinds ---- */

static gpointer
ref_image (gpointer image)
{
  return image_ref (image);
}

static void
unref_image (gpointer image)
{
  image_unref (image);
}

static gpointer
ref_recipe (gpointer recipe)
{
  return recipe_ref (recipe);
}

static void
unref_recipe (gpointer recipe)
{
  recipe_unref (recipe);
}

static gpointer
ref_rc (gpointer object)
{
  return g_rc_box_acquire (object);
}

static void
unref_results (gpointer results)
{
  results_unref (results);
}

static void
unref_table (gpointer table)
{
  mutable_table_unref (table);
}

static const struct {
  const char *name;
  gpointer (*ref) (gpointer object);
  void (*unref) (gpointer object);
} kinds[] = {
  [VALUE_IMAGE] = {"image", ref_image, unref_image},
  [VALUE_RECIPE] = {"recipe", ref_recipe, unref_recipe},
  [VALUE_RESULTS] = {"results", ref_rc, unref_results},
  [VALUE_TABLE] = {"table", ref_rc, unref_table},
};

static const char *
registered (ValueKind kind)
{
  static const char *const names[] = {"fovea image", "fovea recipe", "fovea results", "fovea table"};
  return names[kind];
}

void
values_push (lua_State *L, ValueKind kind, gpointer object)
{
  gpointer *box = lua_newuserdatauv (L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable (L, registered (kind));
  *box = kinds[kind].ref (object);
}

gpointer
values_test (lua_State *L, int i, ValueKind kind)
{
  gpointer *box = luaL_testudata (L, i, registered (kind));
  return box ? *box : NULL;
}

gpointer
values_get (lua_State *L, int i, ValueKind kind)
{
  gpointer object = values_test (L, i, kind);
  if (!object)
    luaL_typeerror (L, i, kinds[kind].name);
  return object;
}

static int
collect (lua_State *L)
{
  const ValueKind kind = (ValueKind) lua_tointeger (L, lua_upvalueindex (1));
  gpointer *box = lua_touserdata (L, 1);
  gpointer object = g_steal_pointer (box);
  if (!object)
    return 0;
  if (kind == VALUE_TABLE)
    macro_of (L)->used -= *mutable_table_charged (object);
  kinds[kind].unref (object);
  return 0;
}

/* ---- Fields ---- */

/* Whether there is such a field; then it is pushed. */
static gboolean
push_field (lua_State *L, const ImageInfo *info, const char *key)
{
  const struct {
    const char *key;
    gint64 value;
  } numbers[] = {{"width", info->columns},
                 {"height", info->rows},
                 {"channels", info->channels},
                 {"slices", info->depth},
                 {"frames", info->frames}};
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!strcmp (key, numbers[i].key)) {
      lua_pushinteger (L, numbers[i].value);
      return TRUE;
    }
  if (!strcmp (key, "title"))
    lua_pushstring (L, info->name);
  else if (!strcmp (key, "type"))
    lua_pushstring (L, pixel_type (info->type)->name);
  else
    return FALSE;
  return TRUE;
}

/* The methods of the kind are the upvalue. */
static int
index_value (lua_State *L)
{
  Image *image = values_test (L, 1, VALUE_IMAGE);
  MutableTable *table = values_test (L, 1, VALUE_TABLE);
  if (image && lua_type (L, 2) == LUA_TSTRING && push_field (L, image_info (image), lua_tostring (L, 2)))
    return 1;
  if (table && lua_type (L, 2) == LUA_TNUMBER)
    return mutable_table_push_row (L, table, lua_tointeger (L, 2));
  lua_settop (L, 2);
  lua_rawget (L, lua_upvalueindex (1));
  return 1;
}

static int
length (lua_State *L)
{
  lua_pushinteger (L, mutable_table_rows (values_get (L, 1, VALUE_TABLE)));
  return 1;
}

static char *
describe (lua_State *L)
{
  Image *image = values_test (L, 1, VALUE_IMAGE);
  Recipe *recipe = values_test (L, 1, VALUE_RECIPE);
  Results *results = values_test (L, 1, VALUE_RESULTS);
  MutableTable *table = values_test (L, 1, VALUE_TABLE);
  if (image)
    return image_info_text (image_info (image));
  if (recipe || results)
    return recipe_format (recipe ? recipe : run_recipe (results->run));
  return g_strdup_printf ("table of %" G_GINT64_FORMAT " rows", table ? mutable_table_rows (table) : 0);
}

static int
to_string (lua_State *L)
{
  Macro *m = macro_of (L);
  guint owned = m->owned->len;
  lua_pushstring (L, macro_own (m, describe (L), g_free));
  g_array_set_size (m->owned, owned);
  return 1;
}

void
values_open (lua_State *L)
{
  for (ValueKind kind = VALUE_IMAGE; kind <= VALUE_TABLE; kind++) {
    luaL_newmetatable (L, registered (kind));
    lua_pushinteger (L, kind);
    lua_pushcclosure (L, collect, 1);
    lua_setfield (L, -2, "__gc");
    lua_newtable (L);
    lua_pushvalue (L, -1);
    lua_setfield (L, -3, "methods");
    lua_pushcclosure (L, index_value, 1);
    lua_setfield (L, -2, "__index");
    lua_pushcfunction (L, to_string);
    lua_setfield (L, -2, "__tostring");
    lua_pushcfunction (L, length);
    if (kind == VALUE_TABLE)
      lua_setfield (L, -2, "__len");
    else
      lua_pop (L, 1);
    lua_pushboolean (L, FALSE);
    lua_setfield (L, -2, "__metatable");
    lua_pop (L, 1);
  }
}

void
values_methods (lua_State *L, const char *name)
{
  for (ValueKind kind = VALUE_IMAGE; kind <= VALUE_TABLE; kind++)
    if (!strcmp (name, kinds[kind].name)) {
      luaL_getmetatable (L, registered (kind));
      lua_getfield (L, -1, "methods");
      lua_remove (L, -2);
    }
}
