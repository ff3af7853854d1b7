/* SPDX-License-Identifier: MIT
 *
 * The devices, streams and what was moved.
 */
#include "python/module/shared.h"

PyObject *
python_describe_device (const fovea_device *d)
{
  return Py_BuildValue ("{s:s,s:s,s:s,s:z,s:(ii)}", "key", d->key, "name", d->name, "detail", d->detail, "fault",
                        d->fault, "dlpack", (int) d->dl.device_type, (int) d->dl.device_id);
}

static const fovea_device *const *
find_devices (void)
{
  const fovea_device *const *all;
  PyThreadState *mine = PyEval_SaveThread ();
  all = fovea_context_devices (python_context);
  PyEval_RestoreThread (mine);
  return all;
}

static PyObject *
list_devices (PyObject *self, PyObject *none)
{
  PyObject *list = PyList_New (0);
  (void) self, (void) none;
  for (const fovea_device *const *d = find_devices (); list && *d; d++)
    if (!python_append (list, python_describe_device (*d)))
      Py_CLEAR (list);
  return list;
}

const fovea_device *
python_device_on (int type, int id)
{
  for (const fovea_device *const *d = find_devices (); *d; d++)
    if ((int) (*d)->dl.device_type == type && (*d)->dl.device_id == id)
      return *d;
  PyErr_Format (PyExc_BufferError, "Fovea has no device %d of DLPack type %d.", id, type);
  return NULL;
}

static PyObject *
device_stream (PyObject *self, PyObject *args)
{
  int type, id;
  const fovea_device *device;
  fovea_error *error = NULL;
  void *stream = NULL;
  (void) self;
  if (!PyArg_ParseTuple (args, "ii", &type, &id) || !(device = python_device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_device_get_stream (device, &stream, &error);
  PyEval_RestoreThread (mine);
  return error ? python_raise (error) : PyLong_FromVoidPtr (stream);
}

static PyObject *
device_moved (PyObject *self, PyObject *args)
{
  int type, id;
  const fovea_device *device;
  fovea_error *error = NULL;
  uint64_t up = 0, down = 0;
  (void) self;
  if (!PyArg_ParseTuple (args, "ii", &type, &id) || !(device = python_device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_device_get_moved (device, &up, &down, &error);
  PyEval_RestoreThread (mine);
  return error ? python_raise (error) : Py_BuildValue ("(KK)", (unsigned long long) up, (unsigned long long) down);
}

PyMethodDef python_devices[] = {
  {"list_devices", list_devices, METH_NOARGS, NULL},
  {"device_stream", device_stream, METH_VARARGS, NULL},
  {"device_moved", device_moved, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
