/* SPDX-License-Identifier: MIT
 *
 * Nothing that a reader says is believed before it is checked: numbers, sizes, types and texts. What it computes runs in this process.
 */
#include "core/files/plugin_format.h"

#include "core/base/error.h"
#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/base/fork.h"
#include "core/base/progress.h"
#include "core/files/formats.h"
#include "core/ops/module_check_text.h"

#include <math.h>
#include <string.h>

#define DESCRIPTION (1 << 20)
enum {
  MAX_IMAGES = 1 << 16,
  MAX_CHANNELS = 1 << 16,
  MAX_LEVELS = 32,
  MAX_OTHERS = 1 << 16,
  NAME = 256,
  PATH = 1 << 16
};

typedef struct {
  FileFormat format; /* first: formats are cast to it */
  Reader *reader;
  guint uses; /* by modules */
} PluginFormat;

/* An opened file. */
typedef struct {
  gatomicrefcount references;
  Reader *reader;
  char *path, *left_out;
  GPtrArray *others; /* paths */
  void *file;        /* the reader's; close() is called when `opened` */
  guint32 count;
  gboolean opened;
} Opened;

typedef struct {
  Opened *opened;
  guint number;
  guint n_levels;
  ImageLevel levels[MAX_LEVELS];
} Source;

/* ---- What a reader answers ---- */

/* Of a function that failed; verb: "opened". */
static gboolean
fail (const Opened *o, const char *verb, const fv_error *fault, GError **error)
{
  g_autofree char *text = error_plugin_text (fault);
  if (fault->code == FV_CANCELLED || fault->code == FV_NO_MEMORY) {
    step_error_set (error, fault->code, NULL, "%s", text);
    return FALSE;
  }
  return file_fail (error, fault->code == FV_UNSUPPORTED ? FILE_ERROR_UNSUPPORTED : FILE_ERROR_DAMAGED, o->path,
                    "cannot be %s with the plugin %s: %s", verb, o->reader->plugin, text);
}

/* Of an answer that cannot be true; takes why, a sentence without a beginning. */
static gboolean
refuse (const Opened *o, GError *why, GError **error)
{
  g_autoptr (GError) own = why;
  return file_fail (error, FILE_ERROR_FORMAT, o->path, "cannot be opened: what the plugin %s says of it is wrong: %s.",
                    o->reader->plugin, own->message);
}

static gboolean
check_kind (const fv_file_image *i, GError **error)
{
  const fv_type type = i->type;
  if (!(type & FV_ALL_TYPES) || (type & (type - 1)) || type & ~FV_ALL_TYPES)
    return module_fault (error, "the pixel type %d does not exist", (int) type);
  if ((unsigned) i->role > FV_RGB)
    return module_fault (error, "the role %d does not exist", (int) i->role);
  if (i->role != FV_IMAGE && type != (i->role == FV_LABELS ? FV_I32 : FV_U8))
    return module_fault (error, "the pixel type does not fit the role");
  return i->role != FV_RGB || i->channels == 3
         || module_fault (error, "%" G_GINT64_FORMAT " channels are not RGB", (gint64) i->channels);
}

static gboolean
check_numbers (const fv_file_image *i, GError **error)
{
  const gint64 sizes[] = {i->frames, i->channels, i->depth, i->rows, i->columns};
  for (guint axis = 0; axis < G_N_ELEMENTS (sizes); axis++)
    if (sizes[axis] < 1)
      return module_fault (error, "the size %" G_GINT64_FORMAT " is less than 1", sizes[axis]);
  if (i->channels > MAX_CHANNELS)
    return module_fault (error, "%" G_GINT64_FORMAT " channels are more than %d", (gint64) i->channels, MAX_CHANNELS);
  for (int axis = 0; axis < 3; axis++)
    if (!(i->spacing[axis] >= 0 && isfinite (i->spacing[axis])))
      return module_fault (error, "the pixel size %g is negative or not finite", i->spacing[axis]);
  if (!(i->frame_interval >= 0 && isfinite (i->frame_interval)))
    return module_fault (error, "the frame interval %g is negative or not finite", i->frame_interval);
  for (gint64 c = 0; i->display_ranges && c < i->channels; c++) {
    const double low = i->display_ranges[2 * c], high = i->display_ranges[2 * c + 1];
    if (!(isfinite (low) && isfinite (high) && low <= high))
      return module_fault (error, "the contrast limits %g and %g are not finite, or not in order", low, high);
  }
  return (i->levels >= 1 && i->levels <= MAX_LEVELS)
         || module_fault (error, "the number %u of levels is not from 1 to %d", i->levels, MAX_LEVELS);
}

