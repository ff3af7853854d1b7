/* SPDX-License-Identifier: MIT
 *
 * What becomes of whole numbers follows ImageJ: it rounds down where the operation rounds to the nearest.
 */
#include "core/macro/several.h"

#include "core/data/pixel_type.h"
#include "core/macro/imagej_images.h"
#include "core/macro/images.h"
#include "core/macro/imagej_range.h"
#include "core/macro/step_files.h"
#include "core/recipe/several.h"

#include <string.h>

enum { MAXIMUM = 7 }; /* images that are merged */

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

/* ---- Images that others take ---- */

static gboolean
same_source (Macro *m, guint a, guint b)
{
  g_autofree char *one = m->host->path (m->host->self, a), *other = m->host->path (m->host->self, b);
  return a == b || (one && other && !strcmp (one, other));
}

/* The image as a step of the image `first` sees it; what it holds is owned. */
static OtherImage
other_of (Macro *m, guint first, guint image)
{
  GError *error = NULL;
  const MacroHost *host = m->host;
  Image *source = macro_own (m, host->image (host->self, image, RECIPE_SOURCE, &error), (GDestroyNotify) image_unref);
  if (error)
    macro_fail (m, error);
  Image *own = macro_own (m, host->image (host->self, first, RECIPE_SOURCE, &error), (GDestroyNotify) image_unref);
  if (error)
    macro_fail (m, error);
  const guint number = image_info (source)->number;
  return (OtherImage){macro_own (m, host->title (host->self, image), g_free),
                      macro_own (m, host->path (host->self, image), g_free), number,
                      same_source (m, first, image) && number == image_info (own)->number,
                      macro_own (m, host->recipe (host->self, image), (GDestroyNotify) recipe_unref)};
}

/* One step more for the first image, which is the current one then; it takes the others, too. */
static int
add_step (Macro *m, const guint *images, guint n, const char *text)
{
  GError *error = NULL;
  const MacroHost *host = m->host;
  OtherImage others[MAXIMUM];
  guint at;
  for (guint i = 1; i < n; i++)
    others[i - 1] = other_of (m, images[0], images[i]);
  Recipe *before = macro_own (m, host->recipe (host->self, images[0]), (GDestroyNotify) recipe_unref);
  Recipe *step = recipe_parse (host->modules, text, &error);
  if (!step)
    macro_fail (m, error);
  macro_own (m, step, (GDestroyNotify) recipe_unref);
  Recipe *after = several_with_step (before, recipe_length (before), recipe_step (step, 0), others, n - 1, &at, &error);
  host->select (host->self, images[0]);
  if (!after)
    macro_fail (m, error);
  macro_own (m, after, (GDestroyNotify) recipe_unref);
  if (!host->set_recipe (host->self, images[0], step_files_whole (m, after, before), &error))
    macro_fail (m, error);
  imagej_range_follow (m);
  return 0;
}

/* ---- imageCalculator ---- */

typedef struct {
  const char *name, *function; /* of `calculate` */
  const char *whole;           /* the formula for whole numbers where that does something else; NULL: it does not */
  gboolean bits;               /* of numbers ImageJ takes single bits */
} Operator;

static const Operator operators[] = {{"Add", "add", NULL, FALSE},
                                     {"Subtract", "subtract", NULL, FALSE},
                                     {"Multiply", "multiply", NULL, FALSE},
                                     {"Divide", "divide", "where(b == 0, 65535, a // b)", FALSE},
                                     {"AND", "and", NULL, TRUE},
                                     {"OR", "or", NULL, TRUE},
                                     {"XOR", "xor", NULL, TRUE},
                                     {"Min", "minimum", NULL, FALSE},
                                     {"Max", "maximum", NULL, FALSE},
                                     {"Average", "average", "(a + b) // 2", FALSE},
                                     {"Difference", "difference", NULL, FALSE},
                                     {"Transparent-zero", "transparent_zero", NULL, FALSE}};

static const Operator *
operator_of (Macro *m, const char *word)
{
  GString *names = macro_own (m, g_string_new (NULL), free_string);
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (word && !g_ascii_strcasecmp (word, operators[i].name))
      return &operators[i];
    else
      g_string_append_printf (names, "%s%s", i ? ", " : "", operators[i].name);
  macro_fail_text (m, "imageCalculator() accepts %s, not '%s'.", names->str, word ? word : "");
}

/* "32-bit", "stack", and "create", which says nothing here. */
static void
read_options (Macro *m, char *const *words, gboolean *wide, gboolean *stack)
{
  for (; *words; words++)
    if (!strcmp (*words, "32-bit") || !strcmp (*words, "float"))
      *wide = TRUE;
    else if (!strcmp (*words, "stack"))
      *stack = TRUE;
    else if (strcmp (*words, "create"))
      macro_fail_text (m, "imageCalculator() accepts an operator, create, 32-bit and stack, not '%s'.", *words);
}

