// SPDX-License-Identifier: MIT
// Measures images with calibrated values in ImageJ, for calibrated.py: Calibrated FOLDER. Saves each image as FOLDER/NAME.tif and prints a line
// "NAME<TAB>WHAT<TAB>NUMBERS" for each thing that it measures.
import ij.*;
import ij.gui.*;
import ij.io.FileSaver;
import ij.macro.Interpreter;
import ij.measure.*;
import ij.plugin.filter.Analyzer;
import ij.process.*;

public class Calibrated {
  static final String[] COLUMNS = {"Mean", "StdDev", "Mode", "Min", "Max", "Median", "Skew", "Kurt", "IntDen", "RawIntDen", "XM", "YM"};
  static final int MEASURED = Measurements.MEAN | Measurements.STD_DEV | Measurements.MODE | Measurements.MIN_MAX | Measurements.MEDIAN
                              | Measurements.SKEWNESS | Measurements.KURTOSIS | Measurements.INTEGRATED_DENSITY | Measurements.CENTER_OF_MASS
                              | Measurements.AREA;
  // By number of the function: coefficients for 8 and for 16 bit.
  static final double[][][] COEFFICIENTS = {{{-1024, 2.5}, {-1024, 1}},
                                            {{3, -2, 0.25}, {3, -2, 0.00025}},
                                            {{1, 0.5, -0.01, 0.0002}, {1, 0.5, -1e-5, 2e-10}},
                                            {{1, 0.5, -0.01, 0.0002, -1e-7}, {1, 0.5, -1e-5, 2e-10, -1e-15}},
                                            {{2, 0.004}, {2, 0.0001}},
                                            {{2, 0.7}, {2, 0.7}},
                                            {{3, 0.2}, {3, 0.2}},
                                            {{0.1, 1.2, 90, 2.5}, {0.1, 1.2, 9000, 2.5}},
                                            {{5, 3, 0.8, 40}, {500, 3, 0.8, 4000}},
                                            {{1, 2, -5}, {1, 2, -5}},
                                            {{-1, 1.5, 80, 300}, {-1, 1.5, 80, 70000}},
                                            {{5, 0.01, 1}, {5, 0.0001, 1}},
                                            {{1, 9, 120, 40}, {1, 9, 12000, 4000}},
                                            {{5, 0.01, 1}, {5, 0.0001, 1}}};

  static void print (String name, String what, double... numbers) {
    StringBuilder line = new StringBuilder (name + "\t" + what + "\t");
    for (int i = 0; i < numbers.length; i++)
      line.append (i > 0 ? " " : "").append (numbers[i]);
    System.out.println (line);
  }

  static void measure (ImagePlus image, String name, String what, Roi roi) {
    ResultsTable table = new ResultsTable ();
    image.setRoi (roi);
    new Analyzer (image, MEASURED, table).measure ();
    double[] numbers = new double[COLUMNS.length];
    for (int i = 0; i < COLUMNS.length; i++)
      numbers[i] = table.columnExists (COLUMNS[i]) ? table.getValue (COLUMNS[i], 0) : Double.NaN;
    print (name, what, numbers);
  }

  // What a macro returns of the image.
  static void run (String folder, String name, String what, String macro) {
    Interpreter interpreter = new Interpreter ();
    interpreter.setIgnoreErrors (true);
    String made = interpreter.run ("setBatchMode(true); open(\"" + folder + "/" + name + ".tif\"); " + macro, "");
    System.out.println (name + "\t" + what + "\t" + (interpreter.wasError () ? interpreter.getErrorMessage () : made));
  }

  static void macros (String folder, String name, double low, double high) {
    String limits = "setThreshold(" + low + ", " + high + "); ";
    run (folder, name, "pixel", "return d2s(getValue(3,4),9) + \" \" + getPixel(3,4) + \" \" + d2s(calibrate(77),9);");
    run (folder, name, "threshold " + low + " " + high, limits + "run(\"Convert to Mask\"); getRawStatistics(n, m); return d2s(m*n/255,0);");
    run (folder, name, "32-bit", "run(\"32-bit\"); return d2s(getPixel(3,4),9);");
    run (folder, name, "8-bit", "run(\"8-bit\"); return d2s(getValue(3,4),9);");
    run (folder, name, "maxima " + (high - low), "run(\"Find Maxima...\", \"prominence=" + (high - low) + " output=[Count]\"); return \"\" + getResult(\"Count\", nResults-1);");
  }

  static void image (String folder, int bits, int function, double[] coefficients, boolean clip, boolean inverted) {
    ImageProcessor pixels = bits == 8 ? new ByteProcessor (12, 9) : new ShortProcessor (12, 9);
    for (int i = 0; i < 108; i++)
      pixels.set (i, bits == 8 ? (i * 37 + i * i) % 251 : (i * 977 + i * i * 13) % 60000);
    if (inverted)
      pixels.invertLut ();
    ImagePlus image = new ImagePlus ("x", pixels);
    Calibration calibration = image.getCalibration ();
    calibration.setFunction (function, coefficients, "\u00b0C", clip);
    image.setCalibration (calibration);
    String name = function + (clip ? "c" : "") + (inverted ? "i" : "") + "-" + bits;
    new FileSaver (image).saveAsTiff (folder + "/" + name + ".tif");
    image = IJ.openImage (folder + "/" + name + ".tif"); // as it is read again
    measure (image, name, "all", null);
    measure (image, name, "oval(2,1,7,6)", new OvalRoi (2, 1, 7, 6));
    measure (image, name, "rect(0,0,5,4)", new Roi (0, 0, 5, 4));
    measure (image, name, "rect(6,3,5,5)", new Roi (6, 3, 5, 5));
    measure (image, name, "line(1,1,9,6)", new Line (1, 1, 9, 6));
    measure (image, name, "point(3,4)", new PointRoi (3, 4));
    image.setRoi (new Line (1, 1, 9, 6));
    print (name, "profile", new ProfilePlot (image).getProfile ());
    image.deleteRoi ();
    double low = image.getCalibration ().getCValue (bits == 8 ? 40 : 9000), high = image.getCalibration ().getCValue (bits == 8 ? 90 : 20000);
    macros (folder, name, Math.min (low, high), Math.max (low, high));
  }

  public static void main (String[] words) {
    new ImageJ (ImageJ.NO_SHOW);
    System.out.println ("# ImageJ " + ImageJ.VERSION);
    Prefs.blackBackground = true;
    for (int bits = 8; bits <= 16; bits += 8) {
      for (int function = 0; function < COEFFICIENTS.length; function++)
        image (words[0], bits, function, COEFFICIENTS[function][bits / 8 - 1], false, false);
      image (words[0], bits, Calibration.STRAIGHT_LINE, new double[] {-100, 2}, true, false);
    }
    image (words[0], 8, Calibration.UNCALIBRATED_OD, null, false, false);
    image (words[0], 8, Calibration.UNCALIBRATED_OD, null, false, true);
    System.exit (0);
  }
}
