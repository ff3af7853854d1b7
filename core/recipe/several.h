/* SPDX-License-Identifier: MIT
 *
 * A step with further images in addition to the one that has the steps. An image as its file contains it is an input
 * of that file. The steps of an image with the same source, or with none, are inserted before, so that they run
 * again wherever these steps run.
 */
#ifndef CORE_RECIPE_SEVERAL_H
#define CORE_RECIPE_SEVERAL_H

#include "core/recipe/recipe.h"

typedef struct OtherImage {
  const char *name; /* for people */
  const char *path; /* NULL: it is of no file */
  guint number;     /* of the image in the file, from 0 */
  gboolean same;    /* it has the source of the steps */
  const Recipe *steps;
} OtherImage;

/* Why no step can take it, as a sentence, or NULL. Free with g_free(). */
char *several_fault (const OtherImage *other);
/* The recipe with the step after index `after` of its steps, whose second and further inputs are the other images;
 * *at is its index then. step: with its arguments, and perhaps such inputs, whose files are not opened again. NULL
 * with *error. */
Recipe *several_with_step (const Recipe *recipe, guint index, const Step *step, const OtherImage *others, guint n,
                           guint *at, GError **error);

#endif
