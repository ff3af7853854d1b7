# SPDX-License-Identifier: MIT
"""Writes data sets of microscopes into a folder, each in a subfolder, with indexes as the vendors write them: from the documentation of Bio-Formats,
of tifffile and of the vendors, not from Fovea's readers. make.py FOLDER; prints what they hold as JSON:
[{path, series: [{well, field, array: NAME.npy (t, c, z, y, x), channels, pixel_size, z, interval}], left_out}].

Each pixel says where it is: frame, channel, slice, well and field, and then a ramp."""
import json
import pathlib
import struct
import sys

import numpy
import tifffile

ROOT = pathlib.Path(sys.argv[1])
ROWS, COLUMNS = 5, 7
sets = []


def plane(well, field, t, c, z, dtype="u2"):
    ramp = numpy.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
    return (ramp + 50 * z + 200 * c + 1000 * t + 3000 * field + 10000 * well).astype(dtype)


def stack(well, field, frames, channels, slices, dtype="u2"):
    return numpy.array([[[plane(well, field, t, c, z, dtype) for z in slices] for c in channels] for t in frames])


def write(path, array, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    tifffile.imwrite(path, array, metadata=None, **options)


def note(path, series, **about):
    """series: (well name, field, array)."""
    entries = []
    for i, (well, field, array) in enumerate(series):
        name = f"{len(sets)}_{i}.npy"
        numpy.save(ROOT / name, array)
        entries.append({"well": well, "field": field, "array": name})
    sets.append({"path": path, "series": entries, **about})


def operetta(name, version, index, missing=None, images="Images"):
    """Harmony: version 5 says channels with each image, 6 in a map."""
    folder = ROOT / name / images
    images = []
    for well, (row, col) in enumerate([(2, 3), (2, 4)]):
        for field in (1, 2):
            for p in (1, 2):
                for t in (0, 1):
                    for ch in (1, 2):
                        url = f"r{row:02}c{col:02}f{field:02}p{p:02}-ch{ch}sk{t + 1}fk1fl1.tiff"
                        if url != missing:
                            write(folder / url, plane(well, field, t, ch - 1, p - 1))
                        channel = f"""<ChannelName>{('HOECHST 33342', 'Alexa 488')[ch - 1]}</ChannelName>
      <ImageResolutionX Unit="m">5.9800000000000005E-07</ImageResolutionX><ImageResolutionY Unit="m">5.9800000000000005E-07</ImageResolutionY>
      <ObjectiveMagnification Unit="">20</ObjectiveMagnification><ObjectiveNA Unit="">0.8</ObjectiveNA>""" if version == 5 else ""
                        images.append(f"""    <Image Version="1">
      <id>{row:02}{col:02}K{t + 1}F{field}P{p}R{ch}</id><State>Ok</State><URL>{url}</URL>
      <Row>{row}</Row><Col>{col}</Col><FieldID>{field}</FieldID><PlaneID>{p}</PlaneID><TimepointID>{t}</TimepointID>
      <SequenceID>1</SequenceID><GroupID>1</GroupID><ChannelID>{ch}</ChannelID><FlimID>1</FlimID>{channel}
      <PositionX Unit="m">-0.000323</PositionX><PositionY Unit="m">0.000323</PositionY>
      <PositionZ Unit="m">{(p - 1) * 1.5e-06:.10E}</PositionZ><AbsPositionZ Unit="m">0.135532200336456</AbsPositionZ>
      <MeasurementTimeOffset Unit="s">{t * 30}</MeasurementTimeOffset><AbsTime>2019-05-03T14:10:0{t}.000+02:00</AbsTime>
    </Image>""")
    entries = "".join(f"""      <Entry ChannelID="{i}"><ChannelName>{n}</ChannelName><ImageResolutionX Unit="m">5.98E-07</ImageResolutionX>
        <ImageResolutionY Unit="m">5.98E-07</ImageResolutionY><ObjectiveMagnification Unit="">20</ObjectiveMagnification></Entry>
""" for i, n in ((1, "HOECHST 33342"), (2, "Alexa 488")))
    maps = f"  <Maps>\n    <Map>\n{entries}    </Map>\n  </Maps>\n" if version == 6 else ""
    wells = "".join(f"""    <Well><id>020{c}</id><Row>2</Row><Col>{c}</Col><Image id="020{c}K1F1P1R1" /></Well>\n""" for c in (3, 4))
    (folder / index).write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<EvaluationInputData xmlns:xsd="http://www.w3.org/2001/XMLSchema" Version="1" xmlns="http://www.perkinelmer.com/PEHH/HarmonyV{version}">
  <User>Anonymous</User><InstrumentType>Phenix</InstrumentType>
  <Plates><Plate><PlateID>P1</PlateID><MeasurementStartTime>2019-05-03T14:09:55+02:00</MeasurementStartTime><Name>Plate one</Name>
    <PlateTypeName>96 well</PlateTypeName><PlateRows>8</PlateRows><PlateColumns>12</PlateColumns><Well id="0203" /><Well id="0204" /></Plate></Plates>
  <Wells>
{wells}  </Wells>
{maps}  <Images>
{chr(10).join(images)}
  </Images>
</EvaluationInputData>
""", encoding="utf-8-sig")
    # A stack that lacks a plane ends before its frame.
    frames = {(0, 1): (0,)} if missing else {}
    series = [(f"B0{3 + w}", f, stack(w, f, frames.get((w, f), (0, 1)), (0, 1), (0, 1))) for w in (0, 1) for f in (1, 2)]
    note(name, series, channels=["HOECHST 33342", "Alexa 488"], pixel_size=0.598, z=1.5, interval=30,
         left_out=f"files that are not there: 'Images/{missing}'" if missing else "", objective="Magnification: 20", entry=f"{folder.name}/{index}")


def cell_voyager():
    folder = ROOT / "cv8000"
    records = []
    for well, (row, column) in enumerate([(1, 1), (16, 24)]):
        for field in (1, 2):
            for t in (1, 2):
                for z in (1, 2, 3):
                    for ch in (1, 3):
                        name = f"AssayPlate_{'AP'[well]}{column:02}_T{t:04}F{field:03}L01A0{ch}Z{z:02}C{ch:02}.tif"
                        write(folder / name, plane(well, field, t, ch, z))
                        records.append(f"""  <bts:MeasurementRecord bts:Type="IMG" bts:Time="2021-06-14T09:{13 + t}:30.{z}00+01:00" bts:Column="{column}" bts:Row="{row}" \
bts:TimePoint="{t}" bts:FieldIndex="{field}" bts:ZIndex="{z}" bts:TimelineIndex="1" bts:ActionIndex="{ch}" bts:Action="3D" bts:X="-1.5" bts:Y="2" \
bts:Z="{5 + z * 2}" bts:Ch="{ch}">{name}</bts:MeasurementRecord>""")
    records.append("""  <bts:MeasurementRecord bts:Type="ERR" bts:Time="2021-06-14T09:13:30.1+01:00" bts:Column="5" bts:Row="5" bts:TimePoint="1" bts:FieldIndex="1" \
bts:ZIndex="1" bts:X="0" bts:Y="0" bts:Z="0" bts:Ch="1">AF failed</bts:MeasurementRecord>""")
    schema = 'xmlns:bts="http://www.yokogawa.co.jp/BTS/BTSSchema/1.0"'
    (folder / "MeasurementData.mlf").write_text('<?xml version="1.0" encoding="utf-8"?>\n' + f'<bts:MeasurementData bts:Version="1.0" {schema}>\n' +
                                                "\n".join(records) + "\n</bts:MeasurementData>\n", encoding="utf-8-sig")
    (folder / "MeasurementDetail.mrf").write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<bts:MeasurementDetail bts:Version="1.0" bts:Title="screen" bts:MeasurementSettingFileName="screen.mes" bts:RowCount="16" bts:ColumnCount="24"
  bts:TimePointCount="2" bts:FieldCount="2" bts:ZCount="3" bts:TargetSystem="CV8000" {schema}>
  <bts:MeasurementSamplePlate bts:Name="AssayPlate" bts:WellPlateFileName="a.wpi" />
  <bts:MeasurementChannel bts:Ch="1" bts:HorizontalPixelDimension="0.325" bts:VerticalPixelDimension="0.325" bts:InputBitDepth="16" />
  <bts:MeasurementChannel bts:Ch="3" bts:HorizontalPixelDimension="0.325" bts:VerticalPixelDimension="0.325" bts:InputBitDepth="16" />
</bts:MeasurementDetail>
""", encoding="utf-8-sig")
    (folder / "screen.mes").write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<bts:MeasurementSetting {schema}><bts:ChannelList>
  <bts:Channel bts:Ch="1" bts:Target="DNA" bts:Objective="20x v2" bts:Magnification="20" bts:Acquisition="BP445/45" bts:Color="#FF0000FF" />
  <bts:Channel bts:Ch="3" bts:Target="" bts:Objective="20x v2" bts:Magnification="20" bts:Acquisition="BP525/50" bts:Color="#FF00FF00" />
