/* SPDX-License-Identifier: MIT
 *
 * An operation that gives numbers for a whole image, such as a threshold or a count of objects, or a table, is of one channel.
 */
#include "ui/steps/new_step.h"

#include "ui/view/plane_values.h"

#include <string.h>

/* ---- One channel of several ---- */

/* The variance of some of the pixels; -1 when they are not at hand. */
static double
variance_of (Image *image, gint64 plane)
{
  const ImageInfo *info = image_info (image);
  const void *pixels = image_plane_now (image, plane);
  const gint64 n = info->rows * info->columns, stride = MAX (n / 4096, 1) | 1; /* odd: not one column */
  double sum = 0, squares = 0, count = 0;
  for (gint64 i = 0; pixels && i < n; i += stride) {
    double v = plane_value (pixels, info->type, i);
    sum += v;
    squares += v * v;
    count++;
  }
  return pixels ? squares / count - sum / count * (sum / count) : -1;
}

static gint64
clearest_channel (const View *view, Image *image)
{
  const ImageInfo *info = image_info (image);
  gint64 best = 0;
  double most = -1;
  for (gint64 c = 0; c < info->channels; c++) {
    gint64 slice = MIN (view_slice (view), info->depth - 1), frame = MIN (view_frame (view), info->frames - 1);
    double variance = variance_of (image, (frame * info->channels + c) * info->depth + slice);
    if (variance > most) {
      most = variance;
      best = c;
    }
  }
  return best;
}

/* The last step up to `place` that takes a channel; -1: none. */
static int
channel_step (const Pipeline *steps, int place)
{
  while (place >= 0 && strcmp (pipeline_step (steps, (guint) place)->op->fv.key, "channel"))
    place--;
  return place;
}

/* The channel that a step before has to take: the one that C stands at, and for a colour image of which none was chosen the
 * clearest, which C stands at from then on. -1: none. */
static gint64
channel_for (View *view, const Op *op)
{
  Document *document = view_document (view);
  Image *image = document_image (document, view_place (view));
  const ImageInfo *info = image_info (image);
  if ((!op->n_scalars && op->fv.kind != FV_TABLE) || info->channels < 2
      || channel_step (document_steps (document), view_place (view)) >= 0)
    return -1;
  if (info->role == FV_RGB && !view_channel_chosen (view))
    view_set_position (view, clearest_channel (view, image), view_slice (view), view_frame (view));
  return view_channel (view);
}

/* ---- Intensities ---- */

static gboolean
same_size (Image *a, Image *b)
{
  const ImageInfo *x = image_info (a), *y = image_info (b);
  return x->rows == y->rows && x->columns == y->columns && x->depth == y->depth && x->frames == y->frames;
}

/* A name that no step has. */
static char *
free_name (const Pipeline *steps, const char *stem)
{
  char *name = g_strdup (stem);
  for (guint n = 2, i = 0; i < pipeline_length (steps); i++)
    if (!g_strcmp0 (pipeline_step (steps, i)->name, name)) {
      g_free (name);
      name = g_strdup_printf ("%s%u", stem, n++);
      i = (guint) -1; /* from the start */
    }
  return name;
}

/* What was there before objects were looked for: the channel that was taken, or the opened image, when it has the size of what is
 * measured. The step gets a name, in texts. NULL: none. */
static char *
name_intensity (const View *view, GPtrArray *texts)
{
  Document *document = view_document (view);
  const Pipeline *steps = document_steps (document);
  int place = channel_step (steps, view_place (view));
  Image *image = document_image (document, place);
  if (image_info (image)->role != FV_IMAGE || image_info (image)->channels > 1
      || !same_size (image, document_image (document, view_place (view))))
    return NULL;
  if (place < 0)
    return g_strdup (PIPELINE_SOURCE);
  if (pipeline_step (steps, (guint) place)->name)
    return g_strdup (pipeline_step (steps, (guint) place)->name);
  char *name = free_name (steps, "intensity"), *old = texts->pdata[place];
  texts->pdata[place] = g_strdup_printf ("%s as=%s", old, name);
  g_free (old);
  return name;
}

/* With the mean intensity among what is measured. */
static char *
text_with_intensity (const Op *op, const char *name)
{
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    for (const fv_choice *c = p->type == FV_SET ? p->choices : NULL; c && c->key; c++)
      if (!strcmp (c->key, "intensity_mean"))
        return g_strdup_printf ("%s intensity=%s %s=%s,%s", op->fv.key, name, p->key, p->def_text, c->key);
  }
  return g_strdup_printf ("%s intensity=%s", op->fv.key, name);
}

static char *
text_of (const View *view, const Op *op, GPtrArray *texts)
{
  for (guint i = 1; op->fv.kind == FV_TABLE && i < op->n_inputs; i++)
    if (!strcmp (op->fv.inputs[i].key, "intensity")) {
      g_autofree char *name = name_intensity (view, texts);
      if (name)
        return text_with_intensity (op, name);
    }
  return g_strdup (op->fv.key);
}

/* ---- Adding ---- */

gboolean
new_step_add (View *view, const Modules *modules, const char *step, char **note, GError **error)
{
  Document *document = view_document (view);
  const Pipeline *steps = document_steps (document);
  g_autofree char *key = g_strndup (step, strcspn (step, " "));
  const Op *op = modules_op (modules, key, error);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  int place = view_place (view) + 1;
  *note = NULL;
  if (!op)
    return FALSE;
  for (guint i = 0; i < pipeline_length (steps); i++)
    g_ptr_array_add (texts, step_format (pipeline_step (steps, i)));
  gint64 channel = channel_for (view, op);
  g_ptr_array_insert (texts, place, strcmp (step, key) ? g_strdup (step) : text_of (view, op, texts));
  if (channel >= 0) {
    g_autofree char *title = op_title (op);
    g_ptr_array_insert (texts, place++, g_strdup_printf ("channel index=%" G_GINT64_FORMAT, channel));
    *note = g_strdup_printf ("%s works on one channel: step %d takes channel %" G_GINT64_FORMAT
                             ", where C stands; choose another one there.",
                             title, place, channel + 1);
  }
  g_ptr_array_add (texts, NULL);
  g_autofree char *text = g_strjoinv (" | ", (char **) texts->pdata);
  if (!document_set_steps (document, text, NULL, error)) {
    g_clear_pointer (note, g_free);
    return FALSE;
  }
  view_set_place (view, place);
  return TRUE;
}
