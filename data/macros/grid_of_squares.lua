-- Measures the image in a grid of squares.
local size = getNumber("Size", 16)
local width, height = getDimensions()
roiManager("reset");
run("Clear Results");
for y = 0, height - size, size do
  for x = 0, width - size, size do
    makeRectangle(x, y, size, size);
    roiManager("add");
  end
end
roiManager("measure");
saveAs("Measurements", "grid.csv");
print(roiManager("count"))
