package dev.fulmar.benchmarks.pgbench;

import java.util.ArrayList;
import java.util.List;

/**
 * A script of pgbench and a number of clients.
 *
 * @param script its name for pgbench
 */
record BenchCase(String script, int clients) {
    static final String SELECT_ONLY = "select-only";
    static final String TPC_B = "tpcb-like";
    private static final List<Integer> CLIENTS = List.of(1, 8, 32);

    static List<BenchCase> all() {
        List<BenchCase> cases = new ArrayList<>();
        for (String script : List.of(SELECT_ONLY, TPC_B)) {
            CLIENTS.forEach(clients -> cases.add(new BenchCase(script, clients)));
        }
        return cases;
    }

    String text() {
        return script + ", " + clients + (clients == 1 ? " client" : " clients");
    }
}
