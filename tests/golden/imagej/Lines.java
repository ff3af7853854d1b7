// SPDX-License-Identifier: MIT
// Runs macros in ImageJ, for lines.py: Lines FOLDER < LIST. A line of the list is "NAME<TAB>MACRO"; the macro ends with the image that is
// kept as FOLDER/NAME.tif. Prints NAME and "ok", or why there is none. A dialog that waits for a person ends its macro.
import ij.*;
import ij.io.FileSaver;
import ij.macro.Interpreter;
import java.awt.*;
import java.io.*;

public class Lines {
  static volatile long began;
  static volatile String asked;

  // Closes what waits for a person.
  static void watch () {
    try {
      while (true) {
        Thread.sleep (200);
        if (began == 0 || System.currentTimeMillis () - began < 2500)
          continue;
        for (Window window : Window.getWindows ())
          if (window instanceof Dialog && window.isShowing ()) {
            asked = ((Dialog) window).getTitle ();
            IJ.setKeyDown (java.awt.event.KeyEvent.VK_ESCAPE);
            window.dispose ();
          }
      }
    } catch (InterruptedException e) {
    }
  }

  static String run (String folder, String name, String macro) {
    Prefs.blackBackground = true;
    Prefs.padEdges = false;
    asked = null;
    IJ.run ("Clear Results");
    began = System.currentTimeMillis ();
    Interpreter interpreter = new Interpreter ();
    interpreter.setIgnoreErrors (true);
    String failed = null;
    try {
      interpreter.run (macro);
    } catch (Throwable e) {
      failed = e.toString ();
    }
    began = 0;
    if (interpreter.wasError ())
      failed = interpreter.getErrorMessage ();
    if (asked != null)
      failed = "asks: " + asked;
    ImagePlus image = WindowManager.getCurrentImage ();
    if (failed == null && image != null) {
      image.deleteRoi ();
      FileSaver saver = new FileSaver (image);
      if (image.getStackSize () > 1)
        saver.saveAsTiffStack (folder + "/" + name + ".tif");
      else
        saver.saveAsTiff (folder + "/" + name + ".tif");
    }
    int[] open = WindowManager.getIDList ();
    for (int i = 0; open != null && i < open.length; i++) {
      ImagePlus one = WindowManager.getImage (open[i]);
      one.changes = false;
      one.close ();
    }
    return failed == null ? "ok" : failed.replaceAll ("\\s+", " ");
  }

  public static void main (String[] args) throws IOException {
    BufferedReader list = new BufferedReader (new InputStreamReader (System.in));
    new ImageJ (ImageJ.EMBEDDED);
    System.out.println ("# ImageJ " + ImageJ.VERSION);
    Thread watcher = new Thread (Lines::watch);
    watcher.setDaemon (true);
    watcher.start ();
    for (String line = list.readLine (); line != null; line = list.readLine ()) {
      String[] word = line.split ("\t", 2);
      System.out.println (word[0] + "\t" + run (args[0], word[0], word[1]));
      System.out.flush ();
    }
    System.exit (0);
  }
}
