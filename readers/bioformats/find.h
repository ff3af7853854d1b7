/* SPDX-License-Identifier: MIT
 *
 * Where Java and Bio-Formats are.
 */
#ifndef READERS_BIOFORMATS_FIND_H
#define READERS_BIOFORMATS_FIND_H

#define BIOFORMATS_JAR "bioformats_package.jar"
#define BIOFORMATS_VARIABLE "FOVEA_BIOFORMATS" /* a jar, or the folder of Fiji */

/* Both: free with free(). NULL: it is not there. */

/* Of $JAVA_HOME, of the PATH, or of Fiji. */
char *bioformats_find_java (void);
/* What Java's option -cp takes: bioformats_package.jar of $FOVEA_BIOFORMATS, of the user's or the system's folders or of Python's package, or the jars of
 * Fiji. */
char *bioformats_find_classes (void);

#endif
