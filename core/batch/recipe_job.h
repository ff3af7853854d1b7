/* SPDX-License-Identifier: MIT
 *
 * The job of a batch that runs a recipe. Work that only one thread at a time may do, such as on a GPU, is done in
 * turns; everything else runs in parallel.
 */
#ifndef CORE_BATCH_RECIPE_JOB_H
#define CORE_BATCH_RECIPE_JOB_H

#include "core/batch/job.h"
#include "core/ops/module.h"
#include "core/recipe/recipe.h"

typedef struct RecipeJob RecipeJob;

/* All that the steps do: their text, those that their operations were made of, and the hashes of files that they take. NULL with *error when one cannot be read. Free with g_free(). */
char *recipe_job_text (const Recipe *recipe, GError **error);
/* names: of the result for each of n outputs; NULL: the last image. device: as choice_device() takes it, which is called at the first of this many
 * images. "cuda", or a chosen GPU, means all GPUs of its kind. */
RecipeJob *recipe_job_new (Modules *modules, const Recipe *recipe, const char *const *names, guint n,
                           const char *device, guint64 images);
void recipe_job_free (RecipeJob *job);
BatchJob recipe_job (RecipeJob *job);
/* choice_estimate() for the steps on so many images like this one. */
void recipe_job_estimate (const RecipeJob *job, Image *image, guint64 images, double *core_ms, double *gpu_ms);

#endif
