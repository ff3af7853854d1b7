/* SPDX-License-Identifier: MIT
 *
 * The table, and what it says at each size.
 */
#include "tests/bench/lines.h"

#define MEASURE_BASIC                                                                                                  \
  "regionprops properties=label,area,bbox,centroid,intensity_mean,intensity_max,intensity_min,orientation,"            \
  "axis_major_length,axis_minor_length,eccentricity,perimeter"
#define ZOOM_VOLUME "zoom factor=0.8,1.25,1.25 border=mirror volume=true order="

/* Sizes are words; N is the size in the names of the inputs. */
static const struct {
  const char *work, *inputs, *steps;
  const char *cpu, *cuda, *huge;
  LineMode mode;
} table[] = {
  {"gaussian sigma=5 f32", "nuclei-N-f32", "gaussian sigma=5", "2048", "4096", "16384", LINE_STEP},
  {"gaussian sigma=5 u16", "nuclei-N-u16", "gaussian sigma=5 output=same", "2048", "4096", "", LINE_STEP},
  {"otsu f32", "blurred-N", "otsu", "2048", "4096", "", LINE_STEP},
  {"otsu u16", "nuclei-N-u16", "otsu", "2048", "4096", "", LINE_STEP},
  {"erosion disk(2)", "mask-N", "erosion footprint=disk radius=2", "2048", "4096", "", LINE_STEP},
  {"erosion disk(10)", "mask-N", "erosion footprint=disk radius=10", "2048", "4096", "", LINE_STEP},
  {"grey erosion disk(5) u16", "nuclei-N-u16", "erosion footprint=disk radius=5", "2048", "4096", "", LINE_STEP},
  {"distance", "mask-N", "distance", "2048", "4096", "", LINE_STEP},
  {"distance volume", "mask-volume-N", "distance volume=true", "32x512x512", "128x512x512", "", LINE_STEP},
  {"median 3x3 u16", "nuclei-N-u16", "median footprint=square radius=1", "2048", "4096", "", LINE_STEP},
  {"median 5x5 u16", "nuclei-N-u16", "median footprint=square radius=2", "2048", "4096", "", LINE_STEP},
  {"median disk(5) u16", "nuclei-N-u16", "median radius=5", "2048", "4096", "", LINE_STEP},
  {"median disk(10) u16", "nuclei-N-u16", "median radius=10", "2048", "4096", "", LINE_STEP},
  {"mean 11x11 f32", "nuclei-N-f32", "mean footprint=square radius=5", "2048", "4096", "", LINE_STEP},
  {"maximum disk(5) u16", "nuclei-N-u16", "maximum radius=5", "2048", "4096", "", LINE_STEP},
  {"tophat disk(15) u16", "nuclei-N-u16", "tophat radius=15", "2048", "4096", "", LINE_STEP},
  {"sobel f32", "nuclei-N-f32", "sobel", "2048", "4096", "", LINE_STEP},
  {"laplacian f32", "nuclei-N-f32", "laplacian", "2048", "4096", "", LINE_STEP},
  {"log sigma=2 f32", "nuclei-N-f32", "log", "2048", "4096", "", LINE_STEP},
  {"dog 1,5 f32", "nuclei-N-f32", "dog sigma=1 high_sigma=5", "2048", "4096", "", LINE_STEP},
  {"unsharp f32", "nuclei-N-f32", "unsharp border=reflect", "2048", "4096", "", LINE_STEP},
  {"hessian sigma=2 f32", "nuclei-N-f32", "hessian", "2048", "4096", "", LINE_STEP},
  {"bilateral sigma=2 f32", "nuclei-N-f32", "bilateral sigma=2 sigma_range=500", "2048", "4096", "", LINE_STEP},
  {"nlmeans f32", "nuclei-N-f32", "nlmeans h=100", "2048", "4096", "", LINE_STEP},
  {"anisotropic 10 f32", "nuclei-N-f32", "anisotropic contrast=500", "2048", "4096", "", LINE_STEP},
  {"local threshold mean 51 u16", "nuclei-N-u16", "local_threshold radius=25", "2048", "4096", "", LINE_STEP},
  {"local threshold contrast 51 u16", "nuclei-N-u16", "local_threshold method=contrast radius=25", "2048", "4096", "",
   LINE_STEP},
  {"local threshold sauvola 51 u16", "nuclei-N-u16", "local_threshold method=sauvola radius=25", "2048", "4096", "",
   LINE_STEP},
  {"rolling_ball 25 u16", "nuclei-N-u16", "rolling_ball radius=25", "2048", "4096", "", LINE_STEP},
  {"rolling_ball exact 25 u16", "nuclei-N-u16", "rolling_ball method=exact radius=25", "2048", "4096", "", LINE_STEP},
  {"rolling_ball paraboloid 25 u16", "nuclei-N-u16", "rolling_ball method=paraboloid radius=25", "2048", "4096", "",
   LINE_STEP},
  {"label nuclei", "mask-eroded-N", "label connectivity=8", "2048", "4096", "", LINE_STEP},
  {"label noise", "mask-noise-N", "label connectivity=8", "2048", "4096", "", LINE_STEP},
  {"label dots", "mask-dots-N", "label connectivity=8", "2048", "4096", "", LINE_STEP},
  {"watershed", "distances-N labels-seeds-N mask-N", "watershed invert=true", "2048", "4096", "", LINE_STEP},
  {"split", "mask-N", "split", "2048", "4096", "", LINE_STEP},
  {"split imagej", "mask-N", "split method=imagej", "2048", "4096", "", LINE_STEP},
  {"fill holes", "mask-N", "fill_holes", "2048", "4096", "", LINE_STEP},
  {"remove small objects", "mask-N", "remove_small", "2048", "4096", "", LINE_STEP},
  {"expand labels by 5", "labels-N", "expand distance=5", "2048", "4096", "", LINE_STEP},
  {"voronoi", "labels-N", "voronoi line=true", "2048", "4096", "", LINE_STEP},
  {"merge_objects", "labels-N nuclei-N-u16", "merge_objects by=contrast limit=100", "2048", "4096", "", LINE_STEP},
  {"relabel", "labels-N", "relabel", "2048", "4096", "", LINE_STEP},
  {"h-maxima u16", "nuclei-N-u16", "h_maxima h=1000", "2048", "4096", "", LINE_STEP},
  {"convex hulls", "mask-eroded-N", "convex_hull", "2048", "4096", "", LINE_STEP},
  {"thin", "mask-N", "thin", "2048", "4096", "", LINE_STEP},
  {"skeleton", "mask-N", "skeleton", "2048", "4096", "", LINE_STEP},
  {"label2rgb", "labels-N", "label2rgb", "2048", "4096", "", LINE_STEP},
  {"regionprops area, mean, solidity", "labels-N nuclei-N-u16", LINES_MEASURE, "2048", "4096", "", LINE_STEP},
  {"regionprops 12 basic", "labels-N nuclei-N-u16", MEASURE_BASIC, "2048", "4096", "", LINE_STEP},
  {"regionprops of dots", "labels-dots-N nuclei-N-u16", LINES_MEASURE, "2048", "4096", "", LINE_STEP},
  {"skeleton_lengths", "labels-N", "skeleton_lengths", "2048", "4096", "", LINE_STEP},
  {"neighbours", "labels-N", "neighbours distance=30", "2048", "4096", "", LINE_STEP},
  {"assign", "labels-dots-N labels-N", "assign", "2048", "4096", "", LINE_STEP},
  {"colocalize u16", "nuclei-N-u16 blurred-N", "colocalize", "2048", "4096", "", LINE_STEP},
  {"z_profile u16", "nuclei-N-u16", "z_profile", "2048", "4096", "", LINE_STEP},
  {"radial_profile u16", "nuclei-N-u16", "radial_profile", "2048", "4096", "", LINE_STEP},
  {"profile 20 px wide u16", "nuclei-N-u16", "profile points='0 0; 2000 1500; 100 2040' width=20", "2048", "4096", "",
   LINE_STEP},
  {"histogram u16", "nuclei-N-u16", "histogram", "2048", "4096", "", LINE_STEP},
  {"texture u16", "nuclei-N-u16", "texture", "2048", "4096", "", LINE_STEP},
  {"texture of objects u16", "nuclei-N-u16 labels-N", "texture", "2048", "4096", "", LINE_STEP},
  {"zoom order 3 x2", "nuclei-N-f32", "zoom factor=2 border=mirror order=3", "2048", "4096", "", LINE_STEP},
  {"zoom order 1 volume", "volume-N", ZOOM_VOLUME "1", "82x152x216", "330x608x865", "", LINE_STEP},
  {"zoom order 3 volume", "volume-N", ZOOM_VOLUME "3", "82x152x216", "330x608x865", "", LINE_STEP},
  {"zoom order 5 volume", "volume-N", ZOOM_VOLUME "5", "82x152x216", "330x608x865", "", LINE_STEP},
  {"convolve 15x15 f64", "deltas-N kernel-15", "convolve shape=image mode=full boundary=fill", "2048", "2048", "",
   LINE_STEP},
  {"convolve 15x15 random f64", "deltas-N kernel-random-15", "convolve shape=image mode=full boundary=fill", "2048",
   "2048", "", LINE_STEP},
  {"deconvolve 10 rounds 15x15 f32", "nuclei-N-f32 kernel-random-15", "deconvolve shape=image", "2048", "2048", "",
   LINE_STEP},
  {"convolve 101x101 f32", "uniform-x-N kernel-random-101", "convolve shape=image boundary=fill", "2048", "4096", "",
   LINE_STEP},
  {"sigma_clip sky f32", "sky-N", "sigma_clip", "2048", "2048", "", LINE_STEP},
  {"sigma_clip noise f32", "noise-N", "sigma_clip", "", "16384x4096", "", LINE_STEP},
  {"background f32", "sky-N", "background", "4096", "4096", "", LINE_STEP},
  {"sky to table", "sky-N", "background as=flat,back,rms | sources from=flat rms=rms", "4096", "4096", "",
   LINE_PIPELINE},
  {"smooth_field order 3 volume", "volume-N", "smooth_field width=512 height=512 depth=512 distance=16 volume=true", "",
   "33x33x33", "", LINE_STEP},
  {"patch_match 3x3 RGB", "rgb-a-N rgb-b-N", "patch_match", "67x100", "134x200 480x640", "", LINE_STEP},
  {"expression x*y+sqrt(abs(x))", "uniform-x-N uniform-y-N", "expression expression='a*b+sqrt(abs(a))'", "4096",
   "16384", "", LINE_STEP},
  {"kernel x*y+sqrt(abs(x))", "uniform-x-N uniform-y-N",
   "kernel in_params='float32 x, float32 y' out_params='float32 z' operation='z = x * y + sqrtf (fabsf (x));'", "4096",
   "16384", "", LINE_STEP},
  {"project max volume", "volume-N", "project", "82x152x216", "330x608x865", "", LINE_STEP},
  {"project median volume", "volume-N", "project method=median", "82x152x216", "330x608x865", "", LINE_STEP},
  {"project sd volume", "volume-N", "project method=sd", "82x152x216", "330x608x865", "", LINE_STEP},
  {"noise f32", "uniform-x-N", "noise", "2048", "4096", "", LINE_STEP},
  {"noise poisson u16", "nuclei-N-u16", "noise method=poisson", "2048", "4096", "", LINE_STEP},
  {"bleach volume", "volume-N", "bleach axis=z", "82x152x216", "330x608x865", "", LINE_STEP},
  {"reslice left volume", "volume-N", "reslice start=left", "82x152x216", "330x608x865", "", LINE_STEP},
  {"rgb to lab", "rgb-a-N", "rgb to=lab", "2048x2048", "4096x4096", "", LINE_STEP},
  {"montage volume", "volume-N", "montage", "82x152x216", "330x608x865", "", LINE_STEP},
  {"convert to 8-bit", "nuclei-N-u16", "convert type=u8 scale=range high=4095", "2048", "4096", "", LINE_STEP},
  {"rotate linear f32", "uniform-x-N", "rotate angle=30", "4096", "16384", "", LINE_STEP},
  {"rotate cubic f32", "uniform-x-N", "rotate angle=30 interpolation=cubic", "4096", "16384", "", LINE_STEP},
  {"register u16", "nuclei-N-u16 turned-N", "register", "2048", "4096", "", LINE_STEP},
  {"register rigid u16", "nuclei-N-u16 turned-N", "register transform=rigid", "2048", "4096", "", LINE_STEP},
  {"bin 2x2 u16", "nuclei-N-u16", "bin", "2048", "4096", "", LINE_STEP},
  {"crop", "nuclei-N-u16", "crop x=100 y=100 width=1024 height=1024", "2048", "4096", "", LINE_STEP},
  {"calculate add f32", "uniform-x-N uniform-y-N", "calculate", "4096", "16384", "", LINE_STEP},
  {"workflow", "nuclei-N-u16", LINES_WORKFLOW, "640 2048 4096", "640 2048 4096", "16384", LINE_ROUND_TRIP},
  {"workflow on the device", "nuclei-N-u16", LINES_WORKFLOW, "", "4096", "16384", LINE_PIPELINE},
};

