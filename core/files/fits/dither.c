/* SPDX-License-Identifier: MIT
 *
 * R. White, W. Pence, R. Seaman, section 10.2 and appendix I of the FITS standard 4.0: ten thousand random numbers by Park and Miller's
 * generator, of which each tile begins at another one.
 */
#include "core/files/fits/dither.h"

#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = 10000, SPREAD = 500, ZERO = -2147483646 /* of method 2: exactly 0 */ };

static const float *
random_numbers (void)
{
  static float *numbers;
  if (g_once_init_enter (&numbers)) {
    float *made = g_new (float, NUMBERS);
    guint64 seed = 1;
    for (int i = 0; i < NUMBERS; i++) {
      seed = seed * 16807 % 2147483647;
      made[i] = (float) ((double) seed / 2147483647.0);
    }
    g_once_init_leave (&numbers, made);
  }
  return numbers;
}

void
files_fits_dither_read (FilesFitsDither *dither, const char *cards)
{
  g_autofree char *name = files_fits_text (cards, "ZQUANTIZ", 0);
  dither->method = !name                                    ? 0
                   : !strcmp (name, "SUBTRACTIVE_DITHER_1") ? 1
                   : !strcmp (name, "SUBTRACTIVE_DITHER_2") ? 2
                                                            : 0;
  dither->seed = 1;
  files_fits_integer (cards, "ZDITHER0", 0, &dither->seed);
  dither->seed = CLAMP (dither->seed, 1, NUMBERS);
}

void
files_fits_undither (const FilesFitsDither *d, const gint32 *integers, gsize n, gboolean doubles, void *to)
{
  const float *numbers = random_numbers ();
  guint first = (guint) ((d->tile + (guint64) d->seed - 1) % NUMBERS), next = (guint) (numbers[first] * SPREAD);
  for (gsize i = 0; i < n; i++) {
    double v = integers[i], shift = d->method ? 0.5 - (double) numbers[next] : 0;
    v = d->has_blank && integers[i] == d->blank ? NAN
        : d->method == 2 && integers[i] == ZERO ? 0
                                                : (v + shift) * d->scale + d->zero;
    if (doubles)
      ((double *) to)[i] = v;
    else
      ((float *) to)[i] = (float) v;
    if (++next == NUMBERS) {
      first = (first + 1) % NUMBERS;
      next = (guint) (numbers[first] * SPREAD);
    }
  }
}
