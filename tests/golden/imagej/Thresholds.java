// SPDX-License-Identifier: MIT
// ImageJ's automatic thresholds, for thresholds.py: Thresholds FOLDER < LIST. A line of the list is "NAME BITS WIDTH HEIGHT";
// FOLDER/NAME.raw has the pixels (of 8 or 16 bits, or floats of 32), little-endian. Prints "NAME METHOD LOWER" for every
// method, LOWER the smallest value that is above the threshold on a dark background.
import ij.ImageJ;
import ij.process.*;
import java.io.*;
import java.nio.*;
import java.nio.file.*;

public class Thresholds {
  static final String[] METHODS = {"Default", "IJ_IsoData", "IsoData", "Li", "Triangle", "Minimum", "Huang", "Otsu",
                                   "MaxEntropy", "Mean", "Yen"};

  static ImageProcessor read (Path file, int bits, int width, int height) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap (Files.readAllBytes (file)).order (ByteOrder.LITTLE_ENDIAN);
    if (bits == 8)
      return new ByteProcessor (width, height, bytes.array ());
    if (bits == 16) {
      short[] pixels = new short[width * height];
      bytes.asShortBuffer ().get (pixels);
      return new ShortProcessor (width, height, pixels, null);
    }
    float[] pixels = new float[width * height];
    bytes.asFloatBuffer ().get (pixels);
    return new FloatProcessor (width, height, pixels);
  }

  public static void main (String[] args) throws IOException {
    BufferedReader list = new BufferedReader (new InputStreamReader (System.in));
    System.out.println ("# ImageJ " + ImageJ.VERSION);
    for (String line = list.readLine (); line != null; line = list.readLine ()) {
      String[] word = line.split (" ");
      for (String method : METHODS) {
        ImageProcessor image = read (Paths.get (args[0], word[0] + ".raw"), Integer.parseInt (word[1]),
                                     Integer.parseInt (word[2]), Integer.parseInt (word[3]));
        image.setAutoThreshold (AutoThresholder.Method.valueOf (method), true, ImageProcessor.NO_LUT_UPDATE);
        System.out.println (word[0] + " " + method + " " + image.getMinThreshold ());
      }
    }
  }
}
