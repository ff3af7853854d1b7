/* SPDX-License-Identifier: MIT
 *
 * morphology: what erosion, dilation, opening and closing share: arguments, form and CPU version.
 * erosion: out(p) = min over o in F of in(p + o); dilation: max. F: the footprint. Opening is erosions, then as many
 * dilations with F mirrored about its origin; closing the other way round.
 * Border: what lies outside the image is neutral. NaN spreads: a pixel with NaN in its footprint becomes NaN.
 * Masks: any non-zero pixel is foreground, the result is 0/255. Reference: skimage.morphology, mode "ignore".
 */
#ifndef KERNELS_MORPHOLOGY_MORPHOLOGY_H
#define KERNELS_MORPHOLOGY_MORPHOLOGY_H

#include "kernels/morphology/footprint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct morphology_args {
  int32_t footprint; /* footprint_shape */
  int32_t radius;
  fv_matrix matrix;
  int32_t iterations;
  bool volume;
} morphology_args;

typedef enum morphology_kind {
  MORPHOLOGY_EROSION,
  MORPHOLOGY_DILATION,
  MORPHOLOGY_OPENING,
  MORPHOLOGY_CLOSING,
} morphology_kind;

extern const fv_input morphology_inputs[];
extern const fv_output morphology_outputs[];
extern const fv_param morphology_params[];

fv_grain morphology_grain (const void *args);
void morphology_halo_once (const void *args, const fv_grid *input, int64_t halo[3]);  /* erosion, dilation */
void morphology_halo_twice (const void *args, const fv_grid *input, int64_t halo[3]); /* opening, closing */
int64_t morphology_scratch_once (const void *args, const fv_grid *const *inputs);
int64_t morphology_scratch_twice (const void *args, const fv_grid *const *inputs);
fv_status morphology_infer (const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error);
fv_status morphology_cpu (const fv_call *call, morphology_kind kind, fv_error *error);
fv_status morphology_cuda (const fv_call *call, morphology_kind kind, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
