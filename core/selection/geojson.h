/* SPDX-License-Identifier: MIT
 *
 * Selections as GeoJSON (RFC 7946), as QuPath reads and writes it: coordinates in pixels, a plane in the geometry, and name and color in the properties.
 */
#ifndef CORE_SELECTION_GEOJSON_H
#define CORE_SELECTION_GEOJSON_H

#include "core/selection/selection.h"

/* A FeatureCollection. Rectangles, ovals and all other areas are polygons there, several parts a MultiPolygon, and lines and angles a LineString.
 * (element-type Selection) Free with g_free(). */
char *selections_to_geojson (const GPtrArray *selections);
/* Appends the selections of a text: a FeatureCollection, a Feature, a geometry, or an array of features. strange: receives for each feature without a
 * usable geometry the end of a sentence about it, "'name' is …". NULL, or the end of a sentence about the text: "is not GeoJSON: …"; free it. */
char *selections_from_geojson (const char *text, gsize size, GPtrArray *selections, GPtrArray *strange);

#endif
