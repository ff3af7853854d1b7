/* SPDX-License-Identifier: MIT
 */
#include "runtime/card.h"

#include "kernels/network/model_file.h"

/* One line without control characters, cut where the reader's room ends. */
static void
add (GString *card, const char *key, const char *text)
{
  if (!text || !*text)
    return;
  g_autofree char *valid = g_utf8_make_valid (text, MIN ((gssize) strlen (text), MODEL_LINE / 2));
  for (char *at = valid; *at; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  g_string_append_printf (card, "%s\t%s\n", key, g_strstrip (valid));
}

static void
add_authors (GString *card, Tree *tree, TreeNode *authors)
{
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < tree_length (authors); i++) {
    const char *name = tree_text (tree_get (tree, tree_item (tree, authors, i), "name"));
    if (name)
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", name);
  }
  add (card, "authors", names->str);
}

static void
add_citations (GString *card, Tree *tree, TreeNode *cites)
{
  for (guint i = 0; i < tree_length (cites); i++) {
    TreeNode *cite = tree_item (tree, cites, i);
    const char *text = tree_text (tree_get (tree, cite, "text")), *doi = tree_text (tree_get (tree, cite, "doi")),
               *url = tree_text (tree_get (tree, cite, "url"));
    g_autofree char *whole = g_strjoin (NULL, text ? text : "", text && (doi || url) ? ", " : "", doi ? "doi:" : "",
                                        doi   ? doi
                                        : url ? url
                                              : "",
                                        NULL);
    add (card, "citation", whole);
  }
}

/* The description's own key on the left. */
static void
add_text (GString *card, Tree *tree, TreeNode *of, const char *theirs, const char *key)
{
  add (card, key, tree_text (tree_get (tree, of, theirs)));
}

char *
card_new (Tree *tree)
{
  GString *card = g_string_new (NULL);
  TreeNode *root = tree_root (tree), *more = tree_get (tree, tree_get (tree, root, "config"), "bioimageio");
  add_text (card, tree, root, "name", "name");
  add_text (card, tree, root, "version", "version");
  add_text (card, tree, root, "description", "purpose");
  add_text (card, tree, root, "license", "license");
  add_authors (card, tree, tree_get (tree, root, "authors"));
  add_citations (card, tree, tree_get (tree, root, "cite"));
  add_text (card, tree, root, "git_repo", "link");
  add_text (card, tree, more, "out_of_scope_use", "limits");
  add_text (card, tree, tree_get (tree, more, "bias_risks_limitations"), "limitations", "limits");
  return g_string_free (card, FALSE);
}
