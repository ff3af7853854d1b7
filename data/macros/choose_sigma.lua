-- Asks for a blur and a threshold, and says what part of the image is brighter.
Dialog.create("Bright part")
Dialog.addNumber("Sigma", 2)
Dialog.addNumber("Threshold", 100)
Dialog.addCheckbox("Keep the mask", false)
Dialog.show()
local sigma, threshold, keep = Dialog.getNumber(), Dialog.getNumber(), Dialog.getCheckbox()
local steps = recipe("gaussian sigma=" .. sigma .. " | threshold method=manual lower=" .. threshold)
local mask = steps:run():image()
local bright = 0
for _, row in ipairs(mask:pixels{}) do
  for _, value in ipairs(row) do
    bright = bright + (value > 0 and 1 or 0)
  end
end
print(("%.4f"):format(bright / (mask.width * mask.height)))
if keep then
  mask:save("mask.png")
end
