package dev.fulmar.postgres.dialect;

import java.util.List;

/**
 * Options of a COPY. Names of columns are as PostgreSQL has them.
 *
 * @param delimiter between two values
 * @param nullText the text that stands for a NULL
 * @param quote around a value; of CSV only, as are all that follow
 * @param escape before a quote in a quoted value
 * @param quotesAll whether all values but NULL are quoted
 * @param quoted columns of which all values but NULL are quoted
 * @param nullQuoted columns whose text for NULL means that in quotes too
 * @param neverNull columns whose text for NULL is a text
 */
public record CopyOptions(
        CopyFormat format,
        byte delimiter,
        String nullText,
        CopyHeader header,
        byte quote,
        byte escape,
        boolean quotesAll,
        List<String> quoted,
        List<String> nullQuoted,
        List<String> neverNull) {
    public CopyOptions {
        quoted = List.copyOf(quoted);
        nullQuoted = List.copyOf(nullQuoted);
        neverNull = List.copyOf(neverNull);
    }

    /** The options of a COPY that names the format alone. */
    public static CopyOptions of(CopyFormat format) {
        boolean isCsv = format == CopyFormat.CSV;
        return new CopyOptions(
                format,
                (byte) (isCsv ? ',' : '\t'),
                isCsv ? "" : "\\N",
                CopyHeader.NONE,
                (byte) '"',
                (byte) '"',
                false,
                List.of(),
                List.of(),
                List.of());
    }
}
