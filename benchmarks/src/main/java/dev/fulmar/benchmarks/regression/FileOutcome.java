package dev.fulmar.benchmarks.regression;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The judgements of one file's statements. */
public record FileOutcome(String name, List<Verdict> verdicts) {
    public FileOutcome {
        verdicts = List.copyOf(verdicts);
    }

    /** Statements of each kind, in the order of the kinds. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            int count = (int)
                    verdicts.stream().filter(verdict -> verdict.kind() == kind).count();
            counts.put(kind.name().toLowerCase(Locale.ROOT), count);
        }
        return counts;
    }

    /** A line for each statement that is not equal. */
    public List<String> list() {
        List<String> list = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (verdict.kind() != Kind.EQUAL) {
                list.add(verdict.statement() + " " + verdict.kind().name().toLowerCase(Locale.ROOT) + " "
                        + verdict.reason());
            }
        }
        return list;
    }
}
