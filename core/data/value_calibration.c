/* SPDX-License-Identifier: MIT
 *
 * The formulas are those of CurveFitter.f() and Calibration.od() of ImageJ 1.53t, evaluated in double and rounded to float, as its tables are.
 */
#include "core/data/value_calibration.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"

#include <math.h>

G_DEFINE_QUARK (value - table, table)

enum { PIECE = 1 << 18 }; /* pixels */

/* ---- The functions: c are the coefficients ---- */

static double
polynomial (const double *c, int degree, double x)
{
  double y = c[degree];
  while (degree--)
    y = c[degree] + x * y;
  return y;
}

static double
straight_line (const double *c, double x)
{
  return polynomial (c, 1, x);
}

static double
polynomial_2 (const double *c, double x)
{
  return polynomial (c, 2, x);
}

static double
polynomial_3 (const double *c, double x)
{
  return polynomial (c, 3, x);
}

static double
polynomial_4 (const double *c, double x)
{
  return polynomial (c, 4, x);
}

static double
exponential (const double *c, double x)
{
  return c[0] * exp (c[1] * x);
}

static double
power (const double *c, double x)
{
  return c[0] * pow (x, c[1]);
}

static double
logarithm (const double *c, double x)
{
  return x == 0 ? -1000 * c[0] : c[0] * log (c[1] * x);
}

static double
rodbard (const double *c, double x)
{
  return c[3] + (c[0] - c[3]) / (1 + pow (x / c[2], c[1]));
}

static double
gamma_variate (const double *c, double x)
{
  const double t = x - c[0];
  if (t <= 0)
    return 0;
  return c[1] <= 0 || c[2] <= 0 || c[3] <= 0 ? NAN : c[1] * pow (t, c[2]) * exp (-t / c[3]);
}

static double
logarithm_2 (const double *c, double x)
{
  return x - c[2] <= 0 ? NAN : c[0] + c[1] * log (x - c[2]);
}

static double
rodbard_2 (const double *c, double x)
{
  return c[3] - x <= 0 || x < c[0] ? 0 : c[2] * pow ((x - c[0]) / (c[3] - x), 1 / c[1]);
}

static double
exponential_with_offset (const double *c, double x)
{
  return c[0] * exp (-c[1] * x) + c[2];
}

static double
gaussian (const double *c, double x)
{
  return c[0] + (c[1] - c[0]) * exp (-(x - c[2]) * (x - c[2]) / (2 * c[3] * c[3]));
}

static double
exponential_recovery (const double *c, double x)
{
  return c[0] * (1 - exp (-c[1] * x)) + c[2];
}

/* By ImageJ's number. */
static const struct {
  double (*value) (const double *c, double x);
  int coefficients;
} functions[] = {
  {straight_line, 2}, {polynomial_2, 3},
  {polynomial_3, 4},  {polynomial_4, 5},
  {exponential, 2},   {power, 2},
  {logarithm, 2},     {rodbard, 4},
  {gamma_variate, 4}, {logarithm_2, 3},
  {rodbard_2, 4},     {exponential_with_offset, 3},
  {gaussian, 4},      {exponential_recovery, 3},
};

/* Of 8 bit; black is taken for half a gray level. */
static double
optical_density (double x, gboolean inverted)
{
  const double light = inverted ? 255 - x : x;
  return 0.434294481 * log (255 / (light == 0 ? 0.5 : light));
}

/* ---- Values of an image ---- */

gboolean
value_is_calibrated (const ImageInfo *info)
{
  const ImageNotes *n = info->notes;
  if (!n || !n->value_unit || info->role != FV_IMAGE || !(info->type & (FV_U8 | FV_U16)))
    return FALSE;
  if (n->function == VALUE_FUNCTION_OD)
    return info->type == FV_U8;
  return n->function >= 0 && (guint) n->function < G_N_ELEMENTS (functions)
         && n->n_coefficients >= functions[n->function].coefficients;
}

