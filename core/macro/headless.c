/* SPDX-License-Identifier: MIT
 *
 * Of an image's results the last and those with names stay, and a change of its steps takes over what is the same.
 */
#include "core/macro/headless.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/files.h"
#include "core/macro/host/answers.h"
#include "core/macro/host/headless_items.h"
#include "core/macro/values.h"
#include "core/measure/measurements.h"
#include "core/run/choice.h"
#include "core/run/execute.h"
#include "core/run/reproducible.h"
#include "core/run/used_files.h"

#include <glib/gstdio.h>
#include <string.h>

struct Headless {
  HeadlessItems items; /* the first: what is `self` of the one is that of the other, too */
  MacroHost host;
  Modules *modules;
  char *device;
  gboolean device_is_fixed;
  HeadlessTalk talk;
  Answers *answers;
  Device *(*choose) (gpointer user, const Run *run, GError **error); /* NULL: by its key */
  gpointer user;
  const char *ran_on; /* NULL: nowhere */
  Table *saved;       /* NULL: none */
  GPtrArray *read;    /* paths, each once; ends with NULL */
  GString *reproducible, *sums;
  guint last_id, current;
};

/* ---- Images ---- */

/* One that was given on the way in, is the same file, and has not been touched; NULL: there is none. */
static HeadlessItem *
given (const Headless *h, const char *path, guint n)
{
  GStatBuf wanted, about;
  for (guint i = 0; i < h->items.all->len && !g_stat (path, &wanted); i++) {
    HeadlessItem *item = h->items.all->pdata[i];
    if (item->given && item->n == n && !g_stat (item->path, &about) && about.st_dev == wanted.st_dev
        && about.st_ino == wanted.st_ino)
      return item;
  }
  return NULL;
}

static HeadlessItem *
add (Headless *h, Image *source, const char *path, guint n)
{
  HeadlessItem *item = g_new0 (HeadlessItem, 1);
  item->id = h->current = ++h->last_id;
  item->path = path ? g_canonicalize_filename (path, NULL) : NULL;
  item->n = n;
  item->source = source;
  item->recipe = recipe_new ();
  item->settings = g_array_new (FALSE, FALSE, sizeof (ViewChannel));
  item->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) selection_free);
  g_ptr_array_add (h->items.all, item);
  return item;
}

static guint
open_file (gpointer self, const char *path, guint n, GError **error)
{
  Headless *h = self;
  HeadlessItem *item = given (h, path, n);
  Image *source;
  if (item) {
    item->given = FALSE;
    return h->current = item->id;
  }
  return (source = files_open (path, n, error)) ? add (h, source, path, n)->id : 0;
}

static guint
create (gpointer self, GError **error)
{
  (void) error;
  return add (self, image_ref (run_nothing ()), NULL, 0)->id;
}

void
headless_give (Headless *h, Image *image, const char *path, guint n)
{
  add (h, image_ref (image), path, n)->given = TRUE;
}

gboolean
headless_open (Headless *h, const char *path, GError **error)
{
  g_autoptr (Image) source = files_open (path, 0, error);
  if (source)
    headless_give (h, source, path, 0);
  return source != NULL;
}

static gboolean
close_image (gpointer self, guint image, GError **error)
{
  Headless *h = self;
  (void) error;
  g_ptr_array_remove (h->items.all, headless_item (h, image));
  if (h->current == image)
    h->current = h->items.all->len ? ((HeadlessItem *) h->items.all->pdata[h->items.all->len - 1])->id : 0;
  return TRUE;
}

static gboolean
exists (gpointer self, guint image)
{
  return headless_item (self, image) != NULL;
}

static GArray *
images (gpointer self)
{
  const Headless *h = self;
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < h->items.all->len; i++)
    g_array_append_val (ids, ((HeadlessItem *) h->items.all->pdata[i])->id);
  return ids;
}

static guint
current (gpointer self)
{
  return ((Headless *) self)->current;
}

static void
select_image (gpointer self, guint image)
{
  ((Headless *) self)->current = image;
}

static char *
title (gpointer self, guint image)
{
  return g_strdup (image_info (headless_item (self, image)->source)->name);
}

static char *
path_of (gpointer self, guint image)
{
  return g_strdup (headless_item (self, image)->path);
}

/* ---- Steps ---- */

static Recipe *
recipe_of (gpointer self, guint image)
{
  return recipe_ref (headless_item (self, image)->recipe);
}

static gboolean
set_recipe (gpointer self, guint image, const Recipe *recipe, GError **error)
{
  HeadlessItem *item = headless_item (self, image);
  (void) error;
  recipe_unref (item->recipe);
  item->recipe = recipe_ref (recipe);
  item->given = FALSE;
  return TRUE;
}

