/* SPDX-License-Identifier: MIT
 *
 * auto: the estimates of cost.c, side by side.
 */
#include "core/run/choice.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/run/cost.h"
#include "core/run/plan_memory.h"

#include <math.h>
#include <string.h>

/* The steps for which a device is chosen: those of a run that have none of their own, or one of them. */
typedef struct {
  const Run *run;
  int only; /* its index; -1: all */
} Subject;

static gboolean
is_part (const Subject *s, guint i)
{
  return s->only < 0 ? !run_result (s->run, i)->step->device : (guint) s->only == i;
}

/* The step, when it is one of these and still to run; else NULL. */
static const Step *
step_to_run (const Subject *s, guint i)
{
  const RunStep *step = run_result (s->run, i);
  const gboolean done = s->only < 0 && (step->done || step->step->skipped);
  return done || !is_part (s, i) ? NULL : step->step;
}

/* What is to be done on the device; of one step, with what goes to it and comes from it. */
static Plan *
new_plan (const Subject *s, const Device *device)
{
  Plan *plan = plan_new (s->run, device);
  for (guint k = 0; k < plan->steps->len; k++) {
    PlanStep *step = &g_array_index (plan->steps, PlanStep, k);
    step->elsewhere = !is_part (s, step->index);
    if (step->elsewhere || s->only < 0)
      continue;
    g_ptr_array_set_size (plan->needed, 0);
    for (guint i = 0; i < step->op->n_inputs; i++)
      if (step->inputs[i])
        g_ptr_array_add (plan->needed, step->inputs[i]);
    plan->last = step->made;
  }
  return plan;
}

static gboolean
runs_on (const Subject *s, fv_device_kind kind)
{
  for (guint i = 0; i < run_length (s->run); i++) {
    const Step *step = step_to_run (s, i);
    if (step && !step->op->fv.run[kind])
      return FALSE;
  }
  return TRUE;
}

static gboolean
runs_elsewhere (const Subject *s)
{
  for (int kind = FV_CPU + 1; kind < FV_DEVICE_KINDS; kind++)
    if (runs_on (s, (fv_device_kind) kind))
      return TRUE;
  return FALSE;
}

/* Why a step that compiles while it runs cannot do so there; NULL: all can. */
static char *
lacks_compiler (const Subject *s, const Device *gpu)
{
  for (guint i = 0; i < run_length (s->run); i++) {
    const Step *step = step_to_run (s, i);
    fv_error why = FV_ERROR_INIT;
    if (!step || !(step->op->fv.compiles >> gpu->fv->kind & 1) || device_can_compile (gpu, &why))
      continue;
    g_autofree char *text = error_plugin_text (&why);
    return g_strdup_printf ("%s: %s", step->op->fv.key, text);
  }
  return NULL;
}

/* The first GPU that works and can run all steps, or NULL; *fault: why one cannot, replaces the old value. */
static Device *
usable_gpu (const Subject *s, const GPtrArray *devices, char **fault)
{
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    if (device->fv->kind == FV_CPU || !runs_on (s, device->fv->kind))
      continue;
    char *lacks = device->fv->fault ? g_strdup (device->fv->fault) : lacks_compiler (s, device);
    if (!lacks)
      return device;
    g_free (*fault);
    *fault = lacks;
  }
  return NULL;
}

/* How long the run would take here and there. */
typedef struct {
  double cpu, gpu, wake; /* milliseconds; gpu includes transfers and its start */
} Estimate;

/* A gpu that is NULL is not known yet. */
static Estimate
estimate (const Plan *on_cpu, const Plan *on_gpu, guint64 runs, Device *cpu, Device *gpu)
{
  Speed here = speed_of_cpu (cpu), there = speed_of_gpu (gpu);
  const double many = (double) runs;
  Estimate e = {.cpu = many * cost_of_steps (on_cpu, &here), .wake = cost_of_waking (gpu, &there)};
  e.gpu = many * (cost_of_steps (on_gpu, &there) + cost_of_moving (on_gpu, gpu, &there)) + e.wake;
  return e;
}

/* Whether another figure of a few times as much would not change the choice, so that nothing has to be measured for it. */
static gboolean
is_clear (const Estimate *e)
{
  return e->cpu * 5 < e->gpu;
}

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

/* Looks for the GPU, makes it ready, and keeps how long that took and how fast it is: for the next choice. */
static Device *
wake (const Subject *s, Modules *modules, Device *gpu, char **fault)
{
  gint64 start = g_get_monotonic_time ();
  double driver_ms = -1, context_ms;
  if (!gpu) {
    gpu = usable_gpu (s, modules_find_devices (modules), fault);
    driver_ms = ms_since (start);
  }
  if (!gpu || device_is_awake (gpu))
    return gpu;
  start = g_get_monotonic_time ();
  if (!device_ready (gpu, gpu->fv->key, NULL)) /* the run will say why */
    return gpu;
  context_ms = ms_since (start);
  speed_keep (gpu, &(Speed){.driver_ms = driver_ms, .context_ms = context_ms});
  speed_measure (modules, gpu, NULL);
  return gpu;
}