/* The first is the current one then. */
static gboolean
are_masks (Macro *m, const guint images[2])
{
  gboolean masks = TRUE;
  for (int i = 1; i >= 0; i--) {
    m->host->select (m->host->self, images[i]);
    masks &= image_info (images_shown (m, NULL))->role == FV_MASK;
  }
  return masks;
}

static int
image_calculator (lua_State *L, Macro *m)
{
  char **words = macro_words (m, macro_text (L, 1));
  const Operator *of = operator_of (m, words[0]);
  gboolean wide = FALSE, stack = FALSE;
  read_options (m, words + 1, &wide, &stack);
  const guint images[] = {images_find (L, m, 2), images_find (L, m, 3)};
  imagej_check_calculator (m, images, wide, stack);
  const ImageInfo *info = of->whole && !wide ? image_info (images_shown (m, NULL)) : NULL;
  if (of->bits && !are_masks (m, images))
    macro_fail_text (m,
                     "imageCalculator() accepts %s only for masks, as made by run(\"Convert to Mask\"). For "
                     "images of 0 and 255, Min equals AND, Max equals OR, and Difference equals XOR.",
                     of->name);
  const char *output = of->bits ? "auto" : wide ? "f32" : "same";
  char *step = of->whole && info && !pixel_type_is_float (info->type)
                 ? g_strdup_printf ("expression expression='%s' output=same", of->whole)
                 : g_strdup_printf ("calculate function=%s output=%s", of->function, output);
  return add_step (m, images, 2, macro_own (m, step, g_free));
}

/* ---- Merging ---- */

/* By ImageJ's numbers. */
static const char *const colors[MAXIMUM] = {"red", "green", "blue", "gray", "cyan", "magenta", "yellow"};

/* Which image, from 0, "c2=b.tif" is; -1: it is another word. */
static int
slot_of (const char *word)
{
  return word[0] == 'c' && word[1] >= '1' && word[1] <= '7' && word[2] == '=' ? word[1] - '1' : -1;
}

static gboolean
is_option (const char *word)
{
  return !strcmp (word, "create") || !strcmp (word, "keep") || !strcmp (word, "ignore");
}

gboolean
several_knows_merge (Macro *m, const char *arguments)
{
  for (char **word = macro_words (m, arguments); *word; word++)
    if (slot_of (*word) == 0 || is_option (*word))
      return TRUE;
  return FALSE;
}

typedef struct {
  guint images[MAXIMUM]; /* 0: none */
  gboolean create;
} Merge;

static Merge
read_merge (Macro *m, const char *arguments)
{
  Merge merge = {0};
  for (char **word = macro_words (m, arguments); *word; word++) {
    const int slot = slot_of (*word);
    if (slot >= 0 && strcmp (*word + 3, "*None*"))
      merge.images[slot] = images_titled (m, *word + 3);
    else if (!strcmp (*word, "create"))
      merge.create = TRUE;
    else if (slot < 0 && !is_option (*word))
      macro_fail_text (m, "run(\"" SEVERAL_MERGE "\", …) accepts c1= to c7=, create, keep and ignore, not '%s'.",
                       *word);
  }
  return merge;
}

/* The images in their order; the colors of their channels are those of their numbers. */
static guint
gather (const Merge *merge, guint *images, const char **luts)
{
  guint n = 0;
  for (guint i = 0; i < MAXIMUM; i++)
    if (merge->images[i]) {
      images[n] = merge->images[i];
      luts[n++] = colors[i];
    }
  return n;
}

int
several_merge (Macro *m, const char *arguments)
{
  const Merge merge = read_merge (m, arguments);
  const char *luts[MAXIMUM];
  guint images[MAXIMUM], n = gather (&merge, images, luts);
  if (n < 2)
    macro_fail_text (m, "run(\"" SEVERAL_MERGE "\", …) needs at least two images: c1=[a.tif] c2=[b.tif].");
  if (!merge.create && (n != 3 || !merge.images[0] || !merge.images[1] || !merge.images[2]))
    macro_fail_text (m, "run(\"" SEVERAL_MERGE "\", …) without create makes an RGB image of c1, c2 and c3.");
  imagej_check_merged (m, images, n);
  add_step (m, images, n, merge.create ? "merge_channels" : "merge_channels rgb=yes");
  for (guint i = 0; i < n && merge.create; i++) {
    ViewChannel look = m->host->look (m->host->self, images[0], i);
    g_strlcpy (look.lut, luts[i], sizeof look.lut);
    m->host->set_look (m->host->self, images[0], i, &look);
  }
  return 0;
}

const MacroFunction macro_several_functions[] = {
  {"imageCalculator", "operator, image1, image2",
   "adds a step to the first image that uses the second, given by title or id. Operators are \"Add\", "
   "\"Subtract\", \"Multiply\", \"Divide\", \"Min\", \"Max\", \"Average\", \"Difference\" and "
   "\"Transparent-zero\", and for masks \"AND\", \"OR\" and \"XOR\". Append \"create\", "
   "\"stack\" and \"32-bit\" as needed. An image from another file is used as that file "
   "contains it.",
   image_calculator},
  {0},
};
