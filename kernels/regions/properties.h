/* SPDX-License-Identifier: MIT
 *
 * The properties of an object that can be measured: each stands here once, with its columns, its unit and its help; both devices and
 * the declaration read this list. Definitions: scikit-image's regionprops with spacing = the pixel size; ImageJ's Analyze Particles
 * for the properties in the second part.
 */
#ifndef KERNELS_REGIONS_PROPERTIES_H
#define KERNELS_REGIONS_PROPERTIES_H

#include "kernels/common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many columns a property has, with d axes (2, or 3 in a volume). */
typedef enum property_shape {
  SHAPE_ONE,
  SHAPE_AXES,    /* d */
  SHAPE_BOX,     /* 2 d */
  SHAPE_TENSOR,  /* d x d */
  SHAPE_MOMENTS, /* 4 x 4 (x 4) */
  SHAPE_HU,      /* 7 */
} property_shape;

typedef enum property_unit {
  UNIT_NONE,
  UNIT_LENGTH,
  UNIT_SQUARE,
  UNIT_SIZE,   /* length to the power d */
  UNIT_POWERS, /* length to the sum of the column's indices */
  UNIT_PIXELS,
  UNIT_RADIANS,
  UNIT_DEGREES,
  UNIT_VALUE, /* that of calibrated values */
} property_unit;

enum {
  IS_INTEGER = 1,
  IS_PLANAR = 2,    /* not defined in a volume */
  IS_INTENSITY = 4, /* of the intensity image; one set of columns for each channel */
  IS_SOLID = 8,     /* not defined in a plane */
  IS_STORED = 16,   /* of stored values, also where intensities are calibrated */
};

/* What the help adds for each unit. */
#define UNIT_TEXT_NONE ""
#define UNIT_TEXT_LENGTH " In units of length, such as µm."
#define UNIT_TEXT_SQUARE " In units of length squared, such as µm²."
#define UNIT_TEXT_SIZE " In units of area, such as µm²; in 3-D of volume."
#define UNIT_TEXT_POWERS " In units of length to the sum of the column's indices."
#define UNIT_TEXT_PIXELS ""
#define UNIT_TEXT_RADIANS " In radians."
#define UNIT_TEXT_DEGREES ""
#define UNIT_TEXT_VALUE ""

/* X (key, group/label, ImageJ's name or NULL, shape, unit, flags, need, help), in the order of the columns: what people read first comes first.
 * The need is the member of region_needs whose part of the work puts it into the table. */
