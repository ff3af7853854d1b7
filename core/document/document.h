/* SPDX-License-Identifier: MIT
 *
 * One opened image and what is done to it: a recipe with its whole history, and the last run of it. Every change is run on the
 * worker; the newest wins. No window is needed.
 */
#ifndef CORE_DOCUMENT_DOCUMENT_H
#define CORE_DOCUMENT_DOCUMENT_H

#include "core/base/worker.h"
#include "core/run/run.h"

#include <glib-object.h>

#define DOCUMENT_TYPE (document_get_type ())
/* Signals: "steps" when the steps have changed, "results" when a run has ended, "busy" when one begins or ends, "device" when another one is to be
 * used. "saved" (verb, path, options) when one of their results was written: see document_saved(). */
G_DECLARE_FINAL_TYPE (Document, document, FOVEA, DOCUMENT, GObject)

/* path: NULL for an image that is not of a file. modules and worker must live longer. */
Document *document_new (Modules *modules, Worker *worker, Image *source, const char *path);

const Modules *document_modules (const Document *doc);
Image *document_source (const Document *doc);
const char *document_path (const Document *doc);
/* Where its steps run, one run after the other; other work on their device runs here too. */
Worker *document_worker (const Document *doc);
/* The steps as they are now, and as text; valid until they change. */
const Recipe *document_recipe (const Document *doc);
const char *document_text (Document *doc);

/* Makes these the steps and runs them. FALSE with *error and no change when they cannot be parsed. Consecutive changes with the same name of a
 * gesture in `merge`, such as the drag of one slider, are undone as one. NULL: each by itself. */
gboolean document_set_steps (Document *doc, const char *text, const char *merge, GError **error);
void document_set_recipe (Document *doc, const Recipe *recipe);
/* The same, as one of the changes of a gesture: see merge above. */
void document_set_recipe_merged (Document *doc, const Recipe *recipe, const char *merge);
/* The same, as a change of a number of a step there, which those that follow in one gesture are undone with. */
void document_set_recipe_for (Document *doc, const Recipe *recipe, guint index, const fv_param *param);
/* The same, made from the present steps. An index is that of the step, from 0. */
gboolean document_add_step (Document *doc, guint index, const char *step, GError **error);
gboolean document_remove_step (Document *doc, guint index, GError **error);
/* The step moves to where `to` is now. */
gboolean document_move_step (Document *doc, guint index, guint to, GError **error);
void document_skip_step (Document *doc, guint index, gboolean skip);
/* Sets a parameter, an input or the name of a step; value as typed. */
gboolean document_set_value (Document *doc, guint index, const char *key, const char *value, GError **error);
/* A parameter that is a number, such as a slider gives. */
gboolean document_set_number (Document *doc, guint index, const fv_param *param, double number, GError **error);
/* A name by which later steps can take that result of this one, see step_results(); given now if it has none. NULL with *error. */
const char *document_name_result (Document *doc, guint index, guint result, GError **error);

/* The size of a pixel along z, y, x, and its unit, "" for none, which a first step `calibrate` sets. The step is made, changed or, when the opened
 * image has the same, removed. Steps from the opened image get it, too. */
gboolean document_set_calibration (Document *doc, const double spacing[3], const char *unit, GError **error);

/* The subject of the last "steps"; merged: it was combined with the previous change, in one gesture. */
typedef enum { DOCUMENT_CHANGED, DOCUMENT_MERGED, DOCUMENT_UNDONE, DOCUMENT_REDONE } DocumentChange;
DocumentChange document_change (const Document *doc);

gboolean document_can_undo (const Document *doc);
gboolean document_can_redo (const Document *doc);
void document_undo (Document *doc);
void document_redo (Document *doc);

/* Runs the steps again after the cause of a failure was removed. */
void document_rerun (Document *doc);

/* "auto", "cpu", "cuda:0": where steps run from now on. */
void document_set_device (Document *doc, const char *key);
const char *document_device_key (const Document *doc);

/* Call this when the steps, or their results, have been written to path. What was made by hand has the steps NULL. The verb is "save", "export" or
 * another command. Its options for writing the same are in `options`, each after a blank. For a table they are those of run("Save Results..."). */
void document_saved (Document *doc, const char *steps, const char *verb, const char *path, const char *options);
/* These steps are kept somewhere else, so that nothing is lost with them here. */
void document_set_kept (Document *doc, const char *steps);
/* Whether there are steps other than those that were last written about, or are kept. */
gboolean document_unsaved (Document *doc);

gboolean document_busy (const Document *doc);
/* Whether results of the steps as they are now are on their way, and those of the last run are of other ones. */
gboolean document_lags (const Document *doc);
/* The last run that came to its end, whose recipe may lag behind document_recipe(). Valid until "results". */
const Run *document_run (const Document *doc);
/* Why it stopped, and at which step; NULL when it did not. */
const GError *document_error (const Document *doc, guint *index);
/* The image of a step of the last run, or of the current one; index -1: the source. Never NULL: if the step has no
 * image, that of the nearest step before it. */
Image *document_image (const Document *doc, int index);

#endif
