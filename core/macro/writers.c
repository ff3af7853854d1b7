/* SPDX-License-Identifier: MIT
 */
#include "core/macro/writers.h"

#include "core/files/formats.h"
#include "core/files/objects.h"

#include <string.h>

#define TABLES ".csv .tsv .txt"
#define SELECTIONS ".zip .roi .geojson"

/* Behind those for the formats of images. */
static const MacroWriter others[] = {
  {"saveAs", "Results", "a table", TABLES},
  {"saveAs", "Measurements", "a table", TABLES},
  {"saveAs", "Selection", "selections", SELECTIONS},
  {"run", "Save Steps...", "steps", ".steps .txt"},
  {"run", "Save Results...", "a table", TABLES},
  {"run", "Export Figure...", "a figure", ".png .tif .tiff .svg .pdf"},
  {"roiManager", "save", "selections", SELECTIONS},
  {"table:save", NULL, "a table", TABLES},
  {"File.saveString", NULL, "a text", ".txt .csv .tsv .json .md .log"},
  {"File.makeDirectory", NULL, "a folder", NULL},
  {0},
};

static void
add (GArray *writers, const char *function, const char *command, const char *makes, const char *endings)
{
  const MacroWriter writer = {function, command, makes, endings};
  g_array_append_val (writers, writer);
}

static void
append_endings (GString *endings, const FileFormat *format)
{
  for (guint i = 0; i < format->n_written; i++)
    g_string_append_printf (endings, "%s.%s", endings->len ? " " : "", format->endings[i]);
}

/* For as long as the program runs. */
static const MacroWriter *
make_list (void)
{
  GArray *writers = g_array_new (FALSE, FALSE, sizeof (MacroWriter));
  GString *all = g_string_new (NULL);
  for (const FileFormat *const *f = formats_all (); *f; f++)
    append_endings (all, *f);
  append_endings (all, &format_objects);
  add (writers, "image:save", NULL, "an image", all->str);
  for (const FileFormat *const *f = formats_all (); *f; f++)
    if ((*f)->macro) {
      GString *endings = g_string_new (NULL);
      append_endings (endings, *f);
      add (writers, "saveAs", (*f)->macro, g_strdup_printf ("an image as %s", (*f)->label),
           g_string_free (endings, FALSE));
    }
  add (writers, "run", "Save...", "an image", g_string_free (all, FALSE));
  g_array_append_vals (writers, others, G_N_ELEMENTS (others));
  return (const MacroWriter *) (gpointer) g_array_free (writers, FALSE);
}

const MacroWriter *
writers_all (void)
{
  static const MacroWriter *list;
  if (g_once_init_enter (&list))
    g_once_init_leave (&list, make_list ());
  return list;
}

const MacroWriter *
writers_find (const char *function, const char *command)
{
  for (const MacroWriter *w = writers_all (); w->function; w++)
    if (!strcmp (w->function, function)
        && (command ? w->command && !g_ascii_strcasecmp (w->command, command) : !w->command))
      return w;
  return NULL;
}

static const char *
base_of (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

char *
writers_name (const MacroWriter *writer, const char *path)
{
  const gboolean adds = !strcmp (writer->function, "saveAs") && !strchr (base_of (path), '.');
  return g_strdup_printf ("%s%.*s", path, adds ? (int) strcspn (writer->endings, " ") : 0, writer->endings);
}

gboolean
writers_check_ending (const MacroWriter *writer, const char *path, GError **error)
{
  g_auto (GStrv) endings = g_strsplit (writer->endings, " ", -1);
  const char *ending = strrchr (base_of (path), '.');
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; endings[i]; i++) {
    if (ending && !g_ascii_strcasecmp (ending, endings[i]))
      return TRUE;
    g_string_append_printf (all, "%s%s", !i ? "" : endings[i + 1] ? ", " : " or ", endings[i]);
  }
  return file_fail (error, FILE_ERROR_WRITE, path, "cannot store %s. Choose a name that ends with %s.", writer->makes,
                    all->str);
}
