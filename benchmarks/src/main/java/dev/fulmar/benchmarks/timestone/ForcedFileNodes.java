package dev.fulmar.benchmarks.timestone;

import dev.fulmar.foundation.data.LittleEndian;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Nodes in memory and a file to which each commit appends its changes, and forces it. */
final class ForcedFileNodes extends LockedNodes {
    private static final int MOST_BYTES_OF_A_COMMIT = 8 << 20;

    private final FileChannel file;
    private final ByteBuffer commit =
            ByteBuffer.allocateDirect(MOST_BYTES_OF_A_COMMIT).order(ByteOrder.LITTLE_ENDIAN);
    private final List<byte[]> nodes = new ArrayList<>(List.of(new byte[0]));
    private final List<Long> free = new ArrayList<>();
    private long commits;
    private long writtenBytes;
    private long objectWrites;
    private long objectBytes;
    private long changedBytes;

    ForcedFileNodes(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    <T> T runWriting(Function<Body, T> body) {
        commit.clear();
        T result = body.apply(new Changes());
        commit.flip();
        if (!commit.hasRemaining()) {
            return result;
        }
        try {
            commits++;
            writtenBytes += commit.remaining();
            while (commit.hasRemaining()) {
                file.write(commit);
            }
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return result;
    }

    @Override
    <T> T runReading(Function<Body, T> body) {
        return body.apply(new Changes());
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("commits", (double) commits);
        figures.put("fences", (double) commits);
        figures.put("objectWrites", (double) objectWrites);
        figures.put("objectBytes", (double) objectBytes);
        figures.put("changedBytes", (double) changedBytes);
        figures.put("logBytes", (double) writtenBytes);
        return figures;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes in place, noted for the file. */
    private final class Changes implements Body {
        private byte[] node(long node) {
            return nodes.get((int) node);
        }

        private void note(long node, int offset, byte[] bytes, int from, int length) {
            commit.putLong(node).putInt(offset).putInt(length).put(bytes, from, length);
            objectWrites++;
            objectBytes += node(node).length;
            changedBytes += length;
        }

        @Override
        public long word(long node, int word) {
            return LittleEndian.getLong(node(node), word * Long.BYTES);
        }

        @Override
        public void word(long node, int word, long value) {
            byte[] bytes = node(node);
            LittleEndian.putLong(bytes, word * Long.BYTES, value);
            note(node, word * Long.BYTES, bytes, word * Long.BYTES, Long.BYTES);
        }

        @Override
        public long create(byte[] content) {
            long node = free.isEmpty() ? nodes.size() : free.removeLast();
            byte[] copy = content.clone();
            if (node == nodes.size()) {
                nodes.add(copy);
            } else {
                nodes.set((int) node, copy);
            }
            note(node, 0, copy, 0, copy.length);
            return node;
        }

        @Override
        public void delete(long node) {
            note(node, -1, new byte[0], 0, 0);
            free.add(node);
        }

        @Override
        public void replace(long node, int offset, byte[] bytes) {
            System.arraycopy(bytes, 0, node(node), offset, bytes.length);
            note(node, offset, bytes, 0, bytes.length);
        }

        @Override
        public long sum(long node, int bytes) {
            long sum = 0;
            for (int at = 0; at < bytes; at += Long.BYTES) {
                sum += LittleEndian.getLong(node(node), at);
            }
            return sum;
        }
    }
}
