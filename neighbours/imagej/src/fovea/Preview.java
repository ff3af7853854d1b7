// SPDX-License-Identifier: MIT
package fovea;

import ij.IJ;
import ij.ImagePlus;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** What an operation makes of the shown plane, in a window of its own, while values change. The newest values win. */
final class Preview {
  private final Library.Operation operation;
  private final ImagePlus image;
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final AtomicReference<Map<String, String>> newest = new AtomicReference<>();
  private volatile boolean closed;
  private ImagePlus shown;

  Preview(Library.Operation operation, ImagePlus image) {
    this.operation = operation;
    this.image = image;
  }

  void show(Map<String, String> values) {
    newest.set(values);
    worker.execute(this::compute);
  }

  private ImagePlus plane() {
    ImagePlus plane = new ImagePlus(image.getTitle(), image.getProcessor().duplicate());
    plane.setCalibration(image.getCalibration());
    plane.setRoi(image.getRoi());
    plane.setProperty(Images.LABELS, image.getProperty(Images.LABELS));
    return plane;
  }

  private void compute() {
    Map<String, String> values = newest.getAndSet(null);
    if (values == null || closed)
      return;
    try (Runner runner = new Runner()) {
      runner.operation(operation, plane(), values);
      IJ.showStatus("");
      if (!closed)
        put(runner.images.get(0));
    } catch (Library.Failure | IOException failure) {
      IJ.showStatus(failure.getMessage());
    }
  }

  private synchronized void put(ImagePlus made) {
    if (shown != null && shown.isVisible()) {
      shown.setImage(made);
      shown.setTitle("Preview");
      shown.updateAndDraw();
      return;
    }
    shown = made;
    shown.setTitle("Preview");
    shown.show();
  }

  synchronized void close() {
    closed = true;
    worker.shutdown();
    if (shown != null) {
      shown.changes = false;
      shown.close();
    }
    ij.WindowManager.setCurrentWindow(image.getWindow());
  }
}
