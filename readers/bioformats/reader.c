/* SPDX-License-Identifier: MIT
 *
 * Files are recognized by their names, since Bio-Formats alone knows their contents. What Fovea reads itself never comes here.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "readers/bioformats/bioformats.h"

#include "plugin/program.h"
#include "readers/bioformats/find.h"
#include "readers/process/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS "BioFormatsProcess"
enum { SECONDS = 300 /* for one answer: to open a large set of files takes minutes */ };

/* Of Olympus, Zeiss (ZVI), Gatan, FEI, Andor, Princeton, DeltaVision, Bio-Rad, SlideBook, Volocity, Imspector and others; ICS and MINC. */
#define ENDINGS                                                                                                        \
  "oir,oib,oif,vsi,zvi,dm2,dm3,dm4,ser,sif,spe,dv,r3d,pic,sld,sldy,mvd2,obf,msr,cxd,ipl,ipw,lei,liff,xdce,frm,l2d,"    \
  "naf,"                                                                                                               \
  "pcoraw,sdt,stp,al3d,amiramesh,fff,inr,afi,vws,flex,c01,ics,ids,mnc"

static bool
is (const fv_reader *reader, const char *path, const uint8_t *head, size_t n)
{
  const char *dot = strrchr (path, '.'), *slash = strrchr (path, '/');
  (void) head;
  if (!n || !dot || (slash && slash > dot) || !dot[1])
    return false;
  const size_t length = strlen (dot + 1);
  for (const char *one = reader->endings; *one; one += strcspn (one, ","), one += *one == ',')
    if (strcspn (one, ",") == length && !strncasecmp (one, dot + 1, length))
      return true;
  return false;
}

/* ---- The command ---- */

static fv_status
refuse (const char *java, const char *classes, fv_error *error)
{
  const char *named = getenv (BIOFORMATS_VARIABLE);
  if (!java)
    return process_fail (error, FV_UNSUPPORTED,
                         "It needs Bio-Formats, and that needs Java, which is not there: 'sudo apt install "
                         "default-jre-headless', or set JAVA_HOME.%s",
                         classes ? "" : " Bio-Formats is not there either.");
  if (named && *named)
    return process_fail (error, FV_UNSUPPORTED,
                         "It needs Bio-Formats, and " BIOFORMATS_VARIABLE " is '%.100s', which has none: "
                         "name a " BIOFORMATS_JAR " or the folder of Fiji.",
                         named);
  return process_fail (error, FV_UNSUPPORTED,
                       "It needs Bio-Formats, which was not found: download " BIOFORMATS_JAR
                       " from openmicroscopy.org into ~/.local/share/fovea, or set " BIOFORMATS_VARIABLE
                       " to it or to the folder of Fiji. Java is %.60s.",
                       java);
}

/* java with the program's own folder and Bio-Formats' jars. */
static fv_status
set_words (char *to[PROCESS_WORDS], char *java, const char *classes, fv_error *error)
{
  static const char *const options[] = {"-Djava.awt.headless=true", "-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8",
                                        "-cp"};
  char program[PATH_MAX];
  int n = 0;
  to[n++] = java;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    to[n++] = strdup (options[i]);
  if (!program_path ("bioformats", program) || asprintf (&to[n], "%s:%s", program, classes) < 0)
    to[n] = NULL;
  to[n + 1] = to[n] ? strdup (CLASS) : NULL;
  for (int i = 0; i <= n + 1; i++)
    if (!to[i])
      return process_fail (error, FV_NO_MEMORY, "Not enough memory to start a process.");
  return FV_OK;
}

static fv_status
words (char *to[PROCESS_WORDS], fv_error *error)
{
  char program[PATH_MAX], *java = bioformats_find_java (), *classes = bioformats_find_classes ();
  fv_status status = FV_OK;
  if (!program_path ("bioformats/" CLASS ".class", program) || access (program, R_OK))
    status =
      process_fail (error, FV_UNSUPPORTED,
                    "This build of Fovea has no helper for Bio-Formats, since there was no javac: save the image "
                    "as OME-TIFF with Fiji or bfconvert.");
  else if (!java || !classes)
    status = refuse (java, classes, error);
  else {
    status = set_words (to, java, classes, error);
    java = NULL;
  }
  free (java);
  free (classes);
  return status;
}

static const process_program program = {"Bio-Formats", 1, SECONDS, false, words};

const fv_reader bioformats_reader = {.size = sizeof bioformats_reader,
                                     .key = "bioformats",
                                     .label = "Bio-Formats",
                                     .endings = ENDINGS,
                                     .mime = "image/x-olympus-oir",
                                     .user = (void *) &program,
                                     .is = is,
                                     PROCESS_READER_FUNCTIONS,
                                     .last = true};