/* Says that a GPU that is awake has too little memory for the run, where it has. */
static gboolean
lacks_memory (const Subject *s, Device *gpu, const Estimate *e, char **reason)
{
  g_autoptr (Plan) plan = new_plan (s, gpu);
  gsize room = device_room (gpu), needed = plan_memory_lacked (plan, room);
  if (!needed)
    return FALSE;
  g_autofree char *has = g_format_size_full (room, G_FORMAT_SIZE_IEC_UNITS),
                  *needs = g_format_size_full (needed, G_FORMAT_SIZE_IEC_UNITS);
  g_free (*reason);
  *reason = g_strdup_printf ("auto: %s has %s free, but the run needs %s; about %.0f ms on the CPU", gpu->fv->key, has,
                             needs, e->cpu);
  return TRUE;
}

/* The GPU that is likely to be done before the CPU, or that alone has the memory for the run; or NULL, and why. */
static Device *
choose_gpu (const Subject *s, guint64 runs, Modules *modules, char **reason)
{
  g_autofree char *fault = g_strdup ("none exist.");
  Device *gpu = usable_gpu (s, modules_devices (modules), &fault), *cpu = modules_device (modules, "cpu", NULL);
  gboolean fits;
  if (!runs_elsewhere (s)) {
    *reason = g_strdup ("auto: not all steps can run on a GPU");
    return NULL;
  }
  if (!gpu && !modules_devices_pending (modules)) {
    *reason = g_strdup_printf ("auto: no GPU can be used: %s", fault);
    return NULL;
  }
  g_autoptr (Plan) on_cpu = new_plan (s, cpu), on_gpu = new_plan (s, gpu);
  Estimate e = estimate (on_cpu, on_gpu, runs, cpu, gpu);
  if (!is_clear (&e)) {
    const gboolean here = speed_measure (modules, cpu, NULL),
                   there = gpu && device_is_awake (gpu) && speed_measure (modules, gpu, NULL);
    if (here || there)
      e = estimate (on_cpu, on_gpu, runs, cpu, gpu);
  }
  fits = e.cpu > e.gpu || plan_memory_fits (on_cpu, cpu); /* only where it matters: the check frees memory of others */
  if (fits)
    *reason = g_strdup_printf ("auto: about %.0f ms on the CPU, %.0f ms on a GPU, including %.0f ms to start it", e.cpu,
                               e.gpu, e.wake);
  else
    *reason =
      g_strdup_printf ("auto: too little memory for the CPU; about %.0f ms on a GPU, including %.0f ms to start "
                       "it",
                       e.gpu, e.wake);
  if (fits && e.cpu <= e.gpu)
    return NULL;
  if (!(gpu = wake (s, modules, gpu, &fault))) {
    g_free (*reason);
    *reason = g_strdup_printf ("auto: a GPU would be faster, but none can be used: %s", fault);
  }
  return gpu && !lacks_memory (s, gpu, &e, reason) ? gpu : NULL;
}

/* *reason: see choice_device(). */
static Device *
choose (const Subject *s, guint64 runs, Modules *modules, const char *key, char **reason, GError **error)
{
  Device *gpu;
  if (strcmp (key, "auto")) {
    *reason = g_strdup ("it was asked for");
    return modules_device (modules, key, error);
  }
  gpu = choose_gpu (s, runs, modules, reason);
  return modules_device (modules, gpu ? gpu->fv->key : "cpu", error);
}

Device *
choice_device (Run *run, Modules *modules, const char *key, char **reason, GError **error)
{
  const Subject all = {run, -1};
  gboolean is_free = !strcmp (key, "auto") && runs_on (&all, FV_CPU);
  run_set_spare (run, is_free ? modules_device (modules, "cpu", NULL) : NULL);
  return choose (&all, 1, modules, key, reason, error);
}

Device *
choice_device_for_many (const Run *run, guint64 runs, Modules *modules, const char *key, char **reason, GError **error)
{
  return choose (&(Subject){run, -1}, runs, modules, key, reason, error);
}

Device *
choice_device_of_step (const Run *run, guint i, GError **error)
{
  const Step *step = run_result (run, i)->step;
  g_autofree char *reason = NULL;
  Device *device = choose (&(Subject){run, (int) i}, 1, (Modules *) step->op->modules, step->device, &reason, error);
  if (device)
    g_info ("%s runs on %s: %s", step->op->fv.key, device->fv->key, reason);
  else
    g_prefix_error (error, "%s: device=%s: ", step->op->fv.key, step->device);
  return device;
}

void
choice_estimate (const Run *run, guint64 runs, Modules *modules, double *core_ms, double *gpu_ms)
{
  const Subject all = {run, -1};
  g_autofree char *fault = NULL;
  Device *cpu = modules_device (modules, "cpu", NULL), *gpu = usable_gpu (&all, modules_devices (modules), &fault);
  g_autoptr (Plan) on_cpu = new_plan (&all, cpu), on_gpu = new_plan (&all, gpu);
  speed_measure (modules, cpu, NULL);
  Estimate e = estimate (on_cpu, on_gpu, runs, cpu, gpu);
  *core_ms = e.cpu * parallel_threads ();
  *gpu_ms = runs_elsewhere (&all) ? e.gpu : INFINITY;
}
