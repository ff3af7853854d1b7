// SPDX-License-Identifier: MIT
package fovea;

import com.sun.jna.Callback;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.PointerByReference;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs an operation, or steps, on images of ImageJ. */
final class Runner implements AutoCloseable {
  /** What steps call the image that is worked on. */
  private static final String SOURCE = "source";
  /** Any operation that takes an image and makes one: the result of the step is the image that is given to it. */
  private static final String PLACEHOLDER = "gaussian";
  private static final int KEEP_ALL = 1;

  /** fovea_step. */
  @FieldOrder({"size", "operation", "text", "skipped", "images", "results", "names"})
  public static final class Step extends Structure {
    public NativeLong size;
    public Pointer operation, text;
    public int skipped;
    public NativeLong images, results;
    public Pointer names;

    public Step() {
      size = new NativeLong(size());
    }
  }

  /** fovea_progress. */
  public interface Progress extends Callback {
    int invoke(Pointer user, int step, int steps, double done);
  }

  /** Esc stops the run. */
  private static final Progress PROGRESS = (user, step, steps, done) -> {
    IJ.showProgress(done);
    return IJ.escapePressed() ? 1 : 0;
  };

  final List<ImagePlus> images = new ArrayList<>();
  private final List<Pointer> given = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private Pointer recipe, run, table;

  private void set(int step, String key, String value) {
    Pointer before = recipe;
    recipe = Library.made("fovea_recipe_with", before, step, key, value);
    Library.free("fovea_recipe_free", before);
  }

  private Pointer give(ImagePlus image) {
    Pointer made = Images.toFovea(image, image.getProperty(Images.LABELS) != null);
    given.add(made);
    return made;
  }

  /** What the step gets for an input: a file of selections, or the name of an image that is given. */
  private String input(String name, ImagePlus image, List<Pointer> others) throws IOException {
    Path file = Rois.file(name, image);
    if (file != null) {
      files.add(file);
      return "file:" + file;
    }
    ImagePlus other = WindowManager.getImage(name);
    if (other == null)
      throw new Library.Failure("No image is called '" + name + "'. Use the title of an open image, '" + Rois.CURRENT + "' or '" + Rois.MANAGER + "'.");
    others.add(give(other));
    return "input" + others.size();
  }

  /** image: the first one; null: none. values: parameters and further inputs by their keys, as text. */
  void operation(Library.Operation operation, ImagePlus image, Map<String, String> values) throws IOException {
    List<Library.Input> inputs = operation.images();
    List<Pointer> others = new ArrayList<>();
    Map<String, String> named = new LinkedHashMap<>(), set = new LinkedHashMap<>(values);
    if (!inputs.isEmpty() && image != null)
      named.put("from", values.containsKey("from") ? input(set.remove("from"), image, others) : SOURCE);
    for (Library.Input input : inputs.subList(Math.min(1, inputs.size()), inputs.size()))
      if (set.containsKey(input.key()))
        named.put(input.key(), input(set.remove(input.key()), image, others));
    StringBuilder steps = new StringBuilder();
    for (int n = 1; n <= others.size(); n++)
      steps.append(PLACEHOLDER + " as=input" + n + " | ");
    recipe = Library.made("fovea_recipe_parse", Library.CONTEXT, steps + operation.key());
    for (Map<String, String> texts : List.of(named, set))
      for (Map.Entry<String, String> text : texts.entrySet())
        set(others.size(), text.getKey(), text.getValue());
    execute(inputs.isEmpty() ? null : image, others);
    for (int i = 0; i < Library.list(operation.outputs).size(); i++)
      images.add(Images.fromFovea(kept(Library.made("fovea_run_step_image", run, others.size(), i)), title(image, operation.key()), image));
    if (operation.makesTable != 0)
      table = Library.made("fovea_run_step_table", run, others.size());
  }

  /** Several steps as text: all images with names, the last one, and the last table. */
  void steps(String text, ImagePlus image) {
    recipe = Library.made("fovea_recipe_parse", Library.CONTEXT, text);
    execute(image, List.of());
    boolean last = true;
    for (int n = Library.number("fovea_recipe_length", recipe) - 1; n >= 0; n--) {
      Step step = new Step();
      step.write();
      Library.done("fovea_recipe_get_step", recipe, n, step.getPointer());
      step.read();
      for (int i = 0; i < step.images.intValue() && step.skipped == 0; i++) {
        String name = Library.text(step.names.getPointer(8L * i));
        if (last || !name.isEmpty())
          images.add(0, Images.fromFovea(kept(Library.made("fovea_run_step_image", run, n, i)),
            title(image, name.isEmpty() ? Library.text(step.operation) : name), image));
      }
      last = last && step.images.intValue() == 0;
    }
    table = Library.pointer("fovea_run_table", run, null, null);
  }

  private Pointer kept(Pointer image) {
    given.add(image);
    return image;
  }

  private static String title(ImagePlus image, String what) {
    return image == null ? what : image.getTitle() + " " + what;
  }

  private void execute(ImagePlus image, List<Pointer> others) {
    Pointer source = image == null ? null : give(image);
    if (source != null) {
      PointerByReference said = new PointerByReference();
      Pointer plain = recipe;
      recipe = Library.made("fovea_recipe_for_image", plain, source, said);
      Library.free("fovea_recipe_free", plain);
      tell(said.getValue());
    }
    run = Library.made("fovea_run_new", recipe, source, KEEP_ALL);
    for (int n = 0; n < others.size(); n++)
      Library.done("fovea_run_give", run, n, others.get(n));
    IJ.resetEscape();
    Library.done("fovea_run_execute", run, "auto", PROGRESS, null);
    IJ.showProgress(1);
    tell(Library.pointer("fovea_run_note", run));
  }

  private static void tell(Pointer note) {
    if (note != null)
      IJ.log("Fovea: " + Library.text(note));
    Library.free("fovea_text_free", note);
  }

  /** Shows all images and the table. */
  void show() {
    for (ImagePlus image : images)
      image.show();
    if (table != null)
      Tables.show(table);
  }

  @Override
  public void close() throws IOException {
    Library.free("fovea_table_free", table);
    Library.free("fovea_run_free", run);
    Library.free("fovea_recipe_free", recipe);
    for (Pointer image : given)
      Library.free("fovea_image_free", image);
    for (Path file : files)
      Files.delete(file);
  }
}
