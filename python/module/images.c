/* SPDX-License-Identifier: MIT
 *
 * What is known of an image, and saving it.
 */
#include "python/module/shared.h"

/* A list of texts that ends with NULL, or NULL. */
static PyObject *
list_of (const char *const *text)
{
  PyObject *list = PyList_New (0);
  for (; list && text && *text; text++)
    if (!python_append (list, PyUnicode_FromString (*text)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
image_info (PyObject *self, PyObject *object)
{
  fovea_image_info i = {.size = sizeof i};
  const fovea_image *image;
  fovea_error *error = NULL;
  (void) self;
  if (!python_to_image (object, &image))
    return NULL;
  if (fovea_image_get_info (image, &i, &error))
    return python_raise (error);
  return Py_BuildValue ("{s:i,s:(ii),s:(LLLLL),s:(ddd),s:(zzz),s:z,s:d,s:z,s:s,s:N}", "role", (int) i.role, "type",
                        (int) i.type.code, (int) i.type.bits, "shape", (long long) i.shape[0], (long long) i.shape[1],
                        (long long) i.shape[2], (long long) i.shape[3], (long long) i.shape[4], "spacing", i.spacing[0],
                        i.spacing[1], i.spacing[2], "unit", i.unit[0], i.unit[1], i.unit[2], "name", i.name, "interval",
                        i.interval, "interval_unit", i.interval_unit, "text", fovea_image_text (image), "channel_names",
                        list_of (i.channel_names));
}

static PyObject *
image_device (PyObject *self, PyObject *object)
{
  const fovea_image *image;
  const fovea_device *device;
  (void) self;
  if (!python_to_image (object, &image))
    return NULL;
  device = fovea_image_get_device (image);
  return device ? python_describe_device (device) : Py_BuildValue ("");
}

static PyObject *
image_save (PyObject *self, PyObject *args)
{
  fovea_save_options options = {.size = sizeof options};
  const fovea_image *image;
  fovea_error *error = NULL;
  PyObject *path;
  int compression;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&iIpds", python_to_image, &image, PyUnicode_FSConverter, &path, &compression,
                         &options.tile, &options.pyramid, &options.rate, &options.others))
    return NULL;
  options.compression = (fovea_compression) compression;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_image_save (image, name, &options, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return python_none_or (error);
}

static PyObject *
open_selections (PyObject *self, PyObject *args)
{
  const fovea_image *like;
  fovea_error *error = NULL;
  char *left_out = NULL;
  PyObject *path;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&", PyUnicode_FSConverter, &path, python_to_image, &like))
    return NULL;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_image *image = fovea_image_open_selections (python_context, name, like, &left_out, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  PyObject *made = python_image (image, &error);
  if (made)
    made = Py_BuildValue ("(Nz)", made, left_out);
  fovea_text_free (left_out);
  return made;
}

PyMethodDef python_images[] = {
  {"image_info", image_info, METH_O, NULL},
  {"image_device", image_device, METH_O, NULL},
  {"image_save", image_save, METH_VARARGS, NULL},
  {"open_selections", open_selections, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
