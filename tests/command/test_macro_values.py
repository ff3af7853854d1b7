# SPDX-License-Identifier: MIT
"""fovea macro: what each function gives, against NumPy, tifffile and what was written, to the ends of what it takes."""
import csv
import os
import re
import zipfile

import numpy
import tifffile

from command import fovea, main, same
from test_macro import content, prints, wrong

STACK = (numpy.arange(2 * 3 * 4 * 6 * 7) * 7).astype("u2").reshape(2, 3, 4, 6, 7)  # t, z, c, y, x


def write_stack():
    tifffile.imwrite("s.tif", STACK, imagej=True, resolution=(4, 2), metadata={"axes": "TZCYX", "spacing": 0.5, "unit": "um"})


def rows_of(name, delimiter=","):
    with open(name, newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter=delimiter))


# ---- Images ----

def test_sizes():
    write_stack()
    here = os.path.realpath(".")
    prints("""open("s.tif")
print(getWidth(), getHeight(), bitDepth())
print(getVoxelSize())
i = getImage()
print(i:getVoxelSize())
print(i.width, i.height, i.channels, i.slices, i.frames, i.type, i.title, i.nothing)
print(i:getDimensions())
print(getImagePath())
print(getMacroFolder())""",
           "7 6 16", "0.25 0.5 0.5 µm", "0.25 0.5 0.5 µm", "7 6 4 3 2 u16 s.tif nil", "7 6 4 3 2", f"{here}/s.tif", here)
    for kind, bits in ("u1", 8), ("i4", 32), ("f4", 32), ("f8", 64):
        tifffile.imwrite("a.tif", numpy.zeros((4, 5), kind))
        prints('open("a.tif"); print(bitDepth(), getVoxelSize())', f"{bits} 1 1 1 pixel")
    colours = numpy.random.default_rng(2).integers(0, 255, (4, 5, 3)).astype("u1")
    means = numpy.floor(colours.mean(2) + 0.5).astype(int)
    tifffile.imwrite("c.tif", colours, photometric="rgb")
    prints('open("c.tif"); print(bitDepth()); print(getPixel(4, 3), getValue(2, 1)); p = getImage():pixels(); print(#p, #p[1], p[2][3])',
           "24", f"{means[3, 4]} {means[1, 2]}", f"4 5 {means[1, 2]}")


def test_image_of_nothing():
    tifffile.imwrite("like.tif", numpy.zeros((20, 30), "u1"))
    prints('open("like.tif"); run("Random Smooth Field...", "seed=3"); saveAs("Tiff", "a.tif")')
    prints("""print(newImage(), getTitle(), getImagePath())
run("Random Smooth Field...", "width=30 height=20 seed=3"); print(getWidth(), getHeight(), bitDepth()); saveAs("Tiff", "b.tif")
close()
print(recipe("smooth_field width=30 height=20 seed=3 | otsu"):run():image().type)""", "1 Untitled nil", "30 20 32", "u8")
    same(tifffile.imread("b.tif").tolist(), tifffile.imread("a.tif").tolist(), "pixels")
    wrong('newImage(); run("gaussian"); getWidth()', "gaussian needs image")
    wrong('newImage("a", "8-bit black", 3, 3, 1)', "newImage() accepts no arguments")
    wrong('recipe("gaussian"):run()', "No image is open")


