/* SPDX-License-Identifier: MIT
 */
#include "core/call/result.h"

void
call_result_give_scalars (CallResult *r)
{
  fv_error fault = FV_ERROR_INIT;
  if (r->scalars_on_host && !r->scalars)
    r->device->fv->synchronize (r->device->fv, r->device->stream, &fault);
  if (r->scalars_on_host)
    device_give_host (r->device, r->scalars_on_host, r->scalar_bytes);
  if (r->scalars_on_device)
    device_give (r->device, r->scalars_on_device, r->scalar_bytes);
  r->scalars_on_host = r->scalars_on_device = NULL;
}

void
call_result_clear (CallResult *r)
{
  for (guint i = 0; i < r->n_images; i++)
    image_unref (r->images[i]);
  for (int i = 0; i < 2; i++)
    if (r->events[i])
      r->device->fv->event_free (r->device->fv, r->events[i]);
  call_result_give_scalars (r);
  g_free (r->images);
  table_unref (r->table);
  g_free (r->scalars);
  g_free (r->value_unit);
  g_free (r->left);
  *r = (CallResult){0};
}

void
call_result_copy (CallResult *to, const CallResult *from)
{
  *to = *from;
  to->images = g_memdup2 (from->images, from->n_images * sizeof (Image *));
  to->scalars = g_memdup2 (from->scalars, from->scalar_bytes);
  to->value_unit = g_strdup (from->value_unit);
  to->left = g_strdup (from->left);
  for (guint i = 0; i < to->n_images; i++)
    if (to->images[i])
      image_ref (to->images[i]);
  if (to->table)
    table_ref (to->table);
}
