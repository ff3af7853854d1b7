/* SPDX-License-Identifier: MIT
 *
 * colocalize on the GPU: the passes of colocalize.h one after the other by pixel_sums.cuh. Each reads both channels once and keeps its state on the
 * device. Passes that are no longer needed end at once. Shuffles are problems of one more pass: a line of pixels is one of whole blocks.
 * Synchronizations: the state (192 bytes) and the coefficients of the shuffles.
 */
#include "kernels/measure/colocalize.h"
#include "kernels/measure/pixel_sums.cuh"

struct colocalize_job {
  colocalize_pair pair;
  colocalize_args args;
  colocalize_state *state;
  int64_t problems, lines, columns;

  static __device__ __forceinline__ bool worth (const fetched_pixel &p)
  {
    return p.inside && fabs (p.a) <= DBL_MAX && fabs (p.b) <= DBL_MAX;
  }
};

template <colocalize_pass PASS> struct colocalize_pass_job : colocalize_job {
  __device__ bool skip (int64_t) const
  {
    return PASS == COLOCALIZE_BELOW && state->found;
  }
  __device__ __forceinline__ fetched_row row (int64_t, int64_t line) const
  {
    const int64_t z = line / pair.rows, y = line - z * pair.rows;
    return {stack_offset (&pair.a, z, y, 0), stack_offset (&pair.b, z, y, 0), stack_offset (&pair.mask, z, y, 0)};
  }
  __device__ __forceinline__ void fetch (const fetched_row &row, int64_t x, int n, fetched_pixel (&to)[SUMS_DEEP]) const
  {
    double first[SUMS_DEEP], second[SUMS_DEEP];
    uint8_t inside[SUMS_DEEP];
    stack_fetch_inside (pair.mask, row.mask + x, n, inside);
    stack_fetch (pair.a, row.a + x, n, first);
    stack_fetch (pair.b, row.b + x, n, second);
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      to[k] = {first[k], second[k], inside[k]};
  }
  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    const double a = p.a, b = p.b;
    if (!worth (p))
      return;
    if constexpr (PASS == COLOCALIZE_RANGE) {
      to->low[0] = fmin (to->low[0], a);
      to->low[1] = fmin (to->low[1], b);
      to->high[0] = fmax (to->high[0], a);
      to->high[1] = fmax (to->high[1], b);
    } else if constexpr (PASS == COLOCALIZE_BELOW) {
      if (colocalize_is_below (state, a, b))
        colocalize_add_moments (state->mean, a, b, to->v);
    } else
      colocalize_add (state, PASS, a, b, to->v);
  }
  __device__ void after (int64_t, const pixel_sums &sums) const
  {
    colocalize_after (state, PASS, &args, pair.integers, &sums);
  }
};

/* A line of pixels of a turn: where it lies, and its line of blocks. */
struct colocalize_line {
  int64_t z, y, row, block_line;
  uint32_t turn;
};

struct colocalize_shuffle_job : colocalize_job {
  colocalize_blocks order;
  double *pearson;

  __device__ bool skip (int64_t) const
  {
    return false;
  }
  /* line: counted over whole blocks alone. */
  __device__ __forceinline__ colocalize_line row (int64_t turn, int64_t line) const
  {
    const int64_t block_line = line / order.side, row = line - block_line * order.side, z = block_line / order.down;
    return {z, (block_line - z * order.down) * order.side + row, row, block_line, (uint32_t) turn};
  }
  __device__ __forceinline__ fetched_pixel pixel (const colocalize_line &l, int64_t x) const
  {
    const int64_t side = order.side, column = x / side;
    const int64_t from = colocalize_shuffled (&order, l.block_line * order.across + column, l.turn),
                  from_line = from / order.across, from_z = from_line / order.down;
    const int64_t from_y = (from_line - from_z * order.down) * side + l.row,
                  from_x = (from - from_line * order.across) * side + x - column * side;
    const bool inside = stack_inside (&pair.mask, l.z, l.y, x) && stack_inside (&pair.mask, from_z, from_y, from_x);
    return {stack_pixel (&pair.a, l.z, l.y, x), stack_pixel (&pair.b, from_z, from_y, from_x), inside};
  }
  __device__ __forceinline__ void fetch (const colocalize_line &l, int64_t x, int n,
                                         fetched_pixel (&to)[SUMS_DEEP]) const
  {
#pragma unroll
    for (int k = 0; k < SUMS_DEEP; k++)
      if (k < n)
        to[k] = pixel (l, x + 32 * k);
  }
  __device__ __forceinline__ void add (int64_t, const fetched_pixel &p, pixel_sums *to) const
  {
    if (worth (p))
      colocalize_add_moments (state->mean, p.a, p.b, to->v);
  }
  __device__ void after (int64_t turn, const pixel_sums &sums) const
  {
    pearson[turn] = colocalize_pearson (sums.v);
  }
};

