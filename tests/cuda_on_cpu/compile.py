#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles a CUDA source for the CPU: compile.py SOURCE OBJECT DEPFILE COMPILER...

The compiler's preprocessor runs first, with the headers of include/ in place of CUDA's. What it gives is C++ but for kernels in angle
brackets, shared memory, launch bounds and PTX, which are written as calls of those headers here. Lines keep their numbers."""
import re
import subprocess
import sys

OPEN, CLOSE = '([{<', ')]}>'


def closing(text, at):
    """The offset after the bracket that closes the one at `at`."""
    depth = 0
    while True:
        if text[at] in '([{':
            depth += 1
        elif text[at] in ')]}':
            depth -= 1
            if not depth:
                return at + 1
        at += 1


def opening_angle(text, at):
    """The offset of the angle bracket that the one at `at` closes."""
    depth = 0
    while True:
        if text[at] in '>)':
            depth += 1
        elif text[at] in '<(':
            depth -= 1
            if not depth:
                return at
        at -= 1


def parts(text, separator=','):
    """Splits at separators that are in no brackets."""
    found, depth, begin = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in OPEN) - (c in CLOSE)
        if c == separator and not depth:
            found.append(text[begin:at])
            begin = at + 1
    return found + [text[begin:]]


def launches(text):
    """kernel<T><<<grid, block>>> (a)  ->  cuda_on_cpu::start ("kernel", [&] { kernel<T> (a); }, grid, block)"""
    while (at := text.find('<<<')) >= 0:
        end = at
        while text[end - 1].isspace():
            end -= 1
        begin = opening_angle(text, end - 1) if text[end - 1] == '>' else end
        name = re.search(r'\w+$', text[:begin]).group()
        begin -= len(name)
        until = text.index('>>>', at)
        last = closing(text, text.index('(', until))
        text = (text[:begin] + f'cuda_on_cpu::start ("{name}", [&] {{ {text[begin:at]} {text[until + 3:last]}; }}, '
                + text[at + 3:until] + ')' + text[last:])
    return text


def shared_variables(match):
    """__shared__ int a[4], b;  ->  references to memory of the block"""
    first, *others = parts(match.group(1))
    kind, name, size = re.fullmatch(r'(.*?[\s>])(\w+)((?:\s*\[.*\])?)\s*', first, re.S).groups()
    named = [(name, size)] + [re.fullmatch(r'\s*(\w+)((?:\s*\[.*\])?)\s*', other, re.S).groups() for other in others]
    return ' '.join(f'static int slot_of_{n}; typedef {kind} type_of_{n}{s}; '
                    f'type_of_{n} &{n} = *cuda_on_cpu::shared<type_of_{n}> (&slot_of_{n});' for n, s in named)


def launch_bounds(text):
    """__launch_bounds__ (n) kernel (...) {  ->  kernel (...) { cuda_on_cpu::launch_bounds (n);"""
    while match := re.search(r'\b__launch_bounds__\s*', text):
        end = closing(text, match.end())
        bound = parts(text[match.end() + 1:end - 1])[0]
        text = text[:match.start()] + text[end:]
        at = re.compile(r'[;{]').search(text, match.start()).end()
        if text[at - 1] == '{':
            text = text[:at] + f' cuda_on_cpu::launch_bounds ({bound});' + text[at:]
    return text


def assembly(match):
    """asm volatile ("add.u32 %0, %1;" : "=r"(a) : "r"(b))  ->  ptx_add_u32 (a, b)"""
    ptx = ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', re.match(r'(\s*"(?:[^"\\]|\\.)*")+', match.group(1)).group()))
    words = [line.split()[0] for line in re.split(r';|\{\\n|\\n|\\t', ptx.replace('}', '')) if line.strip() and line.strip()[0].isalpha()]
    operands = []
    for _, begin in ((m.group(), m.end()) for m in re.finditer(r'"[=+]?[rl]"\s*(?=\()', match.group(1))):
        operands.append(match.group(1)[begin + 1:closing(match.group(1), begin) - 1])
    return 'ptx_' + re.sub(r'\W', '_', '_'.join(words)) + f' ({", ".join(operands)});'


def rewrite(text):
    text = re.sub(r'\bextern\s+__shared__\s+((?:__attribute__\s*\(\(aligned\s*\(\d+\)\)\)\s*)?)([^;]*?)(\w+)\s*\[\s*\]\s*;',
                  r'\2*\3 = (\2*) cuda_on_cpu::dynamic_shared ();', text)
    text = re.sub(r'\b__shared__\s+([^;]*);', shared_variables, text)
    text = re.sub(r'\basm\s+volatile\s*\(((?:[^";]|"(?:[^"\\]|\\.)*")*)\)\s*;', assembly, text)
    text = re.sub(r'(\bcudaLaunch\w*Kernel\s*\(\s*)\(const void \*\)\s*', r'\1', text)
    text = re.sub(r'\bcudaFuncSetAttribute\s*\(\s*(\w+)', r'cuda_on_cpu_set_attribute ("\1", \1', text)
    return launches(launch_bounds(text))


def main(source, target, depfile, *compiler):
    made = subprocess.run([*compiler, '-E', '-MD', '-MF', depfile, '-MT', target, '-x', 'c++', source], check=True,
                          stdout=subprocess.PIPE, text=True)
    rewritten = target + '.ii'
    with open(rewritten, 'w', encoding='utf-8') as file:
        file.write(rewrite(made.stdout))
    options = [word for word in compiler if not word.startswith(('-I', '-D'))]
    options = [word for word in options if word not in ('-include', 'cuda_runtime.h')]
    subprocess.run([*options, '-c', '-x', 'c++-cpp-output', rewritten, '-o', target], check=True)


main(*sys.argv[1:])
