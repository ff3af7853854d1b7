/* SPDX-License-Identifier: MIT */
package ome.units;

public final class UNITS {
    public static final UNITS MICROMETER = new UNITS(), SECOND = new UNITS();

    private UNITS() {
    }
}
