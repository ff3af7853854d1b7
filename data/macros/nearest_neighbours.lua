-- How far each object is from the next one: a column of the table of objects.
local objects = recipe("otsu | label | regionprops properties=label,centroid"):run():table()
local y, x = objects:column("centroid-0"), objects:column("centroid-1")
local nearest = {}
for i = 1, #objects do
  nearest[i] = math.huge
  for k = 1, #objects do
    if k ~= i then
      nearest[i] = math.min(nearest[i], math.sqrt((x[i] - x[k]) ^ 2 + (y[i] - y[k]) ^ 2))
    end
  end
end
objects:addColumn("nearest", nearest)
objects:save("neighbors.csv")
