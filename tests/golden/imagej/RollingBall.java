// SPDX-License-Identifier: MIT
// ImageJ's background subtraction, for rolling_ball.py: RollingBall FOLDER < LIST. A line of the list is "NAME BITS WIDTH HEIGHT RADIUS LIGHT
// SMOOTH PARABOLOID"; FOLDER/NAME.raw has the pixels as little-endian floats. Writes NAME.made and NAME-background.made, floats likewise.
import ij.plugin.filter.BackgroundSubtracter;
import ij.process.*;
import java.io.*;
import java.nio.*;
import java.nio.file.*;

public class RollingBall {
  static void make (String folder, String[] word, boolean create) throws IOException {
    int width = Integer.parseInt (word[2]), height = Integer.parseInt (word[3]);
    ByteBuffer bytes = ByteBuffer.wrap (Files.readAllBytes (Paths.get (folder, word[0] + ".raw"))).order (ByteOrder.LITTLE_ENDIAN);
    ImageProcessor image = word[1].equals ("8")    ? new ByteProcessor (width, height)
                           : word[1].equals ("16") ? new ShortProcessor (width, height)
                                                   : new FloatProcessor (width, height);
    for (int i = 0; i < width * height; i++)
      image.setf (i, bytes.getFloat ());
    boolean paraboloid = word[7].equals ("true"); /* with its corners corrected, as the dialog has it */
    new BackgroundSubtracter ().rollingBallBackground (image, Double.parseDouble (word[4]), create, word[5].equals ("true"), paraboloid,
                                                       word[6].equals ("true"), paraboloid);
    ByteBuffer made = ByteBuffer.allocate (4 * width * height).order (ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < width * height; i++)
      made.putFloat (image.getf (i));
    Files.write (Paths.get (folder, word[0] + (create ? "-background" : "") + ".made"), made.array ());
  }

  public static void main (String[] args) throws IOException {
    BufferedReader list = new BufferedReader (new InputStreamReader (System.in));
    for (String line = list.readLine (); line != null; line = list.readLine ()) {
      make (args[0], line.split (" "), false);
      make (args[0], line.split (" "), true);
    }
  }
}
