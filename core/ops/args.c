/* SPDX-License-Identifier: MIT
 *
 * One reader and one writer for each parameter type.
 */
#include "core/ops/args.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

static gpointer
field (gconstpointer args, const fv_param *p)
{
  return (char *) args + p->offset;
}

static gboolean
wrong (GError **error, const fv_param *p, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (error, FV_BAD_ARGUMENT, p->key, "%s %s", p->key, text);
  return FALSE;
}

/* Whether the number is inside the hard range. */
static gboolean
check_number (const fv_param *p, double number, GError **error)
{
  if ((isfinite (number) || (p->open && isinf (number)))
      && ((p->min == 0 && p->max == 0) || (number >= p->min && number <= p->max)))
    return TRUE;
  g_autofree char *range = args_range (p), *is = text_from_number (number);
  return wrong (error, p, "must be %s%s%s%s, not %s.", range && isfinite (p->max - p->min) ? "from " : "",
                range ? range : "a finite number", p->unit ? " " : "", p->unit ? p->unit : "", is);
}

static gboolean
read_number (const fv_param *p, const char *text, double *number, GError **error)
{
  if (!(p->open ? text_to_number_or_infinity (text, number) : text_to_number (text, number)))
    return wrong (error, p, "must be a number with a decimal point%s, not '%s'.", p->open ? ", inf or -inf" : "", text);
  return check_number (p, *number, error);
}

static char *
choice_list (const fv_param *p)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  for (const fv_choice *c = p->choices; c->key; c++)
    g_strv_builder_add (keys, c->key);
  all = g_strv_builder_end (keys);
  return g_strjoinv (", ", all);
}

static gboolean
read_choice (const fv_param *p, const char *text, int *position, GError **error)
{
  g_autofree char *all = NULL;
  for (*position = 0; p->choices[*position].key; ++*position)
    if (!g_ascii_strcasecmp (p->choices[*position].key, text))
      return TRUE;
  all = choice_list (p);
  return wrong (error, p, "cannot be '%s'. Choose from %s.", text, all);
}

static gboolean
read_bool (const fv_param *p, const char *text, bool *value, GError **error)
{
  static const char *const yes[] = {"yes", "true", "on", "1", NULL}, *const no[] = {"no", "false", "off", "0", NULL};
  g_autofree char *lower = g_ascii_strdown (text, -1);
  *value = g_strv_contains (yes, lower);
  return *value || g_strv_contains (no, lower) || wrong (error, p, "must be yes or no, not '%s'.", text);
}

static gboolean
read_int (const fv_param *p, const char *text, gint32 *value, GError **error)
{
  double number;
  if (!read_number (p, text, &number, error))
    return FALSE;
  if (number < G_MININT32 || number > G_MAXINT32 || number != (gint32) number)
    return wrong (error, p, "must be an integer, not '%s'.", text);
  *value = (gint32) number;
  return TRUE;
}

