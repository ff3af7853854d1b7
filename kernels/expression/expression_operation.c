/* SPDX-License-Identifier: MIT
 *
 * Operations of the user: a formula with named images and parameters, declared by lines KEY=VALUE in sections [operation], [input NAME] and
 * [parameter NAME]. What is wrong is said with its line.
 */
#include "kernels/expression/expression.h"
#include "plugin/plugin.h"

#include <stdlib.h>

typedef union slot { /* of the argument struct: one for each parameter */
  double number;
  int32_t integer;
  bool truth;
} slot;

/* An operation and all that it points to; the texts lie in `text`. */
typedef struct made {
  fv_op op;
  expression_names names;
  fv_input inputs[EXPRESSION_INPUTS + 1];
  fv_output outputs[2];
  fv_param params[EXPRESSION_PARAMS + 1];
  char *text;
  char help[256];
  const char *expression;
  int32_t border, output;
  double value;
  int expression_line;
} made;

void
expression_read_made (const fv_op *op, const void *args, expression_settings *s)
{
  const made *m = op->user;
  const slot *slots = args;
  *s = (expression_settings){m->expression, &m->names, {0}, m->border, m->value, m->output};
  for (int i = 0; i < m->names.n_params; i++)
    s->params[i] = m->params[i].type == FV_INT    ? slots[i].integer
                   : m->params[i].type == FV_BOOL ? slots[i].truth
                                                  : slots[i].number;
}

/* ---- Reading ---- */

typedef struct reader {
  made *m;
  fv_error *error;
  int line;
  enum { NO_SECTION, OPERATION, INPUT, PARAMETER } section;
} reader;

__attribute__ ((format (printf, 2, 3))) static bool
wrong_line (const reader *r, const char *format, ...)
{
  char words[384];
  va_list ap;
  va_start (ap, format);
  vsnprintf (words, sizeof words, format, ap);
  va_end (ap);
  fail (r->error, FV_BAD_ARGUMENT, "", "Line %d: %s", r->line, words);
  return false;
}

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
  return (expression_number (value, number) && *number == *number)
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
  return !expression_is_known (name) || wrong_line (r, "%.60s means something else in a formula.", name);
}

static bool
begin_input (reader *r, const char *name)
{
  made *m = r->m;
  int32_t *n = &m->names.n_inputs;
  if (!check_name (r, name))
    return false;
  if (*n == EXPRESSION_INPUTS)
    return wrong_line (r, "there can be %d images.", EXPRESSION_INPUTS);
  m->inputs[*n] = (fv_input){name, name, "An image.", FV_ANY_TYPE, false};
  m->names.inputs[(*n)++] = name;
  r->section = INPUT;
  return true;
}

static bool
begin_parameter (reader *r, const char *name)
{
  made *m = r->m;
  int32_t *n = &m->names.n_params;
  if (!check_name (r, name))
    return false;
  if (*n == EXPRESSION_PARAMS)
    return wrong_line (r, "there can be %d parameters.", EXPRESSION_PARAMS);
  m->params[*n] = (fv_param){.key = name,
                             .type = FV_FLOAT,
                             .offset = (uint32_t) *n * sizeof (slot),
                             .label = name,
                             .help = "A number of the formula.",
                             .def = 1,
                             .min = -INFINITY,
                             .max = INFINITY};
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
  return wrong_line (r, "there is no section [%.60s]; there are [operation], [input NAME] and [parameter NAME].", name);
}

/* ---- Lines ---- */

static bool
read_operation (reader *r, const char *key, const char *value)
{
  made *m = r->m;
  const struct {
    const char *key, **text;
  } texts[] = {{"label", &m->op.label},
               {"menu", &m->op.menu},
               {"help", &m->op.help},
               {"cite", &m->op.cite},
               {"expression", &m->expression}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!strcmp (key, texts[i].key)) {
      *texts[i].text = value;
      if (texts[i].text == &m->expression)
        m->expression_line = r->line;
      return true;
    }
  if (!strcmp (key, "border"))
    return read_choice (r, key, value, expression_borders, &m->border);
  if (!strcmp (key, "output"))
    return read_choice (r, key, value, expression_outputs, &m->output);
  if (!strcmp (key, "value"))
    return read_number (r, key, value, &m->value);
  return wrong_line (
    r, "there is no '%.60s' of an operation; there are label, menu, help, cite, expression, border, value and output.",
    key);
}

static bool
read_input (reader *r, const char *key, const char *value)
{
  static const fv_choice yes_or_no[] = {{"no", NULL, NULL}, {"yes", NULL, NULL}, {0}};
  fv_input *input = &r->m->inputs[r->m->names.n_inputs - 1];
  int32_t chosen = 0;
  if (!strcmp (key, "label"))
    input->label = value;
  else if (!strcmp (key, "help"))
    input->help = value;
  else if (strcmp (key, "optional"))
    return wrong_line (r, "there is no '%.60s' of an input; there are label, help and optional.", key);
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
                     "there is no '%.60s' of a parameter; there are label, help, unit, type, default, min, max, "
                     "slider_min, slider_max and scale.",
                     key);
}

