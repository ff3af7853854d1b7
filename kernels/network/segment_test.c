/* SPDX-License-Identifier: MIT
 */
#include "kernels/network/segment_test.h"

#include <stdlib.h>

#define ABSOLUTE 1e-4
#define RELATIVE 1e-3
enum { OF_NUMBERS = 10000 /* one may differ */ };

/* The test with its results. */
typedef struct trial {
  int64_t inputs, rows, columns; /* of the input */
  int64_t channels, down, across;
  float *input, *expected;
} trial;

static fv_status
compare (const trial *t, const float *found, char *report, size_t room, fv_error *error)
{
  const int64_t n = t->channels * t->down * t->across;
  int64_t wrong = 0;
  double worst = 0;
  for (int64_t i = 0; i < n; i++) {
    const double difference = fabs ((double) found[i] - t->expected[i]);
    wrong += !(difference <= ABSOLUTE + RELATIVE * fabs ((double) t->expected[i]));
    worst = difference > worst ? difference : worst;
  }
  if (wrong > n / OF_NUMBERS)
    return fail (error, FV_BAD_ARGUMENT, "model",
                 "It does not pass its test: %lld of %lld numbers differ from the package's test output, by up to %g. "
                 "The package is damaged, or was made for another version of its weights.",
                 (long long) wrong, (long long) n, worst);
  if (report && wrong)
    snprintf (
      report, room,
      "It passes its test: %lld of %lld numbers differ from the package's test output by more than %g and 0.1 %%, "
      "by up to %.2g, and 100 of a million may.",
      (long long) wrong, (long long) n, ABSOLUTE, worst);
  else if (report)
    snprintf (report, room, "It passes its test: %lld numbers are equal to the package's test output within %.2g.",
              (long long) n, worst);
  return FV_OK;
}

static fv_status
no_memory (fv_error *error)
{
  return fail (error, FV_NO_MEMORY, "", "Memory is short: the test of the model does not fit.");
}

static fv_status
test_here (const fv_call *call, const segment_model *model, const trial *t, float *found, fv_error *error)
{
  const network *net = &model->net;
  const network_plan plan = network_plan_of (net, t->rows, t->columns);
  float *memory = calloc ((size_t) plan.floats, sizeof *memory);
  if (!memory)
    return no_memory (error);
  const network_view in = network_view_of (net, &plan, memory, net->input);
  for (int64_t y = 0; y < t->rows; y++)
    memcpy (network_row (&in, 0, y), t->input + y * t->columns, (size_t) t->columns * sizeof *memory);
  progress p = {call, .total = network_work (net, &plan)};
  const fv_status status = network_cpu (call, net, &plan, model->weights, memory, &p, error);
  const network_view out = network_view_of (net, &plan, memory, net->output);
  for (int64_t row = 0; row < t->channels * t->down && !status; row++)
    memcpy (found + row * t->across, network_row (&out, row / t->down, row % t->down),
            (size_t) t->across * sizeof *found);
  free (memory);
  return status;
}

static fv_status
test_elsewhere (const fv_call *call, const segment_model *model, const trial *t, float *found, fv_error *error)
{
  const int64_t pixels = t->inputs * t->rows * t->columns, n = t->channels * t->down * t->across;
  float *memory = model_process_memory (model->process, pixels + n, error);
  if (!memory)
    return error->code;
  memcpy (memory, t->input, (size_t) pixels * sizeof *memory);
  const fv_status status = model_process_run (call, model->process, t->rows, t->columns, error);
  memcpy (found, memory + pixels, (size_t) n * sizeof *found);
  return status;
}

fv_status
segment_model_test (const fv_call *call, segment_model *model, char *report, size_t room, fv_error *error)
{
  const model_head *head = &model->head;
  const model_process *process = model->process;
  if (report)
    snprintf (report, room, "It has no test: only a package brings a test image and what its network makes of it.");
  if (!*model->folder || !head->test_rows)
    return FV_OK;
  trial t = {head->inputs,
             head->test_rows,
             head->test_columns,
             head->channels,
             head->test_rows >> head->shrink,
             head->test_columns >> head->shrink,
             NULL,
             NULL};
  const int64_t n = t.channels * t.down * t.across;
  float *found = malloc ((size_t) n * sizeof *found);
  t.input = model_package_floats (model->folder, MODEL_INPUT, t.inputs * t.rows * t.columns);
  t.expected = model_package_floats (model->folder, MODEL_OUTPUT, n);
  fv_status status = !found || !t.input || !t.expected ? no_memory (error)
                     : model->elsewhere                ? test_elsewhere (call, model, &t, found, error)
                                                       : test_here (call, model, &t, found, error);
  if (!status)
    status = compare (&t, found, report, room, error);
  if (!status)
    model_package_set_tested (model->folder, process && model_process_is_on_gpu (process));
  if (!status && report && process)
    snprintf (report + strlen (report), room - strlen (report), " %s", model_process_says (process));
  free (found);
  free (t.input);
  free (t.expected);
  return status;
}
