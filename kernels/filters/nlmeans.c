/* SPDX-License-Identifier: MIT
 *
 * nlmeans on the CPU: row by row, as stencil.c goes, a shift of all pixels of a piece of a row at a time.
 */
#include "kernels/filters/nlmeans.h"
#include "kernels/common/exp.h"
#include "kernels/filters/stencil.h"

enum { PIECE = 512, WIDE = PIECE + NLMEANS_PATCH_MAX };

/* Lines begin at the first pixel of the piece, that of the row itself is lines[0]. Sums are of differences from the pixel itself: they have more
 * digits. */
#define DEFINE_NLMEANS(S, T)                                                                                           \
  VECTORISED static void differ_##S (T *restrict sum, const T *a, const T *b, T noise, int64_t n)                      \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] += (a[i] - b[i]) * (a[i] - b[i]) - noise;                                                                 \
  }                                                                                                                    \
  VECTORISED static void differ_by_##S (T *restrict sum, const T *a, const T *b, T noise, T weight, int64_t n)         \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] += weight * ((a[i] - b[i]) * (a[i] - b[i]) - noise);                                                      \
  }                                                                                                                    \
  VECTORISED static void add_##S (T *restrict sum, const T *v, int64_t n)                                              \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] += v[i];                                                                                                  \
  }                                                                                                                    \
  /* A sum above `most` becomes infinite: later differences only add to it. */                                         \
  VECTORISED static void give_up_##S (T *sum, T most, int64_t n)                                                       \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      sum[i] = sum[i] > most ? (T) INFINITY : sum[i];                                                                  \
  }                                                                                                                    \
  VECTORISED static void weigh_##S (T *restrict sum, T *restrict weights, const T *center, const T *other,             \
                                    const T *distance, T share, int64_t n)                                             \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      T d = distance[i] * share, w = exp_below_0_##S (d > 0 ? -d : d == d ? 0 : d);                                    \
      w = d > 80 ? 0 : w;                                                                                              \
      weights[i] += w;                                                                                                 \
      sum[i] += w * (other[i] - center[i]);                                                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  static void fast_##S (const nlmeans_rule *r, const T *const *lines, int64_t ty, int64_t tx, T *distance, int64_t n)  \
  {                                                                                                                    \
    T columns[WIDE] = {0};                                                                                             \
    const int64_t first = 1 - r->reach, wide = n + 2 * r->reach - 1;                                                   \
    for (int64_t y = first; y <= r->reach; y++)                                                                        \
      differ_##S (columns, lines[y] + first, lines[y + ty] + first + tx, (T) r->noise, wide);                          \
    for (int64_t x = 0; x < 2 * r->reach; x++)                                                                         \
      add_##S (distance, columns + x, n);                                                                              \
    give_up_##S (distance, (T) (5 / r->share), n);                                                                     \
  }                                                                                                                    \
  static void exact_##S (const nlmeans_rule *r, const T *const *lines, int64_t ty, int64_t tx, T *distance, int64_t n) \
  {                                                                                                                    \
    for (int64_t y = -r->reach; y <= r->reach; y++) {                                                                  \
      give_up_##S (distance, 5, n);                                                                                    \
      for (int64_t x = -r->reach; x <= r->reach; x++)                                                                  \
        differ_by_##S (distance, lines[y] + x, lines[y + ty] + x + tx, (T) r->noise,                                   \
                       (T) r->weights[y < 0 ? -y : y][x < 0 ? -x : x], n);                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  static void piece_##S (const nlmeans_rule *r, const T *const *lines, T *to, int64_t n)                               \
  {                                                                                                                    \
    const bool fast = r->method == NLMEANS_FAST;                                                                       \
    T sum[PIECE] = {0}, weights[PIECE] = {0};                                                                          \
    for (int64_t ty = -r->distance; ty <= r->distance; ty++)                                                           \
      for (int64_t tx = -r->distance; tx <= r->distance; tx++) {                                                       \
        T distance[PIECE] = {0};                                                                                       \
        (fast ? fast_##S : exact_##S) (r, lines, ty, tx, distance, n);                                                 \
        weigh_##S (sum, weights, lines[0], lines[ty] + tx, distance, fast ? (T) r->share : 1, n);                      \
      }                                                                                                                \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = lines[0][i] + sum[i] / weights[i];                                                                       \
  }                                                                                                                    \
  static void nlmeans_##S (void *result, const void *const *lines, int64_t n, const void *rule)                        \
  {                                                                                                                    \
    const nlmeans_rule *r = rule;                                                                                      \
    const int64_t reach = r->reach + r->distance;                                                                      \
    const T *at[2 * STENCIL_REACH_MAX + 1];                                                                            \
    for (int64_t x = 0; x < n; x += PIECE) {                                                                           \
      for (int64_t i = 0; i <= 2 * reach; i++)                                                                         \
        at[i] = (const T *) lines[i] + x;                                                                              \
      piece_##S (r, at + reach, (T *) result + x, n - x < PIECE ? n - x : PIECE);                                      \
    }                                                                                                                  \
  }
DEFINE_NLMEANS (f32, float)
DEFINE_NLMEANS (f64, double)

static fv_status
nlmeans_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  const stencil_args around = {BORDER_MIRROR, 0, false};
  const nlmeans_rule rule = nlmeans_make_rule (call->args);
  stencil s = {call,
               &around,
               nlmeans_f32,
               nlmeans_f64,
               &rule,
               stencil_working_type (in->grid->type),
               rule.reach + rule.distance,
               .progress.total = array_planes (in) * array_rows (in)};
  if (stencil_prepare (&s, error))
    return error->code;
  stencil_pass (&s, in, call->outputs[0]);
  return s.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

static fv_status
nlmeans_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) error;
  filter_grid (in[0], filter_type (in[0], ((const nlmeans_args *) args)->output == NLMEANS_FLOAT), out[0]);
  return FV_OK;
}

