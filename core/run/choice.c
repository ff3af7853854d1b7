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

/* The step, when it is still to run; else NULL. */
static const Step *
step_to_run (const Run *run, guint i)
{
  const RunStep *s = run_result (run, i);
  return s->done || s->step->skipped ? NULL : s->step;
}

static gboolean
runs_on (const Run *run, fv_device_kind kind)
{
  for (guint i = 0; i < run_length (run); i++) {
    const Step *step = step_to_run (run, i);
    if (step && !step->op->fv.run[kind])
      return FALSE;
  }
  return TRUE;
}

static gboolean
runs_elsewhere (const Run *run)
{
  for (int kind = FV_CPU + 1; kind < FV_DEVICE_KINDS; kind++)
    if (runs_on (run, (fv_device_kind) kind))
      return TRUE;
  return FALSE;
}

/* Why a step that compiles while it runs cannot do so there; NULL: all can. */
static char *
lacks_compiler (const Run *run, const Device *card)
{
  for (guint i = 0; i < run_length (run); i++) {
    const Step *step = step_to_run (run, i);
    fv_error why = FV_ERROR_INIT;
    if (!step || !(step->op->fv.compiles >> card->fv->kind & 1) || device_can_compile (card, &why))
      continue;
    g_autofree char *text = error_plugin_text (&why);
    return g_strdup_printf ("%s: %s", step->op->fv.key, text);
  }
  return NULL;
}

/* The first GPU that works and can run all steps, or NULL; *fault: why one cannot, replaces the old value. */
static Device *
usable_card (const Run *run, const GPtrArray *devices, char **fault)
{
  for (guint i = 0; i < devices->len; i++) {
    Device *device = devices->pdata[i];
    if (device->fv->kind == FV_CPU || !runs_on (run, device->fv->kind))
      continue;
    char *lacks = device->fv->fault ? g_strdup (device->fv->fault) : lacks_compiler (run, device);
    if (!lacks)
      return device;
    g_free (*fault);
    *fault = lacks;
  }
  return NULL;
}

/* How long the run would take here and there. */
typedef struct {
  double cpu, card, wake; /* milliseconds; card: of a GPU, including transfers and its start */
} Estimate;

/* card: NULL: a GPU that is not known yet. */
static Estimate
estimate (const Plan *on_cpu, const Plan *on_card, guint64 runs, Device *cpu, Device *card)
{
  Speed here = speed_of_cpu (cpu), there = speed_of_card (card);
  const double many = (double) runs;
  Estimate e = {.cpu = many * cost_of_steps (on_cpu, &here), .wake = cost_of_waking (card, &there)};
  e.card = many * (cost_of_steps (on_card, &there) + cost_of_moving (on_card, card, &there)) + e.wake;
  return e;
}

/* Whether another figure of a few times as much would not change the choice, so that nothing has to be measured for it. */
static gboolean
is_clear (const Estimate *e)
{
  return e->cpu * 5 < e->card;
}

static double
ms_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

/* Looks for the GPU, makes it ready, and keeps how long that took and how fast it is: for the next choice. */
static Device *
wake (const Run *run, Modules *modules, Device *card, char **fault)
{
  gint64 start = g_get_monotonic_time ();
  double driver_ms = -1, context_ms;
  if (!card) {
    card = usable_card (run, modules_find_devices (modules), fault);
    driver_ms = ms_since (start);
  }
  if (!card || device_is_awake (card))
    return card;
  start = g_get_monotonic_time ();
  if (!device_ready (card, card->fv->key, NULL)) /* the run will say why */
    return card;
  context_ms = ms_since (start);
  speed_keep (card, &(Speed){.driver_ms = driver_ms, .context_ms = context_ms});
  speed_measure (modules, card, NULL);
  return card;
}

