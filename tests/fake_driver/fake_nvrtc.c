/* SPDX-License-Identifier: MIT
 *
 * Replaces NVIDIA's run-time compiler, libnvrtc.so.12: the code that it makes is the architecture and the source text. It knows compute capability
 * 9.0 and older ones, and refuses a text with the word "wrong".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int fake_compiles, fake_fuses; /* the driver's; the last call may round a product and a sum as one */

struct program {
  char *text, *code;
};

int
nvrtcVersion (int *major, int *minor)
{
  *major = 12, *minor = 8;
  return 0;
}

int
nvrtcGetNumSupportedArchs (int *n)
{
  *n = 2;
  return 0;
}

int
nvrtcGetSupportedArchs (int *archs)
{
  archs[0] = 80, archs[1] = 90;
  return 0;
}

int
nvrtcCreateProgram (void **made, const char *text, const char *name, int n, const char *const *headers,
                    const char *const *names)
{
  struct program *p = calloc (1, sizeof *p);
  (void) name, (void) n, (void) headers, (void) names;
  p->text = strdup (text);
  *made = p;
  return 0;
}

int
nvrtcDestroyProgram (void **made)
{
  struct program *p = *made;
  free (p->text);
  free (p->code);
  free (p);
  return 0;
}

int
nvrtcCompileProgram (void *made, int n, const char *const *options)
{
  struct program *p = made;
  size_t bytes = strlen (p->text) + 100;
  fake_compiles++;
  fake_fuses = 1;
  for (int i = 0; i < n; i++)
    if (!strcmp (options[i], "-fmad=false"))
      fake_fuses = 0;
  p->code = malloc (bytes);
  snprintf (p->code, bytes, "%.40s\n%s", options[0], p->text);
  return strstr (p->text, "wrong") ? 6 : 0;
}

int
nvrtcGetProgramLogSize (void *program, size_t *bytes)
{
  (void) program;
  *bytes = sizeof "user(1): error: wrong\nsecond line\n";
  return 0;
}

int
nvrtcGetProgramLog (void *program, char *log)
{
  (void) program;
  strcpy (log, "user(1): error: wrong\nsecond line\n");
  return 0;
}

int
nvrtcGetCUBINSize (void *program, size_t *bytes)
{
  *bytes = strlen (((struct program *) program)->code) + 1;
  return 0;
}

int
nvrtcGetCUBIN (void *program, char *code)
{
  strcpy (code, ((struct program *) program)->code);
  return 0;
}

int
nvrtcGetPTXSize (void *program, size_t *bytes)
{
  return nvrtcGetCUBINSize (program, bytes);
}

int
nvrtcGetPTX (void *program, char *code)
{
  return nvrtcGetCUBIN (program, code);
}
