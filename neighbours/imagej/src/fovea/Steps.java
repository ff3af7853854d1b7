// SPDX-License-Identifier: MIT
package fovea;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.Prefs;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.PlugIn;
import java.io.IOException;
import java.util.Map;

/** Several steps in one command, as Fovea writes them. */
public final class Steps implements PlugIn {
  private static final String EXAMPLE = "gaussian sigma=2 | otsu | label as=cells | regionprops";

  @Override
  public void run(String argument) {
    try {
      ImagePlus image = WindowManager.getCurrentImage();
      String steps = Command.inMacro() ? Command.arguments(Macro.getOptions()).get("steps") : ask();
      if (steps == null && Command.inMacro())
        throw new Library.Failure("The steps are missing: steps=[" + EXAMPLE + "]");
      if (steps == null)
        return;
      try (Runner runner = new Runner()) {
        runner.steps(steps, image);
        runner.show();
      }
    } catch (Library.Failure | IOException | UnsatisfiedLinkError failure) {
      Command.fail(failure);
    }
  }

  private static String ask() {
    GenericDialog dialog = new GenericDialog("Fovea: Steps");
    dialog.addStringField("steps", Prefs.get("fovea.steps", EXAMPLE), 60);
    dialog.showDialog();
    if (dialog.wasCanceled())
      return null;
    String steps = ((java.awt.TextField) dialog.getStringFields().get(0)).getText();
    Prefs.set("fovea.steps", steps);
    Command.record(Map.of("steps", steps));
    return steps;
  }
}
