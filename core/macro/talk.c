/* SPDX-License-Identifier: MIT
 *
 * What macros say, and how they end.
 */
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/macro/state.h"

#include <string.h>

static int
print (lua_State *L, Macro *m)
{
  luaL_Buffer line;
  int n = lua_gettop (L);
  luaL_buffinit (L, &line);
  for (int i = 1; i <= n; i++) {
    if (i > 1)
      luaL_addchar (&line, ' ');
    luaL_tolstring (L, i, NULL);
    luaL_addvalue (&line);
  }
  luaL_pushresult (&line);
  m->printed += strlen (lua_tostring (L, -1)) + 1;
  if (m->printed > m->options->output)
    macro_end_text (m, FV_NO_MEMORY, "It printed more than the limit of %" G_GSIZE_FORMAT " KiB.",
                    m->options->output >> 10);
  m->host->print (m->host->self, macro_own (m, text_from_bytes (lua_tostring (L, -1)), g_free));
  return 0;
}

static int
show_progress (lua_State *L, Macro *m)
{
  double done = luaL_checknumber (L, 1), all = luaL_optnumber (L, 2, 1);
  m->host->progress (m->host->self, all > 0 ? CLAMP (done / all, 0, 1) : 0);
  return 0;
}

static int
show_status (lua_State *L, Macro *m)
{
  const char *text = luaL_checkstring (L, 1);
  m->host->status (m->host->self, macro_own (m, text_from_bytes (text), g_free));
  return 0;
}

static int
finish (lua_State *L, Macro *m)
{
  if (lua_isnoneornil (L, 1))
    macro_end (m, NULL);
  macro_end_text (m, FV_BAD_ARGUMENT, "%s",
                  (const char *) macro_own (m, text_visible (luaL_checkstring (L, 1), "\n"), g_free));
}

static int
get_argument (lua_State *L, Macro *m)
{
  lua_pushstring (L, m->options->argument ? m->options->argument : "");
  return 1;
}

static int
set_batch_mode (lua_State *L, Macro *m)
{
  (void) L, (void) m;
  return 0;
}

/* A list of its arguments. */
static int
new_array (lua_State *L, Macro *m)
{
  int n = lua_gettop (L);
  (void) m;
  lua_createtable (L, n, 0);
  lua_insert (L, 1);
  for (int i = n; i > 0; i--)
    lua_rawseti (L, 1, i);
  return 1;
}

const MacroFunction macro_talk_functions[] = {
  {"print", "…", "prints its arguments on one line, separated by spaces.", print},
  {"showProgress", "done[, all]", "reports the progress of the macro: a fraction of 1, or a number and its total.",
   show_progress},
  {"showStatus", "text", "shows a status message.", show_status},
  {"exit", "[message]", "ends the macro; with a message, it counts as failed.", finish},
  {"getArgument", "", "returns the value of --arg without a name, or \"\".", get_argument},
  {"setBatchMode", "on", "does nothing: a macro here never waits for the display.", set_batch_mode},
  {"newArray", "…", "returns a list of its arguments.", new_array},
  {0},
};
