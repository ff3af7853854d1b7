/* SPDX-License-Identifier: MIT
 *
 * The list is rebuilt when images are opened or closed: "(none)", the open ones, the chosen file, and "Choose
 * File…".
 */
#include "ui/several/image_row.h"

#include "ui/widgets/image_chooser.h"
#include "ui/widgets/naming.h"
#include "ui/widgets/narrow_choice.h"

#include <glib/gi18n.h>
#include <string.h>

struct _ImageRow {
  GtkBox parent;
  Shell *shell;
  GtkDropDown *choice;
  GPtrArray *documents; /* as they are listed */
  Document *document;   /* that is chosen; NULL: none */
  char *file;           /* listed in addition; NULL: none */
  gboolean of_file;     /* that is chosen */
  gboolean none;        /* is offered */
  gboolean filling;     /* it is not the user who chooses */
};

G_DEFINE_FINAL_TYPE (ImageRow, image_row, GTK_TYPE_BOX)

static guint changed_signal;

/* ---- The list ---- */

static const char *
name_of (const Document *document)
{
  return image_info (document_source (document))->name;
}

static gboolean
same_path (const Document *a, const Document *b)
{
  return !g_strcmp0 (document_path (a), document_path (b));
}

/* "cells.tif"; where others have the name, too, "cells.tif (folder)" of other files and "cells.tif, 2" of the same. Free with g_free(). */
static char *
label_of (const GPtrArray *documents, guint i)
{
  const Document *own = documents->pdata[i];
  const char *name = name_of (own), *path = document_path (own);
  GString *label = g_string_new (name);
  guint before = 0;
  gboolean elsewhere = FALSE;
  for (guint k = 0; k < documents->len; k++) {
    const gboolean same = same_path (own, documents->pdata[k]);
    if (k == i || strcmp (name, name_of (documents->pdata[k])))
      continue;
    elsewhere = elsewhere || !same;
    before += same && k < i;
  }
  if (elsewhere && path) {
    g_autofree char *folder = g_path_get_dirname (path), *last = g_filename_display_basename (folder);
    g_string_append_printf (label, " (%s)", last);
  }
  if (before)
    g_string_append_printf (label, ", %u", before + 1);
  return g_string_free (label, FALSE);
}

static guint
first_document (const ImageRow *row)
{
  return row->none ? 1 : 0;
}

/* Where the chosen one stands; GTK_INVALID_LIST_POSITION: nothing is chosen, and that is not in the list. */
static guint
row_index (const ImageRow *row)
{
  guint i;
  if (row->of_file)
    return first_document (row) + row->documents->len;
  if (row->document && g_ptr_array_find (row->documents, row->document, &i))
    return first_document (row) + i;
  return row->none ? 0 : GTK_INVALID_LIST_POSITION;
}

static void
fill (ImageRow *row)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);
  if (row->none)
    gtk_string_list_append (texts, _ ("(none)"));
  for (guint i = 0; i < row->documents->len; i++)
    gtk_string_list_take (texts, label_of (row->documents, i));
  if (row->file)
    gtk_string_list_take (texts, g_filename_display_basename (row->file));
  gtk_string_list_append (texts, _ ("Choose File…"));
  row->filling = TRUE;
  gtk_drop_down_set_model (row->choice, G_LIST_MODEL (texts));
  gtk_drop_down_set_selected (row->choice, row_index (row));
  row->filling = FALSE;
}

void
image_row_refresh (ImageRow *row)
{
  g_ptr_array_unref (row->documents);
  row->documents = shell_documents (row->shell);
  if (row->document && !g_ptr_array_find (row->documents, row->document, NULL))
    g_clear_object (&row->document);
  fill (row);
}

/* ---- What is chosen ---- */

Document *
image_row_document (const ImageRow *row)
{
  return row->document;
}

const char *
image_row_file (const ImageRow *row)
{
  return row->of_file ? row->file : NULL;
}

void
image_row_set (ImageRow *row, Document *document, const char *file)
{
  g_set_object (&row->document, document);
  g_free (row->file);
  row->file = g_strdup (file);
  row->of_file = file != NULL;
  fill (row);
}

const char *
image_row_text (const ImageRow *row)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (row->choice);
  return item && (row->document || row->of_file) ? gtk_string_object_get_string (item) : NULL;
}

static void
set_file (ImageRow *row, const char *path)
{
  image_row_set (row, NULL, path);
  g_signal_emit (row, changed_signal, 0);
}

static const char *
start_of (const ImageRow *row)
{
  Document *front = shell_document (row->shell);
  return front ? document_path (front) : NULL;
}

/* The list stays as it is: the drop-down is not done with it yet. */
static void
on_chosen (ImageRow *row)
{
  const guint i = gtk_drop_down_get_selected (row->choice), first = first_document (row);
  const guint files = first + row->documents->len, dialog = files + (row->file != NULL);
  if (row->filling || i == GTK_INVALID_LIST_POSITION || i == row_index (row))
    return;
  if (i == dialog) {
    row->filling = TRUE;
    gtk_drop_down_set_selected (row->choice, row_index (row));
    row->filling = FALSE;
    image_chooser_ask (GTK_WIDGET (row), start_of (row), (ImageChosen) set_file);
    return;
  }
  Document *document = i >= first && i < files ? row->documents->pdata[i - first] : NULL;
  g_set_object (&row->document, document);
  row->of_file = i == files;
  g_signal_emit (row, changed_signal, 0);
}

/* ---- The widget ---- */

static void
image_row_dispose (GObject *object)
{
  g_clear_object (&FOVEA_IMAGE_ROW (object)->document);
  G_OBJECT_CLASS (image_row_parent_class)->dispose (object);
}

static void
image_row_finalize (GObject *object)
{
  ImageRow *row = FOVEA_IMAGE_ROW (object);
  g_ptr_array_unref (row->documents);
  g_free (row->file);
  G_OBJECT_CLASS (image_row_parent_class)->finalize (object);
}

static void
image_row_class_init (ImageRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = image_row_dispose;
  G_OBJECT_CLASS (class)->finalize = image_row_finalize;
  changed_signal = g_signal_new ("changed", IMAGE_ROW_TYPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
image_row_init (ImageRow *row)
{
  row->choice = GTK_DROP_DOWN (narrow_choice_new (NULL));
}

GtkWidget *
image_row_new (Shell *shell, const char *name, gboolean none)
{
  ImageRow *row = g_object_new (IMAGE_ROW_TYPE, NULL);
  GtkWidget *choice = GTK_WIDGET (row->choice);
  row->shell = shell;
  row->none = none;
  row->documents = shell_documents (shell);
  gtk_widget_set_hexpand (choice, TRUE);
  naming_set (choice, name);
  gtk_box_append (GTK_BOX (row), choice);
  fill (row);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (on_chosen), row, G_CONNECT_SWAPPED);
  return GTK_WIDGET (row);
}
