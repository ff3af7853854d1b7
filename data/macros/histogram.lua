-- How often each value occurs in the plane that is looked at.
local c, z, t = Stack.getPosition()
local counts = {}
for _, row in ipairs(getImage():pixels{c = c, z = z, t = t}) do
  for _, value in ipairs(row) do
    counts[value] = (counts[value] or 0) + 1
  end
end
local values = {}
for value in pairs(counts) do
  values[#values + 1] = value
end
table.sort(values)
local histogram = Table.new{"value", "count"}
for _, value in ipairs(values) do
  histogram:addRow{value = value, count = counts[value]}
end
histogram:save("histogram.csv")
