/* SPDX-License-Identifier: MIT
 *
 * display: what a window shows of one slice, as one plane of rows of R,G,B,A bytes: shape {1, height, 4 * width}. Screen pixel i covers the image
 * from x + i / zoom to x + (i + 1) / zoom, rows likewise. With zoom >= 1 it shows the image pixel under its middle. With zoom < 1 it shows the mean
 * of the covered image, weighted by area. Labels are always those under the middle; of several channels the first with an object there counts. Then k
 * = round (4095 * stretch (clamp ((v - low) / (high - low)))), of which stretch.h has the formulas, and LUT[round (255 * (k / 4095) ^ gamma)];
 * composite: the sum of the channels' colors, at most 255. Outside the image all four bytes are 0. NaN is shown as `low`. An image is one of labels
 * by its role, or where `labels` is the LUT of every channel shown; decimals are cut off its values then.
 */
#ifndef KERNELS_DISPLAY_DISPLAY_H
#define KERNELS_DISPLAY_DISPLAY_H

#include "kernels/display/lut.h"
#include "kernels/display/stretch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DISPLAY_LEVELS 4096

typedef enum display_mode { DISPLAY_COMPOSITE, DISPLAY_SINGLE } display_mode;
typedef enum display_overlay { DISPLAY_FILL, DISPLAY_OUTLINE } display_overlay;

typedef struct display_args {
  int32_t mode, channel, z;
  fv_matrix contrast; /* rows: low high [gamma [a]], one for each channel or one for all; default: see display.c */
  char luts[512];
  double x, y, zoom;
  int32_t width, height;
  double overlay_alpha;
  int32_t overlay_mode;
  char stretch[256];
  char colors[8 * 256 * 6 + 8]; /* eight tables, as lut_texts() has them */
} display_args;

/* Screen pixels that show n image pixels: those whose middle is in the image, at least one. */
INLINE int64_t
display_size (int64_t n, double zoom)
{
  double size = ceil ((double) n * zoom - 0.5);
  return size > 1 ? (int64_t) size : 1;
}

/* The image pixel under screen pixel i, or -1 where nothing of the image is. */
INLINE int64_t
display_source (double start, double zoom, int64_t i, int64_t n)
{
  double middle = floor (start + ((double) i + 0.5) / zoom), last = (double) (n - 1);
  bool seen = zoom < 1 ? start + (double) (i + 1) / zoom > 0 && start + (double) i / zoom < (double) n
                       : middle >= 0 && middle <= last;
  return !seen ? -1 : middle < 0 ? 0 : middle > last ? n - 1 : (int64_t) middle;
}

/* The part of the image that screen pixel i covers. */
INLINE void
display_cover (double start, double zoom, int64_t i, int64_t n, double *from, double *to)
{
  double a = start + (double) i / zoom, b = start + (double) (i + 1) / zoom;
  *from = a > 0 ? a : 0;
  *to = b < (double) n ? b : (double) n;
}

/* Halfway to white, 0x00bbggrr. */
INLINE uint32_t
display_lighter (uint32_t color)
{
  return 0x00808080u + (color >> 1 & 0x007f7f7fu);
}

/* Whether the image itself is one of labels, or is to be seen so. */
bool display_is_labels (const display_args *args, const fv_grid *g);
/* A real number as a label: 0 where it is none. */
INLINE int32_t
display_label (double v)
{
  return v >= 1 && v < 2147483648.0 ? (int32_t) v : 0;
}
/* The colors of a channel, as lut_fill() has them. */
void display_table (const display_args *args, const fv_grid *g, int64_t channel, uint32_t table[256]);
/* What is shown darkest and brightest; false where that is the range of the channel's slice, which is to be found. */
bool display_contrast (const display_args *args, const fv_grid *g, int64_t channel, double *low, double *high,
                       double *gamma);
/* The stretch of a channel; that which is made with gamma is part of *gamma then. */
stretch display_stretch (const display_args *args, int64_t channel, double *gamma);
fv_status display_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
