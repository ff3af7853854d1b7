/* SPDX-License-Identifier: MIT
 *
 * maxima on the GPU: maxima_prominent.cu and maxima_peaks.cu find them.
 */
#include "kernels/maxima/maxima.h"
#include "kernels/maxima/maxima_peaks.h"
#include "kernels/maxima/maxima_prominent.h"

extern "C" fv_status
maxima_cuda (const fv_call *call, fv_error *error)
{
  const maxima_args *a = (const maxima_args *) call->args;
  return a->method == MAXIMA_PEAKS ? maxima_peaks_cuda (call, error) : maxima_prominent_cuda (call, error);
}
