/* SPDX-License-Identifier: MIT
 *
 * Recursive descent, with the precedences of Python: or, and, not, comparisons, |, ^, &, + -, * / // %, - + ~, **.
 */
#include "kernels/expression/expression_program.h"

#include "kernels/common/text.h"

#include <stdlib.h>

typedef struct parser {
  const char *text, *at, *field;
  const expression_names *names;
  expression_program *p;
  fv_error *error;
  int depth;
} parser;

enum { WRONG = -1, NOTHING = -1 };

static int parse_or (parser *s);

/* ---- Errors ---- */

/* Always WRONG; `where` points into the text. */
__attribute__ ((format (printf, 3, 4))) static int
wrong (parser *s, const char *where, const char *format, ...)
{
  char words[384];
  int column = 1;
  va_list ap;
  for (const char *c = s->text; c < where; c++)
    column += (*c & 0xc0) != 0x80;
  va_start (ap, format);
  vsnprintf (words, sizeof words, format, ap);
  va_end (ap);
  fail (s->error, FV_BAD_ARGUMENT, s->field, "Column %d: %s", column, words);
  return WRONG;
}

/* ---- Values ---- */

static int
value_new (parser *s, const char *where, const expression_value *v)
{
  expression_program *p = s->p;
  for (int i = 0; i < p->n; i++)
    if (!memcmp (&p->values[i], v, sizeof *v))
      return i;
  if (p->n == EXPRESSION_VALUES)
    return wrong (s, where, "the expression is too long: it has more than %d different values.", EXPRESSION_VALUES);
  p->values[p->n] = *v;
  return p->n++;
}

/* All of a value, the bytes between its members too: they are compared. */
static expression_value
value_of (value_kind kind, int which, bool uniform)
{
  expression_value v;
  memset (&v, 0, sizeof v);
  v.kind = kind, v.which = which, v.uniform = uniform;
  v.args[0] = v.args[1] = v.args[2] = NOTHING;
  return v;
}

static int
constant (parser *s, const char *where, double number, bool truth)
{
  expression_value v = value_of (VALUE_CONSTANT, 0, true);
  v.constant = number, v.truth = truth;
  return value_new (s, where, &v);
}

static bool
is_constant (const parser *s, int value)
{
  return value == NOTHING || s->p->values[value].kind == VALUE_CONSTANT;
}

static bool
is_uniform (const parser *s, int value)
{
  return value == NOTHING || s->p->values[value].uniform;
}

static double
number_of (const parser *s, int value)
{
  return value == NOTHING ? 0 : s->p->values[value].constant;
}

static int
function (parser *s, const char *where, int f, int a, int b, int c)
{
  if (a == WRONG || (expression_arguments (f) > 1 && b == WRONG) || (expression_arguments (f) > 2 && c == WRONG))
    return WRONG;
  const expression_value *values = s->p->values;
  bool truth = expression_is_truth (f) || (f == FN_where && values[b].truth && values[c].truth);
  if (is_constant (s, a) && is_constant (s, b) && is_constant (s, c))
    return constant (s, where, expression_scalar (f, number_of (s, a), number_of (s, b), number_of (s, c)), truth);
  if (f == FN_power && is_constant (s, b) && number_of (s, b) == 2)
    f = FN_multiply, b = a;
  expression_value v = value_of (VALUE_FUNCTION, f, is_uniform (s, a) && is_uniform (s, b) && is_uniform (s, c));
  v.truth = truth;
  v.args[0] = a, v.args[1] = b, v.args[2] = c;
  return value_new (s, where, &v);
}

/* ---- Words ---- */

static void
skip_space (parser *s)
{
  s->at += strspn (s->at, " \t\r\n");
}

