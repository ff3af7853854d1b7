/* SPDX-License-Identifier: MIT
 */
#include "runtime/bare.h"

#include "runtime/description.h"
#include "runtime/error.h"
#include "runtime/external.h"
#include "runtime/meaning.h"
#include "runtime/ort.h"

#include <string.h>

enum { SIDE = 256, STEP = 64 };

/* As channels. */
static gboolean
is_few (gint64 n)
{
  return n >= 1 && n <= MODEL_INPUTS;
}

/* Which dimension is which: those of planes are at the end, or before that of the channels. */
static gboolean
set_axes (const gint64 *sizes, guint n, model_head *head, GError **error)
{
  const gboolean behind = n == 4 && is_few (sizes[3]) && !is_few (sizes[1]);
  if (n != 4 || (!behind && sizes[1] > MODEL_INPUTS))
    return model_error (error, "Its network does not take planes, but %u axes, %d channels.", n,
                        n > 1 ? (int) sizes[1] : 0);
  head->inputs = (gint32) MAX (sizes[behind ? 3 : 1], 1);
  g_strlcpy (head->in_axes, behind ? "byxc" : "bcyx", MODEL_AXES);
  g_strlcpy (head->out_axes, head->in_axes, MODEL_AXES);
  for (int i = 0; i < 2; i++) {
    const gint64 size = sizes[(behind ? 1 : 2) + i];
    head->least[i] = (gint32) (size > 0 && size <= MODEL_LARGEST ? size : SIDE);
    head->step[i] = size > 0 ? 0 : STEP;
  }
  return TRUE;
}

static gboolean
set_output (Ort *ort, model_head *head, GError **error)
{
  Planes out;
  g_autofree float *empty = g_new0 (float, (gsize) head->inputs *(gsize) head->least[0] * (gsize) head->least[1]),
                   *numbers = ort_run (ort, head, empty, head->least[0], head->least[1], &out, error);
  if (!numbers)
    return FALSE;
  for (head->shrink = 0; head->shrink <= 1; head->shrink++)
    if (out.rows << head->shrink == head->least[0] && out.columns << head->shrink == head->least[1]) {
      head->channels = (gint32) MIN (out.channels, G_MAXINT32);
      return meaning_set (head, NULL, TRUE, error);
    }
  return model_error (error, "Its network makes %d x %d numbers of %d x %d pixels.", (int) out.rows, (int) out.columns,
                      (int) head->least[0], (int) head->least[1]);
}

static gboolean
fill (Package *p, const char *path, GBytes *onnx, GError **error)
{
  model_head *head = &p->head;
  gint64 sizes[MODEL_AXES] = {0};
  guint n = 0;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, onnx);
  if (!external_names (onnx, names, error))
    return FALSE;
  if (names->len)
    return model_error (error,
                        "Its weights are in another file, '%.60s'. Make a package of the BioImage Model Zoo of them.",
                        (char *) names->pdata[0]);
  Ort *ort = ort_new (path, 1, -1, error);
  if (!ort || !ort_input (ort, sizes, &n, error) || !set_axes (sizes, n, head, error) || !set_output (ort, head, error))
    return FALSE;
  head->test_rows = head->least[0];
  head->test_columns = head->least[1];
  if (!package_set_sizes (head, error))
    return FALSE;
  head->test_rows = head->test_columns = 0;
  head->statistic = MODEL_PERCENTILES;
  head->low = 0.5;
  head->high = 99.9;
  package_set_why (head, onnx);
  g_strlcpy (head->magic, MODEL_MAGIC, sizeof head->magic);
  g_strlcpy (head->sha256, sum, sizeof head->sha256);
  g_strlcpy (head->onnx, "model.onnx", sizeof head->onnx);
  return files_add (p->files, "model.onnx", g_bytes_ref (onnx), error);
}

Package *
bare_new (const char *path, GBytes *onnx, GError **error)
{
  g_autoptr (Package) p = g_new0 (Package, 1);
  p->files = files_new ();
  return fill (p, path, onnx, error) ? g_steal_pointer (&p) : NULL;
}
