// SPDX-License-Identifier: MIT
package fovea;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import ij.CompositeImage;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.LUT;
import ij.process.ShortProcessor;
import java.awt.Color;
import java.nio.charset.StandardCharsets;

/** Images of ImageJ as those of Fovea, and back: pixels, axes and calibration. */
final class Images {
  /** Property of an ImagePlus whose values are the labels of objects. */
  static final String LABELS = "fovea.labels";
  private static final int LAST_16_BIT = 65535;

  private Images() {
  }

  // ---- To Fovea ----

  /** A pointer that the caller frees with fovea_image_free(). */
  static Pointer toFovea(ImagePlus image, boolean labels) {
    boolean color = image.getBitDepth() == 24;
    boolean signed = image.getLocalCalibration().isSigned16Bit();
    Library.Info info = new Library.Info();
    info.role = color ? Library.Info.RGB : labels ? Library.Info.LABELS : Library.Info.IMAGE;
    info.shape = new long[] {image.getNFrames(), color ? 3 : image.getNChannels(), image.getNSlices(), image.getHeight(), image.getWidth()};
    info.code = (byte) (labels || signed ? 0 : image.getBitDepth() == 32 ? 2 : 1);
    info.bits = (byte) (labels ? 32 : color ? 8 : image.getBitDepth());
    info.lanes = 1;
    Memory[] kept = calibrate(info, image);
    Memory pixels = pixels(image, info, labels, signed);
    Memory tensor = new Memory(48), shape = new Memory(40);
    tensor.clear();
    shape.write(0, info.shape, 0, 5);
    tensor.setPointer(0, pixels);
    tensor.setInt(8, 1); // on the CPU
    tensor.setInt(16, 5);
    tensor.setByte(20, info.code);
    tensor.setByte(21, info.bits);
    tensor.setShort(22, info.lanes);
    tensor.setPointer(24, shape);
    info.write();
    Pointer made = Library.made("fovea_image_from_dlpack", Library.CONTEXT, tensor, info.getPointer());
    java.lang.ref.Reference.reachabilityFence(kept);
    java.lang.ref.Reference.reachabilityFence(shape);
    java.lang.ref.Reference.reachabilityFence(pixels);
    return made;
  }

