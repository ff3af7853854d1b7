/* SPDX-License-Identifier: MIT
 *
 * A device of a plugin as the program uses it: with its one stream and a count of all bytes that were moved.
 */
#ifndef CORE_DEVICE_H
#define CORE_DEVICE_H

#include "fovea-plugin.h"

#include <glib.h>

typedef struct Device {
  const fv_device *fv;
  void *stream;       /* made on first use */
  gboolean discrete;  /* has memory of its own; set on the CPU only by tests of residency */
  guint64 uploaded;   /* bytes host -> device since the start */
  guint64 downloaded; /* bytes device -> host */
} Device;

#endif
