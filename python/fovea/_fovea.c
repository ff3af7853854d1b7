/* SPDX-License-Identifier: MIT
 *
 * libfovea for Python, function by function: objects of the library are capsules, and what they mean to Python is written in Python. Only
 * the stable ABI of CPython is used. Whatever may wait lets other threads run.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "library/fovea.h"

#include <stdlib.h>

enum { AXES = 5 }; /* time, channel, z, y, x */

static const char image_name[] = "fovea image", recipe_name[] = "fovea recipe", run_name[] = "fovea run",
                  table_name[] = "fovea table", file_name[] = "fovea file", task_name[] = "fovea task",
                  tensor_name[] = "dltensor", used_name[] = "used_dltensor";
static fovea_context *context; /* made by the first import, and never freed: images may outlive the module */
static PyObject *make_error;   /* (code, field, message) -> exception */

/* ---- Errors ---- */

/* Raises it and frees it; always NULL. What a callback or a signal has raised already stays. */
static PyObject *
raise (fovea_error *error)
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

/* ---- Capsules ---- */

static void
free_image (PyObject *capsule)
{
  fovea_image_free (PyCapsule_GetPointer (capsule, image_name));
}

static void
free_recipe (PyObject *capsule)
{
  fovea_recipe_free (PyCapsule_GetPointer (capsule, recipe_name));
}

static void
free_run (PyObject *capsule)
{
  fovea_run_free (PyCapsule_GetPointer (capsule, run_name));
}

static void
free_table (PyObject *capsule)
{
  fovea_table_free (PyCapsule_GetPointer (capsule, table_name));
}

static void
free_file (PyObject *capsule)
{
  fovea_file_free (PyCapsule_GetPointer (capsule, file_name));
}

static void
free_task (PyObject *capsule)
{
  fovea_task_free (PyCapsule_GetPointer (capsule, task_name));
}

/* What a function of the library has returned, or the error that it has left. */
static PyObject *
wrap (void *made, const char *name, PyCapsule_Destructor destructor, fovea_error **error)
{
  return made ? PyCapsule_New (made, name, destructor) : raise (*error);
}

static PyObject *
nothing_or (fovea_error *error)
{
  return error ? raise (error) : Py_BuildValue ("");
}

