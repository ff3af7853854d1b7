// SPDX-License-Identifier: MIT
package fovea;

import com.sun.jna.Pointer;
import ij.measure.ResultsTable;

/** Tables of Fovea as the Results table of ImageJ. */
final class Tables {
  private Tables() {
  }

  /** Replaces the contents of the Results table. Headings have units as in Fovea's CSV files: "area (µm²)". */
  static void show(Pointer table) {
    ResultsTable results = new ResultsTable();
    long rows = Library.count("fovea_table_rows", table);
    for (int column = 0; column < Library.number("fovea_table_columns", table); column++) {
      String unit = Library.text(Library.pointer("fovea_table_unit", table, column));
      String heading = Library.text(Library.pointer("fovea_table_name", table, column)) + (unit.isEmpty() ? "" : " (" + unit + ")");
      Pointer numbers = Library.pointer("fovea_table_numbers", table, column);
      for (int row = 0; row < rows; row++)
        if (numbers == null)
          results.setValue(heading, row, Library.text(Library.pointer("fovea_table_text", table, column, (long) row)));
        else
          results.setValue(heading, row, numbers.getDouble(8L * row));
    }
    results.show("Results");
  }
}
