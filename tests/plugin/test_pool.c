/* SPDX-License-Identifier: MIT
 *
 * Which blocks a pool reuses, which it frees, and what it does when memory runs out.
 */
#include "plugin/pool.h"
#include "tests/support/init.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum { MINIMUM = 1000, MAXIMUM = POOL_KEPT * MINIMUM };

static size_t room;        /* bytes that can still be made */
static GHashTable *blocks; /* that are there: their address -> bytes */
static GPtrArray *dropped; /* in that order */

static void *
make (size_t bytes)
{
  void *block;
  if (bytes > room)
    return NULL;
  room -= bytes;
  block = aligned_alloc (POOL_LINE, (bytes + POOL_LINE - 1) / POOL_LINE * POOL_LINE);
  g_hash_table_insert (blocks, block, GSIZE_TO_POINTER (bytes));
  return block;
}

static void
drop (void *block)
{
  gpointer bytes;
  g_assert_true (g_hash_table_steal_extended (blocks, block, NULL, &bytes));
  room += GPOINTER_TO_SIZE (bytes);
  g_ptr_array_add (dropped, (char *) block + POOL_LINE);
  free (block);
}

static pool *
new_pool (size_t bytes)
{
  static pool p;
  p = (pool){.make = make, .drop = drop, .min = MINIMUM, .max = MAXIMUM, .lock = POOL_LOCK};
  room = bytes;
  g_ptr_array_set_size (dropped, 0);
  return &p;
}

/* All that was made is dropped. */
static void
end (pool *p)
{
  pool_clear (p);
  g_assert_cmpuint (g_hash_table_size (blocks), ==, 0);
}

/* All of it can be written. */
static void *
take (pool *p, size_t bytes)
{
  void *memory = pool_take (p, bytes);
  g_assert_nonnull (memory);
  g_assert_cmpuint ((guintptr) memory % POOL_LINE, ==, 0);
  memset (memory, 7, bytes);
  return memory;
}

/* For nearly as much, and the smallest that will do. */
static void
test_again (void)
{
  pool *p = new_pool (1 << 20);
  void *small = take (p, MINIMUM - 1), *one = take (p, 4000), *larger = take (p, 4400);
  pool_give (p, small);
  pool_give (p, larger);
  pool_give (p, one);
  g_assert_cmpuint (dropped->len, ==, 1);
  g_assert_true (dropped->pdata[0] == small);
  g_assert_true (take (p, 3900) == one);
  g_assert_true (take (p, 3900) == larger);
  pool_give (p, one);
  void *half = take (p, 2900); /* less than three quarters of it */
  g_assert_true (half != one);
  void *more = take (p, 4001);
  g_assert_true (more != one);
  pool_give (p, half);
  pool_give (p, more);
  pool_give (p, larger);
  end (p);
}

/* What is given back last comes back, however many sizes there were before; never more than the pool may keep. */
static void
test_ever_new (void)
{
  pool *p = new_pool (1 << 30);
  for (size_t bytes = MINIMUM; bytes < MAXIMUM; bytes += bytes / 2) { /* no size is near another */
    void *memory = take (p, bytes);
    pool_give (p, memory);
    g_assert_cmpuint (p->bytes, <=, MAXIMUM);
    g_assert_true (take (p, bytes) == memory);
    pool_give (p, memory);
  }
  g_assert_cmpuint (dropped->len, >, 0);
  void *huge = take (p, MAXIMUM + 1);
  guint before = dropped->len;
  pool_give (p, huge); /* for which nothing else goes */
  g_assert_cmpuint (dropped->len, ==, before + 1);
  end (p);
}

/* There is a limit of their number, too. */
static void
test_oldest (void)
{
  pool *p = new_pool (1 << 30);
  void *all[POOL_KEPT + 2];
  for (int i = 0; i < POOL_KEPT + 2; i++)
    all[i] = take (p, MINIMUM);
  for (int i = 0; i < POOL_KEPT + 2; i++)
    pool_give (p, all[i]);
  g_assert_cmpuint (dropped->len, ==, 2);
  g_assert_true (dropped->pdata[0] == all[0] && dropped->pdata[1] == all[1]);
  end (p);
}

/* Unused blocks are freed before a request fails; those in use stay. */
static void
test_no_memory (void)
{
  pool *p = new_pool (90000);
  void *used = take (p, 30000), *stale = take (p, 40000);
  pool_give (p, stale);
  g_assert_null (pool_take (p, 70000));
  g_assert_cmpuint (dropped->len, ==, 1);
  pool_give (p, take (p, 20000));
  void *large = take (p, 50000);
  pool_give (p, large);
  pool_give (p, used);
  end (p);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  blocks = g_hash_table_new (NULL, NULL);
  dropped = g_ptr_array_new ();
  g_test_add_func ("/pool/again", test_again);
  g_test_add_func ("/pool/ever-new", test_ever_new);
  g_test_add_func ("/pool/oldest", test_oldest);
  g_test_add_func ("/pool/no-memory", test_no_memory);
  int status = g_test_run ();
  g_ptr_array_unref (dropped);
  g_hash_table_unref (blocks);
  return status;
}