def test_pixels():
    write_stack()
    prints("""open("s.tif")
print(getPixel(0, 0), getPixel(6, 5))
p = getImage():pixels{x = 6, y = 5, c = 4, z = 3, t = 2}
print(#p, #p[1], p[1][1])
p = getImage():pixels{width = 7, height = 6}
print(#p, #p[6], p[6][7])""",
           f"{STACK[0, 0, 0, 0, 0]} {STACK[0, 0, 0, 5, 6]}", f"1 1 {STACK[1, 2, 3, 5, 6]}", f"6 7 {STACK[0, 0, 0, 5, 6]}")
    for position in "-1, 0", "0, -1", "7, 0", "0, 6":
        wrong(f'open("s.tif"); getPixel({position})', "7 × 6")
    for part in ("x = -1", "y = -1", "x = 7", "y = 6", "width = 8", "height = 7", "width = 0", "height = 0", "x = 1, width = 7",
                 "y = 1, height = 6"):
        wrong(f'open("s.tif"); getImage():pixels{{{part}}}', "exceed the image", "7 × 6")
    for part, words in ("c = 0", "c must be from 1 to 4"), ("c = 5", "c must be from 1 to 4"), ("z = 4", "z must be from 1 to 3"), ("t = 3", "t must be from 1 to 2"):
        wrong(f'open("s.tif"); getImage():pixels{{{part}}}', words)
    wrong('open("s.tif"); getImage():pixels{x = 0.5}', "x must be an integer")
    tifffile.imwrite("large.tif", numpy.zeros((600, 600), "u1"))
    wrong('open("large.tif"); getImage():pixels()', "360000 pixels do not fit into the 4 MiB", arguments=("--memory", "4"))
    prints('open("large.tif"); print(#getImage():pixels{height = 60})', "60", arguments=("--memory", "4"))


def test_several():
    for name in "a.tif", "b.tif", "d/a.tif":
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        tifffile.imwrite(name, numpy.zeros((4, 5), "u1"))
    with tifffile.TiffWriter("two.ome.tif") as file:
        file.write(numpy.full((4, 5), 1, "u1"))
        file.write(numpy.full((4, 5), 2, "u1"))
    prints("""a, b, c = open("a.tif"), open("b.tif"), open("d/a.tif")
print(a, b, c, getImageID())
close("b.tif")
print(nImages(), getImageID())
selectImage(a)
close()
print(nImages(), getImageID())
close("*")
print(nImages())
print(open("a.tif"))""", "1 2 3 3", "2 3", "1 3", "0", "4")
    prints("""open("two.ome.tif", 2)
print(getPixel(0, 0))
open("two.ome.tif")
print(getPixel(0, 0), Image.open("two.ome.tif", 2):pixels()[1][1], nImages())""", "2", "1 2 2")
    wrong('open("a.tif"); open("d/a.tif"); selectWindow("a.tif")', "2 images are called 'a.tif'", "1 'a.tif', 2 'a.tif'")
    wrong('open("a.tif"); close("b.tif")', "No image is called 'b.tif'")
    wrong('open("a.tif"); selectImage(0)', "Image 0 does not exist")
    wrong('selectImage(1)', "Open images: none")
    for function in "open", "Image.open":
        wrong(f'{function}("a.tif", 0)', "are counted from 1")
        wrong(f'{function}("two.ome.tif", 3)', "two.ome.tif")


# ---- Positions and selections ----

def test_positions():
    write_stack()
    prints("""open("s.tif")
for n = 1, nSlices() do
  setSlice(n)
  if getSliceNumber() ~= n then print(n) end
end
print(Stack.getPosition())
setSlice(8)
print(Stack.getPosition())
print(getPixel(1, 2))
Stack.setPosition(2, 1, 2)
print(getSliceNumber())""", "4 3 2", "4 2 1", str(STACK[0, 1, 3, 2, 1]), "14")
    for position in "0, 1, 1", "1, 0, 1", "1, 1, 0", "5, 1, 1", "1, 4, 1", "1, 1, 3":
        wrong(f'open("s.tif"); Stack.setPosition({position})', f"Position {position} does not exist", "4 channels, 3 slices and 2 frames")
    for n in 0, 25:
        wrong(f'open("s.tif"); setSlice({n})', f"Slice {n} does not exist: the image has 24")


