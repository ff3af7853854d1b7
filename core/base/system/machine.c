/* SPDX-License-Identifier: MIT
 */
#include "core/base/system/machine.h"

#include <string.h>

enum { LONGEST = 127 };

char *
machine_vectors (void)
{
  g_autoptr (GString) s = g_string_new (NULL);
#ifdef __x86_64__
  if (__builtin_cpu_supports ("avx2"))
    g_string_append (s, ", AVX2");
  if (__builtin_cpu_supports ("fma"))
    g_string_append (s, ", FMA");
  if (__builtin_cpu_supports ("avx512f"))
    g_string_append (s, ", AVX-512");
#endif
  return g_strdup (s->len ? s->str + strlen (", ") : "");
}

/* What follows after the label in the first line that has it; NULL: no line. */
static char *
value_in (const char *path, const char *label)
{
  g_autofree char *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  const char *found = text ? strstr (text, label) : NULL;
  return found ? g_strstrip (g_strndup (found + strlen (label), MIN (strcspn (found + strlen (label), "\n"), LONGEST)))
               : NULL;
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  ..." */
static char *
driver_version (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "version", NULL), *line = value_in (path, "Kernel Module");
  g_auto (GStrv) words = g_strsplit (line ? line : "", " ", -1);
  for (char **word = words; *word; word++)
    if (g_ascii_isdigit (**word))
      return g_strdup (*word);
  return NULL;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
machine_gpus (const char *folder)
{
  g_autofree char *list = g_build_filename (folder, "gpus", NULL), *driver = driver_version (folder);
  g_autoptr (GDir) dir = g_dir_open (list, 0, NULL);
  g_autoptr (GPtrArray) addresses = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *gpus = g_ptr_array_new ();
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    g_ptr_array_add (addresses, g_strdup (name));
  g_ptr_array_sort (addresses, compare_names);
  for (guint i = 0; i < addresses->len; i++) {
    g_autofree char *path = g_build_filename (list, addresses->pdata[i], "information", NULL),
                    *model = value_in (path, "Model:");
    if (model)
      g_ptr_array_add (gpus, driver ? g_strdup_printf ("%s, driver %s", model, driver) : g_strdup (model));
  }
  g_ptr_array_add (gpus, NULL);
  return (char **) g_ptr_array_free (gpus, FALSE);
}
