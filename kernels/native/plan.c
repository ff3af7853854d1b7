/* SPDX-License-Identifier: MIT
 *
 * Images are taken in the order in which they are declared; NumPy's rules broadcast those that are not raw.
 */
#include "kernels/native/plan.h"

#include "kernels/common/text.h"

#include <stdlib.h>

/* ---- Numbers ---- */

static fv_status
bind_number (const kernel_settings *s, const fv_grid *image, const kernel_param *param, double *number, fv_error *error)
{
  static const char *const sizes[] = {"planes", "height", "width"};
  char names[KERNEL_NUMBERS * (KERNEL_NAME + 2)] = "";
  size_t used = 0;
  for (int i = 0; i < s->n_numbers; i++) {
    if (!strcmp (param->value, s->numbers[i])) {
      *number = s->values[i];
      return FV_OK;
    }
    used += (size_t) snprintf (names + used, sizeof names - used, "%.*s, ", KERNEL_NAME - 1, s->numbers[i]);
  }
  for (int axis = 0; axis < 3; axis++)
    if (!strcmp (param->value, sizes[axis])) {
      *number = (double) image->shape[axis];
      return FV_OK;
    }
  if (number_read (param->value, number) && isfinite (*number))
    return FV_OK;
  return fail (error, FV_BAD_ARGUMENT, "in_params",
               "%s cannot be '%s': write a number, or %swidth, height or planes of the first image.", param->name,
               param->value, names);
}

/* ---- Types ---- */

static const kernel_type *
placeholder_type (const kernel_plan *plan, char placeholder)
{
  for (const kernel_param *p = plan->in.at; p < plan->in.at + plan->in.n; p++)
    if (p->placeholder == placeholder && p->type)
      return p->type;
  return NULL;
}

/* Of an image: its own, for a placeholder that has no other type. */
static fv_status
image_type (kernel_plan *plan, kernel_param *param, const fv_grid *image, fv_error *error)
{
  const kernel_type *own = kernel_type_of (image->type);
  const kernel_type *known = param->placeholder ? placeholder_type (plan, param->placeholder) : NULL;
  if (known && known != own)
    return fail (error, FV_BAD_INPUT, "in_params",
                 "%c is %s and %s too, the type of %s: give that another letter, or write one type.",
                 param->placeholder, known->name, own->name, param->name);
  if (param->raw && param->type && param->type != own)
    return fail (error, FV_BAD_INPUT, "in_params",
                 "raw %s %s is the memory of an image of %s: write raw %s %s or raw T %s, or convert the image.",
                 param->type->name, param->name, own->name, own->name, param->name, param->name);
  if (param->placeholder)
    param->type = own;
  return FV_OK;
}

/* Placeholders that no image has told are float64 as a number's, and a fault as an output's. */
static fv_status
other_types (kernel_plan *plan, fv_error *error)
{
  for (kernel_param *p = plan->in.at; p < plan->in.at + plan->in.n; p++)
    if (!p->type && !(p->type = placeholder_type (plan, p->placeholder)))
      p->type = kernel_type_of (FV_F64);
  for (kernel_param *p = plan->out.at; p < plan->out.at + plan->out.n; p++) {
    if (!p->type && !(p->type = placeholder_type (plan, p->placeholder)))
      return fail (error, FV_BAD_ARGUMENT, "out_params",
                   "%c, the type of %s, is the type of no input: write one such as float32.", p->placeholder, p->name);
    if (!p->type->pixels || (p->raw && p->type->truth))
      return fail (error, FV_BAD_ARGUMENT, "out_params", "%s is %s%s, and no image is: write %s.", p->name,
                   p->raw ? "raw " : "", p->type->name, p->type->pixels ? "raw uint8" : "int32 or float64");
  }
  return FV_OK;
}

/* ---- Images and shapes ---- */

static const char input_keys[] = "abcdefgh";

/* Takes the next image for each parameter that is one. */
static fv_status
bind_images (const kernel_settings *settings, const fv_grid *const *inputs, kernel_plan *plan, fv_error *error)
{
  int images = 0, numbers = 0;
  for (int k = 0; k < plan->in.n; k++) {
    kernel_param *p = &plan->in.at[k];
    if (numbers == KERNEL_NUMBERS)
      return fail (error, FV_BAD_ARGUMENT, "in_params", "There are more than %d numbers.", KERNEL_NUMBERS - 1);
    if (p->number) {
      if (bind_number (settings, inputs[0], p, &plan->numbers[numbers], error))
        return error->code;
      plan->array[k] = (int8_t) numbers++;
      continue;
    }
    if (images == settings->n_images)
      return fail (error, FV_BAD_ARGUMENT, "in_params", "There are more than %d images.", settings->n_images);
    if (!inputs[images])
      return fail (error, FV_BAD_INPUT, (char[]){input_keys[images], 0},
                   "%s, image %d of in_params, is not given: name one with %c=..., or give it a value, such as %s=1.",
                   p->name, images + 1, input_keys[images], p->name);
    if (image_type (plan, p, inputs[images], error))
      return error->code;
    plan->memory[images] = kernel_type_of (inputs[images]->type);
    plan->array[k] = (int8_t) images++;
  }
  return FV_OK;
}

