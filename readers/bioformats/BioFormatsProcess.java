/* SPDX-License-Identifier: MIT
 *
 * The process that reads files with Bio-Formats, in the protocol of readers/process/protocol.h. Bio-Formats is the user's: its classes are found at run
 * time, by their names, so that any version will do and none is needed to compile this.
 */
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;

public final class BioFormatsProcess {
    private static final int OPEN = 1, IMAGE = 2, READ = 3, CLOSE = 4;
    private static final int OK = 0, BAD_INPUT = 2, NO_MEMORY = 3, UNSUPPORTED = 6;
    private static final int PIXELS = 16 << 20, MAX_REQUEST = 1 << 16, MAX_LEVELS = 32, MAX_CHANNELS = 1 << 16;
    /* fv_type of FormatTools' INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT, DOUBLE, BIT. */
    private static final int[] TYPES = {1 << 5, 1, 1 << 6, 1 << 1, 1 << 2, 1 << 7, 1 << 3, 1 << 4, 1};
    private static final int[] BYTES = {1, 1, 2, 2, 4, 4, 4, 8, 1};
    private static final int UINT8 = 1, BIT = 8, ROLE_IMAGE = 0, ROLE_MASK = 1, ROLE_RGB = 3, SMALLEST_TILE = 256;

    private static final Map<Integer, Object[]> files = new HashMap<>(); /* reader and metadata, by handles */
    private static int handles;
    private static ByteBuffer pixels, answer;

    private BioFormatsProcess() {
    }

    /* ---- Functions by their names ---- */

    private static Object create(String name, Object... arguments) throws Exception {
        for (java.lang.reflect.Constructor<?> one : Class.forName(name).getConstructors())
            if (fits(one.getParameterTypes(), arguments))
                return one.newInstance(arguments);
        throw new NoSuchMethodException(name);
    }

