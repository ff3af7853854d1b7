/* SPDX-License-Identifier: MIT
 *
 * Left out is what reads files or code, what others could be harmed with, and what the hook and the limits cannot see: finalizers run
 * without hooks, and coroutines have errors of their own.
 */
#include "core/macro/sandbox.h"

#include "core/base/text.h"
#include "core/macro/cage.h"
#include "core/macro/functions.h"
#include "core/macro/values.h"

#include <lualib.h>
#include <string.h>

/* ---- Replacements of Lua's own ---- */

gboolean
sandbox_settle (Macro *m, int status, guint owned)
{
  if (status == LUA_ERRMEM && !m->ended)
    macro_end_starved (m);
  cage_leave (m, FALSE);
  g_array_set_size (m->owned, owned);
  return !m->ended;
}

/* Calls the function at stack index i; all results, or the error, replace it. */
static int
try_call (lua_State *L, int i)
{
  Macro *m = macro_of (L);
  guint owned = m->owned->len;
  int status = lua_pcall (L, lua_gettop (L) - i, LUA_MULTRET, 0);
  if (!sandbox_settle (m, status, owned))
    macro_heed (m);
  return status;
}

static int
call_protected (lua_State *L)
{
  luaL_checkany (L, 1);
  int status = try_call (L, 1);
  lua_pushboolean (L, status == LUA_OK);
  lua_insert (L, 1);
  return lua_gettop (L);
}

/* xpcall (function, handler, …). Lua's own calls the handler where the error is, in a hook perhaps, where there are no hooks. */
static int
call_handled (lua_State *L)
{
  luaL_checktype (L, 2, LUA_TFUNCTION);
  lua_pushvalue (L, 1);
  lua_insert (L, 3);
  int status = try_call (L, 3);
  if (status) {
    lua_pushvalue (L, 2);
    lua_insert (L, 3);
    lua_call (L, 1, LUA_MULTRET);
  }
  lua_pushboolean (L, status == LUA_OK);
  lua_replace (L, 2);
  return lua_gettop (L) - 1;
}

static int
set_metatable (lua_State *L)
{
  luaL_checktype (L, 1, LUA_TTABLE);
  if (!lua_isnil (L, 2)) {
    luaL_checktype (L, 2, LUA_TTABLE);
    lua_pushliteral (L, "__gc");
    if (lua_rawget (L, 2) != LUA_TNIL)
      return luaL_error (L, "a metatable of a macro can have no __gc");
    lua_pop (L, 1);
  }
  if (luaL_getmetafield (L, 1, "__metatable") != LUA_TNIL)
    return luaL_error (L, "cannot change a protected metatable");
  lua_settop (L, 2);
  lua_setmetatable (L, 1);
  return 1;
}

/* string.rep (text, times, separator). Lua's own copies each time alone, which takes long for short texts and for ever for those without
 * length. */
static int
repeat (lua_State *L)
{
  Macro *m = macro_of (L);
  luaL_Buffer buffer;
  size_t n, between;
  const char *text = luaL_checklstring (L, 1, &n);
  lua_Integer times = luaL_checkinteger (L, 2);
  const char *separator = luaL_optlstring (L, 3, "", &between);
  size_t unit = n + between, all;
  if (times < 1 || !unit) {
    lua_pushliteral (L, "");
    return 1;
  }
  if ((lua_Unsigned) times > m->max / unit)
    macro_fail_text (m, "The text would exceed the memory limit of %" G_GSIZE_FORMAT " MiB.", m->max >> 20);
  char *to = luaL_buffinitsize (L, &buffer, all = unit * (size_t) times);
  memcpy (to, text, n);
  memcpy (to + n, separator, between);
  for (size_t done = unit; done < all; done *= 2)
    memcpy (to + done, to, MIN (done, all - done));
  luaL_pushresultsize (&buffer, all - between);
  return 1;
}

/* ---- Opening ---- */

static void
take_away (lua_State *L, const char *const *names)
{
  for (; *names; names++) {
    lua_pushnil (L);
    lua_setfield (L, -2, *names);
  }
}

static void
open_lua (lua_State *L)
{
  static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},       {LUA_STRLIBNAME, luaopen_string},
                                       {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
                                       {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_OSLIBNAME, luaopen_os}};
  static const char *const not_base[] = {"load", "loadfile", "dofile", "collectgarbage", "warn", NULL},
                           *const not_string[] = {"dump", NULL}, *const not_os[] = {"execute", "exit",   "getenv",
                                                                                    "remove",  "rename", "setlocale",
                                                                                    "tmpname", NULL};
  static const luaL_Reg own[] = {
    {"pcall", call_protected}, {"xpcall", call_handled}, {"setmetatable", set_metatable}, {NULL, NULL}};
  for (guint i = 0; i < G_N_ELEMENTS (libraries); i++) {
    luaL_requiref (L, libraries[i].name, libraries[i].func, TRUE);
    lua_pop (L, 1);
  }
  lua_pushglobaltable (L);
  take_away (L, not_base);
  luaL_setfuncs (L, own, 0);
  lua_getfield (L, -1, LUA_STRLIBNAME);
  take_away (L, not_string);
  lua_pushcfunction (L, repeat);
  lua_setfield (L, -2, "rep");
  lua_getfield (L, -2, LUA_OSLIBNAME);
  take_away (L, not_os);
  lua_settop (L, 0);
}

