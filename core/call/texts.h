/* SPDX-License-Identifier: MIT
 *
 * The texts of a table while its operation runs, each known by a number; and then in order.
 */
#ifndef CORE_CALL_TEXTS_H
#define CORE_CALL_TEXTS_H

#include <glib.h>

/* All zero: none. */
typedef struct CallTexts {
  GPtrArray *texts;    /* char *, by number */
  GHashTable *numbers; /* text -> number + 1 */
  GPtrArray *ordered;  /* the same texts in order; made when first asked for, as is: */
  guint32 *ranks;      /* in `ordered`, of each number */
} CallTexts;

void call_texts_clear (CallTexts *t);
/* The number of a text, the same each time; the text is copied. Not after one of the next two. */
guint call_texts_number (CallTexts *t, const char *text);
/* All texts as people sort them, "well 2" before "well 10". Not the caller's. */
GPtrArray *call_texts_in_order (CallTexts *t);
/* Changes numbers of strings to their indices in that order; NaN stays. FALSE when a number has no string. */
gboolean call_texts_index (CallTexts *t, double *values, gint64 n);

#endif
