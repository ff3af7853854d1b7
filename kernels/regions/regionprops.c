/* SPDX-License-Identifier: MIT
 *
 * regionprops: the declaration, its checks, and the order of the work: objects, table, shapes, intensities.
 */
#include "kernels/regions/regionprops.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/regions/region_shape.h"

static const fv_choice choices[] = {
#define X(KEY, LABEL, IMAGEJ, SHAPE, UNIT, FLAGS, NEED, HELP) {#KEY, LABEL, HELP UNIT_TEXT_##UNIT},
  REGION_PROPERTIES (X)
#undef X
    {0}};

static const fv_column_name names[] = {
#define X(KEY, LABEL, IMAGEJ, SHAPE, UNIT, FLAGS, NEED, HELP) {#KEY, IMAGEJ},
  REGION_PROPERTIES (X)
#undef X
    {"volume", "Volume"},
  {0}};

/* ---- Checks ---- */

static fv_status
check_shapes (const fv_grid *labels, const fv_grid *intensity, fv_error *error)
{
  if (regions_check_image (labels, error))
    return error->code;
  return check_alike (intensity, "intensity", labels, "the label image", ALIKE_IN_CHANNEL, error);
}

/* "area, bbox"; what the list has no room for is left out. */
static void
add_name (char *list, size_t size, const char *name)
{
  if (strlen (list) + strlen (name) + 3 > size)
    return;
  strcat (list, *list ? ", " : "");
  strcat (list, name);
}

/* None of the chosen properties is defined in volumes, nor does one give way to such; those that are, are named, without moments and tensors. */
static fv_status
not_in_volumes (const regionprops_args *a, fv_error *error)
{
  char planar[130] = "", solid[240] = "";
  for (property p = 0; p < PROPERTIES; p++) {
    const property_traits *t = region_properties + p;
    if (property_asked (a, p) && t->flags & IS_PLANAR)
      add_name (planar, sizeof planar, t->key);
    if (!(t->flags & (IS_PLANAR | IS_INTENSITY)) && (t->shape == SHAPE_ONE || p == P_centroid))
      add_name (solid, sizeof solid, t->key);
  }
  return fail (error, FV_BAD_ARGUMENT, "properties", "Not defined in 3-D: %s. Defined are %s. With volume=no all are.",
               planar, solid);
}

static fv_status
not_in_planes (const regionprops_args *a, fv_error *error)
{
  char solid[80] = "";
  for (property p = 0; p < PROPERTIES; p++)
    if (property_asked (a, p) && !property_defined (a, p))
      add_name (solid, sizeof solid, region_properties[p].key);
  return fail (error, FV_BAD_ARGUMENT, "properties",
               "Defined in 3-D alone, with volume=yes: %s. Planes have perimeter and circularity.", solid);
}

static fv_status
regionprops_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const regionprops_args *a = args;
  const fv_grid *intensity = in[1];
  bool any = false, every = true, solid = false, measured = false;
  (void) op, (void) out;
  for (property p = 0; p < PROPERTIES; p++) {
    const bool asked = property_asked (a, p);
    if (asked && region_properties[p].flags & IS_INTENSITY && !intensity)
      return fail (error, FV_BAD_INPUT, "intensity", "The property %s needs an intensity image.",
                   region_properties[p].key);
    any |= asked;
    every &= asked;
    solid |= asked && !a->volume && !property_defined (a, p);
    measured |= property_measured (a, p);
  }
  if (!any)
    return fail (error, FV_BAD_ARGUMENT, "properties", "No property is chosen; choose at least one, for example area.");
  if (solid && !every)
    return not_in_planes (a, error);
  if (!measured)
    return not_in_volumes (a, error);
  return check_shapes (in[0], intensity, error);
}

static fv_status
regionprops_cpu (const fv_call *call, fv_error *error)
{
  const regionprops_args *a = call->args;
  const fv_array *labels = call->inputs[0], *intensity = call->inputs[1];
  const fv_grid *weights = intensity ? intensity->grid : NULL;
  region_job j = {.call = call, .labels = labels, .intensity = intensity};
  region_columns columns;
  void *memory;
  fv_status status = call->host->scratch (call, region_columns_bytes (a, weights), &memory, error);
  if (!status)
    status = regions_find (call, labels, a->volume, &j.found, error);
  if (status)
    return status;
  region_columns_make (&columns, &j.t, a, labels->grid, weights, memory);
  j.t.rows = j.found.n;
  status = call->host->table (call, columns.columns, columns.n, sizeof (fv_column), j.found.n, &j.t.values, error);
  if (status || !j.found.n)
    return status;
  status = region_shapes (&j, error);
  return status ? status : region_intensities (&j, error);
}

const fv_op fv_op_regionprops = {
  FV_OP (regionprops_args),
  .key = "regionprops",
  .menu = "Analyze",
  .label = "Measure Objects...",
  .search =
    "count analyze particles analyse particles area shape intensity table results statistics features set measurements",
  .traits = FV_MEASURES_OBJECTS,
  .columns = names,
  .help = "Measures each object of a label image: one row of the table for each.",
  .cite = "S. van der Walt et al., scikit-image, PeerJ 2 (2014); C. A. Schneider et al., NIH Image to ImageJ, Nature "
          "Methods 9 (2012)",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){
      {"image", "Labels",
       "The label image: 0 is background, and each other value is an object; all of a mask is one object.",
       FV_INTEGERS | FV_WANTS_LABELS, false},
      {"intensity", "Intensity", "The image whose intensities are measured, with any number of channels.",
       FV_ANY_TYPE | FV_WANTS_CALIBRATED, true},
      {0}},
  .params =
    (const fv_param[]){{FV_FIELD (regionprops_args, properties), .label = "Properties", .def_text = REGION_DEFAULTS,
                        .choices = choices, .help = "What is measured; each choice is a column or a group of columns."},
                       {FV_FIELD (regionprops_args, volume), .label = "3-D (whole stack)",
                        .help = "Measures objects through the planes of a stack, not in each plane by itself."},
                       {0}},
  .grain = grain_frame,
  .infer = regionprops_infer,
  .run = {[FV_CPU] = regionprops_cpu, [FV_CUDA] = FV_CUDA_FN (regionprops_cuda)},
};
