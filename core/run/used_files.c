/* SPDX-License-Identifier: MIT
 */
#include "core/run/used_files.h"

#include "core/base/file_sum.h"
#include "core/ops/models.h"

#include <string.h>

/* Calls a function for each file of a step that is done. */
static void
each_file (const Run *run, void (*take) (gpointer to, const Step *step, const char *path), gpointer to)
{
  for (guint i = 0; i < run_length (run); i++) {
    const RunStep *result = run_result (run, i);
    const Op *op = result->step->op;
    for (guint k = 0; k < op->n_params && result->done; k++) {
      const fv_param *param = &op->fv.params[k];
      g_autofree char *path = models_file (param, (const char *) result->step->args + param->offset);
      if (path)
        take (to, result->step, path);
    }
  }
}

static void
take_path (gpointer to, const Step *step, const char *path)
{
  (void) step;
  if (!g_ptr_array_find_with_equal_func (to, path, g_str_equal, NULL))
    g_ptr_array_add (to, g_strdup (path));
}

char **
used_files (const Run *run)
{
  GPtrArray *paths = g_ptr_array_new ();
  each_file (run, take_path, paths);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

static void
take_sentence (gpointer to, const Step *step, const char *path)
{
  GString *text = to;
  g_autofree char *sum = file_sum (path, NULL),
                  *sentence =
                    sum ? g_strdup_printf ("%s: the SHA-256 of %s is %s.", step->op->fv.key, path, sum) : NULL;
  if (sentence && !strstr (text->str, sentence))
    g_string_append_printf (text, "%s%s", text->len ? " " : "", sentence);
}

void
used_files_add (GString *text, const Run *run)
{
  each_file (run, take_sentence, text);
}
