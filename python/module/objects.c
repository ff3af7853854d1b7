/* SPDX-License-Identifier: MIT
 *
 * Objects of the library as capsules.
 */
#include "python/module/shared.h"

#include <stdlib.h>

fovea_context *python_context;

#define OBJECT(noun)                                                                                                   \
  static const char noun##_name[] = "fovea " #noun;                                                                    \
                                                                                                                       \
  static void free_##noun (PyObject *capsule)                                                                          \
  {                                                                                                                    \
    fovea_##noun##_free (PyCapsule_GetPointer (capsule, noun##_name));                                                 \
  }                                                                                                                    \
                                                                                                                       \
  PyObject *python_##noun (fovea_##noun *made, fovea_error **error)                                                    \
  {                                                                                                                    \
    return made ? PyCapsule_New (made, noun##_name, free_##noun) : python_raise (*error);                              \
  }                                                                                                                    \
                                                                                                                       \
  int python_to_##noun (PyObject *capsule, void *index)                                                                \
  {                                                                                                                    \
    return (*(void **) index = PyCapsule_GetPointer (capsule, noun##_name)) != NULL;                                   \
  }

OBJECT (image)
OBJECT (recipe)
OBJECT (run)
OBJECT (table)
OBJECT (file)
OBJECT (task)

int
python_to_task_or_none (PyObject *object, void *index)
{
  *(void **) index = NULL;
  return object == Py_None || python_to_task (object, index);
}

int
python_append (PyObject *list, PyObject *made)
{
  int status = made ? PyList_Append (list, made) : -1;
  Py_XDECREF (made);
  return status == 0;
}

const char **
python_texts (PyObject *list)
{
  const Py_ssize_t n = PyList_Size (list);
  const char **texts = calloc ((size_t) n + 1, sizeof *texts);
  for (Py_ssize_t i = 0; texts && i < n; i++)
    if (!(texts[i] = PyBytes_AsString (PyList_GetItem (list, i)))) {
      free (texts);
      return NULL;
    }
  return texts ? texts : (const char **) PyErr_NoMemory ();
}