/* Says that a GPU that is awake has too little memory for the run, where it has. */
static gboolean
lacks_memory (const Run *run, Device *card, const Estimate *e, char **reason)
{
  g_autoptr (Plan) plan = plan_new (run, card);
  gsize room = device_room (card), needed = plan_memory_lacked (plan, room);
  if (!needed)
    return FALSE;
  g_autofree char *has = g_format_size_full (room, G_FORMAT_SIZE_IEC_UNITS),
                  *needs = g_format_size_full (needed, G_FORMAT_SIZE_IEC_UNITS);
  g_free (*reason);
  *reason = g_strdup_printf ("auto: %s has %s free, but the run needs %s; about %.0f ms on the CPU", card->fv->key, has,
                             needs, e->cpu);
  return TRUE;
}

/* The GPU that is likely to be done before the CPU, or that alone has the memory for the run; or NULL, and why. */
static Device *
choose_card (const Run *run, guint64 runs, Modules *modules, char **reason)
{
  g_autofree char *fault = g_strdup ("none exist.");
  Device *card = usable_card (run, modules_devices (modules), &fault), *cpu = modules_device (modules, "cpu", NULL);
  gboolean fits;
  if (!runs_elsewhere (run)) {
    *reason = g_strdup ("auto: not all steps can run on a GPU");
    return NULL;
  }
  if (!card && !modules_devices_pending (modules)) {
    *reason = g_strdup_printf ("auto: no GPU can be used: %s", fault);
    return NULL;
  }
  g_autoptr (Plan) on_cpu = plan_new (run, cpu), on_card = plan_new (run, card);
  Estimate e = estimate (on_cpu, on_card, runs, cpu, card);
  if (!is_clear (&e)) {
    const gboolean here = speed_measure (modules, cpu, NULL),
                   there = card && device_is_awake (card) && speed_measure (modules, card, NULL);
    if (here || there)
      e = estimate (on_cpu, on_card, runs, cpu, card);
  }
  fits = e.cpu > e.card || plan_memory_fits (on_cpu, cpu); /* asked only where it matters: to make room others let go */
  if (fits)
    *reason = g_strdup_printf ("auto: about %.0f ms on the CPU, %.0f ms on a GPU, including %.0f ms to start it", e.cpu,
                               e.card, e.wake);
  else
    *reason =
      g_strdup_printf ("auto: too little memory for the CPU; about %.0f ms on a GPU, including %.0f ms to start "
                       "it",
                       e.card, e.wake);
  if (fits && e.cpu <= e.card)
    return NULL;
  if (!(card = wake (run, modules, card, &fault))) {
    g_free (*reason);
    *reason = g_strdup_printf ("auto: a GPU would be faster, but none can be used: %s", fault);
  }
  return card && !lacks_memory (run, card, &e, reason) ? card : NULL;
}

Device *
choice_device (Run *run, Modules *modules, const char *key, char **reason, GError **error)
{
  gboolean is_free = !strcmp (key, "auto") && runs_on (run, FV_CPU);
  run_set_spare (run, is_free ? modules_device (modules, "cpu", NULL) : NULL);
  return choice_device_for_many (run, 1, modules, key, reason, error);
}

Device *
choice_device_for_many (const Run *run, guint64 runs, Modules *modules, const char *key, char **reason, GError **error)
{
  Device *card;
  if (strcmp (key, "auto")) {
    *reason = g_strdup ("it was asked for");
    return modules_device (modules, key, error);
  }
  card = choose_card (run, runs, modules, reason);
  return modules_device (modules, card ? card->fv->key : "cpu", error);
}

void
choice_estimate (const Run *run, guint64 runs, Modules *modules, double *core_ms, double *card_ms)
{
  g_autofree char *fault = NULL;
  Device *cpu = modules_device (modules, "cpu", NULL), *card = usable_card (run, modules_devices (modules), &fault);
  g_autoptr (Plan) on_cpu = plan_new (run, cpu), on_card = plan_new (run, card);
  speed_measure (modules, cpu, NULL);
  Estimate e = estimate (on_cpu, on_card, runs, cpu, card);
  *core_ms = e.cpu * parallel_threads ();
  *card_ms = runs_elsewhere (run) ? e.card : INFINITY;
}
