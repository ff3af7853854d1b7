/* SPDX-License-Identifier: MIT
 *
 * The columns of regionprops' table. Their names are those of scikit-image's regionprops_table: key-index-...-channel,
 * the channel only when there are several.
 */
#include "kernels/regions/region_columns.h"

typedef struct column_text {
  char key[64], unit[64];
} column_text;

int
region_property_columns (property p, bool volume)
{
  int axes = volume ? 3 : 2;
  switch (region_properties[p].shape) {
  case SHAPE_AXES: return axes;
  case SHAPE_BOX: return 2 * axes;
  case SHAPE_TENSOR: return axes * axes;
  case SHAPE_MOMENTS: return volume ? 64 : 16;
  case SHAPE_HU: return 7;
  default: return 1;
  }
}

static int64_t
channels_of (property p, const fv_grid *intensity)
{
  return region_properties[p].flags & IS_INTENSITY ? intensity->channels : 1;
}

static int64_t
count_columns (const regionprops_args *a, const fv_grid *intensity)
{
  int64_t n = 1;
  for (property p = 0; p < PROPERTIES; p++)
    if (property_measured (a, p))
      n += region_property_columns (p, a->volume) * channels_of (p, intensity);
  return n;
}

size_t
region_columns_bytes (const regionprops_args *a, const fv_grid *intensity)
{
  return (size_t) count_columns (a, intensity) * (sizeof (fv_column) + sizeof (column_text));
}

/* Indices of column i of a shape; returns how many, and their sum. */
static int
column_indices (property_shape shape, int i, bool volume, int index[3], int *sum)
{
  int side = shape == SHAPE_MOMENTS ? 4 : volume ? 3 : 2;
  int n = shape == SHAPE_ONE ? 0 : shape == SHAPE_MOMENTS ? (volume ? 3 : 2) : shape == SHAPE_TENSOR ? 2 : 1;
  *sum = 0;
  for (int k = n - 1; k >= 0; k--, i /= side)
    *sum += index[k] = n > 1 ? i % side : i;
  return n;
}

/* "µm" and 2 give "µm²". */
static void
write_power (char *to, size_t room, const char *unit, int power)
{
  static const char *const raised[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  snprintf (to, room, "%s%s", *unit && power ? unit : "", *unit ? raised[power] : "");
}

static void
write_unit (char *to, size_t room, property_unit unit, const char *length, const char *value, int axes, int sum)
{
  switch (unit) {
  case UNIT_LENGTH: write_power (to, room, length, 1); break;
  case UNIT_SQUARE: write_power (to, room, length, 2); break;
  case UNIT_SIZE: write_power (to, room, length, axes); break;
  case UNIT_POWERS: write_power (to, room, length, sum); break;
  case UNIT_PIXELS: snprintf (to, room, "%s", *length ? FV_PIXELS : ""); break;
  case UNIT_RADIANS: snprintf (to, room, "rad"); break;
  case UNIT_DEGREES: snprintf (to, room, "°"); break;
  case UNIT_VALUE: snprintf (to, room, "%s", value); break;
  default: *to = 0;
  }
}

/* The column of the property: in three dimensions the size of an object is a volume, not an area. */
static const char *
column_key (property p, bool volume)
{
  return volume && p == P_area ? "volume" : region_properties[p].key;
}

static fv_column_type
column_type (const property_traits *t)
{
  if (t->flags & IS_STORED)
    return t->unit == UNIT_VALUE ? FV_COLUMN_STORED_VALUE : FV_COLUMN_STORED;
  return t->flags & IS_INTEGER ? FV_COLUMN_INTEGER : FV_COLUMN_FLOAT;
}

static void
add_property (region_columns *c, property p, bool volume, const fv_grid *labels, const fv_grid *intensity,
              column_text *text)
{
  const char *value_unit = intensity ? intensity->value_unit : "";
  const int64_t channels = channels_of (p, intensity);
  const property_traits *t = region_properties + p;
  for (int i = 0; i < region_property_columns (p, volume); i++)
    for (int64_t channel = 0; channel < channels; channel++) {
      column_text *to = text + c->n;
      int index[3], sum, n = column_indices (t->shape, i, volume, index, &sum);
      int used = snprintf (to->key, sizeof to->key, "%s", column_key (p, volume));
      for (int k = 0; k < n; k++)
        used += snprintf (to->key + used, sizeof to->key - (size_t) used, "-%d", index[k]);
      if (channels > 1)
        snprintf (to->key + used, sizeof to->key - (size_t) used, "-%lld", (long long) channel);
      write_unit (to->unit, sizeof to->unit, t->unit, labels->unit, value_unit, volume ? 3 : 2, sum);
      c->columns[c->n++] = (fv_column){to->key, to->unit, t->help, column_type (t)};
    }
}

void
region_columns_make (region_columns *c, region_table *t, const regionprops_args *a, const fv_grid *labels,
                     const fv_grid *intensity, void *memory)
{
  *c = (region_columns){.columns = memory};
  *t = (region_table){.plane = -1, .volume = a->volume};
  memcpy (t->spacing, labels->spacing, sizeof t->spacing);
  column_text *text = (column_text *) (c->columns + count_columns (a, intensity));
  if (!a->volume && labels->shape[0] > 1) {
    t->plane = 0;
    c->columns[c->n++] = (fv_column){"z", "", "The slice that the object is in, counted from 1.", FV_COLUMN_INTEGER};
  }
  for (property p = 0; p < PROPERTIES; p++) {
    t->at[p] = property_measured (a, p) ? (int32_t) c->n : -1;
    if (property_measured (a, p))
      add_property (c, p, a->volume, labels, intensity, text);
  }
}
