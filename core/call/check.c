/* SPDX-License-Identifier: MIT
 *
 * Texts are read no further than they may go, and sizes are known to be possible before anything is made of them.
 */
#include "core/call/check.h"

#include "core/base/error.h"
#include "core/ops/module_check_text.h"

#include <math.h>
#include <string.h>

#define MAX_CHANNELS 65536
#define MAX_COLUMNS 65536
#define LARGEST_SIDE (G_GINT64_CONSTANT (1) << 40)
#define COLUMN_SIZE 4096 /* bytes of an fv_column of a newer header */
#define NAME 256         /* of a channel */

/* ---- Grids ---- */

static gboolean wrong (GError **error, const Op *op, guint i, const char *format, ...) G_GNUC_PRINTF (4, 5);

static gboolean
wrong (GError **error, const Op *op, guint i, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  step_error_set (error, FV_UNSUPPORTED, NULL, "%s gives its output '%s' %s.", op->fv.key, op->fv.outputs[i].key, text);
  return FALSE;
}

static gboolean
is_type (guint type)
{
  return type && !(type & (type - 1)) && type & FV_ALL_TYPES;
}

static gboolean
check_kind (const Op *op, guint i, const fv_grid *grid, const fv_grid *first, GError **error)
{
  static const guint types[] = {[FV_MASK] = FV_U8, [FV_LABELS] = FV_I32, [FV_RGB] = FV_U8};
  unsigned char dense;
  if (grid->size != first->size)
    return wrong (error, op, i, "a different struct size, which it must not change");
  memcpy (&dense, &grid->dense, 1); /* it need be no bool */
  if (!is_type (grid->type))
    return wrong (error, op, i, "the unknown type %d", (int) grid->type);
  if ((guint) grid->role > FV_RGB)
    return wrong (error, op, i, "the unknown role %d", (int) grid->role);
  if (dense > 1)
    return wrong (error, op, i, "a 'dense' that is neither true nor false");
  if ((grid->type != first->type || grid->role != first->role) && grid->role != FV_IMAGE
      && grid->type != types[grid->role])
    return wrong (error, op, i, "a type that does not go with its role");
  return TRUE;
}

static gboolean
check_size (const Op *op, guint i, const fv_grid *grid, const fv_grid *first, fv_grain grain, GError **error)
{
  for (int axis = 0; axis < 3; axis++)
    if (grid->shape[axis] < 1 || grid->shape[axis] > LARGEST_SIDE)
      return wrong (error, op, i,
                    "an impossible size: %" G_GINT64_FORMAT " planes of %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
                    " pixels",
                    grid->shape[0], grid->shape[2], grid->shape[1]);
  if (grid->channels != first->channels && (grain < FV_FRAME || grid->channels < 1 || grid->channels > MAX_CHANNELS))
    return wrong (error, op, i, "%" G_GINT64_FORMAT " channels, which cannot be", grid->channels);
  if (grid->frames != first->frames && (grain != FV_SERIES || grid->frames < 1 || grid->frames > LARGEST_SIDE))
    return wrong (error, op, i, "%" G_GINT64_FORMAT " frames, which cannot be", grid->frames);
  if (grid->shape[0] % grid->channels)
    return wrong (error, op, i,
                  "%" G_GINT64_FORMAT " planes, which are no multiple of its %" G_GINT64_FORMAT " channels",
                  grid->shape[0], grid->channels);
  if (grid->shape[0] % (grid->channels * grid->frames))
    return wrong (error, op, i,
                  "%" G_GINT64_FORMAT " planes, which are no multiple of its %" G_GINT64_FORMAT
                  " channels and %" G_GINT64_FORMAT " frames",
                  grid->shape[0], grid->channels, grid->frames);
  return TRUE;
}

static gboolean
check_scale (const Op *op, guint i, const fv_grid *grid, const fv_grid *first, GError **error)
{
  for (int axis = 0; axis < 3; axis++)
    if (!(isfinite (grid->spacing[axis]) && grid->spacing[axis] > 0)
        && memcmp (grid->spacing, first->spacing, sizeof grid->spacing))
      return wrong (error, op, i, "pixels of the size %g", grid->spacing[axis]);
  if (grid->unit[0] && !module_check_text ("unit", grid->unit, sizeof grid->unit, NULL))
    return wrong (error, op, i, "a unit that is not text or has no end");
  if (grid->channel_names && grid->channel_names != first->channel_names)
    for (gint64 c = 0; c < grid->channels; c++)
      if (!module_check_text_or_null ("name", grid->channel_names[c], NAME, NULL))
        return wrong (error, op, i, "a channel name that is not text or has no end");
  return TRUE;
}

gboolean
call_check_grid (const Op *op, guint i, const fv_grid *grid, const fv_grid *first, fv_grain grain, GError **error)
{
  return check_kind (op, i, grid, first, error) && check_size (op, i, grid, first, grain, error)
         && check_scale (op, i, grid, first, error);
}

/* ---- Tables ---- */

static const fv_column *
column_at (const fv_column *columns, guint32 size, guint32 j)
{
  return (const fv_column *) ((const char *) columns + (gsize) j * size);
}

static gboolean
check_column (const fv_column *c, GError **error)
{
  return module_check_text ("key", c->key, MODULE_KEY, error)
         && module_check_text_or_null ("unit", c->unit, MODULE_KEY, error)
         && module_check_text_or_null ("help", c->help, MODULE_SENTENCE, error)
         && ((unsigned) c->type <= FV_COLUMN_STORED_VALUE || module_fault (error, "its type is unknown"));
}

char *
call_check_columns (const fv_column *columns, guint32 n, guint32 size, gboolean frames)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  if (size < offsetof (fv_column, type) + sizeof columns->type || size > COLUMN_SIZE || size % _Alignof(fv_column))
    return g_strdup_printf ("Its columns have a struct size of %u bytes instead of %zu.", size, sizeof *columns);
  if (!columns || n < 1 || n > MAX_COLUMNS)
    return g_strdup_printf ("Its table has an invalid number of columns: %u.", columns ? n : 0);
  if (frames)
    g_hash_table_add (keys, (gpointer) CALL_FRAME);
  for (guint32 j = 0; j < n; j++) {
    const fv_column *c = column_at (columns, size, j);
    g_autoptr (GError) error = NULL;
    if (!check_column (c, &error))
      return g_strdup_printf ("Column %u of its table: %s.", j + 1, error->message);
    if (!g_hash_table_add (keys, (gpointer) c->key))
      return g_strdup_printf ("Its table has the column '%s' twice.", c->key);
  }
  return NULL;
}

gboolean
call_check_same_columns (const Table *table, const fv_column *columns, guint32 n, guint32 size, gboolean frames)
{
  guint extra = frames ? 1 : 0;
  if (table_columns (table) != n + extra)
    return FALSE;
  for (guint32 j = 0; j < n; j++) {
    const fv_column *c = column_at (columns, size, j);
    const TableColumn *had = table_column (table, j + extra);
    if (strcmp (had->key, c->key) || strcmp (had->unit, c->unit ? c->unit : "") || had->stored != c->type)
      return FALSE;
  }
  return TRUE;
}
