/* SPDX-License-Identifier: MIT
 *
 * The operation as a function in C. What C++ expresses by operators and references is done before. y[k] of a raw array becomes
 * fovea__y (k), a macro. Parameters are copied to constants and outputs to variables of their names, and `return` goes to where outputs are given
 * back. Functions of arrays, y.size (), are members with the words that follow them.
 */
#include "kernels/native/source_c.h"

#include "kernels/native/guard.h"

#include <ctype.h>

/* ---- The user's text ---- */

static bool
is_raw (const kernel_params *params, const char *word, size_t length)
{
  for (const kernel_param *p = params->at; p < params->at + params->n; p++)
    if (p->raw && strlen (p->name) == length && !strncmp (p->name, word, length))
      return true;
  return false;
}

/* The operation with calls for the indices of raw arrays. A member of that name, s.y[0], is none. */
static void
add_operation (text *s, const char *operation, const kernel_plan *plan)
{
  bool call[sizeof ((kernel_args *) 0)->operation]; /* of each bracket that is open */
  int open = 0;
  char before = ' ';
  for (const char *at = operation, *end; *at; at = end) {
    end = behind_token (at);
    size_t length = (size_t) (end - at);
    const char *bracket = end + strspn (end, " \t\r\n");
    if (*bracket == '[' && before != '.' && before != '>'
        && (is_raw (&plan->in, at, length) || is_raw (&plan->out, at, length))) {
      text_add (s, "fovea__%.*s%.*s(", (int) length, at, (int) (bracket - end), end);
      call[open++] = true;
      end = bracket + 1;
    } else if (*at == ']' && open) {
      text_add (s, call[--open] ? ")" : "]");
    } else {
      if (*at == '[')
        call[open++] = false;
      text_add (s, "%.*s", (int) length, at);
    }
    if (!isspace ((unsigned char) *at))
      before = *at;
  }
}

/* ---- The function ---- */

static void
add_index_macro (text *s, const kernel_param *p, bool output)
{
  char letter[2];
  if (p->raw)
    text_add (s, "#define fovea__%s(...) ((%s%s *) FOVEA_DATA (%s))[FOVEA_AT (%s, (__VA_ARGS__))]\n", p->name,
              output ? "" : "const ", kernel_word (p, letter), p->name, p->name);
}

static void
add_formal (text *s, const kernel_param *p, bool output)
{
  char letter[2];
  if (p->raw)
    text_add (s, ",\n fovea_raw %s", p->name);
  else
    text_add (s, ",\n %s %sfovea__%s", kernel_word (p, letter), output ? "*" : "", p->name);
}

static void
add_local (text *s, const kernel_param *p, bool output)
{
  char letter[2];
  if (p->raw)
    return;
  if (output)
    text_add (s, "#line 1 \"out_params\"\n %s %s = 0;\n", kernel_word (p, letter), p->name);
  else
    text_add (s, "#line 1 \"in_params\"\n const %s %s = fovea__%s;\n", kernel_word (p, letter), p->name, p->name);
}

static void
for_each (text *s, const kernel_plan *plan, void (*write) (text *, const kernel_param *, bool output))
{
  for (int k = 0; k < plan->in.n; k++)
    write (s, &plan->in.at[k], false);
  for (int k = 0; k < plan->out.n; k++)
    write (s, &plan->out.at[k], true);
}

void
add_body_c (text *s, const kernel_code *code, const kernel_plan *plan)
{
  for_each (s, plan, add_index_macro);
  /* Not inline: of such a function tcc tells faults at its first line. */
  text_add (s, "static void fovea_operation (const ptrdiff_t i, const fovea_index _ind");
  for_each (s, plan, add_formal);
  text_add (s, ")\n{\n");
  for_each (s, plan, add_local);
  text_add (s,
            "#define size() size_\n#define shape() shape_\n#define strides() strides_\n#define get() at\n"
            "#define return goto fovea_end\n do {\n#line %d \"operation\"\n",
            code->operation_line);
  add_operation (s, code->operation, plan);
  text_add (s, "\n } while (0);\n#line 1 \"fovea\"\n fovea_end:;\n");
  for (int k = 0; k < plan->out.n; k++)
    if (!plan->out.at[k].raw)
      text_add (s, " *fovea__%s = %s;\n", plan->out.at[k].name, plan->out.at[k].name);
  text_add (s, "}\n");
}
