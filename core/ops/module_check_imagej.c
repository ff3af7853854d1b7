/* SPDX-License-Identifier: MIT
 *
 * Words are tried on arguments of the operation, so that none waits for a macro to fail.
 */
#include "core/ops/module_check_imagej.h"

#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/ops/module_check_text.h"

#include <string.h>

enum { NAME = 256, MAX_WORDS = 256 };

#define IMAGES (FV_IMAGEJ_ANY | FV_IMAGEJ_BINARY)

/* Whether all are NAME=VALUE that the operation accepts together, none of them twice. */
static gboolean
check_args (const Op *op, const char *text, GError **error)
{
  g_autoptr (GError) fault = NULL;
  g_auto (GStrv) words = text_words (text, &fault);
  g_autofree gpointer args = words ? args_new (op, &fault) : NULL;
  gboolean good = args && args_check_once (op, (const char *const *) words, &fault);
  for (char **word = words; good && *word; word++) {
    const char *equals = strchr (*word, '=');
    g_autofree char *key = equals ? g_strndup (*word, (gsize) (equals - *word)) : NULL;
    if (!key)
      return module_fault (error, "'%s' is not NAME=VALUE", *word);
    good = args_set (op, args, key, equals + 1, &fault);
  }
  return good || module_fault (error, "'%s' are not its arguments: %s", text, fault->message);
}

/* "sigma=": the name before a value that ImageJ's word has, too. "as=" names what the step makes. */
static gboolean
check_name (const Op *op, const fv_imagej_word *word, GError **error)
{
  g_autofree char *key = g_strndup (word->ours, strlen (word->ours) - 1);
  if (!g_str_has_suffix (word->theirs, "="))
    return module_fault (error, "the word '%s' has no value for '%s'", word->theirs, word->ours);
  return (!strcmp (word->ours, "as=") && op->n_outputs) || args_param (op, key)
         || module_fault (error, "the word '%s' is a parameter '%s' that it does not have", word->theirs, key);
}

static gboolean
check_word (const Op *op, const fv_imagej_word *word, GError **error)
{
  if (!module_check_text ("word", word->theirs, NAME, error))
    return FALSE;
  if (!word->ours)
    return module_fault (error, "the word '%s' says nothing of the step", word->theirs);
  if (!*word->ours)
    return TRUE;
  return module_check_text ("word", word->ours, NAME, error)
         && (g_str_has_suffix (word->ours, "=") ? check_name (op, word, error) : check_args (op, word->ours, error));
}

/* *needed: whether the word that the command needs is one of them. */
static gboolean
check_words (const Op *op, const fv_imagej *line, gboolean *needed, GError **error)
{
  guint n = 0;
  for (const fv_imagej_word *word = line->words; word && word->theirs; word++) {
    if (n++ == MAX_WORDS)
      return module_fault (error, "it has more than %d words, or their list has no end", MAX_WORDS);
    if (!check_word (op, word, error))
      return FALSE;
    *needed |= line->needs && g_str_has_prefix (word->theirs, line->needs);
  }
  return TRUE;
}

static gboolean
check_rule (const Op *op, const fv_imagej *line, GError **error)
{
  if (line->images & ~(guint32) IMAGES || line->rounded & ~(guint32) IMAGES)
    return module_fault (error, "its kinds of images have unknown bits");
  if (line->area > FV_IMAGEJ_AREA_OTHER || line->slices > FV_IMAGEJ_SLICES_CURRENT
      || line->range > FV_IMAGEJ_RANGE_OTHER)
    return module_fault (error, "its area, slices or range is unknown");
  return (!line->mask || op->n_outputs) || module_fault (error, "it has no output to be shown as a mask");
}

gboolean
module_check_imagej (const Op *op, guint i, GError **error)
{
  const fv_imagej *line = &op->fv.imagej[i];
  gboolean needed = !line->needs;
  if (!module_check_text ("name", line->command, NAME, error)
      || !module_check_new_key (op->fv.imagej, sizeof *line, i, error)
      || !module_check_text_or_null ("list of arguments", line->args, MODULE_SENTENCE, error)
      || (line->args && !check_args (op, line->args, error))
      || !module_check_text_or_null ("needed word", line->needs, NAME, error) || !check_words (op, line, &needed, error)
      || !module_check_text_or_null ("difference", line->differs, MODULE_SENTENCE, error)
      || !module_check_bool ("mask", &line->mask, error) || !check_rule (op, line, error))
    return FALSE;
  return needed || module_fault (error, "it needs the word '%s', which it does not have", line->needs);
}
