/* SPDX-License-Identifier: MIT
 *
 * The functions of an fv_reader whose files are read in processes. Its `user` is the process_program.
 */
#ifndef READERS_PROCESS_READER_H
#define READERS_PROCESS_READER_H

#include "readers/process/process.h"

fv_status process_reader_open (const fv_reader *reader, const char *path, void **file, uint32_t *images,
                               fv_error *error);
void process_reader_close (const fv_reader *reader, void *file);
fv_status process_reader_image (const fv_reader *reader, void *file, uint32_t n, fv_file_image *image, fv_error *error);
fv_status process_reader_level (const fv_reader *reader, void *file, uint32_t n, uint32_t number, fv_level *level,
                                fv_error *error);
fv_status process_reader_read (const fv_reader *reader, void *file, const fv_region *region, void *to, size_t stride,
                               fv_error *error);
const char *process_reader_left_out (const fv_reader *reader, void *file);
const char *const *process_reader_others (const fv_reader *reader, void *file);

#define PROCESS_READER_FUNCTIONS                                                                                       \
  .open = process_reader_open, .close = process_reader_close, .image = process_reader_image,                           \
  .level = process_reader_level, .read = process_reader_read, .left_out = process_reader_left_out,                     \
  .others = process_reader_others

#endif
