/* SPDX-License-Identifier: MIT
 *
 * The threads live as long as the work: to start one takes some 20 µs, and it inherits how modest its maker is.
 */
#include "core/base/parallel.h"

#include "core/base/progress.h"

typedef struct {
  ParallelWork work;
  gpointer data;
  Progress *progress;
  guint64 n;
  GMutex lock;          /* guards all below */
  guint64 next, failed; /* failed: the first that did; n: none */
  GError *error;        /* its */
} Team;

/* Listeners, called with the number of threads that operations may use. */
typedef struct Follower Follower;
struct Follower {
  ParallelFollow follow;
  Follower *next;
};

static Follower *followers;
static GPrivate limit = G_PRIVATE_INIT (NULL);            /* of this thread's teams; 0: none */
static GPrivate operations_limit = G_PRIVATE_INIT (NULL); /* of operations that it calls; 0: none */
static GPrivate within = G_PRIVATE_INIT (NULL);           /* the team that this thread works for */

guint
parallel_threads (void)
{
  static gsize threads;
  if (g_once_init_enter (&threads)) {
    const char *text = g_getenv ("OMP_NUM_THREADS");
    guint64 wanted = text ? g_ascii_strtoull (text, NULL, 10) : 0;
    guint cores = g_get_num_processors ();
    g_once_init_leave (&threads, wanted > 0 ? (gsize) MIN (wanted, cores) : cores);
  }
  return (guint) threads;
}

void
parallel_follow (ParallelFollow follow)
{
  Follower *first = g_atomic_pointer_get (&followers), *added;
  for (Follower *f = first; f; f = f->next)
    if (f->follow == follow)
      return;
  added = g_new (Follower, 1);
  do {
    first = g_atomic_pointer_get (&followers);
    *added = (Follower){follow, first};
  } while (!g_atomic_pointer_compare_and_exchange (&followers, first, added));
}

guint
parallel_limit_operations (guint threads)
{
  const guint before = GPOINTER_TO_UINT (g_private_get (&operations_limit));
  g_private_set (&operations_limit, GUINT_TO_POINTER (threads));
  for (const Follower *f = g_atomic_pointer_get (&followers); f; f = f->next)
    f->follow ((gint32) threads);
  return before;
}

void
parallel_limit (guint threads)
{
  g_private_set (&limit, GUINT_TO_POINTER (threads));
  parallel_limit_operations (threads);
}

/* The next piece to do. */
static gboolean
take (Team *team, guint64 *i)
{
  gboolean more;
  g_mutex_lock (&team->lock);
  more = team->next < team->n && team->failed == team->n;
  *i = team->next;
  team->next += more;
  g_mutex_unlock (&team->lock);
  return more;
}

static void
keep_fault (Team *team, guint64 i, GError *error)
{
  g_mutex_lock (&team->lock);
  if (i < team->failed) {
    team->failed = i;
    g_clear_error (&team->error);
    team->error = g_steal_pointer (&error);
  }
  g_mutex_unlock (&team->lock);
  g_clear_error (&error);
}

static gpointer
take_pieces (gpointer data)
{
  Team *team = data;
  guint64 i;
  progress_enter (team->progress);
  g_private_set (&within, team);
  while (take (team, &i)) {
    GError *error = NULL;
    if (progress_stopped (&error) || !team->work (team->data, i, &error))
      keep_fault (team, i, error);
  }
  g_private_set (&within, NULL);
  return NULL;
}

static gboolean
do_in_turn (guint64 n, ParallelWork piece, gpointer data, GError **error)
{
  for (guint64 i = 0; i < n; i++)
    if (progress_stopped (error) || !piece (data, i, error))
      return FALSE;
  return TRUE;
}

/* How many threads this one may have. */
static guint
allowed_threads (void)
{
  const guint allowed = GPOINTER_TO_UINT (g_private_get (&limit));
  return allowed ? allowed : parallel_threads ();
}

gboolean
parallel_do (guint64 n, guint64 max, ParallelWork piece, gpointer data, GError **error)
{
  Team team = {.work = piece, .data = data, .progress = progress_current (), .n = n, .failed = n};
  guint threads = (guint) MIN (MIN (n, max), allowed_threads ());
  g_autofree GThread **others = NULL;
  if (threads <= 1 || g_private_get (&within))
    return do_in_turn (n, piece, data, error);
  others = g_new0 (GThread *, threads);
  g_mutex_init (&team.lock);
  for (guint i = 1; i < threads; i++) /* without those that failed to start */
    others[i] = g_thread_try_new ("parallel", take_pieces, &team, NULL);
  take_pieces (&team);
  for (guint i = 1; i < threads; i++)
    if (others[i])
      g_thread_join (others[i]);
  g_mutex_clear (&team.lock);
  if (team.error)
    g_propagate_error (error, team.error);
  return team.failed == n;
}

/* ---- Pieces in order ---- */

enum { PIECES_EACH = 4 }; /* made by a thread before they are put away */

typedef struct {
  ParallelMake make;
  gpointer data;
  guint64 first;
  GByteArray **pieces;
} Round;

static gboolean
make_piece (gpointer data, guint64 i, GError **error)
{
  Round *round = data;
  g_byte_array_set_size (round->pieces[i], 0);
  return round->make (round->data, round->first + i, round->pieces[i], error);
}

gboolean
parallel_make (guint64 n, ParallelMake make, ParallelPut put, gpointer data, GError **error)
{
  const guint threads = allowed_threads ();
  const guint max = (guint) MIN (n, threads > 1 ? PIECES_EACH * threads : 1);
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  gboolean done = TRUE;
  for (guint i = 0; i < max; i++)
    g_ptr_array_add (pieces, g_byte_array_new ());
  for (guint64 first = 0; done && first < n; first += max) {
    guint count = (guint) MIN (max, n - first);
    Round round = {make, data, first, (GByteArray **) pieces->pdata};
    done = parallel_do (count, G_MAXUINT, make_piece, &round, error);
    for (guint i = 0; done && i < count; i++)
      done = put (data, first + i, pieces->pdata[i], error);
  }
  return done;
}
