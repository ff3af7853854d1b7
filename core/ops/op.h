/* SPDX-License-Identifier: MIT
 *
 * An operation as the program uses it: the declaration of a plugin, checked and copied into structs of this program's sizes.
 */
#ifndef CORE_OPS_OP_H
#define CORE_OPS_OP_H

#include "fovea-plugin.h"

#include <glib.h>

/* So many inputs, and so many outputs, can one have. */
enum { OP_MAX_ARRAYS = 16 };

/* The arrays of `fv` are walked with this program's element sizes. */
typedef struct Op {
  fv_op fv;
  const fv_op *declared; /* the plugin's own, which its functions are given */
  GPtrArray *choices;    /* what those of the parameters point to */
  guint n_inputs, n_outputs, n_scalars, n_params, n_imagej, n_columns;
  const char *plugin;            /* its name */
  gboolean shipped;              /* that plugin is a part of Fovea */
  const struct Modules *modules; /* to which it belongs */
  char *made, *path;             /* the text of the user's that it is made of, and that one's file; NULL: of none */
} Op;

/* Its label without the dots that menus have: "Gaussian Blur". Free with g_free(). */
char *op_title (const Op *op);
/* Whether it has that trait. */
gboolean op_has_trait (const Op *op, fv_trait trait);
/* The command of ImageJ that it declares, or NULL. */
const fv_imagej *op_imagej (const Op *op, const char *command);
/* Whether a list of older keys, which may be NULL, has this one. */
gboolean op_has_alias (const char *aliases, const char *key);
/* Frees it; NULL is nothing. */
void op_free (gpointer op);

#endif
