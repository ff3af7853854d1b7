-- The ratio of two channels in each object of the first one.
local source = getImage("source")
local one = recipe("channel index=0 as=c | otsu | label | regionprops intensity=c properties=label,intensity_mean"):run(source):table()
local two = recipe("channel index=0 | otsu | label as=cells | channel index=1 from=source as=c | "
                   .. "regionprops from=cells intensity=c properties=intensity_mean"):run(source):table()
local other = two:column("intensity_mean")
one:addColumn("other", other)
one:addColumn("ratio", function(row) return row.intensity_mean / row.other end)
one:save("ratios.csv")
print(#one)