static void
take_turn (Device *device, void (*change) (GMutex *mutex))
{
  if (device && device->discrete)
    change (&device->turn);
}

static void
reads (gpointer self, const char *path)
{
  Headless *h = self;
  if (!g_ptr_array_find_with_equal_func (h->read, path, g_str_equal, NULL))
    g_ptr_array_add (h->read, g_strdup (path));
}

static gboolean
execute (gpointer self, Run *run, GError **error)
{
  Headless *h = self;
  g_autofree char *reason = NULL;
  Device *device =
    h->choose ? h->choose (h->user, run, error) : choice_device (run, h->modules, h->device, &reason, error);
  gboolean done;
  if (!device)
    return FALSE;
  h->ran_on = device->fv->key;
  take_turn (device, g_mutex_lock);
  done = run_execute (run, device, progress_current (), error);
  take_turn (device, g_mutex_unlock);
  reproducible_add (h->reproducible, run);
  used_files_add (h->sums, run);
  g_auto (GStrv) used = used_files (run);
  for (char **path = used; *path; path++)
    reads (h, *path);
  return done;
}

static gboolean
fetch (gpointer self, Image *image, GError **error)
{
  Device *device = image_device (image);
  gboolean done;
  (void) self;
  take_turn (device, g_mutex_lock);
  done = !device || image_on_host (image, progress_current (), error);
  take_turn (device, g_mutex_unlock);
  return done;
}

/* A run of these steps that has come to its end, beginning with what the item's last one has; NULL with *error. */
static Run *
run_through (Headless *h, const HeadlessItem *item, const Recipe *recipe, GError **error)
{
  g_autoptr (Run) run = run_new (recipe, item->source, RUN_KEEP_NAMED);
  if (item->run)
    run_continue (run, item->run);
  if (recipe_length (recipe) && !execute (h, run, error))
    return NULL;
  return g_steal_pointer (&run);
}

/* The run of the steps as they are now; NULL with *error. */
static const Run *
results (Headless *h, guint image, GError **error)
{
  HeadlessItem *item = headless_item (h, image);
  if (!item->run || !recipe_equal (run_recipe (item->run), item->recipe)) {
    Run *run = run_through (h, item, item->recipe, error);
    if (!run)
      return NULL;
    g_clear_pointer (&item->run, run_free);
    item->run = run;
  }
  return item->run;
}

static Image *
image_of (gpointer self, guint image, const char *name, GError **error)
{
  if (!g_strcmp0 (name, RECIPE_SOURCE))
    return image_ref (headless_item (self, image)->source);
  const Run *run = results (self, image, error);
  Image *made = run ? results_image (run, name, error) : NULL;
  return made ? image_ref (made) : NULL;
}

static Table *
table_of (gpointer self, guint image, const char *name, GError **error)
{
  const Run *run = results (self, image, error);
  Table *made = !run ? NULL : name ? results_table (run, name, error) : run_last_table (run);
  return made ? table_ref (made) : NULL;
}

static gboolean
set_device (gpointer self, const char *key, GError **error)
{
  Headless *h = self;
  (void) error;
  if (!h->device_is_fixed) {
    g_free (h->device);
    h->device = g_strdup (key);
    h->choose = NULL;
  }
  return TRUE;
}

static void
saved (gpointer self, guint image, const char *verb, const char *path, const char *options)
{
  (void) self, (void) image, (void) verb, (void) path, (void) options;
}

static void
saved_table (gpointer self, Table *table)
{
  Headless *h = self;
  g_clear_pointer (&h->saved, table_unref);
  h->saved = table_ref (table);
}

/* The image that step `step` makes, or the nearest before it; see host.h. NULL with *error. */
static Image *
image_at (Headless *h, guint image, guint step, GError **error)
{
  const HeadlessItem *item = headless_item (h, image);
  g_autoptr (Recipe) none = recipe_new (), part = NULL;
  g_autoptr (Run) run = NULL;
  guint n = recipe_length (item->recipe);
  if (step >= n)
    return image_of (h, image, NULL, error);
  if (!(part = recipe_with_steps (item->recipe, step, n - step, none, error))
      || !(run = run_through (h, item, part, error)))
    return NULL;
  return image_ref (run_last_image (run));
}

