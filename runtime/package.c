/* SPDX-License-Identifier: MIT
 */
#include "runtime/package.h"

#include "kernels/network/network.h"
#include "runtime/card.h"
#include "runtime/description.h"
#include "runtime/error.h"
#include "runtime/external.h"
#include "runtime/meaning.h"
#include "runtime/npy.h"
#include "runtime/planes.h"
#include "runtime/steps.h"

#include <string.h>

enum { LONGEST = 1 << 20 /* bytes of a description */, LEAST_HALO = 48 /* pixels */, LARGEST_STEP = 256 };

/* ---- Files ---- */

/* FALSE with *error: it is not there, or has another checksum. */
static GBytes *
take_file (Files *files, const Source *source, const char *what, GError **error)
{
  if (!source->name) {
    model_error (error, "It names no file for its %s.", what);
    return NULL;
  }
  GBytes *bytes = files_get (files, source->name, error);
  g_autofree char *sum = bytes && source->sha256 ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;
  if (!sum || !g_ascii_strcasecmp (sum, source->sha256))
    return bytes;
  model_error (error, "Its %s, '%.60s', is not what its description says: the SHA-256 differs. Download it again.",
               what, source->name);
  return NULL;
}

static gboolean
keep_file (Files *from, Files *to, const char *name, GError **error)
{
  GBytes *bytes = files_get (from, name, error);
  return bytes && files_add (to, name, g_bytes_ref (bytes), error);
}

/* The ONNX file, and all that it takes from other files, which are in its folder. */
static gboolean
keep_network (Package *p, Files *files, const Description *d, GError **error)
{
  GBytes *onnx = take_file (files, &d->onnx, "network", error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  if (!onnx || (d->data.name && !take_file (files, &d->data, "external data", error))
      || !external_names (onnx, names, error) || !files_add (p->files, d->onnx.name, g_bytes_ref (onnx), error))
    return FALSE;
  const char *slash = strrchr (d->onnx.name, '/');
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *name =
      g_strdup_printf ("%.*s%s", slash ? (int) (slash + 1 - d->onnx.name) : 0, d->onnx.name, (char *) names->pdata[i]);
    if (!keep_file (files, p->files, name, error))
      return FALSE;
  }
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, onnx);
  g_strlcpy (p->head.sha256, sum, sizeof p->head.sha256);
  g_strlcpy (p->head.onnx, d->onnx.name, sizeof p->head.onnx);
  package_set_why (&p->head, onnx);
  return TRUE;
}

/* ---- Test tensors ---- */

static float *
take_tensor (Files *files, const Source *source, const char *axes, const char *what, Planes *planes, GError **error)
{
  GBytes *bytes = take_file (files, source, what, error);
  g_autoptr (Npy) npy = bytes ? npy_new (bytes, error) : NULL;
  if (bytes && !npy)
    g_prefix_error (error, "Its %s, '%.60s': ", what, source->name);
  return npy ? planes_of (npy->numbers, npy->sizes, npy->n_axes, axes, what, planes, error) : NULL;
}

/* How many pixels a cell has; 0: not a whole power of 2. */
static gboolean
set_shrink (model_head *head, const Planes *in, const Planes *out)
{
  for (head->shrink = 0; head->shrink <= 1; head->shrink++)
    if (out->rows << head->shrink == in->rows && out->columns << head->shrink == in->columns)
      return TRUE;
  return FALSE;
}

static gboolean
take_test (Package *p, Files *files, const Description *d, GError **error)
{
  model_head *head = &p->head;
  Planes in, out;
  p->input = take_tensor (files, &d->test_input, head->in_axes, "test input", &in, error);
  p->output = p->input ? take_tensor (files, &d->test_output, head->out_axes, "test output", &out, error) : NULL;
  if (!p->output)
    return FALSE;
  if (in.channels > MODEL_INPUTS)
    return model_error (error, "Its network takes %d channels, and at most %d are possible.", (int) in.channels,
                        MODEL_INPUTS);
  if (head->factors > 1 && head->factors != in.channels)
    return model_error (error, "Its network takes %d channels, and its preprocessing has numbers for %d.",
                        (int) in.channels, (int) head->factors);
  if (d->one_channel && in.channels > 1)
    return model_error (error, "Its preprocessing takes a mean or range of each channel and then one of all channels. "
                               "Possible is one of the two.");
  if (in.rows > MODEL_LARGEST || in.columns > MODEL_LARGEST || out.channels > NETWORK_CHANNELS)
    return model_error (error, "Its test tensors have more than %d pixels a side or %d channels.", MODEL_LARGEST,
                        NETWORK_CHANNELS);
  if (!set_shrink (head, &in, &out))
    return model_error (
      error,
      "Its network makes %d x %d numbers of %d x %d pixels. Possible is one for each pixel, or for each 2 "
      "x 2 pixels.",
      (int) out.rows, (int) out.columns, (int) in.rows, (int) in.columns);
  head->inputs = (gint32) in.channels;
  head->together &= in.channels > 1;
  head->channels = (gint32) out.channels;
  head->test_rows = in.rows;
  head->test_columns = in.columns;
  p->pixels = in.channels * in.rows * in.columns;
  p->numbers = out.channels * out.rows * out.columns;
  return meaning_set (head, d->channels, d->stars, error);
}

