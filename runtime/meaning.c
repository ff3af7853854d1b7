/* SPDX-License-Identifier: MIT
 */
#include "runtime/meaning.h"

#include "runtime/error.h"

#include <string.h>

enum { RAYS = 32 };

static gboolean
has_word (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  for (; *words; words++)
    if (strstr (lower, *words))
      return TRUE;
  return FALSE;
}

/* The first channel whose name has one of the words, and none of the others; -1: there is none. */
static gint32
find (char **names, gint32 n, const char *const *words, const char *const *but)
{
  for (gint32 i = 0; i < n && names && names[i]; i++)
    if (has_word (names[i], words) && !has_word (names[i], but))
      return i;
  return -1;
}

/* The first of 32 channels that are all called distances; -1: there are none. */
static gint32
find_rays (char **names, gint32 n)
{
  static const char *const words[] = {"dist", "ray", NULL};
  gint32 in_a_row = 0;
  for (gint32 i = 0; i < n && names && names[i]; i++) {
    in_a_row = has_word (names[i], words) ? in_a_row + 1 : 0;
    if (in_a_row == RAYS)
      return i + 1 - RAYS;
  }
  return -1;
}

/* StarDist's order, which has no names or others. FALSE: there are other numbers of channels. */
static gboolean
set_usual_stars (model_head *head)
{
  if (head->channels != RAYS + 1 && head->channels != RAYS + 2)
    return FALSE;
  head->probability = 0;
  head->rays = 1;
  head->foreground = head->channels == RAYS + 2 ? RAYS + 1 : -1;
  return TRUE;
}

gboolean
meaning_set (model_head *head, char **names, gboolean stars, GError **error)
{
  static const char *const edges[] = {"bound", "border", "edge", "membrane", "contour", "outline", NULL};
  static const char *const insides[] = {"foreground", "nucle", "cell", "interior", "inside", "object", "mask", NULL};
  static const char *const outsides[] = {"bound",   "border",     "edge",     "membrane", "contour",
                                         "outline", "background", "distance", "flow",     NULL};
  static const char *const centers[] = {"prob", "object", "center", NULL};
  static const char *const fields[] = {"dist", "ray", "foreground", "background", NULL};
  static const char *const grounds[] = {"foreground", "inside", "mask", NULL};
  static const char *const none[] = {NULL};
  const gint32 n = head->channels;
  head->probability = head->rays = -1;
  head->foreground = head->boundary = -1;
  if ((stars || !names) && set_usual_stars (head))
    return TRUE;
  head->rays = find_rays (names, n);
  head->probability = head->rays < 0 ? -1 : find (names, n, centers, fields);
  if (head->probability >= 0) {
    head->foreground = find (names, n, grounds, outsides);
    return TRUE;
  }
  head->foreground = find (names, n, insides, outsides);
  head->rays = -1;
  head->boundary = find (names, n, edges, none);
  if (n == 1 && head->boundary < 0)
    head->foreground = 0;
  if (n == 2 && head->boundary < 0
      && head->foreground < 0) { /* as the Zoo's networks of foreground and boundary have them */
    head->foreground = 0;
    head->boundary = 1;
  }
  return head->foreground >= 0 || head->boundary >= 0
         || model_error (error,
                         "Its output has %d channels, and none has a name with foreground or boundary. Possible are a "
                         "probability and %d distances of stars, and probabilities of foreground and boundary.",
                         (int) n, RAYS);
}
