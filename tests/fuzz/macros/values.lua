Dialog.create("D"); Dialog.addNumber("N", 1.5); Dialog.addChoice("C", {"a", "b"}); Dialog.show(); print(Dialog.getNumber(), Dialog.getChoice())
t = Table.new{"a", "b"}; t:addRow{a = 1, c = "x"}; t:addColumn("d", function(r) return (r.a or 0) + 1 end); t:set("a", 1, nil); print(#t, t[1].d, t:columns()[1])
i = getImage("source"); p = i:pixels{x = 1, y = 0, width = 2, height = 1}; print(p[1][1], i.width, i.type, tostring(i), recipe("gaussian | otsu"):text())
print(pcall(error, {}), xpcall(function() x.y = 1 end, print), ("x"):rep(3, ","), utf8.char(228), math.random(3), os.time() > 0, getFileList("."))
