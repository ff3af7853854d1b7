/* SPDX-License-Identifier: MIT
 *
 * The stub has no colors to take apart: this is the reader inside.
 */
package loci.formats;

public class ChannelFiller extends Wrapper {
    public ChannelFiller(ImageReader reader) {
        super(reader);
    }
}
