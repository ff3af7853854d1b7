/* SPDX-License-Identifier: MIT
 *
 * One line for each action, in order; words of its own name are not repeated.
 */
#include "ui/app/synonyms.h"

#include <glib.h>
#include <string.h>

static const struct {
  const char *command, *words;
} table[] = {
  {"app.devices", "gpu cuda graphics card cpu driver"},
  {"app.open", "load import file image"},
  {"win.batch", "many images folder files process multiple all workflow recipe pipeline"},
  {"win.close-others", "tabs images all but this"},
  {"win.compare", "preview difference split view side by side"},
  {"win.compare-devices", "benchmark speed time gpu cuda cpu faster speedup measure"},
  {"win.convert::f32", "type bit depth float real numbers"},
  {"win.convert::u16", "type bit depth scaled as displayed"},
  {"win.convert::u8", "type bit depth scaled as displayed byte"},
  {"win.copy-figure", "clipboard picture image screenshot flatten"},
  {"win.copy-path", "file name folder clipboard where"},
  {"win.copy-step", "macro script clipboard"},
  {"win.copy-steps", "macro script workflow recipe clipboard"},
  {"win.delete-step", "remove"},
  {"win.display",
   "brightness contrast levels histogram window level auto lut look-up table colour map gamma adjust display"},
  {"win.duplicate", "copy image clone second tab"},
  {"win.duplicate-step", "copy again twice"},
  {"win.edit-lut", "look-up table colour map palette editor gradient invert"},
  {"win.export-figure",
   "publication picture scale bar colour bar color calibration overlay flatten label time stamp png svg pdf print dpi"},
  {"win.import-sequence", "numbered images stack folder names pattern well channel slice frame image sequence"},
  {"win.keep-selection", "roi manager add region of interest"},
  {"win.line-profile", "plot profile intensity along line"},
  {"win.measure", "roi mean area selection intensity"},
  {"win.measure-list", "roi manager multi measure"},
  {"win.models", "network neural deep learning ai onnx zoo bioimage add download card license test"},
  {"win.new-image", "create generate black white ramp noise blank synthetic empty"},
  {"win.open-folder", "browse directory thumbnails gallery project all images"},
  {"win.open-lut", "load look-up table colour map palette"},
  {"win.open-next", "following image of folder"},
  {"win.open-previous", "image of folder before"},
  {"win.open-steps", "load macro script workflow recipe"},
  {"win.paste-steps", "macro script workflow recipe clipboard"},
  {"win.properties", "info metadata show info pixel size scale bar unit voxel"},
  {"win.recipe", "count measure workflow pipeline protocol template begin"},
  {"win.record", "macro recorder script"},
  {"win.remove-selection", "roi delete"},
  {"win.rename-selection", "roi name"},
  {"win.reset-step", "reset original values parameters"},
  {"win.restrict", "roi only inside crop"},
  {"win.save", "export write tiff png image as"},
  {"win.save-lut", "export look-up table colour map palette"},
  {"win.save-recipe", "export macro script workflow template own"},
  {"win.save-steps", "export macro script workflow recipe"},
  {"win.select-all", "whole image roi"},
  {"win.select-none", "deselect clear roi remove"},
  {"win.selections", "roi manager list regions of interest rois"},
  {"win.set-scale", "scale bar calibration micron pixel size unit known distance"},
  {"win.show-labels", "label image colours colors glasbey random objects segmentation look-up table"},
  {"win.show-row", "object table find"},
  {"win.skip-step", "disable enable switch off eye mute"},
  {"win.slices-are-frames", "time series movie t z hyperstack reorder swap"},
  {"win.split-channels", "separate colour color red green blue tabs"},
  {"win.stop", "cancel abort"},
  {"win.update-selection", "roi change shape"},
  {"win.zoom-100", "actual size original"},
  {"win.zoom-fit", "whole image full"},
  {"win.zoom-object", "find particle cell nucleus selection"},
};

const char *
synonyms_of (const char *command)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!strcmp (table[i].command, command))
      return table[i].words;
  return "";
}
