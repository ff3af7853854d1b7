/* SPDX-License-Identifier: MIT
 */
#include "readers/process/serve.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { READ_BYTES = 12 + 5 * 8 };

typedef struct {
  const ProcessFunctions *functions;
  GHashTable *files; /* by their handles */
  guint32 handles;   /* that were given */
  guint8 *pixels;
  GByteArray *request, *answer;
} Server;

/* ---- Answers ---- */

static void
put (GByteArray *to, guint64 number, guint bytes)
{
  for (guint i = 0; i < bytes; i++) {
    const guint8 byte = (guint8) (number >> 8 * i);
    g_byte_array_append (to, &byte, 1);
  }
}

void
process_put_u32 (GByteArray *to, guint32 number)
{
  put (to, number, 4);
}

void
process_put_i64 (GByteArray *to, gint64 number)
{
  put (to, (guint64) number, 8);
}

void
process_put_f64 (GByteArray *to, double number)
{
  guint64 bits;
  memcpy (&bits, &number, sizeof bits);
  put (to, bits, 8);
}

void
process_put_text (GByteArray *to, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text ? text : "", -1);
  const gsize length = strlen (valid);
  process_put_u32 (to, (guint32) length);
  g_byte_array_append (to, (const guint8 *) valid, (guint) length);
}

gboolean
process_error (fv_error *error, fv_status code, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  error->code = code;
  return FALSE;
}

/* ---- Requests ---- */

static guint64
number_at (const Server *s, gsize at, guint bytes)
{
  guint64 number = 0;
  for (guint i = 0; i < bytes; i++)
    number |= (guint64) s->request->data[at + i] << 8 * i;
  return number;
}

static gpointer
file_of (const Server *s)
{
  return s->request->len < 4 ? NULL : g_hash_table_lookup (s->files, GUINT_TO_POINTER ((guint32) number_at (s, 0, 4)));
}

static fv_status
wrong (fv_error *error)
{
  process_error (error, FV_BAD_INPUT, "The process that reads the file got a request that it does not know.");
  return error->code;
}

static fv_status
open_file (Server *s, fv_error *error)
{
  g_autofree char *path = g_strndup ((const char *) s->request->data, s->request->len);
  const guint32 handle = ++s->handles;
  process_put_u32 (s->answer, handle);
  gpointer file = s->functions->open (path, s->answer, error);
  if (!file)
    return error->code;
  g_hash_table_insert (s->files, GUINT_TO_POINTER (handle), file);
  return FV_OK;
}

static fv_status
image (Server *s, fv_error *error)
{
  gpointer file = file_of (s);
  return file && s->request->len == 8 ? s->functions->image (file, (guint) number_at (s, 4, 4), s->answer, error)
                                      : wrong (error);
}

static fv_status
read_pixels (Server *s, fv_error *error)
{
  gpointer file = file_of (s);
  if (!file || s->request->len != READ_BYTES)
    return wrong (error);
  ProcessRegion region = {.image = (gint64) number_at (s, 4, 4), .level = (gint64) number_at (s, 8, 4)};
  gint64 *const numbers[] = {&region.plane, &region.row, &region.column, &region.rows, &region.columns};
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    *numbers[i] = (gint64) number_at (s, 12 + 8 * i, 8);
  return s->functions->read (file, &region, s->pixels, error);
}

static fv_status
answer (Server *s, guint32 kind, fv_error *error)
{
  switch (kind) {
  case PROCESS_OPEN: return open_file (s, error);
  case PROCESS_IMAGE: return image (s, error);
  case PROCESS_READ: return read_pixels (s, error);
  }
  return wrong (error);
}

/* ---- The socket ---- */

static gboolean
receive (void *to, gsize n)
{
  for (guint8 *at = to; n;) {
    const gssize got = read (PROCESS_SOCKET, at, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    at += got;
    n -= (gsize) got;
  }
  return TRUE;
}

static gboolean
send_all (const void *bytes, gsize n)
{
  for (const guint8 *from = bytes; n;) {
    const gssize sent = write (PROCESS_SOCKET, from, n);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return FALSE;
    from += sent;
    n -= (gsize) sent;
  }
  return TRUE;
}

static gboolean
reply (Server *s, fv_status status, fv_error *error)
{
  if (!status && s->answer->len > PROCESS_MAX_ANSWER) {
    process_error (error, FV_BAD_INPUT, "Its texts have more than %d MiB.", PROCESS_MAX_ANSWER >> 20);
    status = error->code;
  }
  if (status) {
    g_byte_array_set_size (s->answer, 0);
    g_byte_array_append (s->answer, (const guint8 *) error->text, (guint) strlen (error->text));
  }
  const process_reply head = {status, s->answer->len};
  return send_all (&head, sizeof head) && send_all (s->answer->data, s->answer->len);
}

/* FALSE: the owner has ended. */
static gboolean
serve_one (Server *s, guint seconds)
{
  fv_error error = FV_ERROR_INIT;
  process_request head;
  if (!receive (&head, sizeof head) || head.bytes > PROCESS_MAX_REQUEST)
    return FALSE;
  g_byte_array_set_size (s->request, head.bytes);
  if (!receive (s->request->data, head.bytes))
    return FALSE;
  if (head.kind == PROCESS_CLOSE) {
    if (file_of (s))
      g_hash_table_remove (s->files, GUINT_TO_POINTER ((guint32) number_at (s, 0, 4)));
    return TRUE;
  }
  g_byte_array_set_size (s->answer, 0);
  alarm (seconds);
  const fv_status status = answer (s, head.kind, &error);
  alarm (0);
  return reply (s, status, &error);
}

int
process_serve (const ProcessFunctions *functions, guint seconds)
{
  const struct rlimit none = {0, 0};
  void *pixels = mmap (NULL, PROCESS_PIXELS, PROT_READ | PROT_WRITE, MAP_SHARED, PROCESS_MEMORY, 0);
  Server s = {.functions = functions, .pixels = pixels};
  setrlimit (RLIMIT_CORE, &none);
  if (pixels == MAP_FAILED)
    return 1;
  s.files = g_hash_table_new_full (NULL, NULL, NULL, functions->close);
  s.request = g_byte_array_new ();
  s.answer = g_byte_array_new ();
  while (serve_one (&s, seconds))
    continue;
  g_hash_table_unref (s.files);
  g_byte_array_unref (s.request);
  g_byte_array_unref (s.answer);
  munmap (pixels, PROCESS_PIXELS);
  return 0;
}
