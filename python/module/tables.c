/* SPDX-License-Identifier: MIT
 *
 * Tables as columns, and saving them.
 */
#include "python/module/shared.h"

/* A list of texts, or the bytes of doubles. */
static PyObject *
column_values (const fovea_table *table, unsigned j)
{
  const int64_t rows = fovea_table_rows (table);
  if (fovea_table_type (table, j) != FOVEA_COLUMN_TEXT)
    return PyBytes_FromStringAndSize ((const char *) fovea_table_numbers (table, j),
                                      (Py_ssize_t) ((size_t) rows * sizeof (double)));
  PyObject *list = PyList_New (0);
  for (int64_t row = 0; list && row < rows; row++) {
    const char *text = fovea_table_text (table, j, row);
    if (!python_append (list, Py_BuildValue ("z", text)))
      Py_CLEAR (list);
  }
  return list;
}

static PyObject *
table_columns (PyObject *self, PyObject *object)
{
  const fovea_table *table;
  PyObject *list;
  (void) self;
  if (!python_to_table (object, &table))
    return NULL;
  list = PyList_New (0);
  for (unsigned j = 0; list && j < fovea_table_columns (table); j++)
    if (!python_append (list, Py_BuildValue ("(sssON)", fovea_table_name (table, j), fovea_table_unit (table, j),
                                             fovea_table_help (table, j),
                                             fovea_table_type (table, j) == FOVEA_COLUMN_INTEGER ? Py_True : Py_False,
                                             column_values (table, j))))
      Py_CLEAR (list);
  return list;
}

static PyObject *
table_save (PyObject *self, PyObject *args)
{
  const fovea_table *table;
  fovea_error *error = NULL;
  PyObject *path;
  int separator, raw;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&Cp", python_to_table, &table, PyUnicode_FSConverter, &path, &separator, &raw))
    return NULL;
  const char *name = PyBytes_AsString (path);
  const fovea_csv_options csv = {sizeof csv, separator > 0 && separator < 128 ? (char) separator : '?', raw};
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_table_save (table, name, &csv, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return python_none_or (error);
}

PyMethodDef python_tables[] = {
  {"table_columns", table_columns, METH_O, NULL},
  {"table_save", table_save, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
