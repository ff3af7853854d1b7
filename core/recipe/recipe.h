/* SPDX-License-Identifier: MIT
 *
 * What the user does: a list of steps, parsed once and never changed; another list is another recipe, which shares the steps that
 * are the same. As text: "gaussian sigma=5 | otsu as=mask | label", perhaps behind what volume.h has. Any thread.
 */
#ifndef CORE_RECIPE_RECIPE_H
#define CORE_RECIPE_RECIPE_H

#include "core/recipe/found.h"
#include "core/recipe/volume.h"

typedef struct Recipe Recipe;

/* Name of the opened image for from=... and the like. */
#define RECIPE_SOURCE "source"

/* No steps. */
Recipe *recipe_new (void);
/* Steps from text; NULL with *error, which names the step and the word at fault. Operations are looked up in modules, which must
 * live longer. */
Recipe *recipe_parse (const Modules *modules, const char *text, GError **error);
/* The text that recipe_parse() reads back to the same steps. Free with g_free(). */
char *recipe_format (const Recipe *recipe);
/* The same in its parts: what it says of volumes, when it says something, and each step. Free with g_strfreev(). */
char **recipe_parts (const Recipe *recipe);
Recipe *recipe_ref (const Recipe *recipe);
void recipe_unref (Recipe *recipe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Recipe, recipe_unref)

guint recipe_length (const Recipe *recipe);
const Step *recipe_step (const Recipe *recipe, guint index);
gboolean recipe_equal (const Recipe *a, const Recipe *b);
/* What it says of volumes and planes. */
RecipeVolume recipe_volume (const Recipe *recipe);
gboolean recipe_makes_table (const Recipe *recipe); /* whether a step does that is not skipped */

/* Copies with one change; an index is that of the step, from 0. NULL with *error when a step would use a result that
 * no earlier step makes, or a value is invalid. */

/* A parameter that is a number, see args_put_number(). */
Recipe *recipe_with_number (const Recipe *recipe, guint index, const fv_param *param, double number, GError **error);
/* What "key=text" says of the step, see step_set(). */
Recipe *recipe_with_text (const Recipe *recipe, guint index, const char *key, const char *text, GError **error);
/* input: the name of a result, a selection or a file; NULL: the default. */
Recipe *recipe_with_input (const Recipe *recipe, guint index, guint i, const char *input, GError **error);
/* A result of the step gets another name, by which later steps that take it do so from now on; NULL: none. */
Recipe *recipe_with_name (const Recipe *recipe, guint index, guint result, const char *name, GError **error);
Recipe *recipe_with_skip (const Recipe *recipe, guint index, gboolean skip);
/* The same steps, all on the device of the run. */
Recipe *recipe_without_devices (const Recipe *recipe);
/* What it says of volumes and planes from now on, to all steps that give no volume= of their own. */
Recipe *recipe_with_volume (const Recipe *recipe, RecipeVolume said);
/* The volume setting that new steps of a user without one should get for the image: volume=objects where the image is a volume that some step would
 * take plane by plane, else none. */
RecipeVolume recipe_suggest_volume (const Recipe *recipe, const ImageInfo *info);
/* The recipe as it is run on an image: with what is suggested, else itself. To be unref'd. *said, unless said is NULL: what it makes of slices where they
 * leave a choice, "otsu, label: the slices are one volume", or NULL; free with g_free(). */
Recipe *recipe_for_image (const Recipe *recipe, const ImageInfo *info, char **said);
/* The step or steps replace n steps. They follow the recipe's setting of volumes unless they have their own; a
 * recipe without steps and without a setting takes over theirs. */
Recipe *recipe_with_step (const Recipe *recipe, guint index, guint removed, const Step *step, GError **error);
Recipe *recipe_with_steps (const Recipe *recipe, guint index, guint removed, const Recipe *steps, GError **error);
/* The same with steps as text, which may use results of the steps before that index. */
Recipe *recipe_with_parsed (const Recipe *recipe, guint index, guint removed, const Modules *modules, const char *text,
                            GError **error);
/* The step moves to where `to` is now. */
Recipe *recipe_with_move (const Recipe *recipe, guint index, guint to, GError **error);

/* The path of a file that a step takes as it is to be from now on; NULL with *error. Freed with g_free(). */
typedef char *(*RecipeFile) (gpointer user, const char *path, GError **error);
/* The same steps with such files; NULL with *error. */
Recipe *recipe_with_files (const Recipe *recipe, RecipeFile find, gpointer user, GError **error);
/* The same steps, of which files without a folder lie in that one; NULL: the working folder. */
Recipe *recipe_in_folder (const Recipe *recipe, const char *folder);
/* Opens all files that steps take; FALSE with *error when one cannot be. Not for the main loop. */
gboolean recipe_open_files (const Recipe *recipe, GError **error);

/* The last result before step n that has the name; FALSE: there is none. */
gboolean recipe_find (const Recipe *recipe, guint n, const char *name, guint *index, guint *result);
/* The numbers that derived values of step n take, see found_links(). Free with g_free(). */
FoundLink *recipe_founds (const Recipe *recipe, guint n, GError **error);
/* What step `index` is called in derived values of step n, which comes later. Free with g_free(). */
char *recipe_found_name (const Recipe *recipe, guint n, guint index);
/* The stem, or with a number after it: what no result is called. Free with g_free(). */
char *recipe_free_name (const Recipe *recipe, const char *stem);

#endif
