/* SPDX-License-Identifier: MIT
 *
 * Loops of a kernel on a GPU, which only the kernel itself can end: each turn asks fovea_goes_on(), which ends the thread when the host wants so.
 * The call comes before the body, so that nothing has to be known of the header, and in the condition where there may be no body.
 *
 *   for (a; b; c) S       for (a; b; c) if (!fovea_goes_on ()) {} else S
 *   while (c) S           while (c) if (!fovea_goes_on ()) {} else S
 *   do S while (c);       do S while (fovea_goes_on () && (c));      `while (c);` alike
 *   label: S              label: fovea_goes_on (); S                 for a goto
 *
 * A `for` that plainly counts through a few numbers stays as it is, so that compilers unroll it, and so does a constexpr function.
 */
#include "kernels/native/loops.h"

#include "kernels/native/guard.h"

#include <ctype.h>
#include <stdlib.h>

/* A thread counts its turns in all loops, and the compiler keeps the number in a register. To look at memory of the host takes a microsecond, so that
 * only each 2048th turn does, and not all warps at once. A thread that is to end does so there and then. */
const char kernel_checks[] = "__shared__ unsigned fovea_turns[FOVEA_THREADS];\n"
                             "__shared__ const volatile int *fovea_stop;\n"
                             "FOVEA_INLINE void fovea_begin (const volatile int *stop)\n"
                             "{\n"
                             "  if (!threadIdx.x)\n"
                             "    fovea_stop = stop;\n"
                             "  __syncthreads ();\n"
                             "  fovea_turns[threadIdx.x] = (blockIdx.x + threadIdx.x / 32) * 32;\n"
                             "}\n"
                             "FOVEA_INLINE bool fovea_goes_on ()\n"
                             "{\n"
                             "  if (++fovea_turns[threadIdx.x] % 2048 == 0 && *fovea_stop) {\n"
                             "    asm volatile (\"exit;\");\n"
                             "    __builtin_unreachable ();\n"
                             "  }\n"
                             "  return true;\n"
                             "}\n"
                             "\n";

enum { FEW = 256, DEPTH = 8 };

/* Text of the user, of which what is before `from` is written. */
typedef struct loops {
  text *s;
  const char *from, *code, *preamble;
} loops;

static void
insert (loops *l, const char *at, const char *what)
{
  text_add_guarded (l->s, l->from, at);
  text_add (l->s, "%s", what);
  l->from = at;
}

/* ---- Words ---- */

/* The next token from here on, or the end. */
static const char *
skip_blanks (const char *at, const char *end)
{
  while (at < end
         && (isspace ((unsigned char) *at) || (*at == '\\' && at[1] == '\n')
             || (*at == '/' && (at[1] == '/' || at[1] == '*'))))
    at = *at == '/' ? behind_token (at) : at + 1;
  return at < end ? at : end;
}

static const char *
next_token (const char *at, const char *end)
{
  return skip_blanks (behind_token (at), end);
}

static bool
is_name (const char *at)
{
  return isalpha ((unsigned char) *at) || *at == '_';
}

static bool
is_word (const char *at, const char *end, const char *word)
{
  const size_t n = strlen (word);
  return at < end && (size_t) (behind_token (at) - at) == n && !strncmp (at, word, n);
}

static bool
is_any (const char *at, const char *end, const char *const *words)
{
  while (*words && !is_word (at, end, *words))
    words++;
  return *words;
}

/* The bracket that closes the one that stands here; NULL: none before the end. */
static const char *
close_of (const char *at, const char *end)
{
  for (int open = 0; at < end; at = next_token (at, end)) {
    open += strchr ("([{", *at) ? 1 : strchr (")]}", *at) ? -1 : 0;
    if (!open)
      return at;
  }
  return NULL;
}

/* The first of these characters that is in no brackets, or the end. */
static const char *
find (const char *at, const char *end, const char *characters)
{
  const char *close;
  while (at < end && !strchr (characters, *at))
    at = strchr ("([{", *at) && (close = close_of (at, end)) ? next_token (close, end) : next_token (at, end);
  return at;
}

/* ---- Counting ---- */

static bool is_constant (const loops *l, const char *name, int depth);

