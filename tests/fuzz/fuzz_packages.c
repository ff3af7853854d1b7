/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: an input as a package of the BioImage Model Zoo: a ZIP archive, or its files one after the other, each behind a line "--- NAME". It is
 * refused with a sentence, or its description is one that the plugin can use.
 */
#include "runtime/package.h"

#include <math.h>
#include <string.h>

/* The end of a line that begins a file, or of the input. */
static const char *
next_file (const char *at, const char *end)
{
  while (at < end && !(end - at > 4 && !memcmp (at, "\n---", 4)))
    at++;
  return at;
}

static Files *
split (const char *bytes, gsize n, GError **error)
{
  g_autoptr (Files) files = files_new ();
  const char *end = bytes + n;
  for (const char *at = bytes; at < end;) {
    const char *line = memchr (at, '\n', (gsize) (end - at)), *stop = line ? next_file (line + 1, end) : end;
    if (!line || line - at < 4)
      break;
    g_autofree char *name = g_strndup (at + 4, (gsize) (line - at - 4));
    if (!files_add (files, name, g_bytes_new_static (line + 1, (gsize) (stop - line - 1)), error))
      return NULL;
    at = stop < end ? stop + 1 : end;
  }
  return g_steal_pointer (&files);
}

static gboolean
is_channel (const model_head *head, gint32 channel)
{
  return channel >= -1 && channel < head->channels;
}

/* Valid text, with a key, a tab and a text on each line. */
static void
check_card (const char *card)
{
  g_auto (GStrv) lines = g_strsplit (card, "\n", -1);
  g_assert (g_utf8_validate (card, -1, NULL));
  for (char **line = lines; line[0] && line[1]; line++)
    g_assert (strlen (*line) < MODEL_LINE && strchr (*line, '\t') && !strchr (strchr (*line, '\t') + 1, '\t'));
}

static void
check (const Package *p)
{
  const model_head *head = &p->head;
  const gint64 pixels = head->test_rows * head->test_columns;
  g_assert (head->inputs > 0 && head->inputs <= MODEL_INPUTS && (head->factors == 1 || head->factors == head->inputs));
  g_assert (head->channels > 0 && head->shrink >= 0 && head->shrink <= 1 && head->halo >= 0);
  g_assert (is_channel (head, head->probability) && is_channel (head, head->foreground)
            && is_channel (head, head->boundary));
  g_assert (head->probability < 0 ? head->foreground >= 0 || head->boundary >= 0 : head->rays + 32 <= head->channels);
  for (int i = 0; i < 2; i++)
    g_assert (head->least[i] > 0 && head->step[i] >= 0 && (head->step[i] > 0 || 2 * head->halo < head->least[i]));
  g_assert (head->n_before >= 0 && head->n_before <= MODEL_STEPS && head->n_after >= 0 && head->n_after <= MODEL_STEPS);
  g_assert (p->pixels == head->inputs * pixels && p->numbers == head->channels * (pixels >> 2 * head->shrink));
  g_assert (strlen (head->in_axes) < MODEL_AXES && strlen (head->out_axes) < MODEL_AXES
            && strlen (head->sha256) == MODEL_SHA256 - 1 && g_hash_table_contains (p->files, head->onnx));
  check_card (p->card);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Files) files =
    size > 1 && bytes[0] == 'P' ? files_unzip (bytes, size, &error) : split ((const char *) bytes, size, &error);
  g_autoptr (Package) package = files ? package_new (files, &error) : NULL;
  if (package)
    check (package);
  else
    g_assert (error && g_utf8_validate (error->message, -1, NULL) && g_str_has_suffix (error->message, "."));
  return 0;
}