#define REGION_PROPERTIES(X)                                                                                           \
  X (label, "Position/Label", NULL, ONE, NONE, IS_INTEGER, box, "The object's number in the label image.")             \
  X (area, "Size/Area", "Area", ONE, SIZE, 0, box, "Number of pixels times the size of a pixel; in 3-D the volume.")   \
  X (intensity_mean, "Intensity/Mean intensity", "Mean", ONE, VALUE, IS_INTENSITY, mean,                               \
     "Mean intensity of the object.")                                                                                  \
  X (intensity_std, "Intensity/Intensity standard deviation", "StdDev (scikit-image)", ONE, VALUE, IS_INTENSITY,       \
     deviation, "Standard deviation of the intensity, with division by the number of pixels.")                         \
  X (intensity_min, "Intensity/Minimum intensity", "Min", ONE, VALUE, IS_INTENSITY, range,                             \
     "Smallest intensity of the object.")                                                                              \
  X (intensity_max, "Intensity/Maximum intensity", "Max", ONE, VALUE, IS_INTENSITY, range,                             \
     "Largest intensity of the object.")                                                                               \
  X (intensity_median, "Intensity/Median intensity", "Median (scikit-image)", ONE, VALUE, IS_INTENSITY, ranks,         \
     "Median intensity; for an even number of pixels the mean of the middle two.")                                     \
  X (centroid, "Position/Centroid", NULL, AXES, LENGTH, 0, spread,                                                     \
     "Mean position of the pixel centers: row, column; the first is at 0.")                                            \
  X (equivalent_diameter_area, "Size/Equivalent diameter", NULL, ONE, LENGTH, 0, box,                                  \
     "Diameter of the circle (sphere) with the same area (volume).")                                                   \
  X (axis_major_length, "Size/Major axis", "Major (scikit-image)", ONE, LENGTH, 0, spread,                             \
     "Longest axis of the ellipse (ellipsoid) with the same second central moments.")                                  \
  X (axis_minor_length, "Size/Minor axis", "Minor (scikit-image)", ONE, LENGTH, 0, spread,                             \
     "Shortest axis of the ellipse (ellipsoid) with the same second central moments.")                                 \
  X (solidity, "Shape/Solidity", "Solidity (scikit-image)", ONE, NONE, 0, convex, "Area divided by the convex area.")  \
  X (num_pixels, "Size/Number of pixels", NULL, ONE, NONE, IS_INTEGER, box, "Number of pixels, never scaled.")         \
  X (area_bbox, "Size/Bounding box area", NULL, ONE, SIZE, 0, box, "Area of the bounding box; in 3-D its volume.")     \
  X (area_convex, "Size/Convex area", NULL, ONE, SIZE, 0, convex,                                                      \
     "Area of the pixels whose centers lie in the convex hull of the middles of all pixel sides.")                     \
  X (area_filled, "Size/Filled area", NULL, ONE, SIZE, 0, filled,                                                      \
     "Area with holes filled; a hole is background that no 8-connected (3-D: 26-connected) path leads out of.")        \
  X (bbox, "Position/Bounding box", NULL, BOX, PIXELS, IS_INTEGER, box,                                                \
     "First row and column of the object and the first beyond it, in pixels; in 3-D planes come first.")               \
  X (centroid_local, "Position/Local centroid", NULL, AXES, LENGTH, 0, spread,                                         \
     "Centroid counted from the corner of the bounding box.")                                                          \
  X (centroid_weighted, "Position/Weighted centroid", NULL, AXES, LENGTH, IS_INTENSITY, weighted,                      \
     "Mean position of the pixel centers, weighted with the intensity.")                                               \
  X (centroid_weighted_local, "Position/Local weighted centroid", NULL, AXES, LENGTH, IS_INTENSITY, weighted,          \
     "Weighted centroid counted from the corner of the bounding box.")                                                 \
  X (eccentricity, "Shape/Eccentricity", NULL, ONE, NONE, IS_PLANAR, spread,                                           \
     "Eccentricity of the ellipse with the same second central moments: 0 is a circle.")                               \
  X (euler_number, "Shape/Euler number", NULL, ONE, NONE, IS_INTEGER, patterns,                                        \
     "Number of 8-connected parts minus holes; in 3-D of 26-connected parts plus cavities minus tunnels.")             \
  X (extent, "Shape/Extent", NULL, ONE, NONE, 0, box, "Area divided by the area of the bounding box.")                 \
  X (feret_diameter_max, "Size/Feret diameter", "Feret (scikit-image)", ONE, LENGTH, 0, feret,                         \
     "Largest distance between points of the outline of the convex area, which runs half-way between pixel centers.")  \
  X (inertia_tensor, "Shape/Inertia tensor", NULL, TENSOR, SQUARE, 0, spread,                                          \
     "Inertia tensor about the centroid, divided by the mass.")                                                        \
  X (inertia_tensor_eigvals, "Shape/Inertia eigenvalues", NULL, AXES, SQUARE, 0, spread,                               \
     "Eigenvalues of the inertia tensor, largest first.")                                                              \
  X (moments, "Moments/Moments", NULL, MOMENTS, POWERS, 0, moments,                                                    \
     "Moments of the pixel centers, counted from the corner of the bounding box, up to the third power of each axis.") \
  X (moments_central, "Moments/Central moments", NULL, MOMENTS, POWERS, 0, central, "Moments about the centroid.")     \
  X (moments_hu, "Moments/Hu moments", NULL, HU, NONE, IS_PLANAR, central,                                             \
     "Hu's seven invariants of shift, scale and rotation, from the normalized moments.")                               \
  X (moments_normalized, "Moments/Normalized moments", NULL, MOMENTS, NONE, 0, central,                                \
     "Central moments divided by powers of the number of pixels and of the pixel size.")                               \
  X (moments_weighted, "Moments/Weighted moments", NULL, MOMENTS, POWERS, IS_INTENSITY, weighted,                      \
     "Moments weighted with the intensity, counted from the corner of the bounding box.")                              \
  X (moments_weighted_central, "Moments/Weighted central moments", NULL, MOMENTS, POWERS, IS_INTENSITY,                \
     weighted_central, "Moments weighted with the intensity, about the weighted centroid.")                            \
  X (moments_weighted_hu, "Moments/Weighted Hu moments", NULL, HU, NONE, IS_INTENSITY | IS_PLANAR, weighted_central,   \
     "Hu's invariants of the normalized weighted moments.")                                                            \
  X (moments_weighted_normalized, "Moments/Weighted normalized moments", NULL, MOMENTS, NONE, IS_INTENSITY,            \
     weighted_central, "Weighted central moments divided by powers of the summed intensity and of the pixel size.")    \
  X (orientation, "Shape/Orientation", NULL, ONE, RADIANS, IS_PLANAR, spread,                                          \
     "Angle from the row axis to the major axis, counter-clockwise, from -pi/2 to pi/2.")                              \
  X (perimeter, "Size/Perimeter", "Perim. (scikit-image)", ONE, LENGTH, IS_PLANAR, perimeter,                          \
     "Length of the line through the border pixels' centers, 0 for one pixel; missing unless pixels are square.")      \
  X (perimeter_crofton, "Size/Crofton perimeter", NULL, ONE, LENGTH, IS_PLANAR, patterns,                              \
     "Perimeter by Crofton's formula in four directions; missing unless pixels are square.")                           \
  X (surface_area, "Size/Surface area", NULL, ONE, SQUARE, IS_SOLID, surface,                                          \
     "In 3-D: area of the surface that Lewiner's marching cubes lay between the object's voxels and all others.")      \
  X (sphericity, "Shape/Sphericity", NULL, ONE, NONE, IS_SOLID, surface,                                               \
     "In 3-D: surface of a sphere of the object's volume divided by surface_area; above 1 for objects of few voxels.") \
  /* ImageJ */                                                                                                         \
  X (perimeter_imagej, "ImageJ/Perimeter", "Perim.", ONE, LENGTH, IS_PLANAR, trace,                                    \
     "Length of the traced outer outline along pixel edges with corners cut, summed over 8-connected parts.")          \
  X (circularity, "ImageJ/Circularity", "Circ.", ONE, NONE, IS_PLANAR, trace,                                          \
     "4 pi times the area divided by the square of ImageJ's perimeter, at most 1.")                                    \
  X (major_axis_imagej, "ImageJ/Major axis", "Major", ONE, LENGTH, IS_PLANAR, spread,                                  \
     "Long axis of the ellipse with the object's area and the moments of its square pixels.")                          \
  X (minor_axis_imagej, "ImageJ/Minor axis", "Minor", ONE, LENGTH, IS_PLANAR, spread,                                  \
     "Short axis of the ellipse with the object's area and the moments of its square pixels.")                         \
  X (angle_imagej, "ImageJ/Angle", "Angle", ONE, DEGREES, IS_PLANAR, spread,                                           \
     "Angle of ImageJ's major axis, 0 to 180 degrees counter-clockwise from the x axis.")                              \
  X (aspect_ratio, "ImageJ/Aspect ratio", "AR", ONE, NONE, IS_PLANAR, spread,                                          \
     "ImageJ's major axis divided by its minor axis.")                                                                 \
  X (roundness, "ImageJ/Roundness", "Round", ONE, NONE, IS_PLANAR, spread,                                             \
     "4 times the area divided by pi times the square of ImageJ's major axis.")                                        \
  X (solidity_imagej, "ImageJ/Solidity", "Solidity", ONE, NONE, IS_PLANAR, imagej_hull,                                \
     "Area divided by the area of the convex hull of the pixel corners.")                                              \
  X (feret_imagej, "ImageJ/Feret diameter", "Feret", ONE, LENGTH, IS_PLANAR, imagej_hull,                              \
     "Largest distance between pixel corners.")                                                                        \
  X (feret_angle, "ImageJ/Feret angle", "FeretAngle", ONE, DEGREES, IS_PLANAR, imagej_hull,                            \
     "Angle of ImageJ's Feret diameter, 0 to 180 degrees counter-clockwise from the x axis.")                          \
  X (feret_min, "ImageJ/Minimum Feret diameter", "MinFeret", ONE, LENGTH, IS_PLANAR, imagej_hull,                      \
     "Smallest distance between two parallel lines that touch the object's pixel corners from both sides.")            \
  X (intensity_std_imagej, "ImageJ/Intensity standard deviation", "StdDev", ONE, VALUE, IS_INTENSITY, deviation,       \
     "Standard deviation of the intensity, with division by the number of pixels less one; 0 for one pixel.")          \
  X (intensity_median_imagej, "ImageJ/Median intensity", "Median", ONE, VALUE, IS_INTENSITY | IS_STORED, ranks,        \
     "Median intensity; for integers and an even number of pixels the upper of the middle two.")                       \
  X (intensity_mode, "ImageJ/Mode", "Mode", ONE, VALUE, IS_INTENSITY | IS_STORED, ranks,                               \
     "Most frequent intensity, the smallest of several; for floats the middle of the fullest of 256 bins.")            \
  X (intensity_skewness, "ImageJ/Skewness", "Skew", ONE, NONE, IS_INTENSITY, deviation,                                \
     "Third central moment of the intensity divided by the cube of the standard deviation.")                           \
  X (intensity_kurtosis, "ImageJ/Kurtosis", "Kurt", ONE, NONE, IS_INTENSITY, deviation,                                \
     "Fourth central moment of the intensity divided by the square of the variance, minus 3.")                         \
  X (integrated_density, "ImageJ/Integrated density", "IntDen", ONE, NONE, IS_INTENSITY, mean,                         \
     "Area times mean intensity.")                                                                                     \
  X (raw_integrated_density, "ImageJ/Raw integrated density", "RawIntDen", ONE, NONE, IS_INTENSITY | IS_STORED, mean,  \
     "Sum of the intensities.")

