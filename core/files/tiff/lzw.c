/* SPDX-License-Identifier: MIT
 *
 * Every string of the table has been written before: it is that of the code before and the byte behind it. So a string is an offset
 * in what is decoded, and a length.
 */
#include "core/files/tiff/lzw.h"

#include <string.h>

enum { CLEAR = 256, END, FIRST, CODES = 4096, MIN_BITS = 9, MAX_BITS = 12, SHORT = 16 };

typedef struct {
  guint32 at, length;
} String;

struct FilesTiffLzw {
  guint8 bytes[CLEAR + SHORT]; /* the strings of one byte, readable like what is decoded */
  String strings[CODES];
};

FilesTiffLzw *
files_tiff_lzw_new (void)
{
  FilesTiffLzw *lzw = g_new0 (FilesTiffLzw, 1);
  for (guint i = 0; i < CLEAR; i++) {
    lzw->bytes[i] = (guint8) i;
    lzw->strings[i] = (String){i, 1};
  }
  return lzw;
}

/* The code of so many bits that begins at bit `at`. */
static guint
code_at (const guint8 *raw, guint64 at, guint bits)
{
  guint64 next;
  memcpy (&next, raw + at / 8, sizeof next);
  return (guint) (GUINT64_FROM_BE (next) << at % 8 >> (64 - bits));
}

/* `room` bytes can be written. */
static void
copy (guint8 *to, const guint8 *from, gsize length, gsize room)
{
  if (G_LIKELY (length <= SHORT && room >= SHORT))
    memmove (to, from, SHORT);
  else
    memmove (to, from, length);
}

gboolean
files_tiff_lzw_decode (FilesTiffLzw *lzw, const guint8 *raw, gsize n, guint8 *to, gsize bytes)
{
  guint64 at = 0, end = (guint64) n * 8;
  guint bits = MIN_BITS, next = FIRST;
  String before = {0}; /* the last that was written */
  if (bytes > G_MAXUINT32 || n < 2 || raw[0] != CLEAR >> 1 || raw[1] & 0x80)
    return FALSE;
  for (guint32 done = 0; done < bytes; done += before.length) {
    guint code = at + bits <= end ? code_at (raw, at, bits) : END;
    at += bits;
    if (code == CLEAR) {
      bits = MIN_BITS;
      next = FIRST;
      before.length = 0;
      continue;
    }
    if (before.length > 0) {
      if (next == CODES)
        return FALSE;
      lzw->strings[next++] = (String){before.at, before.length + 1};
      bits += next == (1u << bits) - 1 && bits < MAX_BITS;
    }
    if (code == END || code >= next || lzw->strings[code].length > bytes - done)
      return FALSE;
    before = (String){done, lzw->strings[code].length};
    copy (to + done, (code < CLEAR ? lzw->bytes : to) + lzw->strings[code].at, before.length, bytes - done);
    if (code + 1 == next) /* it ends in the byte that it begins with, which was not there yet */
      to[done + before.length - 1] = to[done];
  }
  return TRUE;
}
