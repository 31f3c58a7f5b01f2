package dev.fulmar.benchmarks.tpcc;

import java.util.List;

/** TPC-C's last names (clause 4.3.2.3), as the loading procedures make them. */
final class LastNames {
    private static final List<String> SYLLABLES =
            List.of("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING");

    private LastNames() {}

    static String of(int number) {
        return SYLLABLES.get(number / 100) + SYLLABLES.get(number / 10 % 10) + SYLLABLES.get(number % 10);
    }
}
