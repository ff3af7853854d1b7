/* SPDX-License-Identifier: MIT
 */
#include "core/macro/step_files.h"

#include <string.h>

typedef struct {
  const Macro *macro;
  const Recipe *before;
} Asking;

static gboolean
has_file (const Recipe *recipe, const char *path)
{
  for (guint n = 0; n < recipe_length (recipe); n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      const FileInput *file = recipe_step (recipe, n)->files[i];
      if (file && !strcmp (file_input_path (file), path))
        return TRUE;
    }
  return FALSE;
}

static char *
find (gpointer data, const char *path, GError **error)
{
  const Asking *asking = data;
  if (asking->before && has_file (asking->before, path))
    return g_strdup (path);
  char *whole = folders_read (asking->macro->folders, path, error);
  if (whole) {
    folders_protect (asking->macro->folders, whole);
    folders_tell (asking->macro->folders, whole);
  }
  return whole;
}

/* Those that are opened now for the first time may be of sets. What cannot be opened is an error of the step that needs it. */
static void
take_others (Macro *m, const Recipe *recipe, const Recipe *before)
{
  GError *error = NULL;
  for (guint n = 0; n < recipe_length (recipe); n++)
    for (guint i = 0; i < recipe_step (recipe, n)->op->n_inputs; i++) {
      FileInput *file = recipe_step (recipe, n)->files[i];
      const gboolean is_new = file && !(before && has_file (before, file_input_path (file)));
      Image *image = is_new ? file_input_image (file, NULL) : NULL;
      if (image && !folders_take_others (m->folders, image, &error))
        macro_fail (m, error);
    }
}

/* The user's own operations are files that are read, too. */
static void
tell_operations (const Folders *folders, const Recipe *recipe)
{
  for (guint n = 0; n < recipe_length (recipe); n++)
    if (recipe_step (recipe, n)->op->path)
      folders_tell (folders, recipe_step (recipe, n)->op->path);
}

Recipe *
step_files_whole (Macro *m, const Recipe *recipe, const Recipe *before)
{
  GError *error = NULL;
  Recipe *whole = recipe_with_files (recipe, find, &(Asking){m, before}, &error);
  if (!whole)
    macro_fail (m, error);
  macro_own (m, whole, (GDestroyNotify) recipe_unref);
  take_others (m, whole, before);
  tell_operations (m->folders, whole);
  return whole;
}
