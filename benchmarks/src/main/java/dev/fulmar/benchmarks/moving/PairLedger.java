package dev.fulmar.benchmarks.moving;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Ledger of the pairs of a case that are done, and of the rate that all of them have. */
final class PairLedger {
    private static final int COLUMNS = 2;
    private static final String RATE = "RATE";
    private static final String PAIR = "PAIR";

    private final ObjectMapper json = new ObjectMapper();
    private final ResultLedger ledger;
    private final List<WindowPair> pairs = new ArrayList<>();
    private double ratePerSecond;

    /**
     * @param directory of the file; null to keep nothing
     * @param way fingerprint of the code, and the case
     */
    PairLedger(@Nullable Path directory, String way) throws IOException {
        ledger = new ResultLedger(directory, MovingWindows.NAME, way, COLUMNS);
        for (List<String> line : ledger.lines()) {
            if (line.getFirst().equals(RATE)) {
                ratePerSecond = Double.parseDouble(line.getLast());
            } else {
                pairs.add(json.readValue(line.getLast(), WindowPair.class));
            }
        }
    }

    /** Requests per second, once an earlier run has measured how many there are to be. */
    OptionalDouble ratePerSecond() {
        return ratePerSecond == 0 ? OptionalDouble.empty() : OptionalDouble.of(ratePerSecond);
    }

    void noteRate(double perSecond) throws IOException {
        ratePerSecond = perSecond;
        ledger.add(List.of(RATE, Double.toString(perSecond)));
    }

    void note(WindowPair pair) throws IOException {
        pairs.add(pair);
        ledger.add(List.of(PAIR, text(pair)));
    }

    private String text(WindowPair pair) throws JsonProcessingException {
        return json.writeValueAsString(pair);
    }

    List<WindowPair> pairs() {
        return List.copyOf(pairs);
    }
}
