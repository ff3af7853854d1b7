/* SPDX-License-Identifier: MIT
 *
 * Sizes are rounded up, to four in each doubling, so that it does not matter when scratch is a little more or less from image to image.
 */
#include "core/data/kept_blocks.h"

#include "core/base/host_memory.h"

#include <string.h>
#include <sys/mman.h>

enum { MINIMUM = 64 << 10, LARGER = 2 << 20 };

gboolean
kept_blocks_are (gsize bytes)
{
#ifdef __SANITIZE_ADDRESS__
  return FALSE; /* so that use after free is seen */
#endif
  return bytes >= MINIMUM && bytes < LARGER;
}

static gsize
rounded (gsize bytes)
{
  const gsize step = MAX ((gsize) MINIMUM, (gsize) 1 << (g_bit_storage (bytes - 1) - 3));
  return (bytes + step - 1) / step * step;
}

/* The lock is held. */
static KeptBlock
remove_at (KeptBlocks *kept, guint i)
{
  KeptBlock block = kept->blocks[i];
  kept->n--;
  memmove (&kept->blocks[i], &kept->blocks[i + 1], (kept->n - i) * sizeof block);
  return block;
}

fv_status
kept_blocks_take (KeptBlocks *kept, gsize bytes, void **memory, fv_error *error)
{
  *memory = NULL;
  g_mutex_lock (&kept->lock);
  for (guint i = kept->n; i-- && !*memory;) /* what was used last may still be in a cache */
    if (kept->blocks[i].bytes == rounded (bytes))
      *memory = remove_at (kept, i).memory;
  g_mutex_unlock (&kept->lock);
  return *memory ? FV_OK : host_memory_map (rounded (bytes), memory, error);
}

void
kept_blocks_give (KeptBlocks *kept, void *memory, gsize bytes)
{
  KeptBlock gone = {NULL};
  g_mutex_lock (&kept->lock);
  if (kept->n == KEPT_BLOCKS)
    gone = remove_at (kept, 0);
  kept->blocks[kept->n++] = (KeptBlock){memory, rounded (bytes)};
  g_mutex_unlock (&kept->lock);
  if (gone.memory)
    munmap (gone.memory, gone.bytes);
}

void
kept_blocks_drop (KeptBlocks *kept)
{
  g_mutex_lock (&kept->lock);
  for (; kept->n; kept->n--)
    munmap (kept->blocks[kept->n - 1].memory, kept->blocks[kept->n - 1].bytes);
  g_mutex_unlock (&kept->lock);
}
