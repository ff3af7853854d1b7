/* SPDX-License-Identifier: MIT
 *
 * A macro is a program: what steps it makes is known when it makes them, and then they are asked about or refused. Here only its text is
 * looked at, so that what is plainly there is asked about before anything is done.
 */
#include "core/ops/native.h"

#include "core/base/error.h"

/* As run("LABEL"), and as a step of a text: at its beginning, or behind a |. The line, from 1; 0: it does not. */
static guint
line_naming (const char *text, const Op *op)
{
  g_autofree char *title = op_title (op), *label = g_regex_escape_string (title, -1),
                  *pattern =
                    g_strdup_printf ("\\brun\\s*\\(?\\s*[\"'\\[]+(?:%s|%s)(?:\\.\\.\\.)?[\"'\\]]"
                                     "|[\"'\\[|=]\\s*%s\\s+[a-z_0-9]+\\s*="
                                     "|\\brecipe\\s*\\(?\\s*[\"'\\[]+\\s*%s\\s*[\"'\\]|]|\\|\\s*%s\\s*[\"'\\]|]",
                                     label, op->fv.key, op->fv.key, op->fv.key, op->fv.key);
  g_autoptr (GRegex) use = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int start;
  if (!g_regex_match (use, text, 0, &match) || !g_match_info_fetch_pos (match, 0, &start, NULL))
    return 0;
  guint line = 1;
  for (const char *c = text; c < text + start; c++)
    line += *c == '\n';
  return line;
}

/* The code of one that was made of a text is known. */
static gboolean
may_ask (const Op *op)
{
  return op->fv.native && !(op->made && native_is_allowed (op, NULL));
}

const Op *
native_in_macro (const Modules *modules, const char *text, guint *line)
{
  const GPtrArray *ops = modules_ops (modules);
  g_autoptr (GRegex) comment = g_regex_new ("--[^\n]*", 0, 0, NULL);
  g_autofree char *code =
    g_utf8_validate (text, -1, NULL) ? g_regex_replace_literal (comment, text, -1, 0, "", 0, NULL) : NULL;
  for (guint i = 0; code && i < ops->len; i++)
    if (may_ask (ops->pdata[i]) && (*line = line_naming (code, ops->pdata[i])))
      return ops->pdata[i];
  return NULL;
}

gboolean
native_check_macro (const Modules *modules, const char *text, const char *name, GError **error)
{
  guint line;
  const Op *op = native_text_is_allowed (modules, text) ? NULL : native_in_macro (modules, text, &line);
  if (!op)
    return TRUE;
  g_autofree char *title = op_title (op);
  step_error_set (error, FV_UNSUPPORTED, NULL,
                  "%s:%u: %s runs code with your permissions and has not been allowed. Read it, then allow "
                  "it in the app or with --allow-native. Nothing was run.",
                  name, line, title);
  return FALSE;
}
