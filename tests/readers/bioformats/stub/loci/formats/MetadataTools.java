/* SPDX-License-Identifier: MIT */
package loci.formats;

public final class MetadataTools {
    private MetadataTools() {
    }

    public static Metadata createOMEXMLMetadata() {
        return new Metadata();
    }
}
