run("gaussian", "sigma=5");
run("Channel...", "index=0 as=[a b]");
run("Change Step...", "step=1 sigma=1.5 border=wrap");
run("Set Steps...", "steps=[gaussian sigma=2 | otsu as=\"x [1\"]");
makeOval(1, 2, 3.5, 4); roiManager("add"); roiManager("select", 0); roiManager("rename", "x"); run("Measure", "step=1");
makeSelection("freehand", newArray(1, 2, 3), newArray(4, 5, 6)); run("Select...", "selection=line(0.1,2,3,4)");
Stack.setPosition(1, 1, 1); setMinAndMax(1, 9); setStretch("log", 100, 0.5); resetMinAndMax(); saveAs("Results", "x.csv"); image1 = getImageID(); selectImage(image1); close();
