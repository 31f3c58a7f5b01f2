package dev.fulmar.coordinator.durability.log;

import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Text of records, for operators who look at a log. */
public final class RecordText {
    private static final int MOST_STATEMENT_BYTES = 200;
    private static final int MOST_VALUE_CHARACTERS = 60;

    private RecordText() {}

    /** A stream in words. */
    public static String stream(int stream) {
        return switch (stream) {
            case CatalogRecord.STREAM -> "catalog";
            case RecordFormat.LOG_STREAM -> "log";
            default -> "partition " + stream;
        };
    }

    /** One line. */
    public static String of(RecordReader record) {
        StringBuilder text = new StringBuilder(record.kind().name())
                .append(' ')
                .append(stream(record.stream()))
                .append(" #")
                .append(record.sequence())
                .append(" epoch ")
                .append(record.epoch())
                .append(" catalog ")
                .append(record.catalogVersion());
        if (record.commitTimestamp() != 0) {
            text.append(" timestamp ").append(record.commitTimestamp());
        }
        if (record.clientId() != 0) {
            text.append(" request ")
                    .append(Long.toHexString(record.clientId()))
                    .append('/')
                    .append(record.requestId());
        }
        text.append(' ').append(record.payloadBytes()).append(" bytes");
        try {
            switch (record.kind()) {
                case PREPARE, DECISION -> transaction(record, text);
                case CATALOG -> change(record, text);
                case COMMAND -> command(record, text);
                case FRAGMENTS, VALUES, RECONFIGURATION, EPOCH, SEAL, COPY -> {}
            }
        } catch (FulmarException e) {
            text.append(" (").append(e.getMessage()).append(')');
        }
        return text.toString();
    }

    private static void command(RecordReader record, StringBuilder text) {
        byte[] payload = record.payload();
        int flags = LogPayload.flags(payload, 0, payload.length);
        if ((flags & LogPayload.CONTINUED) != 0) {
            return;
        }
        LoggedCommand command = LoggedCommand.read(payload, 0, payload.length);
        text.append(" time ").append(record.procedureTimeMicros());
        if ((flags & LogPayload.SEED) != 0) {
            text.append(" seed ").append(Long.toHexString(command.seed()));
        }
        text.append(" digest ")
                .append(Long.toHexString(record.digest()))
                .append(": ")
                .append(command.procedure());
        if ((flags & LogPayload.MORE) == 0) {
            parameters(command.parameters(), text);
        }
    }

    private static void parameters(byte[] list, StringBuilder text) {
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(list, 0, list.length);
        text.append('(');
        for (int position = 0; position < reader.count(); position++) {
            text.append(position == 0 ? "" : ", ").append(value(reader.object(position)));
        }
        text.append(')');
    }

    private static String value(@Nullable Object value) {
        String text = switch (value) {
            case null -> "NULL";
            case String characters -> "'" + characters.replace("'", "''") + "'";
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case long[] numbers -> Arrays.toString(numbers);
            case double[] numbers -> Arrays.toString(numbers);
            case Object[] elements -> Arrays.deepToString(elements);
            case Object other -> other.toString();
        };
        return text.length() > MOST_VALUE_CHARACTERS
                ? text.substring(0, MOST_VALUE_CHARACTERS) + "... (" + text.length() + " characters)"
                : text;
    }

    private static void transaction(RecordReader record, StringBuilder text) {
        int begin = record.payloadOffset();
        LogPayload payload = LogPayload.readTransaction(record.array(), begin, begin + record.payloadBytes());
        TransactionId transaction = payload.transaction();
        if (transaction != null) {
            text.append(" transaction ")
                    .append(transaction.timestamp())
                    .append('@')
                    .append(transaction.node())
                    .append(" attempt ")
                    .append(payload.attempt());
        }
        if (record.kind() == RecordKind.DECISION) {
            text.append(payload.commit() ? " commit" : " abort");
        }
    }

    private static void change(RecordReader record, StringBuilder text) {
        byte[] payload = record.payload();
        boolean continued = (LogPayload.flags(payload, 0, payload.length) & LogPayload.CONTINUED) != 0;
        if (continued || payload.length <= LogPayload.HEADER_BYTES) {
            return;
        }
        if (payload[LogPayload.HEADER_BYTES] == CatalogRecord.JAR) {
            text.append(" jar");
        } else if (payload[LogPayload.HEADER_BYTES] == CatalogRecord.ACCESS) {
            text.append(" users, roles or rights"); // verifiers are shown to nobody
        } else {
            int begin = LogPayload.HEADER_BYTES + 1;
            int end = Math.min(payload.length, begin + MOST_STATEMENT_BYTES);
            text.append(": ")
                    .append(new String(Arrays.copyOfRange(payload, begin, end), StandardCharsets.UTF_8)
                            .replaceAll("\\s+", " "));
        }
    }
}
