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
#include "library/private.h"

#include <string.h>

enum { LARGEST = 16 << 20 }; /* bytes of a macro */

/* The argument without a name, or NULL. */
static const char *
nameless (const char *const *arguments)
{
  for (; arguments && *arguments; arguments++)
    if (!strchr (*arguments, '='))
      return *arguments;
  return NULL;
}

/* Those with names: a list of what is in the other one. */
static GPtrArray *
named (const char *const *arguments)
{
  GPtrArray *list = g_ptr_array_new ();
  for (; arguments && *arguments; arguments++)
    if (strchr (*arguments, '='))
      g_ptr_array_add (list, (gpointer) *arguments);
  g_ptr_array_add (list, NULL);
  return list;
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
  const HeadlessTalk talk = {o->print, o->progress, o->status, o->user};
  g_autoptr (GPtrArray) answers = named (o->arguments);
  g_autoptr (Headless) headless =
    headless_new (context->modules, o->device, (const char *const *) answers->pdata, &talk);
  g_autofree char *base = path ? g_path_get_basename (path) : g_strdup ("macro"), *name = text_visible (base, ""),
                  *unasked = NULL;
  const MacroOptions options = {.folders = o->folders,
                                .path = path,
                                .argument = nameless (o->arguments),
                                .input = o->input,
                                .output_folder = o->output_folder,
                                .memory = (gsize) MAX (0, o->memory),
                                .seconds = o->seconds};
  if (!open_inputs (headless, o->inputs, error)
      || !macro_run (text, n, name, headless_host (headless), &options, progress_current (), error))
    return FALSE;
  if (!(unasked = headless_unasked (headless)))
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "arguments", "--arg %s: the macro has not asked for it.", unasked);
  return FALSE;
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
  if (!text && !(text = read = file_read_small (path, 0, LARGEST, &n, &fault)))
    return library_fail (error, fault);
  return run (context, path, text, n, &o, &fault) ? FOVEA_OK : library_fail (error, fault);
}

char *
fovea_macro_reference (void)
{
  return functions_reference ();
}
