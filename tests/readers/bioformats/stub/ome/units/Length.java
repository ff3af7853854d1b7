/* SPDX-License-Identifier: MIT */
package ome.units;

public class Length {
    private final double micrometers;

    public Length(double value) {
        micrometers = value;
    }

    public Number value(UNITS unit) {
        return unit == UNITS.MICROMETER ? micrometers : null;
    }
}
