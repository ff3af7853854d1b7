/* SPDX-License-Identifier: MIT
 */
#include "kernels/regions/properties.h"

const property_traits region_properties[PROPERTIES] = {
#define X(KEY, LABEL, IMAGEJ, SHAPE, UNIT, FLAGS, NEED, HELP)                                                          \
  {#KEY, HELP UNIT_TEXT_##UNIT, SHAPE_##SHAPE, UNIT_##UNIT, FLAGS},
  REGION_PROPERTIES (X)
#undef X
};

/* What replaces a property of planes in a volume; PROPERTIES: nothing. */
static property
instead_of (property p)
{
  switch (p) {
  case P_circularity:
  case P_roundness: return P_sphericity;
  case P_perimeter:
  case P_perimeter_crofton:
  case P_perimeter_imagej: return P_surface_area;
  case P_solidity_imagej: return P_solidity;
  case P_feret_imagej: return P_feret_diameter_max;
  case P_major_axis_imagej: return P_axis_major_length;
  case P_minor_axis_imagej: return P_axis_minor_length;
  default: return PROPERTIES;
  }
}

bool
property_measured (const regionprops_args *a, property p)
{
  bool asked = property_asked (a, p);
  for (property q = 0; a->volume && q < PROPERTIES; q++)
    asked |= property_asked (a, q) && instead_of (q) == p;
  return asked && property_defined (a, p);
}