/* Random numbers are the same each time that a macro runs. */
static void
seed (lua_State *L)
{
  lua_getglobal (L, LUA_MATHLIBNAME);
  lua_getfield (L, -1, "randomseed");
  lua_pushinteger (L, 1);
  lua_call (L, 1, 0);
  lua_settop (L, 0);
}

void
sandbox_open (lua_State *L)
{
  open_lua (L);
  seed (L);
  values_open (L);
  functions_open (L);
}

/* ---- Hints ---- */

/* The most similar known name: of a global, or of a field or method. */
static char *
nearest (lua_State *L, const char *name, gboolean global)
{
  g_autoptr (GPtrArray) names = functions_names (global);
  if (global) {
    lua_pushglobaltable (L);
    for (lua_pushnil (L); lua_next (L, -2); lua_pop (L, 1))
      if (lua_type (L, -2) == LUA_TSTRING)
        g_ptr_array_add (names, g_strdup (lua_tostring (L, -2)));
    lua_pop (L, 1);
  }
  g_ptr_array_add (names, NULL);
  return text_nearest (name, (const char *const *) names->pdata);
}

/* The existing name closest to an unknown one; owned. */
static const char *
advice (lua_State *L, const char *word, gboolean global)
{
  static const char *const outside[] = {"io",   "debug",    "package", "coroutine",      "require",
                                        "load", "loadfile", "dofile",  "collectgarbage", NULL};
  Macro *m = macro_of (L);
  if (global && g_strv_contains (outside, word))
    return ": a macro can use only its own functions";
  const char *hint = macro_own (m, nearest (L, word, global), g_free);
  return hint ? macro_own (m, g_strdup_printf (": did you mean '%s'?", hint), g_free) : "";
}

/* Prepends the macro's current line to the message at stack index 1 if it has none: errors raised in C do not know
 * it. */
static void
add_line (lua_State *L)
{
  const char *name = macro_of (L)->name, *text = lua_tostring (L, 1);
  lua_Debug about;
  if (g_str_has_prefix (text, name) && text[strlen (name)] == ':')
    return;
  lua_pushfstring (L, "%s: %s", name, text);
  for (int level = 1; lua_getstack (L, level, &about); level++)
    if (lua_getinfo (L, "l", &about) && about.currentline > 0) {
      lua_pushfstring (L, "%s:%d: %s", name, about.currentline, text);
      break;
    }
  lua_replace (L, 1);
}

int
sandbox_explain (lua_State *L)
{
  static const char nothing[] = "a nil value (";
  Macro *m = macro_of (L);
  lua_settop (L, 1);
  if (lua_type (L, 1) != LUA_TSTRING) {
    lua_pushfstring (L, "an error that is not a string but a %s", luaL_typename (L, 1));
    lua_replace (L, 1);
  }
  add_line (L);
  lua_settop (L, 1);
  const char *text = lua_tostring (L, 1), *at = strstr (text, nothing), *name = at ? strchr (at, '\'') : NULL;
  const char *end = name ? strchr (name + 1, '\'') : NULL, *begin = strstr (text, "attempt to ");
  if (!end || !begin)
    return 1;
  char *word = macro_own (m, g_strndup (name + 1, (gsize) (end - name - 1)), g_free);
  const char *advised = advice (L, word, g_str_has_prefix (at + strlen (nothing), "global"));
  lua_pushlstring (L, text, (size_t) (begin - text));
  if (g_str_has_prefix (begin, "attempt to call"))
    lua_pushfstring (L, "Unknown name '%s'%s", word, *advised ? advised : ".");
  else
    lua_pushfstring (L, "'%s' has no value%s", word, *advised ? advised : ".");
  lua_concat (L, 2);
  return 1;
}

void
sandbox_explain_syntax (lua_State *L)
{
  static const struct {
    const char *near, *hint;
  } hints[] = {{"near '//'", "a comment begins with --"},
               {"near '/'", "a comment begins with --"},
               {"near '!'", "'not equal' is ~=, and 'not' is written as a word"},
               {"near '&'", "'and' is written as a word"},
               {"near '|'", "'or' is written as a word"},
               {"near '+'", "write i = i + 1"},
               {"near '{'", "blocks are written as then … end and do … end"}};
  const char *text = lua_tostring (L, -1);
  if (g_str_has_prefix (text, "attempt to load")) {
    lua_pushfstring (L, "%s: a macro must be text; this is not.", macro_of (L)->name);
    return;
  }
  if (g_str_has_prefix (text, "C stack overflow")) {
    lua_pushfstring (L, "%s: nested too deeply.", macro_of (L)->name);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (strstr (text, hints[i].near)) {
      lua_pushfstring (L, "%s: %s.", text, hints[i].hint);
      return;
    }
}
