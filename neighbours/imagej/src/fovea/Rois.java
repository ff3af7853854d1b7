// SPDX-License-Identifier: MIT
package fovea;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Roi;
import ij.io.RoiEncoder;
import ij.plugin.PlugIn;
import ij.plugin.frame.RoiManager;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Labels to the ROI Manager, and the ROI Manager to labels, by RoiSet.zip, which Fovea reads and writes. */
public final class Rois implements PlugIn {
  /** What a dialog and a macro call the selections of the ROI Manager, and the one of the image. */
  static final String MANAGER = "ROI Manager", CURRENT = "selection";

  @Override
  public void run(String way) {
    try {
      ImagePlus image = WindowManager.getCurrentImage();
      if (image == null)
        throw new Library.Failure("Open an image first.");
      if (way.equals("to manager"))
        toManager(image);
      else
        toLabels(image).show();
    } catch (Library.Failure | IOException failure) {
      Command.fail(failure);
    }
  }

  /** The manager; without a display the hidden one that macros use. */
  private static RoiManager manager() {
    RoiManager manager = RoiManager.getInstance2();
    return manager != null ? manager : GraphicsEnvironment.isHeadless() ? new RoiManager(true) : new RoiManager();
  }

  private static Path temporary() throws IOException {
    return Files.createTempFile("fovea", ".zip");
  }

  /** Adds the outline of each object. */
  static void toManager(ImagePlus labels) throws IOException {
    Path path = temporary();
    Pointer image = Images.toFovea(labels, true);
    try {
      Library.done("fovea_image_save", image, path.toString(), null);
      manager().runCommand("Open", path.toString()); // which keeps the names, unlike addRoi()
    } finally {
      Library.free("fovea_image_free", image);
      Files.delete(path);
    }
  }

  /** A file of the selections with that name, or null when it is the name of an image. The caller deletes it. */
  static Path file(String name, ImagePlus image) throws IOException {
    if (!name.equals(MANAGER) && !name.equals(CURRENT))
      return null;
    RoiManager manager = RoiManager.getInstance2();
    Roi[] rois = name.equals(CURRENT) ? image.getRoi() == null ? new Roi[0] : new Roi[] {image.getRoi()}
      : manager == null ? new Roi[0] : manager.getRoisAsArray();
    if (rois.length == 0)
      throw new Library.Failure(name.equals(CURRENT) ? "'" + image.getTitle() + "' has no selection: draw one first."
        : "The ROI Manager is empty: add selections to it first.");
    Path path = temporary();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      for (int i = 0; i < rois.length; i++) {
        zip.putNextEntry(new ZipEntry(String.format("%06d.roi", i + 1)));
        zip.write(RoiEncoder.saveAsByteArray(rois[i]));
        zip.closeEntry();
      }
    }
    return path;
  }

  /** A label image of the size of another: the first selection of the ROI Manager has label 1. */
  static ImagePlus toLabels(ImagePlus like) throws IOException {
    Path path = file(MANAGER, like);
    Pointer image = Images.toFovea(like, false);
    PointerByReference leftOut = new PointerByReference();
    try {
      Pointer labels = Library.made("fovea_image_open_selections", Library.CONTEXT, path.toString(), image, leftOut);
      if (leftOut.getValue() != null)
        IJ.log("Fovea: " + Library.text(leftOut.getValue()));
      ImagePlus made = Images.fromFovea(labels, like.getTitle() + " labels", null);
      Library.free("fovea_image_free", labels);
      return made;
    } finally {
      Library.free("fovea_text_free", leftOut.getValue());
      Library.free("fovea_image_free", image);
      Files.delete(path);
    }
  }
}
