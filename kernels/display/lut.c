/* SPDX-License-Identifier: MIT
 *
 * Look-up tables, see lut.h. Colors are written 0xrrggbb here.
 */
#include "kernels/display/lut.h"
#include "kernels/display/lut_tables.h"

const char *const lut_names[LUTS] = {"gray",   "inverted", "red",     "green",   "blue",    "magenta", "cyan",
                                     "yellow", "fire",     "viridis", "cividis", "glasbey", "labels"};

/* 0xrrggbb as 0x00bbggrr. */
static uint32_t
turned (uint32_t color)
{
  return color >> 16 | (color & 0xff00) | (color & 0xff) << 16;
}

/* From one color to the other, rounded to nearest. */
static void
fill_ramp (const uint32_t ends[2], uint32_t table[256])
{
  for (int i = 0; i < 256; i++) {
    table[i] = 0;
    for (int c = 0; c < 3; c++) {
      int a = (int) (ends[0] >> (16 - 8 * c) & 255), b = (int) (ends[1] >> (16 - 8 * c) & 255);
      table[i] |= (uint32_t) ((a * (255 - i) + b * i + 127) / 255) << 8 * c;
    }
  }
}

lut
lut_find (const char *name, size_t n)
{
  for (int i = 0; i < LUTS; i++)
    if (strlen (lut_names[i]) == n && !strncmp (lut_names[i], name, n))
      return (lut) i;
  return LUTS;
}

enum { DIGITS = 256 * 6 };

static const char digits[] = "0123456789abcdef0123456789ABCDEF";

int
lut_texts (const char *tables)
{
  int n = 0;
  for (; *tables; n++) {
    if (n && *tables++ != ',')
      return -1;
    if (strspn (tables, digits) != DIGITS)
      return -1;
    tables += DIGITS;
  }
  return n;
}

void
lut_of_text (const char *tables, int k, uint32_t table[256])
{
  const char *at = tables + (size_t) k * (DIGITS + 1);
  for (int i = 0; i < 256; i++, at += 6) {
    uint32_t color = 0;
    for (int d = 0; d < 6; d++)
      color = color << 4 | (uint32_t) ((strchr (digits, at[d]) - digits) & 15);
    table[i] = turned (color);
  }
}

void
lut_fill (lut which, uint32_t table[256])
{
  static const uint32_t ends[][2] = {
    [LUT_GRAY] = {0, 0xffffff},  [LUT_INVERTED] = {0xffffff, 0}, [LUT_RED] = {0, 0xff0000},
    [LUT_GREEN] = {0, 0x00ff00}, [LUT_BLUE] = {0, 0x0000ff},     [LUT_MAGENTA] = {0, 0xff00ff},
    [LUT_CYAN] = {0, 0x00ffff},  [LUT_YELLOW] = {0, 0xffff00}};
  static const uint32_t *const published[LUTS] = {[LUT_FIRE] = lut_fire,
                                                  [LUT_VIRIDIS] = lut_viridis,
                                                  [LUT_CIVIDIS] = lut_cividis,
                                                  [LUT_GLASBEY] = lut_glasbey,
                                                  [LUT_LABELS] = lut_glasbey};
  if (!published[which])
    fill_ramp (ends[which], table);
  for (int i = 0; i < 256 && published[which]; i++)
    table[i] = turned (published[which][i]);
}
