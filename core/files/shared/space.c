/* SPDX-License-Identifier: MIT
 *
 * The origin solves first + axes · origin = 0, by Cramer's rule.
 */
#include "core/files/shared/space.h"

#include "core/base/text.h"

#include <math.h>
#include <string.h>

static double
determinant (const double *a, const double *b, const double *c)
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double
length (const double *v)
{
  return sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static gboolean
is_finite (const FilesSpace *s)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite (s->axes[i][k]) || !isfinite (s->first[i]))
        return FALSE;
  return TRUE;
}

/* The letter of the direction that the axis is nearest to. */
static char
letter (const FilesSpace *s, const double *axis)
{
  static const char pairs[] = "RLAPSI";
  int k = 0;
  for (int i = 1; i < 3; i++)
    if (fabs (axis[i]) > fabs (axis[k]))
      k = i;
  const char *toward = strchr (pairs, s->toward[k]);
  return axis[k] < 0 ? pairs[(toward - pairs) ^ 1] : *toward;
}

static void
add_vector (GString *text, const double *v, double divisor)
{
  for (int i = 0; i < 3; i++) {
    if (text->len)
      g_string_append_c (text, ' ');
    text_add_number (text, v[i] / divisor);
  }
}

void
files_space_keep (const FilesSpace *s, FilesPlain *to)
{
  g_autoptr (GString) position = g_string_new (NULL), directions = g_string_new (NULL);
  const double all = determinant (s->axes[0], s->axes[1], s->axes[2]);
  char orientation[4] = "";
  if (!is_finite (s) || !isfinite (all) || all == 0)
    return;
  for (int i = 0; i < 3; i++) {
    const double *in[3] = {s->axes[0], s->axes[1], s->axes[2]};
    in[i] = s->first;
    const double origin = -determinant (in[0], in[1], in[2]) / all;
    to->info.origin[2 - i] = isfinite (origin) ? origin + 0.0 : 0; /* no -0 */
    add_vector (directions, s->axes[i], length (s->axes[i]));
    orientation[i] = s->toward[0] ? letter (s, s->axes[i]) : 0;
  }
  add_vector (position, s->first, 1);
  if (*orientation)
    files_plain_keep (to, "orientation", "%s", orientation);
  files_plain_keep (to, "position", "%s%s%s", position->str, *s->toward ? " " : "", s->toward);
  files_plain_keep (to, "directions", "%s%s%s", directions->str, *s->toward ? " " : "", s->toward);
}
