/* SPDX-License-Identifier: MIT
 *
 * A step `keep inside=SHAPE` is put before a step that measures, and after one that makes an image.
 */
#include "ui/steps/restrict.h"

#include "core/base/error.h"

#include <string.h>

/* A name that no step has. */
static char *
free_name (const Pipeline *steps)
{
  char *name = g_strdup ("inside");
  guint n = 1;
  for (guint i = 0; i < pipeline_length (steps); i++)
    if (!g_strcmp0 (pipeline_step (steps, i)->name, name)) {
      g_free (name);
      name = g_strdup_printf ("inside%u", ++n);
      i = (guint) -1; /* from the start */
    }
  return name;
}

/* Whether pixels of one image can stand beside those of the other. */
static gboolean
go_together (Image *a, Image *b)
{
  const ImageInfo *x = image_info (a), *y = image_info (b);
  return x->role == FV_IMAGE && (y->role == FV_IMAGE || y->role == FV_RGB) && x->rows == y->rows
         && x->columns == y->columns && x->channels == y->channels && x->depth == y->depth && x->frames == y->frames
         && (x->type == y->type || x->type == FV_F64 || (x->type == FV_F32 && (y->type & (FV_U8 | FV_U16))));
}

/* What the step took, by a name that later steps can use, or NULL; steps may get names for it. */
static char *
name_before (Document *document, guint place)
{
  const Step *step = pipeline_step (document_steps (document), place);
  Image *before = document_image (document, (int) place - 1);
  if (step->inputs[0] || !before || !go_together (document_image (document, (int) place), before))
    return NULL;
  while (place-- && pipeline_step (document_steps (document), place)->skipped)
    ;
  return g_strdup (place == (guint) -1 ? PIPELINE_SOURCE : document_name_step (document, place, NULL));
}

gboolean
restrict_to_selection (View *view, const Selection *selection, GError **error)
{
  Document *document = view_document (view);
  int place = view_place (view);
  g_autofree char *shape = selection ? selection_format (selection) : NULL, *instead = NULL, *text = NULL;
  if (!selection || !selection_is_area (selection)) {
    step_error_set (error, FV_BAD_INPUT, NULL, "Draw a rectangle, oval, polygon or freehand selection first.");
    return FALSE;
  }
  if (place < 0) {
    text = g_strdup_printf ("keep inside=%s", shape);
    return document_add_step (document, 0, text, error);
  }
  const Step *step = pipeline_step (document_steps (document), (guint) place);
  if (!step->op->n_outputs) {
    g_autofree char *name = free_name (document_steps (document)), *old = step_format (step);
    instead = g_strdup_printf ("keep %s%s inside=%s as=%s | %s from=%s", step->inputs[0] ? "from=" : "",
                               step->inputs[0] ? step->inputs[0] : "", shape, name, old, name);
  } else {
    g_autofree char *before = name_before (document, (guint) place);
    g_autofree char *old = step_format (pipeline_step (document_steps (document), (guint) place));
    instead = g_strdup_printf ("%s | keep inside=%s%s%s", old, shape, before ? " outside=" : "", before ? before : "");
  }
  return document_replace_step (document, (guint) place, instead, error);
}
