/* SPDX-License-Identifier: MIT
 *
 * Writes imagej.txt and imagej-*.roi into the folder it is given: what ImageJ makes of shapes, with its version. By hand:
 *   javac -cp /usr/share/java/ij.jar -d /tmp MakeImagej.java
 *   java -Djava.awt.headless=true -cp /usr/share/java/ij.jar:/tmp MakeImagej .
 */
import ij.IJ;
import ij.ImagePlus;
import ij.gui.*;
import ij.io.RoiEncoder;
import ij.process.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Random;

public class MakeImagej {
  static final int WIDTH = 26, HEIGHT = 21;
  static PrintStream out;
  static Random random = new Random(20261121);

  /* Our text of numbers. */
  static String text(String shape, double... numbers) {
    StringBuilder list = new StringBuilder();
    for (double number : numbers)
      list.append(list.length() == 0 ? "" : ",").append(number == Math.rint(number) ? "" + (long) number : "" + number);
    return shape + "(" + list + ")";
  }

  static String outline(String shape, FloatPolygon polygon) {
    double[] numbers = new double[2 * polygon.npoints];
    for (int i = 0; i < polygon.npoints; i++) {
      numbers[2 * i] = polygon.xpoints[i];
      numbers[2 * i + 1] = polygon.ypoints[i];
    }
    return text(shape, numbers);
  }

