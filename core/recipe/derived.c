/* SPDX-License-Identifier: MIT
 *
 * Recursive descent writes a program for a stack: operands first, then the sign that takes them.
 */
#include "core/recipe/derived.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

enum { DEEPEST = 64 }; /* parentheses and signs within each other, and so entries of the stack */

typedef struct {
  char *step, *number;
} Found;

/* sign: 0: a number, or the i-th found one; '~': the negative of the last operand; else + - * / of the last two. */
typedef struct {
  char sign;
  gboolean found;
  guint i;
  double number;
} Word;

struct Derived {
  gint refs;
  char *text;
  GArray *founds;  /* Found */
  GArray *program; /* Word */
};

typedef struct {
  const char *begin, *at;
  GString *text;
  Derived *into;
  guint deep;
  GError **error;
} Parser;

static gboolean parse_sum (Parser *p);

gboolean
derived_is (const char *text)
{
  return strchr (text, '{') || text[strspn (text, " ")] == '=';
}

static void
clear_found (gpointer data)
{
  Found *found = data;
  g_free (found->step);
  g_free (found->number);
}

/* ---- Reading ---- */

static void
skip_space (Parser *p)
{
  while (g_ascii_isspace (*p->at))
    p->at++;
}

static gboolean
fail (const Parser *p, const char *expected)
{
  const char *end = *p->at ? g_utf8_next_char (p->at) : p->at;
  g_autofree char *there = *p->at ? g_strdup_printf ("'%.*s'", (int) (end - p->at), p->at) : g_strdup ("the end");
  step_error_set (p->error, FV_BAD_ARGUMENT, NULL, "expected %s at character %ld, not %s.", expected,
                  g_utf8_pointer_to_offset (p->begin, p->at) + 1, there);
  return FALSE;
}

static void
add_word (Parser *p, Word word)
{
  g_array_append_val (p->into->program, word);
}

static void
add_text (Parser *p, const char *from, const char *end)
{
  g_string_append_len (p->text, from, end - from);
}

/* {STEP.NUMBER}; a step's name may have dots. */
static gboolean
parse_found (Parser *p)
{
  static const char form[] = "'{STEP.NUMBER}', such as {otsu.threshold},";
  const char *end = strchr (p->at, '}');
  g_autofree char *inside = end ? g_strndup (p->at + 1, (gsize) (end - p->at - 1)) : NULL;
  char *dot = inside ? strrchr (g_strstrip (inside), '.') : NULL;
  if (!dot || dot == inside || !dot[1] || strchr (inside, '{'))
    return fail (p, form);
  *dot = 0;
  const Found found = {g_strdup (g_strstrip (inside)), g_strdup (g_strstrip (dot + 1))};
  add_word (p, (Word){.found = TRUE, .i = p->into->founds->len});
  g_array_append_val (p->into->founds, found);
  g_string_append_printf (p->text, "{%s.%s}", found.step, found.number);
  p->at = end + 1;
  return TRUE;
}

static gboolean
parse_number (Parser *p)
{
  const char *end = p->at + strspn (p->at, "0123456789.");
  const char *power = end + (*end == 'e' || *end == 'E');
  if (power > end) {
    power += *power == '+' || *power == '-';
    end = power + strspn (power, "0123456789");
  }
  g_autofree char *text = g_strndup (p->at, (gsize) (end - p->at));
  Word word = {0};
  if (!text_to_number (text, &word.number))
    return fail (p, "a number, '{', '-' or '('");
  add_word (p, word);
  add_text (p, p->at, end);
  p->at = end;
  return TRUE;
}

/* A number, braces, parentheses, or the negative of one of these. */
static gboolean
parse_operand (Parser *p)
{
  skip_space (p);
  const char first = *p->at;
  gboolean done;
  if (first == '{')
    return parse_found (p);
  if (first != '-' && first != '(')
    return parse_number (p);
  if (++p->deep > DEEPEST)
    return fail (p, "fewer parentheses and signs");
  g_string_append_c (p->text, first);
  p->at++;
  if (first == '-') {
    done = parse_operand (p);
    add_word (p, (Word){.sign = '~'});
  } else if ((done = parse_sum (p))) {
    if (*p->at != ')')
      return fail (p, "')'");
    g_string_append_c (p->text, *p->at++);
  }
  p->deep--;
  return done;
}

