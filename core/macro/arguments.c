/* SPDX-License-Identifier: MIT
 *
 * What functions of macros are called with.
 */
#include "core/macro/state.h"

#include "core/recipe/macro_text.h"

#include <math.h>
#include <string.h>

guint
macro_current (Macro *m)
{
  guint image = m->host->current (m->host->self);
  if (!image)
    macro_fail_text (m, "No image is open: open one with open(\"FILE\").");
  return image;
}

const char *
macro_text (lua_State *L, int i)
{
  size_t n;
  const char *text = luaL_checklstring (L, i, &n);
  luaL_argcheck (L, strlen (text) == n, i, "it holds a zero byte");
  return text;
}

const char *
macro_text_or_null (lua_State *L, int i)
{
  return lua_isnoneornil (L, i) ? NULL : macro_text (L, i);
}

char **
macro_words (Macro *m, const char *arguments)
{
  GError *error = NULL;
  char **words = macro_text_words (arguments, &error);
  if (!words)
    macro_fail (m, error);
  return macro_own (m, words, (GDestroyNotify) g_strfreev);
}

const char *
macro_only_word (Macro *m, const char *command, const char *arguments, const char *key)
{
  char **words = macro_words (m, arguments);
  gsize n = strlen (key);
  if (!words[0] || words[1] || strncmp (words[0], key, n) || words[0][n] != '=')
    macro_fail_text (m, "run(\"%s\", …) accepts only %s=….", command, key);
  return words[0] + n + 1;
}

lua_Integer
macro_field (lua_State *L, int i, const char *key, lua_Integer fallback)
{
  lua_Integer value = fallback;
  int whole = TRUE;
  if (lua_getfield (L, i, key) != LUA_TNIL)
    value = lua_tointegerx (L, -1, &whole);
  if (!whole)
    macro_fail_text (macro_of (L), "%s must be an integer.", key);
  lua_pop (L, 1);
  return value;
}

GArray *
macro_numbers (lua_State *L, int i)
{
  GArray *numbers =
    macro_own (macro_of (L), g_array_new (FALSE, FALSE, sizeof (double)), (GDestroyNotify) g_array_unref);
  luaL_checktype (L, i, LUA_TTABLE);
  for (lua_Integer n = 1; lua_rawgeti (L, i, n) != LUA_TNIL; n++, lua_pop (L, 1)) {
    int is_number;
    double number = lua_tonumberx (L, -1, &is_number);
    luaL_argcheck (L, is_number && isfinite (number), i, "it is a list of numbers");
    g_array_append_val (numbers, number);
  }
  lua_pop (L, 1);
  return numbers;
}

void
macro_push_number (lua_State *L, double number)
{
  if (number == floor (number) && fabs (number) < 0x1p53)
    lua_pushinteger (L, (lua_Integer) number);
  else
    lua_pushnumber (L, number);
}

void
macro_push_numbers (lua_State *L, const double *numbers, gsize n)
{
  lua_createtable (L, (int) MIN (n, G_MAXINT), 0);
  for (gsize i = 0; i < n; i++) {
    macro_push_number (L, numbers[i]);
    lua_rawseti (L, -2, (lua_Integer) i + 1);
  }
}
