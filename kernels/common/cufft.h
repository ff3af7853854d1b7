/* SPDX-License-Identifier: MIT
 *
 * NVIDIA's Fourier transforms, opened when they are first wanted.
 */
#ifndef KERNELS_COMMON_CUFFT_H
#define KERNELS_COMMON_CUFFT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CUFFT_REAL_TO_COMPLEX = 0x2a,
  CUFFT_COMPLEX_TO_REAL = 0x2c,
  CUFFT_DOUBLE_TO_COMPLEX = 0x6a,
  CUFFT_COMPLEX_TO_DOUBLE = 0x6c
};

/* Its functions, by their names less the first word; each returns 0 or the number of an error. */
typedef struct cufft {
  int (*create) (int *plan);
  int (*destroy) (int plan);
  int (*set_auto_allocation) (int plan, int automatic);
  int (*make_plan_many) (int plan, int rank, long long *n, long long *inembed, long long istride, long long idist,
                         long long *onembed, long long ostride, long long odist, int type, long long batch,
                         size_t *bytes);
  int (*set_stream) (int plan, void *stream);
  int (*set_work_area) (int plan, void *memory);
  int (*exec_r2c) (int plan, void *from, void *to);
  int (*exec_c2r) (int plan, void *from, void *to);
  int (*exec_d2z) (int plan, void *from, void *to);
  int (*exec_z2d) (int plan, void *from, void *to);
} cufft;

/* The newest that a driver for that major version of CUDA can take, which the first call says for all; NULL: there is none. Any thread. */
const cufft *cufft_open (int cuda);

#ifdef __cplusplus
}
#endif

#endif
