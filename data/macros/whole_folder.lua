-- Measures the objects of each TIFF file of a folder, given by --arg, and makes one table of them.
local folder = getArgument()
local steps = recipe("otsu | label | regionprops properties=label,area")
local all = Table.new{"file", "label", "area"}
local files = getFileList(folder)
for i, name in ipairs(files) do
  if name:match("%.tif$") then
    local objects = steps:run(Image.open(folder .. "/" .. name)):table()
    for k = 1, #objects do
      all:addRow{file = name, label = objects[k].label, area = objects[k].area}
    end
    print(name, #objects)
  end
  showProgress(i, #files)
end
all:save(folder .. "/all.csv")
