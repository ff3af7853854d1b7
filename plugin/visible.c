/* SPDX-License-Identifier: MIT
 */
#include "plugin/visible.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The next word of a list with commas, without white space around it; *at moves behind it, and is NULL after the last. */
static const char *
next_word (const char **at, int *length)
{
  const char *word = *at, *end = strchr (word, ',');
  *at = end ? end + 1 : NULL;
  end = end ? end : word + strlen (word);
  while (word < end && isspace ((unsigned char) *word))
    word++;
  while (end > word && isspace ((unsigned char) end[-1]))
    end--;
  *length = (int) (end - word);
  return word;
}

/* Finds a word that comes twice. */
static bool
find_twice (const char *value, const char **twice, int *length)
{
  for (const char *at = value; at;) {
    const char *word = next_word (&at, length);
    for (const char *later = at; later && *length;) {
      int n;
      const char *other = next_word (&later, &n);
      if (n == *length && !strncasecmp (word, other, (size_t) n)) {
        *twice = word;
        return true;
      }
    }
  }
  return false;
}

bool
visible_explain (const char *value, char *text, size_t size)
{
  const char *twice;
  int length;
  if (!value)
    return false;
  if (find_twice (value, &twice, &length))
    snprintf (
      text, size,
      "CUDA_VISIBLE_DEVICES is '%.100s', which names %.*s twice, and the NVIDIA driver then shows no GPU: name each "
      "once, such as 0 or 0,1.",
      value, length, twice);
  else
    snprintf (
      text, size,
      "CUDA_VISIBLE_DEVICES is '%.100s', which hides every GPU: unset it, or name the GPUs to use, such as 0 or "
      "0,1.",
      value);
  return true;
}
