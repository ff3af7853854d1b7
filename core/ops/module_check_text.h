/* SPDX-License-Identifier: MIT
 *
 * What holds for texts, keys and truths in all that a plugin declares. Texts are shown, also on a terminal, and are read no
 * further than they may go.
 */
#ifndef CORE_OPS_MODULE_CHECK_TEXT_H
#define CORE_OPS_MODULE_CHECK_TEXT_H

#include <glib.h>
#include <stdbool.h>

enum { MODULE_KEY = 64 /* room for a key, as in fv_error.field */, MODULE_SENTENCE = 4096 };

/* Sets *error; returns FALSE. */
gboolean module_fault (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Text of less than `max` bytes, UTF-8 without control characters, not empty. member: "label". */
gboolean module_check_text (const char *member, const char *text, gsize max, GError **error);
/* The same, or NULL. */
gboolean module_check_text_or_null (const char *member, const char *text, gsize max, GError **error);
/* What a bool holds, which need be none. */
gboolean module_check_bool (const char *member, const bool *b, GError **error);
/* lower_snake_case */
gboolean module_check_key (const char *key, GError **error);
/* NULL, or keys separated by commas, all of them checked by `check`, too. */
gboolean module_check_aliases (const char *aliases, gboolean (*check) (const char *key, GError **error),
                               GError **error);
/* No key but the first's `last` is before it in an array of structs that begin with it. */
gboolean module_check_new_key (gconstpointer array, gsize size, guint last, GError **error);
/* A key that means something else in the text of a step. */
gboolean module_check_word (const char *key, GError **error);

#endif
