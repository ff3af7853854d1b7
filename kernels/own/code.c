/* SPDX-License-Identifier: MIT
 *
 * Operations that are made of a kernel: they do what `kernel` does.
 */
#include "kernels/own/code.h"

#include "kernels/native/plan.h"

/* One for each image of in_params, in their order, where the file names none. */
static void
name_inputs (own_operation *m, const kernel_params *in)
{
  const fv_input *like = fv_op_kernel.inputs;
  int n = 0;
  for (const kernel_param *p = in->at; p < in->at + in->n && n < KERNEL_IMAGES; p++)
    if (!p->number) {
      memcpy (m->labels[n], p->name, KERNEL_NAME);
      m->inputs[n] = (fv_input){.key = like[n].key, .label = m->labels[n], .help = "An image."};
      n++;
    }
  m->names.n_inputs = n;
}

static void
name_outputs (own_operation *m, const kernel_params *out)
{
  for (int k = 0; k < out->n; k++) {
    char *label = m->labels[KERNEL_IMAGES + k];
    memcpy (label, out->at[k].name, KERNEL_NAME);
    m->outputs[k] = (fv_output){fv_op_kernel.outputs[k].key, out->n > 1 ? label : "Result"};
  }
}

static fv_status
check_inputs (const own_operation *m, const kernel_params *in, fv_error *error)
{
  int images = 0;
  for (int k = 0; k < in->n; k++)
    images += !in->at[k].number;
  if (images != m->names.n_inputs)
    return own_wrong (m->in_line, error, "there are %d sections [input NAME], and %d images in in_params.",
                      m->names.n_inputs, images);
  if (!images)
    return own_wrong (m->in_line, error, "a kernel has an image in in_params, such as T x.");
  for (int k = 0; k < m->names.n_inputs; k++)
    if (m->inputs[k].optional)
      return own_wrong (m->input_lines[k], error, "an image of a kernel cannot be left out: optional is of formulas.");
  return FV_OK;
}

static fv_status
check_names (const own_operation *m, fv_error *error)
{
  for (int i = 0; i < m->names.n_params; i++) {
    const char *name = m->names.params[i];
    if (!strcmp (name, "width") || !strcmp (name, "height") || !strcmp (name, "planes"))
      return own_wrong (m->param_lines[i], error, "%s means something else in in_params.", name);
  }
  return FV_OK;
}

static fv_status
check_declarations (own_operation *m, kernel_plan *plan, fv_error *error)
{
  fv_error fault = FV_ERROR_INIT;
  if (kernel_plan_declare (&m->kernel, plan, &fault))
    return own_wrong (!strcmp (fault.field, "in_params") ? m->in_line : m->out_line, error, "%s", fault.text);
  if (!m->names.n_inputs)
    name_inputs (m, &plan->in);
  for (int k = 0; k < m->names.n_inputs; k++)
    m->inputs[k].types = fv_op_kernel.inputs[k].types;
  return check_inputs (m, &plan->in, error);
}

fv_status
own_kernel_finish (own_operation *m, fv_error *error)
{
  kernel_code *code = &m->kernel.code;
  kernel_plan plan;
  if (m->formula_only)
    return own_wrong (m->formula_only, error, "this is of a formula, and the operation is made of a kernel.");
  if (!code->operation[strspn (code->operation, " \t\r\n")])
    return own_wrong (code->operation_line, error, "kernel has no value.");
  m->in_line = m->in_line ? m->in_line : code->operation_line;
  m->out_line = m->out_line ? m->out_line : code->operation_line;
  m->kernel.n_numbers = m->names.n_params;
  memcpy (m->kernel.numbers, m->names.params, sizeof m->kernel.numbers);
  if (check_names (m, error) || check_declarations (m, &plan, error))
    return error->code;
  snprintf (m->help, sizeof m->help, "Runs the kernel of %.200s.operation.", m->text);
  name_outputs (m, &plan.out);
  return FV_OK;
}
