/* SPDX-License-Identifier: MIT
 *
 * Steps as text, steps with another value, and what code they may carry.
 */
#include "python/module/shared.h"

static PyObject *
recipe_parse (PyObject *self, PyObject *args)
{
  fovea_error *error = NULL;
  const char *text;
  (void) self;
  if (!PyArg_ParseTuple (args, "s", &text))
    return NULL;
  return python_recipe (fovea_recipe_parse (python_context, text, &error), &error);
}

static PyObject *
recipe_with (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  fovea_error *error = NULL;
  const char *key, *value;
  unsigned n;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&Iss", python_to_recipe, &recipe, &n, &key, &value))
    return NULL;
  return python_recipe (fovea_recipe_with (recipe, n, key, value, &error), &error);
}

/* (recipe, what it makes of slices or None, whether that is one volume) */
static PyObject *
recipe_for_image (PyObject *self, PyObject *args)
{
  const fovea_recipe *recipe;
  const fovea_image *image;
  fovea_error *error = NULL;
  char *said = NULL;
  (void) self;
  if (!PyArg_ParseTuple (args, "O&O&", python_to_recipe, &recipe, python_to_image, &image))
    return NULL;
  fovea_recipe *chosen = fovea_recipe_for_image (recipe, image, &said, &error);
  const int volume = fovea_recipe_get_volume (chosen) != fovea_recipe_get_volume (recipe);
  PyObject *made = python_recipe (chosen, &error);
  PyObject *all = made ? Py_BuildValue ("(NzO)", made, said, volume ? Py_True : Py_False) : NULL;
  fovea_text_free (said);
  return all;
}

/* (recipe, (code, bits), shape, role, spacing, units): slices, rows and columns */
static PyObject *
recipe_halo (PyObject *self, PyObject *args)
{
  fovea_image_info whole = {.size = sizeof whole};
  const fovea_recipe *recipe;
  fovea_error *error = NULL;
  int code, bits, role;
  long long s[5];
  int64_t halo[3];
  (void) self;
  if (!PyArg_ParseTuple (args, "O&(ii)(LLLLL)i(ddd)(zzz)", python_to_recipe, &recipe, &code, &bits, &s[0], &s[1], &s[2],
                         &s[3], &s[4], &role, &whole.spacing[0], &whole.spacing[1], &whole.spacing[2], &whole.unit[0],
                         &whole.unit[1], &whole.unit[2]))
    return NULL;
  whole.type = (DLDataType){(uint8_t) code, (uint8_t) bits, 1};
  whole.role = (fovea_role) role;
  for (int axis = 0; axis < 5; axis++)
    whole.shape[axis] = s[axis];
  if (fovea_recipe_get_halo (recipe, &whole, halo, &error))
    return python_raise (error);
  return Py_BuildValue ("(LLL)", (long long) halo[0], (long long) halo[1], (long long) halo[2]);
}

static PyObject *
allow_native (PyObject *self, PyObject *none)
{
  (void) self, (void) none;
  fovea_context_allow_native (python_context);
  return Py_BuildValue ("");
}

PyMethodDef python_recipes[] = {
  {"allow_native", allow_native, METH_NOARGS, NULL}, {"recipe_for_image", recipe_for_image, METH_VARARGS, NULL},
  {"recipe_halo", recipe_halo, METH_VARARGS, NULL},  {"recipe_parse", recipe_parse, METH_VARARGS, NULL},
  {"recipe_with", recipe_with, METH_VARARGS, NULL},  {NULL, NULL, 0, NULL},
};
