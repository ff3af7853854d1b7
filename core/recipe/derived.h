/* SPDX-License-Identifier: MIT
 *
 * A value of a parameter that is computed from numbers which earlier steps find: "{sigma_clip.sigma}*5". Numbers, + - * / and parentheses, as in
 * arithmetic; in braces the step and its number. Immutable, so that recipes share them. Any thread.
 */
#ifndef CORE_RECIPE_DERIVED_H
#define CORE_RECIPE_DERIVED_H

#include <glib.h>

typedef struct Derived Derived;

/* Whether the text is meant as such a value: it has a brace, or begins with '='. */
gboolean derived_is (const char *text);
/* NULL with *error, which says what is wrong at which character. A text without braces is a computed number. */
Derived *derived_parse (const char *text, GError **error);
Derived *derived_ref (Derived *derived);
void derived_unref (Derived *derived);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Derived, derived_unref)

/* As it is written in a step: without white space around numbers and signs. */
const char *derived_text (const Derived *derived);
gboolean derived_equal (const Derived *a, const Derived *b);
/* How many pairs of braces it has, and what the i-th says: the step and, behind the last dot, its number. */
guint derived_length (const Derived *derived);
const char *derived_step (const Derived *derived, guint i);
const char *derived_number (const Derived *derived, guint i);
/* With another step in the i-th pair of braces. */
Derived *derived_with_step (const Derived *derived, guint i, const char *step);
/* The value, when the i-th pair of braces is numbers[i]. Not finite where it divides by 0. */
double derived_value (const Derived *derived, const double *numbers);

#endif
