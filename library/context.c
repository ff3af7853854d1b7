/* SPDX-License-Identifier: MIT
 *
 * The plugins and what they offer.
 */
#include "library/private.h"

#include "core/base/environment.h"
#include "core/base/fork.h"
#include "core/files/plugin_format.h"
#include "core/ops/native.h"

#include <string.h>

const char *
fovea_version (void)
{
  return FOVEA_VERSION;
}

fovea_context *
fovea_context_new (fovea_flags flags, fovea_error **error)
{
  fovea_context *context;
  Modules *modules;
  GError *fault = NULL;
  if (!environment_check (&fault)) {
    library_fail (error, fault);
    return NULL;
  }
  switch (flags) {
  case FOVEA_DEFAULT: modules = modules_new (); break;
  case FOVEA_NO_PLUGINS: modules = modules_new_shipped (); break;
  case FOVEA_NO_OPERATIONS: modules = modules_new_empty (); break;
  default: library_fail_argument (error, "flags", "Unknown flag %d.", (int) flags); return NULL;
  }
  plugin_formats_use (modules);
  context = g_new0 (fovea_context, 1);
  g_atomic_ref_count_init (&context->references);
  context->modules = modules;
  g_mutex_init (&context->lock);
  fork_guard (&context->lock, NULL, NULL);
  context->devices = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return context;
}

fovea_context *
library_context_ref (fovea_context *context)
{
  g_atomic_ref_count_inc (&context->references);
  return context;
}

void
fovea_context_free (fovea_context *context)
{
  if (!context || !g_atomic_ref_count_dec (&context->references))
    return;
  helper_free (context->helper);
  operations_free (context->operations);
  g_hash_table_unref (context->devices);
  g_free (context->device_list);
  fork_unguard (&context->lock);
  g_mutex_clear (&context->lock);
  plugin_formats_drop (context->modules);
  modules_free (context->modules);
  g_free (context);
}

const char *const *
fovea_context_refused (const fovea_context *context)
{
  return context ? modules_refused (context->modules) : NULL;
}

const char *const *
fovea_context_folders (const fovea_context *context)
{
  return context ? modules_folders (context->modules) : NULL;
}

void
fovea_context_allow_native (fovea_context *context)
{
  if (context)
    native_allow (context->modules, NULL);
}

/* ---- Operations ---- */

static const Operations *
operations_of (const fovea_context *constant)
{
  fovea_context *context = (fovea_context *) constant; /* it shows no change */
  g_mutex_lock (&context->lock);
  if (!context->operations)
    context->operations = operations_new (context->modules);
  g_mutex_unlock (&context->lock);
  return context->operations;
}

const fovea_operation *const *
fovea_context_operations (const fovea_context *context)
{
  return context ? operations_list (operations_of (context)) : NULL;
}

const fovea_format *const *
fovea_context_formats (const fovea_context *context)
{
  return context ? operations_formats (operations_of (context)) : NULL;
}

const fovea_operation *
fovea_context_figure (const fovea_context *context)
{
  return context ? operations_figure (operations_of (context)) : NULL;
}

const fovea_operation *
fovea_context_operation (const fovea_context *context, const char *key, fovea_error **error)
{
  GError *fault = NULL;
  const Op *op;
  if (!library_has (context, "context", error) || !library_has (key, "key", error))
    return NULL;
  if ((op = modules_op (context->modules, key, &fault)))
    for (const fovea_operation *const *all = fovea_context_operations (context); *all; all++)
      if (!strcmp ((*all)->key, op->fv.key))
        return *all;
  library_fail (error, fault);
  return NULL;
}
