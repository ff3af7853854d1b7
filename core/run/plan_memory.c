/* SPDX-License-Identifier: MIT
 *
 * The peak of a step consists of earlier results that are not freed yet, of its own results, of its scratch, and of the images
 * that the run starts from. A GPU has its results and scratch in memory of its own.
 */
#include "core/run/plan_memory.h"

#include "core/base/disk_memory.h"
#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/call/box.h"
#include "core/call/parts.h"
#include "core/call/wants.h"

#include <math.h>
#include <string.h>

#define SMALL ((gsize) 1 << 20)       /* images that are always in memory */
#define MAX_STRIP ((gsize) 256 << 20) /* more at once is not faster */

/* What becomes of an image that is there and not in memory. */
typedef enum { IN_MEMORY, STREAMED, ON_DISK } Fate;

typedef struct {
  Plan *plan;
  const Device *device;
  Fate *fates; /* of plan->needed */
} Arranging;

typedef struct {
  gsize fresh, mapped; /* new bytes; bytes of images that are not in memory yet, but have addresses */
  gsize disk;          /* bytes on disk at their own peak */
  PlanStep *at;        /* the step of the peak */
} Peak;

/* No sum of sizes overflows. */
static gsize
add (gsize a, gsize b)
{
  return a > G_MAXSIZE / 4 - MIN (b, G_MAXSIZE / 4) ? G_MAXSIZE / 4 : a + b;
}

static PlanStep *
step_at (const Plan *plan, guint i)
{
  return &g_array_index (plan->steps, PlanStep, i);
}

static gsize *
on_disk (const Plan *plan, const PlanImage *image)
{
  return &step_at (plan, image->step)->where.on_disk[image->output];
}

static gboolean
is_alive (const Plan *plan, const PlanImage *image, guint step)
{
  return image->step <= step && step_at (plan, step)->index <= image->last;
}

/* Bytes on disk, while a step runs, of images that the plan makes. */
static gsize
made_on_disk (const Plan *plan, guint step)
{
  gsize bytes = 0;
  for (guint i = 0; i < plan->images->len; i++) {
    const PlanImage *image = &g_array_index (plan->images, PlanImage, i);
    bytes = add (bytes, is_alive (plan, image, step) ? *on_disk (plan, image) : 0);
  }
  return bytes;
}

static Peak
peak_of (const Arranging *a)
{
  const Plan *plan = a->plan;
  Peak peak = {.at = step_at (plan, 0)};
  gsize made = 0, needed = 0;
  for (guint i = 0; i < plan->needed->len; i++) {
    gsize missing = image_missing_bytes (plan->needed->pdata[i]);
    peak.mapped = add (peak.mapped, a->fates[i] == IN_MEMORY ? missing : 0);
    needed = add (needed, a->fates[i] == ON_DISK ? missing : 0);
  }
  peak.disk = needed;
  for (guint i = 0; i < plan->steps->len && !a->device->discrete; i++) {
    PlanStep *step = step_at (plan, i);
    gsize disk = made_on_disk (plan, i),
          scratch = step->where.strip ? MIN (step->where.strip, step->scratch) : step->scratch;
    gsize now = add (made = add (made, step->made), scratch);
    now -= MIN (now, disk);
    if (now > peak.fresh)
      peak.fresh = now, peak.at = step;
    peak.disk = MAX (peak.disk, add (needed, disk));
    made -= MIN (made, step->gone);
  }
  return peak;
}

/* ---- Strips ---- */

/* Whether the step can go strip by strip, of so many bytes. */
static gboolean
can_strip (const PlanStep *step, gsize bytes)
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  return call_grids (step->op, step->args, step->inputs, in, out, NULL)
         && call_parts_rows (step->op, step->args, step->inputs, in, out, bytes) > 0;
}

/* Whether no step that takes the image needs it whole. */
static gboolean
can_stream (const Plan *plan, Image *image, gsize strip)
{
  const ImageInfo *info = image_info (image);
  for (guint i = 0; i < plan->steps->len; i++) {
    const PlanStep *step = step_at (plan, i);
    for (guint k = 0; k < step->op->n_inputs; k++)
      if (step->inputs[k] == image
          && (wants_made (&step->op->fv.inputs[k], info) || wants_checked (&step->op->fv.inputs[k], info)
              || !(call_box_is (step->op) || can_strip (step, strip))))
        return FALSE;
  }
  return image_can_stream (image);
}

/* Images from files that need not be whole, and scratch that is smaller for strips. */
static void
use_strips (Arranging *a, gsize strip)
{
  const Plan *plan = a->plan;
  for (guint n = 0; n < plan->needed->len; n++) {
    Image *image = plan->needed->pdata[n];
    if (!can_stream (plan, image, strip))
      continue;
    a->fates[n] = STREAMED;
    for (guint i = 0; i < plan->steps->len; i++)
      for (guint k = 0; k < step_at (plan, i)->op->n_inputs; k++)
        if (step_at (plan, i)->inputs[k] == image)
          step_at (plan, i)->where.strip = strip;
  }
  for (guint i = 0; i < plan->steps->len && !a->device->discrete; i++)
    if (step_at (plan, i)->scratch > strip && can_strip (step_at (plan, i), strip))
      step_at (plan, i)->where.strip = strip;
}

/* ---- Disk ---- */

/* Of the image that has most in memory at the peak, of equal ones the one that stays longest, so many bytes go to the disk, or all;
 * of one from a file always all. FALSE: there is none. */
