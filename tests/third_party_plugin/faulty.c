/* SPDX-License-Identifier: MIT
 *
 * Plugins that a host must refuse, one for each value of FAULT.
 */
#include <fovea-plugin.h>
#include <stdlib.h>
#include <string.h>

enum {
  OTHER_MAJOR = 1,
  NO_ENTRY /* 2 */,
  BAD_DEFAULT,
  TAKEN_KEY,
  DECLINES,
  FIELD_OUTSIDE,
  SHORT_STRUCT,
  BAD_KEY,
  UNDEFINED /* 9 */,
  CRASHES,
  SOUND
};

typedef struct {
  double amount;
} args;

#if FAULT != 2 /* NO_ENTRY */
static fv_status
run (const fv_call *call, fv_error *error)
{
  (void) call;
  (void) error;
#if FAULT == 9 /* UNDEFINED */
  extern void fovea_that_nobody_has (void);
  fovea_that_nobody_has ();
#endif
  return FV_OK;
}

static const fv_op op = {
  FV_OP (args),
  .key = FAULT == TAKEN_KEY ? "channel"
         : FAULT == BAD_KEY ? "Not A Key"
                            : "faulty",
  .label = "Faulty",
  .help = "Does nothing.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (args, amount), .label = "Amount", .help = "How much.", .min = 0, .max = 1,
                                .def = FAULT == BAD_DEFAULT ? 2 : 1},
                               {0}},
  .run = {[FV_CPU] = run},
};

static fv_op changed;
static const fv_op *const ops[] = {&changed, NULL};

static const fv_plugin plugin = {
  .size = sizeof (fv_plugin),
  .abi = FAULT == OTHER_MAJOR ? (uint32_t) (FV_ABI_MAJOR + 1) << 16 : FV_ABI,
  .name = "faulty",
  .version = "1.0",
  .ops = ops,
};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi;
  changed = op;
  if (FAULT == CRASHES)
    abort ();
  if (FAULT == FIELD_OUTSIDE)
    changed.args_size = 4;
  if (FAULT == SHORT_STRUCT)
    changed.size = 8;
  if (FAULT != DECLINES)
    return &plugin;
  error->code = FV_UNSUPPORTED;
  strcpy (error->text, "it is the wrong day.");
  return NULL;
}
#endif
