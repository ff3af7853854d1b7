/* SPDX-License-Identifier: MIT
 *
 * Format: github.com/bioimage-io/spec-bioimage-io. An axis of 0.5 has a type, an id and a size; in 0.4 the axes of a tensor are letters, and sizes are lists.
 */
#include "runtime/description.h"

#include "runtime/error.h"
#include "runtime/files.h"
#include "runtime/steps.h"

#include <string.h>

enum { ROWS, COLUMNS };

/* What is being read. */
typedef struct Reader {
  Tree *tree;
  Description *to;
  gboolean lists; /* format 0.4 */
} Reader;

int
description_axis (const char *axes, char letter)
{
  const char *at = letter ? strchr (axes, letter) : NULL;
  return at ? (int) (at - axes) : -1;
}

/* A number of pixels; FALSE: it is none. */
static gboolean
take_size (TreeNode *node, gint32 *size)
{
  double number;
  if (!tree_number (node, &number) || number < 0 || number > MODEL_LARGEST || number != (gint32) number)
    return FALSE;
  *size = (gint32) number;
  return TRUE;
}

static void
take_source (Reader *r, TreeNode *node, Source *to)
{
  const char *name = tree_text (node);
  if (!name)
    name = tree_text (tree_get (r->tree, node, "source"));
  to->name = g_strdup (name);
  to->sha256 = g_strdup (tree_text (tree_get (r->tree, node, "sha256")));
}

/* ---- Axes ---- */

static char
letter_of (Reader *r, TreeNode *axis)
{
  const char *type = tree_text (tree_get (r->tree, axis, "type")), *id = tree_text (tree_get (r->tree, axis, "id"));
  if (!g_strcmp0 (type, "space") && id && id[0] && !id[1])
    return id[0];
  return type && *type ? *type : '?'; /* batch, channel, index, time */
}

/* Of channels, rows and columns a tensor has one axis each. */
static gboolean
has_twice (const char *letters)
{
  for (const char *axis = "cyx"; *axis; axis++) {
    const char *first = strchr (letters, *axis);
    if (first && strchr (first + 1, *axis))
      return TRUE;
  }
  return FALSE;
}

static gboolean
read_axes (Reader *r, TreeNode *tensor, const char *what, char letters[MODEL_AXES], GError **error)
{
  TreeNode *axes = tree_get (r->tree, tensor, "axes");
  const char *text = r->lists ? tree_text (axes) : NULL;
  const guint n = text ? (guint) MIN (strlen (text), MODEL_AXES) : tree_length (axes);
  if (!n || n >= MODEL_AXES || (r->lists && !text))
    return model_error (error, "Its %s has no list of 1 to %d axes.", what, MODEL_AXES - 1);
  for (guint i = 0; i < n; i++)
    letters[i] = text ? text[i] : letter_of (r, tree_item (r->tree, axes, i));
  if (description_axis (letters, 'y') >= 0 && description_axis (letters, 'x') >= 0 && !has_twice (letters))
    return TRUE;
  return model_error (error, "Its %s has the axes '%.7s', and segment needs rows (y) and columns (x), each once.", what,
                      g_str_is_ascii (letters) ? letters : "?");
}

/* What axis number i of a tensor says under a key: of 0.5 of the axis itself, of 0.4 in a list of the tensor. */
static TreeNode *
of_axis (Reader *r, TreeNode *tensor, int i, const char *key)
{
  TreeNode *all = tree_get (r->tree, tensor, r->lists ? key : "axes");
  TreeNode *item = i >= 0 && tree_is_list (all) ? tree_item (r->tree, all, (guint) i) : NULL;
  return r->lists ? item : tree_get (r->tree, item, key);
}

/* Of rows or columns. Where nothing is said that is understood, the size of the test input stays the only one. */
static void
read_size (Reader *r, TreeNode *tensor, int axis, int direction)
{
  model_head *head = &r->to->head;
  TreeNode *shape = tree_get (r->tree, tensor, "shape");
  TreeNode *size = of_axis (r, tensor, axis, r->lists ? "shape" : "size"), *least = size, *step = NULL;
  if (r->lists && tree_is_mapping (shape)) {
    least = tree_item (r->tree, tree_get (r->tree, shape, "min"), (guint) axis);
    step = tree_item (r->tree, tree_get (r->tree, shape, "step"), (guint) axis);
  } else if (tree_is_mapping (size)) {
    least = tree_get (r->tree, size, "min");
    step = tree_get (r->tree, size, "step");
  }
  if (!take_size (least, &head->least[direction]) || (step && !take_size (step, &head->step[direction])))
    head->least[direction] = head->step[direction] = 0;
}

/* ---- Tensors ---- */

