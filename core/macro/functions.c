/* SPDX-License-Identifier: MIT
 */
#include "core/macro/functions.h"

#include "core/macro/cage.h"
#include "core/macro/writers.h"
#include "core/macro/values.h"

#include <string.h>

static const struct {
  const char *title;
  const MacroFunction *functions;
} chapters[] = {
  {"Images", macro_image_functions},
  {"Sequences", macro_sequence_functions},
  {"Steps", macro_step_functions},
  {"Recipes", macro_recipe_functions},
  {"Selections", macro_selection_functions},
  {"Kept selections", macro_roi_functions},
  {"Positions", macro_position_functions},
  {"Showing", macro_look_functions},
  {"Tables", macro_table_functions},
  {"Files", macro_file_functions},
  {"Dialogs", macro_dialog_functions},
  {"Talking", macro_talk_functions},
  {"Several images", macro_several_functions},
  {"As in ImageJ", macro_imagej_functions},
};

/* What was owned when it was called is freed when it returns. */
static int
call (lua_State *L)
{
  Macro *m = macro_of (L);
  guint owned = m->owned->len;
  macro_heed (m);
  int n = macro_function (L)->call (L, m);
  cage_leave (m, TRUE);
  g_array_set_size (m->owned, owned);
  return n;
}

static void
open_function (lua_State *L, const MacroFunction *function)
{
  g_auto (GStrv) parts = g_strsplit_set (function->name, ".:", 2);
  lua_pushlightuserdata (L, (gpointer) function);
  lua_pushcclosure (L, call, 1);
  if (!parts[1])
    lua_setglobal (L, parts[0]);
  else if (strchr (function->name, ':')) {
    values_methods (L, parts[0]);
    lua_insert (L, -2);
    lua_setfield (L, -2, parts[1]);
    lua_pop (L, 1);
  } else {
    lua_pushglobaltable (L);
    luaL_getsubtable (L, -1, parts[0]);
    lua_pushvalue (L, -3);
    lua_setfield (L, -2, parts[1]);
    lua_pop (L, 3);
  }
}

void
functions_open (lua_State *L)
{
  for (guint i = 0; i < G_N_ELEMENTS (chapters); i++)
    for (const MacroFunction *function = chapters[i].functions; function->name; function++)
      open_function (L, function);
}

GPtrArray *
functions_names (gboolean global)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < G_N_ELEMENTS (chapters); i++)
    for (const MacroFunction *function = chapters[i].functions; function->name; function++) {
      const char *mark = strpbrk (function->name, ".:");
      if (global == !mark)
        g_ptr_array_add (names, g_strdup (mark ? mark + 1 : function->name));
    }
  return names;
}

/* The endings of what each of them saves. */
static void
add_writers (GString *s)
{
  g_string_append (s, "\n"
                      "## What is saved\n"
                      "\n"
                      "Names end with one of these; others are errors. [Macros](macros.md#what-a-macro-may-do) "
                      "says where files can be created and which can be replaced.\n\n");
  for (const MacroWriter *w = writers_all (); w->function; w++) {
    g_auto (GStrv) endings = g_strsplit (w->endings ? w->endings : "", " ", -1);
    g_autofree char *list = g_strjoinv ("`, `", endings);
    if (w->endings && w->command)
      g_string_append_printf (s, "- `%s(\"%s\", …)`: %s: `%s`.\n", w->function, w->command, w->makes, list);
    else if (w->endings)
      g_string_append_printf (s, "- `%s()`: %s: `%s`.\n", w->function, w->makes, list);
  }
}

char *
functions_reference (void)
{
  GString *s = g_string_new (
    "# Functions of macros\n\nMade from their declarations; [Macros](macros.md) explains how they go together.\n");
  for (guint i = 0; i < G_N_ELEMENTS (chapters); i++) {
    g_string_append_printf (s, "\n## %s\n\n", chapters[i].title);
    for (const MacroFunction *function = chapters[i].functions; function->name; function++)
      g_string_append_printf (s, "- `%s(%s)`: %s\n", function->name, function->arguments, function->help);
  }
  add_writers (s);
  return g_string_free (s, FALSE);
}
