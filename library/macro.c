/* SPDX-License-Identifier: MIT
 *
 * Macros on a host without a window.
 */
#include "core/macro/macro.h"

#include "core/base/error.h"
#include "core/base/file_read.h"
#include "core/base/text.h"
#include "core/macro/functions.h"
#include "core/macro/headless.h"
#include "core/ops/native.h"
#include "library/private.h"

#include <string.h>

enum { LARGEST = 16 << 20 }; /* bytes of a macro */

char *
library_macro_name (const char *path)
{
  g_autofree char *base = path ? g_path_get_basename (path) : g_strdup ("macro");
  return text_visible (base, "");
}

char *
library_macro_read (const char *path, gsize *n, GError **error)
{
  return file_read_small (path, 0, LARGEST, n, error);
}

GPtrArray *
library_macro_answers (const char *const *arguments)
{
  GPtrArray *list = g_ptr_array_new ();
  for (; arguments && *arguments; arguments++)
    if (strchr (*arguments, '='))
      g_ptr_array_add (list, (gpointer) *arguments);
  g_ptr_array_add (list, NULL);
  return list;
}

/* The argument without a name, or NULL. */
static const char *
nameless (const char *const *arguments)
{
  for (; arguments && *arguments; arguments++)
    if (!strchr (*arguments, '='))
      return *arguments;
  return NULL;
}

MacroOptions
library_macro_settings (const char *path, const fovea_macro_options *options)
{
  return (MacroOptions){.folders = options->folders,
                        .path = path,
                        .argument = nameless (options->arguments),
                        .memory = (gsize) MAX (0, options->memory),
                        .seconds = options->seconds,
                        .overwrite = options->overwrite};
}

static gboolean
open_inputs (Headless *headless, const char *const *inputs, GError **error)
{
  for (; inputs && *inputs; inputs++)
    if (!headless_open (headless, *inputs, error))
      return FALSE;
  return TRUE;
}

static gboolean
run (fovea_context *context, const char *path, const char *text, gsize n, const fovea_macro_options *o, GError **error)
{
  const HeadlessTalk talk = {o->print, o->progress, o->status, o->note, o->user};
  g_autoptr (GPtrArray) answers = library_macro_answers (o->arguments);
  g_autoptr (Headless) headless =
    headless_new (context->modules, o->device, (const char *const *) answers->pdata, &talk);
  g_autofree char *name = library_macro_name (path);
  const MacroOptions options = library_macro_settings (path, o);
  return native_check_macro (context->modules, text, name, error) && open_inputs (headless, o->inputs, error)
         && macro_run (text, n, name, headless_host (headless), &options, progress_current (), error)
         && headless_all_asked (headless, error);
}

fovea_code
fovea_macro_run (fovea_context *context, const char *path, const char *text, const fovea_macro_options *options,
                 fovea_error **error)
{
  GError *fault = NULL;
  fovea_macro_options o = {0};
  g_autofree char *read = NULL;
  gsize n = text ? strlen (text) : 0;
  if (!library_has (context, "context", error) || (!text && !library_has (path, "path", error))
      || (options && !library_take (options, &o, sizeof o, "options", error)))
    return FOVEA_BAD_ARGUMENT;
  if (!text && !(text = read = library_macro_read (path, &n, &fault)))
    return library_fail (error, fault);
  return run (context, path, text, n, &o, &fault) ? FOVEA_OK : library_fail (error, fault);
}

char *
fovea_macro_reference (void)
{
  return functions_reference ();
}
