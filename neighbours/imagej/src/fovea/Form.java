// SPDX-License-Identifier: MIT
package fovea;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import java.awt.AWTEvent;
import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.Component;
import java.awt.TextField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;

/** The dialog of an operation, made from its declaration. Fields have the keys of parameters, and Help explains them. */
final class Form {
  private static final String NONE = "none";
  private static final double LARGEST = 1e6; // of a slider

  private final Library.Operation operation;
  private final ImagePlus image;
  private final GenericDialog dialog;
  private final Map<String, Component> fields = new LinkedHashMap<>();
  private final Map<String, String> initial = new LinkedHashMap<>();
  private final Checkbox live;
  private Preview preview;

  private Form(Library.Operation operation, ImagePlus image) {
    this.operation = operation;
    this.image = image;
    dialog = new GenericDialog("Fovea: " + Library.text(operation.label).replace("...", ""));
    dialog.addMessage(wrapped(Library.text(operation.help)));
    List<Library.Input> inputs = operation.images();
    for (int i = 0; i < inputs.size() && image != null; i++)
      addInput(i == 0 ? "from" : inputs.get(i).key(), i == 0 ? image.getTitle() : inputs.get(i).optional != 0 ? NONE : null);
    for (Library.Parameter parameter : operation.parameters())
      addParameter(parameter);
    live = image != null && !Library.list(operation.outputs).isEmpty() ? addCheckbox("preview", false) : null;
    dialog.addHelp(help());
    dialog.addDialogListener(this::changed);
    enable(all());
  }

  /** The values that differ from their defaults, or null when the dialog was cancelled. */
  static Map<String, String> ask(Library.Operation operation, ImagePlus image) {
    if (operation.parameters().isEmpty() && operation.images().size() < 2)
      return Map.of();
    Form form = new Form(operation, image);
    form.dialog.showDialog();
    if (form.preview != null)
      form.preview.close();
    if (form.dialog.wasCanceled())
      return null;
    Map<String, String> values = form.changedValues();
    Command.record(values.isEmpty() ? form.firstValue() : values);
    return values;
  }

  // ---- Fields ----

  private static <T> T last(Vector<?> components, Class<T> kind) {
    return kind.cast(components.get(components.size() - 1));
  }

  private void put(String key, Component field) {
    fields.put(key, field);
    initial.put(key, value(field));
  }

  private Checkbox addCheckbox(String key, boolean on) {
    dialog.addCheckbox(key, on);
    return last(dialog.getCheckboxes(), Checkbox.class);
  }

  /** first: what is chosen at first, if not the first other image. */
  private void addInput(String key, String first) {
    List<String> names = new ArrayList<>();
    if (first != null)
      names.add(first);
    for (int id : WindowManager.getIDList() == null ? new int[0] : WindowManager.getIDList()) {
      String title = WindowManager.getImage(id).getTitle();
      if (!names.contains(title) && WindowManager.getImage(id) != image)
        names.add(title);
    }
    names.add(Rois.CURRENT);
    names.add(Rois.MANAGER);
    dialog.addChoice(key, names.toArray(new String[0]), names.get(0));
    put(key, last(dialog.getChoices(), Choice.class));
    if (first == null)
      initial.put(key, ""); // always given
  }

  private void addParameter(Library.Parameter p) {
    String key = p.key(), first = p.initial();
    if (p.type == Library.Parameter.BOOLEAN)
      put(key, addCheckbox(key, first.equals("yes")));
    else if (p.type == Library.Parameter.CHOICE) {
      dialog.addChoice(key, p.choices(), first);
      put(key, last(dialog.getChoices(), Choice.class));
    } else if (isSlider(p)) {
      boolean whole = p.type == Library.Parameter.INTEGER;
      dialog.addSlider(key, p.softMin, p.softMax, Double.parseDouble(first), whole ? 1 : (p.softMax - p.softMin) / 200);
      put(key, last(dialog.getNumericFields(), TextField.class));
      ((TextField) fields.get(key)).setText(first);
      initial.put(key, first);
    } else {
      dialog.addStringField(key, first, Math.max(8, Math.min(60, first.length())));
      put(key, last(dialog.getStringFields(), TextField.class));
    }
  }

  private static boolean isSlider(Library.Parameter p) {
    if (p.type != Library.Parameter.INTEGER && p.type != Library.Parameter.NUMBER)
      return false;
    return p.initial().matches("-?[0-9.]+") && Math.abs(p.softMin) < LARGEST && Math.abs(p.softMax) < LARGEST && p.softMin < p.softMax;
  }

  private static String value(Component field) {
    if (field instanceof Checkbox)
      return ((Checkbox) field).getState() ? "yes" : "no";
    return field instanceof Choice ? ((Choice) field).getSelectedItem() : ((TextField) field).getText();
  }

  private Map<String, String> all() {
    Map<String, String> values = new LinkedHashMap<>();
    fields.forEach((key, field) -> values.put(key, value(field)));
    return values;
  }

  private Map<String, String> changedValues() {
    Map<String, String> values = all();
    values.entrySet().removeIf(entry -> entry.getValue().equals(initial.get(entry.getKey())));
    return values;
  }

  /** Without any argument a recorded command would ask again. */
  private Map<String, String> firstValue() {
    String key = fields.keySet().iterator().next();
    return Map.of(key, value(fields.get(key)));
  }

  // ---- What matters ----

  /** "method=manual|otsu", or several of these with " & " between. */
  private static boolean matters(String condition, Map<String, String> values) {
    for (String part : condition.isEmpty() ? new String[0] : condition.split(" & ")) {
      String[] sides = part.split("=", 2);
      if (values.containsKey(sides[0]) && !List.of(sides[1].split("\\|")).contains(values.get(sides[0])))
        return false;
    }
    return true;
  }

  private void enable(Map<String, String> values) {
    for (Library.Parameter p : operation.parameters())
      fields.get(p.key()).setEnabled(matters(Library.text(p.enabled), values));
  }

  private boolean changed(GenericDialog self, AWTEvent event) {
    enable(all());
    if (live != null && live.getState()) {
      preview = preview == null ? new Preview(operation, image) : preview;
      preview.show(changedValues());
    } else if (preview != null) {
      preview.close();
      preview = null;
    }
    return true;
  }

  // ---- Texts ----

  private static String wrapped(String text) {
    return text.replaceAll("(.{50,70}) ", "$1\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private String help() {
    StringBuilder html = new StringBuilder("<html><body width=500><h3>" + escaped(Library.text(operation.label)) + "</h3>" + escaped(Library.text(operation.help)) + "<dl>");
    for (Library.Parameter p : operation.parameters())
      html.append("<dt><b>" + p.key() + "</b> (" + escaped(Library.text(p.values)) + ")<dd>" + escaped(Library.text(p.help)));
    for (Library.Input input : operation.images())
      html.append("<dt><b>" + input.key() + "</b> (" + escaped(Library.text(input.words)) + ")<dd>" + escaped(Library.text(input.help)));
    return html + "</dl></body></html>";
  }
}
