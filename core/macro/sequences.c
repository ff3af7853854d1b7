/* SPDX-License-Identifier: MIT
 *
 * The words are those of ImageJ 1.53t and of the older versions that it reads.
 */
#include "core/macro/sequences.h"

#include "core/base/text.h"
#include "core/files/files.h"
#include "core/files/imagej_sequence.h"
#include "core/macro/imagej_range.h"
#include "core/macro/images.h"

#include <math.h>
#include <string.h>

/* ---- Words ---- */

typedef enum { FOLDER, FILTER, OR, START, COUNT, STEP, SCALE, TYPE, SORT, VIRTUAL, UNSORTED_BY_HEADER, OTHER } Meaning;

/* A word that ends in '=' has a value. */
static const struct {
  const char *word;
  Meaning meaning;
} words_known[] = {
  {"dir=", FOLDER},
  {"open=", FOLDER},
  {"filter=", FILTER},
  {"file=", FILTER},
  {"or=", OR},
  {"start=", START},
  {"starting=", START},
  {"count=", COUNT},
  {"number=", COUNT},
  {"step=", STEP},
  {"increment=", STEP},
  {"inc=", STEP},
  {"scale=", SCALE},
  {"type=", TYPE},
  {"bitdepth=", TYPE},
  {"sort", SORT},
  {"virtual", VIRTUAL},
  {"use", VIRTUAL},
  {"noMetaSort", UNSORTED_BY_HEADER},
};

/* *value: what follows the '='; "" without. */
static Meaning
meaning_of (const char *word, const char **value)
{
  for (guint i = 0; i < G_N_ELEMENTS (words_known); i++) {
    const char *known = words_known[i].word;
    *value = word + strlen (known);
    if (g_str_has_suffix (known, "=") ? g_str_has_prefix (word, known) : !strcmp (word, known))
      return words_known[i].meaning;
  }
  return OTHER;
}

/* Cut off as ImageJ does it. */
static gint64
whole_number (Macro *m, const char *word, const char *value)
{
  double number;
  if (!text_to_number (value, &number) || !(fabs (number) <= G_MAXINT32))
    macro_fail_text (m, "'%s' is not a number: Image Sequence takes start=1, count=20, step=2 and scale=100.", word);
  return (gint64) number;
}

typedef struct {
  ImageJSequence files;
  gint64 scale;
  gboolean virtual;
} Said;

static void
take_word (Macro *m, const char *word, Said *said)
{
  const char *value;
  switch (meaning_of (word, &value)) {
  case FOLDER: said->files.folder = value; break;
  case FILTER: said->files.filter = *value ? value : NULL; break;
  case OR: said->files.whole = *value ? value : NULL; break;
  case START: said->files.start = whole_number (m, word, value); break;
  case COUNT: said->files.count = whole_number (m, word, value); break;
  case STEP: said->files.step = whole_number (m, word, value); break;
  case SCALE: said->scale = whole_number (m, word, value); break;
  case SORT: said->files.sorted = TRUE; break;
  case VIRTUAL: said->virtual = TRUE; break;
  case UNSORTED_BY_HEADER: break;
  case TYPE:
    if (strcmp (value, "default") && strcmp (value, "0"))
      macro_fail_text (m,
                       "'%s' is not supported for Image Sequence. Use run(\"16-bit\"), run(\"32-bit\") or run(\"RGB "
                       "Color\") afterwards.",
                       word);
    break;
  case OTHER:
    macro_fail_text (
      m,
      "Image Sequence accepts dir=, filter=, start=, count=, step=, sort and use here, and the older open=, "
      "file=, or=, starting=, number= and increment=, not '%s'.",
      word);
  }
}

static void
take_words (Macro *m, const char *options, Said *said)
{
  for (char **word = macro_words (m, options); *word; word++)
    take_word (m, *word, said);
  if (said->scale < 100 && !said->virtual)
    macro_fail_text (m, "scale=%d is not supported for Image Sequence. Use run(\"scale\", …) afterwards.",
                     (int) said->scale);
}

/* ---- Display ranges ---- */

/* Widens the range by those that a file says. FALSE: it says none. */
static gboolean
widen_by_file (const char *path, double *low, double *high)
{
  g_autoptr (FilesImages) images = files_images_new (path, NULL);
  ImageInfo info = {0};
  const char *depends;
  if (!images || !files_images_describe (images, 0, &info, &depends, NULL))
    return FALSE;
  const gboolean says = info.display_ranges != NULL;
  if (says) {
    *low = fmin (*low, info.display_ranges[0]);
    *high = fmax (*high, info.display_ranges[1]);
  }
  image_info_clear (&info);
  return says;
}

/* ImageJ shows the range of all slices together. */
static void
set_range (Macro *m, guint image)
{
  const char *path = macro_own (m, m->host->path (m->host->self, image), g_free);
  const ImageInfo *info = image_info (images_shown (m, NULL));
  double low = INFINITY, high = -INFINITY;
  guint said = 0;
  g_autoptr (GPtrArray) paths = path && info->type != FV_U8 ? files_paths_of_pattern (path, NULL) : NULL;
  if (!paths)
    return;
  for (guint i = 0; i < paths->len; i++)
    said += widen_by_file (paths->pdata[i], &low, &high);
  if (said && said < paths->len)
    imagej_range_lose (m, "Image Sequence...");
  else if (said)
    imagej_range_set (m, low, high);
  else
    imagej_range_all (m);
}

/* ---- Opening ---- */

/* The folder of a replaced sequence need not exist. */
static guint
open_sequence (Macro *m, const Said *said)
{
  GError *error = NULL;
  ImageJSequence files = said->files;
  char *path = NULL;
  if (!images_are_replaced (m)) {
    if (!(files.folder = folders_read (m->folders, files.folder, &error)))
      macro_fail (m, error);
    macro_own (m, (gpointer) files.folder, g_free);
    if (!(path = imagej_sequence_path (&files, &error)))
      macro_fail (m, error);
    macro_own (m, path, g_free);
  }
  const guint image = images_open (m, path, 0);
  set_range (m, image);
  return image;
}

int
sequences_import (lua_State *L, Macro *m, const char *command, const char *arguments)
{
  Said said = {.files = {.start = 1, .step = 1}, .scale = 100};
  (void) L;
  take_words (m, arguments, &said);
  if (!said.files.folder)
    macro_fail_text (m, "run(\"%s\", …) needs dir=[FOLDER].", command);
  open_sequence (m, &said);
  return 0;
}

static int
open_folder (lua_State *L, Macro *m)
{
  Said said = {.files = {.folder = macro_text (L, 1), .start = 1, .step = 1, .sorted = TRUE}, .scale = 100};
  take_words (m, luaL_optstring (L, 2, ""), &said);
  lua_pushinteger (L, open_sequence (m, &said));
  return 1;
}

const MacroFunction macro_sequence_functions[] = {
  {"File.openSequence", "folder[, options]",
   "opens the images of a folder as slices of one image, in the order of the numbers in their names, and returns its "
   "id. "
   "Options are \"filter=DAPI start=1 count=20 step=2\", as ImageJ's. The filter is what names contain, or a regular "
   "expression in parentheses. run(\"Image Sequence...\", \"dir=FOLDER sort\") does the same.",
   open_folder},
  {0},
};
