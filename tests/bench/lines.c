/* SPDX-License-Identifier: MIT
 *
 * The table.
 */
#include "lines.h"

#define MEASURED "properties=label,area,intensity_mean,solidity"
#define BASIC                                                                                                          \
  "properties=label,area,bbox,centroid,intensity_mean,intensity_max,intensity_min,orientation,axis_major_length,"      \
  "axis_minor_length,eccentricity,perimeter"
#define WORKFLOW                                                                                                       \
  "gaussian sigma=5 | otsu | erosion footprint=disk radius=2 | label as=objects | label2rgb | regionprops "           \
  "from=objects intensity=source " MEASURED
#define ZOOM_VOLUME "zoom factor=0.8,1.25,1.25 border=mirror volume=true order="

#define IMAGE(NAME) {NAME, FV_IMAGE}
#define MASK(NAME) {NAME, FV_MASK}
#define LABELS(NAME) {NAME, FV_LABELS}
#define RGB(NAME) {NAME, FV_RGB}

/* What grows with the side N of the image, at one N. */
#define LINES_OF(N, WHERE)                                                                                             \
  {"gaussian sigma=5 f32", N, WHERE, LINE_STEP, {IMAGE ("nuclei-" N "-f32")}, "gaussian sigma=5"},                     \
    {"gaussian sigma=5 u16", N, WHERE, LINE_STEP, {IMAGE ("nuclei-" N "-u16")}, "gaussian sigma=5 output=same"},       \
    {"otsu f32", N, WHERE, LINE_STEP, {IMAGE ("blurred-" N)}, "otsu"},                                                 \
    {"otsu u16", N, WHERE, LINE_STEP, {IMAGE ("nuclei-" N "-u16")}, "otsu"},                                           \
    {"erosion disk(2)", N, WHERE, LINE_STEP, {MASK ("mask-" N)}, "erosion footprint=disk radius=2"},                   \
    {"erosion disk(10)", N, WHERE, LINE_STEP, {MASK ("mask-" N)}, "erosion footprint=disk radius=10"},                 \
    {"grey erosion disk(5) u16", N, WHERE, LINE_STEP, {IMAGE ("nuclei-" N "-u16")}, "erosion footprint=disk radius=5"}, \
    {"label nuclei", N, WHERE, LINE_STEP, {MASK ("eroded-" N)}, "label connectivity=8"},                               \
    {"label noise", N, WHERE, LINE_STEP, {MASK ("noise-" N)}, "label connectivity=8"},                                 \
    {"label dots", N, WHERE, LINE_STEP, {MASK ("dots-" N)}, "label connectivity=8"},                                   \
    {"label2rgb", N, WHERE, LINE_STEP, {LABELS ("labels-" N)}, "label2rgb"},                                           \
    {"regionprops area, mean, solidity", N, WHERE, LINE_STEP, {LABELS ("labels-" N), IMAGE ("nuclei-" N "-u16")},      \
     "regionprops " MEASURED},                                                                                         \
    {"regionprops 12 basic", N, WHERE, LINE_STEP, {LABELS ("labels-" N), IMAGE ("nuclei-" N "-u16")},                  \
     "regionprops " BASIC},                                                                                            \
    {"regionprops of dots", N, WHERE, LINE_STEP, {LABELS ("dotlabels-" N), IMAGE ("nuclei-" N "-u16")},                \
     "regionprops " MEASURED},                                                                                         \
    {"zoom order 3 x2", N, WHERE, LINE_STEP, {IMAGE ("nuclei-" N "-f32")}, "zoom factor=2 border=mirror order=3"}

const Line lines[] = {
  LINES_OF ("2048", LINE_CPU),
  LINES_OF ("4096", LINE_CUDA),
  {"gaussian sigma=5 f32", "16384", LINE_CUDA | LINE_HUGE, LINE_STEP, {IMAGE ("nuclei-16384-f32")}, "gaussian sigma=5"},
  {"zoom order 1 volume", "82x152x216", LINE_CPU, LINE_STEP, {IMAGE ("volume-82x152x216")}, ZOOM_VOLUME "1"},
  {"zoom order 3 volume", "82x152x216", LINE_CPU, LINE_STEP, {IMAGE ("volume-82x152x216")}, ZOOM_VOLUME "3"},
  {"zoom order 5 volume", "82x152x216", LINE_CPU, LINE_STEP, {IMAGE ("volume-82x152x216")}, ZOOM_VOLUME "5"},
  {"zoom order 1 volume", "330x608x865", LINE_CUDA, LINE_STEP, {IMAGE ("volume-330x608x865")}, ZOOM_VOLUME "1"},
  {"zoom order 3 volume", "330x608x865", LINE_CUDA, LINE_STEP, {IMAGE ("volume-330x608x865")}, ZOOM_VOLUME "3"},
  {"zoom order 5 volume", "330x608x865", LINE_CUDA, LINE_STEP, {IMAGE ("volume-330x608x865")}, ZOOM_VOLUME "5"},
  {"convolve 15x15 f64", "2048", LINE_BOTH, LINE_STEP, {IMAGE ("deltas-2048"), IMAGE ("kernel-15")}, "convolve"},
  {"sigma_clip f32", "2048", LINE_BOTH, LINE_STEP, {IMAGE ("sky-2048")}, "sigma_clip"},
  {"sigma_clip f32", "16384x4096", LINE_CUDA, LINE_STEP, {IMAGE ("normal-16384x4096")}, "sigma_clip"},
  {"patch_match 3x3 RGB", "134x200", LINE_CUDA, LINE_STEP, {RGB ("patches-a-134x200"), RGB ("patches-b-134x200")},
   "patch_match"},
  {"patch_match 3x3 RGB", "480x640", LINE_CUDA, LINE_STEP, {RGB ("patches-a-480x640"), RGB ("patches-b-480x640")},
   "patch_match"},
  {"expression a*b+sqrt(abs(a))", "16384", LINE_CUDA, LINE_STEP, {IMAGE ("uniform-a-16384"), IMAGE ("uniform-b-16384")},
   "expression expression='a*b+sqrt(abs(a))'"},
  {"workflow", "640", LINE_BOTH, LINE_ROUND_TRIP, {IMAGE ("nuclei-640-u16")}, WORKFLOW},
  {"workflow", "2048", LINE_BOTH, LINE_ROUND_TRIP, {IMAGE ("nuclei-2048-u16")}, WORKFLOW},
  {"workflow", "4096", LINE_BOTH, LINE_ROUND_TRIP, {IMAGE ("nuclei-4096-u16")}, WORKFLOW},
  {"workflow", "16384", LINE_BOTH | LINE_HUGE, LINE_ROUND_TRIP, {IMAGE ("nuclei-16384-u16")}, WORKFLOW},
  {"workflow on the device", "4096", LINE_CUDA, LINE_PIPELINE, {IMAGE ("nuclei-4096-u16")}, WORKFLOW},
  {"workflow on the device", "16384", LINE_CUDA | LINE_HUGE, LINE_PIPELINE, {IMAGE ("nuclei-16384-u16")}, WORKFLOW},
  {0},
};

char *
line_name (const Line *line)
{
  return g_strconcat (line->work, " ", line->size, NULL);
}

guint
line_inputs (const Line *line)
{
  guint n = 0;
  while (n < LINE_INPUTS && line->inputs[n].name)
    n++;
  return n;
}
