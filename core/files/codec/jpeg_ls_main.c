/* SPDX-License-Identifier: MIT
 *
 * fovea-jpeg-ls: decodes an image in JPEG-LS by libcharls, the samples of a pixel side by side.
 */
#include "core/files/codec/main.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* charls_frame_info of charls_jpegls_decoder.h. */
typedef struct {
  uint32_t columns, rows;
  int32_t bits, samples;
} frame;

/* charls_interleave_mode: else the samples of a pixel are side by side. */
enum { BY_SAMPLE = 0 };

/* charls_jpegls_errc and charls_interleave_mode are int32_t; 0 when all is well. */
static struct {
  void *(*create) (void);
  int32_t (*source) (void *decoder, const void *bytes, size_t n);
  int32_t (*header) (void *decoder);
  int32_t (*frame) (const void *decoder, frame *frame);
  int32_t (*interleaved) (const void *decoder, int32_t *mode);
  int32_t (*decode) (void *decoder, void *to, size_t n, uint32_t stride);
} calls;

static const codec_function functions[] = {
  {"charls_jpegls_decoder_create", &calls.create},
  {"charls_jpegls_decoder_set_source_buffer", &calls.source},
  {"charls_jpegls_decoder_read_header", &calls.header},
  {"charls_jpegls_decoder_get_frame_info", &calls.frame},
  {"charls_jpegls_decoder_get_interleave_mode", &calls.interleaved},
  {"charls_jpegls_decoder_decode_to_buffer", &calls.decode},
  {0},
};

/* Numbers of at most 8 bits are bytes for the library. */
static void
spread_samples (const codec_job *job, const uint8_t *from, size_t bytes, bool by_sample, uint8_t *to)
{
  const size_t pixels = (size_t) job->columns * (size_t) job->rows;
  for (size_t s = 0; s < job->samples; s++)
    for (size_t i = 0; i < pixels; i++) {
      const size_t at = by_sample ? s * pixels + i : i * job->samples + s;
      uint16_t number = from[at];
      if (bytes == 2)
        memcpy (&number, from + 2 * at, 2);
      if (job->bytes == 2)
        memcpy (to + 2 * (i * job->samples + s), &number, 2);
      else
        to[i * job->samples + s] = (uint8_t) number;
    }
}

static codec_end
decode (const codec_job *job, uint8_t *file)
{
  void *decoder = calls.create ();
  frame is;
  int32_t mode;
  if (!decoder || calls.source (decoder, file + CODEC_PACKED, job->packed) || calls.header (decoder)
      || calls.frame (decoder, &is))
    return CODEC_NOT;
  const uint32_t bytes = is.bits > 8 ? 2 : 1;
  if (is.columns != (uint32_t) job->columns || is.rows != (uint32_t) job->rows || is.samples != (int32_t) job->samples
      || bytes > job->bytes || job->bytes > 2)
    return CODEC_OTHER;
  const size_t size = (size_t) is.columns * is.rows * job->samples * bytes;
  uint8_t *samples = malloc (size);
  if (!samples || calls.decode (decoder, samples, size, 0) || calls.interleaved (decoder, &mode))
    return CODEC_DAMAGED;
  spread_samples (job, samples, bytes, mode == BY_SAMPLE, file + job->pixels);
  return CODEC_DONE;
}

int
main (int argc, char **argv)
{
  static const codec_program program = {"libcharls.so.2", functions, decode};
  (void) argv;
  codec_run (&program, argc);
}
