/* SPDX-License-Identifier: MIT
 *
 * Whether two results of the same input are the same, as fv_op.reproducible promises it: to the bit, or within the operation's tolerance.
 */
#ifndef TESTS_SUPPORT_SAME_H
#define TESTS_SUPPORT_SAME_H

#include "core/data/image.h"
#include "core/data/table.h"
#include "core/ops/module.h"

/* The tolerance of a call on these inputs; 0: none. */
double same_tolerance (const Op *op, gconstpointer args, Image *const *inputs);
/* By how much pixels of this plane may differ: 0 for masks and labels. */
double same_pixel_limit (Image *image, gint64 plane, double tolerance);
/* Whether the numbers have the same bits, are both NaN, or differ by at most limit. */
gboolean same_number (double a, double b, double limit);
/* NULL, or the first difference in words, which the caller frees. Images are of one kind and size. */
char *same_images (Image *a, Image *b, double tolerance);
/* Also of tables of other columns, and of a table and NULL. */
char *same_tables (Table *a, Table *b, double tolerance);
/* n rows of what the operation declares. */
char *same_scalars (const Op *op, guint n, const double *a, const double *b, double tolerance);

#endif
