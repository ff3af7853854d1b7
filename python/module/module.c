/* SPDX-License-Identifier: MIT
 *
 * libfovea for Python, function by function: objects of the library are capsules, and what they mean to Python is written in Python.
 */
#include "python/module/shared.h"

static int
add_functions (PyObject *module)
{
  PyMethodDef *const all[] = {python_arrays,     python_devices, python_files, python_images, python_jobs,
                              python_operations, python_recipes, python_runs,  python_tables, python_tasks};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (PyModule_AddFunctions (module, all[i]))
      return 0;
  return 1;
}

static int
start (PyObject *module)
{
  fovea_error *error = NULL;
  if (!python_errors_start () || !add_functions (module))
    return 0;
  if (!python_context && !(python_context = fovea_context_new (FOVEA_DEFAULT, &error))) {
    python_raise (error);
    return 0;
  }
  return !PyModule_AddStringConstant (module, "version", fovea_version ());
}

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "fovea._fovea", .m_size = -1};

PyMODINIT_FUNC
PyInit__fovea (void)
{
  PyObject *module = PyModule_Create (&definition);
  if (module && !start (module))
    Py_CLEAR (module);
  return module;
}
