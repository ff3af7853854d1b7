/* SPDX-License-Identifier: MIT
 *
 * What a reader and the process that reads its files say to each other, over a socket that is standard input and output there. Requests and replies are
 * a head and so many bytes. Integers and floats are little-endian; a text is its length (u32) and its bytes, without a zero.
 *
 * The file in memory, PROCESS_MEMORY, holds the pixels of PROCESS_READ: rows without gaps, in the byte order of the machine.
 */
#ifndef READERS_PROCESS_PROTOCOL_H
#define READERS_PROCESS_PROTOCOL_H

#include <stdint.h>

enum {
  PROCESS_SOCKET = 0,
  PROCESS_MEMORY = 3,            /* descriptors in the process */
  PROCESS_PIXELS = 16 << 20,     /* bytes of the file in memory */
  PROCESS_MAX_ANSWER = 64 << 20, /* bytes of a reply */
  PROCESS_MAX_REQUEST = 1 << 16,
};

typedef enum {
  /* A path, the rest of the request -> u32 handle, u32 images, text of what is left out, u32 n, n texts: paths of other files. */
  PROCESS_OPEN = 1,
  /* u32 handle, u32 image -> process_image of answer.h. */
  PROCESS_IMAGE,
  /* u32 handle, image, level; i64 plane, row, column, rows, columns -> nothing; the pixels are in the memory. */
  PROCESS_READ,
  /* u32 handle; has no reply. */
  PROCESS_CLOSE,
} process_kind;

typedef struct {
  uint32_t kind, bytes;
} process_request;

/* status: fv_status. When it is not FV_OK, the bytes are a sentence. */
typedef struct {
  uint32_t status, bytes;
} process_reply;

#endif
