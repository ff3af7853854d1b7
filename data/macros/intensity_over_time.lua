-- The mean of the selection, or of the whole image, in each slice and frame of each channel.
local image = getImage()
local x, y, width, height = getSelectionBounds()
local means = Table.new{"channel", "slice", "frame", "mean"}
for c = 1, image.channels do
  for z = 1, image.slices do
    for t = 1, image.frames do
      local sum = 0
      for _, row in ipairs(image:pixels{x = x, y = y, width = width, height = height, c = c, z = z, t = t}) do
        for _, value in ipairs(row) do
          sum = sum + value
        end
      end
      means:addRow{channel = c, slice = z, frame = t, mean = sum / (width * height)}
    end
  end
end
means:save("means.csv")
