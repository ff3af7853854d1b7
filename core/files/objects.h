/* SPDX-License-Identifier: MIT
 *
 * The objects of a label image as a file of selections: GeoJSON, or ImageJ's .roi and .zip.
 */
#ifndef CORE_FILES_OBJECTS_H
#define CORE_FILES_OBJECTS_H

#include "core/files/shared/format.h"

/* Writes label images and masks alone, and reads nothing: what a file of selections has has no size. It is in no list of image formats. */
extern const FileFormat format_objects;

#endif
