/* SPDX-License-Identifier: MIT
 *
 * A random smooth field: random numbers at the nodes of a coarse grid, whose outermost ones lie at the outermost pixels and no two
 * neighbours further apart than `distance` pixels, and the spline through them (spline.h, border mirror). Node i, counted row by row, has
 * the numbers that Philox4x32-10 makes of counter i and key `seed`: of the first one a uniform number, of the first two a normal
 * one by Box and Muller. So a field depends on its size and arguments alone, on every device and however many threads there are.
 * Reference: J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 */
#ifndef KERNELS_FIELDS_FIELD_H
#define KERNELS_FIELDS_FIELD_H

#include "kernels/geometry/spline.h"

typedef enum field_distribution { FIELD_NORMAL, FIELD_UNIFORM } field_distribution;

typedef struct field_rule {
  int32_t seed, distribution, order;
  double distance, mean, amplitude;
  bool volume;
} field_rule;

#define FIELD_DISTRIBUTIONS                                                                                            \
  {"normal", "Normal", "The amplitude is the standard deviation."},                                                    \
    {"uniform", "Uniform", "Evenly between the mean less the amplitude and the mean and the amplitude."},              \
  {                                                                                                                    \
    0                                                                                                                  \
  }

/* An array in memory of the call, with all that it needs; not to be moved once it is set up. */
typedef struct field_array {
  fv_grid grid;
  int64_t shape[3], strides[3];
  fv_array array;
} field_array;

INLINE void
philox (uint64_t counter, uint32_t key, uint32_t v[4])
{
  uint32_t keys[2] = {key, 0};
  v[0] = (uint32_t) counter, v[1] = (uint32_t) (counter >> 32), v[2] = v[3] = 0;
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t) 0xD2511F53u * v[0], b = (uint64_t) 0xCD9E8D57u * v[2];
    uint32_t v1 = v[1], v3 = v[3];
    v[0] = (uint32_t) (b >> 32) ^ v1 ^ keys[0];
    v[1] = (uint32_t) b;
    v[2] = (uint32_t) (a >> 32) ^ v3 ^ keys[1];
    v[3] = (uint32_t) a;
    keys[0] += 0x9E3779B9u;
    keys[1] += 0xBB67AE85u;
  }
}

INLINE double
field_node (const field_rule *f, int64_t i)
{
  const double unit = 1 / 4294967296.0, turn = 6.283185307179586476925;
  uint32_t bits[4];
  philox ((uint64_t) i, (uint32_t) f->seed, bits);
  double u = (bits[0] + 0.5) * unit, v = (bits[1] + 0.5) * unit;
  double value = f->distribution == FIELD_NORMAL ? sqrt (-2 * log (u)) * cos (turn * v) : 2 * u - 1;
  return f->mean + f->amplitude * value;
}

#ifdef __cplusplus
extern "C" {
#endif

/* How the spline is drawn. */
spline_rule field_spline (const field_rule *f);
/* How many nodes there are for so many planes, rows and columns; one plane of them without `volume`. */
void field_nodes (const field_rule *f, const int64_t shape[3], int64_t nodes[3]);
/* An array of FV_F32 or FV_F64 at `memory`. */
void field_array_init (field_array *a, const fv_call *call, fv_type type, const int64_t shape[3], void *memory);
/* Bytes of scratch that field_cpu() takes for an array of that type and shape. */
int64_t field_scratch (const field_rule *f, fv_type type, const int64_t shape[3]);
/* Writes a field into an array of FV_F32 or FV_F64, in which it is computed: a plane, or with `volume` a stack. */
fv_status field_cpu (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error);
fv_status field_cuda (const fv_call *call, const field_rule *f, const fv_array *out, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
