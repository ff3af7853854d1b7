/* SPDX-License-Identifier: MIT
 *
 * The scratch that operations declare grows with the image as that which they take, when there is nothing in the image; tables,
 * lines and tiles do not grow. What pixels add to it, such as the runs of a mask, has a limit. On one thread.
 */
#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/call/grid.h"
#include "tests/support/op_inputs.h"
#include "tests/support/raw_call.h"
#include "tests/support/support.h"

#include <string.h>

enum { COLUMNS = 201, ROWS = 256, PLANES = 5, SMALL = 65536, OF_A_PIXEL = 16 /* bytes */ };

static Image *
nothing (fv_type type, fv_role role, gint64 channels, gint64 rows)
{
  return image_of_planes (type, role, channels, PLANES, rows, COLUMNS, NULL);
}

/* Pixels of no order, which no operation has a short way for. */
static Image *
noise (fv_type type, gint64 channels, gint64 rows)
{
  const gint64 n = channels * PLANES * rows * COLUMNS;
  g_autofree double *values = g_new (double, n);
  guint32 state = 1;
  for (gint64 i = 0; i < n; i++)
    values[i] = (state = state * 1664525u + 1013904223u) >> 25;
  return image_of_planes (type, FV_IMAGE, channels, PLANES, rows, COLUMNS, values);
}

/* What is declared and what is taken; FALSE when these arguments do not go with the image, which is taken. */
static gboolean
measure (const Op *op, gconstpointer args, Image *image, gint64 *said, gint64 *taken)
{
  const gint64 rows = image_info (image)->rows;
  Image *inputs[OP_INPUTS] = {image};
  const fv_grid *grids[OP_INPUTS] = {NULL};
  fv_grid in[OP_INPUTS], out[OP_INPUTS];
  RawResult raw;
  gboolean fits = FALSE;
  for (int optional = 0; optional < 2 && !fits;
       optional++) { /* those that may be missing only where they have to be given */
    for (guint i = 1; i < op->n_inputs; i++)
      if (!inputs[i] && op->fv.inputs[i].optional <= optional && !(op->fv.inputs[i].types & FV_WANTS_TABLE))
        inputs[i] = op->fv.inputs[0].types & op->fv.inputs[i].types & FV_WANTS_LABELS
                      ? nothing (FV_I32, FV_LABELS, 1, rows) /* as the first */
                      : noise (op->fv.inputs[i].types & FV_U8 ? FV_U8 : FV_I32, 1, rows);
    fits = !op_output_is_huge (op, args, inputs) && call_grids (op, args, inputs, in, out, NULL);
  }
  if (fits) {
    for (guint i = 0; i < op->n_inputs; i++)
      grids[i] = inputs[i] ? &in[i] : NULL;
    *said = op->fv.scratch ? op->fv.scratch (op->declared, args, grids) : 0;
    gboolean brief = op_is_long (op, args, inputs); /* stopped when it has what it needs */
    raw_call (op, args, inputs, NULL, brief, &raw);
    *taken = (gint64) raw.scratch;
    fits = raw.status == FV_OK || (brief && raw.status == FV_CANCELLED);
    raw_result_clear (&raw);
  }
  op_inputs_free (op, inputs);
  return fits;
}

/* FALSE when it could not be measured. */
static gboolean
check (const Op *op, fv_type type, fv_role role, const char *key, const char *value, const char *volume)
{
  g_autofree gpointer args = args_new (op, NULL);
  gint64 said[2], taken[2];
  if (args_param (op, "volume"))
    args_set (op, args, "volume", volume, NULL);
  if (key && !args_set (op, args, key, value, NULL))
    return FALSE;
  for (int i = 0; i < 2; i++)
    if (!measure (op, args, nothing (type, role, op_channels (op), ROWS << i), &said[i], &taken[i]))
      return FALSE;
  /* A twelfth: what a kernel as large as the image leaves of its tiles. */
  if (ABS ((said[1] - said[0]) - (taken[1] - taken[0])) > SMALL + (taken[1] - taken[0]) / 12)
    g_error ("%s of %s, %s=%s volume=%s: with so many rows more, %" G_GINT64_FORMAT
             " bytes more of scratch are declared, and %" G_GINT64_FORMAT " taken",
             op->fv.key, pixel_type (type)->name, key, value, volume, said[1] - said[0], taken[1] - taken[0]);
  return TRUE;
}

static void
test_scratch (gconstpointer data)
{
  const Op *op = data;
  const char *volumes[] = {"no", "yes"};
  for (guint v = 0; v < (args_param (op, "volume") ? 2u : 1u); v++) {
    gboolean measured = FALSE;
    for (guint type = FV_U8; type <= FV_F64; type <<= 1) {
      if (!(op->fv.inputs[0].types & type))
        continue;
      measured |= check (op, type, FV_IMAGE, NULL, NULL, volumes[v]);
      if (type == FV_U8)
        check (op, type, FV_MASK, "iterations", "3", volumes[v]);
      if (type > FV_U16 && op->fv.inputs[0].types & FV_U16)
        continue;
      for (guint i = 0; i < op->n_params; i++) {
        const fv_param *p = &op->fv.params[i];
        for (const fv_choice *c = p->choices; c && c->key; c++)
          check (op, type, FV_IMAGE, p->key, c->key, volumes[v]);
        if (p->type == FV_INT && !p->choices)
          check (op, type, FV_IMAGE, p->key, "3", volumes[v]);
      }
    }
    g_assert_true (measured);
  }
}

static gboolean
takes_labels (const Op *op)
{
  for (guint i = 0; i < op->n_inputs; i++)
    if (op->fv.inputs[i].types & FV_WANTS_LABELS)
      return TRUE;
  return FALSE;
}

/* Of labels the tables of objects grow, of which random pixels would be too many. */
static void
test_pixels (gconstpointer data)
{
  const Op *op = data;
  const gboolean bytes = op->fv.inputs[0].types & FV_U8;
  const char *volumes[] = {"no", "yes"};
  for (guint v = 0; v < (args_param (op, "volume") ? 2u : 1u); v++) {
    g_autofree gpointer args = args_new (op, NULL);
    Image *image = bytes ? image_random (FV_U8, FV_MASK, op_channels (op), PLANES, ROWS, COLUMNS, 1)
                         : noise (FV_I32, op_channels (op), ROWS);
    gint64 said, taken;
    if (args_param (op, "volume"))
      args_set (op, args, "volume", volumes[v], NULL);
    if (measure (op, args, image, &said, &taken) && taken - said > SMALL + OF_A_PIXEL * PLANES * ROWS * COLUMNS)
      g_error ("%s volume=%s: %" G_GINT64_FORMAT " bytes of scratch are declared, and %" G_GINT64_FORMAT
               " taken, %.1f a pixel more",
               op->fv.key, volumes[v], said, taken, (double) (taken - said) / (PLANES * ROWS * COLUMNS));
  }
}

int
main (int argc, char **argv)
{
  const GPtrArray *ops = modules_ops (test_modules ());
  init_tests (&argc, &argv);
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    g_autofree char *path = g_strdup_printf ("/scratch/%s", op->fv.key),
                    *of_pixels = g_strdup_printf ("/scratch-of-pixels/%s", op->fv.key);
    g_test_add_data_func (path, op, test_scratch);
    if (!takes_labels (op))
      g_test_add_data_func (of_pixels, op, test_pixels);
  }
  return g_test_run ();
}
