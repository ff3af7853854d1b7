// SPDX-License-Identifier: MIT
package fovea;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Writes plugins.config, from which ImageJ makes its menu at start: a command for each operation that the installed Fovea declares. */
final class Menu {
  private static final String TOP = "Plugins>Fovea";

  private Menu() {
  }

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(TOP + ", \"Fovea: Steps...\", fovea.Steps");
    out.println(TOP + ", \"Fovea: Labels to ROI Manager\", fovea.Rois(\"to manager\")");
    out.println(TOP + ", \"Fovea: ROI Manager to Labels\", fovea.Rois(\"to labels\")");
    for (Library.Operation operation : Library.operations())
      if (operation.menu != null)
        out.println(TOP + ">" + Library.text(operation.menu).replace("/", ">") + ", \"Fovea: " + Library.text(operation.label) + "\", fovea.Command(\""
          + operation.key() + "\")");
  }
}
