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

/* One message; error, which is freed, or NULL. ort: or NULL. FALSE: the owner has ended. */
static gboolean
reply (GError *error, const Ort *ort, const char *text)
{
  model_reply to = {.failed = error != NULL, .on_gpu = ort && ort_is_on_gpu (ort)};
  model_text (to.text, sizeof to.text, error ? error->message : text);
  g_clear_error (&error);
  return write (SOCKET, &to, sizeof to) == (gssize) sizeof to;
}

static gboolean
run (Ort *ort, const model_head *head, const model_request *request, float *memory, GError **error)
{
  const gint64 pixels = head->inputs * request->rows * request->columns;
  Planes out;
  g_autofree float *numbers = ort_run (ort, head, memory, request->rows, request->columns, &out, error);
  if (!numbers)
    return FALSE;
  const gint64 n = out.channels * out.rows * out.columns;
  if (out.channels != head->channels || out.rows << head->shrink != request->rows
      || out.columns << head->shrink != request->columns || n > request->bytes / (gint64) sizeof (float) - pixels)
    return model_error (error, "Its network made %d x %d x %d numbers of %d x %d pixels.", (int) out.channels,
                        (int) out.rows, (int) out.columns, (int) request->rows, (int) request->columns);
  steps_do_after (head, numbers, n);
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
  return reply (error, ort, "");
}

int
serve_folder (const char *folder, int threads, int gpu)
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
  Ort *ort = ort_new (onnx, threads, gpu, &error);
  if (!reply (error, ort, ort ? ort_says (ort) : "") || !ort)
    return 1;
  while (serve_one (ort, head))
    continue;
  return 0;
}
