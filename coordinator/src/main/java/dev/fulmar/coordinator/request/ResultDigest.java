package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultRowHash;
import java.util.regex.Pattern;

/**
 * Digest of a statement's result, for the question whether it came out again. The order of rows counts if the statement
 * says ORDER BY somewhere; else equal rows in another order answer it just as well.
 */
public record ResultDigest(long high, long low) {
    private static final long SECOND = 0x1319_8A2E_0370_7344L;

    /** A text, a quoted name or a comment; one without an end ends with the statement. */
    private static final Pattern UNREAD =
            Pattern.compile("'[^']*+(?:'|$)|\"[^\"]*+(?:\"|$)|--[^\\n\\r]*+|/\\*(?s:.*?)(?:\\*/|\\z)");

    private static final Pattern ORDERED = Pattern.compile("\\border\\s+by\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern ORDER = Pattern.compile("\\border\\b", Pattern.CASE_INSENSITIVE);

    /** The same of a text with literals as of one with parameters in their place. */
    private static boolean isOrdered(String sql) {
        return ORDER.matcher(sql).find()
                && ORDERED.matcher(UNREAD.matcher(sql).replaceAll(" ")).find();
    }

    /** The same of a statement that also changed the rows of which the images have that digest; 0 for none. */
    public ResultDigest with(long images) {
        return images == 0
                ? this
                : new ResultDigest(PartitioningHash.ofWide(high, images), PartitioningHash.ofWide(low, images));
    }

    /**
     * The digest of an answer.
     *
     * @param sql the statement
     */
    public static ResultDigest of(Committed answer, String sql) {
        long high = PartitioningHash.ofWide(answer.kind().ordinal(), answer.value());
        long low = PartitioningHash.ofWide(SECOND, high);
        byte[] results = answer.results();
        ResultBlock block = new ResultBlock();
        ResultRowHash hash = new ResultRowHash();
        long[] row = new long[ResultRowHash.ROWS];
        long[] again = new long[ResultRowHash.ROWS];
        for (int offset = 0; offset < results.length; offset += block.totalBytes()) {
            block.wrap(results, offset, results.length - offset);
            boolean isOrdered = block.rowCount() > 1 && isOrdered(sql);
            long highs = 0;
            long lows = 0;
            for (int count = hash.read(block); count > 0; count = hash.read(block)) {
                int first = block.row() + 1 - count;
                for (int i = 0; i < row.length; i++) {
                    row[i] = isOrdered ? SECOND + first + i : SECOND;
                }
                hash.hash(row);
                System.arraycopy(row, 0, again, 0, row.length);
                hash.hash(again);
                for (int i = 0; i < count; i++) {
                    highs += row[i];
                    lows += again[i];
                }
            }
            high = PartitioningHash.ofWide(high, highs + block.rowCount());
            low = PartitioningHash.ofWide(low, lows);
        }
        return new ResultDigest(high, low);
    }
}
