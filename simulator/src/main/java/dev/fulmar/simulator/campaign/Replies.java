package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes the results of a committed transaction into the {@link Wish.Reply} from which a wish derives its operations
 * for the history.
 */
public final class Replies {
    private Replies() {}

    public static Wish.Reply decode(Committed response) {
        List<List<long[]>> tables = new ArrayList<>();
        byte[] bytes = response.results();
        ResultBlock block = new ResultBlock();
        for (int offset = 0; offset < bytes.length; offset += block.totalBytes()) {
            block.wrap(bytes, offset, bytes.length - offset).validate();
            List<long[]> rows = new ArrayList<>();
            while (block.next()) {
                long[] row = new long[block.columnCount()];
                for (int column = 0; column < row.length; column++) {
                    row[column] = block.getLong(column);
                }
                rows.add(row);
            }
            tables.add(rows);
        }
        return new Wish.Reply(response.value(), tables);
    }

    static String text(TransactionResponse response) {
        return switch (response) {
            case Committed committed -> "committed, " + committed.results().length + " bytes, " + committed.value();
            case Failed failed -> failed.code() + " " + failed.message();
        };
    }
}