    private static boolean fits(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length)
            return false;
        for (int i = 0; i < types.length; i++) {
            boolean primitive = types[i] == int.class && arguments[i] instanceof Integer || types[i] == boolean.class && arguments[i] instanceof Boolean;
            if (!primitive && arguments[i] != null && !types[i].isInstance(arguments[i]))
                return false;
        }
        return true;
    }

    private static Object call(Object object, String name, Object... arguments) throws Exception {
        for (Method method : object.getClass().getMethods())
            if (method.getName().equals(name) && fits(method.getParameterTypes(), arguments)) {
                method.setAccessible(true);
                return method.invoke(object, arguments);
            }
        throw new NoSuchMethodException(name);
    }

    private static int number(Object object, String name, Object... arguments) throws Exception {
        return ((Number) call(object, name, arguments)).intValue();
    }

    /* What a file does not say is null, or an exception. */
    private static Object about(Object metadata, String name, Object... arguments) {
        try {
            return call(metadata, name, arguments);
        } catch (Exception e) {
            return null;
        }
    }

    private static double quantity(Object value, String unit) {
        try {
            Object as = Class.forName("ome.units.UNITS").getField(unit).get(null);
            double found = value == null ? 0 : ((Number) call(value, "value", as)).doubleValue();
            return found > 0 && !Double.isInfinite(found) ? found : 0;
        } catch (Exception e) {
            return 0;
        }
    }

    /* ---- Answers ---- */

    private static void room(int bytes) {
        if (answer.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(2 * (answer.position() + bytes)).order(ByteOrder.LITTLE_ENDIAN);
            answer.flip();
            answer = larger.put(answer);
        }
    }

    private static void put(int value) {
        room(4);
        answer.putInt(value);
    }

    private static void put(long value) {
        room(8);
        answer.putLong(value);
    }

    private static void put(double value) {
        room(8);
        answer.putDouble(value);
    }

    private static void put(String text) {
        byte[] bytes = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
        put(bytes.length);
        room(bytes.length);
        answer.put(bytes);
    }

    /* On one line. */
    private static String plain(Object text) {
        return text == null ? "" : text.toString().replaceAll("\\p{Cntrl}", " ").trim();
    }

    /* ---- Opening ---- */

    private static void open(String path) throws Exception {
        Object plain = create("loci.formats.ImageReader");
        Object metadata = Class.forName("loci.formats.MetadataTools").getMethod("createOMEXMLMetadata").invoke(null);
        call(plain, "setFlattenedResolutions", false);
        Object reader = create("loci.formats.ChannelSeparator", create("loci.formats.ChannelFiller", plain));
        call(reader, "setMetadataStore", metadata);
        try {
            call(reader, "setId", path);
        } catch (Exception e) {
            about(reader, "close");
            throw e;
        }
        files.put(++handles, new Object[] {reader, metadata});
        List<String> others = new ArrayList<>();
        String[] used = (String[]) about(reader, "getUsedFiles");
        for (String file : used == null ? new String[0] : used)
            if (!new java.io.File(file).getAbsolutePath().equals(new java.io.File(path).getAbsolutePath()))
                others.add(file);
        put(handles);
        put(number(reader, "getSeriesCount"));
        put("");
        put(others.size());
        for (String other : others)
            put(other);
    }

    private static void close(int handle) {
        Object[] file = files.remove(handle);
        if (file != null)
            about(file[0], "close");
    }

    /* ---- Images ---- */

    private static void putChannels(Object reader, Object metadata, int series, int channels) {
        String[] names = new String[channels];
        Integer[] colors = new Integer[channels];
        boolean named = false, colored = true;
        for (int c = 0; c < channels; c++) {
            names[c] = plain(about(metadata, "getChannelName", series, c));
            named |= !names[c].isEmpty();
            Object color = about(metadata, "getChannelColor", series, c);
            Object red = color == null ? null : about(color, "getRed"), green = color == null ? null : about(color, "getGreen"),
                   blue = color == null ? null : about(color, "getBlue");
            colored &= red != null && green != null && blue != null;
            if (colored)
                colors[c] = ((Number) red).intValue() << 16 | ((Number) green).intValue() << 8 | ((Number) blue).intValue();
        }
        put(named ? channels : 0);
        for (int c = 0; named && c < channels; c++)
            put(names[c]);
        put(colored ? channels : 0);
        for (int c = 0; colored && c < channels; c++)
            put(colors[c].intValue());
        put(0);
    }

    private static String description(Object reader, Object metadata, int series) {
        StringBuilder text = new StringBuilder();
        String[][] lines = {{"Format", plain(about(reader, "getFormat"))}, {"Acquired", plain(about(metadata, "getImageAcquisitionDate", series))},
            {"Objective", plain(about(metadata, "getObjectiveModel", 0, 0))}, {"Magnification", plain(about(metadata, "getObjectiveNominalMagnification", 0, 0))},
            {"Description", plain(about(metadata, "getImageDescription", series))}};
        for (String[] line : lines)
            if (!line[1].isEmpty())
                text.append(line[0]).append(": ").append(line[1]).append('\n');
        return text.toString();
    }

    /* Readers may decode a whole plane for any part of it: one that fits into the memory is a tile. */
    private static void putLevels(Object reader, int bytes) throws Exception {
        int count = Math.min(number(reader, "getResolutionCount"), MAX_LEVELS);
        put(count);
        for (int level = 0; level < count; level++) {
            call(reader, "setResolution", level);
            int rows = number(reader, "getSizeY"), columns = number(reader, "getSizeX");
            boolean whole = (long) rows * columns * bytes <= PIXELS;
            int high = Math.max(number(reader, "getOptimalTileHeight"), SMALLEST_TILE), wide = Math.max(number(reader, "getOptimalTileWidth"), SMALLEST_TILE);
            for (int size : new int[] {rows, columns, whole ? rows : Math.min(high, rows), whole ? columns : Math.min(wide, columns), 1, 1})
                put((long) size);
        }
        call(reader, "setResolution", 0);
    }

    private static void image(int handle, int series) throws Exception {
        Object reader = files.get(handle)[0], metadata = files.get(handle)[1];
        call(reader, "setSeries", series);
        call(reader, "setResolution", 0);
        int type = number(reader, "getPixelType"), channels = number(reader, "getSizeC");
        if (type < 0 || type >= TYPES.length || channels > MAX_CHANNELS)
            throw new IOException("Its pixels are neither integers of 8 to 32 bits nor floats");
        boolean colors = channels == 3 && type == UINT8 && Integer.valueOf(3).equals(about(metadata, "getChannelSamplesPerPixel", series, 0) == null
            ? null : ((Number) call(call(metadata, "getChannelSamplesPerPixel", series, 0), "getValue")).intValue());
        put(TYPES[type]);
        put(colors ? ROLE_RGB : type == BIT ? ROLE_MASK : ROLE_IMAGE);
        for (String size : new String[] {"getSizeT", "getSizeC", "getSizeZ", "getSizeY", "getSizeX"})
            put((long) number(reader, size));
        double[] sizes = new double[3];
        for (int axis = 0; axis < 3; axis++)
            put(sizes[axis] = quantity(about(metadata, "getPixelsPhysicalSize" + "ZYX".charAt(axis), series), "MICROMETER"));
        for (double size : sizes)
            put(size > 0 ? "µm" : "");
        double interval = quantity(about(metadata, "getPixelsTimeIncrement", series), "SECOND");
        put(interval);
        put(interval > 0 ? "s" : "");
        putChannels(reader, metadata, series, channels);
        put(plain(about(metadata, "getImageName", series)));
        put(description(reader, metadata, series));
        putLevels(reader, BYTES[type]);
    }

    /* ---- Pixels ---- */

    private static void take(byte[] bytes, int type, boolean little) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        pixels.clear();
        if (BYTES[type] == 2)
            pixels.asShortBuffer().put(from.asShortBuffer());
        else if (BYTES[type] == 4)
            pixels.asIntBuffer().put(from.asIntBuffer());
        else if (BYTES[type] == 8)
            pixels.asLongBuffer().put(from.asLongBuffer());
        else
            pixels.put(bytes);
    }

    private static void read(ByteBuffer request) throws Exception {
        Object reader = files.get(request.getInt())[0];
        call(reader, "setSeries", request.getInt());
        call(reader, "setResolution", request.getInt());
        int[] numbers = new int[5];
        for (int i = 0; i < numbers.length; i++)
            numbers[i] = Math.toIntExact(request.getLong());
        int type = number(reader, "getPixelType"), slices = number(reader, "getSizeZ"), channels = number(reader, "getSizeC");
        int slice = numbers[0] % slices, channel = numbers[0] / slices % channels, frame = numbers[0] / slices / channels;
        byte[] bytes = new byte[Math.multiplyExact(Math.multiplyExact(numbers[3], numbers[4]), BYTES[type])];
        if (bytes.length > PIXELS)
            throw new IOException("The region is too large");
        call(reader, "openBytes", number(reader, "getIndex", slice, channel, frame), bytes, numbers[2], numbers[1], numbers[4], numbers[3]);
        for (int i = 0; type == BIT && i < bytes.length; i++)
            bytes[i] = (byte) (bytes[i] == 0 ? 0 : 255);
        take(bytes, type, (Boolean) call(reader, "isLittleEndian"));
    }

    /* ---- Requests ---- */

    private static String sentence(Throwable fault) {
        String text = plain(fault.getMessage());
        if (fault instanceof ClassNotFoundException)
            text = "Its file has no class " + text;
        else if (text.isEmpty() || !(fault instanceof IOException) && !fault.getClass().getName().startsWith("loci."))
            text = fault.getClass().getSimpleName() + (text.isEmpty() ? "" : ": " + text);
        return "Bio-Formats says: " + text + (text.endsWith(".") ? "" : ".");
    }

    private static int answer(int kind, ByteBuffer request) {
        answer = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        Throwable fault;
        try {
            if (kind == OPEN)
                open(new String(request.array(), StandardCharsets.UTF_8));
            else if (kind == IMAGE)
                image(request.getInt(), request.getInt());
            else if (kind == READ)
                read(request);
            else
                throw new IOException("An unknown request");
            return OK;
        } catch (InvocationTargetException e) {
            fault = e.getCause();
        } catch (Throwable e) {
            fault = e;
        }
        answer.clear();
        room(1 << 16);
        byte[] text = sentence(fault).getBytes(StandardCharsets.UTF_8);
        answer.put(text, 0, Math.min(text.length, 400));
        return fault instanceof OutOfMemoryError ? NO_MEMORY : fault.getClass().getSimpleName().startsWith("Unknown") ? UNSUPPORTED : BAD_INPUT;
    }

    /* The end of the socket is the end of the owner, and then of this process, whatever it does. */
    private static void listen(DataInputStream in, LinkedBlockingQueue<ByteBuffer> requests) {
        try {
            while (true) {
                int kind = Integer.reverseBytes(in.readInt()), bytes = Integer.reverseBytes(in.readInt());
                if (bytes < 0 || bytes > MAX_REQUEST)
                    throw new EOFException();
                ByteBuffer request = ByteBuffer.allocate(4 + bytes).order(ByteOrder.LITTLE_ENDIAN);
                request.putInt(0, kind);
                in.readFully(request.array(), 4, bytes);
                requests.put(request);
            }
        } catch (IOException | InterruptedException e) {
            Runtime.getRuntime().halt(0);
        }
    }

    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        LinkedBlockingQueue<ByteBuffer> requests = new LinkedBlockingQueue<>();
        try (RandomAccessFile memory = new RandomAccessFile("/proc/self/fd/3", "rw")) {
            pixels = memory.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, PIXELS).order(ByteOrder.nativeOrder());
        }
        Thread listener = new Thread(() -> listen(in, requests));
        listener.setDaemon(true);
        listener.start();
        while (true) {
            ByteBuffer request = requests.take();
            int kind = request.getInt();
            ByteBuffer rest = ByteBuffer.wrap(java.util.Arrays.copyOfRange(request.array(), 4, request.capacity())).order(ByteOrder.LITTLE_ENDIAN);
            if (kind == CLOSE) {
                close(rest.getInt());
                continue;
            }
            int status = answer(kind, rest);
            ByteBuffer reply = ByteBuffer.allocate(8 + answer.position()).order(ByteOrder.LITTLE_ENDIAN);
            reply.putInt(status).putInt(answer.position());
            answer.flip();
            reply.put(answer);
            out.write(reply.array());
        }
    }
}
