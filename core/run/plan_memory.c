/* SPDX-License-Identifier: MIT
 *
 * The peak of a step is what was made before and has not been let go, what it makes and its scratch, beside the images that the
 * run starts from. A card has its results and scratch in memory of its own.
 */
#include "core/run/plan_memory.h"

#include "core/base/error.h"
#include "core/base/host_memory.h"

#include <math.h>

typedef struct {
  gsize fresh, mapped; /* new bytes; bytes of images that are not in memory yet, but have addresses */
  const PlanStep *at;  /* the step of the peak */
} Peak;

/* No sum of sizes overflows. */
static gsize
add (gsize a, gsize b)
{
  return a > G_MAXSIZE / 4 - MIN (b, G_MAXSIZE / 4) ? G_MAXSIZE / 4 : a + b;
}

static Peak
peak_of (const Plan *plan, const Device *device)
{
  Peak peak = {.at = &g_array_index (plan->steps, PlanStep, 0)};
  gsize made = 0;
  for (guint i = 0; i < plan->needed->len; i++)
    peak.mapped = add (peak.mapped, image_missing_bytes (plan->needed->pdata[i]));
  for (guint i = 0; i < plan->steps->len && !device->discrete; i++) {
    const PlanStep *step = &g_array_index (plan->steps, PlanStep, i);
    gsize now = add (made = add (made, step->made), step->scratch);
    if (now > peak.fresh)
      peak.fresh = now, peak.at = step;
    made -= MIN (made, step->gone);
  }
  return peak;
}

/* What part of the image would fit, in words. */
static char *
what_fits (const ImageInfo *info, double share)
{
  gint64 planes = image_info_planes (info), some = (gint64) floor ((double) planes * share);
  double side = sqrt (MIN (share * (double) planes, 1));
  gint64 rows = (gint64) ((double) info->rows * side), columns = (gint64) ((double) info->columns * side);
  if (some > 0 && planes > 1)
    return g_strdup_printf ("%" G_GINT64_FORMAT " of its %" G_GINT64_FORMAT " planes would fit", some, planes);
  if (rows > 0 && columns > 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " pixels of one plane would fit", columns, rows);
  return g_strdup ("no part of it would fit");
}

gboolean
plan_memory_check (const Plan *plan, const Device *device, GError **error)
{
  HostRoom room;
  Peak peak;
  gsize all;
  if (!plan->steps->len)
    return TRUE;
  peak = peak_of (plan, device);
  all = peak.fresh + peak.mapped;
  if (host_memory_fits (peak.fresh, peak.mapped, &room))
    return TRUE;
  g_autofree char *needed = g_format_size_full (all, G_FORMAT_SIZE_IEC_UNITS),
                  *left = g_format_size_full (room.bytes, G_FORMAT_SIZE_IEC_UNITS),
                  *limit = g_format_size_full (room.limit, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *fits = what_fits (image_info (plan->needed->pdata[0]), 0.98 * (double) room.bytes / (double) all);
  step_error_set (
    error, FV_NO_MEMORY, NULL,
    "%s: Not enough memory: up to this step %s more are needed, %s are left of the %s of %s. Of the image, %s.",
    peak.at->op->fv.key, needed, left, limit, room.whose, fits);
  return FALSE;
}
