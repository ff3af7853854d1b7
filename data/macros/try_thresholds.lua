-- How many objects there are at different thresholds.
local image = getImage()
for threshold = 50, 200, 50 do
  local steps = recipe("threshold method=manual lower=" .. threshold .. " | label | regionprops properties=label")
  print(threshold, #steps:run(image):table())
end