/* A few, such as "-1" or "2 * RADIUS + 1". */
static bool
is_few (const loops *l, const char *at, const char *end, int depth)
{
  if (at >= end)
    return false;
  for (; at < end; at = next_token (at, end)) {
    const char *behind = behind_token (at);
    if (isdigit ((unsigned char) *at) ? at + strspn (at, "0123456789") != behind || strtod (at, NULL) > FEW
        : is_name (at)                ? !is_constant (l, at, depth)
                                      : !strchr ("+-*/()", *at))
      return false;
  }
  return true;
}

/* Whether the text says plainly what the name is: "#define R 3", "const int R = 3", "enum { R = 3 }". */
static bool
is_defined (const loops *l, const char *text, const char *name, int depth)
{
  static const char *const words[] = {"const", "constexpr", "enum", NULL};
  const char *end = text + strlen (text), *behind = behind_token (name);
  bool constant = false;
  for (const char *at = skip_blanks (text, end), *next; at < end; at = next) {
    next = next_token (at, end);
    const bool same = behind - name == behind_token (at) - at && !strncmp (at, name, (size_t) (behind - name));
    const char *close = *at == '(' ? close_of (at, end) : NULL; /* of parameters the value is only a default */
    if (close) {
      next = next_token (close, end);
      continue;
    }
    constant = (constant && *at != ';') || is_any (at, end, words);
    if (same && constant && *next == '=')
      return is_few (l, next_token (next, end), find (next, end, ",;})"), depth);
    if (is_word (at, end, "define") && next + (behind - name) < end && !strncmp (next, name, (size_t) (behind - name))
        && isspace ((unsigned char) next[behind - name])) {
      const char *line = next + strcspn (next, "\n");
      return is_few (l, next_token (next, line), line, depth);
    }
  }
  return false;
}

static bool
is_constant (const loops *l, const char *name, int depth)
{
  return depth < DEPTH && (is_defined (l, l->code, name, depth + 1) || is_defined (l, l->preamble, name, depth + 1));
}

/* Whether something there may change the variable. */
static bool
is_changed (const char *name, const char *at, const char *end)
{
  const size_t n = (size_t) (behind_token (name) - name);
  for (char last = 0, before = 0; at < end; before = last, last = behind_token (at)[-1], at = next_token (at, end)) {
    if ((size_t) (behind_token (at) - at) != n || strncmp (at, name, n))
      continue;
    const char *next = next_token (at, end);
    if (last == '&' || (last == before && (last == '+' || last == '-')))
      return true;
    if ((*next == '+' || *next == '-') && next[1] == *next)
      return true;
    next += strspn (next, "+-*/%&|^<>");
    if (*next == '=' && next[1] != '=' && !(strchr ("<>", next[-1]) && next[-2] != next[-1]))
      return true;
  }
  return false;
}

/* Behind the statement that begins here: a block, or up to a semicolon. */
static const char *
behind_statement (const char *at, const char *end)
{
  at = find (at, end, ";{");
  const char *close = at < end && *at == '{' ? close_of (at, end) : at;
  return close ? close : end;
}

/* `int k = FEW; k < FEW; k++` in the brackets, and the body leaves k alone. */
static bool
counts_few (const loops *l, const char *open, const char *close, const char *end)
{
  static const char *const integers[] = {"int", "long", "short", "auto", "ptrdiff_t", "int32_t", "int64_t", NULL};
  static const char *const naturals[] = {"unsigned", "size_t", "uint32_t", "uint64_t", NULL}; /* are never below 0 */
  const char *name = next_token (open, close), *first = name, *step;
  bool natural = false;
  for (bool more; (more = is_any (name, close, naturals)) || is_any (name, close, integers);) {
    name = next_token (name, close);
    natural |= more;
  }
  const char *equals = name < close ? next_token (name, close) : close, *semicolon = find (equals, close, ";");
  if (name == first || !is_name (name) || *equals != '=' || !is_few (l, next_token (equals, close), semicolon, 0))
    return false;
  const size_t n = (size_t) (behind_token (name) - name);
  const char *again = next_token (semicolon, close), *compare = next_token (again, close);
  const char *limit = *compare == '<' || *compare == '>' ? compare + 1 + (compare[1] == '=') : close;
  const char *last = find (limit, close, ";");
  if (strncmp (again, name, n) || behind_token (again) - again != (ptrdiff_t) n
      || !is_few (l, skip_blanks (limit, last), last, 0))
    return false;
  const char sign = *compare == '<' ? '+' : '-';
  if (sign == '-' && natural)
    return false;
  step = skip_blanks (last + 1, close);
  const bool before = *step == sign && step[1] == sign;
  step = before ? skip_blanks (step + 2, close) : step;
  if (strncmp (step, name, n) || behind_token (step) - step != (ptrdiff_t) n)
    return false;
  step = next_token (step, close);
  if (!before) {
    if (*step != sign || (step[1] != sign && step[1] != '='))
      return false;
    const char *by = skip_blanks (step + 2, close);
    if (step[1] == '=' && (*by < '1' || *by > '9'))
      return false;
    step = step[1] == '=' ? next_token (by, close) : by;
  }
  const char *body = skip_blanks (close + 1, end);
  return step == close && !is_changed (name, body, behind_statement (body, end));
}

