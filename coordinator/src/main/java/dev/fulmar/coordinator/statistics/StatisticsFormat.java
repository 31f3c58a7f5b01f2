package dev.fulmar.coordinator.statistics;

import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The byte format of nodes' questions and answers about their tables: version, kind, fields, big-endian. */
final class StatisticsFormat {
    private static final byte VERSION = 1;
    private static final MessageForm FORM = new MessageForm("messages about tables", Set.of((int) VERSION));
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
        return FORM.readWhole(in, (version, kind, fields) -> switch (kind) {
            case QUESTION -> new Message.Question();
            case ANSWER -> new Message.Answer(fields.getLong(), readFigures(fields));
            default -> throw MessageReader.unknownKind(kind);
        });
    }

    private static PartFigures readFigures(MessageReader in) {
        int partitions = in.natural();
        int count = in.count(LEAST_BYTES);
        SortedMap<Integer, TableFigures> tables = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int id = in.getInt();
            tables.put(id, readTable(in));
        }
        return new PartFigures(partitions, tables);
    }

    private static TableFigures readTable(MessageReader in) {
        long rows = in.naturalLong();
        int count = in.count(LEAST_BYTES);
        List<KeyValues> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int width = in.natural();
            List<Integer> columns = new ArrayList<>();
            for (int column = 0; column < width; column++) {
                columns.add(in.natural());
            }
            keys.add(new KeyValues(columns, Math.max(1, in.naturalLong())));
        }
        return new TableFigures(rows, keys);
    }
}
