/* SPDX-License-Identifier: MIT
 *
 * A random smooth field: random numbers at the nodes of a coarse grid, and the spline through them (spline.h, border mirror). The outermost
 * nodes lie at the outermost pixels; neighbors are at most `distance` pixels apart. Node i, counted row by row, has the numbers that
 * Philox4x32-10 makes of counter i and key `seed`. The first makes a uniform number, the first two a normal one by Box and Muller. So a
 * field depends on its size and arguments alone, on every device and however many threads there are.
 * Reference: J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 */
#ifndef KERNELS_FIELDS_FIELD_H
#define KERNELS_FIELDS_FIELD_H

#include "kernels/common/philox.h"
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

INLINE double
field_node (const field_rule *f, int64_t i)
{
  uint32_t bits[4];
  philox ((uint64_t) i, 0, (uint32_t) f->seed, bits);
  double value = f->distribution == FIELD_NORMAL ? philox_normal (bits) : 2 * philox_uniform (bits[0]) - 1;
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