static gboolean
read_axes (const fv_param *p, const char *text, fv_axes *axes, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint n = g_strv_length (parts);
  *axes = (fv_axes){0};
  if (!*text && !p->def_text)
    return TRUE;
  if (n < 1 || n > 3)
    return wrong (error, p, "must be one number, two (y,x) or three (z,y,x), not '%s'.", text);
  axes->n = (int32_t) n;
  for (guint i = 0; i < n; i++)
    if (!read_number (p, parts[i], &axes->v[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
read_set (const fv_param *p, const char *text, fv_set *set, GError **error)
{
  g_auto (GStrv) keys = g_strsplit_set (text, ", ", -1);
  *set = (fv_set){0};
  for (char **key = keys; *key; key++) {
    int i;
    if (!**key)
      continue;
    if (!strcmp (*key, "all")) {
      for (i = 0; p->choices[i].key; i++)
        set->bits[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
      continue;
    }
    if (!read_choice (p, *key, &i, error))
      return FALSE;
    set->bits[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
  }
  return TRUE;
}

/* One row of a matrix; *at counts the values. */
static gboolean
read_matrix_row (const fv_param *p, const char *text, fv_matrix *m, gint32 *at, GError **error)
{
  g_auto (GStrv) values = g_strsplit_set (text, ", \t\n", -1);
  gint32 columns = 0;
  for (char **v = values; *v; v++) {
    if (!**v)
      continue;
    if (*at == FV_MATRIX_MAX)
      return wrong (error, p, "has more than %d values.", FV_MATRIX_MAX);
    if (!text_to_number (*v, &m->v[(*at)++]))
      return wrong (error, p, "must be numbers, not '%s'.", *v);
    columns++;
  }
  if (columns == 0 || (m->columns && m->columns != columns))
    return wrong (error, p, "must have rows of equal length: separate values by spaces, rows by ';', planes by '/'.");
  m->columns = columns;
  return TRUE;
}

static gboolean
read_matrix (const fv_param *p, const char *text, fv_matrix *m, GError **error)
{
  g_auto (GStrv) planes = g_strsplit (text, "/", -1);
  gint32 at = 0;
  *m = (fv_matrix){0};
  if (!*text)
    return TRUE;
  for (char **plane = planes; *plane; plane++, m->planes++) {
    g_auto (GStrv) rows = g_strsplit (*plane, ";", -1);
    if (m->planes && (gint32) g_strv_length (rows) != m->rows)
      return wrong (error, p, "must have the same number of rows in each plane.");
    m->rows = (gint32) g_strv_length (rows);
    for (char **row = rows; *row; row++)
      if (!read_matrix_row (p, *row, m, &at, error))
        return FALSE;
  }
  return TRUE;
}

static gboolean
read_text (const fv_param *p, const char *text, char *to, GError **error)
{
  gsize n = strlen (text);
  if (n >= p->capacity)
    return wrong (error, p, "has room for %u bytes of text, not %zu.", p->capacity - 1, n);
  memset (to, 0, p->capacity);
  memcpy (to, text, n);
  return TRUE;
}

/* Reads into `to`, which has room for p->capacity zeroed bytes. */
static gboolean
read_param (const fv_param *p, const char *text, gpointer to, GError **error)
{
  switch (p->type) {
  case FV_BOOL: return read_bool (p, text, to, error);
  case FV_INT: return p->choices ? read_choice (p, text, to, error) : read_int (p, text, to, error);
  case FV_FLOAT: return read_number (p, text, to, error);
  case FV_AXES: return read_axes (p, text, to, error);
  case FV_SET: return read_set (p, text, to, error);
  case FV_MATRIX: return read_matrix (p, text, to, error);
  case FV_TEXT: return read_text (p, text, to, error);
  }
  g_assert_not_reached ();
}

gboolean
args_set (const Op *op, gpointer args, const char *key, const char *text, GError **error)
{
  const fv_param *p = args_param (op, key);
  g_autofree gpointer value = NULL;
  if (!p) {
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    g_auto (GStrv) keys = NULL;
    g_autofree char *all = NULL, *hint = NULL;
    for (guint i = 0; i < op->n_params; i++)
      g_strv_builder_add (builder, op->fv.params[i].key);
    for (guint i = 1; i < op->n_inputs; i++)
      g_strv_builder_add (builder, op->fv.inputs[i].key);
    keys = g_strv_builder_end (builder);
    all = g_strjoinv (", ", keys);
    hint = text_nearest (key, (const char *const *) keys);
    step_error_set (error, FV_BAD_ARGUMENT, key, "Unknown parameter '%s'%s%s%s Parameters of %s: %s.", key,
                    hint ? ": did you mean '" : "", hint ? hint : "", hint ? "'?" : ".", op->fv.key,
                    *all ? all : "none");
    return FALSE;
  }
  value = g_malloc0 (p->capacity);
  if (!read_param (p, text, value, error))
    return FALSE;
  memcpy (field (args, p), value, p->capacity);
  return TRUE;
}

/* ---- Values ---- */

static gboolean
check_value (const fv_param *p, gconstpointer value, GError **error)
{
  const fv_axes *axes = value;
  if (p->type == FV_FLOAT)
    return check_number (p, *(const double *) value, error);
  if (p->type == FV_INT && !p->choices)
    return check_number (p, *(const gint32 *) value, error);
  for (gint32 i = 0; p->type == FV_AXES && i < axes->n; i++)
    if (!check_number (p, axes->v[i], error))
      return FALSE;
  return TRUE;
}

gboolean
args_put (gpointer args, const fv_param *p, gconstpointer value, GError **error)
{
  if (!check_value (p, value, error))
    return FALSE;
  guint8 *to = memcpy (field (args, p), value, p->capacity);
  /* Arguments are compared byte by byte: padding is 0. */
  if (p->type == FV_AXES)
    memset (to + sizeof (gint32), 0, offsetof (fv_axes, v) - sizeof (gint32));
  else if (p->type == FV_MATRIX)
    memset (to + 3 * sizeof (gint32), 0, offsetof (fv_matrix, v) - 3 * sizeof (gint32));
  return TRUE;
}

gboolean
args_put_number (gpointer args, const fv_param *p, double number, GError **error)
{
  const fv_axes axes = {1, {number}};
  gint32 whole = (gint32) CLAMP (number, G_MININT32, G_MAXINT32);
  if (p->type == FV_INT && number != whole) {
    g_autofree char *text = text_from_number (number);
    return wrong (error, p, "must be an integer, not '%s'.", text);
  }
  return args_put (args, p, p->type == FV_INT ? &whole : p->type == FV_AXES ? (gconstpointer) &axes : &number, error);
}

/* ---- Writing ---- */

static void
append_number (GString *s, double number)
{
  g_autofree char *text = text_from_number (number);
  g_string_append (s, text);
}

static void
append_matrix (GString *s, const fv_matrix *m)
{
  for (gint32 i = 0; i < m->planes * m->rows * m->columns; i++) {
    if (i)
      g_string_append (s, i % (m->rows * m->columns) == 0 ? " / " : i % m->columns == 0 ? "; " : " ");
    append_number (s, m->v[i]);
  }
}

static void
append_set (GString *s, const fv_param *p, const fv_set *set)
{
  for (int i = 0; p->choices[i].key; i++)
    if (set->bits[i / 64] >> i % 64 & 1)
      g_string_append_printf (s, "%s%s", s->len ? "," : "", p->choices[i].key);
}

char *
args_get (gconstpointer args, const fv_param *p)
{
  GString *s = g_string_new (NULL);
  gconstpointer at = field (args, p);
  switch (p->type) {
  case FV_BOOL: g_string_append (s, *(const bool *) at ? "yes" : "no"); break;
  case FV_INT:
    if (p->choices)
      g_string_append (s, p->choices[*(const gint32 *) at].key);
    else
      g_string_append_printf (s, "%d", *(const gint32 *) at);
    break;
  case FV_FLOAT: append_number (s, *(const double *) at); break;
  case FV_AXES:
    for (int i = 0; i < ((const fv_axes *) at)->n; i++) {
      g_string_append (s, i ? "," : "");
      append_number (s, ((const fv_axes *) at)->v[i]);
    }
    break;
  case FV_SET: append_set (s, p, at); break;
  case FV_MATRIX: append_matrix (s, at); break;
  case FV_TEXT: g_string_append (s, at); break;
  }
  return g_string_free (s, FALSE);
}

/* A number that may be none and matters with one choice alone, such as method=manual. */
static gboolean
is_limit (const fv_param *p)
{
  return p->open && p->enabled && !strpbrk (p->enabled, "|&");
}

/* ---- The order of a set ---- */

const fv_param *
args_set_param (const Op *op)
{
  for (guint i = 0; i < op->n_params; i++)
    if (op->fv.params[i].type == FV_SET)
      return &op->fv.params[i];
  return NULL;
}

static gboolean
has_choice (const fv_set *set, guint i)
{
  return set->bits[i / 64] >> i % 64 & 1;
}

/* Adds those of the set that are not there yet, as they are declared. */
static void
add_choices (GArray *order, const fv_param *p, fv_set *left)
{
  for (guint i = 0; p->choices[i].key; i++)
    if (has_choice (left, i)) {
      g_array_append_val (order, i);
      left->bits[i / 64] &= ~(G_GUINT64_CONSTANT (1) << i % 64);
    }
}

GArray *
args_chosen (const fv_param *p, gconstpointer args, const ArgsAsked *asked)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));
  fv_set left = *(const fv_set *) field (args, p);
  for (guint k = 0; asked && k < G_N_ELEMENTS (asked->order) && asked->order[k]; k++) {
    const guint i = asked->order[k] - 1u;
    if (!has_choice (&left, i))
      continue;
    g_array_append_val (order, i);
    left.bits[i / 64] &= ~(G_GUINT64_CONSTANT (1) << i % 64);
  }
  add_choices (order, p, &left);
  return order;
}

void
args_order (const Op *op, ArgsAsked *asked, const char *key, const char *text)
{
  const fv_param *p = args_param (op, key);
  if (!p || p != args_set_param (op))
    return;
  g_auto (GStrv) words = g_strsplit_set (text, ", ", -1);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  fv_set all = {0}, left;
  gboolean declared = TRUE;
  read_set (p, text, &all, NULL);
  left = all;
  for (char **word = words; *word; word++) {
    fv_set one = {0};
    read_set (p, *word, &one, NULL);
    for (guint i = 0; i < G_N_ELEMENTS (one.bits); i++)
      one.bits[i] &= left.bits[i], left.bits[i] &= ~one.bits[i];
    add_choices (order, p, &one);
  }
  memset (asked->order, 0, sizeof asked->order);
  for (guint k = 1; k < order->len; k++)
    declared = declared && g_array_index (order, guint, k) > g_array_index (order, guint, k - 1);
  for (guint k = 0; !declared && k < order->len; k++)
    asked->order[k] = (guint16) (g_array_index (order, guint, k) + 1);
}

/* The set as text, in its order. Free with g_free(). */
static char *
format_chosen (const fv_param *p, gconstpointer args, const ArgsAsked *asked)
{
  GString *s = g_string_new (NULL);
  g_autoptr (GArray) order = args_chosen (p, args, asked);
  for (guint k = 0; k < order->len; k++)
    g_string_append_printf (s, "%s%s", k ? "," : "", p->choices[g_array_index (order, guint, k)].key);
  return g_string_free (s, FALSE);
}

/* ---- Whole lists ---- */

/* Parameters that are not the default, have been asked for, or all of those that matter; and `param`, if it shall be written. */
static char *
format (const Op *op, gconstpointer args, const ArgsAsked *asked, const char *const *texts, gboolean all,
        const fv_param *param, gboolean written)
{
  g_autofree gpointer defaults = args_new (op, NULL);
  GString *s = g_string_new (NULL);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *text = NULL, *quoted = NULL;
    const gboolean ordered = asked && *asked->order && p == args_set_param (op);
    const gboolean changed =
      ordered || (texts && texts[i]) || memcmp (field (args, p), field (defaults, p), p->capacity) != 0;
    const gboolean wanted = changed || (asked && args_is_asked (asked, i)) || (all && args_enabled (op, args, p));
    if (p == param ? !written : !wanted || (is_limit (p) && !args_enabled (op, args, p)))
      continue;
    text = ordered ? format_chosen (p, args, asked) : texts && texts[i] ? g_strdup (texts[i]) : args_get (args, p);
    if (!changed && !*text)
      continue;
    quoted = text_quote (text);
    g_string_append_printf (s, "%s%s=%s", s->len ? " " : "", p->key, quoted);
  }
  return g_string_free (s, FALSE);
}

char *
args_format (const Op *op, gconstpointer args, const ArgsAsked *asked)
{
  return format (op, args, asked, NULL, FALSE, NULL, FALSE);
}

char *
args_format_but (const Op *op, gconstpointer args, const ArgsAsked *asked, const char *const *texts,
                 const fv_param *param, gboolean written)
{
  return format (op, args, asked, texts, FALSE, param, written);
}

char *
args_format_all (const Op *op, gconstpointer args, const ArgsAsked *asked, const char *const *texts)
{
  return format (op, args, asked, texts, TRUE, NULL, FALSE);
}

gboolean
args_is_asked (const ArgsAsked *asked, guint i)
{
  return asked->bits[i / 64] >> i % 64 & 1;
}

void
args_ask (const Op *op, ArgsAsked *asked, const char *key)
{
  const fv_param *param = args_param (op, key);
  const gsize i = param ? (gsize) (param - op->fv.params) : 0;
  if (param)
    asked->bits[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
}

char *
args_range (const fv_param *p)
{
  g_autofree char *low = text_from_number (p->min), *high = text_from_number (p->max);
  gboolean from = isfinite (p->min), to = isfinite (p->max);
  if (p->min == 0 && p->max == 0)
    return NULL;
  if (from && to)
    return g_strdup_printf ("%s to %s", low, high);
  return from ? g_strdup_printf ("at least %s", low) : to ? g_strdup_printf ("at most %s", high) : NULL;
}

/* ---- Whole structs ---- */

const fv_param *
args_param (const Op *op, const char *key)
{
  for (guint i = 0; i < op->n_params; i++)
    if (!strcmp (op->fv.params[i].key, key) || op_has_alias (op->fv.params[i].aliases, key))
      return &op->fv.params[i];
  return NULL;
}

const fv_param *
args_volume_param (const Op *op)
{
  const fv_param *volume = args_param (op, "volume");
  return volume && volume->type == FV_BOOL ? volume : NULL;
}

gboolean
args_volume (const Op *op, gconstpointer args)
{
  const fv_param *volume = args_volume_param (op);
  return volume && *(const bool *) field (args, volume) && args_enabled (op, args, volume);
}

gboolean
args_check_once (const Op *op, const char *const *words, GError **error)
{
  g_autofree const char **given = g_new0 (const char *, op->n_params);
  for (; *words; words++) {
    g_autofree char *key = g_strndup (*words, strcspn (*words, "="));
    const fv_param *p = args_param (op, key);
    const char **before = p ? &given[p - op->fv.params] : NULL;
    if (!p)
      continue;
    if (*before)
      return wrong (error, p, "is given twice, as '%s' and as '%s'.", *before, *words);
    *before = *words;
  }
  return TRUE;
}

static gboolean
is_given (const fv_param *p, const char *const *words)
{
  for (; *words; words++) {
    g_autofree char *key = g_strndup (*words, strcspn (*words, "="));
    if (!strcmp (p->key, key) || op_has_alias (p->aliases, key))
      return TRUE;
  }
  return FALSE;
}

gboolean
args_choose_by_limits (const Op *op, gpointer args, const char *const *words, GError **error)
{
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    if (!is_limit (p) || !is_given (p, words) || args_enabled (op, args, p))
      continue;
    g_auto (GStrv) parts = g_strsplit (p->enabled, "=", 2);
    const fv_param *choice = args_param (op, parts[0]);
    g_autofree char *is = args_get (args, choice);
    if (is_given (choice, words))
      return wrong (error, p, "requires %s, but %s is %s: remove one of them.", p->enabled, choice->key, is);
    if (!args_set (op, args, parts[0], parts[1], error))
      return FALSE;
  }
  return TRUE;
}

char *
args_default (const fv_param *p)
{
  switch (p->type) {
  case FV_BOOL: return g_strdup (p->def != 0 ? "yes" : "no");
  case FV_INT: {
    int n = 0;
    if (!p->choices)
      return text_from_number (p->def);
    while (p->choices[n].key)
      n++;
    return g_strdup (p->def >= 0 && p->def < n ? p->choices[(int) p->def].key : "(no such choice)");
  }
  case FV_FLOAT: return text_from_number (p->def);
  default: return g_strdup (p->def_text ? p->def_text : "");
  }
}

gpointer
args_new (const Op *op, GError **error)
{
  g_autofree gpointer args = g_malloc0 (MAX (1, op->fv.args_size));
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *text = args_default (p);
    if (!read_param (p, text, field (args, p), error))
      return NULL;
  }
  return g_steal_pointer (&args);
}

gpointer
args_copy (const Op *op, gconstpointer args)
{
  return g_memdup2 (args, MAX (1, op->fv.args_size));
}

gboolean
args_equal (const Op *op, gconstpointer a, gconstpointer b)
{
  return !memcmp (a, b, MAX (1, op->fv.args_size));
}

gboolean
args_enabled (const Op *op, gconstpointer args, const fv_param *p)
{
  g_auto (GStrv) conditions = g_strsplit (p->enabled ? p->enabled : "", "&", -1);
  for (char **condition = conditions; *condition; condition++) {
    g_auto (GStrv) parts = g_strsplit (g_strstrip (*condition), "=", 2);
    const fv_param *other = args_param (op, parts[0]);
    g_auto (GStrv) values = g_strsplit (parts[1], "|", -1);
    g_autofree char *value = args_get (args, other);
    if (!g_strv_contains ((const char *const *) values, value))
      return FALSE;
  }
  return TRUE;
}