static gboolean
measure (gpointer self, guint image, guint step, const GPtrArray *selections, gboolean is_kept, GError **error)
{
  Headless *h = self;
  HeadlessItem *item = headless_item (h, image);
  g_autoptr (Image) looked_at = image_at (h, image, step, error);
  g_autoptr (Table) made = NULL;
  (void) is_kept;
  if (!looked_at || !fetch (h, looked_at, error)
      || !(made = measurements_make (looked_at, plane_within (image_info (looked_at), item->position), selections,
                                     progress_current (), error)))
    return FALSE;
  Table *all = measurements_join (item->measured, made, error);
  if (!all)
    return FALSE;
  g_clear_pointer (&item->measured, table_unref);
  item->measured = all;
  return TRUE;
}

/* ---- Talking ---- */

static void
print (gpointer self, const char *line)
{
  const HeadlessTalk *talk = &((Headless *) self)->talk;
  if (talk->print)
    talk->print (talk->user, line);
}

static void
progress (gpointer self, double done)
{
  const HeadlessTalk *talk = &((Headless *) self)->talk;
  if (talk->progress)
    talk->progress (talk->user, done);
}

static void
status (gpointer self, const char *text)
{
  const HeadlessTalk *talk = &((Headless *) self)->talk;
  if (talk->status)
    talk->status (talk->user, text);
}

static void
note (gpointer self, const char *text)
{
  const HeadlessTalk *talk = &((Headless *) self)->talk;
  if (talk->note)
    talk->note (talk->user, text);
}

static gboolean
dialog (gpointer self, const char *name, GPtrArray *fields, GError **error)
{
  return answers_give (((Headless *) self)->answers, name, fields, error);
}

/* ---- The host ---- */

Headless *
headless_new (Modules *modules, const char *device, const char *const *given_answers, const HeadlessTalk *talk)
{
  Headless *h = g_new0 (Headless, 1);
  h->host = (MacroHost){.self = h,
                        .modules = modules,
                        .open = open_file,
                        .create = create,
                        .close = close_image,
                        .exists = exists,
                        .images = images,
                        .current = current,
                        .select = select_image,
                        .title = title,
                        .path = path_of,
                        .recipe = recipe_of,
                        .set_recipe = set_recipe,
                        .image = image_of,
                        .table = table_of,
                        .set_device = set_device,
                        .execute = execute,
                        .fetch = fetch,
                        .saved = saved,
                        .saved_table = saved_table,
                        .reads = reads,
                        .position = headless_position,
                        .set_position = headless_set_position,
                        .look = headless_look,
                        .set_look = headless_set_look,
                        .selection = headless_selection_of,
                        .set_selection = headless_set_selection,
                        .kept = headless_kept,
                        .set_kept = headless_set_kept,
                        .measure = measure,
                        .measured = headless_measured,
                        .clear_measured = headless_clear_measured,
                        .print = print,
                        .progress = progress,
                        .status = status,
                        .note = note,
                        .dialog = dialog};
  h->modules = modules;
  h->device = g_strdup (device ? device : "auto");
  h->device_is_fixed = device != NULL;
  h->talk = *talk;
  h->read = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  h->reproducible = g_string_new (NULL);
  h->sums = g_string_new (NULL);
  h->answers = answers_new (given_answers);
  headless_items_init (&h->items);
  return h;
}

void
headless_free (Headless *h)
{
  headless_items_clear (&h->items);
  g_clear_pointer (&h->saved, table_unref);
  g_ptr_array_unref (h->read);
  g_string_free (h->reproducible, TRUE);
  g_string_free (h->sums, TRUE);
  answers_free (h->answers);
  g_free (h->device);
  g_free (h);
}

const MacroHost *
headless_host (const Headless *h)
{
  return &h->host;
}

void
headless_choose (Headless *h, Device *(*choose) (gpointer user, const Run *run, GError **error), gpointer user)
{
  h->choose = choose;
  h->user = user;
}

const char *
headless_device (const Headless *h)
{
  return h->ran_on;
}

const char *
headless_sums (const Headless *h)
{
  return h->sums->str;
}

const char *
headless_reproducible (const Headless *h)
{
  return h->reproducible->str;
}

const char *const *
headless_read (const Headless *h)
{
  return (const char *const *) h->read->pdata;
}

Table *
headless_table (Headless *h, GError **error)
{
  GError *fault = NULL;
  Table *table = h->saved ? table_ref (h->saved) : NULL;
  if (table || !h->current)
    return table;
  if (recipe_makes_table (headless_item (h, h->current)->recipe))
    table = table_of (h, h->current, NULL, &fault);
  if (fault)
    g_propagate_error (error, fault);
  return table || fault ? table : headless_measured (h, h->current);
}

gboolean
headless_all_asked (const Headless *h, GError **error)
{
  g_autofree char *unasked = answers_unasked (h->answers);
  if (unasked)
    step_error_set (error, FV_BAD_ARGUMENT, "arguments", "--arg %s: the macro did not ask for it.", unasked);
  return !unasked;
}
