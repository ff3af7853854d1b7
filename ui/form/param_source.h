/* SPDX-License-Identifier: MIT
 *
 * Where a form reads and writes the values of parameters: the arguments of a step or a figure, the fields of a macro. A function
 * that is NULL has nothing to say.
 */
#ifndef UI_FORM_PARAM_SOURCE_H
#define UI_FORM_PARAM_SOURCE_H

#include "core/ops/op.h"

typedef struct ParamSource {
  gpointer self; /* the first argument of the functions; must live longer than the form */
  /* The value as args_get() writes it. Free with g_free(). Never NULL. */
  char *(*get) (gpointer self, const fv_param *param);
  /* Sets it from text; the owner then calls param_form_refresh(). FALSE with *error: the value stays. Never NULL. */
  gboolean (*set) (gpointer self, const fv_param *param, const char *value, GError **error);
  /* The same from a slider, without text. */
  gboolean (*set_number) (gpointer self, const fv_param *param, double number, GError **error);
  /* Whether the parameter matters beside the others; if not, its row is hidden. */
  gboolean (*enabled) (gpointer self, const fv_param *param);
  /* What the last run made of a value that is computed, or NULL. Free with g_free(). */
  char *(*computed) (gpointer self, const fv_param *param);
  /* Values that numbers of earlier steps are, such as "{otsu.threshold}"; NULL: the parameter takes none. Free with g_strfreev(). */
  char **(*found) (gpointer self, const fv_param *param);
  /* What the last run found wrong with the value, or NULL. */
  const char *(*fault) (gpointer self, const fv_param *param);
  /* What a slider spans instead of the declared range, such as the values of an image; *integer: they are integers. FALSE: no other. */
  gboolean (*range) (gpointer self, const fv_param *param, double *low, double *high, gboolean *integer);
  const char
    *automatic;  /* what an empty entry shows for 0 where 0 is default and minimum; NULL: 0 is a number like others */
  gboolean code; /* long texts are lines of code */
  gboolean verbatim; /* labels and texts belong to the user: not translated, and spaces at their ends kept */
} ParamSource;

#endif
