/* SPDX-License-Identifier: MIT
 */
#include "command/streams.h"

#include <string.h>
#include <unistd.h>

char *streams_format;
static char *output; /* NULL: none */

const char *
streams_input (const char *argument, fovea_error **error)
{
  return strcmp (argument, "-") ? argument : fovea_stream_input (STDIN_FILENO, "standard input", error);
}

static gboolean
refuse (GError **error, const char *format, const char *what)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, what);
  return FALSE;
}

static gboolean
is_text (const char *ending)
{
  static const char *const texts[] = {"csv", "tsv", "json", "jsonl", "vot", "xml", "svg", NULL};
  return g_strv_contains (texts, ending);
}

const char *
streams_output (const char *argument, const char *usual, GError **error)
{
  const char *ending = streams_format ? streams_format + (*streams_format == '.') : usual;
  if (strcmp (argument, "-"))
    return argument;
  if (output) {
    refuse (error, "'%s' can be given for one output only: all others need files.", argument);
    return NULL;
  }
  if (!is_text (ending) && isatty (STDOUT_FILENO)) {
    refuse (error, "standard output is a terminal, and .%s is not text. Redirect it to a file or a pipe.", ending);
    return NULL;
  }
  output = g_strconcat ("standard output.", ending, NULL);
  fovea_stream_output (STDOUT_FILENO, output, NULL);
  return output;
}

gboolean
streams_output_is_taken (void)
{
  return output != NULL;
}

gboolean
streams_check (GError **error)
{
  return !streams_format || output
         || refuse (error, "--format %s needs an output '-', which is standard output.", streams_format);
}
