// SPDX-License-Identifier: MIT
// ImageJ's Watershed of binary images, for watershed.py: Watershed FOLDER < LIST. A line of the list is "NAME WIDTH HEIGHT"; FOLDER/NAME.raw has
// the mask, 0 or 255. Writes NAME.split, a byte for each pixel.
import ij.plugin.filter.EDM;
import ij.process.ByteProcessor;
import java.io.*;
import java.nio.file.*;

public class Watershed {
  static void split (String folder, String[] word) throws IOException {
    byte[] pixels = Files.readAllBytes (Paths.get (folder, word[0] + ".raw"));
    ByteProcessor mask = new ByteProcessor (Integer.parseInt (word[1]), Integer.parseInt (word[2]), pixels);
    new EDM ().toWatershed (mask);
    Files.write (Paths.get (folder, word[0] + ".split"), (byte[]) mask.getPixels ());
  }

  public static void main (String[] args) throws IOException {
    BufferedReader list = new BufferedReader (new InputStreamReader (System.in));
    for (String line = list.readLine (); line != null; line = list.readLine ())
      split (args[0], line.split (" "));
  }
}
