/* SPDX-License-Identifier: MIT
 *
 * A complete plugin that reads a format: PHM, portable half maps. A header of three lines, "Ph" (one channel) or "PH" (three), the columns and
 * rows, and a scale that is negative where the numbers are little-endian; then rows of 16-bit floats, the last row first.
 */
#define _POSIX_C_SOURCE 200809L
#include <fovea-plugin.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct phm {
  int fd;
  bool swapped; /* numbers are in the other byte order */
  int64_t channels, rows, columns, at;
};

static fv_status
fail (fv_error *error, fv_status code, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  return error->code = code;
}

static bool
is (const fv_reader *reader, const char *path, const uint8_t *head, size_t n)
{
  (void) reader, (void) path;
  return n > 3 && head[0] == 'P' && (head[1] == 'h' || head[1] == 'H') && head[2] == '\n';
}

/* A number of the header at *s, which moves behind it; 0: none. */
static int64_t
whole_number (const char **s)
{
  int64_t number = 0;
  while (**s == ' ' || **s == '\n')
    ++*s;
  for (; **s >= '0' && **s <= '9' && number < 1 << 24; ++*s)
    number = number * 10 + **s - '0';
  return number;
}

/* The header; false: it is none, or the file is shorter than it says. */
static bool
read_header (struct phm *p)
{
  char head[128] = "";
  const char *s = head + 2;
  struct stat about;
  if (fstat (p->fd, &about) || pread (p->fd, head, sizeof head - 1, 0) < 8)
    return false;
  p->channels = head[1] == 'H' ? 3 : 1;
  p->columns = whole_number (&s);
  p->rows = whole_number (&s);
  const char *scale = *s == '\n' ? s + 1 : s, *end = strchr (scale, '\n');
  const uint16_t one = 1;
  const bool little = *(const uint8_t *) &one;
  if (!p->columns || !p->rows || !end)
    return false;
  p->swapped = (*scale == '-') != little;
  p->at = end + 1 - head;
  return p->columns * p->rows * p->channels <= (about.st_size - p->at) / 2;
}

static void
phm_close (const fv_reader *reader, void *file)
{
  struct phm *p = file;
  (void) reader;
  if (p->fd >= 0)
    close (p->fd);
  free (p);
}

static fv_status
phm_open (const fv_reader *reader, const char *path, void **file, uint32_t *images, fv_error *error)
{
  struct phm *p = calloc (1, sizeof *p);
  if (!p)
    return fail (error, FV_NO_MEMORY, "Not enough memory for a file.");
  if ((p->fd = open (path, O_RDONLY | O_CLOEXEC)) < 0 || !read_header (p)) {
    phm_close (reader, p);
    return fail (error, FV_BAD_INPUT, "Its header is damaged, or the file is truncated.");
  }
  *file = p;
  *images = 1;
  return FV_OK;
}

static fv_status
phm_image (const fv_reader *reader, void *file, uint32_t n, fv_file_image *image, fv_error *error)
{
  static const char *const names[] = {"red", "green", "blue"};
  const struct phm *p = file;
  (void) reader, (void) n, (void) error;
  image->type = FV_F16;
  image->channels = p->channels;
  image->rows = p->rows;
  image->columns = p->columns;
  if (p->channels == 3)
    image->channel_names = names;
  return FV_OK;
}

/* Row `row` of the file, as many pixels of all channels as `columns`. */
static bool
read_row (const struct phm *p, int64_t row, int64_t column, int64_t columns, uint16_t *to)
{
  const int64_t pixel = 2 * p->channels, bytes = columns * pixel;
  const int64_t at = p->at + ((p->rows - 1 - row) * p->columns + column) * pixel;
  for (int64_t got = 0, n; got < bytes; got += n)
    if ((n = pread (p->fd, (char *) to + got, (size_t) (bytes - got), at + got)) <= 0)
      return false;
  for (int64_t i = 0; p->swapped && i < columns * p->channels; i++)
    to[i] = (uint16_t) (to[i] >> 8 | to[i] << 8);
  return true;
}

static fv_status
phm_read (const fv_reader *reader, void *file, const fv_region *region, void *to, size_t stride, fv_error *error)
{
  const struct phm *p = file;
  uint16_t *row = malloc ((size_t) (region->columns * p->channels) * sizeof *row);
  fv_status status = row ? FV_OK : fail (error, FV_NO_MEMORY, "Not enough memory for a row.");
  (void) reader;
  for (int64_t y = 0; !status && y < region->rows; y++) {
    uint16_t *pixels = (uint16_t *) ((char *) to + (size_t) y * stride);
    if (!read_row (p, region->row + y, region->column, region->columns, row))
      status = fail (error, FV_BAD_INPUT, "It ends before row %lld.", (long long) (region->row + y));
    for (int64_t x = 0; !status && x < region->columns; x++)
      pixels[x] = row[x * p->channels + region->plane];
  }
  free (row);
  return status;
}

static const fv_reader phm = {.size = sizeof phm,
                              .key = "phm",
                              .label = "PHM",
                              .endings = "phm",
                              .mime = "image/x-portable-halfmap",
                              .is = is,
                              .open = phm_open,
                              .close = phm_close,
                              .image = phm_image,
                              .read = phm_read};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  static const fv_op *const no_operations[] = {NULL};
  static const fv_reader *const readers[] = {&phm, NULL};
  static const fv_plugin plugin = {.size = sizeof plugin,
                                   .abi = FV_ABI,
                                   .name = "portable-half-map",
                                   .version = "1.0",
                                   .ops = no_operations,
                                   .readers = readers};
  (void) host_abi, (void) error;
  return &plugin;
}
