/* SPDX-License-Identifier: MIT
 *
 * Pixels in and out, where they lie: DLPack's capsules, and NumPy's memory.
 */
#include "python/module/shared.h"

#include <stdlib.h>

enum { AXES = 5 }; /* time, channel, z, y, x */

static const char tensor_name[] = "dltensor", used_name[] = "used_dltensor"; /* DLPack's names */

/* ---- Images of arrays ---- */

/* A tensor with the axes of an image, of pixels that another one or an object of Python has. */
typedef struct {
  DLManagedTensor managed; /* first: its address is that of the whole */
  int64_t shape[AXES], strides[AXES];
  DLManagedTensor *inner; /* NULL: there is none */
  PyObject *owner;        /* or NULL */
} Seen;

/* Any thread, long after the interpreter has ended. */
static void
seen_free (DLManagedTensor *managed)
{
  Seen *seen = managed->manager_ctx;
  if (seen->owner && Py_IsInitialized ()) {
    PyGILState_STATE state = PyGILState_Ensure ();
    Py_DECREF (seen->owner);
    PyGILState_Release (state);
  }
  if (seen->inner && seen->inner->deleter)
    seen->inner->deleter (seen->inner);
  free (seen);
}

/* axes: for each axis of an image its index in the tensor, or -1. NULL with an exception; the tensor is still the
 * caller's. */
static Seen *
see (const DLTensor *tensor, const int *axes)
{
  Seen *seen = calloc (1, sizeof *seen);
  if (!seen) {
    PyErr_NoMemory ();
    return NULL;
  }
  seen->managed = (DLManagedTensor){.dl_tensor = *tensor, .manager_ctx = seen, .deleter = seen_free};
  seen->managed.dl_tensor.ndim = AXES;
  seen->managed.dl_tensor.shape = seen->shape;
  seen->managed.dl_tensor.strides = seen->strides;
  for (int i = 0; i < AXES; i++) {
    seen->shape[i] = axes[i] < 0 ? 1 : tensor->shape[axes[i]];
    seen->strides[i] = axes[i] < 0 ? 0 : tensor->strides ? tensor->strides[axes[i]] : 1;
    for (int k = axes[i] + 1; axes[i] >= 0 && !tensor->strides && k < tensor->ndim; k++)
      seen->strides[i] *= tensor->shape[k];
  }
  return seen;
}

/* names: of channels, as bytes, or an empty list. */
static PyObject *
borrow (Seen *seen, int role, fovea_image_info *info, PyObject *names)
{
  const char **channel_names = python_texts (names);
  fovea_error *error = NULL;
  fovea_image *image = NULL;
  info->role = (fovea_role) role;
  info->channel_names = channel_names && *channel_names ? channel_names : NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  if (channel_names)
    image = fovea_image_borrow_dlpack (python_context, &seen->managed, info, &error);
  PyEval_RestoreThread (mine);
  free ((void *) channel_names);
  if (!image) { /* it is still ours, but what is inside is the caller's */
    Py_CLEAR (seen->owner);
    free (seen);
  }
  return channel_names ? python_image (image, &error) : NULL;
}

#define INFO_FORMAT "i(ddd)(sss)sdsO!"
#define INFO_POINTERS(info)                                                                                            \
  &role, &(info).spacing[0], &(info).spacing[1], &(info).spacing[2], &(info).unit[0], &(info).unit[1],                 \
    &(info).unit[2], &(info).name, &(info).interval, &(info).interval_unit, &PyList_Type, &names
#define AXES_FORMAT "(iiiii)"
#define AXES_POINTERS(axes) &(axes)[0], &(axes)[1], &(axes)[2], &(axes)[3], &(axes)[4]

/* (capsule, axes, role, spacing, units, name, interval, its unit, names of channels): what the capsule has is the image's from now on. */
static PyObject *
image_from_capsule (PyObject *self, PyObject *args)
{
  fovea_image_info info = {.size = sizeof info};
  PyObject *capsule, *names, *made;
  int axes[AXES], role;
  DLManagedTensor *tensor;
  Seen *seen;
  (void) self;
  if (!PyArg_ParseTuple (args, "O" AXES_FORMAT INFO_FORMAT, &capsule, AXES_POINTERS (axes), INFO_POINTERS (info))
      || !(tensor = PyCapsule_GetPointer (capsule, tensor_name)))
    return NULL;
  for (int i = 0; i < AXES; i++)
    if (axes[i] >= tensor->dl_tensor.ndim)
      return PyErr_Format (PyExc_ValueError, "The tensor has %d axes.", (int) tensor->dl_tensor.ndim);
  if (!(seen = see (&tensor->dl_tensor, axes)))
    return NULL;
  seen->inner = tensor;
  if ((made = borrow (seen, role, &info, names)))
    PyCapsule_SetName (capsule, used_name);
  return made;
}