def test_look():
    """Limits and stretches of the channel that is looked at; values stay, and what cannot be says what can."""
    write_stack()
    prints("""open("s.tif")
local before = getPixel(3, 2)
setMinAndMax(10, 20.5) setStretch("asinh", 0.5) setStretch("sqrt", 0, 2) setStretch("linear") resetMinAndMax()
run("gaussian", "sigma=1") Stack.setPosition(2, 1, 1) setMinAndMax(-3, 4)
run("channel", "index=1") setMinAndMax(0, 1)
run("Set Steps...", "steps=[]") Stack.setPosition(1, 1, 1)
print(getPixel(3, 2) == before)""", "true")
    for limits in "3, 3", "4, 3", "0/0, 1", "0, 1/0":
        wrong(f'open("s.tif"); setMinAndMax({limits})', "the second above the first")
    wrong('open("s.tif"); setStretch("lg")', "Unknown stretch 'lg'. Use linear, log, asinh, sqrt or power")
    wrong('open("s.tif"); setStretch("sqrt", 1)', "Stretch sqrt has no parameter a")
    wrong('open("s.tif"); setStretch("log", 1, 0)', "Gamma must be above 0")
    wrong("setMinAndMax(1, 2)", "No image is open")
    for stretch, beyond in ("log", 2e9), ("asinh", 2000), ("power", 200), ("log", 0.001), ("asinh", 1e-7), ("power", 0.001):
        step = fovea("run", f"display stretch={stretch} contrast=0,1,1,{beyond}", "s.tif", "-o", "s.png").stderr.decode()
        wrong(f'open("s.tif"); setStretch("{stretch}", {beyond})', re.search("from .* to [^,]*", step).group())


def test_selections():
    write_stack()
    prints("""function points()
  x, y = getSelectionCoordinates()
  print(selectionType(), table.concat(x, " "), table.concat(y, " "))
end
function box()
  print(selectionType(), getSelectionBounds())
end
open("s.tif")
box()
makePoint(1, 2, 3, 4.5) points()
makeLine(1, 2, 3, 5) points() box()
makePolygon(1, 1, 5, 2, 3, 4) points() box()
makeSelection("point", {2, 5}, {1, 0}) points()
makeSelection("polygon", {0, 5, 2}, {0, 1, 4}) points()
makeOval(1, 2, 3, 4) box()
run("Select All") box()
run("Select...", "selection=oval(1,2,4,3)") box()
run("Select None") box()""",
           "none 0 0 7 6", "point 1 3 2 4.5", "line 1 3 2 5", "line 1.5 2.5 2 3", "polygon 1 5 3 1 2 4", "polygon 1 1 4 3", "point 2 5 1 0",
           "polygon 0 5 2 0 1 4", "oval 1 2 3 4", "rectangle 0 0 7 6", "oval 1 2 4 3", "none 0 0 7 6")
    wrong('open("s.tif"); getSelectionCoordinates()', "Nothing is selected")
    wrong('open("s.tif"); makeSelection("polygon", {1, 2, 3}, {1, 2})', "another length")
    wrong('open("s.tif"); makeSelection("polygon", {1, 2, "x"}, {1, 2, 3})', "a list of numbers")
    wrong('open("s.tif"); makeSelection("polygon", {1, 2, 1/0}, {1, 2, 3})', "a list of numbers")


