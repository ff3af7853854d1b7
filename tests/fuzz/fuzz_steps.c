/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target for the step parser: whatever parses is written and read back to the same text.
 */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static Modules *modules;
  g_autofree char *text = g_strndup ((const char *) data, size), *once = NULL, *twice = NULL;
  g_autoptr (Pipeline) pipeline = NULL, again = NULL;
  if (!modules) {
    modules = modules_new ();
    if (modules_ops (modules)->len == 0)
      abort (); /* without operations nothing would be parsed */
  }
  if (!g_utf8_validate (text, -1, NULL) || !(pipeline = pipeline_parse (modules, text, NULL)))
    return 0;
  once = pipeline_format (pipeline);
  again = pipeline_parse (modules, once, NULL);
  if (!again)
    abort ();
  twice = pipeline_format (again);
  if (strcmp (once, twice))
    abort ();
  return 0;
}
