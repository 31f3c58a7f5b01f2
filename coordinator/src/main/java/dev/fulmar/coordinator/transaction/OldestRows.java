package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ExpiredRows;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.foundation.data.InfiniteTime;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The oldest rows of a replicated table, which go from all partitions by one statement. Rows of the same time go
 * together, also if these are more than a batch.
 */
final class OldestRows {
    private static final long MICROS = 1_000_000;
    private static final int NANOS = 1000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private OldestRows() {}

    static @Nullable String statement(PartitionStorage storage, Table table, Expiry rule, long nowMicros) {
        int column = table.columnIndex(rule.column());
        Index found = table.indexes().stream()
                .filter(index -> ExpiredRows.serves(index, column))
                .findFirst()
                .orElseThrow();
        TableIndex index = storage.table(table.id()).index(found.id());
        SearchRange range = index.newRange();
        range.beginUpper(true).addLong(nowMicros - rule.afterMicros());
        IndexCursor cursor = index.newCursor();
        index.open(cursor, range, false);
        long rows = 0;
        long last = 0;
        long earlier = 0;
        boolean hasEarlier = false;
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            long micros = index.layout().getLong(row, column);
            boolean isFull = rows >= rule.batchRows();
            if (rows > 0 && micros != last) {
                if (isFull) {
                    return delete(table, rule, last);
                }
                earlier = last;
                hasEarlier = true;
            } else if (isFull) {
                return delete(table, rule, hasEarlier ? earlier : last);
            }
            last = micros;
            rows++;
        }
        return rows == 0 ? null : delete(table, rule, last);
    }

    private static String delete(Table table, Expiry rule, long notAfterMicros) {
        String schema = SchemaName.isInTemporary(table.name()) ? SchemaName.of(table.name()) : "";
        return TemporaryMark.added(
                "DELETE FROM " + quoted(table.name()) + " WHERE " + quoted(rule.column()) + " <= TIMESTAMP '"
                        + text(notAfterMicros) + "'",
                schema);
    }

    private static String text(long micros) {
        if (InfiniteTime.isMoment(micros)) {
            return InfiniteTime.text(micros);
        }
        return TIME.format(LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * NANOS, ZoneOffset.UTC));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
