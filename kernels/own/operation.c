/* SPDX-License-Identifier: MIT
 *
 * Reads lines. Code stays as it is in the file, except that the key before it becomes blanks: so a compiler's lines and columns are those
 * of the file.
 */
#include "kernels/own/operation.h"

#include "kernels/common/own_slot.h"
#include "kernels/common/text.h"
#include "kernels/own/code.h"
#include "kernels/own/formula.h"

#include <stdlib.h>

/* ---- Reading ---- */

typedef struct reader {
  own_operation *m;
  fv_error *error;
  int line;
  char *end;    /* of the line */
  bool in_code; /* continued by lines that begin with a blank */
  enum { NO_SECTION, OPERATION, INPUT, PARAMETER } section;
} reader;

#define wrong_line(R, ...) (!own_wrong ((R)->line, (R)->error, __VA_ARGS__))

/* Without the blanks at both ends. */
static char *
trim (char *text)
{
  text += strspn (text, " \t\r");
  size_t n = strlen (text);
  while (n && strchr (" \t\r", text[n - 1]))
    text[--n] = 0;
  return text;
}

static const fv_choice yes_or_no[] = {{"no", NULL, NULL}, {"yes", NULL, NULL}, {0}};

static bool
read_choice (const reader *r, const char *key, const char *value, const fv_choice *choices, int32_t *chosen)
{
  for (int32_t i = 0; choices[i].key; i++)
    if (!strcmp (choices[i].key, value)) {
      *chosen = i;
      return true;
    }
  return wrong_line (r, "%s cannot be '%.60s'.", key, value);
}

static bool
read_number (const reader *r, const char *key, const char *value, double *number)
{
  return (number_read (value, number) && *number == *number)
         || wrong_line (r, "%s is a number, not '%.60s'.", key, value);
}

/* ---- Sections ---- */

