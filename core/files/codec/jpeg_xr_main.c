/* SPDX-License-Identifier: MIT
 *
 * fovea-jpeg-xr: decodes an image in JPEG XR by libjxrglue, colors as blue, green, red. Only functions of the library are called; its structs are not
 * touched.
 */
#include "core/files/codec/main.h"

#include <stdbool.h>
#include <string.h>

/* PKRect of JXRGlue.h. */
typedef struct {
  int32_t x, y, width, height;
} rectangle;

/* ERR of windowsmediaphoto.h is a long, 0 when all is well. */
static struct {
  long (*stream) (void **stream, void *bytes, size_t n);
  long (*create) (void **decoder);
  long (*start) (void *decoder, void *stream);
  long (*format) (void *decoder, uint8_t id[16]);
  long (*size) (void *decoder, int32_t *width, int32_t *height);
  long (*copy) (void *decoder, const rectangle *part, uint8_t *to, uint32_t stride);
} calls;

static const codec_function functions[] = {
  {"CreateWS_Memory", &calls.stream},
  {"PKImageDecode_Create_WMP", &calls.create},
  {"PKImageDecode_Initialize_WMP", &calls.start},
  {"PKImageDecode_GetPixelFormat", &calls.format},
  {"PKImageDecode_GetSize_WMP", &calls.size},
  {"PKImageDecode_Copy_WMP", &calls.copy},
  {0},
};

/* The last byte of the identifier of a pixel format, whose other bytes are the same for all. */
enum {
  GRAY_8 = 0x08,
  GRAY_16 = 0x0b,
  BGR_24 = 0x0c,
  RGB_24 = 0x0d,
  BGRA_32 = 0x0f,
  GRAY_FLOAT = 0x11,
  RGB_48 = 0x15,
};

/* Whether the format is that of the pixels. */
static bool
is_format (const uint8_t id[16], const codec_job *job)
{
  static const uint8_t common[15] = {0x24, 0xc3, 0xdd, 0x6f, 0x03, 0x4e, 0xfe, 0x4b,
                                     0xb1, 0x85, 0x3d, 0x77, 0x76, 0x8d, 0xc9};
  const uint8_t own = id[15];
  if (memcmp (id, common, sizeof common))
    return false;
  switch (job->bytes * 8 + job->samples) {
  case 8 + 1: return own == GRAY_8;
  case 8 + 3: return own == BGR_24 || own == RGB_24;
  case 8 + 4: return own == BGRA_32;
  case 16 + 1: return own == GRAY_16;
  case 16 + 3: return own == RGB_48;
  case 32 + 1: return own == GRAY_FLOAT;
  }
  return false;
}

/* Red, green, blue as blue, green, red. */
static void
turn_colors (uint8_t *pixels, size_t n, size_t bytes)
{
  uint8_t red[2];
  for (size_t i = 0; i < n; i++, pixels += 3 * bytes) {
    memcpy (red, pixels, bytes);
    memcpy (pixels, pixels + 2 * bytes, bytes);
    memcpy (pixels + 2 * bytes, red, bytes);
  }
}

static codec_end
decode (const codec_job *job, uint8_t *file)
{
  const rectangle all = {0, 0, job->columns, job->rows};
  const size_t row = (size_t) job->columns * job->bytes * job->samples;
  void *stream, *decoder;
  int32_t width, height;
  uint8_t id[16];
  if (calls.stream (&stream, file + CODEC_PACKED, job->packed) || calls.create (&decoder)
      || calls.start (decoder, stream) || calls.format (decoder, id) || calls.size (decoder, &width, &height))
    return CODEC_NOT;
  if (width != job->columns || height != job->rows || row > INT32_MAX || !is_format (id, job))
    return CODEC_OTHER;
  if (calls.copy (decoder, &all, file + job->pixels, (uint32_t) row))
    return CODEC_DAMAGED;
  if (id[15] == RGB_24 || id[15] == RGB_48)
    turn_colors (file + job->pixels, (size_t) job->columns * (size_t) job->rows, job->bytes);
  return CODEC_DONE;
}

int
main (int argc, char **argv)
{
  static const codec_program program = {"libjxrglue.so.0", functions, decode};
  (void) argv;
  codec_run (&program, argc);
}
