#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes data/window.webp, the moving picture of the README: the app on the sample of nuclei, a slider that is dragged, and outlines and table that
# follow, under a display of its own (needs Xvfb, D-Bus, xdotool, xwd, netpbm and img2webp).
cd "$(dirname "$0")/.." || exit 1
if [ -z "${FOVEA_SHOT:-}" ]; then
  FOVEA_SHOT=1 GTK_A11Y=none GSK_RENDERER=cairo GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GTK_USE_PORTAL=0 \
    exec xvfb-run -a -s '-screen 0 1280x800x24 -noreset' dbus-run-session -- "$0"
fi
work=$(mktemp -d)
export XDG_STATE_HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
build/ui/fovea-gtk data/samples/nuclei_rgb.tif &
program=$!
sleep 3
gdbus call --session --dest org.fovea.Fovea --object-path /org/fovea/Fovea/window/1 --method org.gtk.Actions.Activate set-steps \
  "[<'channel index=1 as=green | gaussian sigma=1.5 | otsu | fill_holes | split h=0.75 as=cells | regionprops intensity=green properties=label,area,intensity_mean,solidity,eccentricity,axis_major_length,centroid'>]" '{}' >/dev/null
sleep 3
xdotool mousemove 1040 136 click 1
sleep 2
frames=()
# frame MILLISECONDS: a picture of the screen, which is shown for so long.
frame() {
  local file=$work/${#frames[@]}.png
  xwd -root -silent | xwdtopnm -quiet | pnmtopng -quiet >"$file"
  frames+=(-d "$1" "$file")
}
y=224 x=1090
xdotool mousemove $x $y
frame 1200
xdotool mousedown 1
for ((i = 1; i <= 16; i++)); do
  xdotool mousemove $((x + (i <= 8 ? i : 16 - i) * 4)) $y
  sleep 0.6
  frame $((i == 8 ? 1000 : 200))
done
xdotool mouseup 1
img2webp -loop 0 -lossy -q 60 -m 6 "${frames[@]}" -o data/window.webp >/dev/null
kill "$program"
rm -rf "$work"
