/* SPDX-License-Identifier: MIT
 *
 * One line for each command; what its own name and help say need not be here.
 */
#include "ui/app/synonyms.h"

#include <glib.h>
#include <string.h>

static const struct {
  const char *command, *words;
} table[] = {
  /* Operations, by their keys. */
  {"arithmetic", "math add subtract multiply divide invert gamma log square root absolute nan background"},
  {"blackhat", "morphology bottom hat dark spots closing"},
  {"bin", "shrink smaller reduce downsample block average"},
  {"calculate", "image calculator add subtract multiply divide difference ratio and or xor two images combine"},
  {"calibrate", "set scale pixel size micron calibration unit"},
  {"channel", "split channels extract colour color red green blue fluorescence"},
  {"clear_border", "exclude on edges remove touching objects particles"},
  {"closing", "morphology close gaps join"},
  {"convert", "type 8-bit 16-bit 32-bit float bit depth"},
  {"crop", "cut trim region of interest roi rectangle smaller"},
  {"convex_hull", "envelope solidity rubber band"},
  {"dilation", "morphology grow thicken maximum expand"},
  {"distance", "distance transform edm euclidean map voronoi"},
  {"erosion", "morphology shrink thin minimum"},
  {"expand", "grow dilate labels objects cells ring cytoplasm"},
  {"fill_holes", "close gaps holes background"},
  {"gaussian", "smooth denoise noise low pass filter"},
  {"h_maxima", "peaks local maxima spots markers seeds find points prominence"},
  {"keep", "crop clear outside restrict roi region of interest"},
  {"label", "count analyze particles analyse particles connected components segment segmentation objects cells nuclei "
            "blobs find"},
  {"label2rgb", "overlay colour labels color map glasbey show objects"},
  {"merge_channels", "composite combine colors colours rgb stack"},
  {"local_threshold", "adaptive threshold niblack sauvola phansalkar bernsen uneven illumination binarize"},
  {"maximum", "rank filter dilate brightest"},
  {"mean", "rank filter average box smooth blur denoise noise"},
  {"median", "rank filter despeckle salt pepper smooth denoise noise outliers"},
  {"minimum", "rank filter erode darkest"},
  {"opening", "morphology open despeckle remove small"},
  {"otsu", "segment segmentation auto threshold binary binarize make mask foreground background"},
  {"outline", "edge boundary contour border perimeter"},
  {"pad", "canvas size border extend margin frame"},
  {"patch_match", "nearest neighbour neighbor field correspondence texture similar search"},
  {"percentile", "rank filter quantile order statistic"},
  {"project", "maximum average sum intensity projection stack z time mip flatten"},
  {"reconstruct", "texture synthesis rebuild patches"},
  {"reconstruct_grey", "morphological reconstruction geodesic dilation marker"},
  {"regionprops",
   "count analyze particles analyse particles area shape intensity table results statistics features set measurements"},
  {"relabel", "relabel sequential gaps consecutive remap labels"},
  {"remove_large", "filter objects particles area size clumps"},
  {"remove_small", "filter objects particles area size specks noise debris area opening"},
  {"rolling_ball", "subtract background sliding shading uneven illumination flat"},
  {"rotate", "turn angle degrees shift move offset align straighten"},
  {"shading", "illumination vignetting flat field uneven background augment augmentation random"},
  {"skeleton", "thin centre line medial axis branches"},
  {"smooth_field", "random noise perlin clouds illumination background augment augmentation generate"},
  {"split", "watershed touching clumps declump separate cut binary nuclei cells"},
  {"substack", "slices frames channels keep remove delete reverse reduce duplicate split channels"},
  {"threshold", "segment segmentation auto threshold binary binarize make mask foreground background cut off isodata "
                "li triangle huang"},
  {"thin", "skeleton skeletonize centre line medial axis"},
  {"turn", "flip rotate mirror transpose 90 180 degrees"},
  {"watershed", "split touching separate"},
  {"tophat", "morphology white subtract background spots uneven illumination rolling ball"},
  {"variance", "rank filter texture standard deviation edges"},
  {"watershed", "split touching separate"},
  {"zoom", "rescale resize scale size resample interpolate bin shrink enlarge"},
  /* Actions of menus and keys. */
  {"app.devices", "gpu cuda graphics card cpu driver"},
  {"app.open", "load import file image"},
  {"win.batch", "many images folder files process multiple all workflow recipe pipeline"},
  {"win.compare", "preview difference split view side by side"},
  {"win.compare-devices", "benchmark speed time gpu cuda cpu faster speedup measure"},
  {"win.copy-figure", "clipboard picture image screenshot flatten"},
  {"win.copy-steps", "macro script workflow recipe clipboard"},
  {"win.display",
   "brightness contrast levels histogram window level auto lut look-up table colour map gamma adjust display"},
  {"win.duplicate", "copy image clone second tab"},
  {"win.export-figure",
   "publication picture scale bar colour bar color calibration overlay flatten label time stamp png svg pdf print dpi"},
  {"win.keep-selection", "roi manager add region of interest"},
  {"win.line-profile", "plot profile intensity along line"},
  {"win.measure", "roi mean area selection intensity"},
  {"win.measure-list", "roi manager multi measure"},
  {"win.new-image", "create generate black white ramp noise blank synthetic empty"},
  {"win.open-steps", "load macro script workflow recipe"},
  {"win.paste-steps", "macro script workflow recipe clipboard"},
  {"win.properties", "info metadata show info pixel size scale bar unit voxel"},
  {"win.record", "macro recorder script"},
  {"win.restrict", "roi only inside crop"},
  {"win.save", "export write tiff png image as"},
  {"win.save-steps", "export macro script workflow recipe"},
  {"win.select-all", "whole image roi"},
  {"win.select-none", "deselect clear roi remove"},
  {"win.selections", "roi manager list regions of interest rois"},
  {"win.set-scale", "scale bar calibration micron pixel size unit known distance"},
  {"win.split-channels", "separate colour color red green blue tabs"},
  {"win.stop", "cancel abort"},
  {"win.zoom-100", "actual size original"},
  {"win.zoom-fit", "whole image full"},
};

const char *
synonyms_of (const char *command)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!strcmp (table[i].command, command))
      return table[i].words;
  return "";
}
