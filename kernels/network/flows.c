/* SPDX-License-Identifier: MIT
 *
 * flows: the declaration, and the passes on the CPU.
 */
#include "kernels/network/flows.h"

#include "kernels/common/grain.h"
#include "kernels/network/flows_chain.h"
#include "kernels/network/flows_heat.h"
#include "kernels/network/flows_paths.h"

enum {
  WORK = 1 << 20, /* pixels or steps of a part */
  TURNS = 8       /* parts of a thread, at least */
};

/* ---- Passes ---- */

#define DEFINE_PASS(KEY, FUNCTION)                                                                                     \
  VECTORISED static void pass_##KEY (const flows_job *j, int64_t from, int64_t to)                                     \
  {                                                                                                                    \
    FUNCTION (j, from, to);                                                                                            \
  }
FLOWS_PASSES (DEFINE_PASS)

static fv_status
each_cpu (const fv_call *call, flows_pass pass, const flows_job *job, int64_t n, int64_t work, const flows_share *share,
          fv_error *error)
{
#define PASS(KEY, FUNCTION) pass_##KEY,
  static void (*const passes[]) (const flows_job *, int64_t, int64_t) = {FLOWS_PASSES (PASS)};
#undef PASS
  void (*const function) (const flows_job *, int64_t, int64_t) = pass == FLOWS_FOLLOW ? flows_follow_cpu : passes[pass];
  const int64_t most = work < WORK ? WORK / work : 1, fair = n / (TURNS * threads_at_most ()) + 1;
  const int64_t together = most < fair ? most : fair;
  progress p = {.call = call};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < n; i += together) {
    if (progress_stopped (&p))
      continue;
    function (job, i, i + together < n ? i + together : n);
    flows_step (&p, share, together, n);
  }
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_status
flows_cpu (const fv_call *call, fv_error *error)
{
  const flows_passes passes = {FV_CPU, flows_heat_room (), each_cpu, flows_heat_cpu};
  return flows_run (call, &passes, error);
}

/* ---- The operation ---- */

static int64_t
flows_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args;
  return flows_bytes (in[0]);
}

/* A step has some thirty products and sums. Most paths repeat themselves after a quarter of the steps. */
static double
flows_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return 1000 + 8.0 * ((const flows_args *) args)->steps;
}

static fv_status
flows_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args;
  if (in[0]->channels != 3)
    return fail (error, FV_BAD_INPUT, "image",
                 "The output of such a network has three channels, flow along y, flow along x and probability, and the "
                 "image has %lld. Where they are slices, make channels of them first: hyperstack channels=3.",
                 (long long) in[0]->channels);
  if (in[0]->shape[1] * in[0]->shape[2] > INT32_MAX)
    return fail (error, FV_BAD_INPUT, "image", "A plane has more than 2147483647 pixels. Crop it: crop.");
  out[0]->channels = 1;
  out[0]->channel_names = NULL;
  out[0]->shape[0] = grid_depth (in[0]);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

const fv_op fv_op_flows = {
  FV_OP (flows_args),
  .key = "flows",
  .menu = "Process/Binary",
  .label = "Find Objects by Flows...",
  .search = "cellpose cyto flow dynamics cells segmentation deep learning neural network omnipose gradient masks",
  .help = "Labels the objects in the output of a network like Cellpose's: pixels whose flows lead to the same point. "
          "Flows that "
          "are NaN or infinite count as 0, and a probability of NaN is background.",
  .cite = "C. Stringer, T. Wang, M. Michaelos, M. Pachitariu, Nature Methods 18 (2021), 100",
  .kind = FV_GLOBAL,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image",
                        "The output of the network, three channels of floats: the flow along y and along x, 5 for a "
                        "pixel, and the probability of a cell as a logit.",
                        FV_FLOATS, false},
                       {0}},
  .outputs = (const fv_output[]){{"labels", "Labels"}, {0}},
  .scalars = (const fv_scalar[]){{"objects", "Objects", "How many objects there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (flows_args, probability), .label = "Probability", .min = -1000, .max = 1000, .soft_min = -6,
       .soft_max = 6,
       .help = "Pixels above this logit belong to objects: 0 is a probability of one half. Lower makes objects larger, "
               "and finds more."},
      {FV_FIELD (flows_args, steps), .label = "Steps", .def = 200, .min = 1, .max = 10000, .soft_min = 1,
       .soft_max = 1000, .help = "How often a pixel moves along the flow. Large objects need more."},
      {FV_FIELD (flows_args, flow_error), .label = "Flow error", .def = 0.4, .max = 1000, .soft_max = 3,
       .help = "Objects whose shape fits the flows worse than this are dropped; 0: none. Higher keeps more."},
      {FV_FIELD (flows_args, min_size), .label = "Smallest size", .unit = FV_PIXEL_COUNT, .def = 15, .max = INT32_MAX,
       .soft_max = 1000, .help = "Objects of fewer pixels are dropped."},
      {0}},
  .grain = grain_frame,
  .infer = flows_infer,
  .scratch = flows_scratch,
  .arithmetic = flows_arithmetic,
  .run = {[FV_CPU] = flows_cpu, [FV_CUDA] = FV_CUDA_FN (flows_cuda)},
  .part = FV_PART_OTHER,
};
