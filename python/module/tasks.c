/* SPDX-License-Identifier: MIT
 *
 * Work that another thread may end.
 */
#include "python/module/shared.h"

static PyObject *
task_new (PyObject *self, PyObject *none)
{
  (void) self, (void) none;
  return python_task (fovea_task_new (), NULL);
}

static PyObject *
task_cancel (PyObject *self, PyObject *object)
{
  fovea_task *task;
  (void) self;
  if (!python_to_task (object, &task))
    return NULL;
  fovea_task_cancel (task);
  return Py_BuildValue ("");
}

PyMethodDef python_tasks[] = {
  {"task_new", task_new, METH_NOARGS, NULL},
  {"task_cancel", task_cancel, METH_O, NULL},
  {NULL, NULL, 0, NULL},
};
