/* SPDX-License-Identifier: MIT
 *
 * Pixels that stay on a GPU, in and out of it. The CPU poses as one, in whose memory programs lend what it has lent them.
 */
#include "tests/library/support.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 64 };

/* A tensor of the GPU's memory, which another tensor holds; how often it was given back. */
typedef struct {
  DLManagedTensor managed, *held;
  int64_t shape[3], strides[3];
  int given_back;
} Lent;

static const fovea_device *
gpu (void)
{
  for (const fovea_device *const *all = fovea_context_devices (context); *all; all++)
    if (!strcmp ((*all)->key, "pose:0"))
      return *all;
  g_assert_not_reached ();
}

/* Bytes since the last call. */
static void
assert_moved (uint64_t up, uint64_t down)
{
  static uint64_t before[2];
  uint64_t now[2];
  g_assert_cmpint (fovea_device_get_moved (gpu (), &now[0], &now[1], NULL), ==, FOVEA_OK);
  g_assert_cmpuint (now[0] - before[0], ==, up);
  g_assert_cmpuint (now[1] - before[1], ==, down);
  memcpy (before, now, sizeof now);
}

static void
give_back (DLManagedTensor *managed)
{
  Lent *lent = managed->manager_ctx;
  lent->given_back++;
  lent->held->deleter (lent->held);
}

static fovea_image *
pose (const fovea_image *image, const char *steps)
{
  fovea_run *run = run_of (steps, image);
  fovea_error *error = NULL;
  fovea_run_execute (run, "pose:0", NULL, NULL, &error);
  assert_good (error);
  fovea_image *made = fovea_run_image (run, NULL, NULL);
  fovea_run_free (run);
  return made;
}

/* An image of which pixel (y, x) is x + 2 y, on the GPU, as a tensor of rows and columns. */
static void
lend (Lent *lent)
{
  uint8_t pixels[SIDE][SIDE];
  int64_t shape[] = {SIDE, SIDE};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 2, shape);
  for (int i = 0; i < SIDE * SIDE; i++)
    pixels[i / SIDE][i % SIDE] = (uint8_t) (255 - i % SIDE - 2 * (i / SIDE));
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL), *made = pose (image, "pose");
  fovea_error *error = NULL;
  void *stream;
  g_assert_cmpint (fovea_device_get_stream (gpu (), &stream, NULL), ==, FOVEA_OK);
  g_assert_nonnull (stream);
  DLManagedTensor *held = fovea_image_to_dlpack_on (made, gpu (), stream, &error);
  assert_good (error);
  g_assert_cmpint (held->dl_tensor.device.device_type, ==, gpu ()->dl.device_type);
  *lent = (Lent){.managed = {.dl_tensor = held->dl_tensor, .manager_ctx = lent, .deleter = give_back},
                 .held = held,
                 .shape = {1, SIDE, SIDE},
                 .strides = {SIDE * SIDE, SIDE, 1}};
  lent->managed.dl_tensor.ndim = 3;
  lent->managed.dl_tensor.shape = lent->shape;
  lent->managed.dl_tensor.strides = lent->strides;
  fovea_image_free (image);
  fovea_image_free (made);
  assert_moved (SIDE * SIDE, 0);
}

static fovea_image *
borrow (Lent *lent)
{
  fovea_error *error = NULL;
  fovea_image *image = fovea_image_borrow_dlpack (context, &lent->managed, NULL, &error);
  assert_good (error);
  return image;
}

/* What a GPU has lent goes through three steps and out again, and no byte over the bus; then all of it comes to the host at once. */
static void
test_stays (void)
{
  Lent lent;
  lend (&lent);
  fovea_image *image = borrow (&lent);
  g_assert_true (fovea_image_get_device (image) == gpu ());
  DLManagedTensor *out = fovea_image_to_dlpack_on (image, gpu (), NULL, NULL);
  g_assert_true (out->dl_tensor.data == lent.managed.dl_tensor.data);
  out->deleter (out);
  fovea_image *made = pose (image, "pose | pose | pose");
  fovea_image_free (image);
  g_assert_cmpint (lent.given_back, ==, 1);
  out = fovea_image_to_dlpack_on (made, gpu (), NULL, NULL);
  assert_moved (0, 0);
  out->deleter (out);
  out = fovea_image_to_dlpack (made, NULL);
  for (int i = 0; i < SIDE * SIDE; i++)
    g_assert_cmpuint (((uint8_t *) out->dl_tensor.data)[i], ==, 255 - i % SIDE - 2 * (i / SIDE));
  assert_moved (0, SIDE * SIDE);
  out->deleter (out);
  fovea_image_free (made);
}

/* Any device will do for what is in host memory, and the CPU for what is on a GPU. */
static void
test_moves (void)
{
  fovea_image *image = image_with_square (SIDE);
  g_assert_null (fovea_image_get_device (image));
  DLManagedTensor *there = fovea_image_to_dlpack_on (image, gpu (), NULL, NULL);
  assert_moved (2 * SIDE * SIDE, 0);
  there->deleter (there);
  DLManagedTensor *here = fovea_image_to_dlpack_on (image, fovea_context_devices (context)[0], NULL, NULL);
  g_assert_cmpint (here->dl_tensor.device.device_type, ==, kDLCPU);
  here->deleter (here);
  fovea_image_free (image);
  assert_moved (0, 0);
}

