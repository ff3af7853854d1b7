/* SPDX-License-Identifier: MIT
 */
#include "ui/macro/host.h"

#include "core/base/error.h"
#include "ui/macro/selections.h"
#include "ui/macro/steps.h"
#include "ui/macro/talk.h"
#include "ui/shell/opening.h"
#include "ui/shell/recent.h"

/* ---- Images ---- */

static guint
id_of (const MacroStage *s, const Document *document)
{
  guint i;
  return g_ptr_array_find (s->images, document, &i) ? i + 1 : 0;
}

typedef struct {
  Image *image;
  const char *path;
} Opened;

/* At its first plane, as without a window and in ImageJ, although the app starts in the middle of a stack. */
static void
in_open (gpointer data)
{
  MacroAsk *a = data;
  const Opened *opened = a->in;
  if (!a->stage->shell)
    return;
  Document *document = shell_add (a->stage->shell, opened->image, opened->path);
  view_set_position (page_view (shell_page_of (a->stage->shell, document)), 0, 0, 0);
  a->stage->current = id_of (a->stage, document);
  recent_add (RECENT_IMAGES, opened->path);
  a->out = GUINT_TO_POINTER (a->stage->current);
}

static guint
host_open (gpointer self, const char *path, guint n, GError **error)
{
  g_autoptr (Image) image = opening_read (path, n, error);
  if (!image)
    return 0;
  guint id = GPOINTER_TO_UINT (macro_ask (self, in_open, 0, &(Opened){image, path}));
  if (!id)
    macro_ask_closed (error);
  return id;
}

static void
in_create (gpointer data)
{
  MacroAsk *a = data;
  if (a->stage->shell)
    a->stage->current = id_of (a->stage, shell_add (a->stage->shell, run_nothing (), NULL));
  a->out = GUINT_TO_POINTER (a->stage->shell ? a->stage->current : 0);
}

static guint
host_create (gpointer self, GError **error)
{
  guint id = GPOINTER_TO_UINT (macro_ask (self, in_create, 0, NULL));
  if (!id)
    macro_ask_closed (error);
  return id;
}

/* What a person has made and not saved is not a macro's to lose. */
static void
in_close (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  Document *document = macro_ask_document (a);
  PageUnsaved unsaved;
  if (page && a->image <= a->stage->before && page_unsaved (page, &unsaved))
    step_error_set (&a->error, FV_BAD_ARGUMENT, NULL,
                    "%s was open before this macro started, and its %s are not saved. Save or close it first.",
                    image_info (document_source (document))->name,
                    unsaved.steps        ? "steps"
                    : unsaved.selections ? "selections"
                                         : "measurements");
  else if (page)
    shell_remove (a->stage->shell, page);
}

static gboolean
host_close (gpointer self, guint image, GError **error)
{
  return macro_ask_or_fail (self, in_close, image, NULL, error);
}

static void
in_exists (gpointer data)
{
  MacroAsk *a = data;
  a->out = macro_ask_document (a);
}

static gboolean
host_exists (gpointer self, guint image)
{
  return macro_ask (self, in_exists, image, NULL) != NULL;
}

static void
in_images (gpointer data)
{
  MacroAsk *a = data;
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint id = 1; id <= a->stage->images->len; id++)
    if (macro_ask_document (&(MacroAsk){.stage = a->stage, .image = id}))
      g_array_append_val (ids, id);
  a->out = ids;
}

static GArray *
host_images (gpointer self)
{
  return macro_ask (self, in_images, 0, NULL);
}

/* When it has been closed, that in front. */
static void
in_current (gpointer data)
{
  MacroAsk *a = data;
  MacroStage *s = a->stage;
  Page *front = s->shell ? shell_page (s->shell) : NULL;
  if (!macro_ask_document (&(MacroAsk){.stage = s, .image = s->current}))
    s->before = s->images->len;
  s->current = front ? id_of (s, view_document (page_view (front))) : 0;
  a->out = GUINT_TO_POINTER (s->current);
}

static guint
host_current (gpointer self)
{
  return GPOINTER_TO_UINT (macro_ask (self, in_current, 0, NULL));
}

static void
in_select (gpointer data)
{
  MacroAsk *a = data;
  Page *page = macro_ask_page (a);
  a->stage->current = a->image;
  if (page)
    shell_bring (a->stage->shell, page);
}

static void
host_select (gpointer self, guint image)
{
  macro_ask (self, in_select, image, NULL);
}

static void
in_title (gpointer data)
{
  MacroAsk *a = data;
  Document *document = macro_ask_document (a);
  a->out = g_strdup (document ? image_info (document_source (document))->name : "");
}

static char *
host_title (gpointer self, guint image)
{
  return macro_ask (self, in_title, image, NULL);
}

static void
in_path (gpointer data)
{
  MacroAsk *a = data;
  Document *document = macro_ask_document (a);
  a->out = document ? g_strdup (document_path (document)) : NULL;
}

static char *
host_path (gpointer self, guint image)
{
  return macro_ask (self, in_path, image, NULL);
}

/* ---- The stage ---- */

void
macro_host_begin (MacroStage *s)
{
  Page *front = shell_page (s->shell);
  s->current = front ? id_of (s, view_document (page_view (front))) : 0;
  macro_talk_begin (s);
  relay_start (s->relay);
}

void
macro_host_stop (MacroStage *s)
{
  relay_stop (s->relay);
}

void
macro_host_leave (MacroStage *s)
{
  if (s->shell)
    g_signal_handlers_disconnect_by_data (s->shell, s);
  s->shell = NULL;
}

static void
on_opened (Shell *shell, Document *document, MacroStage *s)
{
  (void) shell;
  g_ptr_array_add (s->images, document);
}

static void
on_closed (Shell *shell, Document *document, MacroStage *s)
{
  (void) shell;
  s->images->pdata[id_of (s, document) - 1] = NULL;
}

MacroStage *
macro_host_new (Shell *shell, Modules *modules, Worker *worker)
{
  g_autoptr (GPtrArray) documents = shell_documents (shell);
  MacroStage *s = g_new0 (MacroStage, 1);
  s->host = (MacroHost){.self = s,
                        .modules = modules,
                        .open = host_open,
                        .create = host_create,
                        .close = host_close,
                        .exists = host_exists,
                        .images = host_images,
                        .current = host_current,
                        .select = host_select,
                        .title = host_title,
                        .path = host_path};
  macro_steps_add (&s->host);
  macro_selections_add (&s->host);
  macro_talk_add (&s->host);
  s->shell = shell;
  s->modules = modules;
  s->worker = worker;
  s->relay = relay_new ();
  s->images = g_ptr_array_new ();
  s->printed = g_string_new (NULL);
  g_mutex_init (&s->lock);
  for (guint i = 0; i < documents->len; i++)
    on_opened (shell, documents->pdata[i], s);
  g_signal_connect (shell, "opened", G_CALLBACK (on_opened), s);
  g_signal_connect (shell, "closed", G_CALLBACK (on_closed), s);
  return s;
}

void
macro_host_free (MacroStage *s)
{
  relay_free (s->relay);
  g_ptr_array_unref (s->images);
  g_string_free (s->printed, TRUE);
  g_free (s->status);
  g_free (s->whose);
  g_mutex_clear (&s->lock);
  g_free (s);
}
