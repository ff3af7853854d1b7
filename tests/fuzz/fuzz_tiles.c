/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: tiles of FITS images. The first bytes of an input say how they are coded and how many numbers they have; of the others
 * numbers come, or none, and nothing is read or written beside them.
 */
#include "core/files/fits/hcompress.h"
#include "core/files/fits/plio.h"
#include "core/files/fits/rice.h"
#include "tests/fuzz/support.h"

enum { HEAD = 4 };

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  const guint8 *code = bytes + HEAD;
  g_autofree void *numbers = NULL;
  gsize n;
  if (size < HEAD)
    return 0;
  n = (bytes[1] + 1u) * (bytes[2] + 1u);
  size -= HEAD;
  numbers = g_malloc (n * sizeof (gint64));
  switch (bytes[0] % 5) {
  case 0: files_fits_plio (code, size, n, numbers); break;
  case 1: files_fits_hcompress (code, size, bytes[3] % 2, n, numbers); break;
  default: files_fits_rice (code, size, 1u << (bytes[0] % 5 - 2), bytes[3] + 1u, n, numbers);
  }
  return 0;
}