</bts:ChannelList></bts:MeasurementSetting>
""", encoding="utf-8-sig")
    note("cv8000", [(n, f, stack(w, f, (1, 2), (1, 3), (1, 2, 3))) for w, n in enumerate(("A01", "P24")) for f in (1, 2)],
         channels=["DNA", "BP525/50"], pixel_size=0.325, z=2, interval=60, left_out="1 image that the microscope could not take",
         objective="Objective: 20x v2", entry="MeasurementData.mlf")


METAMORPH = """<MetaData><prop id="Description" type="string" value="Plate Screen Acquisition"/><prop id="spatial-calibration-state" type="bool" value="on"/>
<prop id="spatial-calibration-x" type="float" value="0.65"/><prop id="spatial-calibration-y" type="float" value="0.65"/>
<prop id="spatial-calibration-units" type="string" value="um"/><PlaneInfo><prop id="_MagSetting_" type="string" value="10X Plan Apo"/></PlaneInfo></MetaData>"""


def image_xpress():
    folder = ROOT / "xpress"
    guid = "0B0A3F0B-9B1E-4E2D-8A3C-{:012X}"
    n = 0
    for well, name in enumerate(("A01", "H12")):
        for s in (1, 2, 3):
            for t in (1, 2):
                for w in (1, 2):
                    n += 1
                    base = folder / f"TimePoint_{t}"
                    write(base / f"screen_{name}_s{s}_w{w}{guid.format(n)}.tif", plane(well, s, t, w, 1), description=METAMORPH)
                    write(base / f"screen_{name}_s{s}_w{w}_thumb{guid.format(n)}.tif", plane(well, s, t, w, 1)[:2, :2])
    rows = "".join(f'"WellsSelection{r}", ' + ", ".join("TRUE" if (r, c) in ((1, 1), (8, 12)) else "FALSE" for c in range(1, 13)) + "\r\n" for r in range(1, 9))
    (folder / "screen.HTD").write_bytes(('"HTSInfoFile", Version 1.0\r\n"Description", "caf\xe9"\r\n"PlateType", 6\r\n"TimePoints", 2\r\n"ZSeries", FALSE\r\n'
                                         f'"XWells", 12\r\n"YWells", 8\r\n{rows}"Sites", TRUE\r\n"XSites", 3\r\n"YSites", 1\r\n"SiteSelection1", TRUE, TRUE, TRUE\r\n'
                                         '"Waves", TRUE\r\n"NWavelengths", 2\r\n"WaveName1", "DAPI"\r\n"WaveName2", "FITC, long"\r\n"WaveCollect1", 1\r\n'
                                         '"EndFile"\r\n').encode("latin-1"))
    note("xpress", [(n, s, stack(w, s, (1, 2), (1, 2), (1,))) for w, n in enumerate(("A01", "H12")) for s in (1, 2, 3)],
         channels=["DAPI", "FITC, long"], pixel_size=0.65, z=None, interval=None, left_out="", objective="Objective: 10X Plan Apo", entry="screen.HTD")


def image_xpress_z():
    """Z steps in folders, one site and one wavelength, which names then leave out."""
    folder = ROOT / "xpress_z"
    for z in (1, 2, 10):
        write(folder / "TimePoint_1" / f"ZStep_{z}" / "z_B02.TIF", plane(0, 0, 0, 0, z))
    (folder / "z.htd").write_text('"HTSInfoFile", Version 1.0\n"XWells", 4\n"YWells", 3\n"Sites", FALSE\n"Waves", FALSE\n"EndFile"\n')
    note("xpress_z", [("B02", None, stack(0, 0, (0,), (0,), (1, 2, 10)))], channels=None, pixel_size=None, z=None, interval=None, left_out="", entry="z.htd")


def image_xpress_projections():
    """Stacks of two wavelengths with their projections, and the projection alone of a third: in a folder of the database, which has no HTD file, and exported,
    where projections are in ZStep_0. All wavelengths of a well are as MetaMorph's text in the files says."""
    about = METAMORPH.replace("<PlaneInfo>", '<PlaneInfo><prop id="z-position" type="float" value="{}"/><prop id="_IllumSetting_" type="string" value="{}"/>')
    for name, below in ("xpress_database", ""), ("xpress_export", "ZStep_0"):
        for well, label in enumerate(("C07", "D12")):
            for w, light in enumerate(("DAPI", "FITC", "Cy3")):
                guid = f"{16 * well + w:08X}-9B1E-4E2D-8A3C-0123456789AB" if not below else ""
                for step in (0, 1, 2, 10) if w < 2 else (0,):
                    path = ROOT / name / (f"ZStep_{step}" if step else below) / f"Mix_{label}_w{w + 1}{guid}.tif"
                    write(path, plane(well, 0, 0, w, step), description=about.format(9318.5 + 2.5 * step if step else 9325, light))
                    write(path.with_name(f"Mix_{label}_w{w + 1}_thumb{guid}.tif"), plane(well, 0, 0, w, step)[:2, :2], description=about.format(0, "thumbnail"))
        series = [(n, None, stack(well, 0, (0,), (0, 1), (1, 2, 10))) for well, n in enumerate(("C07", "D12"))]
        if below:
            (ROOT / name / "Mix.HTD").write_text('"HTSInfoFile", Version 1.0\n"ZSeries", TRUE\n"ZProjection", TRUE\n"WaveName1", "blue"\n"EndFile"\n')
        note(name, series, channels=["blue" if below else "DAPI", "FITC"], pixel_size=0.65, z=2.5, interval=None,
             left_out="12 of the 24 planes, as some are missing, 4 projections of stacks", objective="Objective: 10X Plan Apo", entry="Mix.HTD" if below else None)


