/* SPDX-License-Identifier: MIT
 *
 * Code of unknown origin counts as the macro's own. Other code, such as that of an operation's file or of existing steps, always needs permission of
 * its own.
 */
#include "ui/macro/consent.h"

#include "core/base/error.h"
#include "core/ops/native.h"
#include "ui/shell/native_dialog.h"

#include <string.h>

typedef struct {
  MacroStage *stage;
  const Recipe *recipe;
  gboolean allowed;
} Consent;

static void
claim (const MacroStage *s, const Step *step)
{
  if (native_is_allowed (step->op, step->args))
    return;
  g_autofree char *from = native_origin (step->op, step->args), *code = NULL;
  if (from && strcmp (from, s->whose))
    return;
  code = native_code (step->op, step->args);
  native_note_origin (s->modules, code, s->whose);
  if (s->granted)
    native_allow (s->modules, code);
}

static void
on_answered (gpointer data, gboolean run)
{
  Consent *c = data;
  c->allowed = run;
  c->stage->dialog = NULL;
  relay_answer (c->stage->relay);
}

static void
in_consent (gpointer data)
{
  Consent *c = data;
  MacroStage *s = c->stage;
  if (s->shell)
    s->dialog = native_dialog_ask (GTK_WINDOW (s->shell), s->modules, c->recipe, on_answered, c);
  else
    relay_answer (s->relay);
}

static void
stop_consent (gpointer data)
{
  gtk_dialog_response (GTK_DIALOG (((Consent *) data)->stage->dialog), GTK_RESPONSE_CANCEL);
}

gboolean
macro_consent_get (MacroStage *s, const Recipe *recipe, GError **error)
{
  Consent c = {s, recipe, FALSE};
  for (guint i = 0; i < recipe_length (recipe); i++)
    claim (s, recipe_step (recipe, i));
  if (!native_dialog_needed (recipe))
    return TRUE;
  if (!relay_wait (s->relay, in_consent, stop_consent, &c, error))
    return FALSE;
  if (!c.allowed)
    step_error_set (error, FV_CANCELLED, NULL, "The step's code was not allowed to run.");
  return c.allowed;
}
