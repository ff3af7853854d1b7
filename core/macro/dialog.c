/* SPDX-License-Identifier: MIT
 *
 * Dialogs are made field by field, shown, and then read in the same order, as in ImageJ.
 */
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/macro/state.h"

#include <string.h>

static void
field_free (gpointer data)
{
  MacroField *field = data;
  g_free (field->label);
  g_free (field->value);
  g_strfreev (field->choices);
  g_free (field);
}

static int
create (lua_State *L, Macro *m)
{
  const char *title = luaL_optstring (L, 1, "Macro");
  g_free (m->dialog);
  m->dialog = g_strdup (title);
  g_clear_pointer (&m->fields, g_ptr_array_unref);
  m->fields = g_ptr_array_new_with_free_func (field_free);
  memset (m->asked, 0, sizeof m->asked);
  return 0;
}

/* Takes value and choices. */
static int
add (Macro *m, MacroFieldKind kind, const char *label, char *value, int decimals, char **choices)
{
  MacroField *field = g_new (MacroField, 1);
  *field = (MacroField){kind, text_from_bytes (label), value, decimals, choices};
  g_ptr_array_add (m->fields, field);
  return 0;
}

/* The label at stack index 1, of an open dialog. */
static const char *
label_of (lua_State *L, Macro *m)
{
  if (!m->dialog)
    macro_fail_text (m, "No dialog: start one with Dialog.create(\"TITLE\").");
  return macro_text (L, 1);
}

static int
add_number (lua_State *L, Macro *m)
{
  const char *label = label_of (L, m);
  double number = luaL_checknumber (L, 2);
  int decimals = (int) CLAMP (luaL_optinteger (L, 3, number == (gint64) CLAMP (number, -1e15, 1e15) ? 0 : 3), 0, 9);
  return add (m, MACRO_NUMBER, label, text_from_number (number), decimals, NULL);
}

static int
add_string (lua_State *L, Macro *m)
{
  const char *label = label_of (L, m), *value = luaL_optstring (L, 2, "");
  return add (m, MACRO_TEXT, label, text_from_bytes (value), 0, NULL);
}

static int
add_checkbox (lua_State *L, Macro *m)
{
  const char *label = label_of (L, m);
  return add (m, MACRO_CHECKBOX, label, g_strdup (lua_toboolean (L, 2) ? "yes" : "no"), 0, NULL);
}

static int
add_choice (lua_State *L, Macro *m)
{
  const char *label = label_of (L, m);
  GPtrArray *choices = macro_own (m, g_ptr_array_new_with_free_func (g_free), (GDestroyNotify) g_ptr_array_unref);
  luaL_checktype (L, 2, LUA_TTABLE);
  for (lua_Integer i = 1; lua_rawgeti (L, 2, i) != LUA_TNIL; i++, lua_pop (L, 1))
    g_ptr_array_add (choices, text_from_bytes (luaL_checkstring (L, -1)));
  g_ptr_array_add (choices, NULL);
  luaL_argcheck (L, choices->len > 1, 2, "it is a list of choices");
  const char *value = luaL_optstring (L, 3, choices->pdata[0]);
  luaL_argcheck (L, g_strv_contains ((const char *const *) choices->pdata, value), 3, "it is not one of the choices");
  return add (m, MACRO_CHOICE, label, g_strdup (value), 0, g_strdupv ((char **) choices->pdata));
}

static void
show_fields (Macro *m)
{
  GError *error = NULL;
  if (!m->host->dialog (m->host->self, m->dialog, m->fields, &error))
    macro_fail (m, error);
}

static int
show (lua_State *L, Macro *m)
{
  if (!m->dialog)
    macro_fail_text (m, "No dialog: start one with Dialog.create(\"TITLE\").");
  (void) L;
  show_fields (m);
  return 0;
}

/* The next answer of that kind. */
static const char *
answer (Macro *m, MacroFieldKind kind)
{
  guint n = m->asked[kind]++;
  for (guint i = 0; m->fields && i < m->fields->len; i++) {
    const MacroField *field = m->fields->pdata[i];
    if (field->kind == kind && !n--)
      return field->value;
  }
  macro_fail_text (m, "The dialog has no further field of that type.");
}

static int
push_number (lua_State *L, Macro *m, const char *value)
{
  double number;
  if (!text_to_number (value, &number))
    macro_fail_text (m, "'%s' is not a number.", value);
  macro_push_number (L, number);
  return 1;
}

static int
get_number (lua_State *L, Macro *m)
{
  return push_number (L, m, answer (m, MACRO_NUMBER));
}

static int
get_string (lua_State *L, Macro *m)
{
  lua_pushstring (L, answer (m, MACRO_TEXT));
  return 1;
}

static int
get_checkbox (lua_State *L, Macro *m)
{
  lua_pushboolean (L, !strcmp (answer (m, MACRO_CHECKBOX), "yes"));
  return 1;
}

static int
get_choice (lua_State *L, Macro *m)
{
  lua_pushstring (L, answer (m, MACRO_CHOICE));
  return 1;
}

/* A dialog of one field. */
static const char *
ask (lua_State *L, Macro *m, MacroFieldKind kind, char *value, int decimals)
{
  const char *label = macro_text (L, 1);
  macro_own (m, value, g_free);
  lua_settop (L, 0);
  create (L, m);
  add (m, kind, label, g_strdup (value), decimals, NULL);
  show_fields (m);
  return answer (m, kind);
}

static int
ask_number (lua_State *L, Macro *m)
{
  double number = luaL_checknumber (L, 2);
  macro_text (L, 1);
  return push_number (L, m, ask (L, m, MACRO_NUMBER, text_from_number (number), 3));
}

static int
ask_string (lua_State *L, Macro *m)
{
  const char *value = luaL_checkstring (L, 2);
  macro_text (L, 1);
  lua_pushstring (L, ask (L, m, MACRO_TEXT, text_from_bytes (value), 0));
  return 1;
}

const MacroFunction macro_dialog_functions[] = {
  {"Dialog.create", "title",
   "starts a dialog. Without a window, --arg NAME=VALUE sets its fields, where NAME is the "
   "label with '_' for spaces; other fields keep their defaults.",
   create},
  {"Dialog.addNumber", "label, value[, decimals]", "adds a number field.", add_number},
  {"Dialog.addString", "label[, text]", "adds a text field.", add_string},
  {"Dialog.addCheckbox", "label, on", "adds a checkbox.", add_checkbox},
  {"Dialog.addChoice", "label, choices[, value]", "adds a list of strings to choose from.", add_choice},
  {"Dialog.show", "", "shows it and waits. The macro ends if the dialog is canceled.", show},
  {"Dialog.getNumber", "", "returns the number of the first number field, then of the next.", get_number},
  {"Dialog.getString", "", "returns the same for text fields.", get_string},
  {"Dialog.getCheckbox", "", "returns the same for checkboxes: true or false.", get_checkbox},
  {"Dialog.getChoice", "", "returns the same for choices.", get_choice},
  {"getNumber", "label, value", "asks for a number in a dialog.", ask_number},
  {"getString", "label, text", "asks for a string in a dialog.", ask_string},
  {0},
};
