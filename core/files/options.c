/* SPDX-License-Identifier: MIT
 *
 * They are parameters like those of operations, and core/ops/args.h reads both.
 */
#include "core/files/options.h"

#include "core/files/formats.h"
#include "core/ops/args.h"

#include <string.h>

Op
options_op (const FileFormat *format)
{
  Op op = {.fv = {.key = format->key, .args_size = (uint32_t) format->options_size, .params = format->options}};
  while (format->options && format->options[op.n_params].key)
    op.n_params++;
  return op;
}

/* The format lacks the option: says which ones have it. */
static gboolean
fail_unknown (const char *path, const char *key, GError **error)
{
  g_autoptr (GString) having = g_string_new (NULL);
  for (const FileFormat *const *f = formats_all (); *f; f++) {
    const Op op = options_op (*f);
    if (args_param (&op, key))
      g_string_append_printf (having, "%s.%s", having->len ? ", " : "", (*f)->endings[0]);
  }
  if (having->len)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written so: %s can be chosen for %s only.", key,
                      having->str);
  return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written so: no format has an option '%s'.", key);
}

static gboolean
set (const Op *op, gpointer options, const char *path, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *key = g_strndup (word, equals ? (gsize) (equals - word) : strlen (word));
  return args_param (op, key) ? args_set (op, options, key, equals ? equals + 1 : "", error)
                              : fail_unknown (path, key, error);
}

gboolean
options_read (const FileFormat *format, const char *path, const char *text, gpointer *options, GError **error)
{
  const Op op = options_op (format);
  g_autofree gpointer read = op.n_params ? args_new (&op, error) : NULL;
  g_auto (GStrv) words = g_strsplit (text ? text : "", " ", -1);
  if (op.n_params && !read)
    return FALSE;
  for (char **word = words; *word; word++)
    if (**word && !set (&op, read, path, *word, error))
      return FALSE;
  if (format->check && !format->check (read, error))
    return FALSE;
  *options = g_steal_pointer (&read);
  return TRUE;
}

/* " --tile 256" of "tile=256"; switches have no value there: "--no-pyramid". */
static void
append_option (GString *s, const char *word)
{
  const char *equals = strchr (word, '=');
  if (!equals)
    return;
  const gboolean is_off = !strcmp (equals, "=no");
  g_string_append_printf (s, " --%s%.*s", is_off ? "no-" : "", (int) (equals - word), word);
  if (is_off)
    return;
  if (strcmp (equals, "=yes"))
    g_string_append_printf (s, " %s", equals + 1);
}

char *
options_for_command (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text ? text : "", " ", -1);
  GString *s = g_string_new (NULL);
  for (char **word = words; *word; word++)
    append_option (s, *word);
  return g_string_free (s, FALSE);
}