/* Those of no intensity image that are defined in 3-D, too. */
#define REGION_DEFAULTS "label,area,centroid,equivalent_diameter_area,axis_major_length,axis_minor_length,solidity"

typedef enum property {
#define X(KEY, LABEL, IMAGEJ, SHAPE, UNIT, FLAGS, NEED, HELP) P_##KEY,
  REGION_PROPERTIES (X)
#undef X
    PROPERTIES
} property;

typedef struct property_traits {
  const char *key, *help;
  property_shape shape;
  property_unit unit;
  int flags;
} property_traits;

extern const property_traits region_properties[PROPERTIES];

/* Which of them are asked for. */
typedef struct regionprops_args {
  fv_set properties; /* bit i: property i */
  bool volume;
} regionprops_args;

static inline bool
property_asked (const regionprops_args *a, property p)
{
  return a->properties.bits[p / 64] >> p % 64 & 1;
}

/* Whether the property is defined there: in planes or in a volume. */
static inline bool
property_defined (const regionprops_args *a, property p)
{
  return !(region_properties[p].flags & (a->volume ? IS_PLANAR : IS_SOLID));
}

/* Whether it is measured: it is asked for, or in a volume one that gives way to it. What is not defined and gives way to nothing is left out. */
bool property_measured (const regionprops_args *a, property p);

#ifdef __cplusplus
}
#endif
#endif
