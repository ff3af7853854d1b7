/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of the module. Only the stable ABI of CPython is used. Functions that may block release the
 * GIL.
 */
#ifndef PYTHON_MODULE_SHARED_H
#define PYTHON_MODULE_SHARED_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "library/fovea.h"

extern fovea_context *python_context; /* made by the first import, and never freed: images may outlive the module */

/* ---- Errors ---- */

/* Before all else. FALSE with an exception. */
int python_errors_start (void);
/* Raises it and frees it; always NULL. What a callback or a signal has raised already stays. */
PyObject *python_raise (fovea_error *error);
/* None, or else it is raised. */
PyObject *python_none_or (fovea_error *error);

/* ---- Objects of the library ---- */

/* The function python_NOUN() makes a capsule of the object that a library function has just made, or raises the error in *error. The function
 * python_to_NOUN(), a converter "O&" of arguments, stores the object of such a capsule through a pointer. */
#define PYTHON_OBJECT(noun)                                                                                            \
  PyObject *python_##noun (fovea_##noun *made, fovea_error **error);                                                   \
  int python_to_##noun (PyObject *capsule, void *pointer);
PYTHON_OBJECT (image)
PYTHON_OBJECT (recipe)
PYTHON_OBJECT (run)
PYTHON_OBJECT (table)
PYTHON_OBJECT (file)
PYTHON_OBJECT (task)
#undef PYTHON_OBJECT
/* None is NULL. */
int python_to_task_or_none (PyObject *object, void *pointer);

/* What the bytes in a list point to, as long as the list is there, and a NULL; to be freed. NULL with an exception. */
const char **python_texts (PyObject *list);
/* Takes `made`, which may be NULL with an exception; FALSE with an exception. */
int python_append (PyObject *list, PyObject *made);

/* ---- Devices ---- */

/* By DLPack's type and number. NULL with an exception: there is none. */
const fovea_device *python_device_on (int type, int id);
PyObject *python_describe_device (const fovea_device *device);

/* ---- What each file gives to Python ---- */

extern PyMethodDef python_arrays[], python_devices[], python_files[], python_images[], python_jobs[],
  python_operations[], python_recipes[], python_runs[], python_tables[], python_tasks[];

#endif
