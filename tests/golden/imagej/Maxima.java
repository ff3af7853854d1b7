// SPDX-License-Identifier: MIT
// ImageJ's Find Maxima, for maxima.py: Maxima FOLDER < LIST. A line of the list is "NAME BITS WIDTH HEIGHT PROMINENCE STRICT EDGES LIGHT
// THRESHOLD"; FOLDER/NAME.raw has the pixels as little-endian floats. Writes NAME.points and NAME.areas, a byte for each pixel.
import ij.plugin.filter.MaximumFinder;
import ij.process.*;
import java.io.*;
import java.nio.*;
import java.nio.file.*;

public class Maxima {
  static void make (String folder, String[] word) throws IOException {
    int width = Integer.parseInt (word[2]), height = Integer.parseInt (word[3]);
    ByteBuffer bytes = ByteBuffer.wrap (Files.readAllBytes (Paths.get (folder, word[0] + ".raw"))).order (ByteOrder.LITTLE_ENDIAN);
    ImageProcessor image = word[1].equals ("8")    ? new ByteProcessor (width, height)
                           : word[1].equals ("16") ? new ShortProcessor (width, height)
                                                   : new FloatProcessor (width, height);
    for (int i = 0; i < width * height; i++)
      image.setf (i, bytes.getFloat ());
    if (word[7].equals ("true"))
      image.invert ();
    double threshold = word[8].equals ("none") ? ImageProcessor.NO_THRESHOLD : Double.parseDouble (word[8]);
    for (int output : new int[] {MaximumFinder.SINGLE_POINTS, MaximumFinder.IN_TOLERANCE}) {
      ByteProcessor made = new MaximumFinder ().findMaxima (image, Double.parseDouble (word[4]), word[5].equals ("true"), threshold, output,
                                                            word[6].equals ("true"), false);
      Files.write (Paths.get (folder, word[0] + (output == MaximumFinder.SINGLE_POINTS ? ".points" : ".areas")), (byte[]) made.getPixels ());
    }
  }

  public static void main (String[] args) throws IOException {
    BufferedReader list = new BufferedReader (new InputStreamReader (System.in));
    for (String line = list.readLine (); line != null; line = list.readLine ())
      make (args[0], line.split (" "));
  }
}
