/* SPDX-License-Identifier: MIT
 *
 * The stub has no colors to take apart: this is the reader inside.
 */
package loci.formats;

public class ChannelSeparator extends Wrapper {
    public ChannelSeparator(ImageReader reader) {
        super(reader);
    }
}