static void
line_free (gpointer data)
{
  Line *line = data;
  g_free (line->name);
  g_free (line->work);
  g_free (line->size);
  g_strfreev (line->inputs);
  g_free (line);
}

static Line *
line_new (guint row, const char *size)
{
  Line *line = g_new0 (Line, 1);
  GString *inputs = g_string_new (table[row].inputs);
  g_string_replace (inputs, "N", size, 0);
  line->work = g_strdup (table[row].work);
  line->size = g_strdup (size);
  line->name = g_strconcat (table[row].work, " ", size, NULL);
  line->mode = table[row].mode;
  line->inputs = g_strsplit (inputs->str, " ", LINE_INPUTS);
  line->steps = table[row].steps;
  g_string_free (inputs, TRUE);
  return line;
}

GPtrArray *
lines_new (fv_device_kind kind, gboolean huge, const GRegex *names)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);
  for (guint row = 0; row < G_N_ELEMENTS (table); row++) {
    g_autofree char *text =
      g_strjoin (" ", kind == FV_CPU ? table[row].cpu : table[row].cuda, huge ? table[row].huge : "", NULL);
    g_auto (GStrv) sizes = g_strsplit (text, " ", -1);
    for (char **size = sizes; *size; size++) {
      Line *line = **size ? line_new (row, *size) : NULL;
      if (line && g_regex_match (names, line->name, 0, NULL))
        g_ptr_array_add (lines, line);
      else if (line)
        line_free (line);
    }
  }
  return lines;
}

fv_role
line_input_role (const char *input)
{
  return g_str_has_prefix (input, "mask-")     ? FV_MASK
         : g_str_has_prefix (input, "labels-") ? FV_LABELS
         : g_str_has_prefix (input, "rgb-")    ? FV_RGB
                                               : FV_IMAGE;
}
