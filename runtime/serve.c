/* SPDX-License-Identifier: MIT
 */
#include "runtime/serve.h"

#include "runtime/error.h"
#include "runtime/ort.h"
#include "runtime/steps.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SOCKET = 0 };

static gboolean
receive (void *to, gsize n)
{
  for (guint8 *at = to; n;) {
    const gssize got = read (SOCKET, at, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    at += got;
    n -= (gsize) got;
  }
  return TRUE;
}

/* One message; error, which is freed, or NULL. FALSE: the owner has ended. */
static gboolean
reply (GError *error, const char *text)
{
  model_reply to = {.failed = error != NULL};
  model_text (to.text, sizeof to.text, error ? error->message : text);
  g_clear_error (&error);
  return write (SOCKET, &to, sizeof to) == (gssize) sizeof to;
}

static gboolean
run (Ort *ort, const model_head *head, const model_request *request, float *memory, GError **error)
{
  const gint64 pixels = request->rows * request->columns, room = request->bytes / (gint64) sizeof (float) - pixels;
  gint64 sizes[3];
  g_autofree float *numbers = NULL;
  if (!ort_run (ort, head, memory, request->rows, request->columns, &numbers, sizes, error))
    return FALSE;
  if (sizes[0] != head->channels || sizes[1] << head->shrink != request->rows
      || sizes[2] << head->shrink != request->columns || sizes[0] * sizes[1] * sizes[2] > room)
    return model_error (error, "Its network made %d x %d x %d numbers of %d x %d pixels.", (int) sizes[0],
                        (int) sizes[1], (int) sizes[2], (int) request->rows, (int) request->columns);
  const gint64 n = sizes[0] * sizes[1] * sizes[2];
  steps_do (head->after, head->n_after, numbers, n);
  memcpy (memory + pixels, numbers, (gsize) n * sizeof *numbers);
  return TRUE;
}

/* FALSE: the owner has ended. */
static gboolean
serve_one (Ort *ort, const model_head *head)
{
  model_request request;
  GError *error = NULL;
  if (!receive (&request, sizeof request))
    return FALSE;
  void *memory = mmap (NULL, (gsize) request.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, MODEL_MEMORY, 0);
  if (memory == MAP_FAILED)
    model_error (&error, "Memory is short: a tile of %d x %d pixels does not fit.", (int) request.rows,
                 (int) request.columns);
  else
    run (ort, head, &request, memory, &error);
  if (memory != MAP_FAILED)
    munmap (memory, (gsize) request.bytes);
  return reply (error, "");
}

int
serve_folder (const char *folder, int threads)
{
  const struct rlimit none = {0, 0};
  GError *error = NULL;
  g_autofree char *path = g_build_filename (folder, MODEL_HEAD, NULL), *bytes = NULL;
  gsize n;
  setrlimit (RLIMIT_CORE, &none);
  if (!g_file_get_contents (path, &bytes, &n, &error) || n != sizeof (model_head))
    return 1;
  const model_head *head = (const model_head *) bytes;
  g_autofree char *onnx = g_build_filename (folder, MODEL_FILES, head->onnx, NULL);
  Ort *ort = ort_new (onnx, threads, &error);
  if (!reply (error, ort ? ort_version (ort) : "") || !ort)
    return 1;
  while (serve_one (ort, head))
    continue;
  return 0;
}