static gboolean
spill_one (Arranging *a, const Peak *peak, gsize bytes)
{
  Plan *plan = a->plan;
  guint step = (guint) (peak->at - step_at (plan, 0)), last = 0;
  const PlanImage *made = NULL;
  Fate *fate = NULL;
  gsize max = SMALL;
  for (guint i = 0; i < plan->images->len && peak->fresh; i++) {
    const PlanImage *image = &g_array_index (plan->images, PlanImage, i);
    gsize left = image->bytes - *on_disk (plan, image);
    if (left < max || (left == max && image->last <= last) || !is_alive (plan, image, step))
      continue;
    made = image, max = left, last = image->last;
  }
  for (guint i = 0; i < plan->needed->len; i++)
    if (a->fates[i] == IN_MEMORY && image_missing_bytes (plan->needed->pdata[i]) > max
        && image_comes_from_file (plan->needed->pdata[i]))
      fate = &a->fates[i], max = image_missing_bytes (plan->needed->pdata[i]);
  if (fate)
    *fate = ON_DISK;
  else if (made)
    *on_disk (plan, made) += CLAMP (bytes, SMALL, max);
  return fate || made;
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

static gboolean
refuse (const Plan *plan, const Peak *peak, const HostRoom *room, const HostRoom *disk, GError **error)
{
  gsize all = add (peak->fresh, peak->mapped);
  double share = 0.98 * ((double) room->bytes + (double) disk->bytes) / (double) all;
  g_autofree char *needed = g_format_size_full (all, G_FORMAT_SIZE_IEC_UNITS),
                  *left = g_format_size_full (room->bytes, G_FORMAT_SIZE_IEC_UNITS),
                  *limit = g_format_size_full (room->limit, G_FORMAT_SIZE_IEC_UNITS),
                  *on_disk = g_format_size_full (disk->bytes, G_FORMAT_SIZE_IEC_UNITS),
                  *fits = what_fits (image_info (plan->needed->pdata[0]), share);
  step_error_set (error, FV_NO_MEMORY, NULL,
                  "%s: Not enough memory: steps up to here need %s more, %s are left of the %s of %s, and "
                  "%s on the disk of %s (FOVEA_SCRATCH selects another folder). Of the image, %s.",
                  peak->at->op->fv.key, needed, left, limit, room->whose, on_disk, disk->whose, fits);
  return FALSE;
}

static void
forget (Arranging *a)
{
  for (guint i = 0; i < a->plan->steps->len; i++)
    step_at (a->plan, i)->where = (CallTarget){0};
  memset (a->fates, 0, a->plan->needed->len * sizeof *a->fates);
}

/* Whether disk and memory suffice when no more than `allowed` bytes of the memory are for images. */
static gboolean
arrange (Arranging *a, gsize allowed, const HostRoom *room, const HostRoom *disk)
{
  Peak peak;
  gsize now, over;
  forget (a);
  use_strips (a, CLAMP (allowed / 4, SMALL, MAX_STRIP));
  do {
    peak = peak_of (a);
    now = add (peak.fresh, peak.mapped);
  } while (now > allowed && spill_one (a, &peak, now - allowed));
  over = now - MIN (now, room->bytes); /* scratch, which goes to the disk when it comes to that */
  return add (peak.disk, over) <= disk->bytes;
}

/* Finds where everything goes, and says so in the plan alone. */
static gboolean
assign_residency (Arranging *a, GError **error)
{
  HostRoom room, disk;
  Peak peak;
  if (!a->plan->steps->len)
    return TRUE;
  peak = peak_of (a);
  if (host_memory_fits (peak.fresh, peak.mapped, &room))
    return TRUE;
  disk = disk_memory_room ();
  /* Better half of the memory is left to what is on its way to the disk and back. */
  return arrange (a, room.bytes / 2, &room, &disk) || arrange (a, room.bytes, &room, &disk)
         || refuse (a->plan, &peak, &room, &disk, error);
}

gboolean
plan_memory_arrange (Plan *plan, const Device *device, GError **error)
{
  g_autofree Fate *fates = g_new0 (Fate, plan->needed->len);
  if (!assign_residency (&(Arranging){plan, device, fates}, error))
    return FALSE;
  for (guint i = 0; i < plan->needed->len; i++)
    if (fates[i] == ON_DISK)
      image_set_on_disk (plan->needed->pdata[i]);
  return TRUE;
}

gboolean
plan_memory_fits (Plan *plan, const Device *device)
{
  g_autofree Fate *fates = g_new0 (Fate, plan->needed->len);
  return assign_residency (&(Arranging){plan, device, fates}, NULL);
}

/* ---- GPUs ---- */

gsize
plan_memory_lacked (const Plan *plan, gsize room)
{
  gsize max = 0;
  for (guint i = 0; i < plan->steps->len; i++) {
    const PlanStep *step = step_at (plan, i);
    gsize all = add (add (step->read, step->made), step->scratch);
    if (!step->elsewhere && all > room && !can_strip (step, room))
      max = MAX (max, all);
  }
  return max;
}

gsize
plan_memory_needed (Plan *plan, const Device *device)
{
  g_autofree Fate *fates = g_new0 (Fate, plan->needed->len);
  Arranging a = {plan, device, fates};
  Peak peak = {0};
  if (plan->steps->len)
    peak = peak_of (&a);
  return add (peak.fresh, peak.mapped);
}
