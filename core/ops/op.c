/* SPDX-License-Identifier: MIT
 */
#include "core/ops/op.h"

#include <string.h>

char *
op_title (const Op *op)
{
  gsize length = strlen (op->fv.label);
  return g_strndup (op->fv.label, g_str_has_suffix (op->fv.label, "...") ? length - 3 : length);
}

gboolean
op_has_trait (const Op *op, fv_trait trait)
{
  return (op->fv.traits & trait) != 0;
}

const fv_imagej *
op_imagej (const Op *op, const char *command)
{
  for (guint i = 0; i < op->n_imagej; i++)
    if (!strcmp (op->fv.imagej[i].command, command))
      return &op->fv.imagej[i];
  return NULL;
}

gboolean
op_has_alias (const char *aliases, const char *key)
{
  g_auto (GStrv) all = g_strsplit (aliases ? aliases : "", ",", -1);
  return g_strv_contains ((const char *const *) all, key);
}

void
op_free (gpointer data)
{
  Op *op = data;
  if (!op)
    return;
  g_clear_pointer (&op->choices, g_ptr_array_unref);
  g_free ((gpointer) op->fv.params);
  g_free ((gpointer) op->fv.inputs);
  g_free ((gpointer) op->fv.outputs);
  g_free ((gpointer) op->fv.scalars);
  g_free ((gpointer) op->fv.imagej);
  g_free ((gpointer) op->fv.columns);
  g_free (op->made);
  g_free (op->path);
  g_free (op);
}
