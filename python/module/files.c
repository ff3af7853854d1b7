/* SPDX-License-Identifier: MIT
 *
 * Files of images.
 */
#include "python/module/shared.h"

static PyObject *
file_open (PyObject *self, PyObject *args)
{
  fovea_error *error = NULL;
  fovea_file *file;
  const char *raw;
  PyObject *path;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&z", PyUnicode_FSConverter, &path, &raw))
    return NULL;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  file = fovea_file_open_raw (python_context, name, raw, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return python_file (file, &error);
}

static PyObject *
file_count (PyObject *self, PyObject *object)
{
  const fovea_file *file;
  (void) self;
  return python_to_file (object, &file) ? PyLong_FromUnsignedLong (fovea_file_count (file)) : NULL;
}

static PyObject *
file_image (PyObject *self, PyObject *args)
{
  const fovea_file *file;
  fovea_error *error = NULL;
  fovea_image *image;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&I", python_to_file, &file, &n))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  image = fovea_file_image (file, n, &error);
  PyEval_RestoreThread (mine);
  return python_image (image, &error);
}

static PyObject *
list_texts (const char *const *text)
{
  PyObject *list = PyList_New (0);
  for (; list && *text; text++)
    if (!python_append (list, PyUnicode_FromString (*text)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
list_formats (PyObject *self, PyObject *none)
{
  PyObject *list = PyList_New (0);
  (void) self, (void) none;
  for (const fovea_format *const *f = fovea_context_formats (python_context); list && *f; f++)
    if (!python_append (list, Py_BuildValue ("{s:s,s:s,s:z,s:N,s:I,s:N,s:N}", "key", (*f)->key, "label", (*f)->label,
                                             "plugin", (*f)->plugin, "endings", list_texts ((*f)->endings), "n_saved",
                                             (*f)->n_saved, "mime_types", list_texts ((*f)->mime_types), "in_folders",
                                             PyBool_FromLong ((*f)->in_folders))))
      Py_CLEAR (list);
  return list;
}

PyMethodDef python_files[] = {
  {"list_formats", list_formats, METH_NOARGS, NULL},
  {"file_open", file_open, METH_VARARGS, NULL},
  {"file_count", file_count, METH_O, NULL},
  {"file_image", file_image, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