/* The lender's memory never makes room for others, and pixels that are asked for on the host leave it where it is. */
static void
test_never_leaves (void)
{
  Lent lent;
  lend (&lent);
  fovea_image *image = borrow (&lent), *other = image_with_square (SIDE);
  fovea_error *error = NULL;
  fovea_device_set_limit (gpu (), SIDE * SIDE);
  g_assert_null (fovea_image_to_dlpack_on (other, gpu (), NULL, &error));
  assert_fails (&error, FOVEA_NO_MEMORY, "", "Not enough memory");
  fovea_device_set_limit (gpu (), 0);
  DLManagedTensor *out = fovea_image_to_dlpack (image, NULL);
  g_assert_cmpuint (((uint8_t *) out->dl_tensor.data)[SIDE + 3], ==, 5);
  out->deleter (out);
  g_assert_true (fovea_image_get_device (image) == gpu ());
  g_assert_cmpint (lent.given_back, ==, 0);
  fovea_image_free (image);
  g_assert_cmpint (lent.given_back, ==, 1);
  fovea_image_free (other);
  assert_moved (0, SIDE * SIDE);
}

/* Those that lie otherwise are copied on the GPU and given back: a column left out, and every fourth pixel of each row. */
static void
test_copied_there (void)
{
  for (int apart = 0; apart < 2; apart++) {
    Lent lent;
    lend (&lent);
    lent.shape[2] = apart ? SIDE / 4 : SIDE - 1;
    lent.strides[2] = apart ? 4 : 1;
    lent.managed.dl_tensor.byte_offset = apart ? 0 : 1;
    fovea_image *image = borrow (&lent);
    g_assert_cmpint (lent.given_back, ==, 1);
    assert_moved (0, 0);
    DLManagedTensor *out = fovea_image_to_dlpack (image, NULL);
    for (int64_t y = 0, i = 0; y < SIDE; y++)
      for (int64_t x = 0; x < lent.shape[2]; x++, i++)
        g_assert_cmpint (((uint8_t *) out->dl_tensor.data)[i], ==, 2 * y + (apart ? 4 * x : x + 1));
    out->deleter (out);
    fovea_image_free (image);
    assert_moved (0, (uint64_t) (SIDE * lent.shape[2]));
  }
}

static void
assert_refused (Lent *lent, const fovea_image_info *info, const char *field, const char *says)
{
  fovea_error *error = NULL;
  g_assert_null (fovea_image_borrow_dlpack (context, &lent->managed, info, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, field, says);
  g_assert_cmpint (lent->given_back, ==, 0);
}

static void
test_refused (void)
{
  const fovea_image_info labels = {.size = sizeof labels, .role = FOVEA_LABELS};
  Lent lent;
  lend (&lent);
  lent.managed.dl_tensor.device.device_id = 7;
  assert_refused (&lent, NULL, "pixels", "device 7");
  lent.managed.dl_tensor.device = gpu ()->dl;
  lent.strides[1] = 0; /* one row, many times */
  lent.strides[2] = 1;
  assert_refused (&lent, NULL, "pixels", "Strides of 0 and 1");
  lent.strides[1] = SIDE / 4;
  lent.shape[2] = SIDE / 4;
  lent.managed.dl_tensor.dtype = (DLDataType){kDLInt, 32, 1};
  assert_refused (&lent, &labels, "role", "FOVEA_IMAGE");
  lent.managed.deleter (&lent.managed);
  fovea_error *error = NULL;
  g_assert_null (fovea_image_to_dlpack_on (NULL, gpu (), NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  g_assert_cmpint (fovea_device_get_stream (gpu (), NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "stream", "NULL");
  g_assert_cmpint (fovea_device_get_moved (NULL, NULL, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "device", "NULL");
}

/* Status of a run on the device in this process; *error: why not. */
static fovea_code
pose_again (const char *device, fovea_error **error)
{
  static const uint8_t pixels[SIDE * SIDE];
  int64_t shape[] = {SIDE, SIDE};
  const DLTensor tensor = tensor_of ((void *) pixels, kDLUInt, 8, 2, shape);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  fovea_run *run = run_of ("gaussian sigma=1", image);
  const fovea_code status = fovea_run_execute (run, device, NULL, NULL, error);
  fovea_run_free (run);
  fovea_image_free (image);
  return status;
}

/* A child of a process that has used a GPU works on the CPU and is told why. It does not call the GPU's driver: not for an image in GPU memory, and
 * not at its end. */
static void
test_forked (void)
{
  static const uint8_t pixels[SIDE * SIDE];
  int64_t shape[] = {SIDE, SIDE};
  const DLTensor tensor = tensor_of ((void *) pixels, kDLUInt, 8, 2, shape);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL), *made = pose (image, "pose");
  int status;
  const pid_t child = fork ();
  if (!child) {
    fovea_error *error = NULL;
    alarm (60);
    g_assert_cmpint (pose_again ("pose:0", &error), ==, FOVEA_DEVICE_FAULT);
    assert_fails (&error, FOVEA_DEVICE_FAULT, "device", "forked from one that uses the GPU");
    g_assert_cmpint (pose_again ("cpu", &error), ==, FOVEA_OK);
    g_assert_cmpint (pose_again ("auto", &error), ==, FOVEA_OK);
    g_assert_null (fovea_image_to_dlpack (made, &error));
    g_assert_nonnull (strstr (fovea_error_message (error), "forked from one that uses the GPU"));
    fovea_error_free (error);
    fovea_image_free (made);
    fovea_image_free (image);
    fovea_context_free (context);
    _exit (0);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  fovea_image_free (made);
  fovea_image_free (image);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/gpus/stays", test_stays);
  g_test_add_func ("/library/gpus/moves", test_moves);
  g_test_add_func ("/library/gpus/never-leaves", test_never_leaves);
  g_test_add_func ("/library/gpus/copied-there", test_copied_there);
  g_test_add_func ("/library/gpus/refused", test_refused);
  g_test_add_func ("/library/gpus/forked", test_forked);
  g_autofree char *posing = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", NULL);
  g_setenv ("FOVEA_PLUGIN_PATH", posing, TRUE);
  return run_tests ();
}
