/* SPDX-License-Identifier: MIT
 */
#include "core/macro/host/names.h"

#include "core/base/file_error.h"
#include "core/base/text.h"

/* NULL: nothing is wrong with it. */
static const char *
fault_of (const char *name)
{
  g_autofree char *spelled = text_from_bytes (name), *visible = text_visible (name, "");
  if (*name == '.')
    return "is hidden, and a macro cannot create hidden files. Choose a name without the dot";
  if (*name == '~' || g_str_has_suffix (name, "~"))
    return "contains '~', which is not expanded to a home folder here and marks backups at the end. "
           "Choose a name without it";
  if (*name == '-')
    return "starts like an option of other programs; choose a name that does not start with '-'";
  if (g_strcmp0 (spelled, visible))
    return "contains control characters. Choose a name without them";
  return NULL;
}

gboolean
names_check (const char *names, const char *path, GError **error)
{
  g_auto (GStrv) all = g_strsplit (names, "/", -1);
  for (char **name = all; *name; name++) {
    const char *fault = fault_of (*name);
    g_autofree char *shown = fault ? text_visible (*name, "") : NULL;
    if (fault)
      return file_fail (error, FILE_ERROR_WRITE, path, "cannot be made: '%s' %s.", shown, fault);
  }
  return TRUE;
}
