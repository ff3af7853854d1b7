/* SPDX-License-Identifier: MIT
 */
#include "core/macro/writers.h"

#include "core/base/file_error.h"

#include <string.h>

#define IMAGES ".tif .tiff .fits .fit .fts .png .jpg .jpeg"
#define TABLES ".csv .tsv .txt"
#define SELECTIONS ".zip .roi"

const MacroWriter macro_writers[] = {
  {"image:save", NULL, "an image", IMAGES},
  {"saveAs", "Tiff", "a TIFF image", ".tif .tiff"},
  {"saveAs", "FITS", "a FITS image", ".fits .fit .fts"},
  {"saveAs", "PNG", "a PNG image", ".png"},
  {"saveAs", "Jpeg", "a JPEG image", ".jpg .jpeg"},
  {"saveAs", "Results", "a table", TABLES},
  {"saveAs", "Measurements", "a table", TABLES},
  {"saveAs", "Selection", "selections", SELECTIONS},
  {"run", "Save...", "an image", IMAGES},
  {"run", "Save Steps...", "steps", ".steps .txt"},
  {"run", "Save Results...", "a table", TABLES},
  {"run", "Export Figure...", "a figure", ".png .tif .tiff .svg .pdf"},
  {"roiManager", "save", "selections", SELECTIONS},
  {"table:save", NULL, "a table", TABLES},
  {"File.saveString", NULL, "a text", ".txt .csv .tsv .json .md .log"},
  {"File.makeDirectory", NULL, "a folder", NULL},
  {0},
};

const MacroWriter *
writers_find (const char *function, const char *command)
{
  for (const MacroWriter *w = macro_writers; w->function; w++)
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
  return file_fail (error, FILE_ERROR_WRITE, path, "cannot hold %s: take a name that ends with %s.", writer->makes,
                    all->str);
}