def test_list():
    """The list of kept selections, and which of them is chosen."""
    write_stack()
    begin = 'open("s.tif"); for i = 1, 3 do makeRectangle(i, 0, 2, 3); roiManager("add") end;'
    prints(begin + """print(roiManager("count"))
roiManager("rename", "third")
roiManager("select", 0)
print(getSelectionBounds())
roiManager("rename", "first")
makeOval(0, 1, 5, 4)
roiManager("update")
roiManager("select", 1)
roiManager("Delete")
print(roiManager("COUNT"))
roiManager("select", 1)
print(getSelectionBounds())
roiManager("save", "r.zip")
roiManager("open", "r.zip")
print(roiManager("count"))
roiManager("select", 2)
print(selectionType(), getSelectionBounds())
roiManager("reset")
print(roiManager("count"))""", "3", "1 0 2 3", "2", "3 0 2 3", "4", "oval 0 1 5 4", "0")
    with zipfile.ZipFile("r.zip") as file:
        same(file.namelist(), ["first.roi", "third.roi"], "names")
    for i in -1, 3:
        wrong(begin + f'roiManager("select", {i})', f"Selection {i} does not exist: the list has 3")
    for before, command in ("deselect", '"delete"'), ("delete", '"rename", "x"'), ("reset", '"update"'):
        wrong(begin + f'roiManager("{before}"); roiManager({command})', "selections in the list is selected")
    wrong('open("s.tif"); roiManager("add")', "Nothing is selected")
    wrong('open("s.tif"); roiManager("measure")', "The list of selections is empty")
    wrong('open("s.tif"); roiManager("nonsense")', "accepts add, select")
    for planes in "1,3", "1,2,3,4", "a,b,c", "-1,1,1", "":
        wrong(begin + f'roiManager("add", "{planes}")', "accepts channel, slice and frame")


def test_planes():
    """A kept selection is gone to and measured where it was kept, as far as it belongs to a plane."""
    write_stack()
    prints("""open("s.tif")
Stack.setPosition(2, 3, 1)
makeRectangle(1, 1, 2, 2)
roiManager("add") roiManager("add", "0,1,0") roiManager("add", "4,0,2")
for i = 0, 2 do
  if i < 2 then Stack.setPosition(1, 2, 2) end
  roiManager("select", i)
  print(Stack.getPosition())
end""", "2 3 1", "1 1 2", "4 1 2")
    tifffile.imwrite("t.tif", STACK[:, 0, 0], imagej=True, metadata={"axes": "TYX"})
    mean = f"{STACK[1, 0, 0, :2, :2].mean():.14g}"
    prints("""open("t.tif")
Stack.setPosition(1, 1, 2)
makeRectangle(0, 0, 2, 2)
roiManager("add")
Stack.setPosition(1, 1, 1)
roiManager("select", 0)
print(Stack.getPosition())
run("Measure")
roiManager("measure")
print(nResults(), getResult("mean", 0), getResult("mean"))""", "1 1 2", f"2 {mean} {mean}")
    mean = f"{STACK[0, 0, 0].mean():.14g}"
    prints("""open("s.tif")
run("gaussian", "sigma=3")
run("Measure", "step=0")
run("Select All")
roiManager("add")
roiManager("measure", "0")
print(getResult("mean", 0), getResult("mean", 1))
run("Clear Results")
print(nResults())""", f"{mean} {mean}", "0")
    wrong('open("s.tif"); run("Measure", "step=x")', "not 'x'")
    wrong('open("s.tif"); run("Measure", "position=1")', "accepts only step=")


# ---- Tables ----

def write_objects():
    image = numpy.zeros((20, 30), "u1")
    image[2:5, 3:7] = image[10:17, 12:14] = 9
    tifffile.imwrite("o.tif", image)


def test_results():
    write_objects()
    begin = 'open("o.tif"); run("label", "as=cells"); run("regionprops", "properties=label,area as=sizes");'
    prints(begin + """print(nResults(), getResult("area"), getResult("AREA", 0), getResult("label", 1))
t, s = getTable(), getTable("sizes")
print(#t, #s, t[2].area, s[1].area, t[0], t[3])
print(tostring(t))
saveAs("Results", "r.csv")""", "2 14 12 2", "2 2 14 12 nil nil", "table of 2 rows")
    same(rows_of("r.csv"), [["label", "area"], ["1", "12"], ["2", "14"]], "table")
    for row in -1, 2:
        wrong(begin + f'getResult("area", {row})', f"Row {row} does not exist: the table has 2")
    wrong(begin + 'getTable("cells")', "No step makes a table 'cells'")
    wrong('open("o.tif"); saveAs("Measurements", "m.csv")', "Nothing has been measured")
    prints("""open("o.tif")
r = recipe("label as=cells | regionprops as=sizes | label2rgb from=cells"):run()
print(r:image("cells").type, #r:table("sizes"), #r:table(), r:image().channels)
print(recipe("gaussian  sigma=3.50"):text(), tostring(recipe("otsu | label")))""", "i32 2 2 3", "gaussian sigma=3.5 otsu | label")
    wrong('open("o.tif"); recipe("label"):run():table()', "No step makes a table: put one before it")
    wrong('open("o.tif"); recipe("label"):run():image("x")', "No step makes an image 'x'")


