// SPDX-License-Identifier: MIT
// Steps of Fovea on images, as processes of Nextflow. README.md has the settings.

/** A word of a shell that means exactly this text. */
def word(text) {
    "'" + text.toString().replace("'", "'\\''") + "'"
}

def words(texts) {
    (texts ?: []).collect { text -> word(text) }.join(' ')
}

/** -o NAME=PATTERN.ENDING of each result with a name. */
def saved(outputs, pattern) {
    (outputs ?: [:]).collect { name, ending -> "-o ${word(name + '=')}${pattern}${word('_' + name + '.' + ending)}" }.join(' ')
}

/** One image. Its name is that of the file, so it does not appear in the script. */
process FOVEA_RUN {
    input:
    path image, stageAs: 'input/*'
    val settings

    output:
    path 'out/*', emit: images, optional: true
    path 'tables/*.csv', emit: tables, optional: true

    script:
    """
    mkdir -p out tables
    image=(input/*)
    stem=\$(basename "\${image[0]}")
    stem=\${stem%.*}
    OMP_NUM_THREADS=${task.cpus} fovea run ${words(settings.options)} ${word(settings.steps)} "\${image[0]}" ${saved(settings.outputs, 'out/"\$stem"')} ${settings.table ? '-t "tables/\$stem.csv"' : ''}
    """
}

/** Many images in one job, and one table of all. */
process FOVEA_BATCH {
    input:
    path images, stageAs: 'input/*'
    val settings

    output:
    path 'out/*_*', emit: images, optional: true
    path 'out/table.csv', emit: table, optional: true

    script:
    """
    fovea batch ${words(settings.options)} -j ${task.cpus} ${word(settings.steps)} input --out out ${saved(settings.outputs, '{name}')} ${settings.table ? '-t table.csv' : ''}
    """
}
