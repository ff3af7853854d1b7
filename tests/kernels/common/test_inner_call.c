/* SPDX-License-Identifier: MIT
 *
 * A call within a call: what its operation asks its host for reaches the outer call, and its inputs are there.
 */
#include "kernels/common/inner_call.h"
#include "tests/support/init.h"

#include <glib.h>

static const fv_call *asked; /* the call that the outer host was asked for */

static int
outer_tick (const fv_call *call, int64_t done, int64_t total)
{
  (void) done;
  (void) total;
  asked = call;
  return 0;
}

/* The outer operation does not go by rows: its host answers to no call. */
static fv_status
outer_rows_in (const fv_call *call, uint32_t input, int64_t end_needed, int64_t *end, fv_error *error)
{
  (void) call;
  (void) input;
  (void) end_needed;
  (void) end;
  return fail (error, FV_UNSUPPORTED, "", "It requests rows but does not declare that it does.");
}

static fv_status
asks (const fv_call *call, fv_error *error)
{
  int64_t end = 0;
  call->host->tick (call, 0, 1);
  if (call->host->rows_in (call, 1, 3, &end, error))
    return error->code;
  *call->scalars = (double) end;
  return FV_OK;
}

static void
test_services (void)
{
  const fv_op op = {.run = {[FV_CPU] = asks}};
  const fv_host host = {.tick = outer_tick, .rows_in = outer_rows_in};
  const fv_call outer = {.host = &host};
  int64_t shapes[2][3] = {{1, 5, 7}, {2, 11, 13}};
  fv_array arrays[2] = {{.tensor = {.ndim = 3, .shape = shapes[0]}}, {.tensor = {.ndim = 3, .shape = shapes[1]}}};
  const fv_array *inputs[] = {&arrays[0], &arrays[1]};
  double rows = 0;
  fv_error error = {0};
  g_assert_cmpint (run_inner (&outer, FV_CPU, &op, NULL, inputs, NULL, &rows, &error), ==, FV_OK);
  g_assert_true (asked == &outer);
  g_assert_cmpfloat (rows, ==, 11);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/inner-call/services", test_services);
  return g_test_run ();
}
