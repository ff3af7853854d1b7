#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes data/workflow.png, the picture of the README, by the command that the README has above it.
cd "$(dirname "$0")/.." || exit 1
command=$(sed -n 's/^    \(build\/command\/fovea run .*\) -o nuclei.png .*/\1/p' README.md)
eval "$command --quiet -o data/workflow.png"
