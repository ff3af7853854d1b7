/* SPDX-License-Identifier: MIT
 *
 * R. White, section 10.4.4 of the FITS standard 4.0. Sums of the squares around say how steep and how bent the image is in a square. No
 * more of that is taken than leaves it monotonic; where it has a peak nothing changes.
 */
#include "core/files/fits/h_smooth.h"

/* h towards wanted / 2^bits, rounded towards 0, where that lies between low and high. */
static inline gint64
moved (gint64 h, gint64 wanted, gint64 low, gint64 high, int bits, gint64 change)
{
  gint64 by;
  if (low >= high)
    return h;
  by = (CLAMP (wanted, low, high) - h * (1 << bits)) / (1 << bits);
  return h + CLAMP (by, -change, change);
}

/* A difference between halves of a square, by the sums before, of and behind it. */
static inline gint64
slope (gint64 h, gint64 before, gint64 sum, gint64 behind, gint64 change)
{
  gint64 up = behind - sum, down = sum - before;
  return moved (h, behind - before, 4 * MIN (MAX (up, down), 0), 4 * MAX (MIN (up, down), 0), 3, change);
}

/* Each step to one of the four squares at the corners, less what the slopes hx and hy explain of it. */
static inline gint64
bend (gint64 h, gint64 hx, gint64 hy, const gint64 *above, const gint64 *here, const gint64 *below, gint64 change)
{
  gint64 both = 2 * hx + 2 * hy, apart = 2 * hx - 2 * hy;
  gint64 steps[] = {below[1] - *here, *here - below[-1], *here - above[1], above[-1] - *here};
  gint64 slopes[] = {-both, apart, -apart, both};
  gint64 low = G_MININT64, high = G_MAXINT64;
  for (int i = 0; i < 4; i++) {
    low = MAX (low, MIN (steps[i], 0) + slopes[i]);
    high = MIN (high, MAX (steps[i], 0) + slopes[i]);
  }
  return moved (h, below[1] + above[-1] - above[1] - below[-1], 16 * low, 16 * high, 6, change);
}

void
files_fits_h_smooth (const FilesFitsSquares *s, gint64 change)
{
  gsize n = s->across;
  if (change <= 0)
    return;
  for (gsize i = 1; i + 1 < s->down; i++)
    for (gsize j = 0; j < n; j++) {
      const gint64 *sum = s->sums + i * n + j;
      gint64 *h = s->hx + i * s->stride + j;
      *h = slope (*h, sum[-(gssize) n], *sum, sum[n], change);
    }
  for (gsize i = 0; i < s->down; i++)
    for (gsize j = 1; j + 1 < n; j++) {
      const gint64 *sum = s->sums + i * n + j;
      gint64 *h = s->hy + i * s->stride + j;
      *h = slope (*h, sum[-1], *sum, sum[1], change);
    }
  for (gsize i = 1; i + 1 < s->down; i++)
    for (gsize j = 1; j + 1 < n; j++) {
      const gint64 *sum = s->sums + i * n + j;
      gsize at = i * s->stride + j;
      s->hc[at] = bend (s->hc[at], s->hx[at], s->hy[at], sum - n, sum, sum + n, change);
    }
}
