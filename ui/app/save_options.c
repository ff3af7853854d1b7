/* SPDX-License-Identifier: MIT
 */
#include "ui/app/save_options.h"

#include "core/base/settings.h"
#include "core/files/formats.h"
#include "core/files/options.h"
#include "core/ops/args.h"
#include "ui/form/args_form.h"

enum { LABEL = 20 }; /* letters of a label */
static const char group[] = "Saving";

/* Those of one format. */
typedef struct {
  const FileFormat *format;
  Op op;
  char *proposed; /* what was shown first, as text */
  ArgsForm form;
} Options;

struct _SaveOptions {
  GtkBox parent;
  GPtrArray *all; /* Options */
};

G_DEFINE_FINAL_TYPE (SaveOptions, save_options, GTK_TYPE_BOX)

/* ---- Values ---- */

/* As they were the last time, or as the format proposes them. */
static gpointer
first_options (const FileFormat *format, const ImageInfo *info)
{
  gpointer options = NULL;
  g_autofree char *kept = settings_get (settings_of_user (), group, format->key);
  if (kept && options_read (format, "", kept, &options, NULL))
    return options;
  options_read (format, "", NULL, &options, NULL);
  if (format->propose)
    format->propose (options, info);
  return options;
}

static Options *
options_of (const SaveOptions *self, const char *path)
{
  const FileFormat *format = formats_of_output (path);
  for (guint i = 0; i < self->all->len; i++)
    if (((Options *) self->all->pdata[i])->format == format)
      return self->all->pdata[i];
  return NULL;
}

gboolean
save_options_check (SaveOptions *self, const char *path)
{
  const Options *options = options_of (self, path);
  return !options || param_form_check (options->form.form);
}

/* What was proposed stays a proposal; what cannot be kept is used all the same. */
char *
save_options_take (SaveOptions *self, const char *path)
{
  const Options *options = options_of (self, path);
  g_autoptr (GError) error = NULL;
  if (!options)
    return NULL;
  char *text = args_format (&options->op, options->form.args, NULL);
  if (g_strcmp0 (text, options->proposed)
      && !settings_set (settings_of_user (), group, options->format->key, text, &error))
    g_info ("The settings for saving files cannot be saved: %s", error->message);
  return text;
}

/* ---- The widget ---- */

static void
add_format (SaveOptions *self, const FileFormat *format, const ImageInfo *info)
{
  Options *options = g_new (Options, 1);
  GtkWidget *title = gtk_label_new (format->label);
  *options = (Options){.format = format, .op = options_op (format)};
  options->form = (ArgsForm){.op = &options->op, .args = first_options (format, info), .check = format->check};
  options->proposed = args_format (&options->op, options->form.args, NULL);
  g_ptr_array_add (self->all, options);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_box_append (GTK_BOX (self), title);
  gtk_box_append (GTK_BOX (self), args_form_new (&options->form, LABEL));
  param_form_add (options->form.form, options->op.fv.params, options->op.n_params);
}

static void
options_free (gpointer data)
{
  Options *options = data;
  g_free (options->form.args);
  g_free (options->proposed);
  g_free (options);
}

static void
save_options_finalize (GObject *object)
{
  g_ptr_array_unref (FOVEA_SAVE_OPTIONS (object)->all);
  G_OBJECT_CLASS (save_options_parent_class)->finalize (object);
}

static void
save_options_class_init (SaveOptionsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = save_options_finalize;
}

static void
save_options_init (SaveOptions *self)
{
  self->all = g_ptr_array_new_with_free_func (options_free);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  g_object_set (self, "margin-start", 12, "margin-end", 12, "margin-top", 6, "margin-bottom", 6, NULL);
}

GtkWidget *
save_options_new (const ImageInfo *info)
{
  SaveOptions *self = g_object_new (SAVE_OPTIONS_TYPE, NULL);
  for (const FileFormat *const *format = formats_all (); *format; format++)
    if ((*format)->n_written && (*format)->options)
      add_format (self, *format, info);
  return GTK_WIDGET (self);
}
