/* SPDX-License-Identifier: MIT
 *
 * A complete plugin in one file: local contrast, out = 128 + gain (v - mean) / max (deviation, floor), with mean and
 * deviation over the (2 radius + 1)² window, cut at the image's edge. It needs nothing but the header; plugin/README.md says how it
 * is built.
 */
#include <fovea-plugin.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  int32_t radius;
  double gain;
  double floor;
} contrast_args;

static double
pixel (const fv_array *a, int64_t z, int64_t y, int64_t x)
{
  const DLTensor *t = &a->tensor;
  int64_t i = z * t->strides[0] + y * t->strides[1] + x;
  return a->grid->type == FV_U8 ? ((const uint8_t *) t->data)[i] : ((const uint16_t *) t->data)[i];
}

static float
contrast (const fv_array *in, const contrast_args *p, int64_t z, int64_t y, int64_t x)
{
  double sum = 0, squares = 0, n = 0;
  for (int64_t v = y - p->radius; v <= y + p->radius; v++)
    for (int64_t u = x - p->radius; u <= x + p->radius; u++) {
      if (v < 0 || u < 0 || v >= in->tensor.shape[1] || u >= in->tensor.shape[2])
        continue;
      double value = pixel (in, z, v, u);
      sum += value;
      squares += value * value;
      n++;
    }
  double mean = sum / n, deviation = sqrt (fmax (0, squares / n - mean * mean));
  return (float) (128 + p->gain * (pixel (in, z, y, x) - mean) / fmax (deviation, p->floor));
}

static void
contrast_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) op, (void) input;
  halo[0] = 0;
  halo[1] = halo[2] = ((const contrast_args *) args)->radius;
}

static fv_status
contrast_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const contrast_args *p = args;
  if (2 * p->radius + 1 > in[0]->shape[1] && 2 * p->radius + 1 > in[0]->shape[2]) {
    error->code = FV_BAD_ARGUMENT;
    strcpy (error->field, "radius");
    snprintf (error->text, sizeof error->text, "A window of %d pixels is larger than the image.", 2 * p->radius + 1);
    return error->code;
  }
  out[0]->type = FV_F32;
  out[0]->role = FV_IMAGE; /* a mask goes in as any other image */
  return FV_OK;
}

static fv_status
contrast_run (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t *n = out->tensor.shape;
  for (int64_t z = 0; z < n[0]; z++)
    for (int64_t y = 0; y < n[1]; y++) {
      float *row = (float *) out->tensor.data + z * out->tensor.strides[0] + y * out->tensor.strides[1];
      for (int64_t x = 0; x < n[2]; x++)
        row[x] = contrast (in, call->args, z, y, x);
      if (call->host->tick (call, z * n[1] + y + 1, n[0] * n[1])) {
        error->code = FV_CANCELLED;
        return error->code;
      }
    }
  return FV_OK;
}

static const fv_op local_contrast = {
  FV_OP (contrast_args),
  .key = "local_contrast",
  .menu = "Process/Filters",
  .label = "Local Contrast...",
  .search = "haze clarity",
  /* Were there a plugin of ImageJ that does the same, recorded as run("Window Contrast...", "window=5 strong stack"): */
  .imagej =
    (const fv_imagej[]){
      {.command = "Window Contrast...",
       .args = "floor=2",
       .needs = "window=",
       .words = (const fv_imagej_word[]){{"window=", "radius="}, {"strong", "gain=64"}, {"stack", ""}, {0}},
       .images = FV_IMAGEJ_8_BIT | FV_IMAGEJ_16_BIT,
       .area = FV_IMAGEJ_AREA_CHANGED,
       .slices = FV_IMAGEJ_SLICES_STACK},
      {0}},
  .help = "Divides what a pixel differs from its neighborhood's mean by the neighborhood's deviation.",
  .kind = FV_LOCAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_U8 | FV_U16, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Contrast"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (contrast_args, radius), .label = "Radius", .unit = FV_PIXELS, .def = 5,
                                .min = 1, .max = 100, .help = "Half the window's side."},
                               {FV_FIELD (contrast_args, gain), .label = "Gain", .def = 32, .min = 1, .max = 128,
                                .help = "Gray levels for one deviation."},
                               {FV_FIELD (contrast_args, floor), .label = "Floor", .def = 1, .min = 0.001, .max = 1000,
                                .help = "Smallest deviation to divide by."},
                               {0}},
  .halo = contrast_halo,
  .infer = contrast_infer,
  .run = {[FV_CPU] = contrast_run},
};

static const fv_op *const ops[] = {&local_contrast, NULL};

static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "local-contrast", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi;
  (void) error;
  return &plugin;
}
