package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.dialect.CopyHeader;
import dev.fulmar.postgres.dialect.CopyOptions;
import java.nio.charset.StandardCharsets;

/** Reads the text and CSV formats: lines, and the values in each. */
final class DelimitedReader implements CopyReader {
    private final CopyPlace place;
    private final LineCutter cutter;
    private final LineFields fields;
    private final String nullText;
    private final int columns;
    private final CopyRow row = new CopyRow();
    private CopyHeader header;

    DelimitedReader(CopyOptions options, CopyPlace place, LineFields fields) {
        this.place = place;
        this.fields = fields;
        this.cutter = new LineCutter(options, place);
        this.columns = place.columns().size();
        this.header = options.header();
        this.nullText = options.nullText();
    }

    @Override
    public void read(byte[] bytes, RowReceiver rows) {
        cutter.read(bytes, (line, from, to) -> line(line, from, to, rows));
    }

    @Override
    public long heldBytes() {
        return (long) cutter.heldBytes() + row.heldBytes();
    }

    @Override
    public void end(RowReceiver rows) {
        cutter.end((line, from, to) -> line(line, from, to, rows));
    }

    private void line(byte[] line, int from, int to, RowReceiver rows) {
        if (header != CopyHeader.NONE) {
            header(line, from, to);
            return;
        }
        row.clear();
        fields.split(line, from, to, row, columns + 1);
        if (row.count() > columns) {
            throw place.error(ErrorCode.BAD_COPY_FORMAT, "extra data after last expected column", line, from, to);
        }
        if (row.count() < columns) {
            String missing = place.columns().get(row.count());
            throw place.error(ErrorCode.BAD_COPY_FORMAT, "missing data for column \"" + missing + "\"", line, from, to);
        }
        if (fields instanceof CsvFields csv) {
            csv.apply(row);
        }
        rows.row(row);
        row.clear();
    }

    private void header(byte[] line, int from, int to) {
        boolean isChecked = header == CopyHeader.MATCH;
        header = CopyHeader.NONE;
        if (!isChecked) {
            return;
        }
        row.clear();
        fields.split(line, from, to, row, to - from + 1);
        if (row.count() != columns) {
            throw headerError(
                    "wrong number of fields in header line: got " + row.count() + ", expected " + columns,
                    line,
                    from,
                    to);
        }
        for (int i = 0; i < columns; i++) {
            String expected = place.columns().get(i);
            String number = "column name mismatch in header line field " + (i + 1) + ": got ";
            if (row.isNull(i)) {
                throw headerError(
                        number + "null value (\"" + nullText + "\"), expected \"" + expected + "\"", line, from, to);
            }
            if (!row.has(i, expected.getBytes(StandardCharsets.UTF_8))) {
                String name = new String(row.bytes(), row.from(i), row.to(i) - row.from(i), StandardCharsets.UTF_8);
                throw headerError(number + "\"" + name + "\", expected \"" + expected + "\"", line, from, to);
            }
        }
    }

    private RuntimeException headerError(String message, byte[] line, int from, int to) {
        return place.error(ErrorCode.BAD_COPY_FORMAT, message, line, from, to);
    }
}
