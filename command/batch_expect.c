/* SPDX-License-Identifier: MIT
 */
#include "command/batch_expect.h"

#include "command/background.h"
#include "command/json.h"
#include "command/print.h"

typedef struct {
  const BatchExpect *asked;
  JsonBuilder *json; /* NULL: lines */
  guint todo, done, wrong, parts, files, replaced;
} Expecting;

static gboolean
is_there (const Expecting *e, const char *output)
{
  g_autofree char *path = g_build_filename (e->asked->folder, output, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static void
count (Expecting *e, const fovea_batch_expected *image)
{
  guint *which = image->belongs ? &e->parts : image->done ? &e->done : image->fault ? &e->wrong : &e->todo;
  ++*which;
  for (const char *const *output = image->outputs; which == &e->todo && *output; output++) {
    e->files++;
    e->replaced += is_there (e, *output);
  }
}

/* ---- Lines ---- */

static void
print_image (const Expecting *e, const fovea_batch_expected *image)
{
  char *file = fovea_text_from_bytes (image->file, "");
  g_autofree char *name = image->series ? g_strdup_printf ("%s, image %u", file, image->series) : g_strdup (file),
                  *outputs = image->outputs ? g_strjoinv (", ", (char **) image->outputs) : NULL;
  fovea_text_free (file);
  if (image->fault && !image->done)
    print_error ("%s: %s", name, image->fault);
  else if (e->asked->quiet)
    return;
  else if (image->belongs)
    print_line ("%s: is part of %s", name, image->belongs);
  else if (image->done)
    print_line ("%s: done before", name);
  else
    print_line (*outputs ? "%s: %s" : "%s", name, outputs);
}

static void
print_sum (const Expecting *e)
{
  const char *tables[] = {e->asked->table, e->asked->images};
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (tables[i])
      print_line ("table: %s", tables[i]);
  print_line (
    "Would process %u images and save %u files (%u replaced) in %s; %u images are done, %u cannot be processed, "
    "%u files are parts of other images.",
    e->todo, e->files, e->replaced, e->asked->folder, e->done, e->wrong, e->parts);
}

/* ---- JSON ---- */

static void
add_outputs (const Expecting *e, const char *const *outputs, gboolean there_alone)
{
  json_builder_begin_array (e->json);
  for (; *outputs; outputs++)
    if (!there_alone || is_there (e, *outputs)) {
      char *text = fovea_text_from_bytes (*outputs, NULL);
      json_builder_add_string_value (e->json, text);
      fovea_text_free (text);
    }
  json_builder_end_array (e->json);
}

static void
add_image (const Expecting *e, const fovea_batch_expected *image)
{
  const char *state = image->belongs ? "part" : image->done ? "done" : image->fault ? "wrong" : "process";
  json_builder_begin_object (e->json);
  json_add_bytes (e->json, "file", image->file);
  json_builder_add_int_value (json_builder_set_member_name (e->json, "series"), image->series);
  json_add_text (e->json, "state", state);
  if (image->belongs)
    json_add_bytes (e->json, "part_of", image->belongs);
  if (*state == 'w')
    json_add_text (e->json, "why", image->fault);
  if (*state == 'p' && image->outputs) {
    json_builder_set_member_name (e->json, "outputs");
    add_outputs (e, image->outputs, FALSE);
    json_builder_set_member_name (e->json, "replaces");
    add_outputs (e, image->outputs, TRUE);
  }
  json_builder_end_object (e->json);
}

static void
begin_json (Expecting *e)
{
  g_autofree char *program = g_strdup_printf ("fovea %s", fovea_version ());
  json_builder_begin_object (e->json);
  json_add_text (e->json, "program", program);
  json_add_bytes (e->json, "out", e->asked->folder);
  json_builder_begin_array (json_builder_set_member_name (e->json, "images"));
}

static void
end_json (const Expecting *e)
{
  json_builder_end_array (e->json);
  json_builder_add_int_value (json_builder_set_member_name (e->json, "process"), e->todo);
  json_builder_add_int_value (json_builder_set_member_name (e->json, "done"), e->done);
  json_builder_add_int_value (json_builder_set_member_name (e->json, "wrong"), e->wrong);
  json_builder_add_int_value (json_builder_set_member_name (e->json, "parts"), e->parts);
  json_add_bytes (e->json, "table", e->asked->table);
  json_add_bytes (e->json, "images_table", e->asked->images);
  json_builder_end_object (e->json);
}

/* ---- Both ---- */

static void
on_image (void *user, const fovea_batch_expected *image)
{
  Expecting *e = user;
  count (e, image);
  if (e->json)
    add_image (e, image);
  else
    print_image (e, image);
}

/* On the thread that works. */
static char *
work (gpointer data)
{
  g_autoptr (fovea_error) error = NULL;
  const Expecting *e = data;
  return fovea_batch_expect (e->asked->batch, on_image, data, &error) ? g_strdup (fovea_error_message (error)) : NULL;
}

int
batch_expect_print (const BatchExpect *asked)
{
  Expecting e = {.asked = asked};
  g_autoptr (JsonBuilder) json = e.json = asked->json ? json_builder_new () : NULL;
  g_autoptr (GError) error = NULL;
  if (json)
    begin_json (&e);
  Background *background = background_start ("fovea-expect", work, &e, &error);
  g_autofree char *fault = background ? background_end (background) : g_strdup (error->message);
  if (fault)
    return command_fail (fault);
  if (json) {
    end_json (&e);
    json_print (g_steal_pointer (&json));
  } else if (!asked->quiet)
    print_sum (&e);
  return e.wrong ? COMMAND_FAILED : COMMAND_DONE;
}
