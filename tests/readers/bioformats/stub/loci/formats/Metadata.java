/* SPDX-License-Identifier: MIT
 *
 * What the stub says of every image.
 */
package loci.formats;

import ome.units.Length;

public class Metadata {
    int samples = 1;

    public Length getPixelsPhysicalSizeX(int series) {
        return new Length(0.25);
    }

    public Length getPixelsPhysicalSizeY(int series) {
        return new Length(0.5);
    }

    public Length getPixelsPhysicalSizeZ(int series) {
        throw new NullPointerException("This file has none.");
    }

    public String getChannelName(int series, int channel) {
        return "channel\n" + channel;
    }

    public Color getChannelColor(int series, int channel) {
        return channel == 0 ? new Color() : null;
    }

    public Samples getChannelSamplesPerPixel(int series, int channel) {
        return new Samples();
    }

    public String getImageName(int series) {
        return "scan " + series;
    }

    public class Color {
        public int getRed() {
            return 255;
        }

        public int getGreen() {
            return 128;
        }

        public int getBlue() {
            return 0;
        }
    }

    public class Samples {
        public Integer getValue() {
            return samples;
        }
    }
}
