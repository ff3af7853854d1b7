/* SPDX-License-Identifier: MIT
 *
 * A step `keep inside=SHAPE` is put before a step that measures, and after one that makes an image.
 */
#include "ui/steps/restrict.h"

#include "core/base/error.h"
#include "core/data/pixel_type.h"

#include <glib/gi18n.h>
#include <string.h>

/* Whether pixels of both images can be in one image. */
static gboolean
go_together (Image *a, Image *b)
{
  const ImageInfo *x = image_info (a), *y = image_info (b);
  fv_type to = pixel_type_holding (x->type, FV_ANY_TYPE), from = pixel_type_holding (y->type, FV_ANY_TYPE);
  return x->role == FV_IMAGE && (y->role == FV_IMAGE || y->role == FV_RGB) && x->rows == y->rows
         && x->columns == y->columns && x->channels == y->channels && x->depth == y->depth && x->frames == y->frames
         && (to == from || (pixel_type_is_float (to) && pixel_type_holding (from, to)));
}

/* What the step took, by a name that later steps can use: it has it in the recipe that is returned. *name is NULL when the two do
 * not go together. */
static Recipe *
name_before (Document *document, guint index, char **name, GError **error)
{
  const Recipe *recipe = document_recipe (document);
  Image *before = document_image (document, (int) index - 1);
  Link link = link_previous (recipe, index);
  *name = NULL;
  if (recipe_step (recipe, index)->inputs[0] || !before
      || !go_together (document_image (document, (int) index), before))
    return recipe_ref (recipe);
  if (link.kind == LINK_SOURCE) {
    *name = g_strdup (RECIPE_SOURCE);
    return recipe_ref (recipe);
  }
  const Step *step = recipe_step (recipe, link.step);
  *name = step->names[0] ? g_strdup (step->names[0]) : recipe_free_name (recipe, step->op->fv.key);
  return recipe_with_name (recipe, link.step, 0, *name, error);
}

/* Only what is inside gets to a step that measures. */
static Recipe *
with_keep_before (const Recipe *recipe, guint index, Step *keep, GError **error)
{
  g_autoptr (Recipe) kept = NULL;
  keep->inputs[0] = g_strdup (recipe_step (recipe, index)->inputs[0]);
  keep->names[0] = recipe_free_name (recipe, "inside");
  kept = recipe_with_step (recipe, index, 0, keep, error);
  return kept ? recipe_with_input (kept, index + 1, 0, keep->names[0], error) : NULL;
}

static Recipe *
with_keep_after (Document *document, guint index, Step *keep, GError **error)
{
  g_autofree char *before = NULL;
  g_autoptr (Recipe) named = name_before (document, index, &before, error);
  if (!named || (before && !step_set (keep, "outside", before, error)))
    return NULL;
  return recipe_with_step (named, index + 1, 0, keep, error);
}

gboolean
restrict_to_selection (View *view, const Selection *selection, GError **error)
{
  Document *document = view_document (view);
  const Recipe *recipe = document_recipe (document);
  int index = view_index (view);
  g_autofree char *shape = selection ? selection_format (selection) : NULL;
  g_autoptr (Step) keep = NULL;
  g_autoptr (Recipe) with = NULL;
  if (!selection || !selection_is_area (selection)) {
    step_error_set (error, FV_BAD_INPUT, NULL, _ ("Draw a rectangle, oval, polygon or freehand selection first."));
    return FALSE;
  }
  const Op *op = modules_op (document_modules (document), "keep", error);
  if (!op || !(keep = step_new (op, error)) || !step_set (keep, "inside", shape, error))
    return FALSE;
  if (index < 0)
    with = recipe_with_step (recipe, 0, 0, keep, error);
  else if (!recipe_step (recipe, (guint) index)->op->n_outputs)
    with = with_keep_before (recipe, (guint) index, keep, error);
  else
    with = with_keep_after (document, (guint) index, keep, error);
  if (with)
    document_set_recipe (document, with);
  return with != NULL;
}
