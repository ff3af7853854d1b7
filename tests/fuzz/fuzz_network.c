/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: an input as an ONNX file. What it says is refused with a sentence, or it computes a small image.
 */
#include "kernels/network/network.h"

#include <glib.h>

enum { MOST_FLOATS = 1 << 20 };

static int
keep_on (const fv_call *call, gint64 done, gint64 total)
{
  (void) call, (void) done, (void) total;
  return 0;
}

static void
compute (const network *net, const float *weights)
{
  const fv_host host = {.size = sizeof host, .tick = keep_on};
  const fv_call call = {.size = sizeof call, .host = &host};
  const gint64 side = (gint64) 1 << net->deepest;
  const network_plan plan = network_plan_of (net, side, 2 * side);
  fv_error error = FV_ERROR_INIT;
  if (plan.floats > MOST_FLOATS || network_work (net, &plan) > MOST_FLOATS / 64)
    return;
  g_autofree float *memory = g_new0 (float, plan.floats);
  progress p = {&call, .total = network_work (net, &plan)};
  network_cpu (&call, net, &plan, weights, memory, &p, &error);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  static network net;
  fv_error error = FV_ERROR_INIT;
  if (network_read (bytes, size, &net, NULL, &error)) {
    g_assert (*error.text);
    return 0;
  }
  if (net.n_weights > MOST_FLOATS)
    return 0;
  g_autofree float *weights = g_new (float, net.n_weights + 1);
  g_assert (!network_read (bytes, size, &net, weights, &error));
  compute (&net, weights);
  return 0;
}
