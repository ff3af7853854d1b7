#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains the network for a given time and writes OUT/NAME.npz, its folded weights, and OUT/NAME.json, how it was trained:

    train.py DATA/train.npz OUT [--name nuclei] [--seconds 290] [--seed 1] [--without tissue] [--device cuda]
"""
import argparse
import json
import math
import pathlib
import time

import numpy as np
import torch

from crops import Crops
from network import Network
from targets import Rays, loss, make_targets, walk_rays


def update_average(average, network, steps):
    """A running mean of the weights, which is what is kept."""
    decay = min(0.9985, (1 + steps) / (10 + steps))
    state = network.state_dict()
    keys = [key for key in state if state[key].is_floating_point()]
    torch._foreach_mul_([average[key] for key in keys], decay)
    torch._foreach_add_([average[key] for key in keys], [state[key].float() for key in keys], alpha=1 - decay)


def check_rays(crops, rays):
    """The kernel and the loop must agree, but for rays that pass within rounding of a corner."""
    labels = crops.make(2, 256)[1]
    padded = torch.nn.functional.pad(labels, (1, 1, 1, 1))
    cells = torch.nonzero(labels[:, ::2, ::2], as_tuple=True)
    if len(cells[0]) and ((rays(padded, *cells) - walk_rays(padded, *cells)).abs() > 0.6).float().mean() > 0.005:
        raise SystemExit("The kernel for rays is wrong on this GPU.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--name", default="nuclei")
    parser.add_argument("--seconds", type=float, default=290)
    parser.add_argument("--steps", type=int, default=10 ** 9, help="at most so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--side", type=int, default=256, help="of a crop, in pixels")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--without", default="", help="a split that does not train, such as tissue")
    parser.add_argument("--device", default="cuda")
    choice = parser.parse_args()
    device = torch.device(choice.device)
    cuda = device.type == "cuda"
    torch.manual_seed(choice.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = True
    crops = Crops(choice.data, device, [split for split in ("train", "tissue") if split != choice.without])
    rays = Rays(device)
    if cuda:
        check_rays(crops, rays)
    network = Network().to(device)
    if cuda:
        network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=choice.rate, weight_decay=1e-3, **({"fused": True} if cuda else {}))
    average = {key: value.detach().clone().float() for key, value in network.state_dict().items()}
    start, steps, recent, log, logged = time.time(), 0, 0.0, [], 0.0
    while steps < choice.steps:
        done = (time.time() - start) / choice.seconds
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = choice.rate * min(1, steps / 200 + 0.02) * (0.5 * (1 + math.cos(math.pi * done)) + 0.005)
        with torch.no_grad():
            images, labels, copy = crops.make(choice.batch, choice.side)
            targets = make_targets(labels, copy, rays)
        images = images.contiguous(memory_format=torch.channels_last)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=cuda):
            raw = network(images)
        wrong = loss(raw, targets)
        optimizer.zero_grad(set_to_none=True)
        wrong.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        steps += 1
        update_average(average, network, steps)
        recent = wrong.detach() if steps == 1 else 0.98 * recent + 0.02 * wrong.detach()
        if time.time() - logged > (15 if cuda else 3):
            logged = time.time()
            log.append((round(logged - start), steps, round(float(recent), 4)))
            print(choice.name, "%d s, step %d, loss %.4f" % log[-1], flush=True)
    state = network.state_dict()
    network.load_state_dict({key: average[key].to(value.dtype) if value.is_floating_point() else value for key, value in state.items()})
    choice.out.mkdir(parents=True, exist_ok=True)
    np.savez(choice.out / (choice.name + ".npz"), **network.cpu().float().eval().folded())
    record = {key: value for key, value in vars(choice).items() if not isinstance(value, pathlib.Path)}
    record.update({"steps": steps, "fields": crops.fields, "parameters": sum(p.numel() for p in network.parameters()), "log": log,
                   "torch": torch.__version__, "device": torch.cuda.get_device_name() if cuda else "cpu"})
    (choice.out / (choice.name + ".json")).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
