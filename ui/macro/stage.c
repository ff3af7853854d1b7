/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/stage.h"

#include "core/base/error.h"

Document *
macro_ask_document (const MacroAsk *ask)
{
  const MacroStage *s = ask->stage;
  return s->shell && ask->image && ask->image <= s->images->len ? s->images->pdata[ask->image - 1] : NULL;
}

Page *
macro_ask_page (const MacroAsk *ask)
{
  Document *document = macro_ask_document (ask);
  return document ? shell_page_of (ask->stage->shell, document) : NULL;
}

gpointer
macro_ask (gpointer self, void (*work) (gpointer ask), guint image, gconstpointer in)
{
  MacroStage *s = self;
  MacroAsk a = {.stage = s, .image = image, .in = in};
  relay_call (s->relay, work, &a);
  return a.out;
}

gboolean
macro_ask_closed (GError **error)
{
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "The image was closed.");
  return FALSE;
}

gboolean
macro_ask_or_fail (gpointer self, void (*work) (gpointer ask), guint image, gconstpointer in, GError **error)
{
  MacroStage *s = self;
  MacroAsk a = {.stage = s, .image = image, .in = in};
  relay_call (s->relay, work, &a);
  if (a.error)
    g_propagate_error (error, a.error);
  return !a.error;
}
