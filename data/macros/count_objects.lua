-- Counts the objects of the current image, and saves what was measured of each beside it.
run("gaussian", "sigma=1");
run("Otsu Threshold");
run("Label Objects...", "min_size=20");
run("Measure Objects...", "properties=label,area,centroid");
print(getTitle() .. ": " .. nResults() .. " objects");
saveAs("Results", File.getParent(getImagePath()) .. "/" .. File.getNameWithoutExtension(getTitle()) .. "-objects.csv");