template <colocalize_pass PASS>
static fv_status
colocalize_go_over (const fv_call *call, const colocalize_job &job, pixel_sums *partial, fv_error *error)
{
  colocalize_pass_job<PASS> now;
  (colocalize_job &) now = job;
  return pixel_sums_run (call, now, partial, error);
}

static fv_status
colocalize_go_over_all (const fv_call *call, const colocalize_job &job, fv_error *error)
{
  pixel_sums *partial;
  fv_status status = pixel_sums_room (call, job, &partial, error);
  if (!status)
    status = colocalize_go_over<COLOCALIZE_RANGE> (call, job, partial, error);
  if (!status)
    status = colocalize_go_over<COLOCALIZE_MEAN> (call, job, partial, error);
  if (!status)
    status = colocalize_go_over<COLOCALIZE_MOMENTS> (call, job, partial, error);
  for (int i = 0; i < COLOCALIZE_HALVINGS && job.args.method == COLOCALIZE_COSTES && !status; i++)
    status = colocalize_go_over<COLOCALIZE_BELOW> (call, job, partial, error);
  return status ? status : colocalize_go_over<COLOCALIZE_ABOVE> (call, job, partial, error);
}

/* pearson: host memory. */
static fv_status
colocalize_shuffle (const fv_call *call, const colocalize_job &job, double *pearson, fv_error *error)
{
  colocalize_shuffle_job now;
  (colocalize_job &) now = job;
  now.order = colocalize_blocks_of (&job.pair, &job.args);
  now.problems = job.args.shuffles + 1;
  now.lines = now.order.down * now.order.side * job.pair.depth;
  now.columns = now.order.across * now.order.side;
  pixel_sums *partial;
  fv_status status = pixel_sums_room (call, now, &partial, error);
  if (!status)
    status = cuda_scratch (call, (size_t) now.problems, &now.pearson, error);
  if (!status)
    status = pixel_sums_run (call, now, partial, error);
  return status ? status
                : call->host->read (call, pearson, now.pearson, (size_t) now.problems * sizeof (double), error);
}

extern "C" fv_status
colocalize_cuda (const fv_call *call, fv_error *error)
{
  colocalize_job job = {};
  colocalize_state state;
  void *pearson = NULL;
  job.pair = colocalize_pair_of (call);
  job.args = *(const colocalize_args *) call->args;
  job.problems = 1;
  job.lines = job.pair.depth * job.pair.rows;
  job.columns = job.pair.columns;
  if (call->host->tick (call, 0, 1))
    return cancelled (error);
  fv_status status = cuda_scratch (call, 1, &job.state, error);
  if (!status) /* all of it is read back, gaps between its parts too */
    status = cuda_status (cudaMemsetAsync (job.state, 0, sizeof state, cuda_stream (call)), "colocalize", error);
  if (!status)
    status = colocalize_go_over_all (call, job, error);
  if (!status)
    status = call->host->read (call, &state, job.state, sizeof state, error);
  if (!status && job.args.shuffles) {
    status = call->host->host_scratch (call, (size_t) (job.args.shuffles + 1) * sizeof (double), &pearson, error);
    if (!status)
      status = colocalize_shuffle (call, job, (double *) pearson, error);
  }
  return status ? status : colocalize_table (call, &state, (const double *) pearson, error);
}
