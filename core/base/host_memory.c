/* SPDX-License-Identifier: MIT
 *
 * What is reserved but not written yet is known from the pages that this process has got since. To look at the system's figures
 * takes as long as a small operation: half of the room that was seen may be reserved without looking, for a while.
 */
#include "core/base/host_memory.h"

#include "core/base/error.h"

#include "core/base/fork.h"
#include <malloc.h>
#include <sys/mman.h>

/* Neither refused nor counted: so little is always found. */
static const gsize small = (gsize) 1 << 20;
/* Left for all that is not reserved: tables, decoders, the window. */
static const gsize spare = (gsize) 64 << 20;
static const gint64 refresh_interval = G_USEC_PER_SEC / 4;

typedef struct {
  void (*trim) (gpointer keeper);
  gpointer keeper;
} Keeper;

static GMutex lock; /* guards all below */
static gsize reserved, resident_before, unseen;
static gint64 looked;
static GSList *keepers;

FORK_GUARD_STATIC (lock)

/* ---- Keepers ---- */

void
host_memory_add_keeper (void (*trim) (gpointer), gpointer keeper)
{
  Keeper *k = g_new (Keeper, 1);
  *k = (Keeper){trim, keeper};
  g_mutex_lock (&lock);
  keepers = g_slist_prepend (keepers, k);
  g_mutex_unlock (&lock);
}

void
host_memory_remove_keeper (gpointer keeper)
{
  g_mutex_lock (&lock);
  for (GSList *l = keepers, *next; l; l = next) {
    next = l->next;
    if (((Keeper *) l->data)->keeper == keeper) {
      g_free (l->data);
      keepers = g_slist_delete_link (keepers, l);
    }
  }
  g_mutex_unlock (&lock);
}

static void
trim_all (void)
{
  for (GSList *l = keepers; l; l = l->next)
    ((Keeper *) l->data)->trim (((Keeper *) l->data)->keeper);
  malloc_trim (0); /* the C library keeps much, too */
}

/* ---- Reserving ---- */

/* Bytes that are reserved and have no pages yet. The lock is held. */
static gsize
unwritten (void)
{
  gsize now = reserved ? host_room_resident () : 0, written = now > resident_before ? now - resident_before : 0;
  return reserved > written ? reserved - written : 0;
}

static gsize
less (gsize a, gsize b)
{
  return a > b ? a - b : 0;
}

/* What is left for pages (written later) or addresses, whichever is too little for the bytes, else the pages. The lock is
 * held. */
static HostRoom
look (gsize fresh, gsize mapped)
{
  HostRoom pages = host_room_for_pages (), addresses = host_room_for_addresses ();
  pages.bytes = less (pages.bytes, unwritten () + spare);
  addresses.bytes = less (addresses.bytes, spare);
  looked = g_get_monotonic_time ();
  unseen = MIN (pages.bytes, addresses.bytes) / 2;
  return fresh > addresses.bytes && addresses.bytes < less (pages.bytes, mapped) ? addresses : pages;
}

/* The lock is held. */
static gboolean
fits (gsize fresh, gsize mapped, HostRoom *room)
{
  if (fresh + mapped <= small || (fresh + mapped <= unseen && g_get_monotonic_time () - looked < refresh_interval))
    return TRUE;
  *room = look (fresh, mapped);
  if (fresh + mapped <= room->bytes)
    return TRUE;
  trim_all ();
  *room = look (fresh, mapped);
  return fresh + mapped <= room->bytes;
}

gboolean
host_memory_fits (gsize fresh, gsize mapped, HostRoom *room)
{
  gboolean fit;
  g_mutex_lock (&lock);
  fit = fits (fresh, mapped, room);
  g_mutex_unlock (&lock);
  return fit;
}

static fv_status
refuse (gsize bytes, const HostRoom *room, fv_error *error)
{
  g_autofree char *needed = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *left = g_format_size_full (room->bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *limit = g_format_size_full (room->limit, G_FORMAT_SIZE_IEC_UNITS);
  return error_fill (error, FV_NO_MEMORY, "Not enough memory: it needs %s more, %s are left of the %s of %s.", needed,
                     left, limit, room->whose);
}

fv_status
host_memory_reserve (gsize bytes, fv_error *error)
{
  HostRoom room;
  gboolean fit;
  if (bytes <= small)
    return FV_OK;
  g_mutex_lock (&lock);
  if ((fit = fits (bytes, 0, &room))) {
    if (!reserved)
      resident_before = host_room_resident ();
    reserved += bytes;
    unseen = less (unseen, bytes);
  }
  g_mutex_unlock (&lock);
  return fit ? FV_OK : refuse (bytes, &room, error);
}

fv_status
host_memory_ask (gsize bytes, fv_error *error)
{
  HostRoom room;
  gboolean fit;
  if (bytes <= small)
    return FV_OK;
  g_mutex_lock (&lock);
  if ((fit = fits (bytes, 0, &room))) {
    resident_before += bytes; /* soon there, but nothing that was reserved */
    unseen = less (unseen, bytes);
  }
  g_mutex_unlock (&lock);
  return fit ? FV_OK : refuse (bytes, &room, error);
}

void
host_memory_settle (gsize bytes)
{
  if (bytes <= small)
    return;
  g_mutex_lock (&lock);
  reserved = less (reserved, bytes);
  resident_before += bytes;
  g_mutex_unlock (&lock);
}

fv_status
host_memory_map (gsize bytes, void **memory, fv_error *error)
{
  *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (*memory == MAP_FAILED) {
    g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
    *memory = NULL;
    return error_fill (error, FV_NO_MEMORY, "Not enough address space for %s.", size);
  }
  madvise (*memory, bytes, MADV_HUGEPAGE);
  return FV_OK;
}
