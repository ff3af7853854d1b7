/* SPDX-License-Identifier: MIT
 *
 * One step of a recipe: an operation with its arguments, and the earlier results that it takes. Never changed once a recipe holds
 * it, so that recipes share their steps.
 */
#ifndef CORE_RECIPE_STEP_H
#define CORE_RECIPE_STEP_H

#include "core/ops/args.h"
#include "core/ops/module.h"
#include "core/recipe/derived.h"
#include "core/recipe/file_input.h"

typedef struct Step {
  const Op *op;
  gpointer args;     /* of a derived value its default */
  Derived **derived; /* NULL, or for each parameter its derived value or NULL */
  ArgsAsked asked;   /* which of them are written even if they are the default, and the order of columns */
  char **names;      /* as=NAME,NAME: for each result what later steps call it; NULL: it has no name */
  char *
    *inputs; /* for each declared input the name of an earlier result, a selection, whose mask it then is, or a file.
                     NULL: the previous image (first input), the last table (one that must be given) or not given (others) */
  FileInput **files;     /* for each input that is a file; else NULL */
  gboolean volume_given; /* this step has its own volume=, which overrides that of the recipe, see volume.h */
  gboolean skipped;      /* skip=yes: does nothing; its result is the image that it would take */
  char *device;          /* NULL, or where it runs instead of where the others do: a key, or "auto" */
  char *whole;           /* NULL, or what step_format_all() has made */
  gint refs;
} Step;

/* How many results a step of the operation has: its images, and after them its table when it makes one. */
guint step_results (const Op *op);

/* With default arguments. NULL with *error when these break their own rules. */
Step *step_new (const Op *op, GError **error);
/* A step like it, to be changed. */
Step *step_copy (const Step *step);
Step *step_ref (const Step *step);
void step_unref (Step *step);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_unref)
/* Whether they have the same operation and arguments, device included. */
gboolean step_acts_alike (const Step *a, const Step *b);
/* Whether they do the same under the same names. */
gboolean step_equal (const Step *a, const Step *b);

/* Sets what "key=value" says of a step: the names of its results (as), whether it is skipped (skip), its device, an input, or a parameter. An empty
 * value of an input says nothing. The value of a parameter may be derived. An intensity image that regionprops takes adds its mean to what is
 * measured, unless something else than the default was chosen. FALSE with *error. */
gboolean step_set (Step *step, const char *key, const char *value, GError **error);
/* The same for a value that the user typed: it is written even if it is the default. */
gboolean step_ask (Step *step, const char *key, const char *value, GError **error);
/* A parameter that is a number, see args_put_number(). */
gboolean step_put_number (Step *step, const fv_param *param, double number, GError **error);
/* Whether the parameter can have a derived value. */
gboolean step_can_derive (const fv_param *param);
/* The derived value of the parameter; NULL: it has none. */
Derived *step_derived (const Step *step, const fv_param *param);
/* What the parameter gets where its derived value comes to this: a parameter that is an integer the nearest one. */
double step_derived_number (const fv_param *param, double value);
/* A step like it, with these arguments and no derived values. */
Step *step_with_args (const Step *step, gconstpointer args);
/* How many pairs of braces all derived values of the step have. */
guint step_founds (const Step *step);
/* What is written for input i; NULL: nothing. For those who make the step. */
void step_set_input (Step *step, guint i, const char *text);
/* "gaussian sigma=5 as=soft": what recipe_parse() reads back to the same step. Free with g_free(). */
char *step_format (const Step *step);
/* The same with the values of all parameters that matter: of a step that is not changed any more, which keeps it. Any thread. */
const char *step_format_all (const Step *step);
/* The same, with or without its parameter `volume`. */
char *step_format_volume (const Step *step, gboolean written);

/* What result i is called for people: "Mask", "table". */
const char *step_result_label (const Op *op, guint i);

/* Whether what is written for an input is a selection and not a name. */
gboolean step_input_is_selection (const char *input);

#endif