static bool
check_name (const reader *r, const char *name)
{
  const expression_names *n = &r->m->names;
  if (!*name || name[strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789_")] || (*name >= '0' && *name <= '9'))
    return wrong_line (r, "a name has small letters, digits and _, and begins with a letter: '%.60s' does not.", name);
  for (int i = 0; i < n->n_inputs; i++)
    if (!strcmp (n->inputs[i], name))
      return wrong_line (r, "there are two sections of %.60s.", name);
  for (int i = 0; i < n->n_params; i++)
    if (!strcmp (n->params[i], name))
      return wrong_line (r, "there are two sections of %.60s.", name);
  return true;
}

static bool
begin_input (reader *r, const char *name)
{
  own_operation *m = r->m;
  int32_t *n = &m->names.n_inputs;
  if (!check_name (r, name))
    return false;
  if (*n == EXPRESSION_INPUTS)
    return wrong_line (r, "there can be %d images.", EXPRESSION_INPUTS);
  m->inputs[*n] = (fv_input){name, name, "An image.", FV_ANY_TYPE, false};
  m->input_lines[*n] = r->line;
  m->names.inputs[(*n)++] = name;
  r->section = INPUT;
  return true;
}

static bool
begin_parameter (reader *r, const char *name)
{
  own_operation *m = r->m;
  int32_t *n = &m->names.n_params;
  if (!check_name (r, name))
    return false;
  if (*n == EXPRESSION_PARAMS)
    return wrong_line (r, "there can be %d parameters.", EXPRESSION_PARAMS);
  m->params[*n] = (fv_param){.key = name,
                             .type = FV_FLOAT,
                             .offset = (uint32_t) *n * sizeof (own_slot),
                             .label = name,
                             .help = "A number that it takes.",
                             .def = 1,
                             .min = -INFINITY,
                             .max = INFINITY};
  m->param_lines[*n] = r->line;
  m->names.params[(*n)++] = name;
  r->section = PARAMETER;
  return true;
}

static bool
begin_section (reader *r, char *name)
{
  char *end = strchr (name, ']');
  if (!end || *trim (end + 1))
    return wrong_line (r, "a section is written [operation], [input NAME] or [parameter NAME].");
  *end = 0;
  name = trim (name);
  if (!strcmp (name, "operation")) {
    r->section = OPERATION;
    return true;
  }
  if (!strncmp (name, "input ", 6))
    return begin_input (r, trim (name + 6));
  if (!strncmp (name, "parameter ", 10))
    return begin_parameter (r, trim (name + 10));
  return wrong_line (r, "unknown section [%.60s]; use [operation], [input NAME] or [parameter NAME].", name);
}

/* ---- Lines ---- */

static bool
is_one_of (const char *key, const char *const *keys)
{
  while (*keys && strcmp (key, *keys))
    keys++;
  return *keys;
}

static bool
read_time_limit (const reader *r, const char *value, double *seconds)
{
  return read_number (r, "time_limit", value, seconds)
         && (*seconds >= 0 || wrong_line (r, "time_limit is a number of seconds, 0 for none, not %.60s.", value));
}

/* Of what only one kind of operation has. */
static bool
read_body (reader *r, const char *key, const char *value)
{
  own_operation *m = r->m;
  expression_formula *formula = &m->formula;
  kernel_code *code = &m->kernel.code;
  if (!strcmp (key, "expression"))
    return formula->text = value, m->formula_line = r->line, true;
  if (!strcmp (key, "border"))
    return read_choice (r, key, value, expression_borders, &formula->border);
  if (!strcmp (key, "output"))
    return read_choice (r, key, value, expression_outputs, &formula->output);
  if (!strcmp (key, "value"))
    return read_number (r, key, value, &formula->value);
  if (!strcmp (key, "in_params"))
    return code->in_params = value, m->in_line = r->line, true;
  if (!strcmp (key, "out_params"))
    return code->out_params = value, m->out_line = r->line, true;
  if (!strcmp (key, "size"))
    return code->size = value, true;
  if (!strcmp (key, "time_limit"))
    return read_time_limit (r, value, &code->time_limit);
  int32_t chosen = 0;
  bool good = read_choice (r, key, value, yes_or_no, &chosen); /* check */
  code->check = good && chosen;
  return good;
}

static bool
read_operation (reader *r, const char *key, const char *value)
{
  static const char *const formulas[] = {"expression", "border", "value", "output", NULL}, *const kernels[] = {
                                                                                             "in_params",  "out_params",
                                                                                             "size",       "check",
                                                                                             "time_limit", NULL};
  own_operation *m = r->m;
  const struct {
    const char *key, **text;
  } texts[] = {{"label", &m->op.label},
               {"menu", &m->op.menu},
               {"help", &m->op.help},
               {"cite", &m->op.cite},
               {"search", &m->op.search}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp (key, texts[i].key)) {
      *texts[i].text = value;
      return true;
    }
  bool formula = is_one_of (key, formulas);
  if (!formula && !is_one_of (key, kernels))
    return wrong_line (r,
                       "unknown key '%.60s' of an operation; use label, menu, help, cite, search; expression, border, "
                       "value, output; kernel, preamble, in_params, out_params, size, check or time_limit.",
                       key);
  *(formula ? &m->formula_only : &m->kernel_only) = r->line;
  return read_body (r, key, value);
}

/* What begins at `line` with a key as long as that. */
static bool
begin_code (reader *r, char *line, size_t key, kernel_code *code, bool preamble)
{
  memset (line, ' ', key);
  memset (line + strlen (line), ' ', (size_t) (r->end - line) - strlen (line));
  *(preamble ? &code->preamble : &code->operation) = line;
  *(preamble ? &code->preamble_line : &code->operation_line) = r->line;
  r->m->kernel_only = r->line;
  return r->in_code = true;
}

static bool
read_input (reader *r, const char *key, const char *value)
{
  fv_input *input = &r->m->inputs[r->m->names.n_inputs - 1];
  int32_t chosen = 0;
  if (!strcmp (key, "label"))
    input->label = value;
  else if (!strcmp (key, "help"))
    input->help = value;
  else if (strcmp (key, "optional"))
    return wrong_line (r, "unknown key '%.60s' of an input; use label, help or optional.", key);
  else if (!read_choice (r, key, value, yes_or_no, &chosen))
    return false;
  input->optional = input->optional || chosen;
  return true;
}

static bool
read_parameter (reader *r, const char *key, const char *value)
{
  static const fv_choice types[] = {{"float", NULL, NULL}, {"int", NULL, NULL}, {"bool", NULL, NULL}, {0}};
  static const fv_choice scales[] = {{"linear", NULL, NULL}, {"log", NULL, NULL}, {0}};
  static const fv_param_type type_of[] = {FV_FLOAT, FV_INT, FV_BOOL};
  fv_param *p = &r->m->params[r->m->names.n_params - 1];
  const struct {
    const char *key, **text;
  } texts[] = {{"label", &p->label}, {"help", &p->help}, {"unit", &p->unit}};
  const struct {
    const char *key;
    double *number;
  } numbers[] = {{"default", &p->def},
                 {"min", &p->min},
                 {"max", &p->max},
                 {"slider_min", &p->soft_min},
                 {"slider_max", &p->soft_max}};
  int32_t chosen = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp (key, texts[i].key)) {
      *texts[i].text = value;
      return true;
    }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!strcmp (key, numbers[i].key))
      return read_number (r, key, value, numbers[i].number);
  if (!strcmp (key, "type")) {
    bool good = read_choice (r, key, value, types, &chosen);
    p->type = good ? type_of[chosen] : p->type;
    return good;
  }
  if (!strcmp (key, "scale")) {
    bool good = read_choice (r, key, value, scales, &chosen);
    p->scale = good && chosen ? FV_LOG : FV_LINEAR;
    return good;
  }
  return wrong_line (r,
                     "unknown key '%.60s' of a parameter; use label, help, unit, type, default, min, max, slider_min, "
                     "slider_max or scale.",
                     key);
}

