/* SPDX-License-Identifier: MIT
 */
#include "core/batch/outputs.h"

#include "core/base/file_folder.h"
#include "core/batch/names.h"
#include "core/batch/staging.h"
#include "core/batch/stamp.h"
#include "core/files/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

BatchOutputs *
batch_outputs_new (void)
{
  BatchOutputs *outputs = g_new (BatchOutputs, 1);
  *outputs = (BatchOutputs){g_ptr_array_new_with_free_func (g_free), g_array_new (FALSE, FALSE, sizeof (gint64))};
  g_ptr_array_add (outputs->names, NULL);
  return outputs;
}

void
batch_outputs_free (BatchOutputs *outputs)
{
  g_ptr_array_unref (outputs->names);
  g_array_unref (outputs->sizes);
  g_free (outputs);
}

/* ---- Saving ---- */

/* The folders of an output, below that of all outputs, which is not made again when it has gone. */
static gboolean
make_folders (const BatchPlan *plan, const char *output, const char *path, GError **error)
{
  return file_folder_make (batch_journal_folder (plan->journal), output)
         || file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", g_strerror (errno));
}

static gboolean
save_product (const BatchProduct *product, const char *path, const BatchPlan *plan, GError **error)
{
  return product->table ? files_table_save (product->table, path, plan->format, NULL, error)
                        : files_save_as (product->image, path, plan->choices, error);
}

/* What a macro has saved gets its name, which leads through no link. It replaces nothing but, perhaps, what the batch itself has made before.
 * output: the name; path: all of it, for errors. */
static gboolean
move (const char *from, const char *output, const char *path, const BatchPlan *plan, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (output), *name = g_path_get_basename (output);
  const int folder = file_folder_open (batch_journal_folder (plan->journal), parent);
  if (folder >= 0 && plan->resume && g_file_test (from, G_FILE_TEST_IS_DIR))
    file_folder_remove (folder, name); /* a folder cannot replace one */
  const gboolean moved =
    folder >= 0
    && (plan->resume ? !renameat (AT_FDCWD, from, folder, name) : file_rename_to_new (AT_FDCWD, from, folder, name));
  const int fault = errno;
  if (folder >= 0)
    close (folder);
  if (!moved && fault == EEXIST)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "already exists and was not made by a known batch. Choose another folder, or replace it "
                      "with --resume.");
  return moved || file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", g_strerror (fault));
}

/* Makes an output of a product, or else of a file that is saved already; takes the name. */
static gboolean
add (BatchOutputs *outputs, char *name, const BatchProduct *product, const char *saved, const BatchPlan *plan,
     GError **error)
{
  g_autofree char *path = g_build_filename (plan->folder, name, NULL);
  BatchStamp stamp = {0};
  g_ptr_array_insert (outputs->names, (int) outputs->names->len - 1, name);
  if (!make_folders (plan, name, path, error)
      || !(product ? save_product (product, path, plan, error) : saved && move (saved, name, path, plan, error))
      || !batch_stamp_look (&stamp, path, error))
    return FALSE;
  g_array_append_val (outputs->sizes, stamp.size);
  return TRUE;
}

static gboolean
save_all (BatchOutputs *outputs, const BatchFile *file, guint n, const BatchPlan *plan, const BatchProduct *products,
          GError **error)
{
  for (guint i = 0; plan->patterns[i]; i++)
    if (!add (outputs, batch_names_fill (plan->patterns[i], file->name, n), &products[i], NULL, plan, error))
      return FALSE;
  return TRUE;
}

static gboolean
move_all (BatchOutputs *outputs, const BatchFile *file, guint n, const BatchPlan *plan, const char *staging,
          GError **error)
{
  g_autofree char *prefix = batch_names_fill (plan->patterns[0], file->name, n);
  g_autoptr (GPtrArray) names = batch_staging_names (staging);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *saved = g_build_filename (staging, names->pdata[i], NULL);
    if (!add (outputs, g_strconcat (prefix, names->pdata[i], NULL), NULL, saved, plan, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
batch_outputs_save (BatchOutputs *outputs, const BatchFile *file, guint n, const BatchPlan *plan,
                    const BatchResult *result, const char *staging, GError **error)
{
  return plan->job->saves ? move_all (outputs, file, n, plan, staging, error)
                          : save_all (outputs, file, n, plan, result->products, error);
}

void
batch_outputs_remove (const BatchOutputs *outputs, const BatchPlan *plan)
{
  for (guint i = 0; i < outputs->sizes->len; i++)
    file_folder_remove (batch_journal_folder (plan->journal), outputs->names->pdata[i]);
}

/* ---- Saved before ---- */

/* Whether output i has its current path: that of its pattern, or the folder if it is the only one. */
static gboolean
is_current (const BatchFile *file, const BatchRecord *record, guint i, const BatchPlan *plan)
{
  g_autofree char *prefix = batch_names_fill (plan->patterns[plan->job->saves ? 0 : i], file->name, record->series);
  return plan->job->saves ? g_str_has_prefix (record->outputs[i], prefix) : !strcmp (record->outputs[i], prefix);
}

gboolean
batch_outputs_are_there (const BatchFile *file, const BatchRecord *record, const BatchPlan *plan)
{
  guint n = record->outputs ? g_strv_length ((char **) record->outputs) : 0;
  if (!plan->job->saves && n != g_strv_length ((char **) plan->patterns))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_build_filename (plan->folder, record->outputs[i], NULL);
    BatchStamp stamp;
    if (!is_current (file, record, i, plan) || !batch_stamp_look (&stamp, path, NULL) || stamp.size != record->sizes[i])
      return FALSE;
  }
  return TRUE;
}