static gboolean
check_texts (const fv_file_image *i, GError **error)
{
  for (int axis = 0; axis < 3; axis++)
    if (!module_check_text_or_null ("unit", i->units[axis], MODULE_KEY, error))
      return FALSE;
  if (!module_check_text_or_null ("frame unit", i->frame_unit, MODULE_KEY, error))
    return FALSE;
  if (!module_check_text_or_null ("name", i->name, MODULE_SENTENCE, error))
    return FALSE;
  for (gint64 c = 0; i->channel_names && c < i->channels; c++)
    if (!module_check_text_or_null ("channel name", i->channel_names[c], NAME, error))
      return FALSE;
  return !i->description || strnlen (i->description, DESCRIPTION) < DESCRIPTION
         || module_fault (error, "the description has no end within %d bytes", DESCRIPTION);
}

/* Its channel names, NULL-terminated; NULL: none. Free with g_strfreev(). */
static char **
names_of (const fv_file_image *i)
{
  char **names = i->channel_names ? g_new0 (char *, i->channels + 1) : NULL;
  for (gint64 c = 0; names && c < i->channels; c++)
    names[c] = g_strdup (i->channel_names[c] ? i->channel_names[c] : "");
  return names;
}

/* For people: the file's, and that of the image in it. */
static char *
full_name (const Opened *o, const fv_file_image *i)
{
  g_autofree char *file = file_name_short (o->path);
  return i->name ? g_strdup_printf ("%s: %s", file, i->name) : g_steal_pointer (&file);
}

/* Clear with image_info_clear(). */
static ImageInfo
info_of (const Opened *o, guint n, const fv_file_image *i)
{
  ImageInfo info = {.type = i->type,
                    .role = i->role,
                    .frames = i->frames,
                    .channels = i->channels,
                    .depth = i->depth,
                    .rows = i->rows,
                    .columns = i->columns,
                    .frame_interval = i->frame_interval,
                    .frame_unit = g_strdup (i->frame_unit),
                    .channel_names = names_of (i),
                    .name = full_name (o, i),
                    .number = n,
                    .description = i->description ? g_ref_string_new (i->description) : NULL};
  for (int axis = 0; axis < 3; axis++) {
    const gboolean known = i->spacing[axis] > 0 && i->units[axis] && *i->units[axis];
    info.spacing[axis] = known ? i->spacing[axis] : 1;
    info.units[axis] = g_strdup (known ? i->units[axis] : "");
  }
  if (i->channel_colors)
    info.channel_colors = g_memdup2 (i->channel_colors, (gsize) i->channels * sizeof *i->channel_colors);
  if (i->display_ranges)
    info.display_ranges = g_memdup2 (i->display_ranges, 2 * (gsize) i->channels * sizeof *i->display_ranges);
  return info;
}

/* What the reader says of image n; clear *info with image_info_clear(). FALSE with *error, and nothing to clear. */
static gboolean
take_info (const Opened *o, guint n, ImageInfo *info, guint *levels, GError **error)
{
  fv_file_image image = {.size = sizeof image, .frames = 1, .channels = 1, .depth = 1, .levels = 1};
  fv_error fault = FV_ERROR_INIT;
  GError *why = NULL;
  if (error_settle (o->reader->fv.image (o->reader->declared, o->file, n, &image, &fault), &fault) != FV_OK)
    return fail (o, "opened", &fault, error);
  if (image.size != sizeof image)
    module_fault (&why, "the size of its struct is overwritten");
  else if (check_numbers (&image, &why) && check_kind (&image, &why) && check_texts (&image, &why) && image.levels > 1
           && !o->reader->fv.level)
    module_fault (&why, "it has %u levels and no level()", image.levels);
  if (why)
    return refuse (o, why, error);
  *info = info_of (o, n, &image);
  *levels = image.levels;
  if (image_info_check (info, error))
    return TRUE;
  image_info_clear (info);
  return FALSE;
}

