// What write_suite writes is what ImageJ opens. The argument is the folder; prints "name: ok" or what is wrong.

function expected(type, t, c, z, y, x) {
  n = 10000 * t + 1000 * c + 100 * z + 10 * y + x;
  if (type == "u8") return n % 251;
  if (type == "u16") return n;
  if (type == "i32") return 100 * n - 5000;
  return n / 4 - 3;
}

function check(name, type, bits, channels, slices, frames, pw, ph, pd, unit, interval) {
  open(folder + "/" + name + ".tif");
  fault = "";
  getDimensions(width, height, c, z, t);
  if (width != 7 || height != 5 || c != channels || z != slices || t != frames)
    fault = fault + " size " + width + "x" + height + " c" + c + " z" + z + " t" + t;
  if (bitDepth() != bits)
    fault = fault + " bits " + bitDepth();
  getVoxelSize(w, h, d, u);
  if (u != unit || abs(w - pw) > 1e-9 || abs(h - ph) > 1e-9 || (slices > 1 && abs(d - pd) > 1e-9))
    fault = fault + " voxel " + d2s(w, 9) + " " + d2s(h, 9) + " " + d2s(d, 9) + " " + u;
  if (Stack.getFrameInterval() != interval)
    fault = fault + " interval " + Stack.getFrameInterval();
  wrong = 0;
  for (k = 0; k < frames; k++)
    for (j = 0; j < slices; j++)
      for (i = 0; i < channels; i++) {
        setSlice((k * slices + j) * channels + i + 1);
        for (y = 0; y < height; y++)
          for (x = 0; x < width; x++) {
            value = getPixel(x, y);
            if (name == "i16")
              value = getValue(x, y);
            if (bits == 24)
              want = expected(type, k, 0, j, y, x) * 65536 + expected(type, k, 1, j, y, x) * 256 + expected(type, k, 2, j, y, x);
            else
              want = expected(type, k, i, j, y, x);
            if (bits == 24)
              value = value & 0xffffff;
            if (value != want)
              wrong++;
          }
      }
  if (wrong > 0)
    fault = fault + " " + wrong + " pixels";
  if (name == "hyperstack")
    fault = fault + channels_fault();
  if (name == "i16")
    fault = fault + range_fault();
  if (name == "inverted" && !is("Inverting LUT"))
    fault = fault + " LUT";
  if (fault == "")
    fault = " ok";
  print(name + ":" + fault);
  close();
}

// The display range of signed values.
function range_fault() {
  getMinAndMax(low, high);
  if (low != -4000 || high != -1000)
    return " range " + low + " " + high;
  return "";
}

// Names, colors and display ranges of the hyperstack's channels.
function channels_fault() {
  names = newArray("nuclei", fromCharCode(0x3b1) + "-tubulin", "membrane");
  highs = newArray(1000, 2000, 3000);
  reds = newArray(0, 0, 255);
  greens = newArray(0, 255, 128);
  if (!is("composite"))
    return " composite";
  for (i = 0; i < 3; i++) {
    Stack.setPosition(i + 1, 1, 1);
    getMinAndMax(low, high);
    getLut(r, g, b);
    if (high != highs[i] || r[255] != reds[i] || g[255] != greens[i] || getInfo("slice.label") != names[i])
      return " channel " + i + ": " + low + " " + high + " " + r[255] + " " + g[255] + " " + getInfo("slice.label");
  }
  return "";
}

folder = getArgument();
um = fromCharCode(0xb5) + "m";
setBatchMode(true);
check("u8", "u8", 8, 1, 1, 1, 1, 1, 1, "pixels", 0);
check("u16", "u16", 16, 1, 1, 1, 0.325, 0.325, 1, um, 0);
check("i16", "i32", 16, 1, 1, 1, 1, 1, 1, "pixels", 0);
check("i32", "i32", 32, 1, 1, 1, 1, 1, 1, "pixels", 0);
check("f32", "f32", 32, 1, 1, 1, 0.5, 0.25, 1, um, 0);
check("rgb", "u8", 24, 1, 1, 1, 2, 2, 1, um, 0);
check("rgb_stack", "u8", 24, 1, 4, 1, 2, 2, 3, um, 0);
check("stack", "u16", 16, 1, 4, 1, 0.2, 0.2, 0.8, um, 0);
check("series", "f32", 32, 1, 1, 6, 0.1, 0.1, 1, um, 2.5);
check("channels", "u8", 8, 2, 1, 1, 1, 1, 1, "pixels", 0);
check("hyperstack", "u16", 16, 3, 4, 2, 0.2, 0.2, 0.75, um, 30);
check("inverted", "u8", 8, 1, 1, 1, 1, 1, 1, "pixels", 0);
