#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes data/window.png, the picture of the window in the README: the workflow on the sample, under a display of its own (needs Xvfb, D-Bus, xdotool,
# xwd and netpbm): the step gaussian with the outlines of its objects, the table sorted by solidity, the oddest of its objects picked.
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
xdotool mousemove 702 621 click 1 sleep 0.5 mousemove 100 644 click 1 sleep 0.5 mousemove 1040 136 click 1 mousemove 500 790
sleep 3
xwd -root -silent | xwdtopnm | pnmtopng -compression 9 >data/window.png
kill "$program"
rm -rf "$work"
