-- Goes to the slice of a stack whose values vary most between neighbors: the one in focus.
local image = getImage()
local best, sharpest = -1, 1
for z = 1, image.slices do
  local rows, sum = image:pixels{z = z}, 0
  for _, row in ipairs(rows) do
    for x = 2, #row do
      sum = sum + (row[x] - row[x - 1]) ^ 2
    end
  end
  if sum > best then
    best, sharpest = sum, z
  end
end
Stack.setPosition(1, sharpest, 1)
print(sharpest)