static gboolean
check_level (const fv_level *l, guint n, const ImageLevel *before, GError **error)
{
  if (l->size != sizeof *l)
    return module_fault (error, "the size of a level's struct is overwritten");
  if (l->rows < 1 || l->columns < 1 || l->rows > before->rows || l->columns > before->columns
      || (n == 0 && (l->rows < before->rows || l->columns < before->columns)))
    return module_fault (error, "level %u of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels does not fit", n,
                         (gint64) l->columns, (gint64) l->rows);
  return (l->tile_rows >= 0 && l->tile_columns >= 0 && !l->tile_rows == !l->tile_columns)
         || module_fault (error, "level %u has tiles of %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels", n,
                          (gint64) l->tile_columns, (gint64) l->tile_rows);
}

static gboolean
take_levels (Source *s, const ImageInfo *info, GError **error)
{
  const fv_reader *fv = &s->opened->reader->fv;
  ImageLevel before = {.rows = info->rows, .columns = info->columns};
  for (guint n = 0; n < s->n_levels; n++) {
    fv_level level = {.size = sizeof level, .rows = n ? 0 : info->rows, .columns = n ? 0 : info->columns};
    fv_error fault = FV_ERROR_INIT;
    GError *why = NULL;
    if (fv->level
        && error_settle (fv->level (s->opened->reader->declared, s->opened->file, s->number, n, &level, &fault), &fault)
             != FV_OK)
      return fail (s->opened, "opened", &fault, error);
    if (!check_level (&level, n, &before, &why))
      return refuse (s->opened, why, error);
    const gboolean direct = level.tile_rows == 0;
    before = s->levels[n] =
      (ImageLevel){level.rows, level.columns, direct ? level.rows : MIN (level.tile_rows, level.rows),
                   direct ? level.columns : MIN (level.tile_columns, level.columns), direct};
  }
  return TRUE;
}

/* ---- Images ---- */

static void
opened_unref (gpointer data)
{
  Opened *o = data;
  if (!g_atomic_ref_count_dec (&o->references))
    return;
  if (o->opened)
    o->reader->fv.close (o->reader->declared, o->file);
  reader_unref (o->reader);
  g_free (o->path);
  g_free (o->left_out);
  g_ptr_array_unref (o->others);
  g_free (o);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opened, opened_unref)

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  if (n < s->n_levels)
    *level = s->levels[n];
  return n < s->n_levels;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  const Source *s = self;
  const Reader *r = s->opened->reader;
  const fv_region part = {sizeof part, s->number,      level,        plane,
                          region->row, region->column, region->rows, region->columns};
  fv_error fault = FV_ERROR_INIT;
  if (progress_stopped (error))
    return FALSE;
  return error_settle (r->fv.read (r->declared, s->opened->file, &part, to, stride, &fault), &fault) == FV_OK
         || fail (s->opened, "read", &fault, error);
}

static void
source_free (gpointer self)
{
  opened_unref (((Source *) self)->opened);
  g_free (self);
}

static Image *
open_image (gpointer layout, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  Opened *o = layout;
  ImageInfo info;
  guint levels = 1;
  if (!take_info (o, n, &info, &levels, error))
    return NULL;
  Source *s = g_new0 (Source, 1);
  g_atomic_ref_count_inc (&o->references);
  *s = (Source){.opened = o, .number = n, .n_levels = levels};
  Image *image = NULL;
  if (take_levels (s, &info, error))
    image = image_new_from_source (&info, &functions, s, error);
  else
    source_free (s);
  image_info_clear (&info);
  return image;
}

/* ---- Files ---- */

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  const Reader *r = ((const PluginFormat *) self)->reader;
  return r->fv.is (r->declared, path, head, n);
}

