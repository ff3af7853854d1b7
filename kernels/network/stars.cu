/* SPDX-License-Identifier: MIT
 *
 * stars on the GPU: the run of stars.c with the passes of segment.cu. Candidates are found and polygons painted there; the host keeps those that do not
 * overlap.
 */
#include "kernels/network/stars.h"

fv_status
stars_cuda (const fv_call *call, fv_error *error)
{
  return stars_run (call, &segment_on_cuda, error);
}