/* Operands with the signs between them, from left to right. */
static gboolean
parse_chain (Parser *p, const char *signs, gboolean (*operand) (Parser *p))
{
  if (!operand (p))
    return FALSE;
  for (skip_space (p); *p->at && strchr (signs, *p->at); skip_space (p)) {
    const char sign = *p->at++;
    g_string_append_c (p->text, sign);
    if (!operand (p))
      return FALSE;
    add_word (p, (Word){.sign = sign});
  }
  return TRUE;
}

static gboolean
parse_product (Parser *p)
{
  return parse_chain (p, "*/", parse_operand);
}

static gboolean
parse_sum (Parser *p)
{
  return parse_chain (p, "+-", parse_product);
}

Derived *
derived_parse (const char *text, GError **error)
{
  g_autoptr (Derived) derived = g_new0 (Derived, 1);
  g_autoptr (GString) written = g_string_new (NULL);
  Parser p = {.begin = text, .at = text, .text = written, .into = derived, .error = error};
  derived->refs = 1;
  derived->founds = g_array_new (FALSE, FALSE, sizeof (Found));
  derived->program = g_array_new (FALSE, FALSE, sizeof (Word));
  g_array_set_clear_func (derived->founds, clear_found);
  skip_space (&p);
  p.at += *p.at == '=';
  if (!parse_sum (&p))
    return NULL;
  if (*p.at) {
    fail (&p, "+, -, *, / or the end");
    return NULL;
  }
  derived->text = g_strdup (written->str);
  return g_steal_pointer (&derived);
}

Derived *
derived_ref (Derived *derived)
{
  if (derived)
    g_atomic_int_inc (&derived->refs);
  return derived;
}

void
derived_unref (Derived *derived)
{
  if (!derived || !g_atomic_int_dec_and_test (&derived->refs))
    return;
  g_array_unref (derived->founds);
  g_array_unref (derived->program);
  g_free (derived->text);
  g_free (derived);
}

/* ---- Looking ---- */

const char *
derived_text (const Derived *derived)
{
  return derived->text;
}

gboolean
derived_equal (const Derived *a, const Derived *b)
{
  return a == b || (a && b && !strcmp (a->text, b->text));
}

guint
derived_length (const Derived *derived)
{
  return derived->founds->len;
}

const char *
derived_step (const Derived *derived, guint i)
{
  return g_array_index (derived->founds, Found, i).step;
}

const char *
derived_number (const Derived *derived, guint i)
{
  return g_array_index (derived->founds, Found, i).number;
}

Derived *
derived_with_step (const Derived *derived, guint i, const char *step)
{
  GString *text = g_string_new (NULL);
  const char *at = derived->text;
  for (guint k = 0; k <= i; k++) {
    const char *brace = strchr (at, '{') + 1;
    g_string_append_len (text, at, brace - at);
    at = brace;
  }
  g_string_append_printf (text, "%s%s", step, at + strlen (derived_step (derived, i)));
  g_autofree char *all = g_string_free (text, FALSE);
  return derived_parse (all, NULL);
}

static double
apply (char sign, double a, double b)
{
  switch (sign) {
  case '+': return a + b;
  case '-': return a - b;
  case '*': return a * b;
  default: return a / b;
  }
}

double
derived_value (const Derived *derived, const double *numbers)
{
  g_autofree double *stack = g_new (double, derived->program->len);
  guint n = 0;
  for (guint k = 0; k < derived->program->len; k++) {
    const Word *word = &g_array_index (derived->program, Word, k);
    if (!word->sign)
      stack[n++] = word->found ? numbers[word->i] : word->number;
    else if (word->sign == '~')
      stack[n - 1] = -stack[n - 1];
    else {
      n--;
      stack[n - 1] = apply (word->sign, stack[n - 1], stack[n]);
    }
  }
  return stack[0];
}
