/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any text as a macro, within narrow limits, on an image whose steps are not run: it ends, done or with an error.
 */
#include "core/base/error.h"
#include "core/files/files.h"
#include "core/macro/headless.h"
#include "core/macro/macro.h"
#include "tests/fuzz/support.h"

#include <string.h>

static Modules *modules;
static char *path;

static Image *
give_source (gpointer self, guint image, const char *name, GError **error)
{
  static Image *source;
  (void) self, (void) image, (void) name;
  return source || (source = files_open (path, 0, error)) ? image_ref (source) : NULL;
}

static gboolean
refuse (GError **error)
{
  step_error_set (error, FV_UNSUPPORTED, NULL, "Nothing is run here.");
  return FALSE;
}

static Table *
give_no_table (gpointer self, guint image, const char *name, GError **error)
{
  (void) self, (void) image, (void) name;
  refuse (error);
  return NULL;
}

static gboolean
execute_nothing (gpointer self, Run *run, GError **error)
{
  (void) self, (void) run;
  return refuse (error);
}

static void
begin (void)
{
  g_autoptr (GError) error = NULL;
  const ImageInfo info = {
    .type = FV_U8, .frames = 1, .channels = 1, .depth = 2, .rows = 3, .columns = 4, .spacing = {1, 1, 1}};
  Image *image = image_new (&info, &error);
  memset (image_pixels (image), 7, 24);
  path = g_build_filename (fuzz_folder (), "i.tif", NULL);
  if (!files_save (image, path, &error))
    g_error ("%s", error->message);
  image_unref (image);
  modules = modules_new_shipped ();
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  static const char *const folders[] = {"/nowhere", NULL};
  const MacroOptions options = {
    .folders = folders, .output_folder = "/nowhere", .memory = 16 << 20, .output = 1 << 16, .seconds = 1};
  g_autoptr (GError) error = NULL, fault = NULL;
  if (!path)
    begin ();
  g_autoptr (Headless) headless = headless_new (modules, "cpu", NULL, &(HeadlessTalk){0});
  if (!headless_open (headless, path, &error))
    g_error ("%s", error->message);
  MacroHost host = *headless_host (headless);
  host.image = give_source;
  host.table = give_no_table;
  host.execute = execute_nothing;
  if (macro_run ((const char *) bytes, size, "m.lua", &host, &options, NULL, &fault) ? fault != NULL : !fault)
    g_error ("done and an error, or neither");
  if (fault && (!g_str_has_prefix (fault->message, "m.lua") || !g_utf8_validate (fault->message, -1, NULL)))
    g_error ("not a sentence about the macro: %s", fault->message);
  return 0;
}
