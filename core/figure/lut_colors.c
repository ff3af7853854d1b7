/* SPDX-License-Identifier: MIT
 *
 * It shows all values from 0 to 255.
 */
#include "core/figure/lut_colors.h"

#include "core/figure/display_args.h"
#include "core/call/op.h"

#include <string.h>

gboolean
lut_colors (Modules *modules, const char *name, Lut *lut, GError **error)
{
  const DisplayArea area = {0, 0, 1, 256, 1};
  const ImageInfo info = {
    .type = FV_U8, .frames = 1, .channels = 1, .depth = 1, .rows = 1, .columns = 256, .spacing = {1, 1, 1}};
  const Range limits = {0, 255};
  ViewChannel look = LOOK_USUAL;
  if (luts_find (name, lut))
    return TRUE;
  g_strlcpy (look.lut, name, sizeof look.lut);
  g_autoptr (Image) values = image_new (&info, error);
  const Op *op = modules_op (modules, "display", error);
  Device *device = op && values ? modules_device (modules, "cpu", error) : NULL;
  const DisplayLook display = {.op = op, .info = &info, .area = &area, .settings = &look, .limits = &limits};
  g_autofree gpointer args = device ? display_args_new (&display, error) : NULL;
  CallResult result;
  for (int i = 0; args && i < 256; i++)
    ((guint8 *) image_pixels (values))[i] = (guint8) i;
  if (!args || !call_op (op, args, (Image *[]){values, NULL}, device, NULL, &result, error))
    return FALSE;
  const guint8 *rgba = image_plane (result.images[0], 0, error);
  for (int i = 0; rgba && i < 256; i++)
    memcpy (lut->rgb[i], rgba + 4 * i, 3);
  call_result_clear (&result);
  return rgba != NULL;
}
