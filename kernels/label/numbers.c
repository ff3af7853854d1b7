/* SPDX-License-Identifier: MIT
 */
#include "kernels/label/numbers.h"

enum {
  LANES = 16, /* labels that are stored at once */
  MANY = 6,   /* starts and ends of runs in a word */
};

/* Eight bits to eight bytes, each 0 or 1. */
INLINE uint64_t
spread_byte (uint64_t bits)
{
  uint64_t apart = (bits & 255) * 0x0101010101010101u & 0x8040201008040201u;
  return ((apart + 0x7f7f7f7f7f7f7f7fu) | apart) >> 7 & 0x0101010101010101u;
}

/* Fills out[from ... to-1], and what comes after it where there is room: it is filled later. */
INLINE void
fill_labels (int32_t *out, int64_t from, int64_t to, int64_t columns, int32_t label)
{
  if (to + LANES <= columns)
    for (; from < to; from += LANES)
      for (int i = 0; i < LANES; i++)
        out[from + i] = label;
  else
    for (; from < to; from++)
      out[from] = label;
}

/* 64 labels of a word in which many runs turn. `label` is that of the run that continues from the word before. Returns that of the run that
 * continues into the next. Byte arithmetic: a spread byte times 0x01...01 gives its prefix sums, eight ranks at once. Rank 0 is the background, 1
 * the run that continues from before, 2 ... the runs that start here. */
INLINE int32_t
write_word (const word *w, const int32_t *link, int32_t run, int32_t label, int32_t *out)
{
  const uint64_t ones = 0x0101010101010101u;
  int32_t labels[66] = {0, label};
  int n = count_bits (w->start);

  for (int i = 0; i < n; i++)
    labels[2 + i] = label_of (link, run + i);
  uint64_t base = ones;
  for (int i = 0; i < 8; i++) {
    uint64_t rank = base + spread_byte (w->start >> 8 * i) * ones;
    base = (rank >> 56) * ones;
    rank &= spread_byte (w->on >> 8 * i) * 255;
    for (int j = 0; j < 8; j++, rank >>= 8)
      *out++ = labels[rank & 255];
  }
  return out[-1];
}

VECTORISED static void
write_row (const word *w, int64_t n, int64_t columns, const int32_t *link, int32_t run, int32_t *out)
{
  int64_t from = 0;
  int32_t label = 0;
  uint64_t carry = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t on = w[k].on, turns = w[k].start | (~on & (on << 1 | carry));
    carry = on >> 63;
    if (count_bits (turns) > MANY && 64 * (k + 1) <= columns) {
      fill_labels (out, from, 64 * k, columns, label);
      label = write_word (w + k, link, run, label, out + 64 * k);
      run += count_bits (w[k].start);
      from = 64 * (k + 1);
      continue;
    }
    for (; turns; turns &= turns - 1) {
      int bit = __builtin_ctzll (turns);
      fill_labels (out, from, 64 * k + bit, columns, label);
      from = 64 * k + bit;
      label = on >> bit & 1 ? label_of (link, run++) : 0;
    }
  }
  fill_labels (out, from, columns, columns, label);
}

void
label_write (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++)
    write_row (s->words + row * s->row_words, s->row_words, s->columns, s->link, s->runs[row],
               array_row (s->out, s->first + row / s->rows, row % s->rows));
}
