/* SPDX-License-Identifier: MIT
 *
 * network: the element of one rank among few, by a network of exchanges that does as much for a block of neighboring pixels at once.
 * Pixels are held as keys, integers of the same order; a float NaN is the greatest of all, so that the last shows whether there is one.
 */
#ifndef KERNELS_RANK_NETWORK_H
#define KERNELS_RANK_NETWORK_H

#include "kernels/common/common.h"

enum {
  NETWORK_BLOCK = 256, /* bytes of keys for which it is done at once */
  NETWORK_MOST = 256,  /* elements */
};

/* Of lines a and b, a becomes the lesser and b the greater, each if wanted. */
typedef struct network_exchange {
  int16_t a, b;
  bool low, high;
} network_exchange;

/* At most so many exchanges for n elements. */
int64_t network_most (int64_t n);

/* Writes those that lead n elements to the one of the rank, in line `rank`; returns how many they are. */
int64_t network_make (network_exchange *exchanges, int64_t n, int64_t rank);

/* A pixel with those that share an edge with it, or a corner too. */
typedef enum network_near { NETWORK_FIVE, NETWORK_NINE, NETWORK_NEAR } network_near;

typedef struct network_type {
  int bytes; /* of a key, as of a pixel */
  /* n pixels to keys, in place, and back; true: NaN is among them. */
  bool (*to_keys) (void *row, int64_t n);
  void (*to_pixels) (void *row, int64_t n);
  /* Does the exchanges. A line is read where from[line] points, and changed in lines[line][NETWORK_BLOCK], where from[line] points then. */
  void (*exchange) (void *lines, const void **from, const network_exchange *exchanges, int64_t n_exchanges);
  /* By network_near: the medians among 3 x 3 keys, the first of which are above[i], own[i] and below[i]. */
  void (*median[NETWORK_NEAR]) (void *to, const void *above, const void *own, const void *below, int64_t n);
  /* Where NaN is among the n lines, it goes to `line`, which is none of them. NULL: without NaN. */
  void (*spread) (void *line, const void *lines, int64_t n);
  /* A key as an integer without sign of the same order, and back. */
  uint64_t (*order) (const void *keys, int64_t i);
  void (*put) (void *keys, int64_t i, uint64_t ordered);
} network_type;

const network_type *network_type_of (fv_type type);

#endif
