# SPDX-License-Identifier: MIT
# Steps of Fovea on many images, as rules of Snakemake: a job for each image, and one table of all. README.md has the configuration.
import csv
import glob
import os
import re

FOLDER = config.get("results", "results")
TABLE = config.get("table", True)
#: Name of a result (as=NAME in the steps) -> ending of its files.
OUTPUTS = config.get("outputs", {})


def images_by_name():
    """The name of each image, without folder and ending -> its file."""
    patterns = config["images"] if isinstance(config["images"], list) else [config["images"]]
    files = sorted({path for pattern in patterns for path in glob.glob(pattern, recursive=True)})
    if not files:
        raise WorkflowError(f"fovea: No file matches images: {', '.join(patterns)}.")
    named = {}
    for path in files:
        name = os.path.splitext(os.path.basename(path))[0]
        if named.setdefault(name, path) != path:
            raise WorkflowError(f"fovea: '{named[name]}' and '{path}' have the same name; run them in two workflows, with other results.")
    return named


IMAGES = images_by_name()
wildcard_constraints:
    image="|".join(re.escape(name) for name in IMAGES),


rule fovea_all:
    default_target: True
    input:
        f"{FOLDER}/table.csv" if TABLE else [],
        [f"{FOLDER}/{name}/{image}.{ending}" for name, ending in OUTPUTS.items() for image in IMAGES],


rule fovea_run:
    input:
        lambda wildcards: IMAGES[wildcards.image],
    output:
        table=[FOLDER + "/tables/{image}.csv"] if TABLE else [],
        images=[f"{FOLDER}/{name}/{{image}}.{ending}" for name, ending in OUTPUTS.items()],
    params:
        steps=config["steps"],
        options=config.get("options", []),
        saved=lambda wildcards, output: [word for name, path in zip(OUTPUTS, output.images) for word in ("-o", f"{name}={path}")]
        + [word for path in output.table for word in ("-t", path)],
    log:
        FOLDER + "/logs/{image}.log",
    threads: config.get("threads", 1)
    shell:
        "OMP_NUM_THREADS={threads} fovea run {params.options:q} {params.steps:q} {input:q} {params.saved:q} 2> {log:q}"


rule fovea_table:
    input:
        [f"{FOLDER}/tables/{image}.csv" for image in IMAGES],
    output:
        f"{FOLDER}/table.csv",
    run:
        header = None
        with open(output[0], "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            for image, path in zip(IMAGES, input):
                with open(path, newline="", encoding="utf-8-sig") as part:
                    rows = list(csv.reader(part))
                if header is None:
                    header = rows[0]
                    writer.writerow(["image"] + header)
                elif rows[0] != header:
                    raise WorkflowError(f"fovea: '{path}' has other columns than the first table.")
                writer.writerows([image] + row for row in rows[1:])