def test_tables():
    prints("""t = Table.new{"n", "w"}
print(#t, table.concat(t:columns(), " "))
t:addRow{n = 1, w = "one"}
t:addRow{n = 2.5}
t:addRow{w = "three", more = 7}
print(#t, t[1].n, t[1].w, t[2].n, t[2].w, t[3].n, t[3].more, t[1].more)
n, w = t:column("n"), t:column("w")
print(#n, n[2], n[3] ~= n[3], #w, w[1], w[2] == "")
t:set("n", 3, -4)
t:set("w", 1, nil)
t:set("w", 2, "zwei")
t:addColumn("half", {0.5, 1}, "µm")
t:addColumn("twice", function(row) return row.n * 2 end)
t:addColumn("n", function(row) return row.n + 1 end)
t:save("t.csv", ";")""", "0 n w", "3 1 one 2.5 nil nil 7 nil", "3 2.5 true 3 one true")
    same(rows_of("t.csv", ";"), [["\ufeffn", "w", "more", "half (µm)", "twice"], ["2", "", "", "0,5", "2"], ["3,5", "zwei", "", "1", "5"],
                                 ["-3", "three", "7", "", "-8"]], "table")
    begin = 't = Table.new{"n"}; t:addRow{n = 1};'
    for row in 0, 2:
        wrong(begin + f't:set("n", {row}, 5)', f"Row {row} does not exist: the table has 1")
    wrong(begin + 't:set("n", 1, "x")', "Column 'n' contains numbers and cannot store a string")
    wrong('t = Table.new{"n"}; t:addRow{n = "x"}; t:set("n", 1, 5)', "Column 'n' contains texts and cannot store a number")
    wrong(begin + "t:addRow{n = true}", "cannot store a boolean")
    wrong(begin + "t:addRow{5}", "maps column names to values")
    wrong('t = Table.new{"n", "m", "n"}', "Two columns are called 'n'")
    wrong('t = Table.new{"n", "area"}; t:column("aera")', "Column 'aera' does not exist", "n, area")
    wrong(begin + 't:save("t.csv", "x")', "the separator")
    write_objects()
    prints("""t = recipe("label | regionprops properties=label,area"):run(Image.open("o.tif")):table()
t:set("area", 1, 2.5)
t:addRow{label = 2^40}
t:save("u.csv")""")
    same(rows_of("u.csv"), [["label", "area"], ["1", "2.5"], ["2", "14"], [str(2**40), ""]], "table")


def test_table_memory():
    """What a table holds counts once, however often it is asked for or changed, and no longer than it lives."""
    write_objects()
    for text, line in (('r = recipe("label | regionprops"):run(Image.open("o.tif")); for n = 1, 20000 do t = r:table() end; print(#t)', "2"),
                       ('t = Table.new{"a"}; for n = 1, 50000 do t:addRow{a = n} t:set("a", n, 1) end; print(#t)', "50000"),
                       ('t = Table.new{"a"}; t:addRow{}; for n = 1, 50000 do t:set("a", 1, ("x"):rep(200)) end; print(#t[1].a)', "200")):
        prints(text, line, arguments=("--memory", "4"))
    for loop in "500000 do t:addRow{a = n}", '5000 do t:addRow{a = ("x"):rep(1000) .. n}':
        wrong(f't = Table.new{{"a"}}; for n = 1, {loop} end', "the limit of 3 MiB", arguments=("--memory", "3"))


