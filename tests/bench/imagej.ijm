// SPDX-License-Identifier: MIT
// Times ImageJ's commands: "FOLDER;SIZE;REPEATS". FOLDER has image.raw (16 bits) and mask.raw (8 bits, 0/255), both
// little-endian. Prints "WORK: ms ms ...", a number for each run, and "objects N".

words = split (getArgument (), ";");
folder = words[0];
size = words[1];
repeats = parseInt (words[2]);
warm_up = 2;

function read (name, type) {
  run ("Raw...", "open=[" + folder + "/" + name + ".raw] image=[" + type + "] width=" + size + " height=" + size
       + " offset=0 number=1 gap=0 little-endian");
  rename (name);
}

function analyse () {
  run ("Analyze Particles...", "display clear");
}

setBatchMode (true);
setOption ("BlackBackground", true);
run ("Options...", "iterations=1 count=1 black");
read ("image", "16-bit Unsigned");
read ("mask", "8-bit");
run ("Set Measurements...", "area mean shape redirect=image decimal=6");

times = "";
for (i = 0; i < repeats + warm_up; i++) {
  selectWindow ("image");
  run ("Duplicate...", "title=work");
  run ("32-bit");
  start = getTime ();
  run ("Gaussian Blur...", "sigma=5");
  if (i >= warm_up)
    times = times + " " + (getTime () - start);
  close ();
}
print ("gaussian:" + times);

times = "";
for (i = 0; i < repeats + warm_up; i++) {
  selectWindow ("mask");
  run ("Duplicate...", "title=work");
  start = getTime ();
  run ("Erode");
  if (i >= warm_up)
    times = times + " " + (getTime () - start);
  close ();
}
print ("erosion:" + times);

times = "";
for (i = 0; i < repeats + warm_up; i++) {
  selectWindow ("mask");
  run ("Duplicate...", "title=work");
  setThreshold (255, 255);
  start = getTime ();
  analyse ();
  if (i >= warm_up)
    times = times + " " + (getTime () - start);
  close ();
}
print ("particles:" + times);

times = "";
for (i = 0; i < repeats + warm_up; i++) {
  selectWindow ("image");
  start = getTime ();
  run ("Duplicate...", "title=work");
  run ("Gaussian Blur...", "sigma=5");
  setAutoThreshold ("Otsu dark");
  run ("Convert to Mask");
  run ("Erode");
  analyse ();
  if (i >= warm_up)
    times = times + " " + (getTime () - start);
  close ();
}
print ("workflow:" + times);
print ("objects " + nResults);
print ("version " + getVersion ());
