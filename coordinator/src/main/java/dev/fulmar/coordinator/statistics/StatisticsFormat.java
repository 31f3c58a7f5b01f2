package dev.fulmar.coordinator.statistics;

import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The byte format of nodes' questions and answers about their tables: version, kind, fields, big-endian. */
final class StatisticsFormat {
    private static final byte VERSION = 1;
    private static final byte QUESTION = 1;
    private static final byte ANSWER = 2;

    /** Least bytes of a table and of a key. */
    private static final int LEAST_BYTES = 12;

    private StatisticsFormat() {}

    /** A message on the channel. */
    sealed interface Message {
        /** Asks for the figures of the partitions that the receiver leads. */
        record Question() implements Message {}

        /**
         * The figures of the partitions that the sender leads.
         *
         * @param catalogVersion whose tables they are
         */
        record Answer(long catalogVersion, PartFigures figures) implements Message {}
    }

    static ByteBuffer write(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            switch (message) {
                case Message.Question() -> out.writeByte(QUESTION);
                case Message.Answer(long catalogVersion, PartFigures figures) -> {
                    out.writeByte(ANSWER);
                    out.writeLong(catalogVersion);
                    out.writeInt(figures.partitions());
                    out.writeInt(figures.tables().size());
                    for (var table : figures.tables().entrySet()) {
                        out.writeInt(table.getKey());
                        writeTable(table.getValue(), out);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void writeTable(TableFigures table, DataOutputStream out) throws IOException {
        out.writeLong(table.rows());
        out.writeInt(table.keys().size());
        for (KeyValues key : table.keys()) {
            out.writeInt(key.columns().size());
            for (int column : key.columns()) {
                out.writeInt(column);
            }
            out.writeLong(key.values());
        }
    }

    /** Fails on what no node of this version sends. */
    static Message read(ByteBuffer in) {
        try {
            byte version = in.get();
            byte kind = in.get();
            Message message = switch (kind) {
                case QUESTION -> new Message.Question();
                case ANSWER -> new Message.Answer(in.getLong(), readFigures(in));
                default -> throw new IllegalArgumentException("kind " + kind);
            };
            if (version != VERSION || in.hasRemaining()) {
                throw new IllegalArgumentException("version " + version + ", " + in.remaining() + " bytes more");
            }
            return message;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "a message about tables makes no sense (" + e + ")", e);
        }
    }

    private static PartFigures readFigures(ByteBuffer in) {
        int partitions = (int) natural(in.getInt());
        int count = count(in);
        SortedMap<Integer, TableFigures> tables = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int id = in.getInt();
            tables.put(id, readTable(in));
        }
        return new PartFigures(partitions, tables);
    }

    private static TableFigures readTable(ByteBuffer in) {
        long rows = natural(in.getLong());
        int count = count(in);
        List<KeyValues> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int width = (int) natural(in.getInt());
            List<Integer> columns = new ArrayList<>();
            for (int column = 0; column < width; column++) {
                columns.add((int) natural(in.getInt()));
            }
            keys.add(new KeyValues(columns, Math.max(1, natural(in.getLong()))));
        }
        return new TableFigures(rows, keys);
    }

    private static int count(ByteBuffer in) {
        int count = (int) natural(in.getInt());
        if (count > in.remaining() / LEAST_BYTES) {
            throw new IllegalArgumentException(count + " elements");
        }
        return count;
    }

    private static long natural(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number " + number);
        }
        return number;
    }
}