/* ---- Loops ---- */

static void add_range (loops *l, const char *at, const char *end);

static const char *
add_for (loops *l, const char *at, const char *end)
{
  const char *open = next_token (at, end), *close = open < end && *open == '(' ? close_of (open, end) : NULL;
  if (!close)
    return behind_token (at);
  add_range (l, open, close);
  if (!counts_few (l, open, close, end))
    insert (l, close + 1, " if (!fovea_goes_on ()) {} else ");
  return close + 1;
}

static const char *
add_while (loops *l, const char *at, const char *end)
{
  const char *open = next_token (at, end), *close = open < end && *open == '(' ? close_of (open, end) : NULL;
  if (!close)
    return behind_token (at);
  const char *first = next_token (open, close), *next = next_token (close, end);
  if (next_token (first, close) == close && (*first == '0' || is_word (first, close, "false"))) /* do ... while (0) */
    return close + 1;
  const bool bare = next == end || strchr (";),}", *next);
  if (bare)
    insert (l, open + 1, "fovea_goes_on () && (");
  add_range (l, open + 1, close);
  insert (l, bare ? close : close + 1, bare ? ")" : " if (!fovea_goes_on ()) {} else ");
  return close + 1;
}

/* Behind a constexpr function, which may call no other: up to its end; of another constexpr the word. */
static const char *
behind_constexpr (const char *at, const char *end)
{
  const char *next = next_token (at, end), *body = find (next, end, ";={}");
  const char *close = next < end && *next != '(' && body < end && *body == '{' ? close_of (body, end) : NULL;
  return close ? close : behind_token (at);
}

/* "again:" behind this character. */
static bool
is_label (const char *at, const char *end, char before)
{
  static const char *const others[] = {"default", "public", "protected", "private", NULL};
  const char *next = is_name (at) ? next_token (at, end) : end;
  return next < end && *next == ':' && next[1] != ':' && strchr (";{}", before) && !is_any (at, end, others);
}

/* Behind the line and those that continue it. */
static const char *
behind_line (const char *at, const char *end)
{
  while (at < end && *at != '\n')
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return at;
}

static void
add_range (loops *l, const char *at, const char *end)
{
  bool fresh = true;
  char before = ';';
  for (const char *next; at < end; at = next) {
    next = behind_token (at);
    if (fresh && *at == '#') {
      next = behind_line (at, end);
      const char *word = next_token (at, next);
      if (is_word (word, next, "define"))
        add_range (l, word, next);
    } else if (is_word (at, end, "for"))
      next = add_for (l, at, end);
    else if (is_word (at, end, "while"))
      next = add_while (l, at, end);
    else if (is_word (at, end, "constexpr"))
      next = behind_constexpr (at, end);
    else if (is_label (at, end, before))
      insert (l, next = next_token (at, end) + 1, " fovea_goes_on ();");
    if (skip_blanks (at, end) == at && *at != '#')
      before = *at;
    fresh = *at == '\n' || (fresh && isspace ((unsigned char) *at));
  }
}

void
text_add_with_checks (text *s, const char *code, const char *preamble)
{
  loops l = {s, code, code, preamble};
  const char *end = code + strlen (code);
  add_range (&l, code, end);
  insert (&l, end, "");
}
