/* SPDX-License-Identifier: MIT
 *
 * shift: out = in + amount, of an image of floats.
 */
#include <fovea-plugin.h>

struct shift_args {
  double amount;
};

fv_status shift_cuda (const fv_call *call, fv_error *error);