static bool
read_line (reader *r, char *start)
{
  char *line = trim (start);
  if (!*line || *line == '#')
    return true;
  if (*line == '[')
    return begin_section (r, line + 1);
  char *equals = strchr (line, '=');
  if (!equals)
    return wrong_line (r, "a line is KEY=VALUE, [SECTION] or a comment that begins with #.");
  *equals = 0;
  char *key = trim (line);
  bool preamble = !strcmp (key, "preamble");
  if (r->section == OPERATION && (preamble || !strcmp (key, "kernel")))
    return begin_code (r, start, (size_t) (equals + 1 - start), &r->m->kernel.code, preamble);
  char *value = trim (equals + 1);
  if (!*value)
    return wrong_line (r, "%.60s has no value.", key);
  switch (r->section) {
  case OPERATION: return read_operation (r, key, value);
  case INPUT: return read_input (r, key, value);
  case PARAMETER: return read_parameter (r, key, value);
  default: return wrong_line (r, "[operation] comes first.");
  }
}

/* ---- From what was read ---- */

/* A slider spans ten units where neither the slider's ends nor the range are given. */
static void
finish_parameter (fv_param *p)
{
  p->capacity = p->type == FV_INT ? sizeof (int32_t) : p->type == FV_BOOL ? sizeof (bool) : sizeof (double);
  if (p->type == FV_BOOL)
    p->min = p->max = p->soft_min = p->soft_max = 0;
  else if (p->soft_min == 0 && p->soft_max == 0 && !(isfinite (p->min) && isfinite (p->max))) {
    p->soft_min = isfinite (p->min) ? p->min : isfinite (p->max) ? p->max - 10 : fmin (0, p->def);
    p->soft_max = isfinite (p->max) ? p->max : fmax (p->soft_min + 10, p->def);
  }
}

static fv_status
finish_body (own_operation *m, fv_error *error)
{
  if (m->formula.text && m->kernel.code.operation)
    return own_wrong (m->formula_line, error, "expression and kernel are two operations: leave one out.");
  if (m->kernel.code.operation)
    return own_kernel_finish (m, error);
  if (m->formula.text)
    return own_formula_finish (m, error);
  return fail (error, FV_UNSUPPORTED, "", "[operation] needs a line expression= or kernel=.");
}

/* A copy of expression or kernel with its own texts, inputs, outputs and parameters. */
static fv_status
finish_operation (own_operation *m, fv_error *error)
{
  const bool kernel = m->kernel.code.operation;
  const fv_op own = m->op;
  fv_op *op = &m->op;
  int32_t n = m->names.n_params;
  *op = kernel ? fv_op_kernel : fv_op_expression;
  op->user = kernel ? (void *) &m->kernel : &m->formula;
  op->args_size = (uint32_t) (n ? n : 1) * sizeof (own_slot);
  op->key = m->text;
  op->aliases = NULL;
  op->imagej = NULL;
  op->menu = own.menu ? own.menu : "Process/Own Operations";
  op->label = own.label ? own.label : m->text;
  op->help = own.help ? own.help : m->help;
  op->cite = own.cite;
  op->search = own.search;
  op->inputs = m->inputs;
  op->outputs = m->outputs;
  op->params = m->params;
  for (int i = 0; i < n; i++)
    finish_parameter (&m->params[i]);
  return finish_body (m, error);
}

/* ---- The whole ---- */

/* text: the key, and behind its end the lines, which become texts. */
static bool
read_all (reader *r, char *text, size_t bytes)
{
  char *line = text + strlen (text) + 1, *end = text + bytes;
  while (line < end) {
    r->end = memchr (line, '\n', (size_t) (end - line));
    r->end = r->end ? r->end : end;
    *r->end = 0;
    r->line++;
    if (r->in_code && (!*line || strchr (" \t\r", *line)))
      line[-1] = '\n';
    else {
      r->in_code = false;
      if (!read_line (r, line))
        return false;
    }
    line = r->end + 1;
  }
  return true;
}

fv_status
operation_new (const char *key, const char *text, const fv_op **op, fv_error *error)
{
  size_t key_bytes = strlen (key) + 1, bytes = key_bytes + strlen (text);
  own_operation *m = calloc (1, sizeof *m);
  reader r = {m, error, .section = NO_SECTION};
  if (!m || !(m->text = malloc (bytes + 1))) {
    free (m);
    return fail (error, FV_NO_MEMORY, "", "Not enough memory for an operation.");
  }
  memcpy (m->text, key, key_bytes);
  memcpy (m->text + key_bytes, text, bytes - key_bytes + 1);
  m->kernel.code = (kernel_code){"T x", "T z", NULL, "", "", 1, 1, true, KERNEL_TIME_LIMIT};
  if (!read_all (&r, m->text, bytes) || finish_operation (m, error)) {
    operation_free (&m->op);
    return error->code;
  }
  m->inputs[0].optional = false;
  *op = &m->op;
  return FV_OK;
}

void
operation_free (const fv_op *op)
{
  own_operation *m = (own_operation *) op;
  free (m->text);
  free (m);
}