def scan_r():
    folder = ROOT / "scanr"
    for well in (1, 14):
        for p in (1, 2):
            for z in (0, 1):
                for c, name in enumerate(("DAPI", "cy5")):
                    label = "A1" if well == 1 else ""
                    write(folder / "data" / f"{label}--W{well:05}--P{p:05}--Z{z:05}--T00000--{name}.tif", plane(well % 3, p, 0, c, z))
    (folder / "experiment_descriptor.xml").write_bytes("""<?xml version='1.0' standalone='yes' ?>
<LVData xmlns="http://www.ni.com/LVData"><Version>8.2</Version><Cluster><Name>all</Name><NumElts>3</NumElts>
<String><Name>plate name</Name><Val>plate \xb5</Val></String>
<Array><Name>channels</Name><Cluster><Name>channel</Name><String><Name>name</Name><Val>DAPI</Val></String><Boolean><Name>idle</Name><Val>0</Val></Boolean></Cluster>
<Cluster><Name>channel</Name><String><Name>name</Name><Val>cy5</Val></String><Boolean><Name>idle</Name><Val>0</Val></Boolean></Cluster></Array>
<Array><Name>wells</Name><I32><Name>well selection table + cDNA</Name><Val>1</Val></I32><String><Name>well selection table + cDNA</Name><Val>A1</Val></String>
<I32><Name>well selection table + cDNA</Name><Val>14</Val></I32><String><Name>well selection table + cDNA</Name><Val>B2</Val></String></Array>
<DBL><Name>conversion factor um/pixel</Name><Val>0.32250</Val></DBL></Cluster></LVData>
""".encode("latin-1"))
    note("scanr", [(n, p, stack(w % 3, p, (0,), (0, 1), (0, 1))) for w, n in ((1, "A01"), (14, "B02")) for p in (1, 2)],
         channels=["DAPI", "cy5"], pixel_size=0.3225, z=None, interval=None, left_out="", objective="Plate: plate µ", entry="experiment_descriptor.xml")


