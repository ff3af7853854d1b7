/* SPDX-License-Identifier: MIT
 *
 * Tables as columns, and saving them.
 */
#include "python/module/shared.h"

#include <stdlib.h>

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

/* The values of a column: bytes of doubles, or a list of bytes and None. The rows that they are, or -1 with an exception. *texts is to be freed. */
static Py_ssize_t
take_values (PyObject *values, fovea_table_column *column, const char ***texts)
{
  if (PyBytes_Check (values)) {
    column->numbers = (const double *) (const void *) PyBytes_AsString (values);
    return PyBytes_Size (values) / (Py_ssize_t) sizeof (double);
  }
  const Py_ssize_t n = PyList_Size (values);
  if (n < 0 || !(*texts = calloc ((size_t) n + 1, sizeof **texts)))
    return n < 0 ? -1 : (PyErr_NoMemory (), -1);
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *text = PyList_GetItem (values, i);
    if (text != Py_None && !((*texts)[i] = PyBytes_AsString (text)))
      return -1;
  }
  column->type = FOVEA_COLUMN_TEXT;
  column->texts = *texts;
  return n;
}

/* The column that (name, unit, help, whether it is whole, values) is; of as many rows as the others. FALSE with an exception. */
static int
take_column (PyObject *tuple, fovea_table_column *column, const char ***texts, Py_ssize_t *rows)
{
  PyObject *values;
  int whole;
  *column = (fovea_table_column){.size = sizeof *column};
  if (!PyArg_ParseTuple (tuple, "yyypO", &column->name, &column->unit, &column->help, &whole, &values))
    return 0;
  column->type = whole ? FOVEA_COLUMN_INTEGER : FOVEA_COLUMN_FLOAT;
  const Py_ssize_t n = take_values (values, column, texts);
  if (n >= 0 && *rows >= 0 && n != *rows)
    PyErr_Format (PyExc_ValueError, "columns: '%s' has %zd values, and the first one %zd.", column->name, n, *rows);
  *rows = n;
  return !PyErr_Occurred ();
}

/* A list of such tuples. */
static PyObject *
new_table (PyObject *self, PyObject *list)
{
  const Py_ssize_t n = PyList_Size (list);
  fovea_table_column *columns = calloc ((size_t) n + 1, sizeof *columns);
  const fovea_table_column **pointers = calloc ((size_t) n + 1, sizeof *pointers);
  const char ***texts = calloc ((size_t) n + 1, sizeof *texts);
  fovea_table *made = NULL;
  fovea_error *error = NULL;
  Py_ssize_t i = 0, rows = -1;
  (void) self;
  if (!columns || !pointers || !texts)
    PyErr_NoMemory ();
  for (; !PyErr_Occurred () && i < n && take_column (PyList_GetItem (list, i), &columns[i], &texts[i], &rows); i++)
    pointers[i] = &columns[i];
  if (!PyErr_Occurred ())
    made = fovea_table_new (pointers, rows < 0 ? 0 : rows, &error);
  for (i = 0; texts && i < n; i++)
    free ((void *) texts[i]);
  free ((void *) texts);
  free ((void *) pointers);
  free (columns);
  return PyErr_Occurred () ? NULL : python_table (made, &error);
}

PyMethodDef python_tables[] = {
  {"table_new", new_table, METH_O, NULL},
  {"table_columns", table_columns, METH_O, NULL},
  {"table_save", table_save, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