  private static Memory text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Memory memory = new Memory(bytes.length + 1);
    memory.write(0, bytes, 0, bytes.length);
    memory.setByte(bytes.length, (byte) 0);
    return memory;
  }

  private static String unit(String unit) {
    return unit == null || unit.startsWith("pixel") ? "" : unit.startsWith("micron") || unit.equals("um") ? "µm" : unit;
  }

  /** What has to be kept while the info is used. */
  private static Memory[] calibrate(Library.Info info, ImagePlus image) {
    Calibration c = image.getLocalCalibration();
    Memory[] kept = {text(unit(c.getZUnit())), text(unit(c.getYUnit())), text(unit(c.getXUnit())), text(c.getTimeUnit()), text(image.getTitle())};
    info.spacing = new double[] {c.pixelDepth, c.pixelHeight, c.pixelWidth};
    info.unit = new Pointer[] {kept[0], kept[1], kept[2]};
    info.origin = new double[] {c.zOrigin, c.yOrigin, c.xOrigin};
    info.interval = c.frameInterval;
    info.intervalUnit = kept[3];
    info.name = kept[4];
    return kept;
  }

  private static Memory pixels(ImagePlus image, Library.Info info, boolean labels, boolean signed) {
    int n = image.getWidth() * image.getHeight(), bytes = info.bits / 8;
    Memory pixels = new Memory((long) n * bytes * info.shape[0] * info.shape[1] * info.shape[2]);
    long at = 0;
    for (int t = 1; t <= image.getNFrames(); t++)
      for (int c = 1; c <= info.shape[1]; c++)
        for (int z = 1; z <= image.getNSlices(); z++, at += (long) n * bytes) {
          ImageProcessor plane = image.getStack().getProcessor(image.getStackIndex(info.role == Library.Info.RGB ? 1 : c, z, t));
          if (labels)
            pixels.write(at, labels(plane), 0, n);
          else if (info.role == Library.Info.RGB)
            pixels.write(at, ((ColorProcessor) plane).getChannel(c), 0, n);
          else if (info.bits == 8)
            pixels.write(at, (byte[]) plane.getPixels(), 0, n);
          else if (info.bits == 16)
            pixels.write(at, signed ? turned((short[]) plane.getPixels()) : (short[]) plane.getPixels(), 0, n);
          else
            pixels.write(at, (float[]) plane.getPixels(), 0, n);
        }
    return pixels;
  }

  private static int[] labels(ImageProcessor plane) {
    int[] labels = new int[plane.getPixelCount()];
    for (int i = 0; i < labels.length; i++)
      labels[i] = (int) plane.getf(i);
    return labels;
  }

  /** ImageJ keeps signed values plus 32768. */
  private static short[] turned(short[] values) {
    short[] turned = new short[values.length];
    for (int i = 0; i < values.length; i++)
      turned[i] = (short) (values[i] ^ 0x8000);
    return turned;
  }

  // ---- From Fovea ----

  /** like: whose look-up tables the result gets, if it has as many channels; or null. */
  static ImagePlus fromFovea(Pointer image, String title, ImagePlus like) {
    Library.Info info = new Library.Info();
    info.write();
    Library.done("fovea_image_get_info", image, info.getPointer());
    info.read();
    Pointer tensor = Library.made("fovea_image_to_dlpack", image);
    try {
      return calibrated(info, stack(info, tensor.getPointer(0).share(tensor.getLong(40))), title, like);
    } finally {
      Function.getFunction(tensor.getPointer(56)).invokeVoid(new Object[] {tensor});
    }
  }

  private static boolean isLabels(Library.Info info) {
    return info.role == Library.Info.LABELS;
  }

  private static ImageStack stack(Library.Info info, Pointer pixels) {
    int width = (int) info.shape[4], height = (int) info.shape[3];
    long bytes = (long) width * height * (info.bits / 8), channels = info.shape[1], slices = info.shape[2];
    boolean color = info.role == Library.Info.RGB;
    boolean small = isLabels(info) && largest(pixels, info) <= LAST_16_BIT;
    ImageStack stack = new ImageStack(width, height);
    for (long t = 0; t < info.shape[0]; t++)
      for (long z = 0; z < slices; z++)
        for (long c = 0; c < (color ? 1 : channels); c++) {
          Pointer plane = pixels.share(((t * channels + c) * slices + z) * bytes);
          stack.addSlice(color ? rgb(plane, width, height, slices * bytes) : processor(plane, info, width, height, small));
        }
    return stack;
  }

  private static int largest(Pointer pixels, Library.Info info) {
    int plane = (int) (info.shape[3] * info.shape[4]), most = 0;
    for (long at = 0; at < info.shape[0] * info.shape[2]; at++)
      for (int value : pixels.getIntArray(at * plane * 4, plane))
        most = Math.max(most, value);
    return most;
  }

  private static ImageProcessor rgb(Pointer plane, int width, int height, long next) {
    int n = width * height;
    ColorProcessor color = new ColorProcessor(width, height);
    color.setRGB(plane.getByteArray(0, n), plane.getByteArray(next, n), plane.getByteArray(2 * next, n));
    return color;
  }

  /** Types that ImageJ does not have become floats: integers of 32 bits are exact there up to 2^24. */
  private static ImageProcessor processor(Pointer plane, Library.Info info, int width, int height, boolean small) {
    int n = width * height;
    String type = "iuf".charAt(info.code) + String.valueOf(info.bits);
    switch (type) {
      case "u8":
        return new ByteProcessor(width, height, plane.getByteArray(0, n));
      case "u16":
        return new ShortProcessor(width, height, plane.getShortArray(0, n), null);
      case "i16":
        return new ShortProcessor(width, height, turned(plane.getShortArray(0, n)), null);
      case "f32":
        return new FloatProcessor(width, height, plane.getFloatArray(0, n));
      default:
        ImageProcessor made = small ? new ShortProcessor(width, height) : new FloatProcessor(width, height);
        for (int i = 0; i < n; i++)
          if (small)
            made.set(i, plane.getInt(4L * i));
          else
            made.setf(i, (float) value(plane, type, i));
        return made;
    }
  }

  private static double value(Pointer plane, String type, long i) {
    switch (type) {
      case "i8":
        return plane.getByte(i);
      case "i32":
        return plane.getInt(4 * i);
      case "u32":
        return plane.getInt(4 * i) & 0xffffffffL;
      case "f64":
        return plane.getDouble(8 * i);
      default:
        throw new Library.Failure("ImageJ has no images of the type " + type + ": convert the result, for example with 'convert'.");
    }
  }

  private static ImagePlus calibrated(Library.Info info, ImageStack stack, String title, ImagePlus like) {
    int channels = info.role == Library.Info.RGB ? 1 : (int) info.shape[1];
    ImagePlus made = new ImagePlus(title, stack);
    made.setDimensions(channels, (int) info.shape[2], (int) info.shape[0]);
    if (channels > 1 && channels <= 7)
      made = new CompositeImage(made, like instanceof CompositeImage ? ((CompositeImage) like).getMode() : CompositeImage.COMPOSITE);
    made.setOpenAsHyperStack((channels > 1 ? 1 : 0) + (info.shape[2] > 1 ? 1 : 0) + (info.shape[0] > 1 ? 1 : 0) > 1);
    Calibration c = made.getCalibration();
    c.pixelDepth = info.spacing[0];
    c.pixelHeight = info.spacing[1];
    c.pixelWidth = info.spacing[2];
    c.setZUnit(shown(info.unit[0]));
    c.setYUnit(shown(info.unit[1]));
    c.setUnit(shown(info.unit[2]));
    c.zOrigin = info.origin[0];
    c.yOrigin = info.origin[1];
    c.xOrigin = info.origin[2];
    c.frameInterval = info.interval;
    if (info.interval > 0 && info.intervalUnit != null)
      c.setTimeUnit(Library.text(info.intervalUnit));
    if (info.code == 0 && info.bits == 16)
      c.setSigned16BitCalibration();
    if (isLabels(info)) {
      made.setProperty(LABELS, Boolean.TRUE);
      made.setLut(colors());
      made.setDisplayRange(0, 255);
    } else if (made instanceof CompositeImage && like instanceof CompositeImage && like.getNChannels() == channels)
      ((CompositeImage) made).setLuts(((CompositeImage) like).getLuts());
    return made;
  }

  private static String shown(Pointer unit) {
    String text = Library.text(unit);
    return text.isEmpty() ? "pixel" : text;
  }

  /** Black for the background, and colors that differ between neighboring labels. */
  private static LUT colors() {
    byte[][] rgb = new byte[3][256];
    for (int i = 1; i < 256; i++) {
      Color color = Color.getHSBColor(i * 0.618034f % 1, i % 2 == 0 ? 0.9f : 0.55f, i % 3 == 0 ? 0.75f : 1);
      rgb[0][i] = (byte) color.getRed();
      rgb[1][i] = (byte) color.getGreen();
      rgb[2][i] = (byte) color.getBlue();
    }
    return new LUT(rgb[0], rgb[1], rgb[2]);
  }
}
