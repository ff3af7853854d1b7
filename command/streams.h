/* SPDX-License-Identifier: MIT
 *
 * Arguments that may be "-": standard input where a file is read, standard output where one is written.
 */
#ifndef COMMAND_STREAMS_H
#define COMMAND_STREAMS_H

#include "library/fovea.h"

#include <glib.h>

extern char *streams_format;

/* For a command's table of options. */
#define FORMAT_OPTION                                                                                                  \
  {                                                                                                                    \
    "format", 0, 0, G_OPTION_ARG_STRING, &streams_format,                                                              \
      "Format of what goes to standard output (-), as an extension such as png or tsv", "EXTENSION"                    \
  }

/* The path of an argument that names a file to read, as the library takes it: of "-" all of standard input, of others itself. NULL with *error. */
const char *streams_input (const char *argument, fovea_error **error);
/* The path of an argument that names a file to write: of "-" one whose contents go to standard output, in the format of --format, or else
 * `usual`, such as "tif"; of others itself. NULL with *error when it is a terminal, for what is not text, or the second "-". Before there are threads. */
const char *streams_output (const char *argument, const char *usual, GError **error);
/* Whether something goes to standard output, so that nothing else may. */
gboolean streams_output_is_taken (void);
/* FALSE with *error when there is a --format that nothing has. */
gboolean streams_check (GError **error);

#endif
