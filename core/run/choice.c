/* SPDX-License-Identifier: MIT
 *
 * auto: the estimates of cost.c, side by side.
 */
#include "core/run/choice.h"

#include "core/run/cost.h"

#include <string.h>

static gboolean
runs_on (const Recipe *recipe, fv_device_kind kind)
{
  for (guint i = 0; i < recipe_length (recipe); i++)
    if (!recipe_step (recipe, i)->skipped && !recipe_step (recipe, i)->op->fv.run[kind])
      return FALSE;
  return TRUE;
}

static gboolean
runs_elsewhere (const Recipe *recipe)
{
  for (int kind = FV_CPU + 1; kind < FV_DEVICE_KINDS; kind++)
    if (runs_on (recipe, (fv_device_kind) kind))
      return TRUE;
  return FALSE;
}

/* The first card that works and on which all steps can run, or NULL; *fault: why one does not work. */
static Device *
usable_card (const Recipe *recipe, const GPtrArray *devices, const char **fault)
{
  for (guint i = 0; i < devices->len; i++) {
    const fv_device *fv = ((const Device *) devices->pdata[i])->fv;
    if (fv->kind == FV_CPU || !runs_on (recipe, fv->kind))
      continue;
    if (!fv->fault)
      return devices->pdata[i];
    *fault = fv->fault;
  }
  return NULL;
}

/* The card that is likely to be done before the CPU, or NULL, and why. */
static Device *
choose_card (const Run *run, Modules *modules, char **reason)
{
  const char *fault = "there is none.";
  Device *card = usable_card (run_recipe (run), modules_devices (modules), &fault),
         *cpu = modules_device (modules, "cpu", NULL);
  g_autoptr (Plan) on_cpu = NULL, on_card = NULL;
  double cpu_ms, card_ms, wake_ms;
  if (!runs_elsewhere (run_recipe (run))) {
    *reason = g_strdup ("auto: not all steps can run on a card");
    return NULL;
  }
  if (!card && !modules_devices_pending (modules)) {
    *reason = g_strdup_printf ("auto: no card can be used: %s", fault);
    return NULL;
  }
  on_cpu = plan_new (run, cpu);
  on_card = plan_new (run, card);
  cpu_ms = cost_on_cpu (on_cpu, g_get_num_processors ());
  wake_ms = cost_of_waking (card);
  card_ms = cost_on_card (on_card, card) + wake_ms;
  *reason = g_strdup_printf ("auto: about %.0f ms on the CPU, %.0f ms on a card, %.0f of them to wake it", cpu_ms,
                             card_ms, wake_ms);
  if (cpu_ms <= card_ms)
    return NULL;
  if (!card && !(card = usable_card (run_recipe (run), modules_find_devices (modules), &fault))) {
    g_free (*reason);
    *reason = g_strdup_printf ("auto: a card would be faster, but none can be used: %s", fault);
  }
  return card;
}

Device *
choice_device (const Run *run, Modules *modules, const char *key, char **reason, GError **error)
{
  Device *card;
  if (strcmp (key, "auto")) {
    *reason = g_strdup ("it was asked for");
    return modules_device (modules, key, error);
  }
  card = choose_card (run, modules, reason);
  return modules_device (modules, card ? card->fv->key : "cpu", error);
}