/* "480", "20,30" or "3,20,30" */
static fv_status
read_size (const char *text, int64_t shape[3], fv_error *error)
{
  long long v[3] = {1, 1, 1};
  int end = 0, n = sscanf (text, " %lld %n, %lld %n, %lld %n", &v[0], &end, &v[1], &end, &v[2], &end);
  for (int axis = 0; axis < 3; axis++)
    if (n < 1 || text[end] || v[axis] < 1 || v[axis] > (1ll << 31))
      return fail (error, FV_BAD_ARGUMENT, "size",
                   "'%s' is not a size: write COLUMNS, ROWS,COLUMNS or PLANES,ROWS,COLUMNS.", text);
  for (int axis = 0; axis < 3; axis++)
    shape[axis] = axis < 3 - n ? 1 : v[axis - (3 - n)];
  return FV_OK;
}

static fv_status
broadcast (const kernel_param *param, const fv_grid *image, int64_t shape[3], fv_error *error)
{
  static const char *const axes[] = {"planes", "rows", "columns"};
  for (int axis = 0; axis < 3; axis++) {
    int64_t n = image->shape[axis];
    if (shape[axis] == 1)
      shape[axis] = n;
    else if (n != 1 && n != shape[axis])
      return fail (error, FV_BAD_INPUT, "in_params",
                   "%s has %lld %s, which do not broadcast to %lld: as many, or one, or declare it raw.", param->name,
                   (long long) n, axes[axis], (long long) shape[axis]);
  }
  return FV_OK;
}

/* That of the images that are not raw; with none of them what `size` says, or that of the first image. */
static fv_status
find_shape (const kernel_settings *settings, const fv_grid *const *inputs, kernel_plan *plan, fv_error *error)
{
  const char *size = settings->code.size;
  bool sized = size[strspn (size, " \t\r\n")], found = false;
  memcpy (plan->shape, (int64_t[]){1, 1, 1}, sizeof plan->shape);
  for (int k = 0; k < plan->in.n; k++) {
    const kernel_param *p = &plan->in.at[k];
    if (p->raw || p->number)
      continue;
    if (sized)
      return fail (error, FV_BAD_ARGUMENT, "size", "The size is that of %s, which is not raw: leave size empty.",
                   p->name);
    if (broadcast (p, inputs[plan->array[k]], plan->shape, error))
      return error->code;
    found = true;
  }
  if (sized)
    return read_size (size, plan->shape, error);
  if (!found)
    memcpy (plan->shape, inputs[0]->shape, sizeof plan->shape);
  return FV_OK;
}

static fv_status
check_names (const kernel_plan *plan, fv_error *error)
{
  if (plan->out.n < 1 || plan->out.n > KERNEL_RESULTS)
    return fail (error, FV_BAD_ARGUMENT, "out_params", "There are %d outputs: declare 1 to %d, such as T z.",
                 plan->out.n, KERNEL_RESULTS);
  for (int k = 0; k < plan->out.n; k++) {
    if (plan->out.at[k].number)
      return fail (error, FV_BAD_ARGUMENT, "out_params", "%s is an output and has no value to begin with.",
                   plan->out.at[k].name);
    for (int j = 0; j < plan->in.n; j++)
      if (!strcmp (plan->out.at[k].name, plan->in.at[j].name))
        return fail (error, FV_BAD_ARGUMENT, "out_params", "%s is an input already.", plan->out.at[k].name);
  }
  return FV_OK;
}

static fv_status
declare (const kernel_settings *s, kernel_plan *plan, fv_error *error)
{
  *plan = (kernel_plan){0};
  if (kernel_declare (s->code.in_params, "in_params", &plan->in, error)
      || kernel_declare (s->code.out_params, "out_params", &plan->out, error) || check_names (plan, error))
    return error->code;
  return FV_OK;
}

fv_status
kernel_plan_declare (const kernel_own *own, kernel_plan *plan, fv_error *error)
{
  const fv_grid unknown = {.shape = {1, 1, 1}};
  kernel_settings s = {.code = own->code, .n_numbers = own->n_numbers};
  double number;
  memcpy (s.numbers, own->numbers, sizeof s.numbers);
  if (declare (&s, plan, error))
    return error->code;
  for (const kernel_param *p = plan->in.at; p < plan->in.at + plan->in.n; p++)
    if (p->number && bind_number (&s, &unknown, p, &number, error))
      return error->code;
  return FV_OK;
}

fv_status
kernel_plan_make (const kernel_settings *s, const fv_grid *const *inputs, kernel_plan *plan, fv_error *error)
{
  if (declare (s, plan, error) || bind_images (s, inputs, plan, error) || other_types (plan, error)
      || find_shape (s, inputs, plan, error))
    return error->code;
  return FV_OK;
}