/* For the converters "O&" of arguments. */
#define CONVERTER(noun)                                                                                                \
  static int to_##noun (PyObject *object, void *place)                                                                 \
  {                                                                                                                    \
    return (*(void **) place = PyCapsule_GetPointer (object, noun##_name)) != NULL;                                    \
  }
CONVERTER (image)
CONVERTER (recipe)
CONVERTER (run)
CONVERTER (table)
CONVERTER (file)
CONVERTER (task)

/* ---- Devices ---- */

static PyObject *
describe_device (const fovea_device *d)
{
  return Py_BuildValue ("{s:s,s:s,s:s,s:z,s:(ii)}", "key", d->key, "name", d->name, "detail", d->detail, "fault",
                        d->fault, "dlpack", (int) d->dl.device_type, (int) d->dl.device_id);
}

static const fovea_device *const *
find_devices (void)
{
  const fovea_device *const *all;
  PyThreadState *mine = PyEval_SaveThread ();
  all = fovea_context_devices (context);
  PyEval_RestoreThread (mine);
  return all;
}

static PyObject *
list_devices (PyObject *self, PyObject *none)
{
  PyObject *list = PyList_New (0);
  (void) self, (void) none;
  for (const fovea_device *const *d = find_devices (); list && *d; d++) {
    PyObject *described = describe_device (*d);
    if (!described || PyList_Append (list, described))
      Py_CLEAR (list);
    Py_XDECREF (described);
  }
  return list;
}

/* NULL with an exception: there is none. */
static const fovea_device *
device_on (int type, int id)
{
  for (const fovea_device *const *d = find_devices (); *d; d++)
    if ((int) (*d)->dl.device_type == type && (*d)->dl.device_id == id)
      return *d;
  PyErr_Format (PyExc_BufferError, "Fovea has no device %d of DLPack's type %d.", id, type);
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
  if (!PyArg_ParseTuple (args, "ii", &type, &id) || !(device = device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_device_get_stream (device, &stream, &error);
  PyEval_RestoreThread (mine);
  return error ? raise (error) : PyLong_FromVoidPtr (stream);
}

static PyObject *
device_moved (PyObject *self, PyObject *args)
{
  int type, id;
  const fovea_device *device;
  fovea_error *error = NULL;
  uint64_t up = 0, down = 0;
  (void) self;
  if (!PyArg_ParseTuple (args, "ii", &type, &id) || !(device = device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_device_get_moved (device, &up, &down, &error);
  PyEval_RestoreThread (mine);
  return error ? raise (error) : Py_BuildValue ("(KK)", (unsigned long long) up, (unsigned long long) down);
}

/* ---- Operations ---- */

/* Takes `made`; FALSE with an exception. */
static int
append (PyObject *list, PyObject *made)
{
  int status = made ? PyList_Append (list, made) : -1;
  Py_XDECREF (made);
  return status == 0;
}

static PyObject *
describe_choices (const fovea_choice *const *choice)
{
  PyObject *list = PyList_New (0);
  for (; list && choice && *choice; choice++)
    if (!append (list, Py_BuildValue ("(ss)", (*choice)->key, (*choice)->help)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_parameters (const fovea_parameter *const *p)
{
  PyObject *list = PyList_New (0);
  for (; list && *p; p++)
    if (!append (list, Py_BuildValue ("{s:s,s:s,s:s,s:i,s:s,s:z,s:s,s:z,s:O,s:N}", "key", (*p)->key, "label",
                                      (*p)->label, "help", (*p)->help, "type", (int) (*p)->type, "values", (*p)->values,
                                      "unit", (*p)->unit, "initial", (*p)->initial, "enabled", (*p)->enabled, "ordinal",
                                      (*p)->ordinal ? Py_True : Py_False, "choices", describe_choices ((*p)->choices))))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_inputs (const fovea_input *const *input)
{
  PyObject *list = PyList_New (0);
  for (; list && *input; input++)
    if (!append (list, Py_BuildValue ("{s:s,s:s,s:s,s:O,s:O}", "key", (*input)->key, "help", (*input)->help, "words",
                                      (*input)->words, "optional", (*input)->optional ? Py_True : Py_False, "table",
                                      (*input)->is_table ? Py_True : Py_False)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
describe_outputs (const fovea_output *const *output)
{
  PyObject *list = PyList_New (0);
  for (; list && *output; output++)
    if (!append (list, PyUnicode_FromString ((*output)->key)))
      Py_CLEAR (list);
  return list;
}

static PyObject *
list_operations (PyObject *self, PyObject *none)
{
  PyObject *list = PyList_New (0);
  (void) self, (void) none;
  for (const fovea_operation *const *o = fovea_context_operations (context); list && *o; o++)
    if (!append (list, Py_BuildValue ("{s:s,s:z,s:s,s:s,s:z,s:O,s:N,s:N,s:N}", "key", (*o)->key, "menu", (*o)->menu,
                                      "label", (*o)->label, "help", (*o)->help, "cite", (*o)->cite, "table",
                                      (*o)->makes_table ? Py_True : Py_False, "inputs", describe_inputs ((*o)->inputs),
                                      "outputs", describe_outputs ((*o)->outputs), "parameters",
                                      describe_parameters ((*o)->parameters))))
      Py_CLEAR (list);
  return list;
}

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

/* axes: for each axis of an image its place in the tensor, or -1. NULL with an exception; the tensor is still the caller's. */
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

static PyObject *
borrow (Seen *seen, const fovea_image_info *info)
{
  fovea_error *error = NULL;
  fovea_image *image;
  PyThreadState *mine = PyEval_SaveThread ();
  image = fovea_image_borrow_dlpack (context, &seen->managed, info, &error);
  PyEval_RestoreThread (mine);
  if (!image) { /* it is still ours, but what is inside is the caller's */
    Py_CLEAR (seen->owner);
    free (seen);
  }
  return wrap (image, image_name, free_image, &error);
}

#define INFO_FORMAT "i(ddd)(sss)s"
#define INFO_PLACES(info)                                                                                              \
  &role, &(info).spacing[0], &(info).spacing[1], &(info).spacing[2], &(info).unit[0], &(info).unit[1],                 \
    &(info).unit[2], &(info).name
#define AXES_FORMAT "(iiiii)"
#define AXES_PLACES(axes) &(axes)[0], &(axes)[1], &(axes)[2], &(axes)[3], &(axes)[4]

/* (capsule, axes, role, spacing, units, name): what the capsule has is the image's from now on. */
static PyObject *
image_from_capsule (PyObject *self, PyObject *args)
{
  fovea_image_info info = {.size = sizeof info};
  PyObject *capsule, *made;
  int axes[AXES], role;
  DLManagedTensor *tensor;
  Seen *seen;
  (void) self;
  if (!PyArg_ParseTuple (args, "O" AXES_FORMAT INFO_FORMAT, &capsule, AXES_PLACES (axes), INFO_PLACES (info))
      || !(tensor = PyCapsule_GetPointer (capsule, tensor_name)))
    return NULL;
  for (int i = 0; i < AXES; i++)
    if (axes[i] >= tensor->dl_tensor.ndim)
      return PyErr_Format (PyExc_ValueError, "The tensor has %d axes.", (int) tensor->dl_tensor.ndim);
  if (!(seen = see (&tensor->dl_tensor, axes)))
    return NULL;
  info.role = (fovea_role) role;
  seen->inner = tensor;
  if ((made = borrow (seen, &info)))
    PyCapsule_SetName (capsule, used_name);
  return made;
}

/* (owner, address, (code, bits), shape, strides in pixels, role, spacing, units, name): pixels in host memory that are there as long as the owner; all
 * five axes. */
static PyObject *
image_from_memory (PyObject *self, PyObject *args)
{
  static const int as_they_are[] = {0, 1, 2, 3, 4};
  fovea_image_info info = {.size = sizeof info};
  unsigned long long address;
  int64_t shape[AXES], strides[AXES];
  long long s[2 * AXES];
  int code, bits, role;
  PyObject *owner;
  Seen *seen;
  (void) self;
  if (!PyArg_ParseTuple (args, "OK(ii)(LLLLL)(LLLLL)" INFO_FORMAT, &owner, &address, &code, &bits, &s[0], &s[1], &s[2],
                         &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9], INFO_PLACES (info)))
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
  info.role = (fovea_role) role;
  Py_INCREF (owner);
  seen->owner = owner;
  return borrow (seen, &info);
}

/* ---- Arrays of images ---- */

/* The capsule goes: nobody has taken what it has. */
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
  if (!PyArg_ParseTuple (args, "O&O!(ii)K", to_image, &image, &PyTuple_Type, &axes, &type, &id, &stream)
      || !(device = device_on (type, id)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  tensor = fovea_image_to_dlpack_on (image, device, (void *) (uintptr_t) stream, &error);
  PyEval_RestoreThread (mine);
  if (!tensor)
    return raise (error);
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

static PyObject *
image_info (PyObject *self, PyObject *object)
{
  fovea_image_info i = {.size = sizeof i};
  const fovea_image *image;
  fovea_error *error = NULL;
  (void) self;
  if (!to_image (object, &image))
    return NULL;
  if (fovea_image_get_info (image, &i, &error))
    return raise (error);
  return Py_BuildValue ("{s:i,s:(ii),s:(LLLLL),s:(ddd),s:(zzz),s:z,s:d,s:z,s:s,s:z}", "role", (int) i.role, "type",
                        (int) i.type.code, (int) i.type.bits, "shape", (long long) i.shape[0], (long long) i.shape[1],
                        (long long) i.shape[2], (long long) i.shape[3], (long long) i.shape[4], "spacing", i.spacing[0],
                        i.spacing[1], i.spacing[2], "unit", i.unit[0], i.unit[1], i.unit[2], "name", i.name, "interval",
                        i.interval, "interval_unit", i.interval_unit, "text", fovea_image_text (image), "description",
                        i.description);
}

static PyObject *
image_device (PyObject *self, PyObject *object)
{
  const fovea_image *image;
  const fovea_device *device;
  (void) self;
  if (!to_image (object, &image))
    return NULL;
  device = fovea_image_get_device (image);
  return device ? describe_device (device) : Py_BuildValue ("");
}

/* ---- Files ---- */

static PyObject *
file_open (PyObject *self, PyObject *args)
{
  fovea_error *error = NULL;
  fovea_file *file;
  PyObject *path;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&", PyUnicode_FSConverter, &path))
    return NULL;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  file = fovea_file_open (context, name, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return wrap (file, file_name, free_file, &error);
}

static PyObject *
file_count (PyObject *self, PyObject *object)
{
  const fovea_file *file;
  (void) self;
  return to_file (object, &file) ? PyLong_FromUnsignedLong (fovea_file_count (file)) : NULL;
}

static PyObject *
file_image (PyObject *self, PyObject *args)
{
  const fovea_file *file;
  fovea_error *error = NULL;
  fovea_image *image;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&I", to_file, &file, &n))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  image = fovea_file_image (file, n, &error);
  PyEval_RestoreThread (mine);
  return wrap (image, image_name, free_image, &error);
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
  if (!PyArg_ParseTuple (args, "O&O&iIp", to_image, &image, PyUnicode_FSConverter, &path, &compression, &options.tile,
                         &options.pyramid))
    return NULL;
  options.compression = (fovea_compression) compression;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_image_save (image, name, &options, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return nothing_or (error);
}

/* ---- Recipes ---- */

static PyObject *
recipe_parse (PyObject *self, PyObject *args)
{
  fovea_error *error = NULL;
  const char *text;
  (void) self;
  if (!PyArg_ParseTuple (args, "s", &text))
    return NULL;
  return wrap (fovea_recipe_parse (context, text, &error), recipe_name, free_recipe, &error);
}

static PyObject *
recipe_with (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  fovea_error *error = NULL;
  const char *key, *value;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&Iss", to_recipe, &recipe, &n, &key, &value))
    return NULL;
  return wrap (fovea_recipe_with (recipe, n, key, value, &error), recipe_name, free_recipe, &error);
}

/* ---- Runs ---- */

/* Its signals are Python's, and what it raises ends the run. On the calling thread. */
static int
report (void *user, unsigned step, unsigned steps, double done)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  int stop = PyErr_Occurred () || PyErr_CheckSignals ();
  if (!stop) {
    PyObject *answer = PyObject_CallFunction (user, "IId", step, steps, done);
    stop = !answer;
    Py_XDECREF (answer);
  }
  PyGILState_Release (state);
  return stop;
}

/* A run on the last of the images, of which step n is given image n. NULL with an exception. */
static fovea_run *
new_run (const fovea_recipe *recipe, PyObject *images, fovea_keep keep)
{
  const unsigned n = (unsigned) PyList_Size (images);
  const fovea_image *image = NULL;
  fovea_error *error = NULL;
  fovea_run *made;
  if (n && !to_image (PyList_GetItem (images, n - 1), &image))
    return NULL;
  made = fovea_run_new (recipe, image, keep, &error);
  for (unsigned i = 0; i < n && !error && to_image (PyList_GetItem (images, i), &image); i++)
    fovea_run_give (made, i, image, &error);
  if (!error && !PyErr_Occurred ())
    return made;
  fovea_run_free (made);
  raise (error);
  return NULL;
}

static int
to_task_or_none (PyObject *object, void *place)
{
  *(void **) place = NULL;
  return object == Py_None || to_task (object, place);
}

/* (recipe, images, device, progress or None, task or None, whether all images stay) */
static PyObject *
run (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  fovea_error *error = NULL;
  const char *device;
  PyObject *images, *progress;
  fovea_task *task;
  fovea_run *made;
  int all;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O!sOO&p", to_recipe, &recipe, &PyList_Type, &images, &device, &progress,
                         to_task_or_none, &task, &all)
      || !(made = new_run (recipe, images, all ? FOVEA_KEEP_ALL : FOVEA_KEEP_NAMED)))
    return NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_task_enter (task);
  fovea_run_execute (made, device, progress != Py_None ? report : NULL, progress, &error);
  fovea_task_enter (NULL);
  PyEval_RestoreThread (mine);
  if (!error && !PyErr_Occurred ())
    return wrap (made, run_name, free_run, &error);
  fovea_run_free (made);
  return raise (error);
}

static PyObject *
run_image (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  const char *name;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&z", to_run, &of, &name))
    return NULL;
  return wrap (fovea_run_image (of, name, &error), image_name, free_image, &error);
}

static PyObject *
run_table (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  const char *name;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&z", to_run, &of, &name))
    return NULL;
  return wrap (fovea_run_table (of, name, &error), table_name, free_table, &error);
}

static PyObject *
run_step_image (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  unsigned n, i;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&II", to_run, &of, &n, &i))
    return NULL;
  return wrap (fovea_run_step_image (of, n, i, &error), image_name, free_image, &error);
}

static PyObject *
run_numbers (PyObject *self, PyObject *args)
{
  const fovea_run *of;
  fovea_error *error = NULL;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&I", to_run, &of, &n))
    return NULL;
  return wrap (fovea_run_step_numbers (of, n, &error), table_name, free_table, &error);
}

static PyObject *
describe_steps (const fovea_recipe *recipe, const fovea_run *of)
{
  PyObject *list = PyList_New (0);
  for (unsigned n = 0; list && n < fovea_recipe_length (recipe); n++) {
    fovea_step step = {.size = sizeof step};
    fovea_step_run became = {.size = sizeof became};
    fovea_recipe_get_step (recipe, n, &step, NULL);
    fovea_run_get_step (of, n, &became, NULL);
    if (!append (list, Py_BuildValue ("{s:s,s:d,s:K,s:K}", "text", step.text, "ms", became.ms, "uploaded",
                                      (unsigned long long) became.uploaded, "downloaded",
                                      (unsigned long long) became.downloaded)))
      Py_CLEAR (list);
  }
  return list;
}

static PyObject *
run_report (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  const fovea_run *of;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&", to_recipe, &recipe, to_run, &of))
    return NULL;
  return Py_BuildValue ("{s:s,s:s,s:d,s:N}", "device", fovea_run_device (of)->key, "reason", fovea_run_reason (of),
                        "ms", fovea_run_ms (of), "steps", describe_steps (recipe, of));
}

/* ---- Tables ---- */

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
    if (!append (list, Py_BuildValue ("z", text)))
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
  if (!to_table (object, &table))
    return NULL;
  list = PyList_New (0);
  for (unsigned j = 0; list && j < fovea_table_columns (table); j++)
    if (!append (list, Py_BuildValue ("(sssON)", fovea_table_name (table, j), fovea_table_unit (table, j),
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
  int separator;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&C", to_table, &table, PyUnicode_FSConverter, &path, &separator))
    return NULL;
  const char *name = PyBytes_AsString (path);
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_table_save (table, name, separator < 128 ? (char) separator : 0, &error);
  PyEval_RestoreThread (mine);
  Py_DECREF (path);
  return nothing_or (error);
}

/* ---- Macros and batches ---- */

static PyObject *
task_new (PyObject *self, PyObject *none)
{
  (void) self, (void) none;
  return PyCapsule_New (fovea_task_new (), task_name, free_task);
}

static PyObject *
task_cancel (PyObject *self, PyObject *object)
{
  fovea_task *task;
  (void) self;
  if (!to_task (object, &task))
    return NULL;
  fovea_task_cancel (task);
  return Py_BuildValue ("");
}

/* What bytes in a list point to, as long as the list is there, and a NULL; to be freed. NULL with an exception. */
static const char **
texts_of (PyObject *list)
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

/* Tells a function of Python; what that raises is shown and changes nothing. Any thread. */
static void
tell (PyObject *function, PyObject *arguments)
{
  PyObject *answer = arguments ? PyObject_CallObject (function, arguments) : NULL;
  if (!answer)
    PyErr_WriteUnraisable (function);
  Py_XDECREF (answer);
  Py_XDECREF (arguments);
}

static void
tell_line (void *user, const char *line)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  tell (user, Py_BuildValue ("(s)", line));
  PyGILState_Release (state);
}

static void
tell_failure (void *user, const char *file, unsigned series, const char *why)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  tell (user, Py_BuildValue ("(sIs)", file, series, why));
  PyGILState_Release (state);
}

/* (task, path or b"", text or None, inputs, arguments, folders, device or None, memory, seconds, print): files and texts are bytes. */
static PyObject *
macro_run (PyObject *self, PyObject *args)
{
  fovea_macro_options options = {.size = sizeof options, .print = tell_line};
  PyObject *inputs, *arguments, *folders;
  const char *path, *text;
  fovea_error *error = NULL;
  long long memory;
  fovea_task *task;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&yzO!O!O!zLdO", to_task_or_none, &task, &path, &text, &PyList_Type, &inputs,
                         &PyList_Type, &arguments, &PyList_Type, &folders, &options.device, &memory, &options.seconds,
                         &options.user))
    return NULL;
  options.memory = memory;
  options.inputs = texts_of (inputs);
  options.arguments = options.inputs ? texts_of (arguments) : NULL;
  options.folders = options.arguments ? texts_of (folders) : NULL;
  if (options.folders) {
    PyThreadState *mine = PyEval_SaveThread ();
    fovea_task_enter (task);
    fovea_macro_run (context, *path ? path : NULL, text, &options, &error);
    fovea_task_enter (NULL);
    PyEval_RestoreThread (mine);
  }
  free ((void *) options.inputs);
  free ((void *) options.arguments);
  free ((void *) options.folders);
  return PyErr_Occurred () ? NULL : nothing_or (error);
}

/* n outputs, and a list of them; both to be freed. FALSE with an exception. */
static int
outputs_of (const char **names, const char **patterns, Py_ssize_t n, fovea_batch_output **outputs,
            const fovea_batch_output ***list)
{
  *outputs = calloc ((size_t) n + 1, sizeof **outputs);
  *list = calloc ((size_t) n + 1, sizeof **list);
  if (!*outputs || !*list)
    return PyErr_NoMemory () != NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    (*outputs)[i] = (fovea_batch_output){sizeof **outputs, *names[i] ? names[i] : NULL, patterns[i]};
    (*list)[i] = &(*outputs)[i];
  }
  return 1;
}

static PyObject *
run_batch (fovea_task *task, const fovea_recipe *recipe, const char **inputs, const fovea_batch_options *options)
{
  fovea_batch_counts counts = {.size = sizeof counts};
  fovea_error *error = NULL;
  PyThreadState *mine = PyEval_SaveThread ();
  fovea_task_enter (task);
  fovea_batch *batch = fovea_batch_new (recipe, inputs, options, &error);
  if (batch && !fovea_batch_run (batch, &error))
    fovea_batch_get_counts (batch, &counts, &error);
  fovea_batch_free (batch);
  fovea_task_enter (NULL);
  PyEval_RestoreThread (mine);
  return error ? raise (error)
               : Py_BuildValue ("(KKKK)", (unsigned long long) counts.images, (unsigned long long) counts.done,
                                (unsigned long long) counts.failed, (unsigned long long) counts.before);
}

/* (task, recipe, inputs, folder, names of outputs, "" the last image, their patterns, table or b"", device, jobs, resume, failed): files are bytes. */
static PyObject *
batch_run (PyObject *self, PyObject *args)
{
  fovea_batch_options options = {.size = sizeof options, .separator = ',', .failed = tell_failure};
  PyObject *input_list, *name_list, *pattern_list, *made = NULL;
  const char **inputs, **names = NULL, **patterns = NULL;
  fovea_batch_output *outputs = NULL;
  const fovea_batch_output **list = NULL;
  const fovea_recipe *recipe;
  fovea_task *task;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&O!yO!O!ysIpO", to_task_or_none, &task, to_recipe, &recipe, &PyList_Type,
                         &input_list, &options.folder, &PyList_Type, &name_list, &PyList_Type, &pattern_list,
                         &options.table, &options.device, &options.jobs, &options.resume, &options.user))
    return NULL;
  if ((inputs = texts_of (input_list)) && (names = texts_of (name_list)) && (patterns = texts_of (pattern_list))
      && outputs_of (names, patterns, PyList_Size (name_list), &outputs, &list)) {
    options.outputs = list;
    options.table = *options.table ? options.table : NULL;
    made = run_batch (task, recipe, inputs, &options);
  }
  free (list);
  free (outputs);
  free (patterns);
  free (names);
  free (inputs);
  return made;
}

/* ---- The module ---- */

static PyMethodDef functions[] = {
  {"list_devices", list_devices, METH_NOARGS, NULL},
  {"device_stream", device_stream, METH_VARARGS, NULL},
  {"device_moved", device_moved, METH_VARARGS, NULL},
  {"list_operations", list_operations, METH_NOARGS, NULL},
  {"image_from_capsule", image_from_capsule, METH_VARARGS, NULL},
  {"image_from_memory", image_from_memory, METH_VARARGS, NULL},
  {"image_to_capsule", image_to_capsule, METH_VARARGS, NULL},
  {"image_info", image_info, METH_O, NULL},
  {"image_device", image_device, METH_O, NULL},
  {"file_open", file_open, METH_VARARGS, NULL},
  {"file_count", file_count, METH_O, NULL},
  {"file_image", file_image, METH_VARARGS, NULL},
  {"image_save", image_save, METH_VARARGS, NULL},
  {"recipe_parse", recipe_parse, METH_VARARGS, NULL},
  {"recipe_with", recipe_with, METH_VARARGS, NULL},
  {"run", run, METH_VARARGS, NULL},
  {"run_image", run_image, METH_VARARGS, NULL},
  {"run_table", run_table, METH_VARARGS, NULL},
  {"run_step_image", run_step_image, METH_VARARGS, NULL},
  {"run_numbers", run_numbers, METH_VARARGS, NULL},
  {"run_report", run_report, METH_VARARGS, NULL},
  {"table_columns", table_columns, METH_O, NULL},
  {"table_save", table_save, METH_VARARGS, NULL},
  {"task_new", task_new, METH_NOARGS, NULL},
  {"task_cancel", task_cancel, METH_O, NULL},
  {"macro_run", macro_run, METH_VARARGS, NULL},
  {"batch_run", batch_run, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};

static int
start (PyObject *module)
{
  PyObject *errors = PyImport_ImportModule ("fovea._errors");
  fovea_error *error = NULL;
  if (!errors || !(make_error = PyObject_GetAttrString (errors, "make_error"))) {
    Py_XDECREF (errors);
    return -1;
  }
  Py_DECREF (errors);
  if (!context && !(context = fovea_context_new (FOVEA_DEFAULT, &error))) {
    raise (error);
    return -1;
  }
  return PyModule_AddStringConstant (module, "version", fovea_version ());
}

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "fovea._fovea", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC
PyInit__fovea (void)
{
  PyObject *module = PyModule_Create (&definition);
  if (module && start (module))
    Py_CLEAR (module);
  return module;
}
