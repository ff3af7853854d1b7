/* SPDX-License-Identifier: MIT
 *
 * Arguments of an operation: text <-> argument struct, with one parser and one writer for the command line, the forms, the
 * recorder and the macros. text -> arguments -> text is a fixed point. Every argument struct is zero in its unused bytes,
 * so that equal arguments are equal bytes.
 */
#ifndef CORE_OPS_ARGS_H
#define CORE_OPS_ARGS_H

#include "core/ops/op.h"

/* An argument struct with all defaults; free with g_free(). NULL with *error when a default breaks its own rules. */
gpointer args_new (const Op *op, GError **error);
gpointer args_copy (const Op *op, gconstpointer args);
gboolean args_equal (const Op *op, gconstpointer a, gconstpointer b);

/* Sets one parameter from text. On FALSE, *error says what is wrong and what would work, its field is the parameter, and
 * args is unchanged. */
gboolean args_set (const Op *op, gpointer args, const char *key, const char *text, GError **error);
/* The same from a value of the parameter's type in the argument struct, with zeros in unused bytes. */
gboolean args_put (gpointer args, const fv_param *param, gconstpointer value, GError **error);
/* The same of a parameter that is a number, or one for each axis: then all get this one. */
gboolean args_put_number (gpointer args, const fv_param *param, double number, GError **error);
/* One parameter as text that args_set() reads back to the same value. Free with g_free(). */
char *args_get (gconstpointer args, const fv_param *param);
/* How arguments were given. */
typedef struct ArgsAsked {
  guint64 bits[4]; /* the parameters that were set, even to the default */
  guint16 order
    [256]; /* the choices of the first set, counted from 1, as they came; 0: no more; empty: as they are declared */
} ArgsAsked;

gboolean args_is_asked (const ArgsAsked *asked, guint param);
/* The parameter of that key is one of them; of another key, nothing. */
void args_ask (const Op *op, ArgsAsked *asked, const char *key);
/* The first parameter that is a set, or NULL. */
const fv_param *args_set_param (const Op *op);
/* That parameter was given this text, which args_set() has read; of another key, nothing. */
void args_order (const Op *op, ArgsAsked *asked, const char *key, const char *text);
/* Its choices, from 0, in the order in which they were given, and then those that were added since. asked may be NULL. Array of guint. */
GArray *args_chosen (const fv_param *set, gconstpointer args, const ArgsAsked *asked);
/* "sigma=5 border=wrap": the parameters that differ from their defaults or were asked for, quoted where needed. asked may be NULL. Free with g_free(). */
char *args_format (const Op *op, gconstpointer args, const ArgsAsked *asked);
/* All parameters that matter. texts: NULL, or for each parameter what is written instead of its value, or NULL. Free with g_free(). */
char *args_format_all (const Op *op, gconstpointer args, const ArgsAsked *asked, const char *const *texts);
/* The same as args_format(), but for one parameter, which is always written or always omitted; NULL: none. */
char *args_format_but (const Op *op, gconstpointer args, const ArgsAsked *asked, const char *const *texts,
                       const fv_param *param, gboolean written);
/* Whether the parameter's .enabled conditions hold. */
gboolean args_enabled (const Op *op, gconstpointer args, const fv_param *param);
/* The parameter of that key, or that once had it, or NULL. */
const fv_param *args_param (const Op *op, const char *key);
/* Its switch `volume`, or NULL. */
const fv_param *args_volume_param (const Op *op);
/* Whether that asks for whole stacks instead of single planes, and has a meaning beside the other arguments. */
gboolean args_volume (const Op *op, gconstpointer args);
/* FALSE with *error when "key=value" words give a parameter twice, perhaps once by an older key. Other words are not looked at. */
gboolean args_check_once (const Op *op, const char *const *words, GError **error);
/* Giving a limit implies the choice that it depends on, such as method=manual, if only one choice uses it. FALSE
 * with *error when the "key=value" words, which args has already, also set another choice. */
gboolean args_choose_by_limits (const Op *op, gpointer args, const char *const *words, GError **error);
/* The hard range for people, without its unit: "0 to 10", "at least 0", or NULL when there is none. Free with g_free(). */
char *args_range (const fv_param *param);
/* The default as text. Free with g_free(). */
char *args_default (const fv_param *param);

#endif
