/* SPDX-License-Identifier: MIT
 *
 * Colors are counted in bins of 4 × 4 × 4, which are divided into boxes (Wu, "Efficient statistical computations for optimal color quantization", 1991).
 * The box with the largest sum of squared differences from its mean is cut across the axis of its largest variance, where the sums of both parts are
 * smallest. Then a few iterations of Lloyd's algorithm move the means.
 */
#include "core/files/pictures/palette.h"

#include <string.h>

enum {
  COLORS = 256,
  ALL = 1 << 24, /* colors of 8 bits */
  BITS = 6,      /* of a bin, along each axis */
  BINS = 1 << 3 * BITS,
  ITERATIONS = 8,
};

typedef struct {
  double n, sum[3];
} Bin;

typedef struct {
  guint first, n; /* of the bins */
  double error;   /* sum of squared differences from the mean, but for those within bins */
  guint axis;     /* of the largest part of it */
} Box;

struct FilesPalette {
  guint8 *seen; /* a bit for each color */
  guint n_seen; /* stops above COLORS */
  guint32 exact[COLORS];
  Bin *bins;
  guint8 *index; /* of a color if it is exact, or of a bin */
  guint8 colors[3 * COLORS];
  guint n;
};

/* ---- Counting ---- */

FilesPalette *
files_palette_new (void)
{
  FilesPalette *p = g_new0 (FilesPalette, 1);
  p->seen = g_malloc0 (ALL / 8);
  p->bins = g_new0 (Bin, BINS);
  return p;
}

void
files_palette_free (FilesPalette *p)
{
  g_free (p->seen);
  g_free (p->bins);
  g_free (p->index);
  g_free (p);
}

static guint32
color_of (const guint8 *pixel)
{
  return (guint32) pixel[0] << 16 | (guint32) pixel[1] << 8 | pixel[2];
}

static guint32
bin_of (const guint8 *pixel)
{
  const guint shift = 8 - BITS;
  return (guint32) pixel[0] >> shift << 2 * BITS | (guint32) pixel[1] >> shift << BITS | pixel[2] >> shift;
}

static void
see (FilesPalette *p, guint32 color)
{
  guint8 *seen = p->seen + color / 8;
  const guint8 bit = (guint8) (1 << color % 8);
  if (p->n_seen > COLORS || *seen & bit)
    return;
  *seen |= bit;
  if (p->n_seen < COLORS)
    p->exact[p->n_seen] = color;
  p->n_seen++;
}

void
files_palette_add (FilesPalette *p, const guint8 *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++, pixels += 3) {
    Bin *bin = &p->bins[bin_of (pixels)];
    see (p, color_of (pixels));
    bin->n++;
    for (guint c = 0; c < 3; c++)
      bin->sum[c] += pixels[c];
  }
}

/* ---- The pixels' own colors ---- */