# ---- Steps and files ----

def test_steps():
    write_stack()
    prints("""open("s.tif")
print(getSteps() == "")
run("gaussian", "sigma=3.5")
run("Otsu Threshold")
print(getSteps())
run("Set Steps...", "steps=[gaussian sigma=1.5 | otsu]")
run("Save Steps...", "path=s.steps")
run("Save...", "path=raw.tif step=0")
run("Save...", "path=[one step.tif] step=1 tile=16 compression=zstd pyramid=yes")
print(getSteps())
run("Set Device...", "device=cpu")
saveAs("tiff", "x")
saveAs("Tiff", "y.TIFF")""", "true", "volume=objects | gaussian sigma=3.5 | otsu", "gaussian sigma=1.5 | otsu", arguments=("-q",))
    numpy.testing.assert_array_equal(tifffile.imread("raw.tif").reshape(STACK.shape), STACK)
    with tifffile.TiffFile("one step.tif") as file:
        page = file.pages[0]
        same((page.tilewidth, page.compression.name), (16, "ZSTD"), "how it is written")
    same(content("x.tif"), content("y.TIFF"), "files")
    same(tifffile.imread("x.tif").dtype, numpy.dtype("u1"), "type")
    tifffile.imwrite("a.tif", STACK[0, 0, 0].astype("u1"))
    prints('open("a.tif"); saveAs("PNG", "x"); saveAs("Jpeg", "y"); saveAs("jpeg", "z.JPEG")')
    same([os.path.exists(name) for name in ("x.png", "y.jpg", "z.JPEG")], [True] * 3, "files")
    begin = 'open("s.tif"); run("otsu", "volume=no");'
    wrong(begin + 'run("Save...", "path=w.tif step=2")', "the number of steps, which is 1, not 2")
    for word, says in (("tile=17", "not 17"), ("tile=8208", "not 8208"), ("compression=x", "Choose from none, deflate, zstd"), ("pyramid=x", "yes or no"),
                       ("step=x", "not 'step=x'"), ("nonsense", "not 'nonsense'"), ("nonsense=5", "no format has an option 'nonsense'")):
        wrong(begin + f'run("Save...", "path=w.tif {word}")', says)
    wrong(begin + 'run("Save...", "path=w.png tile=16")', ".tif, .zarr only")
    wrong(begin + 'run("Save...", "step=1")', "needs path")
    wrong(begin + 'run("Set Device...", "device=abacus"); saveAs("Tiff", "z")', "abacus")
    wrong(begin + 'run("Save Steps...", "file=x.steps")', "accepts only path=")
    wrong(begin + 'saveAs("Tiff", "x.y")', "ends with .tif")


def test_paths():
    os.mkdir("d")
    prints("""for i, p in ipairs{"x/y.tar.gz", ".hidden", "a.", "x/.b.c"} do
  print(File.getName(p), File.getNameWithoutExtension(p), File.getParent(p))
end
File.makeDirectory("d")
File.makeDirectory("e")
print(File.isDirectory("e"), File.exists("e/f"))
for i, k in ipairs{"txt", "csv", "tsv", "json", "md", "log"} do File.saveString(k, "e/f." .. k) end
print(table.concat(getFileList("e"), " "))
print(File.isDirectory("e/f.txt"), File.openAsString("e/f.md"), #getFileList("d"))""",
           "y.tar.gz y.tar x", ".hidden .hidden .", "a. a .", ".b.c .b x", "true false", "f.csv f.json f.log f.md f.tsv f.txt", "false md 0")
    wrong('File.saveString("x", "e/f.py")', "ends with .txt, .csv")
    wrong('File.makeDirectory("e/f.txt")', "cannot be made a folder")
    wrong('File.makeDirectory("n/o")', "cannot be made a folder")
    wrong('File.openAsString("e/g.txt")', "g.txt")
    wrong('getFileList("n")', "n")