const char *
value_unit (const ImageInfo *info)
{
  const gboolean made = info->notes && info->notes->function < 0;
  return made || value_is_calibrated (info) ? info->notes->value_unit : NULL;
}

static double
unclipped (const ImageInfo *info, double x)
{
  const ImageNotes *n = info->notes;
  return n->function == VALUE_FUNCTION_OD ? optical_density (x, info->inverted)
                                          : functions[n->function].value (n->coefficients, x);
}

/* ImageJ's table of 16 bit is not clipped. */
static float
entry (const ImageInfo *info, int x)
{
  return (float) (info->type == FV_U8 ? value_of_stored (info, x) : unclipped (info, x));
}

double
value_of_stored (const ImageInfo *info, double stored)
{
  if (!value_is_calibrated (info))
    return stored;
  const double value = unclipped (info, stored);
  return info->notes->zero_clip && value < 0 ? 0 : value;
}

const float *
value_table (Image *image)
{
  const ImageInfo *info = image_info (image);
  const int n = info->type == FV_U8 ? 1 << 8 : 1 << 16;
  if (!value_is_calibrated (info))
    return NULL;
  const float *table = image_kept (image, table_quark ());
  if (table)
    return table;
  float *made = g_new (float, n);
  for (int i = 0; i < n; i++)
    made[i] = entry (info, i);
  if (!image_keep (image, table_quark (), made, g_free)) /* another thread was faster */
    g_free (made);
  return image_kept (image, table_quark ());
}

double
value_to_stored (Image *image, double value)
{
  const ImageInfo *info = image_info (image);
  const ImageNotes *n = info->notes;
  const float *table = value_table (image);
  const int all = info->type == FV_U8 ? 1 << 8 : 1 << 16;
  int nearest = 0;
  if (!table)
    return value;
  if (n->function == 0 && n->n_coefficients == 2 && n->coefficients[1] != 0)
    return (value - n->coefficients[0]) / n->coefficients[1];
  for (int i = 1; i < all; i++)
    if (fabsf ((float) value - table[i]) < fabsf ((float) value - table[nearest]))
      nearest = i;
  return nearest;
}

void
value_calibrate (Image *image, double *values, gsize n)
{
  const float *table = value_table (image);
  for (gsize i = 0; table && i < n; i++)
    values[i] = (double) table[(int) values[i]];
}

/* ---- The whole image ---- */

typedef struct {
  const float *table;
  fv_type type;
  const void *from;
  float *to;
  gsize n;
} Work;

static gboolean
calibrate_piece (gpointer data, guint64 piece, GError **error)
{
  const Work *w = data;
  const gsize first = piece * PIECE, end = MIN (first + PIECE, w->n);
  (void) error;
  if (w->type == FV_U8)
    for (gsize i = first; i < end; i++)
      w->to[i] = w->table[((const guint8 *) w->from)[i]];
  else
    for (gsize i = first; i < end; i++)
      w->to[i] = w->table[((const guint16 *) w->from)[i]];
  return TRUE;
}

Image *
value_calibrated_image (Image *image, Progress *progress, GError **error)
{
  ImageInfo info = *image_info (image);
  g_autoptr (ImageNotes) notes = image_notes_new (info.notes);
  g_autoptr (Image) made = NULL;
  Work work = {
    .table = value_table (image), .type = info.type, .n = image_bytes (image) / pixel_type_bytes (info.type)};
  info.type = FV_F32;
  info.source_type = NULL;
  info.notes = notes;
  notes->function = -1; /* the unit stays */
  g_clear_pointer (&notes->values, g_free);
  if (!(work.from = image_on_host (image, progress, error)) || !(made = image_new (&info, error)))
    return NULL;
  work.to = image_pixels (made);
  return parallel_do ((work.n - 1) / PIECE + 1, G_MAXUINT, calibrate_piece, &work, error) ? g_steal_pointer (&made)
                                                                                          : NULL;
}
