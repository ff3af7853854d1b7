/* SPDX-License-Identifier: MIT
 *
 * Host memory in blocks that are kept after use, for the next request of that size. The system takes back the pages of freed memory and clears new
 * ones, which takes longer than many operations. Any thread may call.
 */
#ifndef CORE_DATA_KEPT_BLOCKS_H
#define CORE_DATA_KEPT_BLOCKS_H

#include "fovea-plugin.h"

#include <glib.h>

enum { KEPT_BLOCKS = 128 }; /* at most: some for each of the threads that work on images of a batch */

typedef struct KeptBlock {
  void *memory;
  gsize bytes;
} KeptBlock;

/* All zero: none. */
typedef struct KeptBlocks {
  GMutex lock;
  KeptBlock blocks[KEPT_BLOCKS]; /* the one kept longest comes first */
  guint n;
} KeptBlocks;

/* Whether blocks of so many bytes are: the C library keeps smaller ones, the CPU's plugin larger ones. */
gboolean kept_blocks_are (gsize bytes);
/* Memory aligned to a page, contents undefined. */
fv_status kept_blocks_take (KeptBlocks *kept, gsize bytes, void **memory, fv_error *error);
/* bytes: as it was taken. */
void kept_blocks_give (KeptBlocks *kept, void *memory, gsize bytes);
/* Gives back to the system what is kept. */
void kept_blocks_drop (KeptBlocks *kept);

#endif
