/* SPDX-License-Identifier: MIT
 *
 * Operations that are made of a formula: they do what `expression` does.
 */
#include "kernels/own/formula.h"

#include "kernels/expression/expression_program.h"

static fv_status
check_names (const own_operation *m, fv_error *error)
{
  const expression_names *n = &m->names;
  for (int i = 0; i < n->n_inputs; i++)
    if (expression_is_known (n->inputs[i]))
      return own_wrong (m->input_lines[i], error, "%.60s means something else in a formula.", n->inputs[i]);
  for (int i = 0; i < n->n_params; i++)
    if (expression_is_known (n->params[i]))
      return own_wrong (m->param_lines[i], error, "%.60s means something else in a formula.", n->params[i]);
  return FV_OK;
}

static fv_status
check_formula (own_operation *m, fv_error *error)
{
  const char *text = m->formula.text;
  expression_program program;
  fv_error fault = FV_ERROR_INIT;
  if (strlen (text) >= EXPRESSION_TEXT)
    return own_wrong (m->formula_line, error, "a formula has less than %d bytes.", EXPRESSION_TEXT);
  if (expression_parse (text, &m->formula.names, "", &program, &fault))
    return own_wrong (m->formula_line, error, "%s", fault.text);
  return FV_OK;
}

fv_status
own_formula_finish (own_operation *m, fv_error *error)
{
  if (m->kernel_only)
    return own_wrong (m->kernel_only, error, "this is of a kernel, and the operation is made of a formula.");
  if (!m->names.n_inputs) {
    m->inputs[0] = (fv_input){"a", "a", "An image.", FV_ANY_TYPE, false};
    m->names.inputs[m->names.n_inputs++] = "a";
  }
  m->formula.names = m->names;
  if (check_names (m, error) || check_formula (m, error))
    return error->code;
  snprintf (m->help, sizeof m->help, "Computes %.200s.", m->formula.text);
  m->outputs[0] = (fv_output){"image", "Result"};
  return FV_OK;
}
