/* SPDX-License-Identifier: MIT
 */
#include "core/view/stretch.h"

#include <math.h>

static const struct {
  const char *word;
  double usual;
} stretches[STRETCHES] = {{"linear", 0}, {"log", 1000}, {"asinh", 0.1}, {"sqrt", 0}, {"power", 2}};

const char *
stretch_word (Stretch stretch)
{
  return stretches[stretch].word;
}

double
stretch_usual (Stretch stretch)
{
  return stretches[stretch].usual;
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
stretch_at (Stretch stretch, double a, double gamma, double place)
{
  return pow (stretched (stretch, a, place), gamma);
}
