/* SPDX-License-Identifier: MIT
 *
 * hyperstack: the same planes as other axes, so that slices become frames. As ImageJ's Stack to Hyperstack.
 */
#include "kernels/image/hyperstack.h"

#include "kernels/common/imagej.h"
#include "kernels/image/copy_planes.h"

enum { C, Z, T, AXES };

/* Which axis is counted first, second and third. */
static const int8_t orders[][AXES] = {
  [HYPERSTACK_CZT] = {C, Z, T}, [HYPERSTACK_CTZ] = {C, T, Z}, [HYPERSTACK_ZCT] = {Z, C, T},
  [HYPERSTACK_ZTC] = {Z, T, C}, [HYPERSTACK_TCZ] = {T, C, Z}, [HYPERSTACK_TZC] = {T, Z, C}};

static void
grid_axes (const fv_grid *grid, int64_t axes[AXES])
{
  axes[C] = grid->channels;
  axes[T] = grid->frames;
  axes[Z] = grid->shape[0] / (grid->channels * grid->frames);
}

static fv_grain
hyperstack_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_SERIES;
}

/* How many there are of each. */
static fv_status
count_axes (const hyperstack_args *a, const fv_grid *in, int64_t axes[AXES], fv_error *error)
{
  const int64_t planes = in->shape[0];
  axes[C] = a->channels ? a->channels : in->channels;
  axes[Z] = a->slices;
  axes[T] = a->frames;
  if (!axes[Z] && !axes[T])
    return fail (error, FV_BAD_ARGUMENT, "slices", "Slices or frames can be 0, all that remain, but not both.");
  const int64_t known = axes[C] * (axes[Z] ? axes[Z] : 1) * (axes[T] ? axes[T] : 1);
  const int rest = axes[Z] ? T : Z;
  const char *field = a->channels ? "channels" : a->slices > 1 ? "slices" : "frames";
  if (axes[rest] ? known != planes : planes % known)
    return axes[rest]
             ? fail (error, FV_BAD_ARGUMENT, field,
                     "The image has %lld planes: they cannot be %lld channels of %lld slices and %lld frames.",
                     (long long) planes, (long long) axes[C], (long long) axes[Z], (long long) axes[T])
             : fail (error, FV_BAD_ARGUMENT, field,
                     "The image has %lld planes: they cannot be %lld channels of %lld %s and any number of %s.",
                     (long long) planes, (long long) axes[C], (long long) axes[rest == T ? Z : T],
                     rest == T ? "slices" : "frames", rest == T ? "frames" : "slices");
  if (!axes[rest])
    axes[rest] = planes / known;
  return FV_OK;
}

static fv_status
hyperstack_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  int64_t axes[AXES];
  (void) op;
  if (count_axes (args, in[0], axes, error))
    return error->code;
  if (axes[C] != in[0]->channels) {
    out[0]->channel_names = NULL;
    out[0]->role = in[0]->role == FV_RGB ? FV_IMAGE : in[0]->role;
  }
  out[0]->channels = axes[C];
  out[0]->frames = axes[T];
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
hyperstack_plane (const fv_op *op, const void *args, const fv_grid *const *inputs, const fv_grid *out, int64_t plane,
                  uint32_t *input)
{
  const hyperstack_args *a = args;
  int64_t from[AXES], to[AXES], at[AXES], number = 0, first;
  (void) op, (void) input;
  grid_axes (inputs[0], from);
  grid_axes (out, to);
  at[Z] = plane % to[Z];
  at[C] = plane / to[Z] % to[C];
  at[T] = plane / to[Z] / to[C];
  for (int i = AXES - 1; i >= 0; i--)
    number = number * to[orders[a->order][i]] + at[orders[a->order][i]];
  first = number % from[C]; /* the channel; then slices and frames */
  number /= from[C];
  return (number / from[Z] * from[C] + first) * from[Z] + number % from[Z];
}

const fv_op fv_op_hyperstack = {
  FV_OP (hyperstack_args),
  .key = "hyperstack",
  .menu = "Image/Stacks",
  .label = "Stack to Hyperstack...",
  .search = "reorder frames slices channels time series axes dimensions stack",
  .traits = FV_ARRANGES_PLANES,
  .imagej = (const fv_imagej[]){{.command = "Stack to Hyperstack...",
                                 .needs = "slices=",
                                 /* else all would be frames */
                                 IMAGEJ_WORDS ({"order=xyczt(default)", ""}, {"order=xyczt", ""},
                                               {"order=xyctz", "order=ctz"}, {"order=xyzct", "order=zct"},
                                               {"order=xyztc", "order=ztc"}, {"order=xytcz", "order=tcz"},
                                               {"order=xytzc", "order=tzc"}, {"channels=", "channels="},
                                               {"slices=", "slices="}, {"frames=", "frames="}, {"display=", ""}),
                                 .images = FV_IMAGEJ_GRAY,
                                 .area = FV_IMAGEJ_AREA_OTHER,
                                 .range = FV_IMAGEJ_RANGE_FOLLOWS},
                                {0}},
  .help = "Sets which planes are channels, slices and frames; with its defaults slices become frames.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (hyperstack_args, channels), .label = "Channels", .max = 1 << 20, .soft_max = 8,
                        .help = "Number of channels; 0 is as many as the image has."},
                       {FV_FIELD (hyperstack_args, slices), .label = "Slices", .def = 1, .max = 1 << 20,
                        .soft_max = 100, .help = "Number of slices of each frame; 0: all that remain."},
                       {FV_FIELD (hyperstack_args, frames), .label = "Frames", .max = 1 << 20, .soft_max = 100,
                        .help = "Number of time points; 0: all that remain."},
                       {FV_FIELD (hyperstack_args, order), .label = "Order",
                        .choices = (const fv_choice[]){{"czt", "Channels, slices, frames",
                                                        "Channels are counted first, as ImageJ does."},
                                                       {"ctz", "Channels, frames, slices", "Channels, then frames."},
                                                       {"zct", "Slices, channels, frames", "Slices, then channels."},
                                                       {"ztc", "Slices, frames, channels", "Slices, then frames."},
                                                       {"tcz", "Frames, channels, slices", "Frames, then channels."},
                                                       {"tzc", "Frames, slices, channels", "Frames, then slices."},
                                                       {0}},
                        .help = "What is counted first, second and third from plane to plane, as ImageJ's stacks do."},
                       {0}},
  .grain = hyperstack_grain,
  .infer = hyperstack_infer,
  .plane = hyperstack_plane,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = copy_named_planes, [FV_CUDA] = FV_CUDA_FN (copy_named_planes)},
};