static bool
in_word (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Takes the operator or word when it comes next: of operators not the beginning of a longer one in `longer`. */
static bool
take (parser *s, const char *token, const char *longer)
{
  size_t n = strlen (token);
  skip_space (s);
  if (strncmp (s->at, token, n) || (in_word (*token) && in_word (s->at[n])) || (s->at[n] && strchr (longer, s->at[n])))
    return false;
  s->at += n;
  return true;
}

static bool
is_word (const char *word, size_t n, const char *name)
{
  return strlen (name) == n && !strncmp (word, name, n);
}

/* ---- Numbers and names ---- */

static int
parse_number (parser *s)
{
  const char *where = s->at;
  const char *end;
  double number = number_begin (where, &end);
  if (in_word (*end))
    return wrong (s, end, "'%.*s' is not a number.",
                  (int) strspn (where, "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"), where);
  s->at = end;
  return constant (s, where, number, false);
}

static const char *const aliases[][2] = {
  {"absolute", "abs"}, {"fabs", "abs"},      {"asin", "arcsin"},   {"acos", "arccos"},
  {"atan", "arctan"},  {"atan2", "arctan2"}, {"pow", "power"},     {"min", "minimum"},
  {"max", "maximum"},  {"round", "rint"},    {"remainder", "mod"}, {"true_divide", "divide"},
};

/* FUNCTIONS when there is none. */
static int
find_function (const char *word, size_t n)
{
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (is_word (word, n, aliases[i][0])) {
      word = aliases[i][1], n = strlen (word);
      break;
    }
  int f = 0;
  while (f < FUNCTIONS && !is_word (word, n, expression_name (f)))
    f++;
  return f;
}

/* The arguments of a call, after "(": how many, or WRONG. */
static int
parse_arguments (parser *s, const char *word, int n_word, int args[3])
{
  int n = 0;
  if (take (s, ")", ""))
    return 0;
  do {
    if (n == 3)
      return wrong (s, s->at, "%.*s() does not take as many values.", n_word, word);
    if ((args[n++] = parse_or (s)) == WRONG)
      return WRONG;
  } while (take (s, ",", ""));
  return take (s, ")", "") ? n : wrong (s, s->at, "a ')' is missing for %.*s(.", n_word, word);
}

static int
parse_call (parser *s, const char *word, int n_word)
{
  int args[3] = {NOTHING, NOTHING, NOTHING}, f = find_function (word, (size_t) n_word);
  bool clip = is_word (word, (size_t) n_word, "clip"), square = is_word (word, (size_t) n_word, "square");
  int wanted = clip ? 3 : square ? 1 : f < FUNCTIONS ? expression_arguments (f) : 0;
  if (!wanted)
    return wrong (s, word, "unknown function %.*s().", n_word, word);
  int n = parse_arguments (s, word, n_word, args);
  if (n == WRONG)
    return WRONG;
  if (n != wanted)
    return wrong (s, word, "%.*s() takes %d value%s, not %d.", n_word, word, wanted, wanted == 1 ? "" : "s", n);
  if (square)
    return function (s, word, FN_multiply, args[0], args[0], NOTHING);
  if (clip)
    return function (s, word, FN_minimum, function (s, word, FN_maximum, args[0], args[1], NOTHING), args[2], NOTHING);
  return function (s, word, f, args[0], args[1], args[2]);
}

/* An integer number of pixels, after "[" or ",". */
static bool
parse_offset (parser *s, int32_t *offset)
{
  skip_space (s);
  const char *where = s->at;
  int value = parse_or (s);
  if (value == WRONG)
    return false;
  double number = s->p->values[value].constant;
  if (!is_constant (s, value) || number != rint (number) || fabs (number) > EXPRESSION_REACH) {
    wrong (s, where, "a neighbor is given by integers from -%d to %d.", EXPRESSION_REACH, EXPRESSION_REACH);
    return false;
  }
  *offset = (int32_t) number;
  return true;
}

static int
parse_input (parser *s, const char *word, int input)
{
  expression_value v = value_of (VALUE_INPUT, input, false);
  if (take (s, "[", "")) {
    if (!parse_offset (s, &v.dx))
      return WRONG;
    if (!take (s, ",", ""))
      return wrong (s, s->at, "a neighbor has two numbers: %s[dx,dy].", s->names->inputs[input]);
    if (!parse_offset (s, &v.dy))
      return WRONG;
    if (!take (s, "]", ""))
      return wrong (s, s->at, "a ']' is missing for %s[.", s->names->inputs[input]);
  }
  return value_new (s, word, &v);
}

static void
list_names (const expression_names *names, char *text, size_t size)
{
  size_t n = 0;
  text[0] = 0;
  for (int i = 0; i < names->n_inputs && n < size; i++)
    n += (size_t) snprintf (text + n, size - n, "%s, ", names->inputs[i]);
  for (int i = 0; i < names->n_params && n < size; i++)
    n += (size_t) snprintf (text + n, size - n, "%s, ", names->params[i]);
}

static const char *const coordinates[COORDINATES] = {"x", "y", "z", "ch"};
static const char *const sizes[EXTENTS] = {"width", "height", "depth", "channels", "frames", "t"};
static const struct {
  const char *name;
  double number;
  bool truth;
} constants[] = {{"pi", M_PI, false},      {"e", M_E, false}, {"nan", NAN, false},
                 {"inf", INFINITY, false}, {"True", 1, true}, {"False", 0, true}};

bool
expression_is_known (const char *word)
{
  static const char *const others[] = {"and", "or", "not", "clip", "square"};
  bool known = find_function (word, strlen (word)) < FUNCTIONS;
  for (int i = 0; i < COORDINATES; i++)
    known = known || !strcmp (word, coordinates[i]);
  for (int i = 0; i < EXTENTS; i++)
    known = known || !strcmp (word, sizes[i]);
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    known = known || !strcmp (word, constants[i].name);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    known = known || !strcmp (word, others[i]);
  return known;
}

static int
parse_word (parser *s)
{
  const char *word = s->at;
  size_t n = 0;
  while (in_word (word[n]))
    n++;
  s->at += n;
  if (take (s, "(", ""))
    return parse_call (s, word, (int) n);
  for (int i = 0; i < s->names->n_inputs; i++)
    if (is_word (word, n, s->names->inputs[i]))
      return parse_input (s, word, i);
  for (int i = 0; i < s->names->n_params; i++)
    if (is_word (word, n, s->names->params[i]))
      return value_new (s, word, (expression_value[]){value_of (VALUE_PARAM, i, true)});
  for (int i = 0; i < COORDINATES; i++)
    if (is_word (word, n, coordinates[i]))
      return value_new (s, word, (expression_value[]){value_of (VALUE_COORDINATE, i, false)});
  for (int i = 0; i < EXTENTS; i++)
    if (is_word (word, n, sizes[i]))
      return value_new (s, word, (expression_value[]){value_of (VALUE_SIZE, i, true)});
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (is_word (word, n, constants[i].name))
      return constant (s, word, constants[i].number, constants[i].truth);
  char known[200];
  list_names (s->names, known, sizeof known);
  return find_function (word, n) < FUNCTIONS
           ? wrong (s, word, "%.*s is a function: put its values in parentheses.", (int) n, word)
           : wrong (s, word,
                    "unknown name '%.*s'; known are %sx, y, z, ch, t, width, height, depth, channels, frames, pi, e, "
                    "nan and inf.",
                    (int) (n < 40 ? n : 40), word, known);
}

/* ---- Operators ---- */

static int
parse_primary (parser *s)
{
  skip_space (s);
  const char *where = s->at;
  if ((*where >= '0' && *where <= '9') || (*where == '.' && where[1] >= '0' && where[1] <= '9'))
    return parse_number (s);
  if (in_word (*where))
    return parse_word (s);
  if (!take (s, "(", "")) {
    if (!*where)
      return wrong (s, where, "a value is missing at the end.");
    int bytes = 1;
    while ((where[bytes] & 0xc0) == 0x80)
      bytes++;
    return wrong (s, where, "expected a value here, not '%.*s'.", bytes, where);
  }
  int value = parse_or (s);
  if (value == WRONG)
    return WRONG;
  return take (s, ")", "") ? value : wrong (s, s->at, "a ')' is missing.");
}

/* Each level of nesting comes through here. */
static int
parse_unary (parser *s)
{
  skip_space (s);
  const char *where = s->at;
  int value;
  if (++s->depth > EXPRESSION_DEPTH)
    return wrong (s, where, "the expression is nested deeper than %d levels.", EXPRESSION_DEPTH);
  if (take (s, "-", ""))
    value = function (s, where, FN_negative, parse_unary (s), NOTHING, NOTHING);
  else if (take (s, "+", ""))
    value = parse_unary (s);
  else if (take (s, "~", "")) {
    value = parse_unary (s);
    if (value != WRONG && !s->p->values[value].truth)
      return wrong (s, where, "~ is for truth values, such as a > 1.");
    value = function (s, where, FN_logical_not, value, NOTHING, NOTHING);
  } else {
    value = parse_primary (s);
    const char *power = (skip_space (s), s->at);
    if (value != WRONG && take (s, "**", ""))
      value = function (s, power, FN_power, value, parse_unary (s), NOTHING);
  }
  s->depth--;
  return value;
}

static int
parse_product (parser *s)
{
  int value = parse_unary (s);
  while (value != WRONG) {
    const char *where = (skip_space (s), s->at);
    int f = take (s, "*", "*")   ? FN_multiply
            : take (s, "//", "") ? FN_floor_divide
            : take (s, "/", "")  ? FN_divide
            : take (s, "%", "")  ? FN_mod
                                 : FUNCTIONS;
    if (f == FUNCTIONS)
      return value;
    value = function (s, where, f, value, parse_unary (s), NOTHING);
  }
  return WRONG;
}

static int
parse_sum (parser *s)
{
  int value = parse_product (s);
  while (value != WRONG) {
    const char *where = (skip_space (s), s->at);
    int f = take (s, "+", "") ? FN_add : take (s, "-", "") ? FN_subtract : FUNCTIONS;
    if (f == FUNCTIONS)
      return value;
    value = function (s, where, f, value, parse_product (s), NOTHING);
  }
  return WRONG;
}

/* &, ^ and |, by level. */
static int
parse_bits (parser *s, int level)
{
  static const struct {
    const char *sign;
    int function;
    const char *wrong;
  } operators[] = {
    {"|", FN_logical_or,
     "| is for truth values: put comparisons in parentheses, as in (a > 1) | (b > 2); for bits there is bitwise_or(a, "
     "b)."},
    {"^", FN_logical_xor, "^ is for truth values; a power is written a ** 2."},
    {"&", FN_logical_and,
     "& is for truth values: put comparisons in parentheses, as in (a > 1) & (b > 2); for bits there is bitwise_and(a, "
     "b)."},
  };
  if (level == 3)
    return parse_sum (s);
  int value = parse_bits (s, level + 1);
  while (value != WRONG) {
    const char *where = (skip_space (s), s->at);
    if (!take (s, operators[level].sign, ""))
      return value;
    if (*s->at == *operators[level].sign)
      return wrong (s, where, "it is written %s.", level ? "'and' or &" : "'or' or |");
    int other = parse_bits (s, level + 1);
    if (other != WRONG && !(s->p->values[value].truth && s->p->values[other].truth))
      return wrong (s, where, "%s", operators[level].wrong);
    value = function (s, where, operators[level].function, value, other, NOTHING);
  }
  return WRONG;
}

/* a < b < c is (a < b) & (b < c). */
static int
parse_comparison (parser *s)
{
  int left = parse_bits (s, 0), all = NOTHING;
  while (left != WRONG) {
    const char *where = (skip_space (s), s->at);
    int f = take (s, "<=", "")   ? FN_less_equal
            : take (s, "<", "")  ? FN_less
            : take (s, ">=", "") ? FN_greater_equal
            : take (s, ">", "")  ? FN_greater
            : take (s, "==", "") ? FN_equal
            : take (s, "!=", "") ? FN_not_equal
                                 : FUNCTIONS;
    if (f == FUNCTIONS)
      return all == NOTHING ? left : all;
    int right = parse_bits (s, 0), one = function (s, where, f, left, right, NOTHING);
    all = all == NOTHING ? one : function (s, where, FN_logical_and, all, one, NOTHING);
    left = all == WRONG ? WRONG : right;
  }
  return WRONG;
}

static int
parse_not (parser *s)
{
  const char *where = (skip_space (s), s->at);
  if (!take (s, "not", ""))
    return parse_comparison (s);
  if (++s->depth > EXPRESSION_DEPTH)
    return wrong (s, where, "the expression is nested deeper than %d levels.", EXPRESSION_DEPTH);
  int value = function (s, where, FN_logical_not, parse_not (s), NOTHING, NOTHING);
  s->depth--;
  return value;
}

static int
parse_and (parser *s)
{
  int value = parse_not (s);
  for (const char *where; value != WRONG && (where = (skip_space (s), s->at), take (s, "and", ""));)
    value = function (s, where, FN_logical_and, value, parse_not (s), NOTHING);
  return value;
}

static int
parse_or (parser *s)
{
  int value = parse_and (s);
  for (const char *where; value != WRONG && (where = (skip_space (s), s->at), take (s, "or", ""));)
    value = function (s, where, FN_logical_or, value, parse_and (s), NOTHING);
  return value;
}

/* ---- The whole ---- */

static int32_t
larger (int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* What the result needs. */
static void
mark (expression_program *p)
{
  p->used[p->result] = true;
  for (int i = p->n - 1; i >= 0; i--) {
    const expression_value *v = &p->values[i];
    if (!p->used[i])
      continue;
    for (int k = 0; k < 3; k++)
      if (v->args[k] != NOTHING)
        p->used[v->args[k]] = true;
    if (v->kind == VALUE_INPUT) {
      p->inputs[v->which] = true;
      p->reach_x = larger (p->reach_x, abs (v->dx));
      p->reach_y = larger (p->reach_y, abs (v->dy));
    }
    if (v->kind == VALUE_SIZE && v->which >= EXTENT_FRAMES)
      p->time = true;
    else if (v->kind == VALUE_COORDINATE || v->kind == VALUE_SIZE)
      p->coordinates[v->which] = true;
  }
}

fv_status
expression_parse (const char *text, const expression_names *names, const char *field, expression_program *program,
                  fv_error *error)
{
  parser s = {text, text, field, names, program, error, 0};
  memset (&program->n, 0,
          sizeof *program - offsetof (expression_program, n)); /* a value is written before it is read */
  if (!text[strspn (text, " \t\r\n")])
    return fail (error, FV_BAD_ARGUMENT, field, "The expression is empty. Write one, such as a * 2.");
  program->result = parse_or (&s);
  if (program->result == WRONG)
    return error->code;
  skip_space (&s);
  if (*s.at == '=')
    wrong (&s, s.at, "the expression is the result itself; to compare is written ==.");
  else if (*s.at == '!')
    wrong (&s, s.at, "it is written 'not' or ~.");
  else if (*s.at)
    wrong (&s, s.at, "expected an operator here.");
  else {
    mark (program);
    return FV_OK;
  }
  return error->code;
}

void
expression_uniforms (const expression_program *p, const double *params, const double *sizes, double *values)
{
  for (int i = 0; i < p->n; i++) {
    const expression_value *v = &p->values[i];
    if (!p->used[i] || !v->uniform)
      continue;
    double args[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
      if (v->args[k] != NOTHING)
        args[k] = values[v->args[k]];
    values[i] = v->kind == VALUE_CONSTANT ? v->constant
                : v->kind == VALUE_PARAM  ? params[v->which]
                : v->kind == VALUE_SIZE   ? sizes[v->which]
                                          : expression_scalar (v->which, args[0], args[1], args[2]);
  }
}
