/* SPDX-License-Identifier: MIT
 *
 * A reader that does what another one does.
 */
package loci.formats;

import java.io.IOException;

public class Wrapper extends ImageReader {
    private final ImageReader reader;

    Wrapper(ImageReader inside) {
        reader = inside;
    }

    @Override
    public void setMetadataStore(Metadata store) {
        reader.setMetadataStore(store);
    }

    @Override
    public void setId(String file) throws IOException {
        reader.setId(file);
    }

    @Override
    public String[] getUsedFiles() {
        return reader.getUsedFiles();
    }

    @Override
    public int getSeriesCount() {
        return reader.getSeriesCount();
    }

    @Override
    public void setSeries(int number) {
        reader.setSeries(number);
    }

    @Override
    public void setResolution(int number) {
        reader.setResolution(number);
    }

    @Override
    public int getResolutionCount() {
        return reader.getResolutionCount();
    }

    @Override
    public int getSizeX() {
        return reader.getSizeX();
    }

    @Override
    public int getSizeY() {
        return reader.getSizeY();
    }

    @Override
    public int getSizeZ() {
        return reader.getSizeZ();
    }

    @Override
    public int getSizeC() {
        return reader.getSizeC();
    }

    @Override
    public int getSizeT() {
        return reader.getSizeT();
    }

    @Override
    public int getPixelType() {
        return reader.getPixelType();
    }

    @Override
    public boolean isLittleEndian() {
        return reader.isLittleEndian();
    }

    @Override
    public int getIndex(int z, int c, int t) {
        return reader.getIndex(z, c, t);
    }

    @Override
    public byte[] openBytes(int number, byte[] bytes, int x, int y, int w, int h) throws IOException {
        return reader.openBytes(number, bytes, x, y, w, h);
    }
}
