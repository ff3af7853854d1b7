// SPDX-License-Identifier: MIT
package fovea;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.plugin.PlugIn;
import ij.plugin.frame.Recorder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** An operation as a command of ImageJ: with the arguments of the macro, or of a dialog. */
public final class Command implements PlugIn {
  @Override
  public void run(String key) {
    try {
      Library.Operation operation = Library.operation(key);
      ImagePlus image = WindowManager.getCurrentImage();
      if (image == null && !operation.images().isEmpty() && operation.images().get(0).optional == 0)
        throw new Library.Failure("Open an image first.");
      Map<String, String> values = inMacro() ? arguments(Macro.getOptions()) : Form.ask(operation, image);
      if (values == null)
        return;
      try (Runner runner = new Runner()) {
        runner.operation(operation, image, values);
        runner.show();
      }
    } catch (Library.Failure | IOException | UnsatisfiedLinkError failure) {
      fail(failure);
    }
  }

  /** Ends the macro, if one runs, as IJ.error() does. */
  static void fail(Throwable failure) {
    IJ.error("Fovea", failure.getMessage());
  }

  /** A command of a macro without arguments has the defaults, and no dialog. */
  static boolean inMacro() {
    return Macro.getOptions() != null || IJ.macroRunning();
  }

  static void record(Map<String, String> values) {
    if (Recorder.record)
      values.forEach(Recorder::recordOption);
  }

  /** The arguments of a macro, "sigma=2 inside=[ROI Manager] volume": a key alone means yes. */
  static Map<String, String> arguments(String given) {
    String options = given == null ? "" : given;
    Map<String, String> values = new LinkedHashMap<>();
    for (int at = 0; at < options.length();) {
      int end = at;
      while (end < options.length() && options.charAt(end) != '=' && options.charAt(end) != ' ')
        end++;
      String key = options.substring(at, end);
      if (end == options.length() || options.charAt(end) == ' ') {
        if (!key.isEmpty())
          values.put(key, "yes");
        at = end + 1;
        continue;
      }
      char first = end + 1 < options.length() ? options.charAt(end + 1) : ' ';
      boolean quoted = first == '[' || first == '"';
      int stop = options.indexOf(first == '[' ? ']' : quoted ? '"' : ' ', end + (quoted ? 2 : 1));
      if (stop < 0 && quoted)
        throw new Library.Failure(key + ": '" + first + "' is not closed in '" + options.trim() + "'.");
      stop = stop < 0 ? options.length() : stop;
      values.put(key, options.substring(end + (quoted ? 2 : 1), stop));
      at = stop + 1;
    }
    return values;
  }
}
