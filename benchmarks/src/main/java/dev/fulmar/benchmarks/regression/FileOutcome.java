package dev.fulmar.benchmarks.regression;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

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
        return list(verdict -> verdict.kind() != Kind.EQUAL);
    }

    /** A line for each statement that is wrong. */
    public List<String> wrong() {
        return list(verdict -> verdict.kind() == Kind.WRONG);
    }

    private List<String> list(Predicate<Verdict> chosen) {
        List<String> list = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (chosen.test(verdict)) {
                list.add(verdict.statement() + " " + verdict.kind().name().toLowerCase(Locale.ROOT) + " "
                        + verdict.reason());
            }
        }
        return list;
    }
}
