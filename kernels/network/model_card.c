/* SPDX-License-Identifier: MIT
 *
 * The card of a package is made by fovea-model of its description, that of the shipped network is here, from models/nuclei/CARD.md.
 */
#include "kernels/network/model_card.h"

#include "kernels/network/model_name.h"
#include "kernels/network/segment_take.h"

/* nuclei.S */
extern const char fovea_nuclei_sha256[];

/* Where the lines go. */
typedef struct card {
  void (*line) (void *user, const char *key, const char *text);
  void *user;
} card;

static void
say (const card *to, const char *key, const char *text)
{
  to->line (to->user, key, text);
}

/* ---- What the description says ---- */

static void
say_shipped (const card *to)
{
  static const char *const lines[][2] = {
    {"name", "Nuclei (small, fluorescence)"},
    {"version", "1.0"},
    {"purpose", "Bright nuclei on a dark background in 2-D fluorescence images (DAPI, Hoechst and others), also where "
                "they touch."},
    {"license", "MIT. Training data: CC0 and MIT."},
    {"authors", "The authors of Fovea"},
    {"citation", "U. Schmidt, M. Weigert, C. Broaddus, G. Myers, MICCAI 2018, doi:10.1007/978-3-030-00934-2_30"},
    {"citation", "J. C. Caicedo et al., Nature Methods 2019, doi:10.1038/s41592-019-0612-7 (training data)"},
    {"limits", "Not for cytoplasm, bright field, stained tissue or volumes. Images with very different sizes get the "
               "scale of their "
               "median. Debris of 12 pixels and more is found, too. Dark nuclei need dark=yes."},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    say (to, lines[i][0], lines[i][1]);
  say (to, "sha256", fovea_nuclei_sha256);
}

static void
say_file (const card *to, const char *file)
{
  const char *slash = strrchr (file, '/');
  say (to, "name", slash ? slash + 1 : file);
  say (to, "limits",
       "An ONNX file alone names no authors and no license, and brings no test. Its planes are taken to mean what "
       "those of a "
       "similar network mean.");
}

/* What fovea-model has written. FALSE: it has written none. */
static bool
say_package (const card *to, const char *folder)
{
  char path[MODEL_FOLDER + 16], text[MODEL_LINE];
  model_package_path (folder, MODEL_CARD, path, sizeof path);
  FILE *file = fopen (path, "rbe");
  if (!file)
    return false;
  while (fgets (text, sizeof text, file)) {
    char *tab = strchr (text, '\t');
    text[strcspn (text, "\n")] = 0;
    if (tab) {
      *tab = 0;
      say (to, text, tab + 1);
    }
  }
  fclose (file);
  return true;
}

/* ---- What is known of the network ---- */

static void
say_input (const card *to, const model_head *head)
{
  char channels[32] = "One channel", text[160] = "Values are taken as they are.", all[256];
  const char *of = head->inputs == 1 ? "" : head->together ? " of all channels" : " of each channel";
  if (head->inputs > 1)
    snprintf (channels, sizeof channels, "%d channels", (int) head->inputs);
  if (head->statistic == MODEL_PERCENTILES)
    snprintf (text, sizeof text, "Percentile %g%s becomes 0, percentile %g becomes 1.", head->low, of, head->high);
  if (head->statistic == MODEL_ZSCORE)
    snprintf (text, sizeof text, "The mean%s becomes 0, the standard deviation 1.", of);
  snprintf (all, sizeof all, "%s, of any size. %s", channels, text);
  say (to, "input", all);
}

static void
say_output (const card *to, const model_head *head)
{
  const bool stars = head->probability >= 0;
  char text[160];
  snprintf (text, sizeof text, "%s%s, one number for %d x %d pixels.",
            stars                                          ? "Probability of an object, 32 distances to its outline"
            : head->foreground >= 0 && head->boundary >= 0 ? "Probabilities of foreground and boundary"
            : head->foreground >= 0                        ? "Probability of foreground"
                                                           : "Probability of boundary",
            stars && head->foreground >= 0 ? ", foreground" : "", 1 << head->shrink, 1 << head->shrink);
  say (to, "output", text);
}

static void
say_computed (const card *to, const segment_model *model)
{
  char text[MODEL_WHY + 96] = "Fovea, on every device, with the same results.";
  if (model->elsewhere)
    snprintf (text, sizeof text, "ONNX Runtime, on the CPU, or on a GPU that its package can use. %s", model->head.why);
  say (to, "computed", text);
}

static fv_status
say_card (const char *name, void (*line) (void *user, const char *key, const char *text), void *user, fv_error *error)
{
  const card to = {line, user};
  segment_model model;
  if (segment_model_read (name, &model, error))
    return segment_model_fault (name, error);
  if (!strcmp (name, "nuclei"))
    say_shipped (&to);
  else if (!*model.folder || !say_package (&to, model.folder))
    say_file (&to, name);
  say (&to, "objects",
       model.head.scales ? "Diameters of 6 to 100 pixels: images with others than 14 to 60 are scaled for the network."
                         : "The model does not say. Scale images first (resize), so that objects are as large "
                           "as those that it was trained on.");
  say_input (&to, &model.head);
  say_output (&to, &model.head);
  say_computed (&to, &model);
  return FV_OK;
}

/* ---- Its test ---- */

typedef struct testing {
  fv_call call; /* the first member */
  int (*stop) (void *user);
  void *user;
} testing;

static int
tick (const fv_call *call, int64_t done, int64_t total)
{
  const testing *t = (const testing *) call;
  (void) done;
  (void) total;
  return t->stop (t->user);
}

static fv_status
test (const char *name, int (*stop) (void *user), void *user, char *report, uint32_t n, fv_error *error)
{
  static const fv_host host = {.size = sizeof host, .tick = tick};
  const testing t = {{.size = sizeof t.call, .host = &host}, stop, user};
  return segment_model_check (&t.call, name, report, n, error) ? segment_model_fault (name, error) : FV_OK;
}

const fv_models segment_models = {
  .size = sizeof segment_models,
  .folder = MODEL_NAME_FOLDER,
  .names = (const char *const[]){"nuclei", NULL},
  .endings = model_name_endings,
  .card = say_card,
  .test = test,
};
