/* SPDX-License-Identifier: MIT
 */
#include "core/view/luts.h"

#include "core/base/fork.h"

#include <glib/gstdio.h>
#include <string.h>

#define ENDING ".lut"

const char *const luts_shipped[] = {"gray",   "inverted", "red",     "green",   "blue",    "magenta", "cyan",
                                    "yellow", "fire",     "viridis", "cividis", "glasbey", "labels",  NULL};

static const char *const in_imagej[][2] = {{"gray", "Grays"},    {"red", "Red"},         {"green", "Green"},
                                           {"blue", "Blue"},     {"magenta", "Magenta"}, {"cyan", "Cyan"},
                                           {"yellow", "Yellow"}, {"fire", "Fire"}};

static GMutex lock;
static GTree *tables; /* name -> Lut */
static guint serial;

FORK_GUARD_STATIC (lock)

const char *
luts_in_imagej (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (in_imagej); i++)
    if (!strcmp (name, in_imagej[i][0]))
      return in_imagej[i][1];
  return NULL;
}

const char *
luts_of_imagej (const char *command)
{
  for (guint i = 0; i < G_N_ELEMENTS (in_imagej); i++)
    if (!strcmp (command, in_imagej[i][1]))
      return in_imagej[i][0];
  return NULL;
}

gboolean
luts_known (const char *name)
{
  Lut lut;
  return !*name || g_strv_contains (luts_shipped, name) || luts_find (name, &lut);
}

char *
luts_folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "fovea", "luts", NULL);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  (void) data;
  return strcmp (a, b);
}

static void
add (const char *name, const Lut *lut)
{
  g_tree_replace (tables, g_strdup (name), g_memdup2 (lut, sizeof *lut));
  serial++;
}

/* A file that is none is left out: who opens it hears why. */
static void
add_file (const char *folder, const char *file)
{
  g_autofree char *path = g_build_filename (folder, file, NULL), *name = luts_name (file);
  Lut lut;
  if (g_str_has_suffix (file, ENDING) && lut_read (path, &lut, NULL))
    add (name, &lut);
}

/* The folder is read at the first call. */
static void
begin (void)
{
  g_mutex_lock (&lock);
  if (tables)
    return;
  tables = g_tree_new_full (compare, NULL, g_free, g_free);
  g_autofree char *folder = luts_folder ();
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *file;
  while (dir && (file = g_dir_read_name (dir)))
    add_file (folder, file);
  g_clear_pointer (&dir, g_dir_close);
}

static gboolean
add_name (gpointer name, gpointer table, gpointer names)
{
  (void) table;
  g_ptr_array_add (names, g_strdup (name));
  return FALSE;
}

char **
luts_others (void)
{
  GPtrArray *names = g_ptr_array_new ();
  begin ();
  g_tree_foreach (tables, add_name, names);
  g_mutex_unlock (&lock);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

guint
luts_serial (void)
{
  begin ();
  const guint now = serial;
  g_mutex_unlock (&lock);
  return now;
}

gboolean
luts_find (const char *name, Lut *lut)
{
  begin ();
  const Lut *found = g_tree_lookup (tables, name);
  if (found)
    *lut = *found;
  g_mutex_unlock (&lock);
  return found != NULL;
}

char *
luts_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  if (g_str_has_suffix (base, ENDING))
    base[strlen (base) - strlen (ENDING)] = 0;
  const gboolean shipped = g_strv_contains (luts_shipped, base) || !*base;
  char *name = g_strconcat (shipped ? "my_" : "", base, NULL);
  for (char *c = name; *c; c++)
    if (!g_ascii_isalnum (*c) && !strchr ("-_.", *c))
      *c = '_';
  if (strlen (name) >= LUT_NAME)
    name[LUT_NAME - 1] = 0;
  return name;
}

void
luts_add (const char *name, const Lut *lut)
{
  begin ();
  add (name, lut);
  g_mutex_unlock (&lock);
}

gboolean
luts_keep (const char *name, const Lut *lut, GError **error)
{
  g_autofree char *folder = luts_folder (), *file = g_strconcat (name, ENDING, NULL),
                  *path = g_build_filename (folder, file, NULL);
  g_mkdir_with_parents (folder, 0700);
  if (!lut_write (path, lut, error))
    return FALSE;
  luts_add (name, lut);
  return TRUE;
}

char *
luts_open (const char *path, GError **error)
{
  Lut lut;
  if (!lut_read (path, &lut, error))
    return NULL;
  char *name = luts_name (path);
  luts_add (name, &lut);
  return name;
}