  /* The pixels that are filled, the length, and that of pixels 0.5 × 2 large. */
  static void mask(String text, Roi roi) {
    ByteProcessor pixels = new ByteProcessor(WIDTH, HEIGHT);
    ImagePlus image = new ImagePlus("", pixels);
    double length;
    pixels.setValue(255);
    pixels.fill(roi);
    image.setRoi(roi);
    length = roi.getLength();
    image.getCalibration().pixelWidth = 0.5;
    image.getCalibration().pixelHeight = 2;
    out.println("mask " + text + " " + WIDTH + " " + HEIGHT + " " + length + " " + roi.getLength());
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
        out.print(pixels.get(x, y) != 0 ? '#' : '.');
      out.println();
    }
  }

  static float[] coordinates(int n, int size, boolean fractions) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++)
      values[i] = fractions ? random.nextInt(8 * size) / 8f : random.nextInt(size + 1);
    return values;
  }

  static void polygon(int n, boolean fractions, int type) {
    float[] x = coordinates(n, WIDTH, fractions), y = coordinates(n, HEIGHT, fractions);
    int[] xi = new int[n], yi = new int[n];
    for (int i = 0; i < n; i++) {
      xi[i] = (int) x[i];
      yi[i] = (int) y[i];
    }
    mask(outline(type == Roi.POLYGON ? "polygon" : "freehand", new FloatPolygon(x, y)),
      fractions ? new PolygonRoi(x, y, n, type) : new PolygonRoi(xi, yi, n, type));
  }

  static void masks() {
    int[][] boxes = {{1, 1}, {2, 1}, {1, 3}, {2, 2}, {3, 3}, {3, 2}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 5}, {9, 20}, {10, 10},
      {11, 3}, {12, 7}, {13, 13}, {14, 19}, {16, 16}, {17, 11}, {19, 18}, {20, 4}, {20, 20}, {24, 2}};
    for (int[] box : boxes)
      mask(text("oval", 1, 0, box[0], box[1]), new OvalRoi(1, 0, box[0], box[1]));
    mask(text("oval", 15, -4, 20, 12), new OvalRoi(15, -4, 20, 12));
    mask(text("rectangle", 3, 4, 7, 5), new Roi(3, 4, 7, 5));
    mask(text("rectangle", -3, 14, 8, 50), new Roi(-3, 14, 8, 50));
    for (int n = 3; n < 11; n++) {
      polygon(n, false, Roi.POLYGON);
      polygon(n, true, Roi.POLYGON);
      polygon(n, false, Roi.FREEROI);
      polygon(2 * n, true, Roi.FREEROI);
    }
  }

  static void traces(ImageProcessor plane) {
    for (int i = 0; i < 40; i++) {
      int x = random.nextInt(WIDTH), y = random.nextInt(HEIGHT), value = (int) plane.getf(x, y);
      int low = value - random.nextInt(4), high = value + random.nextInt(6);
      Wand wand = new Wand(plane);
      wand.autoOutline(x, y, low, high, Wand.EIGHT_CONNECTED);
      PolygonRoi roi = new PolygonRoi(wand.xpoints, wand.ypoints, wand.npoints, Roi.TRACED_ROI);
      String text = outline("traced", roi.getFloatPolygon());
      out.println("trace " + x + " " + y + " " + low + " " + high + " " + text);
      if (i % 8 == 0)
        mask(text, roi);
    }
  }

  /* Not as far as the last row and column, beside which ImageJ keeps a thousandth of a pixel away from them. */
  static void profiles(ImageProcessor plane) {
    ImagePlus image = new ImagePlus("", plane);
    for (int i = 0; i < 20; i++) {
      double parts = i % 3 == 0 ? 8 : 1;
      double[] at = new double[4];
      for (int j = 0; j < 4; j++)
        at[j] = random.nextInt((int) parts * (j % 2 == 0 ? WIDTH - 2 : HEIGHT - 2)) / parts;
      if (i == 1)
        at = new double[]{0, 3, 0, 19};
      if (i == 2) /* as long as the plane is high */
        at = new double[]{7, 0, 7, HEIGHT};
      image.setRoi(new Line(at[0], at[1], at[2], at[3]));
      out.print("profile " + text("line", at[0] + 0.5, at[1] + 0.5, at[2] + 0.5, at[3] + 0.5));
      for (double value : new ProfilePlot(image).getProfile())
        out.print(" " + value);
      out.println();
    }
  }

  static void planes() {
    FloatProcessor plane = new FloatProcessor(WIDTH, HEIGHT);
    out.println("plane " + WIDTH + " " + HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        plane.setf(x, y, random.nextInt(10));
        out.print((x == 0 ? "" : " ") + (int) plane.getf(x, y));
      }
      out.println();
    }
    traces(plane);
    profiles(plane);
  }

  static void file(String folder, String name, Roi roi, String text) throws IOException {
    roi.setName(name);
    new RoiEncoder(folder + "/imagej-" + name + ".roi").write(roi);
    out.println("file " + name + " " + text);
  }

  static void files(String folder) throws IOException {
    int[] x = {3, 20, 11}, y = {2, 5, 17};
    float[] xf = {3.5f, 20, 11.25f}, yf = {2, 5, 17.125f};
    Roi positioned = new OvalRoi(4, 5, 10, 12), big = new OvalRoi(2, 3, 9, 9);
    positioned.setPosition(2, 3, 4);
    file(folder, "rectangle", new Roi(3, 4, 7, 5), text("rectangle", 3, 4, 7, 5));
    file(folder, "fractions", new Roi(3.5, 4.25, 7.0, 5.5), text("rectangle", 3.5, 4.25, 7, 5.5));
    file(folder, "outside", new Roi(-3, -4, 7, 5), text("rectangle", -3, -4, 7, 5));
    file(folder, "positioned", positioned, text("oval", 4, 5, 10, 12));
    file(folder, "polygon", new PolygonRoi(x, y, 3, Roi.POLYGON), outline("polygon", new FloatPolygon(new float[]{3, 20, 11}, new float[]{2, 5, 17})));
    file(folder, "freehand", new PolygonRoi(xf, yf, 3, Roi.FREEROI), outline("freehand", new FloatPolygon(xf, yf)));
    file(folder, "traced", new PolygonRoi(new int[]{1, 3, 3, 1}, new int[]{1, 1, 2, 2}, 4, Roi.TRACED_ROI), "traced(1,1,3,1,3,2,1,2)");
    file(folder, "line", new Line(1, 2, 10, 20), text("line", 1.5, 2.5, 10.5, 20.5));
    file(folder, "arrow", new Arrow(1.25, 2, 10, 20), text("line", 1.75, 2.5, 10.5, 20.5));
    file(folder, "points", new PointRoi(x, y, 3), "point(3.5,2.5,20.5,5.5,11.5,17.5)");
    file(folder, "fine-points", new PointRoi(xf, yf, 3), "point(4,2.5,20.5,5.5,11.75,17.625)");
    file(folder, "composite", new ShapeRoi(big).or(new ShapeRoi(new Roi(15, 3, 4, 4))), path(new ShapeRoi(big).or(new ShapeRoi(new Roi(15, 3, 4, 4)))));
    file(folder, "polyline", new PolygonRoi(x, y, 3, Roi.POLYLINE), text("polyline", 3.5, 2.5, 20.5, 5.5, 11.5, 17.5));
    file(folder, "freeline", new PolygonRoi(x, y, 3, Roi.FREELINE), text("freeline", 3.5, 2.5, 20.5, 5.5, 11.5, 17.5));
    file(folder, "angle", new PolygonRoi(x, y, 3, Roi.ANGLE), text("angle", 3.5, 2.5, 20.5, 5.5, 11.5, 17.5));
    file(folder, "text", new TextRoi(3, 4, "text"), "a text");
    Roi round = new Roi(3, 4, 17, 15);
    round.setCornerDiameter(6);
    shape(folder, "round", round, null);
    PolygonRoi spline = new PolygonRoi(x, y, 3, Roi.POLYGON);
    spline.fitSpline();
    shape(folder, "spline", spline, outline("polygon", spline.getFloatPolygon()));
    shapes(folder);
  }

  /* Of straight sides alone: a polygon closed by its first point for each part. */
  static String path(ShapeRoi roi) {
    float[] path = roi.getShapeAsArray();
    StringBuilder all = new StringBuilder();
    int start = 0;
    for (int i = 0; i < path.length;) {
      if (path[i] == java.awt.geom.PathIterator.SEG_MOVETO)
        start = i;
      boolean close = path[i] == java.awt.geom.PathIterator.SEG_CLOSE;
      int from = close ? start : i;
      if (!close || path[i - 2] != path[start + 1] || path[i - 1] != path[start + 2])
        all.append(all.length() == 0 ? "" : ",").append(path[from + 1]).append(",").append(path[from + 2]);
      i += close ? 1 : 3;
    }
    return "composite(" + all + ")";
  }

  /* A file, and the pixels that it has. text: null where ImageJ has no points. */
  static void shape(String folder, String name, Roi roi, String text) throws IOException {
    ByteProcessor pixels = new ByteProcessor(WIDTH, HEIGHT);
    file(folder, name, roi, text == null ? "?()" : text);
    pixels.setValue(255);
    pixels.fill(roi);
    out.println("pixels " + name + " " + WIDTH + " " + HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++)
        out.print(pixels.get(x, y) != 0 ? '#' : '.');
      out.println();
    }
  }

  /* Without the first corner once more. */
  static FloatPolygon four(Roi roi) {
    FloatPolygon p = roi.getFloatPolygon();
    return new FloatPolygon(p.xpoints, p.ypoints, 4);
  }

  /* As PolygonRoi.getAngleAsString(), which is not public. */
  static double degrees(Roi roi, float[] x, float[] y) {
    double degrees = Math.abs(180 - Math.abs(roi.getFloatAngle(x[0], y[0], x[1], y[1]) - roi.getFloatAngle(x[1], y[1], x[2], y[2])));
    return degrees > 180 ? 360 - degrees : degrees;
  }

  /* A path and how long it is, and with pixels 0.5 × 2 large. */
  static void path(String folder, String name, String shape, float[] x, float[] y, int type) throws IOException {
    PolygonRoi roi = new PolygonRoi(x.clone(), y.clone(), x.length, type);
    double[] numbers = new double[2 * x.length];
    for (int i = 0; i < x.length; i++) {
      numbers[2 * i] = x[i] + 0.5;
      numbers[2 * i + 1] = y[i] + 0.5;
    }
    file(folder, name, roi, text(shape, numbers));
    ImagePlus image = new ImagePlus("", new ByteProcessor(WIDTH, HEIGHT));
    image.setRoi(roi);
    out.print("path " + name + " " + roi.getLength());
    image.getCalibration().pixelWidth = 0.5;
    image.getCalibration().pixelHeight = 2;
    out.print(" " + roi.getLength());
    out.println(type == Roi.ANGLE ? " " + degrees(roi, x, y) : "");
  }

  static void shapes(String folder) throws IOException {
    float[] x = {2.25f, 9.5f, 17, 14.125f, 20}, y = {3, 11.75f, 8.5f, 2, 15.25f};
    Roi rotated = new RotatedRectRoi(4, 5, 17, 14, 6), upright = new RotatedRectRoi(12, 4, 12, 16, 7), level = new RotatedRectRoi(20, 9, 5, 9, 5);
    Roi ellipse = new EllipseRoi(3, 4, 22, 15, 0.4), flat = new EllipseRoi(20, 10, 4, 10, 0.75);
    Roi small = new Roi(3, 2, 9, 5), fine = new Roi(2.5, 3.25, 15.0, 9.5);
    PolygonRoi line = new PolygonRoi(x, y, 5, Roi.POLYLINE), free = new PolygonRoi(x, y, 5, Roi.FREEROI);
    small.setCornerDiameter(7);
    fine.setCornerDiameter(5);
    free.fitSpline();
    line.fitSpline();
    shape(folder, "rotated", rotated, outline("rotated", four(rotated)));
    shape(folder, "upright", upright, outline("rotated", four(upright)));
    shape(folder, "level", level, outline("rotated", four(level)));
    shape(folder, "ellipse", ellipse, outline("ellipse", ellipse.getFloatPolygon()));
    shape(folder, "flat", flat, outline("ellipse", flat.getFloatPolygon()));
    shape(folder, "small-round", small, null);
    file(folder, "fine-round", fine, "?()"); /* its pixels are those of whole numbers */
    shape(folder, "free-spline", free, outline("freehand", free.getFloatPolygon()));
    ShapeRoi ring = new ShapeRoi(new OvalRoi(1, 1, 18, 18)).not(new ShapeRoi(new Roi(6, 7, 5, 4)));
    ring = ring.or(new ShapeRoi(new PolygonRoi(new float[]{20, 25.5f, 21}, new float[]{2, 9, 15.5f}, 3, Roi.POLYGON)));
    shape(folder, "ring", ring, path(ring));
    ShapeRoi curves = new ShapeRoi(new java.awt.geom.Ellipse2D.Double(2, 3, 15, 11));
    shape(folder, "curves", curves.xor(new ShapeRoi(new java.awt.geom.Ellipse2D.Double(8, 5, 14, 15))), null);
    FloatPolygon spline = line.getFloatPolygon();
    for (int i = 0; i < spline.npoints; i++) {
      spline.xpoints[i] += 0.5f;
      spline.ypoints[i] += 0.5f;
    }
    file(folder, "line-spline", line, outline("polyline", spline));
    path(folder, "fine-polyline", "polyline", x, y, Roi.POLYLINE);
    path(folder, "fine-freeline", "freeline", x, y, Roi.FREELINE);
    path(folder, "level-freeline", "freeline", new float[]{2, 5, 9, 12}, new float[]{4, 4, 4, 4}, Roi.FREELINE);
    path(folder, "fine-angle", "angle", new float[]{2.25f, 9.5f, 17}, new float[]{3, 11.75f, 8.5f}, Roi.ANGLE);
    path(folder, "sharp-angle", "angle", new float[]{12, 3, 14}, new float[]{2, 12, 6}, Roi.ANGLE);
    Roi styled = new PolygonRoi(x, y, 5, Roi.POLYLINE);
    styled.setGroup(3); /* which colors it */
    styled.setStrokeWidth(2.5);
    styled.setStrokeColor(new java.awt.Color(255, 128, 0));
    styled.setFillColor(new java.awt.Color(0, 64, 255, 127));
    styled.setProperty("cell", "7");
    file(folder, "styled", styled, text("polyline", 2.75, 3.5, 10, 12.25, 17.5, 9, 14.625, 2.5, 20.5, 15.75));
  }

  public static void main(String[] arguments) throws IOException {
    out = new PrintStream(new FileOutputStream(arguments[0] + "/imagej.txt"), false, StandardCharsets.UTF_8);
    out.println("ImageJ " + IJ.getVersion());
    masks();
    planes();
    files(arguments[0]);
    out.close();
  }
}