static int
compare_colors (gconstpointer a, gconstpointer b)
{
  const guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* The brightest reds first: black at index 0 would look like the background of labels. */
static void
take_all (FilesPalette *p)
{
  p->n = p->n_seen;
  p->index = g_malloc0 (ALL);
  qsort (p->exact, p->n, sizeof *p->exact, compare_colors);
  for (guint i = 0; i < p->n; i++) {
    p->index[p->exact[i]] = (guint8) i;
    for (guint c = 0; c < 3; c++)
      p->colors[3 * i + c] = (guint8) (p->exact[i] >> 8 * (2 - c));
  }
}

/* ---- Fewer ---- */

static double
mean_of (const Bin *bin, guint c)
{
  return bin->sum[c] / bin->n;
}

static void
measure (const Bin *bins, Box *box)
{
  double largest = -1;
  box->error = 0;
  for (guint c = 0; c < 3; c++) {
    double n = 0, sum = 0, squares = 0;
    for (guint i = box->first; i < box->first + box->n; i++) {
      n += bins[i].n;
      sum += bins[i].sum[c];
      squares += bins[i].sum[c] * mean_of (&bins[i], c);
    }
    const double error = squares - sum * sum / n;
    if (error > largest) {
      largest = error;
      box->axis = c;
    }
    box->error += error;
  }
  if (box->n == 1)
    box->error = 0;
}

/* By the mean along the axis, then along the others: no two bins have all three in common. */
static int
compare_bins (gconstpointer a, gconstpointer b, gpointer axis)
{
  const Bin *x = a, *y = b;
  const guint first = *(const guint *) axis;
  for (guint i = 0; i < 3; i++) {
    const guint c = (first + i) % 3;
    const double p = mean_of (x, c), q = mean_of (y, c);
    if (p != q)
      return p < q ? -1 : 1;
  }
  return 0;
}

/* Cuts the box in two; how many bins the first has. */
static guint
cut (Bin *bins, const Box *box)
{
  double all = 0, all_sum = 0, n = 0, sum = 0, best = -1;
  guint at = 1, axis = box->axis;
  Bin *own = bins + box->first;
  g_qsort_with_data (own, (gint) box->n, sizeof *own, compare_bins, &axis);
  for (guint i = 0; i < box->n; i++) {
    all += own[i].n;
    all_sum += own[i].sum[axis];
  }
  for (guint i = 0; i + 1 < box->n; i++) {
    n += own[i].n;
    sum += own[i].sum[axis];
    const double between = sum * sum / n + (all_sum - sum) * (all_sum - sum) / (all - n);
    if (between > best) {
      best = between;
      at = i + 1;
    }
  }
  return at;
}

static void
set_color (FilesPalette *p, guint i, const double sum[3], double n)
{
  for (guint c = 0; c < 3; c++)
    p->colors[3 * i + c] = (guint8) (sum[c] / n + 0.5);
}

/* The means of boxes of the n bins, n > COLORS. */
static void
divide (FilesPalette *p, Bin *bins, guint n)
{
  Box boxes[COLORS] = {{.n = n}};
  measure (bins, &boxes[0]);
  for (p->n = 1; p->n < COLORS; p->n++) {
    Box *largest = &boxes[0];
    for (guint i = 1; i < p->n; i++)
      if (boxes[i].error > largest->error)
        largest = &boxes[i];
    if (largest->error <= 0)
      break;
    const guint first = cut (bins, largest);
    boxes[p->n] = (Box){.first = largest->first + first, .n = largest->n - first};
    largest->n = first;
    measure (bins, largest);
    measure (bins, &boxes[p->n]);
  }
  for (guint i = 0; i < p->n; i++) {
    double sum[3] = {0}, count = 0;
    for (guint b = boxes[i].first; b < boxes[i].first + boxes[i].n; b++) {
      count += bins[b].n;
      for (guint c = 0; c < 3; c++)
        sum[c] += bins[b].sum[c];
    }
    set_color (p, i, sum, count);
  }
}

static guint
closest (const FilesPalette *p, const Bin *bin)
{
  double best = G_MAXDOUBLE;
  guint found = 0;
  for (guint i = 0; i < p->n; i++) {
    double distance = 0;
    for (guint c = 0; c < 3; c++) {
      const double d = mean_of (bin, c) - p->colors[3 * i + c];
      distance += d * d;
    }
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}

static void
refine (FilesPalette *p, const Bin *bins, guint n)
{
  double sums[COLORS][3] = {{0}}, counts[COLORS] = {0};
  for (guint b = 0; b < n; b++) {
    const guint i = closest (p, &bins[b]);
    counts[i] += bins[b].n;
    for (guint c = 0; c < 3; c++)
      sums[i][c] += bins[b].sum[c];
  }
  for (guint i = 0; i < p->n; i++)
    if (counts[i] > 0)
      set_color (p, i, sums[i], counts[i]);
}

static void
take_fewer (FilesPalette *p)
{
  g_autofree Bin *bins = g_new (Bin, BINS);
  guint n = 0;
  for (guint b = 0; b < BINS; b++)
    if (p->bins[b].n > 0)
      bins[n++] = p->bins[b];
  divide (p, bins, n);
  for (guint i = 0; i < ITERATIONS; i++)
    refine (p, bins, n);
  p->index = g_malloc0 (BINS);
  for (guint b = 0; b < BINS; b++)
    if (p->bins[b].n > 0)
      p->index[b] = (guint8) closest (p, &p->bins[b]);
}

const guint8 *
files_palette_colors (FilesPalette *p, guint *n)
{
  if (!p->index && p->n_seen <= COLORS)
    take_all (p);
  else if (!p->index)
    take_fewer (p);
  *n = p->n;
  return p->colors;
}

void
files_palette_index (const FilesPalette *p, const guint8 *pixels, gsize n, guint8 *to)
{
  const gboolean exact = p->n_seen <= COLORS;
  for (gsize i = 0; i < n; i++, pixels += 3)
    to[i] = p->index[exact ? color_of (pixels) : bin_of (pixels)];
}
