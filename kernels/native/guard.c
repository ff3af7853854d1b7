/* SPDX-License-Identifier: MIT
 *
 * The words of a kernel, and its divisions and shifts with a result for all integers. `a / b` becomes `a * fovea_divide () * b`: both
 * operators have the precedence of the one that they replace, and group as it does, so that nothing has to be known of the operands.
 * `a /= b` becomes `a *= fovea_divide () >>= b`, for the same reason. arithmetic.c declares what they are.
 */
#include "kernels/native/guard.h"

#include <ctype.h>

/* ---- Words ---- */

static bool
is_letter (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

static const char *
behind_quotes (const char *at)
{
  const char quote = *at++;
  while (*at && *at != quote)
    at += *at == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

static const char *
behind_comment (const char *at)
{
  const char *end = at[1] == '/' ? strchr (at, '\n') : strstr (at + 2, "*/");
  return !end ? at + strlen (at) : at[1] == '/' ? end : end + 2;
}

/* "1'000", "0x1p-3f" */
static const char *
behind_number (const char *at)
{
  while (is_letter (*at) || *at == '.' || (*at == '\'' && is_letter (at[1]))
         || ((*at == '+' || *at == '-') && strchr ("eEpP", at[-1])))
    at++;
  return at;
}

const char *
behind_token (const char *at)
{
  if (*at == '"' || *at == '\'')
    return behind_quotes (at);
  if (*at == '/' && (at[1] == '/' || at[1] == '*'))
    return behind_comment (at);
  if (isdigit ((unsigned char) *at))
    return behind_number (at);
  if (!is_letter (*at))
    return at + 1;
  while (is_letter (*at))
    at++;
  return at;
}

/* ---- Operators ---- */

typedef struct guard {
  const char *operator, * infix, *assignment;
} guard;

static const guard guards[] = {{"/", " * fovea_divide () * ", " *= fovea_divide () >>= "},
                               {"%", " * fovea_modulo () * ", " *= fovea_modulo () >>= "},
                               {"<<", " << fovea_left () << ", " *= fovea_left () >>= "},
                               {">>", " >> fovea_right () >> ", " *= fovea_right () >>= "}};
enum { N_GUARDS = sizeof guards / sizeof *guards };

static const guard *
guard_of (const char *at)
{
  for (const guard *g = guards; g < guards + N_GUARDS; g++)
    if (!strncmp (at, g->operator, strlen (g->operator)))
      return g;
  return NULL;
}

/* Behind the end of a line such as #include, which is not code; else NULL. #define has code. */
static const char *
behind_directive (const char *at)
{
  const char *word = at + 1 + strspn (at + 1, " \t");
  if (*at != '#' || !strncmp (word, "define", 6))
    return NULL;
  while (*at && *at != '\n')
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return at;
}

/* How many < may still be brackets of a template, behind this token. */
static int
count_brackets (int open, const char *at, size_t length)
{
  if (length == 1 && strchr (";{}()[]=?", *at))
    return 0;
  if (length == 1 && (*at == '&' || *at == '|') && at[1] == *at)
    return 0;
  return open + (*at == '<') - (*at == '>' && open);
}

void
text_add_guarded (text *s, const char *code, const char *code_end)
{
  int open = 0;
  bool fresh = true, named = false; /* nothing but blanks in this line yet; behind the word `operator` */
  for (const char *at = code, *end; at < code_end; at = end) {
    const guard *g = guard_of (at);
    end = fresh ? behind_directive (at) : NULL;
    end = end ? end : behind_token (at);
    size_t length = (size_t) (end - at);
    if (g && length == 1 && !named && !(*at == '>' && open > 1)) {
      end = at + strlen (g->operator);
      text_add (s, "%s", *end == '=' ? g->assignment : g->infix);
      end += *end == '=';
    } else {
      if (g && length == 1) /* as it is: "operator<<", two brackets of templates */
        end = at + strlen (g->operator);
      text_add (s, "%.*s", (int) (end - at), at);
      for (const char *c = at; c < end && length == 1; c++)
        open = count_brackets (open, c, length);
      named = length == 8 && !strncmp (at, "operator", 8);
    }
    fresh = *at == '\n' || (fresh && isspace ((unsigned char) *at));
  }
}
