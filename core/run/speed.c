/* SPDX-License-Identifier: MIT
 *
 * A Gaussian measures the cost of arithmetic, a threshold that of bytes. Each runs four times, and the shortest time
 * after the first counts, since other load only makes it longer. A group of the file for the CPU and one for the GPU
 * each name their hardware.
 */
#include "core/run/speed.h"

#include "core/base/file_read.h"
#include "core/base/file_target.h"
#include "core/base/fork.h"
#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/call/op.h"

#include <string.h>

#define LARGEST (1 << 16) /* bytes of the file */

/* Measured on two cores of an AMD EPYC, and for a GPU of the middle class on its bus. */
static const Speed usual_cpu = {.arithmetic_ns = 0.05, .byte_ns = 0.1, .step_ms = 0.02};
static const Speed usual_gpu = {
  .arithmetic_ns = 0.0005, .byte_ns = 0.004, .step_ms = 0.05, .bus_ns = 0.11, .driver_ms = 280, .context_ms = 130};

static GMutex lock; /* guards the file and what is known of it */
static GKeyFile *known;
static GSList *speeds; /* of FoundSpeed: what the file says, looked up once, since `auto` asks before each small step */

FORK_GUARD_STATIC (lock)

static char *
path_of_file (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fovea", "speed.ini", NULL);
}

/* The lock is held. A file that cannot be read is none. */
static GKeyFile *
keys (void)
{
  g_autofree char *path = path_of_file (), *text = NULL;
  gsize n = 0;
  if (known)
    return known;
  known = g_key_file_new ();
  if ((text = file_read_small (path, 0, LARGEST, &n, NULL)) && !memchr (text, 0, n))
    g_key_file_load_from_data (known, text, n, G_KEY_FILE_NONE, NULL);
  return known;
}

static const char *
group_of (const Device *device)
{
  return !device || device->fv->kind != FV_CPU ? "card" : "cpu";
}

/* What the figures are of. */
static char *
text_of (const Device *device)
{
  g_autofree char *all =
    g_strdup_printf ("%s | %s | %s | %u", FOVEA_VERSION, device->fv->name, device->fv->detail, g_get_num_processors ());
  return text_visible (all, "");
}

/* The lock is held. Whether the group is of that device, or of whichever was here last. */
static gboolean
is_of (const char *group, const Device *device)
{
  g_autofree char *of = g_key_file_get_string (keys (), group, "of", NULL), *now = device ? text_of (device) : NULL;
  return of && (now ? !strcmp (of, now) : g_str_has_prefix (of, FOVEA_VERSION " | "));
}

/* Figures by their names in the file. */
static const struct {
  const char *name;
  gsize offset;
} constants[] = {{"arithmetic_ns", G_STRUCT_OFFSET (Speed, arithmetic_ns)},
                 {"byte_ns", G_STRUCT_OFFSET (Speed, byte_ns)},
                 {"bus_ns", G_STRUCT_OFFSET (Speed, bus_ns)},
                 {"driver_ms", G_STRUCT_OFFSET (Speed, driver_ms)},
                 {"context_ms", G_STRUCT_OFFSET (Speed, context_ms)}};

typedef struct FoundSpeed {
  char *name, *detail; /* NULL: whichever GPU was here last */
  Speed speed;
  gboolean tried; /* to measure it */
} FoundSpeed;

static void
found_free (gpointer data)
{
  FoundSpeed *f = data;
  g_free (f->name);
  g_free (f->detail);
  g_free (f);
}

/* The lock is held. Those that are not there or make no sense are as usual. */
static Speed
look_up (const Device *device)
{
  const char *group = group_of (device);
  Speed speed = device && device->fv->kind == FV_CPU ? usual_cpu : usual_gpu;
  for (guint i = 0; i < G_N_ELEMENTS (constants) && is_of (group, device); i++) {
    double number = g_key_file_get_double (keys (), group, constants[i].name, NULL);
    if (!(number > 0 && number < 1e6))
      continue;
    G_STRUCT_MEMBER (double, &speed, constants[i].offset) = number;
    speed.measured |= constants[i].offset == G_STRUCT_OFFSET (Speed, arithmetic_ns);
  }
  return speed;
}

/* The lock is held. */
static FoundSpeed *
find (const Device *device)
{
  const char *name = device ? device->fv->name : NULL, *detail = device ? device->fv->detail : NULL;
  FoundSpeed *found;
  for (GSList *l = speeds; l; l = l->next) {
    found = l->data;
    if (!g_strcmp0 (found->name, name) && !g_strcmp0 (found->detail, detail))
      return found;
  }
  found = g_new (FoundSpeed, 1);
  *found = (FoundSpeed){g_strdup (name), g_strdup (detail), look_up (device), FALSE};
  speeds = g_slist_prepend (speeds, found);
  return found;
}

