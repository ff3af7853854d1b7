/* SPDX-License-Identifier: MIT
 *
 * Which blocks are kept, which come back, and how many at most.
 */
#include "core/data/kept_blocks.h"
#include "tests/support/init.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 300000 };

static void *
take (KeptBlocks *kept, gsize bytes)
{
  fv_error error = FV_ERROR_INIT;
  void *memory;
  g_assert_cmpint (kept_blocks_take (kept, bytes, &memory, &error), ==, FV_OK);
  g_assert_cmpuint ((guintptr) memory % 64, ==, 0);
  memset (memory, 7, bytes);
  return memory;
}

/* Whether the system knows the address. */
static gboolean
is_mapped (void *memory)
{
  unsigned char resident;
  return mincore (memory, (gsize) sysconf (_SC_PAGESIZE), &resident) == 0;
}

static void
test_sizes (void)
{
#ifdef __SANITIZE_ADDRESS__
  const gboolean kept = FALSE; /* use after free shall be seen */
#else
  const gboolean kept = TRUE;
#endif
  g_assert_false (kept_blocks_are ((64 << 10) - 1));
  g_assert_cmpint (kept_blocks_are (64 << 10), ==, kept);
  g_assert_cmpint (kept_blocks_are ((2 << 20) - 1), ==, kept);
  g_assert_false (kept_blocks_are (2 << 20));
}

/* For nearly the same size and the same owner only; the most recently returned block first. */
static void
test_again (void)
{
  KeptBlocks kept = {0};
  void *one = take (&kept, SIZE), *other = take (&kept, SIZE), *large = take (&kept, 2 * SIZE);
  g_assert_true (one != other);
  kept_blocks_give (&kept, one, SIZE);
  kept_blocks_give (&kept, other, SIZE);
  kept_blocks_give (&kept, large, 2 * SIZE);
  g_assert_true (take (&kept, SIZE - 1000) == other);
  g_assert_true (take (&kept, SIZE) == one);
  g_assert_true (take (&kept, SIZE / 2) != large);
  g_assert_true (take (&kept, 2 * SIZE + 50000) == large);
  kept_blocks_give (&kept, one, SIZE);
  kept_blocks_give (&kept, other, SIZE - 1000);
  kept_blocks_give (&kept, large, 2 * SIZE + 50000);
  kept_blocks_drop (&kept);
  g_assert_false (is_mapped (one) || is_mapped (other) || is_mapped (large));
}

static void
test_bound (void)
{
  KeptBlocks kept = {0};
  void *memory[KEPT_BLOCKS + 1];
  for (int i = 0; i <= KEPT_BLOCKS; i++)
    memory[i] = take (&kept, SIZE);
  for (int i = 0; i <= KEPT_BLOCKS; i++)
    kept_blocks_give (&kept, memory[i], SIZE);
  for (int i = 0; i <= KEPT_BLOCKS; i++)
    g_assert_cmpint (is_mapped (memory[i]), ==, i > 0);
  kept_blocks_drop (&kept);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/kept-blocks/sizes", test_sizes);
  g_test_add_func ("/kept-blocks/again", test_again);
  g_test_add_func ("/kept-blocks/bound", test_bound);
  return g_test_run ();
}
