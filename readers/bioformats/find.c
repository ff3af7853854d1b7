/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "readers/bioformats/find.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const fijis[] = {"~/Fiji.app", "~/Fiji", "~/fiji", "/opt/Fiji.app", "/opt/Fiji", "/opt/fiji"};
enum { FIJIS = sizeof fijis / sizeof *fijis };

/* A copy with a value in place of a "~" at the start: the folder of the user. NULL: no memory. */
static char *
expand (const char *path)
{
  const char *home = getenv ("HOME");
  char *expanded = NULL;
  if (*path != '~')
    return strdup (path);
  return asprintf (&expanded, "%s%s", home ? home : "", path + 1) < 0 ? NULL : expanded;
}

/* The last file, in the order of names, that matches the pattern. */
static char *
match (const char *pattern)
{
  char *expanded = expand (pattern), *found = NULL;
  glob_t all = {0};
  if (expanded && !glob (expanded, 0, NULL, &all) && all.gl_pathc)
    found = strdup (all.gl_pathv[all.gl_pathc - 1]);
  globfree (&all);
  free (expanded);
  return found;
}

/* The same of a pattern below a folder. */
static char *
match_in (const char *folder, const char *pattern)
{
  char *whole = NULL;
  if (!folder || !*folder || asprintf (&whole, "%s/%s", folder, pattern) < 0)
    return NULL;
  char *found = match (whole);
  free (whole);
  return found;
}

/* ---- Java ---- */

static char *
java_of_path (void)
{
  const char *path = getenv ("PATH");
  char *copy = strdup (path ? path : ""), *rest = copy, *found = NULL;
  for (char *folder; rest && !found && (folder = strsep (&rest, ":"));) {
    found = match_in (folder, "java");
    if (found && access (found, X_OK)) {
      free (found);
      found = NULL;
    }
  }
  free (copy);
  return found;
}

char *
bioformats_find_java (void)
{
  char *found = match_in (getenv ("JAVA_HOME"), "bin/java");
  if (!found)
    found = java_of_path ();
  for (int i = 0; i < FIJIS && !found; i++)
    found = match_in (fijis[i], "java/linux*/*/bin/java");
  return found;
}

/* ---- Bio-Formats ---- */

static bool
is_folder (const char *path)
{
  struct stat about;
  return !stat (path, &about) && S_ISDIR (about.st_mode);
}

/* All jars of a Fiji that has Bio-Formats; "*" is Java's. */
static char *
classes_of_fiji (const char *folder)
{
  char *own = match_in (folder, "jars/bio-formats/formats-api-*.jar"), *expanded = expand (folder), *classes = NULL;
  if (own && expanded && asprintf (&classes, "%s/jars/*:%s/jars/bio-formats/*", expanded, expanded) < 0)
    classes = NULL;
  free (own);
  free (expanded);
  return classes;
}

/* What the user has named. */
static char *
classes_of_variable (const char *path)
{
  char *jar = is_folder (path) ? match_in (path, BIOFORMATS_JAR) : match (path);
  return jar ? jar : classes_of_fiji (path);
}

char *
bioformats_find_classes (void)
{
  static const char *const folders[] = {"~/.local/share/fovea",
                                        "/usr/local/share/java",
                                        "/usr/share/java",
                                        "/usr/share/bioformats",
                                        "~/.local/lib/python3*/site-packages/bioformats/jars",
                                        "/usr/local/lib/python3*/dist-packages/bioformats/jars"};
  const char *named = getenv (BIOFORMATS_VARIABLE);
  if (named && *named)
    return classes_of_variable (named);
  char *found = match_in (getenv ("XDG_DATA_HOME"), "fovea/" BIOFORMATS_JAR);
  if (!found)
    found = match_in (getenv ("VIRTUAL_ENV"), "lib/python3*/site-packages/bioformats/jars/" BIOFORMATS_JAR);
  for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++)
    found = match_in (folders[i], BIOFORMATS_JAR);
  for (int i = 0; i < FIJIS && !found; i++)
    found = classes_of_fiji (fijis[i]);
  return found;
}
