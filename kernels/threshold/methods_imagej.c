/* SPDX-License-Identifier: MIT
 *
 * ImageJ's own methods on the CPU, see methods_imagej.h.
 */
#include "kernels/threshold/methods_imagej.h"

static int
minimum (const int64_t *counts)
{
  double memory[2][IMAGEJ_BINS], *now = memory[0], *next = memory[1];
  for (int i = 0; i < IMAGEJ_BINS; i++)
    now[i] = (double) counts[i];
  for (int k = 0; k <= IMAGEJ_SMOOTHINGS; k++) {
    int peaks = 0;
    for (int i = 0; i < IMAGEJ_BINS; i++)
      peaks += imagej_is_peak (now, i);
    for (int i = 0; i < IMAGEJ_BINS && peaks == 2; i++)
      if (imagej_is_valley (now, i))
        return i;
    for (int i = 0; i < IMAGEJ_BINS; i++)
      next[i] = imagej_smooth (now, i);
    double *made = next;
    next = now;
    now = made;
  }
  return -1;
}

static int
best (int method, const int64_t *counts)
{
  double worth[IMAGEJ_BINS];
  for (int t = 0; t < IMAGEJ_BINS; t++)
    worth[t] = imagej_worth (method, counts, t);
  return imagej_best (method, worth);
}

double
threshold_imagej (const histogram *h, int method, bool dark)
{
  int64_t counts[IMAGEJ_BINS] = {0};
  for (int64_t i = 0; i < h->bins; i++)
    counts[imagej_bin (h->type, h->exact, h->low, h->high, i)] += h->counts[i];
  int bin = method == THRESHOLD_IMAGEJ_MINIMUM ? minimum (counts)
            : imagej_takes_best (method)       ? best (method, counts)
                                               : imagej_method (method, counts);
  return imagej_threshold (h->type, h->low, h->high, bin, dark);
}
