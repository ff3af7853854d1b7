/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: what a process that reads files answers about an image. A damaged file may have taken the process over, so that an answer may hold
 * anything.
 */
#include "readers/process/answer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  process_answer answer = {.bytes = malloc (size + 1), .n = size};
  if (size)
    memcpy (answer.bytes, bytes, size);
  process_image *image = process_image_new (&answer);
  for (uint32_t n = 0; image && n < image->n_levels; n++)
    if (image->levels[n].rows < 1 || image->levels[n].tile_rows < 0)
      abort ();
  process_image_free (image);
  free (answer.bytes);
  return 0;
}
