/* SPDX-License-Identifier: MIT
 *
 * One parameter in a form: its label, a control of its kind, its unit, and what is wrong with what was typed.
 */
#ifndef UI_FORM_PARAM_ROW_H
#define UI_FORM_PARAM_ROW_H

#include "ui/form/param_source.h"

#include <gtk/gtk.h>

#define PARAM_ROW_TYPE (param_row_get_type ())
G_DECLARE_FINAL_TYPE (ParamRow, param_row, FOVEA, PARAM_ROW, GtkBox)

/* How a type of parameter is shown. */
typedef struct ParamKind {
  /* Its control, which calls param_row_set() when the user changes it. */
  GtkWidget *(*make) (ParamRow *row);
  /* Shows the value, unless the user is just typing there. */
  void (*fill) (ParamRow *row, const char *value);
  /* Shows more of what a run found wrong, or NULL; NULL: a red control says all. */
  void (*mark) (ParamRow *row, const char *fault);
  /* What is behind the control; NULL: nothing. */
  GtkWidget *(*behind) (ParamRow *row);
} ParamKind;

struct _ParamRow {
  GtkBox parent;
  const ParamSource *source;
  const fv_param *param;
  const ParamKind *kind;
  GtkWidget *label, *line, *control; /* the line has the label, the control and the unit */
  GtkLabel *computed, *fault;        /* below the line */
  gboolean filling, bad;             /* the change is ours; the typed text is invalid */
};

/* source and param must live longer. */
GtkWidget *param_row_new (const ParamSource *source, const fv_param *param, const ParamKind *kind);
/* Shows the present value, unless the user is just changing it. */
void param_row_refresh (ParamRow *row);
/* Shows what the last run found wrong. */
void param_row_mark (ParamRow *row);

/* ---- For kinds ---- */

/* What the user has entered. What cannot be read stays in the control with the reason below it, and the value stays. */
void param_row_set (ParamRow *row, const char *value);
void param_row_set_number (ParamRow *row, double number);
/* A text of the declaration in the language of the window. */
const char *param_row_words (const ParamRow *row, const char *text);

#endif
