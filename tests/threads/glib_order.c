/* SPDX-License-Identifier: MIT
 *
 * GLib is not built with ThreadSanitizer, which therefore does not see what its locks, conditions, thread pools and main contexts put in order, and
 * would find races everywhere. These functions replace GLib's in a test program and report the order.
 */
#include <dlfcn.h>
#include <glib.h>
#include <sanitizer/tsan_interface.h>

/* GLib's own function of that name, found once. */
#define REAL(name)                                                                                                     \
  static void *found;                                                                                                  \
  __typeof__ (&name) real;                                                                                             \
  *(void **) &real = find (&found, #name)

static void *
find (void **found, const char *name)
{
  void *real = __atomic_load_n (found, __ATOMIC_ACQUIRE);
  if (!real)
    __atomic_store_n (found, real = dlsym (RTLD_NEXT, name), __ATOMIC_RELEASE);
  return real;
}

/* ---- Locks and conditions ---- */

void
g_mutex_lock (GMutex *lock)
{
  REAL (g_mutex_lock);
  real (lock);
  __tsan_acquire (lock);
}

gboolean (g_mutex_trylock) (GMutex *lock)
{
  REAL (g_mutex_trylock);
  gboolean locked = real (lock);
  if (locked)
    __tsan_acquire (lock);
  return locked;
}

void
g_mutex_unlock (GMutex *lock)
{
  REAL (g_mutex_unlock);
  __tsan_release (lock);
  real (lock);
}

void
g_cond_wait (GCond *condition, GMutex *lock)
{
  REAL (g_cond_wait);
  __tsan_release (lock);
  real (condition, lock);
  __tsan_acquire (lock);
}

gboolean
g_cond_wait_until (GCond *condition, GMutex *lock, gint64 end)
{
  REAL (g_cond_wait_until);
  __tsan_release (lock);
  gboolean woken = real (condition, lock, end);
  __tsan_acquire (lock);
  return woken;
}

/* ---- From one thread to another ---- */

/* What GLib allocates here is freed by the main loop, in an order that it knows. */
void AnnotateIgnoreWritesBegin (const char *file, int line);
void AnnotateIgnoreWritesEnd (const char *file, int line);

typedef struct {
  GSourceFunc call;
  GDestroyNotify notify;
  gpointer data;
} Callback;

static gboolean
dispatch (gpointer data)
{
  Callback *callback = data;
  __tsan_acquire (callback);
  return callback->call (callback->data);
}

static void
forget (gpointer data)
{
  Callback *callback = data;
  if (callback->notify)
    callback->notify (callback->data);
  g_free (callback);
}

void
g_source_set_callback (GSource *source, GSourceFunc call, gpointer data, GDestroyNotify notify)
{
  REAL (g_source_set_callback);
  Callback *callback = g_new (Callback, 1);
  *callback = (Callback){call, notify, data};
  __tsan_release (callback);
  AnnotateIgnoreWritesBegin (__FILE__, __LINE__);
  real (source, dispatch, callback, forget);
  AnnotateIgnoreWritesEnd (__FILE__, __LINE__);
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  REAL (g_source_attach);
  AnnotateIgnoreWritesBegin (__FILE__, __LINE__);
  guint id = real (source, context);
  AnnotateIgnoreWritesEnd (__FILE__, __LINE__);
  return id;
}

void
g_source_unref (GSource *source)
{
  REAL (g_source_unref);
  AnnotateIgnoreWritesBegin (__FILE__, __LINE__);
  real (source);
  AnnotateIgnoreWritesEnd (__FILE__, __LINE__);
}

typedef struct {
  GFunc work;
  gpointer data;
} Pool;

static void
work_in_pool (gpointer job, gpointer data)
{
  Pool *pool = data;
  __tsan_acquire (pool);
  pool->work (job, pool->data);
  __tsan_release (pool);
}

GThreadPool *
g_thread_pool_new (GFunc work, gpointer data, gint threads, gboolean exclusive, GError **error)
{
  REAL (g_thread_pool_new);
  Pool *pool = g_new (Pool, 1); /* as long as the program */
  *pool = (Pool){work, data};
  return real (work_in_pool, pool, threads, exclusive, error);
}

/* The pool is GLib's, and so is the order in which it is freed. */
#define UNSEEN __attribute__ ((no_sanitize ("thread")))

UNSEEN gboolean
g_thread_pool_push (GThreadPool *pool, gpointer job, GError **error)
{
  REAL (g_thread_pool_push);
  __tsan_release (pool->user_data);
  return real (pool, job, error);
}

UNSEEN void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  REAL (g_thread_pool_free);
  gpointer ours = pool->user_data;
  real (pool, immediate, wait);
  if (wait)
    __tsan_acquire (ours);
}

/* The queue of a pool is GLib's alone, under a lock that is not taken by the functions above; from GLib 2.76 on its links are freed so
 * that ThreadSanitizer sees it. We have no queue. The domain of errors is written once, in GLib's order, which is not seen either. */
const char *__tsan_default_suppressions (void);

const char *
__tsan_default_suppressions (void)
{
  return "race:g_queue_pop_tail\nrace:step_error_quark\n";
}

/* ---- Errors ---- */

/* The lock that GLib makes at its first error is made before there are threads. */
__attribute__ ((constructor)) static void
make_lock_of_errors (void)
{
  g_error_free (g_error_new_literal (G_FILE_ERROR, 0, ""));
}