def micro_manager_1():
    """1.4: a folder for each position."""
    for p in (0, 1):
        folder = ROOT / "mm1" / f"Pos{p}"
        frames = {"Summary": {"ChNames": ["DAPI", "GFP"], "ChColors": [0x0000FF, -16711936], "PixelSize_um": 0.1075, "z-step_um": 0.5,
                              "MicroManagerVersion": "1.4.22", "Channels": 2, "Slices": 2, "Frames": 2, "Positions": 2}}
        for t in (0, 1):
            for c, channel in enumerate(("DAPI", "GFP")):
                for z in (0, 1):
                    name = f"img_{t:09}_{channel}_{z:03}.tif"
                    write(folder / name, plane(0, p, t, c, z))
                    frames[f"FrameKey-{t}-{c}-{z}"] = {"FileName": name, "FrameIndex": t, "Frame": t, "ChannelIndex": c, "SliceIndex": z, "Slice": z,
                                                       "PositionIndex": p, "PixelSizeUm": 0.1075, "Channel": channel, "ElapsedTime-ms": 5000 * t + 10 * c + z,
                                                       "ZPositionUm": z * 0.5}
        (folder / "metadata.txt").write_text(json.dumps(frames, indent=1))
    note("mm1", [(None, p, stack(0, p, (0, 1), (0, 1), (0, 1))) for p in (0, 1)], channels=["DAPI", "GFP"], pixel_size=0.1075, z=0.5, interval=5,
         left_out="", entry=None)


