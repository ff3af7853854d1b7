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
  g_free (op->made);
  g_free (op->path);
  g_free (op);
}
