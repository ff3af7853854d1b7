// SPDX-License-Identifier: MIT
package fovea;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Calls of libfovea; fovea.h describes each function and struct. */
final class Library {
  /** Why a call failed, in the words of Fovea. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message);
    }
  }

  /** fovea_choice. */
  @FieldOrder({"size", "key", "label", "help"})
  public static final class Choice extends Structure {
    public NativeLong size;
    public Pointer key, label, help;

    public Choice(Pointer at) {
      super(at);
      read();
    }
  }

  /** fovea_parameter. */
  @FieldOrder({"size", "key", "label", "help", "type", "values", "unit", "initial", "min", "max", "softMin", "softMax", "choices", "enabled", "aliases",
    "logarithmic", "advanced", "ordinal"})
  public static final class Parameter extends Structure {
    static final int BOOLEAN = 1, INTEGER = 2, NUMBER = 3, CHOICE = 8;
    public NativeLong size;
    public Pointer key, label, help;
    public int type;
    public Pointer values, unit, initial;
    public double min, max, softMin, softMax;
    public Pointer choices, enabled, aliases;
    public int logarithmic, advanced, ordinal;

    public Parameter(Pointer at) {
      super(at);
      read();
    }

    String key() {
      return text(key);
    }

    String initial() {
      return text(initial);
    }

    /** Keys of the choices. */
    String[] choices() {
      return list(choices).stream().map(at -> text(new Choice(at).key)).toArray(String[]::new);
    }
  }

  /** fovea_input. */
  @FieldOrder({"size", "key", "label", "help", "types", "words", "optional", "isTable"})
  public static final class Input extends Structure {
    public NativeLong size;
    public Pointer key, label, help, types, words;
    public int optional, isTable;

    public Input(Pointer at) {
      super(at);
      read();
    }

    String key() {
      return text(key);
    }
  }

  /** fovea_operation. */
  @FieldOrder({"size", "key", "aliases", "menu", "label", "help", "cite", "search", "plugin", "inputs", "outputs", "scalars", "parameters", "makesTable",
    "runsOnGpus", "reproducible"})
  public static final class Operation extends Structure {
    public NativeLong size;
    public Pointer key, aliases, menu, label, help, cite, search, plugin, inputs, outputs, scalars, parameters;
    public int makesTable, runsOnGpus;
    public double reproducible;

    public Operation(Pointer at) {
      super(at);
      read();
    }

    String key() {
      return text(key);
    }

    /** Images that it takes: the first one, and others. */
    List<Input> images() {
      List<Input> images = new ArrayList<>();
      for (Pointer at : list(inputs)) {
        Input input = new Input(at);
        if (input.isTable == 0)
          images.add(input);
      }
      return images;
    }

    List<Parameter> parameters() {
      List<Parameter> all = new ArrayList<>();
      for (Pointer at : list(parameters))
        all.add(new Parameter(at));
      return all;
    }
  }

  /** fovea_image_info. */
  @FieldOrder({"size", "role", "code", "bits", "lanes", "shape", "spacing", "unit", "interval", "intervalUnit", "name", "channelNames", "channelColors",
    "displayRanges", "storedAs", "description", "origin", "values", "madeBy"})
  public static final class Info extends Structure {
    static final int IMAGE = 0, LABELS = 2, RGB = 3;
    public NativeLong size = new NativeLong(0);
    public int role;
    public byte code, bits;
    public short lanes;
    public long[] shape = new long[5];
    public double[] spacing = {1, 1, 1};
    public Pointer[] unit = new Pointer[3];
    public double interval;
    public Pointer intervalUnit, name, channelNames, channelColors, displayRanges, storedAs, description;
    public double[] origin = new double[3];
    public Pointer values, madeBy;

    Info() {
      size = new NativeLong(size());
    }
  }

  private static final NativeLibrary LIBRARY =
    NativeLibrary.getInstance(System.getProperty("fovea.library", "fovea"), Map.of(com.sun.jna.Library.OPTION_STRING_ENCODING, "UTF-8"));
  /** One for all: it never changes. */
  static final Pointer CONTEXT = made("fovea_context_new", 0);

  private Library() {
  }

  private static Function function(String name) {
    return LIBRARY.getFunction(name);
  }

  static Pointer pointer(String name, Object... arguments) {
    return function(name).invokePointer(arguments);
  }

  static int number(String name, Object... arguments) {
    return function(name).invokeInt(arguments);
  }

  static long count(String name, Object... arguments) {
    return function(name).invokeLong(arguments);
  }

  static void free(String name, Pointer object) {
    function(name).invokeVoid(new Object[] {object});
  }

  private static Object[] withError(Object[] arguments, PointerByReference error) {
    Object[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = error;
    return all;
  }

  private static Failure failure(PointerByReference error) {
    String message = text(pointer("fovea_error_message", error.getValue()));
    free("fovea_error_free", error.getValue());
    return new Failure(message);
  }

  /** A call that returns an object, or NULL with an error. */
  static Pointer made(String name, Object... arguments) {
    PointerByReference error = new PointerByReference();
    Pointer object = pointer(name, withError(arguments, error));
    if (object == null)
      throw failure(error);
    return object;
  }

  /** A call that returns a code. */
  static void done(String name, Object... arguments) {
    PointerByReference error = new PointerByReference();
    if (number(name, withError(arguments, error)) != 0)
      throw failure(error);
  }

  static String text(Pointer at) {
    return at == null ? "" : at.getString(0, "UTF-8");
  }

  /** Pointers up to NULL. */
  static List<Pointer> list(Pointer at) {
    return at == null ? Collections.emptyList() : List.of(at.getPointerArray(0));
  }

  static List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    for (Pointer at : list(pointer("fovea_context_operations", CONTEXT)))
      all.add(new Operation(at));
    return all;
  }

  static Operation operation(String key) {
    return new Operation(made("fovea_context_operation", CONTEXT, key));
  }
}