def micro_manager_2():
    folder = ROOT / "mm2" / "Default"
    data = {"Summary": {"ChNames": ["Cy5"], "z-step_um": -2, "MicroManagerVersion": "2.0.0", "StartTime": "2020-01-02 03:04:05"}}
    for p in (0, 1, 2):
        for t in (0, 1, 2):
            name = f"img_channel000_position{p:03}_time{t:09}_z000.tif"
            write(folder / name, plane(0, p, t, 0, 0))
            data[f"Coords-Default/{name}"] = {"position": p, "time": t, "z": 0, "channel": 0, "PositionIndex": p, "FrameIndex": t, "SliceIndex": 0, "ChannelIndex": 0}
            data[f"Metadata-Default/{name}"] = {"PixelSizeUm": 0.65, "ElapsedTime-ms": 100.5 * t, "ZPositionUm": 3, "Channel": "Cy5"}
    (folder / "metadata.txt").write_text(json.dumps(data))
    note("mm2/Default", [(None, p, stack(0, p, (0, 1, 2), (0,), (0,))) for p in (0, 1, 2)], channels=["Cy5"], pixel_size=0.65, z=None, interval=0.1005,
         left_out="", entry="metadata.txt")


def micro_manager_stacks():
    """One OME-TIFF for each position."""
    folder = ROOT / "mmstack"
    folder.mkdir()
    for p in (0, 1):
        tifffile.imwrite(folder / f"run_MMStack_Pos{p}.ome.tif", stack(0, p, (0, 1), (0, 1), (0, 1, 2)),
                         metadata={"axes": "TCZYX", "Channel": {"Name": ["DAPI", "GFP"]}, "PhysicalSizeX": 0.2, "PhysicalSizeY": 0.2})
        (folder / f"run_MMStack_Pos{p}_metadata.txt").write_text('{"Summary": {"Slices": 3}}')
    note("mmstack", [(None, p, stack(0, p, (0, 1), (0, 1), (0, 1, 2))) for p in (0, 1)], channels=["DAPI", "GFP"], pixel_size=0.2, z=None, interval=None,
         left_out="", entry=None)


