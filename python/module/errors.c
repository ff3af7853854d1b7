/* SPDX-License-Identifier: MIT
 *
 * Errors of the library as exceptions.
 */
#include "python/module/shared.h"

static PyObject *make_error; /* (code, field, message) -> exception */

int
python_errors_start (void)
{
  PyObject *errors = PyImport_ImportModule ("fovea._errors");
  if (errors)
    make_error = PyObject_GetAttrString (errors, "make_error");
  Py_XDECREF (errors);
  return errors && make_error;
}

PyObject *
python_raise (fovea_error *error)
{
  if (!PyErr_Occurred ()) {
    PyObject *made = PyObject_CallFunction (make_error, "iss", (int) fovea_error_code (error),
                                            fovea_error_field (error), fovea_error_message (error));
    if (made)
      PyErr_SetObject ((PyObject *) Py_TYPE (made), made);
    Py_XDECREF (made);
  }
  fovea_error_free (error);
  return NULL;
}

PyObject *
python_none_or (fovea_error *error)
{
  return error ? python_raise (error) : Py_BuildValue ("");
}