/* (owner, address, (code, bits), shape, strides in pixels, role, spacing, units, name, interval, its unit, names of channels): pixels in host memory that are there
 * as long as the owner; all five axes. */
static PyObject *
image_from_memory (PyObject *self, PyObject *args)
{
  static const int as_they_are[] = {0, 1, 2, 3, 4};
  fovea_image_info info = {.size = sizeof info};
  unsigned long long address;
  int64_t shape[AXES], strides[AXES];
  long long s[2 * AXES];
  int code, bits, role;
  PyObject *owner, *names;
  Seen *seen;
  (void) self;
  if (!PyArg_ParseTuple (args, "OK(ii)(LLLLL)(LLLLL)" INFO_FORMAT, &owner, &address, &code, &bits, &s[0], &s[1], &s[2],
                         &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9], INFO_POINTERS (info)))
    return NULL;
  for (int i = 0; i < AXES; i++) {
    shape[i] = s[i];
    strides[i] = s[AXES + i];
  }
  if (!(seen = see (&(DLTensor){.data = (void *) (uintptr_t) address,
                                .device = {kDLCPU, 0},
                                .ndim = AXES,
                                .dtype = {(uint8_t) code, (uint8_t) bits, 1},
                                .shape = shape,
                                .strides = strides},
                    as_they_are)))
    return NULL;
  Py_INCREF (owner);
  seen->owner = owner;
  return borrow (seen, role, &info, names);
}

/* ---- Arrays of images ---- */

/* The capsule is freed before its contents were taken. */
static void
free_tensor (PyObject *capsule)
{
  DLManagedTensor *tensor;
  if (PyCapsule_IsValid (capsule, tensor_name) && (tensor = PyCapsule_GetPointer (capsule, tensor_name)))
    tensor->deleter (tensor);
}

/* With some of its axes, in some order: each is one of an image, and those that are left out are of length 1. */
static void
pick_axes (Seen *seen, const DLTensor *from, PyObject *axes)
{
  seen->managed.dl_tensor.ndim = (int) PyTuple_Size (axes);
  for (int i = 0; i < seen->managed.dl_tensor.ndim; i++) {
    long axis = PyLong_AsLong (PyTuple_GetItem (axes, i));
    seen->shape[i] = from->shape[axis];
    seen->strides[i] = from->strides[axis];
  }
}

/* (image, axes, device's type and number, stream): where the pixels are, or else there. */
static PyObject *
image_to_capsule (PyObject *self, PyObject *args)
{
  static const int all[] = {0, 1, 2, 3, 4};
  const fovea_image *image;
  const fovea_device *device;
  DLManagedTensor *tensor;
  fovea_error *error = NULL;
  unsigned long long stream;
  PyObject *axes, *made;
  int type, id;
  Seen *seen;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O!(ii)K", python_to_image, &image, &PyTuple_Type, &axes, &type, &id, &stream)
      || !(device = python_device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  tensor = fovea_image_to_dlpack_on (image, device, (void *) (uintptr_t) stream, &error);
  PyEval_RestoreThread (mine);
  if (!tensor)
    return python_raise (error);
  if (!(seen = see (&tensor->dl_tensor, all))) {
    tensor->deleter (tensor);
    return NULL;
  }
  seen->inner = tensor;
  pick_axes (seen, &tensor->dl_tensor, axes);
  if (!(made = PyCapsule_New (&seen->managed, tensor_name, free_tensor)))
    seen_free (&seen->managed);
  return made;
}

PyMethodDef python_arrays[] = {
  {"image_from_capsule", image_from_capsule, METH_VARARGS, NULL},
  {"image_from_memory", image_from_memory, METH_VARARGS, NULL},
  {"image_to_capsule", image_to_capsule, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