# ---- Dialogs and the rest ----

DIALOG = """Dialog.create("A")
Dialog.addNumber("One", 1)
Dialog.addString("Text", "t")
Dialog.addNumber("Two", 2.5, 1)
Dialog.addCheckbox("Off", false)
Dialog.addCheckbox("On", true)
Dialog.addChoice("First", {"a", "b"})
Dialog.addChoice("Second", {"a", "b", "c"}, "b")
Dialog.addString("None")
Dialog.show()
print(Dialog.getNumber(), Dialog.getNumber(), Dialog.getString(), Dialog.getString() == "", Dialog.getCheckbox(), Dialog.getCheckbox(),
      Dialog.getChoice(), Dialog.getChoice())
"""


def test_dialogs():
    prints(DIALOG, "1 2.5 t true false true a b")
    prints(DIALOG, "-3 2.5 t true true false b c", arguments=("-a", "one=-3", "-a", "OFF=true", "-a", "on=no", "-a", "first=b", "-a", "second=c"))
    # A second dialog starts empty and need not have what the first one asked for.
    prints(DIALOG + 'Dialog.create("B"); Dialog.addNumber("X", 5); Dialog.show(); print(Dialog.getNumber())', "4 2.5 t true false true a b", "5",
           arguments=("-a", "one=4"))
    prints('print(getNumber("How many", 3), getString("What", "it"), getNumber("And", 0.5))', "7 it 0.5", arguments=("-a", "how_many=7"))
    for kind in "Number", "String", "Checkbox", "Choice":
        wrong(DIALOG + f"Dialog.get{kind}()", "no further field")
    wrong(DIALOG, "--arg off must be yes or no, not 'maybe'", arguments=("-a", "off=maybe"))
    for function in 'addNumber("x", 1)', 'addString("x")', 'addCheckbox("x", true)', 'addChoice("x", {"a"})', "show()":
        wrong(f"Dialog.{function}", "No dialog")
    wrong('Dialog.create("A"); Dialog.addChoice("x", {})', "a list of choices")
    wrong('Dialog.create("A"); Dialog.addChoice("x", {"a"}, "b")', "not one of the choices")
    wrong("Dialog.getNumber()", "no further field")


def test_talk():
    prints("""print()
print(nil, true, 1, 1.5, "x")
showProgress(0.5)
showProgress(1, 2)
showStatus("works")
setBatchMode(true)
print(getArgument() == "")
a = newArray(3, "b")
print(#a, a[1], a[2], #newArray())
exit()
print("after")""", "", "nil true 1 1.5 x", "true", "2 3 b 0")


def test_language():
    """What Lua's own functions would do."""
    prints("""a = math.random(1000000)
math.randomseed(1)
print(a == math.random(1000000))
print(pcall(error, "x"))
print(select("#", pcall(function() return 1, 2, 3 end)))
print(xpcall(function(a, b) return a + b end, print, 2, 3))
print(xpcall(error, function(e) return "handled " .. e end, "it"))
t = setmetatable({}, {__index = {a = 5}})
print(t.a, getmetatable(setmetatable(t, nil)))
print(("ab"):rep(3), ("ab"):rep(2, "-"), ("x"):rep(0) == "", ("x"):rep(-1) == "", #("x"):rep(1000, "yz"))""",
           "true", "false x", "4", "true 5", "false handled it", "5 nil", "ababab ab-ab true true 2998")
    wrong('setmetatable("", {})', "table expected")
    wrong("setmetatable({}, 5)", "table expected")
    wrong("setmetatable(setmetatable({}, {__metatable = 1}), {})", "protected metatable")


if __name__ == "__main__":
    main([test for name, test in list(globals().items()) if name.startswith("test_")])
