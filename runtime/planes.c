/* SPDX-License-Identifier: MIT
 */
#include "runtime/planes.h"

#include "runtime/description.h"
#include "runtime/error.h"

#include <string.h>

#define MOST ((gint64) 1 << 31) /* numbers of a tensor */

/* Numbers from one position to the next, of channels, rows and columns. */
typedef struct Steps {
  gint64 channels, rows, columns;
} Steps;

/* Which of the three sizes an axis has; NULL: none. */
static gint64 *
size_of (Planes *planes, char axis)
{
  return axis == 'c' ? &planes->channels : axis == 'y' ? &planes->rows : axis == 'x' ? &planes->columns : NULL;
}

static Steps
steps_of (const gint64 *sizes, const char *axes)
{
  Steps steps = {0, 0, 0};
  gint64 step = 1;
  for (gsize i = strlen (axes); i > 0; step *= sizes[--i]) {
    steps.channels = axes[i - 1] == 'c' ? step : steps.channels;
    steps.rows = axes[i - 1] == 'y' ? step : steps.rows;
    steps.columns = axes[i - 1] == 'x' ? step : steps.columns;
  }
  return steps;
}

static gboolean
read_sizes (const gint64 *sizes, guint n, const char *axes, const char *what, Planes *planes, GError **error)
{
  gint64 all = 1;
  *planes = (Planes){1, 1, 1};
  if (n != strlen (axes))
    return model_error (error, "Its %s has %u axes instead of '%s'.", what, n, axes);
  for (guint i = 0; i < n; i++) {
    gint64 *size = size_of (planes, axes[i]);
    if (sizes[i] < 1 || sizes[i] > MOST / all)
      return model_error (error, "Its %s has a size that is not possible.", what);
    if (!size && sizes[i] != 1)
      return model_error (error, "Its %s has %d positions along the axis '%c', and segment computes single planes.",
                          what, (int) sizes[i], g_ascii_isalpha (axes[i]) ? axes[i] : '?');
    if (size)
      *size = sizes[i];
    all *= sizes[i];
  }
  return TRUE;
}

float *
planes_of (const float *tensor, const gint64 *sizes, guint n, const char *axes, const char *what, Planes *planes,
           GError **error)
{
  if (!read_sizes (sizes, n, axes, what, planes, error))
    return NULL;
  const Steps step = steps_of (sizes, axes);
  float *to = g_new (float, planes->channels * planes->rows * planes->columns), *at = to;
  for (gint64 c = 0; c < planes->channels; c++)
    for (gint64 y = 0; y < planes->rows; y++)
      for (gint64 x = 0; x < planes->columns; x++)
        *at++ = tensor[c * step.channels + y * step.rows + x * step.columns];
  return to;
}

float *
planes_tensor (const float *from, const Planes *planes, const char *axes, gint64 *sizes)
{
  Planes all = *planes;
  for (gsize i = 0; axes[i]; i++)
    sizes[i] = size_of (&all, axes[i]) ? *size_of (&all, axes[i]) : 1;
  const Steps step = steps_of (sizes, axes);
  float *tensor = g_new (float, planes->channels * planes->rows * planes->columns);
  for (gint64 c = 0; c < planes->channels; c++)
    for (gint64 y = 0; y < planes->rows; y++)
      for (gint64 x = 0; x < planes->columns; x++)
        tensor[c * step.channels + y * step.rows + x * step.columns] = *from++;
  return tensor;
}
