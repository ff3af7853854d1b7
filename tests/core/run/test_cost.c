/* SPDX-License-Identifier: MIT
 *
 * What a plan of steps reads, makes and costs, against sums by hand.
 */
#include "core/run/cost.h"
#include "tests/support/support.h"

static const Speed speed = {
  .arithmetic_ns = 2, .byte_ns = 3, .step_ms = 0.25, .bus_ns = 5, .driver_ms = 70, .context_ms = 11};

static void
test_step (void)
{
  const PlanStep step = {.arithmetic = 7, .pixels = 1000, .read = 300, .made = 4000, .scratch = 5};
  g_assert_cmpfloat_with_epsilon (cost_of_step (&step, &speed), 0.25 + 1e-6 * (7 * 1000 * 2 + 4300 * 3), 1e-12);
}

/* The steps of 100 x 200 pixels of 16 bits: a mask of them, which is blurred, and one that is skipped. */
static void
test_plan (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 100, 200, 1);
  g_autoptr (Run) run = run_of ("threshold method=manual lower=5 | erosion skip=yes | gaussian sigma=2", source);
  g_autoptr (Plan) plan = plan_new (run, modules_device (test_modules (), "cpu", NULL));
  const PlanStep *first = &g_array_index (plan->steps, PlanStep, 0), *second = first + 1;
  g_assert_cmpuint (plan->steps->len, ==, 2);
  g_assert_cmpuint (first->index, ==, 0);
  g_assert_cmpuint (second->index, ==, 2);
  g_assert_cmpint (first->pixels, ==, 20000);
  g_assert_cmpuint (first->read, ==, 40000);
  g_assert_cmpuint (first->made, ==, 20000);
  g_assert_cmpuint (second->read, ==, 20000);
  g_assert_cmpuint (plan->last, ==, second->made);
  g_assert_cmpuint (plan->needed->len, ==, 1);
  g_assert_cmpfloat (second->arithmetic, >, first->arithmetic);
  g_assert_cmpfloat_with_epsilon (cost_of_steps (plan, &speed),
                                  cost_of_step (first, &speed) + cost_of_step (second, &speed), 1e-12);
  /* There the source, back the last image. */
  g_assert_cmpfloat_with_epsilon (cost_of_moving (plan, NULL, &speed), 1e-6 * (40000 + (double) second->made) * 5,
                                  1e-12);
}

/* Nothing to do costs nothing, and waking what is awake neither. */
static void
test_nothing (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 100, 200, 1);
  g_autoptr (Run) run = run_of ("gaussian sigma=2", source);
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  g_assert_true (run_execute (run, cpu, NULL, NULL));
  g_autoptr (Plan) plan = plan_new (run, cpu);
  g_assert_cmpuint (plan->steps->len, ==, 0);
  g_assert_cmpfloat (cost_of_steps (plan, &speed), ==, 0);
  g_assert_cmpfloat (cost_of_moving (plan, NULL, &speed), ==, 0);
  g_assert_cmpfloat (cost_of_waking (cpu, &speed), ==, 0);
  g_assert_cmpfloat (cost_of_waking (NULL, &speed), ==, 81);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/cost/step", test_step);
  g_test_add_func ("/cost/plan", test_plan);
  g_test_add_func ("/cost/nothing", test_nothing);
  return g_test_run ();
}
