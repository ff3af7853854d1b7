/* SPDX-License-Identifier: MIT
 *
 * threshold: mask of a range of values, or of what is above (below) a threshold found by a method. Rules for NaN,
 * infinities and images of one value: methods.h. References: skimage.filters.threshold_*, ImageJ's AutoThresholder
 * for huang and imagej_*; max_entropy from its definition.
 */
#include "kernels/threshold/methods.h"

static const fv_choice methods[] = {
  [THRESHOLD_MANUAL] = {"manual", "Manual", "The range from lower to upper."},
  [THRESHOLD_OTSU] = {"otsu", "Otsu", "Largest variance between the two classes."},
  [THRESHOLD_LI] = {"li", "Li", "Least cross entropy."},
  [THRESHOLD_YEN] = {"yen", "Yen", "Largest entropic correlation."},
  [THRESHOLD_TRIANGLE] = {"triangle", "Triangle", "Farthest from the line between the peak and the longer tail's end."},
  [THRESHOLD_ISODATA] = {"isodata", "IsoData", "Midway between the means of the two classes."},
  [THRESHOLD_MEAN] = {"mean", "Mean", "The mean of all pixels."},
  [THRESHOLD_MINIMUM] = {"minimum", "Minimum",
                         "Lowest value between the two peaks of the smoothed histogram; none without two peaks."},
  [THRESHOLD_HUANG] = {"huang", "Huang", "Least fuzziness of the two classes, as ImageJ defines it."},
  [THRESHOLD_MAX_ENTROPY] = {"max_entropy", "MaxEntropy", "Largest sum of the entropies of the two classes."},
  [THRESHOLD_IMAGEJ_DEFAULT] = {"imagej_default", "ImageJ Default",
                                "ImageJ's default: its IsoData with a high peak cut down, the darkest and brightest "
                                "bins left out."},
  [THRESHOLD_IMAGEJ_IJ_ISODATA] = {"imagej_ij_isodata", "ImageJ IJ_IsoData",
                                   "ImageJ's IJ_IsoData: as its default, with the peak as it is."},
  [THRESHOLD_IMAGEJ_ISODATA] = {"imagej_isodata", "ImageJ IsoData",
                                "ImageJ's IsoData: midway between the means of the pixels below and above it."},
  [THRESHOLD_IMAGEJ_LI] = {"imagej_li", "ImageJ Li", "Least cross entropy in ImageJ's steps, from black on."},
  [THRESHOLD_IMAGEJ_TRIANGLE] = {"imagej_triangle", "ImageJ Triangle",
                                 "As triangle, with ImageJ's line to the first empty bin."},
  [THRESHOLD_IMAGEJ_MINIMUM] = {"imagej_minimum", "ImageJ Minimum", "As minimum, with ImageJ's smoothing."},
  [THRESHOLD_IMAGEJ_OTSU] = {"imagej_otsu", "ImageJ Otsu", "As otsu, of equal ones the last."},
  [THRESHOLD_IMAGEJ_HUANG] = {"imagej_huang", "ImageJ Huang", "As huang, on ImageJ's 256 bins."},
  [THRESHOLD_IMAGEJ_MAX_ENTROPY] = {"imagej_max_entropy", "ImageJ MaxEntropy", "As max_entropy, on ImageJ's 256 bins."},
  [THRESHOLD_IMAGEJ_MEAN] = {"imagej_mean", "ImageJ Mean", "The bin in which the mean of all pixels lies."},
  [THRESHOLD_IMAGEJ_YEN] = {"imagej_yen", "ImageJ Yen", "As yen, on ImageJ's 256 bins."},
  {0}};

static fv_grain
threshold_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const threshold_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
threshold_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const threshold_args *a = args;
  (void) op, (void) in;
  if (a->method == THRESHOLD_MANUAL && a->lower > a->upper)
    return fail (error, FV_BAD_ARGUMENT, "lower", "The lower end %g is above the upper end %g.", a->lower, a->upper);
  threshold_grid (out[0]);
  return FV_OK;
}

#define AUTOMATIC                                                                                                      \
  "method=otsu|li|yen|triangle|isodata|mean|minimum|huang|max_entropy|imagej_default|imagej_ij_isodata|imagej_"        \
  "isodata|"                                                                                                           \
  "imagej_li|imagej_triangle|imagej_minimum|imagej_otsu|imagej_huang|imagej_max_entropy|imagej_mean|imagej_yen"

#define THRESHOLD_END .min = -INFINITY, .max = INFINITY, .open = true, .soft_max = 65535, .enabled = "method=manual"

const fv_op fv_op_threshold = {
  FV_OP (threshold_args),
  .key = "threshold",
  .menu = "Process/Threshold",
  .label = "Threshold...",
  .search = "segment segmentation auto threshold binary binarize make mask foreground background cut off isodata li "
            "triangle huang",
  .traits = FV_THRESHOLDS,
  .help = "Makes a mask of the pixels in a range, or on one side of a threshold that a method finds.",
  .cite =
    "Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62; Li and Tam 1998, Pattern Recognit. Lett. 19:771; Yen, Chang and "
    "Chang 1995, IEEE Trans. Image Process. 4:370; Zack, Rogers and Latt 1977, J. Histochem. Cytochem. 25:741; "
    "Ridler and Calvard 1978, IEEE Trans. Syst. Man Cybern. 8:630; Prewitt and Mendelsohn 1966, Ann. N. Y. Acad. "
    "Sci. 128:1035; Huang and Wang 1995, Pattern Recognit. 28:41; Kapur, Sahoo and Wong 1985, CVGIP 29:273",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Mask"}, {0}},
  .scalars = (const fv_scalar[]){THRESHOLD_SCALAR, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (threshold_args, method), .label = "Method", .def = THRESHOLD_OTSU, .choices = methods,
       .help =
         "How the threshold is found: huang and imagej_* as in ImageJ, the latter on 256 bins; max_entropy by its "
         "definition; all others as in scikit-image."},
      {FV_FIELD (threshold_args, lower), .label = "Lower", .def = 128, THRESHOLD_END,
       .help = "Smallest value of the foreground; -inf: no limit."},
      {FV_FIELD (threshold_args, upper), .label = "Upper", .def = INFINITY, THRESHOLD_END,
       .help = "Largest value of the foreground; inf: no limit."},
      {FV_FIELD (threshold_args, bins), THRESHOLD_BINS,
       .enabled = "method=otsu|yen|triangle|isodata|minimum|huang|max_entropy"},
      {FV_FIELD (threshold_args, dark_background), .label = "Dark background", .def = true, .enabled = AUTOMATIC,
       .help = "Takes the pixels above the threshold; otherwise those at or below it."},
      {FV_FIELD (threshold_args, volume), THRESHOLD_VOLUME, .enabled = AUTOMATIC},
      {0}},
  .grain = threshold_grain,
  .infer = threshold_infer,
  .run = {[FV_CPU] = threshold_cpu, [FV_CUDA] = FV_CUDA_FN (threshold_cuda)},
  .part = FV_PART_GIVEN,
};