/* ---- Sizes ---- */

static gint32
up_to (gint32 n, gint32 step)
{
  return (n + step - 1) / step * step;
}

static gboolean
refuse_size (const model_head *head, int i, gint32 test, GError **error)
{
  return model_error (error, "Its sizes do not fit together: smallest %d, step %d, halo %d, test input %d.",
                      (int) head->least[i], (int) head->step[i], (int) head->halo, (int) test);
}

gboolean
package_set_sizes (model_head *head, GError **error)
{
  const gint32 cell = 1 << head->shrink, test[] = {(gint32) head->test_rows, (gint32) head->test_columns};
  for (int i = 0; i < 2; i++) {
    if (head->least[i] == 0) {
      head->least[i] = test[i];
      head->step[i] = 0;
    }
    if (head->step[i])
      head->step[i] = up_to (head->step[i], cell);
    if (head->least[i] % cell || head->step[i] > LARGEST_STEP
        || (test[i] != head->least[i] && (!head->step[i] || test[i] < head->least[i])))
      return refuse_size (head, i, test[i], error);
  }
  gint32 halo = MAX (head->halo * cell, LEAST_HALO);
  for (int i = 0; i < 2; i++)
    halo = head->step[i] ? halo : MIN (halo, head->least[i] / 4);
  head->halo = up_to (halo, MAX (MAX (head->step[0], head->step[1]), cell));
  for (int i = 0; i < 2; i++)
    if (!head->step[i] && 2 * head->halo >= head->least[i])
      return refuse_size (head, i, test[i], error);
  return TRUE;
}

void
package_set_why (model_head *head, GBytes *onnx)
{
  network *net = g_new0 (network, 1);
  fv_error fault = FV_ERROR_INIT;
  gsize n;
  const void *bytes = g_bytes_get_data (onnx, &n);
  const char *why = "";
  if (head->inputs > 1)
    why = "Fovea itself computes networks of one channel alone.";
  else if (network_read (bytes, n, net, NULL, &fault))
    why = fault.text;
  else if (net->tensors[net->output].channels != head->channels || net->tensors[net->output].shrink != head->shrink)
    why = "Its output has another size than that of the network.";
  else if (head->test_rows % ((gint64) 1 << net->deepest) || head->test_columns % ((gint64) 1 << net->deepest))
    why = "The network's grid does not divide its test input.";
  else if (head->n_after)
    why = "Its output is changed by postprocessing.";
  else if (strcmp (head->in_axes, "bcyx") || strcmp (head->out_axes, "bcyx"))
    why = "The order of its axes is not b, c, y, x.";
  const char *end = strstr (why, ". "); /* the first sentence */
  g_autofree char *first = g_strndup (why, end ? (gsize) (end + 1 - why) : strlen (why));
  model_text (head->why, sizeof head->why, first);
  g_free (net);
}

/* ---- The whole ---- */

static GBytes *
find_description (Files *files, GError **error)
{
  static const char *const names[] = {"rdf.yaml", "bioimageio.yaml", "model.yaml"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GBytes *bytes = g_hash_table_lookup (files, names[i]);
    if (bytes && g_bytes_get_size (bytes) <= LONGEST)
      return bytes;
  }
  model_error (error, "It is not a package of the BioImage Model Zoo: it has no rdf.yaml of at most 1 MiB.");
  return NULL;
}

static gboolean
fill (Package *p, Files *files, Tree *tree, GError **error)
{
  Description d = {0};
  gboolean done = description_read (tree, &d, error);
  p->head = d.head;
  p->card = card_new (tree);
  done = done && take_test (p, files, &d, error) && package_set_sizes (&p->head, error)
         && keep_network (p, files, &d, error);
  description_clear (&d);
  if (done)
    steps_do_before (&p->head, p->input, p->pixels / p->head.inputs);
  g_strlcpy (p->head.magic, MODEL_MAGIC, sizeof p->head.magic);
  return done;
}

Package *
package_new (Files *files, GError **error)
{
  GBytes *text = find_description (files, error);
  g_autoptr (Tree) tree = text ? tree_new (g_bytes_get_data (text, NULL), g_bytes_get_size (text), error) : NULL;
  g_autoptr (Package) p = g_new0 (Package, 1);
  p->files = files_new ();
  return tree && fill (p, files, tree, error) ? g_steal_pointer (&p) : NULL;
}

void
package_free (Package *p)
{
  if (!p)
    return;
  g_hash_table_unref (p->files);
  g_free (p->card);
  g_free (p->input);
  g_free (p->output);
  g_free (p);
}
