// SPDX-License-Identifier: MIT
import ij.IJ;
import ij.ImageJ;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.gui.MultiLineLabel;
import ij.plugin.frame.Recorder;
import java.awt.Button;
import java.awt.Checkbox;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.EventQueue;
import java.awt.Label;
import java.awt.TextField;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * The real ImageJ with its window, for test_imagej.py: Check macro FILE runs a macro, and prints and closes each dialog that appears. Check dialog COMMAND
 * KEY VALUE opens an image and the dialog of a command, types a value, looks at the preview, presses OK, and prints what was recorded.
 */
final class Check {
  private static final int PATIENCE = 30000, SETTLED = 1000; // ms

  private Check() {
  }

  public static void main(String[] arguments) throws Exception {
    ImageJ.main(new String[] {"-ijpath", System.getProperty("plugins.dir")});
    if (arguments[0].equals("macro"))
      runMacro(arguments[1]);
    else
      useDialog(arguments[1], arguments[2], arguments[3]);
    System.exit(0);
  }

  private static void runMacro(String path) throws Exception {
    Thread macro = new Thread(() -> IJ.runMacroFile(path));
    macro.start();
    while (macro.isAlive()) {
      Dialog dialog = dialog();
      if (dialog != null) {
        System.out.println("dialog: " + texts(dialog));
        press(dialog, "OK");
      }
      Thread.sleep(50);
    }
  }

  private static void useDialog(String command, String key, String value) throws Exception {
    new Recorder();
    IJ.newImage("image", "8-bit ramp", 60, 40, 1);
    IJ.doCommand(command);
    Dialog dialog = await("the dialog", Check::dialog);
    TextField field = (TextField) ((GenericDialog) dialog).getNumericFields().get(0);
    Checkbox preview = (Checkbox) ((GenericDialog) dialog).getCheckboxes().lastElement();
    EventQueue.invokeAndWait(() -> {
      field.setText(value);
      preview.setState(true);
      preview.dispatchEvent(new ItemEvent(preview, ItemEvent.ITEM_STATE_CHANGED, preview, ItemEvent.SELECTED));
    });
    await("the preview", () -> WindowManager.getImage("Preview"));
    System.out.println("preview: " + WindowManager.getImage("Preview").getBitDepth());
    press(dialog, "OK");
    await("the result", () -> WindowManager.getImageCount() == 2 && WindowManager.getImage("Preview") == null ? "there" : null);
    String recorded = await("the record", () -> Recorder.getInstance().getText().contains(key) ? Recorder.getInstance().getText() : null);
    System.out.println("recorded: " + recorded.trim().replace('\n', ' '));
  }

  private interface Look<T> {
    T at() throws Exception;
  }

  private static <T> T await(String what, Look<T> look) throws Exception {
    for (int waited = 0; waited < PATIENCE; waited += 50) {
      T found = look.at();
      if (found != null)
        return found;
      Thread.sleep(50);
    }
    throw new AssertionError(what + " does not appear");
  }

  private static Dialog dialog() {
    for (Window window : Window.getWindows())
      if (window instanceof Dialog && window.isVisible())
        return (Dialog) window;
    return null;
  }

  private static List<Component> all(Container container) {
    List<Component> found = new ArrayList<>();
    for (Component component : container.getComponents()) {
      found.add(component);
      if (component instanceof Container)
        found.addAll(all((Container) component));
    }
    return found;
  }

  private static String texts(Dialog dialog) throws Exception {
    StringBuilder text = new StringBuilder(dialog.getTitle());
    for (Component component : all(dialog)) {
      if (component instanceof Label)
        text.append(" | ").append(((Label) component).getText());
      if (component instanceof MultiLineLabel) {
        java.lang.reflect.Field lines = MultiLineLabel.class.getDeclaredField("lines");
        lines.setAccessible(true);
        text.append(" | ").append(String.join(" ", (String[]) lines.get(component)));
      }
    }
    return text.toString();
  }

  /** A dialog that is closed before it waits for that waits forever, and is visible a moment before it waits. */
  private static void press(Dialog dialog, String label) throws Exception {
    Thread.sleep(SETTLED);
    for (Component component : all(dialog))
      if (component instanceof Button && ((Button) component).getLabel().trim().equals(label)) {
        EventQueue.invokeAndWait(() -> component.dispatchEvent(new ActionEvent(component, ActionEvent.ACTION_PERFORMED, label)));
        return;
      }
    throw new AssertionError("'" + dialog.getTitle() + "' has no button " + label);
  }
}