static Speed
speed_of (const Device *device)
{
  g_mutex_lock (&lock);
  const Speed speed = find (device)->speed;
  g_mutex_unlock (&lock);
  return speed;
}

/* Whether it is to be measured: what cannot be is not tried before each step. */
static gboolean
try (const Device *device)
{
  g_mutex_lock (&lock);
  FoundSpeed *found = find (device);
  const gboolean first = !found->speed.measured && !found->tried;
  found->tried = TRUE;
  g_mutex_unlock (&lock);
  return first;
}

Speed
speed_of_cpu (const Device *cpu)
{
  return speed_of (cpu);
}

Speed
speed_of_gpu (const Device *gpu)
{
  return speed_of (gpu);
}

/* ---- Keeping ---- */

void
speed_keep (const Device *device, const Speed *speed)
{
  const char *group = group_of (device);
  g_autofree char *path = path_of_file (), *folder = g_path_get_dirname (path), *text = NULL, *of = text_of (device);
  g_autoptr (GError) error = NULL;
  g_mutex_lock (&lock);
  if (!is_of (group, device))
    g_key_file_remove_group (keys (), group, NULL);
  g_key_file_set_string (keys (), group, "of", of);
  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (G_STRUCT_MEMBER (double, speed, constants[i].offset) > 0)
      g_key_file_set_double (keys (), group, constants[i].name, G_STRUCT_MEMBER (double, speed, constants[i].offset));
  g_slist_free_full (g_steal_pointer (&speeds), found_free);
  text = g_key_file_to_data (keys (), NULL, NULL);
  g_mkdir_with_parents (folder, 0700);
  if (!file_save_own_text (path, text, 0666, &error))
    g_info ("The speed of this machine cannot be saved: %s", error->message);
  g_mutex_unlock (&lock);
}

/* ---- Measuring ---- */

/* Milliseconds of the step on the image, all of it; -1 when it does not run. */
static double
time_step (const Modules *modules, const char *key, const char *const *args_text, Image *image, Device *device,
           Progress *progress)
{
  const Op *op = modules_op (modules, key, NULL);
  g_autofree gpointer args = op ? args_new (op, NULL) : NULL;
  Image *inputs[OP_MAX_ARRAYS] = {image};
  double ms = -1;
  for (; args && *args_text; args_text += 2)
    if (!args_set (op, args, args_text[0], args_text[1], NULL))
      return -1;
  for (int i = 0; i < 4 && args; i++) {
    CallResult result;
    gint64 start = g_get_monotonic_time ();
    if (!call_op (op, args, inputs, device, progress, &result, NULL))
      return -1;
    const double now = (double) (g_get_monotonic_time () - start) / 1000;
    if (i > 0)
      ms = ms < 0 ? now : MIN (ms, now);
    call_result_clear (&result);
  }
  return ms;
}

static Image *
new_image (gint64 side)
{
  const ImageInfo info = {.type = FV_U16,
                          .frames = 1,
                          .channels = 1,
                          .depth = 1,
                          .rows = side,
                          .columns = side,
                          .spacing = {1, 1, 1},
                          .name = (char *) "speed"};
  Image *image = image_new (&info, NULL);
  if (image)
    memset (image_pixels (image), 1, image_bytes (image));
  return image;
}

/* Milliseconds until the image is on the GPU; -1 when it does not get there. */
static double
time_upload (Image *image, Device *gpu, Progress *progress)
{
  gint64 start = g_get_monotonic_time ();
  if (!image_on_device (image, gpu, progress, NULL))
    return -1;
  image_off_device (image, gpu);
  return (double) (g_get_monotonic_time () - start) / 1000;
}

gboolean
speed_measure (const Modules *modules, Device *device, Progress *progress)
{
  static const char *const blur[] = {"sigma", "5", NULL}, *const compare[] = {"method", "manual", "lower", "2", NULL};
  const double products = 82, bytes = 3; /* of a pixel: of that Gaussian, and what the threshold reads and makes */
  if (!try (device))
    return FALSE;
  g_autoptr (Image) small = new_image (512), large = new_image (2048);
  if (!small || !large)
    return FALSE;
  double bus_ms = device->discrete ? time_upload (large, device, progress) : -1;
  double blur_ms = time_step (modules, "gaussian", blur, small, device, progress);
  double compare_ms = time_step (modules, "threshold", compare, large, device, progress);
  if (blur_ms <= 0 || compare_ms <= 0)
    return FALSE;
  speed_keep (device, &(Speed){.arithmetic_ns = blur_ms * 1e6 / (products * 512 * 512),
                               .byte_ns = compare_ms * 1e6 / (bytes * 2048 * 2048),
                               .bus_ns = bus_ms * 1e6 / (double) image_bytes (large)});
  return TRUE;
}
