/* SPDX-License-Identifier: MIT
 *
 * A column of a table with wells as a heat map of the plate: its mean, median or standard deviation in each well, or the number of rows.
 */
#ifndef UI_BATCH_PLATE_HEAT_H
#define UI_BATCH_PLATE_HEAT_H

#include "core/ops/module.h"
#include "ui/results/model.h"

#define PLATE_HEAT_TYPE (plate_heat_get_type ())
/* Signal: "chosen" (name of the well, as the table has it). */
G_DECLARE_FINAL_TYPE (PlateHeat, plate_heat, FOVEA, PLATE_HEAT, GtkBox)

/* modules must live longer. */
GtkWidget *plate_heat_new (ResultsModel *model, Modules *modules);
/* Whether the table has a column "well" with names of wells in rows and columns, such as B02. */
gboolean plate_heat_suits (const Table *table);

#endif