static gboolean
take_others (Opened *o, GError **error)
{
  const fv_reader *fv = &o->reader->fv;
  const char *const *others = fv->others ? fv->others (o->reader->declared, o->file) : NULL;
  for (; others && *others; others++) {
    if (o->others->len == MAX_OTHERS)
      return module_fault (error, "it has more than %d other files, or their list has no end", MAX_OTHERS);
    if (!**others || strnlen (*others, PATH) == PATH)
      return module_fault (error, "the path of another file is empty, or has no end within %d bytes", PATH);
    g_ptr_array_add (o->others, g_strdup (*others));
  }
  return TRUE;
}

static gboolean
take_file (Opened *o, GError **error)
{
  const fv_reader *fv = &o->reader->fv;
  fv_error fault = FV_ERROR_INIT;
  GError *why = NULL;
  if (error_settle (fv->open (o->reader->declared, o->path, &o->file, &o->count, &fault), &fault) != FV_OK)
    return fail (o, "opened", &fault, error);
  o->opened = TRUE;
  const char *left_out = fv->left_out ? fv->left_out (o->reader->declared, o->file) : NULL;
  if (o->count < 1 || o->count > MAX_IMAGES)
    module_fault (&why, "the number %u of images is not from 1 to %d", o->count, MAX_IMAGES);
  else if (module_check_text_or_null ("text about what is left out", left_out, MODULE_SENTENCE, &why)
           && take_others (o, &why))
    o->left_out = g_strdup (left_out);
  return !why || refuse (o, why, error);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (Opened) o = g_new0 (Opened, 1);
  g_atomic_ref_count_init (&o->references);
  o->reader = reader_ref (((const PluginFormat *) self)->reader);
  o->path = g_strdup (path);
  o->others = g_ptr_array_new_with_free_func (g_free);
  return take_file (o, error) ? g_steal_pointer (&o) : NULL;
}

static guint
count (gconstpointer layout)
{
  return ((const Opened *) layout)->count;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const Opened *) layout)->left_out;
}

static const GPtrArray *
others (gconstpointer layout)
{
  return ((const Opened *) layout)->others;
}

/* ---- The list ---- */

static GMutex lock;
FORK_GUARD_STATIC (lock)
static GPtrArray *known; /* PluginFormat; kept while the program runs, since anyone may still look at one */

static PluginFormat *
find (const fv_reader *declared)
{
  for (guint i = 0; known && i < known->len; i++) {
    PluginFormat *p = known->pdata[i];
    if (p->uses && p->reader->declared == declared)
      return p;
  }
  return NULL;
}

static gboolean
add (Reader *reader, GError **error)
{
  PluginFormat *p = g_new0 (PluginFormat, 1);
  *p = (PluginFormat){.format = {.key = reader->fv.key,
                                 .label = reader->fv.label,
                                 .plugin = reader->plugin,
                                 .endings = (const char *const *) reader->endings,
                                 .mime = (const char *const *) reader->mime,
                                 .is = is,
                                 .layout = layout_new,
                                 .free = opened_unref,
                                 .count = count,
                                 .left_out = left_out,
                                 .others = others,
                                 .last = reader->fv.last,
                                 .open = open_image},
                      .reader = reader_ref (reader),
                      .uses = 1};
  if (!known)
    known = g_ptr_array_new ();
  g_ptr_array_add (known, p);
  if (formats_add (&p->format, error))
    return TRUE;
  p->uses = 0;
  return FALSE;
}

void
plugin_formats_use (Modules *modules)
{
  const GPtrArray *readers = modules_readers (modules);
  g_mutex_lock (&lock);
  for (guint i = 0; i < readers->len; i++) {
    g_autoptr (GError) error = NULL;
    Reader *reader = readers->pdata[i];
    PluginFormat *p = find (reader->declared);
    if (p)
      p->uses++;
    else if (!add (reader, &error))
      modules_refuse (modules, error->message);
  }
  g_mutex_unlock (&lock);
}

void
plugin_formats_drop (const Modules *modules)
{
  const GPtrArray *readers = modules_readers (modules);
  g_mutex_lock (&lock);
  for (guint i = 0; i < readers->len; i++) {
    PluginFormat *p = find (((const Reader *) readers->pdata[i])->declared);
    if (p && --p->uses == 0)
      formats_remove (&p->format);
  }
  g_mutex_unlock (&lock);
}
