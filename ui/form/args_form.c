/* SPDX-License-Identifier: MIT
 */
#include "ui/form/args_form.h"

#include "core/ops/args.h"

#include <glib/gi18n.h>
#include <string.h>

static char *
get (gpointer data, const fv_param *param)
{
  const ArgsForm *form = data;
  return args_get (form->args, param);
}

static gboolean
set (gpointer data, const fv_param *param, const char *value, GError **error)
{
  const ArgsForm *form = data;
  g_autofree gpointer with = args_copy (form->op, form->args);
  if (!args_set (form->op, with, param->key, value, error) || (form->check && !form->check (with, error)))
    return FALSE;
  memcpy (form->args, with, form->op->fv.args_size);
  param_form_refresh (form->form);
  if (form->changed)
    form->changed (form->self);
  return TRUE;
}

static gboolean
enabled (gpointer data, const fv_param *param)
{
  const ArgsForm *form = data;
  return !(form->is_left_out && form->is_left_out (form->self, param)) && args_enabled (form->op, form->args, param);
}

GtkWidget *
args_form_new (ArgsForm *form, int most)
{
  const ParamSource source = {.self = form,
                              .get = get,
                              .set = set,
                              .enabled = enabled,
                              .automatic = form->automatic ? form->automatic : _ ("automatic")};
  GtkWidget *widget = param_form_new (&source, 0, most);
  form->form = FOVEA_PARAM_FORM (widget);
  return widget;
}
