/* SPDX-License-Identifier: MIT
 *
 * Macros and batches. Functions of Python get their messages.
 */
#include "python/module/shared.h"

#include <stdlib.h>

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
tell_image (PyObject *function, const char *kind, const char *file, unsigned series, const char *what)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  tell (function, Py_BuildValue ("(ssIs)", kind, file, series, what));
  PyGILState_Release (state);
}

static void
tell_failure (void *user, const char *file, unsigned series, const char *why)
{
  tell_image (user, "failed", file, series, why);
}

static void
tell_note (void *user, const char *file, unsigned series, const char *note)
{
  tell_image (user, "noted", file, series, note);
}

/* (task, path or b"", text or None, inputs, arguments, folders, device or None, memory, seconds, print, overwrite): files and texts are bytes. */
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
  if (!PyArg_ParseTuple (args, "O&yzO!O!O!zLdOp", python_to_task_or_none, &task, &path, &text, &PyList_Type, &inputs,
                         &PyList_Type, &arguments, &PyList_Type, &folders, &options.device, &memory, &options.seconds,
                         &options.user, &options.overwrite))
    return NULL;
  options.memory = memory;
  options.inputs = python_texts (inputs);
  options.arguments = options.inputs ? python_texts (arguments) : NULL;
  options.folders = options.arguments ? python_texts (folders) : NULL;
  if (options.folders) {
    PyThreadState *mine = PyEval_SaveThread ();
    fovea_task_enter (task);
    fovea_macro_run (python_context, *path ? path : NULL, text, &options, &error);
    fovea_task_enter (NULL);
    PyEval_RestoreThread (mine);
  }
  free ((void *) options.inputs);
  free ((void *) options.arguments);
  free ((void *) options.folders);
  return PyErr_Occurred () ? NULL : python_none_or (error);
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
  return error ? python_raise (error)
               : Py_BuildValue ("(KKKK)", (unsigned long long) counts.images, (unsigned long long) counts.done,
                                (unsigned long long) counts.failed, (unsigned long long) counts.before);
}

/* (task, recipe, inputs, folder, names of outputs, "" the last image, their patterns, table or b"", table about images or b"", pattern of names or None, group or None, device, jobs, resume, raw or None, told: of "failed" or "noted", file, image and text): files are bytes. */
static PyObject *
batch_run (PyObject *self, PyObject *args)
{
  fovea_batch_options options = {.size = sizeof options, .separator = ',', .failed = tell_failure, .noted = tell_note};
  PyObject *input_list, *name_list, *pattern_list, *made = NULL;
  const char **inputs, **names = NULL, **patterns = NULL;
  fovea_batch_output *outputs = NULL;
  const fovea_batch_output **list = NULL;
  const fovea_recipe *recipe;
  fovea_task *task;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&O!yO!O!yyzzsIpzO", python_to_task_or_none, &task, python_to_recipe, &recipe,
                         &PyList_Type, &input_list, &options.folder, &PyList_Type, &name_list, &PyList_Type,
                         &pattern_list, &options.table, &options.images, &options.name_pattern, &options.group,
                         &options.device, &options.jobs, &options.resume, &options.raw_pixels, &options.user))
    return NULL;
  if ((inputs = python_texts (input_list)) && (names = python_texts (name_list))
      && (patterns = python_texts (pattern_list))
      && outputs_of (names, patterns, PyList_Size (name_list), &outputs, &list)) {
    options.outputs = list;
    options.table = *options.table ? options.table : NULL;
    options.images = *options.images ? options.images : NULL;
    made = run_batch (task, recipe, inputs, &options);
  }
  free (list);
  free (outputs);
  free (patterns);
  free (names);
  free (inputs);
  return made;
}

PyMethodDef python_jobs[] = {
  {"macro_run", macro_run, METH_VARARGS, NULL},
  {"batch_run", batch_run, METH_VARARGS, NULL},
  {NULL, NULL, 0, NULL},
};
