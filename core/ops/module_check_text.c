/* SPDX-License-Identifier: MIT
 */
#include "core/ops/module_check_text.h"

#include "core/base/error.h"

#include <string.h>

#define ALIASES 4096 /* bytes of them together */

gboolean
module_fault (GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (error, FV_UNSUPPORTED, NULL, "%s", text);
  return FALSE;
}

static gboolean
has_controls (const char *text)
{
  for (; *text; text = g_utf8_next_char (text))
    if (g_unichar_iscntrl (g_utf8_get_char (text)))
      return TRUE;
  return FALSE;
}

gboolean
module_check_text (const char *member, const char *text, gsize max, GError **error)
{
  gsize n = text ? strnlen (text, max) : 0;
  if (!n)
    return module_fault (error, "it has no %s", member);
  if (n == max)
    return module_fault (error, "its %s has no end within %zu bytes", member, max);
  if (!g_utf8_validate (text, (gssize) n, NULL))
    return module_fault (error, "its %s is not UTF-8", member);
  return !has_controls (text) || module_fault (error, "its %s holds a control character", member);
}

gboolean
module_check_text_or_null (const char *member, const char *text, gsize max, GError **error)
{
  return !text || !*text || module_check_text (member, text, max, error);
}

gboolean
module_check_bool (const char *member, const bool *b, GError **error)
{
  return *(const unsigned char *) b <= 1 || module_fault (error, "its %s is neither true nor false", member);
}

gboolean
module_check_key (const char *key, GError **error)
{
  if (!key || strnlen (key, MODULE_KEY) == MODULE_KEY)
    return module_fault (error, "its key has no end within %d bytes", MODULE_KEY);
  gboolean good = g_ascii_islower (*key);
  for (; *key; key++)
    good = good && (g_ascii_islower (*key) || g_ascii_isdigit (*key) || *key == '_');
  return good || module_fault (error, "its key is not lower_snake_case");
}

gboolean
module_check_aliases (const char *aliases, gboolean (*check) (const char *key, GError **error), GError **error)
{
  if (!aliases)
    return TRUE;
  if (!module_check_text ("list of aliases", aliases, ALIASES, error))
    return FALSE;
  g_auto (GStrv) keys = g_strsplit (aliases, ",", -1);
  for (char **key = keys; *key; key++)
    if (!module_check_key (*key, error) || !check (*key, error)) {
      g_prefix_error (error, "alias '%s': ", *key);
      return FALSE;
    }
  return TRUE;
}

gboolean
module_check_new_key (gconstpointer array, gsize size, guint last, GError **error)
{
  const char *at = array, *key = *(const char *const *) (at + last * size);
  for (guint i = 0; i < last; i++)
    if (!strcmp (*(const char *const *) (at + i * size), key))
      return module_fault (error, "its key occurs twice");
  return TRUE;
}

gboolean
module_check_word (const char *key, GError **error)
{
  static const char *const words[] = {"as", "from", "skip", NULL};
  return !g_strv_contains (words, key) || module_fault (error, "its key is a reserved word");
}
