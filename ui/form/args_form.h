/* SPDX-License-Identifier: MIT
 *
 * A form of arguments in a struct, such as the choices of a figure or the options of a file format.
 */
#ifndef UI_FORM_ARGS_FORM_H
#define UI_FORM_ARGS_FORM_H

#include "ui/form/param_form.h"

/* Must live longer than its form. */
typedef struct ArgsForm {
  const Op *op;  /* declares the arguments */
  gpointer args; /* changed in place */
  /* Whether these arguments are possible; NULL: all are. FALSE with *error. */
  gboolean (*check) (gconstpointer args, GError **error);
  /* Parameters without a row; NULL: none. */
  gboolean (*is_left_out) (gpointer self, const fv_param *param);
  void (*changed) (gpointer self); /* after each change; or NULL */
  gpointer self;
  const char *automatic; /* see ParamSource; NULL: "automatic" */
  ParamForm *form;
} ArgsForm;

/* An empty form; most: letters of a label. */
GtkWidget *args_form_new (ArgsForm *form, int most);

#endif
