/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any bytes, as a file, open completely or fail with an error.
 */
#include "tests/fuzz/support.h"

#define MAX_BYTES (64 << 20) /* of planes that are read; an image only takes memory when they are */

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GPtrArray) images = fuzz_open (bytes, size);
  for (guint i = 0; i < images->len; i++) {
    g_free (image_info_text (image_info (images->pdata[i])));
    fuzz_read_planes (images->pdata[i], MAX_BYTES);
  }
  return 0;
}