def nd_tiff_index(folder, entries):
    """entries: file -> (axes, pixels, metadata) of its pages in the order of the index; pages are where tifffile puts them."""
    index = b""
    for name, pages in entries.items():
        _made(folder / name)
        with tifffile.TiffWriter(folder / name) as file:
            for axes, pixels, metadata in pages:
                file.write(pixels, contiguous=False, metadata=None, photometric="rgb" if pixels.ndim == 3 else "minisblack")
        with tifffile.TiffFile(folder / name) as file:
            offsets = [page.dataoffsets[0] for page in file.pages]
        with open(folder / name, "ab") as file:
            for (axes, pixels, metadata), offset in zip(pages, offsets):
                text = json.dumps(metadata).encode()
                axes = json.dumps(axes).encode()
                index += struct.pack("<I", len(axes)) + axes + struct.pack("<I", len(name)) + name.encode()
                index += struct.pack("<8I", offset, pixels.shape[1], pixels.shape[0], 1 if pixels.ndim == 2 else 2, 0, file.tell(), len(text), 0)
                file.write(text)
    (folder / "NDTiff.index").write_bytes(index + bytes(64))


def nd_tiff():
    """Two files, in any order; the first image was taken again later. A stitched one of colors."""
    def page(p, t, c, z, name, value=None):
        return ({"position": name, "time": t, "channel": ("DAPI", "GFP")[c], "z": z}, plane(p, 1, t, c, z) if value is None else numpy.full((ROWS, COLUMNS), value, "u2"),
                {"PixelSizeUm": 0.65, "ZPositionUm": 3 + 0.5 * z, "ElapsedTime-ms": 2500 * t + 10 * z, "Channel": "wrong"})

    names = ("Pos2", "Pos10")
    pages = [page(p, t, c, z, name) for z in (-1, 0, 1) for c in (0, 1) for t in (0, 1, 2) for p, name in enumerate(names)]
    nd_tiff_index(ROOT / "ndtiff", {"a_NDTiffStack.tif": [page(0, 0, 0, -1, "Pos2", 7), *pages[20:]], "a_NDTiffStack_1.tif": pages[:20]})
    note("ndtiff", [(name, None, stack(p, 1, (0, 1, 2), (0, 1), (-1, 0, 1))) for p, name in enumerate(names)], channels=["DAPI", "GFP"], pixel_size=0.65, z=0.5, interval=2.5,
         left_out="", entry="NDTiff.index")
    tiles = [({"row": r, "column": c, "z": 0}, numpy.moveaxis(stack(0, 10 * r + c, (0,), range(3), (0,), "u1")[0, :, 0], 0, -1), {"PixelSizeUm": 0.65}) for r in (0, 1) for c in (0, 1)]
    nd_tiff_index(ROOT / "ndtiled" / "Full resolution", {"b_NDTiffStack.tif": tiles})
    note("ndtiled", [(f"row {a['row']}, column {a['column']}", None, stack(0, 10 * a["row"] + a["column"], (0,), range(3), (0,), "u1")) for a, _, _ in tiles],
         channels=None, pixel_size=0.65, z=None, interval=None, left_out="")


