/* SPDX-License-Identifier: MIT
 *
 * Recipes on images, and what comes of them.
 */
#include "python/module/shared.h"

/* Its signals are Python's, and what it or their handlers raise ends the run. On the calling thread. user: what to call, or None. */
static int
report (void *user, unsigned step, unsigned steps, double done)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  int stop = PyErr_Occurred () || PyErr_CheckSignals ();
  if (!stop && user != Py_None) {
    PyObject *answer = PyObject_CallFunction (user, "IId", step, steps, done);
    stop = !answer;
    Py_XDECREF (answer);
  }
  PyGILState_Release (state);
  return stop;
}

/* A run on the last of the images, of which step n is given image n. NULL with an exception. */
static fovea_run *
new_run (const fovea_recipe *recipe, PyObject *images, fovea_keep keep)
{
  const unsigned n = (unsigned) PyList_Size (images);
  const fovea_image *image = NULL;
  fovea_error *error = NULL;
  fovea_run *made;
  if (n && !python_to_image (PyList_GetItem (images, n - 1), &image))
    return NULL;
  made = fovea_run_new (recipe, image, keep, &error);
  for (unsigned i = 0; i < n && !error && python_to_image (PyList_GetItem (images, i), &image); i++)
    fovea_run_give (made, i, image, &error);
  if (!error && !PyErr_Occurred ())
    return made;
  fovea_run_free (made);
  python_raise (error);
  return NULL;
}

/* (recipe, images, device, progress or None, whether there are signals, whether all images stay) */
static PyObject *
run (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  fovea_error *error = NULL;
  const char *device;
  PyObject *images, *progress;
  fovea_run *made;
  int signals, all;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O!sOpp", python_to_recipe, &recipe, &PyList_Type, &images, &device, &progress,
                         &signals, &all)
      || !(made = new_run (recipe, images, all ? FOVEA_KEEP_ALL : FOVEA_KEEP_NAMED)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_run_execute (made, device, signals || progress != Py_None ? report : NULL, progress, &error);
  PyEval_RestoreThread (mine);
  if (!error && !PyErr_Occurred ())
    return python_run (made, &error);
  fovea_run_free (made);
  return python_raise (error);
}

/* A run and the name of a result, or NULL. */
static int
parse_name (PyObject *args, const fovea_run **of, const char **name)
{
  return PyArg_ParseTuple (args, "O&z", python_to_run, of, name);
}

static PyObject *
run_image (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  const char *name;
  (void) self;
  return parse_name (args, &of, &name) ? python_image (fovea_run_image (of, name, &error), &error) : NULL;
}

static PyObject *
run_table (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  const char *name;
  (void) self;
  return parse_name (args, &of, &name) ? python_table (fovea_run_table (of, name, &error), &error) : NULL;
}

static PyObject *
run_step_image (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  unsigned n, i;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&II", python_to_run, &of, &n, &i))
    return NULL;
  return python_image (fovea_run_step_image (of, n, i, &error), &error);
}

static PyObject *
run_numbers (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&I", python_to_run, &of, &n))
    return NULL;
  return python_table (fovea_run_step_numbers (of, n, &error), &error);
}

static PyObject *
run_derived (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&I", python_to_run, &of, &n))
    return NULL;
  return python_table (fovea_run_step_derived (of, n, &error), &error);
}

static PyObject *
describe_steps (const fovea_recipe *recipe, const fovea_run *of)
{
  PyObject *list = PyList_New (0);
  for (unsigned n = 0; list && n < fovea_recipe_length (recipe); n++) {
    fovea_step step = {.size = sizeof step};
    fovea_step_run became = {.size = sizeof became};
    fovea_recipe_get_step (recipe, n, &step, NULL);
    fovea_run_get_step (of, n, &became, NULL);
    if (!python_append (list, Py_BuildValue ("{s:s,s:d,s:K,s:K}", "text", step.text, "ms", became.ms, "uploaded",
                                             (unsigned long long) became.uploaded, "downloaded",
                                             (unsigned long long) became.downloaded)))
      Py_CLEAR (list);
  }
  return list;
}

static PyObject *
run_report (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  const fovea_run *of;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&", python_to_recipe, &recipe, python_to_run, &of))
    return NULL;
  return Py_BuildValue ("{s:s,s:s,s:d,s:N}", "device", fovea_run_device (of)->key, "reason", fovea_run_reason (of),
                        "ms", fovea_run_ms (of), "steps", describe_steps (recipe, of));
}

PyMethodDef python_runs[] = {
  {"run", run, METH_VARARGS, NULL},
  {"run_image", run_image, METH_VARARGS, NULL},
  {"run_table", run_table, METH_VARARGS, NULL},
  {"run_step_image", run_step_image, METH_VARARGS, NULL},
  {"run_numbers", run_numbers, METH_VARARGS, NULL},
  {"run_derived", run_derived, METH_VARARGS, NULL},
  {"run_report", run_report, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