static bool
read_line (reader *r, char *line)
{
  line = trim (line);
  if (!*line || *line == '#')
    return true;
  if (*line == '[')
    return begin_section (r, line + 1);
  char *equals = strchr (line, '=');
  if (!equals)
    return wrong_line (r, "a line is KEY=VALUE, [SECTION] or a comment that begins with #.");
  *equals = 0;
  char *key = trim (line), *value = trim (equals + 1);
  if (!*value)
    return wrong_line (r, "%.60s has no value.", key);
  switch (r->section) {
  case OPERATION: return read_operation (r, key, value);
  case INPUT: return read_input (r, key, value);
  case PARAMETER: return read_parameter (r, key, value);
  default: return wrong_line (r, "[operation] comes first.");
  }
}

/* ---- The whole ---- */

/* A slider spans ten units where nothing else is said and the range does not say it. */
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

static void
finish_operation (made *m, const char *key)
{
  fv_op *op = &m->op;
  int32_t n = m->names.n_params;
  *op = (fv_op){.size = sizeof (fv_op),
                .args_size = (uint32_t) (n ? n : 1) * sizeof (slot),
                .param_size = sizeof (fv_param),
                .choice_size = sizeof (fv_choice),
                .input_size = sizeof (fv_input),
                .output_size = sizeof (fv_output),
                .scalar_size = sizeof (fv_scalar),
                .key = key,
                .menu = op->menu ? op->menu : "Process/Own Operations",
                .label = op->label ? op->label : key,
                .help = op->help ? op->help : m->help,
                .cite = op->cite,
                .user = m,
                .kind = FV_LOCAL,
                .inputs = m->inputs,
                .outputs = m->outputs,
                .params = n ? m->params : NULL,
                .grain = expression_grain,
                .halo = expression_halo,
                .infer = expression_infer,
                .run = {[FV_CPU] = expression_cpu, [FV_CUDA] = FV_CUDA_FN (expression_cuda)},
                .arithmetic = expression_arithmetic,
                .compiles = 1u << FV_CUDA};
  snprintf (m->help, sizeof m->help, "Computes %.200s.", m->expression);
  m->outputs[0] = (fv_output){"image", "Result"};
  for (int i = 0; i < n; i++)
    finish_parameter (&m->params[i]);
}

static bool
check_formula (const made *m, fv_error *error)
{
  expression_program program;
  fv_error fault = FV_ERROR_INIT;
  if (!m->expression)
    fail (error, FV_UNSUPPORTED, "", "There is no line expression= in [operation].");
  else if (strlen (m->expression) >= EXPRESSION_TEXT)
    fail (error, FV_BAD_ARGUMENT, "", "Line %d: a formula has less than %d bytes.", m->expression_line,
          EXPRESSION_TEXT);
  else if (!expression_parse (m->expression, &m->names, "", &program, &fault))
    return true;
  else
    fail (error, FV_BAD_ARGUMENT, "", "Line %d: %.400s", m->expression_line, fault.text);
  return false;
}

/* text: the key, and behind its end the lines, which become texts. */
static bool
read_all (made *m, size_t bytes, fv_error *error)
{
  reader r = {m, error, 0, NO_SECTION};
  char *line = m->text + strlen (m->text) + 1, *end = m->text + bytes;
  while (line < end) {
    char *next = memchr (line, '\n', (size_t) (end - line));
    next = next ? next : end;
    *next = 0;
    r.line++;
    if (!read_line (&r, line))
      return false;
    line = next + 1;
  }
  if (!m->names.n_inputs)
    begin_input (&r, "a");
  m->inputs[0].optional = false;
  return check_formula (m, error);
}

fv_status
operation_new (const char *key, const char *text, const fv_op **op, fv_error *error)
{
  size_t key_bytes = strlen (key) + 1, bytes = key_bytes + strlen (text);
  made *m = calloc (1, sizeof *m);
  if (!m || !(m->text = malloc (bytes + 1))) {
    free (m);
    return fail (error, FV_NO_MEMORY, "", "Not enough memory for an operation.");
  }
  memcpy (m->text, key, key_bytes);
  memcpy (m->text + key_bytes, text, bytes - key_bytes + 1);
  if (!read_all (m, bytes, error)) {
    operation_free (&m->op);
    return error->code;
  }
  finish_operation (m, m->text);
  *op = &m->op;
  return FV_OK;
}

void
operation_free (const fv_op *op)
{
  made *m = (made *) op; /* its first member */
  free (m->text);
  free (m);
}
