/* SPDX-License-Identifier: MIT
 *
 * fovea models: the trained models that operations choose by name.
 */
#include "command/command.h"
#include "command/json.h"
#include "command/print.h"

#include <string.h>

static gboolean as_json;

static const GOptionEntry entries[] = {
  {"json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print the list, or a card, as JSON", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static int
fault_of (const fovea_error *error)
{
  return command_fail (fovea_error_message (error));
}

/* ---- Cards ---- */

static void
take_line (void *card, const char *key, const char *label, const char *text)
{
  (void) key;
  g_string_append_printf (card, "%-16s %s\n", label, text);
}

static void
take_member (void *builder, const char *key, const char *label, const char *text)
{
  (void) label;
  json_builder_begin_object (builder);
  json_add_text (builder, "key", key);
  json_add_text (builder, "text", text);
  json_builder_end_object (builder);
}

static int
print_card (const fovea_models *models, const char *name)
{
  g_autoptr (fovea_error) error = NULL;
  g_autoptr (GString) card = g_string_new (NULL);
  g_autoptr (JsonBuilder) b = json_builder_new ();
  json_builder_begin_array (b);
  if (fovea_models_card (models, name, as_json ? take_member : take_line, as_json ? (void *) b : card, &error))
    return fault_of (error);
  json_builder_end_array (b);
  if (as_json)
    json_print (g_steal_pointer (&b));
  else
    print_text (card->str);
  return COMMAND_DONE;
}

/* ---- The list ---- */

static void
take_word (void *words, const char *key, const char *label, const char *text)
{
  (void) label;
  if (!strcmp (key, "purpose") || !strcmp (key, "license"))
    g_hash_table_insert (words, (gpointer) (*key == 'p' ? "purpose" : "license"), g_strdup (text));
}

/* Whose the model is: "added", "shipped", or the name of a plugin. */
static const char *
owner_of (const fovea_models *models, size_t n)
{
  const char *plugin = fovea_models_plugin (models, n);
  return fovea_models_path (models, n) ? "added" : plugin ? plugin : "shipped";
}

static int
widest_owner (const fovea_models *models)
{
  glong widest = 8;
  for (size_t n = 0; fovea_models_name (models, n); n++)
    widest = MAX (widest, g_utf8_strlen (owner_of (models, n), -1));
  return (int) widest;
}

/* A model that cannot be used is in the list, too, with the reason. */
static int
print_list (const fovea_models *models)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  const int widest = widest_owner (models);
  json_builder_begin_array (b);
  for (size_t n = 0; fovea_models_name (models, n); n++) {
    const char *name = fovea_models_name (models, n), *path = fovea_models_path (models, n);
    g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr (fovea_error) error = NULL;
    fovea_models_card (models, name, take_word, words, &error);
    const char *purpose = g_hash_table_lookup (words, "purpose"), *license = g_hash_table_lookup (words, "license");
    json_builder_begin_object (b);
    json_add_text (b, "name", name);
    json_add_bytes (b, "path", path);
    json_add_text (b, "plugin", fovea_models_plugin (models, n));
    json_add_text (b, "purpose", purpose);
    json_add_text (b, "license", license);
    json_add_text (b, "error", error ? fovea_error_message (error) : NULL);
    json_builder_end_object (b);
    if (!as_json)
      print_line ("%-20s %-*s %s", name, widest, owner_of (models, n),
                  error     ? fovea_error_message (error)
                  : purpose ? purpose
                            : "no description");
  }
  json_builder_end_array (b);
  if (as_json)
    json_print (g_steal_pointer (&b));
  return COMMAND_DONE;
}

/* ---- The others ---- */

static int
test (const fovea_models *models, const char *name)
{
  g_autoptr (fovea_error) error = NULL;
  char *report = fovea_models_test (models, name, &error);
  if (!report)
    return fault_of (error);
  print_line ("%s", report);
  fovea_text_free (report);
  return COMMAND_DONE;
}

static int
remove_model (const fovea_models *models, const char *name)
{
  g_autoptr (fovea_error) error = NULL;
  if (fovea_models_remove (models, name, &error))
    return fault_of (error);
  print_report ("Removed %s.", name);
  return COMMAND_DONE;
}

static int
add (fovea_context *context, const char *path)
{
  g_autoptr (fovea_error) error = NULL;
  char *name = fovea_model_add (context, path, &error);
  if (!name)
    return fault_of (error);
  print_report ("Added %s.", name);
  fovea_text_free (name);
  return COMMAND_DONE;
}

static int
run_models (int argc, char **argv)
{
  static const char *const actions[] = {"list", "card", "add", "test", "remove", NULL};
  const char *action = argc > 1 ? argv[1] : "list";
  const gboolean lists = !strcmp (action, "list");
  if (!g_strv_contains (actions, action))
    return command_wrong_use ("models", "'%s' is not one of list, card, add, test and remove.", action);
  if (lists ? argc > 2 : argc != 3)
    return command_wrong_use ("models", "'models %s' takes %s, not %d arguments.", action,
                              lists                     ? "nothing more"
                              : !strcmp (action, "add") ? "one file"
                                                        : "the name of one model",
                              MAX (0, argc - 2));
  g_autoptr (fovea_context) context = command_context ();
  g_autoptr (fovea_models) models = fovea_models_new (context, NULL);
  return lists                      ? print_list (models)
         : !strcmp (action, "card") ? print_card (models, argv[2])
         : !strcmp (action, "add")  ? add (context, argv[2])
         : !strcmp (action, "test") ? test (models, argv[2])
                                    : remove_model (models, argv[2]);
}

const Command command_models = {
  .name = "models",
  .arguments = "[list|card|add|test|remove] [MODEL|FILE]",
  .help = "list, add and remove trained models",
  .description =
    "Lists the trained models that operations choose by name, such as 'segment model=NAME'.\n"
    "With 'card' it prints what a model is for, its authors, license and limits. With 'test' it runs the test image "
    "that\n"
    "the model brings, and compares. With 'add' it checks and tests a package of the BioImage Model Zoo (.zip), or a\n"
    "network (.onnx), and copies it to $XDG_DATA_HOME/fovea/models. Its name is that of the file. With 'remove' it\n"
    "removes one that was added.",
  .options = entries,
  .run = run_models,
};