static gboolean
read_input (Reader *r, TreeNode *inputs, GError **error)
{
  model_head *head = &r->to->head;
  TreeNode *input = tree_item (r->tree, inputs, 0);
  if (tree_length (inputs) != 1)
    return model_error (error, "Its network takes %u images, and segment has one.", tree_length (inputs));
  if (!read_axes (r, input, "input", head->in_axes, error))
    return FALSE;
  read_size (r, input, description_axis (head->in_axes, 'y'), ROWS);
  read_size (r, input, description_axis (head->in_axes, 'x'), COLUMNS);
  if (!r->lists)
    take_source (r, tree_get (r->tree, input, "test_tensor"), &r->to->test_input);
  return steps_read_before (r->tree, tree_get (r->tree, input, "preprocessing"), head, &r->to->one_channel, error);
}

static void
read_channels (Reader *r, TreeNode *names)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  for (guint i = 0; i < tree_length (names); i++) {
    const char *name = tree_text (tree_item (r->tree, names, i));
    g_strv_builder_add (all, name ? name : "");
  }
  r->to->channels = tree_is_list (names) ? g_strv_builder_end (all) : NULL;
}

static gboolean
read_output (Reader *r, TreeNode *outputs, GError **error)
{
  model_head *head = &r->to->head;
  TreeNode *output = tree_item (r->tree, outputs, 0);
  if (!read_axes (r, output, "first output", head->out_axes, error))
    return FALSE;
  for (int direction = ROWS; direction <= COLUMNS; direction++) {
    gint32 halo = 0;
    if (take_size (of_axis (r, output, description_axis (head->out_axes, "yx"[direction]), "halo"), &halo))
      head->halo = MAX (head->halo, halo);
  }
  read_channels (r, of_axis (r, output, description_axis (head->out_axes, 'c'), "channel_names"));
  if (!r->lists)
    take_source (r, tree_get (r->tree, output, "test_tensor"), &r->to->test_output);
  return steps_read_after (r->tree, tree_get (r->tree, output, "postprocessing"), head, error);
}

/* ---- The whole ---- */

static gboolean
read_weights (Reader *r, TreeNode *weights, GError **error)
{
  TreeNode *onnx = tree_get (r->tree, weights, "onnx");
  take_source (r, onnx, &r->to->onnx);
  take_source (r, tree_get (r->tree, onnx, "external_data"), &r->to->data);
  if (r->to->onnx.name && strlen (r->to->onnx.name) < FILES_NAME)
    return TRUE;
  return model_error (error,
                      "It has no ONNX weights. bioimageio.core's command 'bioimageio add-weights' can add them.");
}

static gboolean
read_format (Reader *r, TreeNode *root, GError **error)
{
  const char *version = tree_text (tree_get (r->tree, root, "format_version")),
             *type = tree_text (tree_get (r->tree, root, "type"));
  if (type && strcmp (type, "model"))
    return model_error (error, "It is a %.40s of the BioImage Model Zoo, and segment takes a model.", type);
  r->lists = version && g_str_has_prefix (version, "0.4.");
  if (r->lists || (version && g_str_has_prefix (version, "0.5.")))
    return TRUE;
  return model_error (
    error,
    "Its format is %.20s; possible are 0.4 and 0.5. bioimageio.core's command 'bioimageio update-format' "
    "can change it.",
    version ? version : "not given");
}

gboolean
description_read (Tree *tree, Description *to, GError **error)
{
  Reader r = {.tree = tree, .to = to};
  TreeNode *root = tree_root (tree), *config = tree_get (tree, root, "config");
  if (!tree_is_mapping (root))
    return model_error (error, "Its description has no keys with values.");
  if (!read_format (&r, root, error) || !read_weights (&r, tree_get (tree, root, "weights"), error)
      || !read_input (&r, tree_get (tree, root, "inputs"), error)
      || !read_output (&r, tree_get (tree, root, "outputs"), error))
    return FALSE;
  if (r.lists) {
    take_source (&r, tree_item (tree, tree_get (tree, root, "test_inputs"), 0), &to->test_input);
    take_source (&r, tree_item (tree, tree_get (tree, root, "test_outputs"), 0), &to->test_output);
  }
  to->head.scales =
    !g_strcmp0 (tree_text (tree_get (tree, tree_get (tree, config, "fovea"), "postprocessing")), "stars");
  to->stars = to->head.scales || tree_get (tree, config, "stardist") != NULL;
  return TRUE;
}

void
description_clear (Description *d)
{
  Source *const all[] = {&d->onnx, &d->data, &d->test_input, &d->test_output};
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    g_free (all[i]->name);
    g_free (all[i]->sha256);
  }
  g_strfreev (d->channels);
  *d = (Description){0};
}
