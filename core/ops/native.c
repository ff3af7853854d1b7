/* SPDX-License-Identifier: MIT
 *
 * Codes that are allowed are known by their SHA-256.
 */
#include "core/ops/native.h"

#include "core/base/error.h"
#include "core/ops/args.h"

#include <string.h>

static char *
sum_of (const char *code)
{
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, code, -1);
}

char *
native_code (const Op *op, gconstpointer args)
{
  if (!op->fv.native)
    return NULL;
  if (op->made)
    return g_strdup (op->made);
  GString *code = g_string_new (NULL);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *text = p->type == FV_TEXT ? args_get (args, p) : NULL;
    if (text && *text)
      g_string_append_printf (code, "%s:\n%s\n", p->key, text);
  }
  return g_string_free (code, FALSE);
}

void
native_allow (const Modules *modules, const char *code)
{
  NativeConsent *consent = modules_consent (modules);
  g_mutex_lock (&consent->lock);
  if (code)
    g_hash_table_add (consent->codes, sum_of (code));
  else
    consent->all = TRUE;
  g_mutex_unlock (&consent->lock);
}

gboolean
native_text_is_allowed (const Modules *modules, const char *code)
{
  g_autofree char *sum = sum_of (code);
  NativeConsent *consent = modules_consent (modules);
  g_mutex_lock (&consent->lock);
  gboolean allowed = consent->all || g_hash_table_contains (consent->codes, sum);
  g_mutex_unlock (&consent->lock);
  return allowed;
}

gboolean
native_is_allowed (const Op *op, gconstpointer args)
{
  g_autofree char *code = native_code (op, args), *own = NULL;
  g_autofree gpointer defaults = code && !op->made ? args_new (op, NULL) : NULL;
  if (!code || (defaults && !strcmp (code, own = native_code (op, defaults))))
    return TRUE;
  return native_text_is_allowed (op->modules, code);
}

gboolean
native_check (const Op *op, gconstpointer args, GError **error)
{
  if (native_is_allowed (op, args))
    return TRUE;
  g_autofree char *from =
    op->path ? g_strdup_printf ("'%s' contains code", op->path) : g_strdup_printf ("%s contains code", op->fv.key);
  step_error_set (error, FV_UNSUPPORTED, NULL,
                  "%s. It runs with your permissions and has not been allowed. Read it, then allow it in "
                  "the app or with --allow-native.",
                  from);
  return FALSE;
}

/* ---- Where it came from ---- */

void
native_note_origin (const Modules *modules, const char *code, const char *from)
{
  NativeConsent *consent = modules_consent (modules);
  g_mutex_lock (&consent->lock);
  g_hash_table_insert (consent->origins, sum_of (code), g_strdup (from));
  g_mutex_unlock (&consent->lock);
}

char *
native_origin (const Op *op, gconstpointer args)
{
  if (op->path) {
    g_autofree char *path = g_filename_display_name (op->path);
    return g_strdup_printf ("the file '%s'", path);
  }
  g_autofree char *code = native_code (op, args), *sum = sum_of (code);
  NativeConsent *consent = modules_consent (op->modules);
  g_mutex_lock (&consent->lock);
  char *from = g_strdup (g_hash_table_lookup (consent->origins, sum));
  g_mutex_unlock (&consent->lock);
  return from;
}
