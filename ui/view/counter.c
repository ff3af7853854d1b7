/* SPDX-License-Identifier: MIT
 *
 * Another plane of a stack that is counted changes what is shown of it alone.
 */
#include "ui/view/counter.h"

#include "core/base/worker.h"
#include "core/view/look_limits.h"
#include "core/view/plane_sample.h"

enum { MAX_PLANES = 64 }; /* of a stack */

struct _Counter {
  GObject parent;
  Worker *worker;
  Counted last;
  Image *image; /* counted, or about to be; or NULL */
  PlanePosition position;
  CounterExtent extent;
  gboolean zscale; /* its limits are wanted */
  gboolean known;  /* the counts are those of all planes of the extent */
  guint serial;    /* of what is counted */
};

G_DEFINE_FINAL_TYPE (Counter, counter, G_TYPE_OBJECT)

static guint counted_signal;

typedef struct {
  Counter *counter;
  Image *image;
  PlanePosition position;
  CounterExtent extent;
  ViewChannel look;
  gboolean known;
  guint serial;
  Counted found;
} Count;

static gboolean
count_planes (Count *count, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (count->image);
  gint64 all = info->depth * (count->extent == COUNTER_ALL ? info->frames : 1), n = MIN (all, MAX_PLANES);
  g_autofree Counts *planes = g_new (Counts, n);
  for (gint64 i = 0; i < n; i++) {
    if (progress_report (progress, i, n))
      return TRUE;
    gint64 at = i * all / n, frame = count->extent == COUNTER_ALL ? at / info->depth : count->position.frame;
    g_auto (PlaneSample) sample = {0};
    if (!plane_sample_take (&sample, count->image,
                            plane_number (info, (PlanePosition){count->position.channel, at % info->depth, frame}),
                            error))
      return FALSE;
    counts_of_plane (&planes[i], &sample.info, sample.pixels);
    count->found.exact &= sample.exact;
  }
  counts_join (&count->found.counts, planes, (guint) n);
  return TRUE;
}

static gboolean
count_work (gpointer data, Progress *progress, GError **error)
{
  Count *count = data;
  const gint64 plane = plane_number (image_info (count->image), count->position);
  g_auto (PlaneSample) sample = {0};
  gboolean good = plane_sample_take (&sample, count->image, plane, error);
  count->found.exact = good && sample.exact;
  if (good && count->extent != COUNTER_PLANE)
    good = count->known || count_planes (count, progress, error);
  else if (good) {
    counts_of_plane (&count->found.counts, &sample.info, sample.pixels);
    count->found.shown = count->found.counts.range;
  }
  if (good
      && (count->extent != COUNTER_PLANE || count->look.zscale
          || look_limits_are_of_all (&count->look, image_info (count->image))))
    good = look_limits (&count->look, count->image, plane, &count->found.shown, error);
  g_clear_pointer (&count->image, image_unref); /* here, where it may take its time */
  return good;
}

static void
finished (gpointer data, const GError *error)
{
  Count *count = data;
  Counter *counter = count->counter;
  if (!error) {
    if (count->known)
      count->found.counts = counter->last.counts;
    counter->last = count->found;
    counter->known |= count->extent != COUNTER_PLANE && count->serial == counter->serial;
    g_signal_emit (counter, counted_signal, 0);
  }
  image_unref (count->image);
  g_object_unref (counter);
  g_free (count);
}

static gboolean
same_position (PlanePosition a, PlanePosition b)
{
  return a.channel == b.channel && a.slice == b.slice && a.frame == b.frame;
}

void
counter_ask (Counter *counter, Image *image, PlanePosition position, CounterExtent extent, const ViewChannel *look)
{
  const gboolean other = image != counter->image || position.channel != counter->position.channel
                         || extent != counter->extent
                         || (extent == COUNTER_STACK && position.frame != counter->position.frame);
  if (!other && same_position (position, counter->position) && look->zscale == counter->zscale)
    return;
  image_ref (image);
  image_unref (counter->image);
  counter->image = image;
  counter->position = position;
  counter->extent = extent;
  counter->zscale = look->zscale;
  counter->known &= !other;
  counter->serial += other;
  Count *count = g_new (Count, 1);
  *count = (Count){.counter = g_object_ref (counter),
                   .image = image_ref (image),
                   .position = position,
                   .extent = extent,
                   .look = *look,
                   .known = counter->known,
                   .serial = counter->serial};
  worker_push (counter->worker, &(WorkerJob){count_work, finished, count, counter});
}

const Counted *
counter_last (const Counter *counter)
{
  return &counter->last;
}

static void
counter_finalize (GObject *object)
{
  Counter *counter = FOVEA_COUNTER (object);
  worker_free (counter->worker);
  image_unref (counter->image);
  G_OBJECT_CLASS (counter_parent_class)->finalize (object);
}

static void
counter_class_init (CounterClass *class)
{
  G_OBJECT_CLASS (class)->finalize = counter_finalize;
  counted_signal = g_signal_new ("counted", COUNTER_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
counter_init (Counter *counter)
{
  counter->worker = worker_new_modest (WORKER_LATER);
}

Counter *
counter_new (void)
{
  return g_object_new (COUNTER_TYPE, NULL);
}