def patterns():
    folder = ROOT / "names"
    for well, name in enumerate(("A02", "B10")):
        for f in (1, 2):
            for c, channel in enumerate(("dapi", "gfp")):
                write(folder / f"p1_{name}_f{f}_{channel}_x{well * 10 + f}.tif", plane(well, f, 0, c, 0))
    series = [(n, f, stack(w, f, (0,), (0, 1), (0,))) for w, n in enumerate(("A02", "B10")) for f in (1, 2)]
    note("names/p1_{well}_f{field}_{channel}_x{_}.tif", series, channels=["dapi", "gfp"], pixel_size=None, z=None, interval=None, left_out="")
    note(r"names/_(?P<row>[A-P])(?P<column>\d\d)_f(?P<field>\d)_(?P<channel>[a-z]+)_x\d+\.tif$", series, channels=["dapi", "gfp"], pixel_size=None, z=None,
         interval=None, left_out="")
    # The second channel of fields at the positions 1 and 2 of 1 and 2, of the wells that begin with B.
    note("names/p1_{well=B*}_f{field:1-2}_{channel:2}_x{_=#}.tif", [(n, f, array[:, 1:]) for n, f, array in series if n == "B10"], channels=["gfp"],
         pixel_size=None, z=None, interval=None, left_out="")
    folder = ROOT / "stack"
    for z in (1, 2, 9, 10, 11):
        write(folder / f"img{z}.tif", plane(0, 0, 0, 0, z))
    for part in ("z", "slice"):
        note(f"stack/img{{{part}}}.tif", [(None, None, stack(0, 0, (0,), (0,), (1, 2, 9, 10, 11)))], channels=None, pixel_size=None, z=None, interval=None, left_out="")
    for text, chosen in ("z:2-4", (2, 9, 10)), ("z:1-end-2", (1, 9, 11)), ("z:1,4-5", (1, 10, 11)), ("z:2", (2,)), ("z=1*", (1, 10, 11)), ("z:2-end=1*", (10, 11)), ("z=1?", (10, 11)):
        note(f"stack/img{{{text}}}.tif", [(None, None, stack(0, 0, (0,), (0,), chosen))], channels=None, pixel_size=None, z=None, interval=None, left_out="")
    note("stack/{t}.tif", [(None, None, stack(0, 0, (1,), (0,), (0,))[:0].reshape(0, 1, 1, ROWS, COLUMNS))], channels=None, pixel_size=None, z=None, interval=None,
         left_out="")
    sets[-1]["series"][0]["array"] = "frames.npy"
    numpy.save(ROOT / "frames.npy", stack(0, 0, (0,), (0,), (1, 2, 9, 10, 11)).transpose(2, 1, 0, 3, 4))
    # Files that have slices of their own, in folders for frames.
    for t in (1, 2, 10):
        tifffile.imwrite(_made(ROOT / "deep" / f"t{t}" / "b.tif"), numpy.array([plane(0, 0, t, 0, z) for z in range(4)]), imagej=True, metadata={"axes": "ZYX"})
    note("deep/t{t}/b.tif", [(None, None, stack(0, 0, (1, 2, 10), (0,), range(4)))], channels=None, pixel_size=None, z=None, interval=None, left_out="")
    # Colors are the channels of a file.
    for f in (1, 2):
        write(ROOT / "colors" / f"c{f}.tif", numpy.moveaxis(stack(0, f, (0,), range(3), (0,), "u1")[0, :, 0], 0, -1), photometric="rgb")
    note("colors/c{field}.tif", [(None, f, stack(0, f, (0,), range(3), (0,), "u1")) for f in (1, 2)], channels=None, pixel_size=None, z=None, interval=None, left_out="")
    # Frame 2 lacks a channel.
    for t in (0, 1, 2):
        for c in (0, 1):
            if (t, c) != (2, 1):
                write(ROOT / "short" / f"t{t}c{c}.tif", plane(0, 0, t, c, 0))
    note("short/t{t}c{channel}.tif", [(None, None, stack(0, 0, (0, 1), (0, 1), (0,)))], channels=None, pixel_size=None, z=None, interval=None,
         left_out="2 of the 6 planes, as some are missing")


def _made(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


operetta("harmony5", 5, "Index.idx.xml")
operetta("harmony6", 6, "Index.xml", images="images")
operetta("harmony_cut", 5, "Index.idx.xml", "r02c03f01p02-ch2sk2fk1fl1.tiff")
cell_voyager()
image_xpress()
image_xpress_z()
image_xpress_projections()
scan_r()
micro_manager_1()
micro_manager_2()
micro_manager_stacks()
nd_tiff()
patterns()
json.dump(sets, sys.stdout)
