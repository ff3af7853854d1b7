/* SPDX-License-Identifier: MIT
 *
 * In the role of Bio-Formats: files are a line of what they hold, "stub x=50 y=40 z=5 c=2 t=3 type=3", and each pixel is a number that follows from its
 * position.
 */
package loci.formats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;

public class ImageReader {
    private static final int[] BYTES = {1, 1, 2, 2, 4, 4, 4, 8, 1};
    private final Map<String, Integer> said = new HashMap<>();
    private Metadata metadata;
    private int series, level;
    private String path;

    public void setFlattenedResolutions(boolean flattened) {
    }

    public void setMetadataStore(Metadata store) {
        metadata = store;
    }

    public void setId(String file) throws IOException {
        path = file;
        String[] words = new String(Files.readAllBytes(Paths.get(file)), "UTF-8").trim().split(" ");
        if (!words[0].equals("stub"))
            throw new IOException("It does not begin with stub");
        for (int i = 1; i < words.length; i++)
            said.put(words[i].split("=")[0], Integer.valueOf(words[i].split("=")[1]));
        if (get("halt", 0) != 0)
            Runtime.getRuntime().halt(9);
        if (get("endless", 0) != 0)
            throw new OutOfMemoryError("no room");
        metadata.samples = get("rgb", 0) != 0 ? 3 : 1;
        System.out.println("What is printed must not reach the owner.");
    }

    private int get(String key, int otherwise) {
        return said.getOrDefault(key, otherwise);
    }

    public void close() {
    }

    public String[] getUsedFiles() {
        return new String[] {path, path + ".other"};
    }

    public String getFormat() {
        return "Stub";
    }

    public int getSeriesCount() {
        return get("series", 1);
    }

    public void setSeries(int number) {
        series = number;
    }

    public void setResolution(int number) {
        level = number;
    }

    public int getResolutionCount() {
        return get("levels", 1);
    }

    public int getSizeX() {
        return get("x", 1) >> level;
    }

    public int getSizeY() {
        return get("y", 1) >> level;
    }

    public int getSizeZ() {
        return get("z", 1);
    }

    public int getSizeC() {
        return get("c", 1);
    }

    public int getSizeT() {
        return get("t", 1);
    }

    public int getPixelType() {
        return get("type", 1);
    }

    public boolean isLittleEndian() {
        return get("little", 0) != 0;
    }

    public int getOptimalTileWidth() {
        return 512;
    }

    public int getOptimalTileHeight() {
        return 512;
    }

    public int getIndex(int z, int c, int t) {
        return (t * getSizeC() + c) * getSizeZ() + z;
    }

    public byte[] openBytes(int number, byte[] bytes, int x, int y, int w, int h) throws IOException {
        int type = getPixelType();
        ByteBuffer to = ByteBuffer.wrap(bytes).order(isLittleEndian() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        if (get("broken", -1) == number)
            throw new IOException("Plane " + number + " is damaged");
        for (int i = 0; i < w * h; i++) {
            int value = (x + i % w + 2 * (y + i / w) + 10 * number + 7 * level + 31 * series) % 100;
            if (type == 6)
                to.putFloat(value);
            else if (type == 7)
                to.putDouble(value);
            else if (BYTES[type] == 4)
                to.putInt(value);
            else if (BYTES[type] == 2)
                to.putShort((short) value);
            else
                to.put((byte) (type == 8 ? value % 2 : value));
        }
        return bytes;
    }
}
