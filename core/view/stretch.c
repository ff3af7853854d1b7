/* SPDX-License-Identifier: MIT
 */
#include "core/view/stretch.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *word;
  double usual, min, max;
} stretches[STRETCHES] = {{"linear", 0, 0, 0},
                          {"log", 1000, 0.01, 1e9},
                          {"asinh", 0.1, 1e-6, 1000},
                          {"sqrt", 0, 0, 0},
                          {"power", 2, 0.01, 100}};

const char *
stretch_word (Stretch stretch)
{
  return stretches[stretch].word;
}

gboolean
stretch_of_word (const char *word, Stretch *stretch)
{
  for (*stretch = 0; *stretch < STRETCHES; ++*stretch)
    if (!strcmp (word, stretches[*stretch].word))
      return TRUE;
  return FALSE;
}

double
stretch_usual (Stretch stretch)
{
  return stretches[stretch].usual;
}

void
stretch_limits (Stretch stretch, double *min, double *max)
{
  *min = stretches[stretch].min;
  *max = stretches[stretch].max;
}

static double
stretched (Stretch stretch, double a, double t)
{
  switch (stretch) {
  case STRETCH_LOG: return log1p (a * t) / log1p (a);
  case STRETCH_ASINH: return asinh (t / a) / asinh (1 / a);
  case STRETCH_SQRT: return sqrt (t);
  case STRETCH_POWER: return pow (t, a);
  default: return t;
  }
}

double
stretch_at (Stretch stretch, double a, double gamma, double position)
{
  return pow (stretched (stretch, a, position), gamma);
}
