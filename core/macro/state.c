/* SPDX-License-Identifier: MIT
 */
#include "core/macro/state.h"

#include "core/base/error.h"

#include <stdlib.h>

typedef struct {
  gpointer data;
  GDestroyNotify free;
} Owned;

Macro *
macro_of (lua_State *L)
{
  return *(Macro **) lua_getextraspace (L);
}

const MacroFunction *
macro_function (lua_State *L)
{
  return lua_touserdata (L, lua_upvalueindex (1));
}

gpointer
macro_own (Macro *m, gpointer data, GDestroyNotify free)
{
  Owned owned = {data, free};
  if (data)
    g_array_append_val (m->owned, owned);
  return data;
}

static void
let_go (gpointer data)
{
  Owned *owned = data;
  owned->free (owned->data);
}

GArray *
macro_owned_new (void)
{
  GArray *owned = g_array_new (FALSE, FALSE, sizeof (Owned));
  g_array_set_clear_func (owned, let_go);
  return owned;
}

/* ---- Ends and errors ---- */

int
macro_end (Macro *m, GError *error)
{
  m->ended = TRUE;
  m->end = error;
  luaL_error (m->lua, "%s", error ? error->message : "");
  abort (); /* it does not come back */
}

/* The error with the line that runs, or that called the function that does. */
static GError *
with_line (Macro *m, GError *error)
{
  lua_Debug about;
  m->end = error; /* where it is known, should there be no memory now */
  gboolean in_lua = lua_getstack (m->lua, 0, &about) && lua_getinfo (m->lua, "l", &about) && about.currentline > 0;
  luaL_where (m->lua, in_lua ? 0 : 1);
  g_prefix_error (&m->end, "%s", lua_tostring (m->lua, -1));
  lua_pop (m->lua, 1);
  return m->end;
}

/* Why it has to end now; NULL: it has not. */
static GError *
reason_to_end (Macro *m)
{
  GError *error = NULL;
  if (!progress_is_stopped (&m->progress))
    return NULL;
  if (progress_is_over (&m->progress)) /* asked last: it may have become so just now */
    step_error_set (&error, FV_CANCELLED, NULL, "It took longer than the limit of %g s.", m->options->seconds);
  else
    step_error_set (&error, FV_CANCELLED, NULL, "Stopped.");
  return error;
}

void
macro_heed (Macro *m)
{
  GError *error = m->ended ? NULL : reason_to_end (m);
  if (m->ended)
    luaL_error (m->lua, "%s", m->end ? m->end->message : "");
  if (error)
    macro_end (m, with_line (m, error));
}

int
macro_fail (Macro *m, GError *error)
{
  g_clear_error (&m->raised);
  m->raised = error;
  macro_heed (m);
  if (step_error_is_cancelled (error))
    macro_end (m, with_line (m, g_error_copy (error)));
  luaL_error (m->lua, "%s", error->message);
  abort ();
}

int
macro_fail_text (Macro *m, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  char *text = macro_own (m, g_strdup_vprintf (format, ap), g_free);
  va_end (ap);
  luaL_error (m->lua, "%s", text);
  abort ();
}

void
macro_attach (Macro *m, gsize bytes)
{
  static const gsize many = 256 << 20;
  m->attached += bytes;
  if (m->attached > many) {
    lua_gc (m->lua, LUA_GCCOLLECT);
    m->attached = bytes;
  }
}

int
macro_end_text (Macro *m, fv_status code, const char *format, ...)
{
  GError *error = NULL;
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (&error, code, NULL, "%s", text);
  g_clear_pointer (&text, g_free);
  macro_end (m, with_line (m, error));
}

void
macro_end_starved (Macro *m)
{
  g_autofree char *where = m->hungry_line ? g_strdup_printf ("%s:%d", m->name, m->hungry_line) : g_strdup (m->name);
  GError *error = reason_to_end (m);
  if (!error)
    step_error_set (&error, FV_NO_MEMORY, NULL, "It needs more memory than the limit of %" G_GSIZE_FORMAT " MiB.",
                    m->max >> 20);
  g_prefix_error (&error, "%s: ", where);
  m->ended = TRUE;
  g_clear_error (&m->end);
  m->end = error;
}
