/* SPDX-License-Identifier: MIT
 *
 * The declarations of the operations, as dictionaries.
 */
#include "python/module/shared.h"

static PyObject *
describe_choices (const fovea_choice *const *choice)
{
  PyObject *list = PyList_New (0);
  for (; list && choice && *choice; choice++)
    if (!python_append (list, Py_BuildValue ("(ss)", (*choice)->key, (*choice)->help)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_parameters (const fovea_parameter *const *p)
{
  PyObject *list = PyList_New (0);
  for (; list && *p; p++)
    if (!python_append (list, Py_BuildValue ("{s:s,s:s,s:s,s:i,s:s,s:z,s:s,s:z,s:(dddd),s:O,s:O,s:N}", "key", (*p)->key,
                                             "label", (*p)->label, "help", (*p)->help, "type", (int) (*p)->type,
                                             "values", (*p)->values, "unit", (*p)->unit, "initial", (*p)->initial,
                                             "enabled", (*p)->enabled, "limits", (*p)->min, (*p)->max, (*p)->soft_min,
                                             (*p)->soft_max, "advanced", (*p)->advanced ? Py_True : Py_False, "ordinal",
                                             (*p)->ordinal ? Py_True : Py_False, "choices",
                                             describe_choices ((*p)->choices))))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_inputs (const fovea_input *const *input)
{
  PyObject *list = PyList_New (0);
  for (; list && *input; input++)
    if (!python_append (list,
                        Py_BuildValue ("{s:s,s:s,s:s,s:O,s:O}", "key", (*input)->key, "help", (*input)->help, "words",
                                       (*input)->words, "optional", (*input)->optional ? Py_True : Py_False, "table",
                                       (*input)->is_table ? Py_True : Py_False)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_outputs (const fovea_output *const *output)
{
  PyObject *list = PyList_New (0);
  for (; list && *output; output++)
    if (!python_append (list, PyUnicode_FromString ((*output)->key)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_scalars (const fovea_scalar *const *scalar)
{
  PyObject *list = PyList_New (0);
  for (; list && *scalar; scalar++)
    if (!python_append (list, Py_BuildValue ("(ss)", (*scalar)->key, (*scalar)->help)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
list_operations (PyObject *self, PyObject *none)
{
  PyObject *list = PyList_New (0);
  (void) self, (void) none;
  for (const fovea_operation *const *o = fovea_context_operations (python_context); list && *o; o++)
    if (!python_append (
          list, Py_BuildValue ("{s:s,s:z,s:s,s:s,s:z,s:O,s:N,s:N,s:N,s:N}", "key", (*o)->key, "menu", (*o)->menu,
                               "label", (*o)->label, "help", (*o)->help, "cite", (*o)->cite, "table",
                               (*o)->makes_table ? Py_True : Py_False, "inputs", describe_inputs ((*o)->inputs),
                               "outputs", describe_outputs ((*o)->outputs), "scalars", describe_scalars ((*o)->scalars),
                               "parameters", describe_parameters ((*o)->parameters))))
      Py_CLEAR (list);
  return list;
}

PyMethodDef python_operations[] = {
  {"list_operations", list_operations, METH_NOARGS, NULL},
  {NULL, NULL, 0, NULL},
};
