/* SPDX-License-Identifier: MIT
 *
 * The job of a batch that runs a recipe. Whatever one thread at a time may do, as on a card, is done in turns, and everything else beside that.
 */
#ifndef CORE_BATCH_RECIPE_JOB_H
#define CORE_BATCH_RECIPE_JOB_H

#include "core/batch/job.h"
#include "core/ops/module.h"
#include "core/recipe/recipe.h"

typedef struct RecipeJob RecipeJob;

/* All that the steps do: their text, those that their operations were made of, and the hashes of files that they take. NULL with *error when one cannot be read. Free with g_free(). */
char *recipe_job_text (const Recipe *recipe, GError **error);
/* names: of the result that each of n outputs is; NULL: the last image. device: as choice_device() takes it, which is asked at the first of so
 * many images; "cuda" or a card that was chosen stands for all cards of its kind. */
RecipeJob *recipe_job_new (Modules *modules, const Recipe *recipe, const char *const *names, guint n,
                           const char *device, guint64 images);
void recipe_job_free (RecipeJob *job);
BatchJob recipe_job (RecipeJob *job);
/* choice_estimate() for the steps on so many images like this one. */
void recipe_job_estimate (const RecipeJob *job, Image *image, guint64 images, double *core_ms, double *card_ms);

#endif