static void
nlmeans_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const nlmeans_args *a = args;
  (void) op, (void) input;
  halo[0] = 0;
  halo[1] = halo[2] = a->patch_size / 2 + a->patch_distance;
}

static double
nlmeans_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const nlmeans_args *a = args;
  const double shifts = (2 * a->patch_distance + 1) * (2 * a->patch_distance + 1), side = a->patch_size;
  (void) op, (void) in;
  return shifts * (20 + (a->method == NLMEANS_FAST ? 4 * side : 4 * side * side));
}

const fv_op fv_op_nlmeans = {
  FV_OP (nlmeans_args),
  .key = "nlmeans",
  .menu = "Process/Filters",
  .label = "Non-local Means...",
  .search = "denoise noise smooth non local nl means patches edge preserving",
  .help = "Removes noise and keeps detail: averages pixels nearby whose neighborhoods look alike.",
  .cite = "A. Buades, B. Coll and J.-M. Morel, A non-local algorithm for image denoising, CVPR 2005, 60; J. Darbon et "
          "al., Fast nonlocal filtering applied to electron cryomicroscopy, ISBI 2008, 1331",
  .kind = FV_LOCAL,
  .inputs = stencil_inputs,
  .outputs = (const fv_output[]){{"image", "Smoothed"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (nlmeans_args, h), .label = "Strength h", .def = 20, .min = 1e-9, .max = 1e9, .soft_min = 0.01,
       .soft_max = 10000, .scale = FV_LOG,
       .help =
         "How different patches may be, in gray values: about the standard deviation of the noise, or a little less."},
      {FV_FIELD (nlmeans_args, sigma), .label = "Noise", .max = 1e9, .soft_max = 1000,
       .help =
         "Standard deviation of the noise, which makes alike patches look different; with it h is about 0.8 times "
         "as much."},
      {FV_FIELD (nlmeans_args, patch_size), .label = "Patch", .unit = FV_PIXELS, .def = 7, .min = 3,
       .max = NLMEANS_PATCH_MAX, .soft_min = 3, .soft_max = 15,
       .help = "Side of the patches that are compared; an even one counts as one more."},
      {FV_FIELD (nlmeans_args, patch_distance), .label = "Distance", .unit = FV_PIXELS, .def = 11, .min = 1,
       .max = NLMEANS_DISTANCE_MAX, .soft_min = 1, .soft_max = 20,
       .help = "How far away similar patches are searched for."},
      {FV_FIELD (nlmeans_args, method), .label = "Method",
       .choices = (const fv_choice[]){{"fast", "Fast", "All pixels of a patch count alike."},
                                      {"exact", "Exact", "The middle of a patch counts most; slower."},
                                      {0}},
       .help = "How patches are compared."},
      {FV_FIELD (nlmeans_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      {0}},
  .halo = nlmeans_halo,
  .infer = nlmeans_infer,
  .arithmetic = nlmeans_arithmetic,
  .reproducible = 1e-5,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = nlmeans_cpu, [FV_CUDA] = FV_CUDA_FN (nlmeans_cuda)},
};
