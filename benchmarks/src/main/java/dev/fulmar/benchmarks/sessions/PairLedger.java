package dev.fulmar.benchmarks.sessions;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ledger of the pairs that are done. */
final class PairLedger {
    private final ObjectMapper json = new ObjectMapper();
    private final ResultLedger ledger;
    private final List<RatePair> pairs = new ArrayList<>();

    /**
     * @param directory of the file; null to keep nothing
     * @param way fingerprint of the code, and the length of windows
     */
    PairLedger(@Nullable Path directory, String way) throws IOException {
        ledger = new ResultLedger(directory, IdleSessions.NAME, way, 1);
        for (List<String> line : ledger.lines()) {
            pairs.add(json.readValue(line.getFirst(), RatePair.class));
        }
    }

    void note(RatePair pair) throws IOException {
        pairs.add(pair);
        ledger.add(List.of(json.writeValueAsString(pair)));
    }

    List<RatePair> pairs() {
        return List.copyOf(pairs);
    }
}
