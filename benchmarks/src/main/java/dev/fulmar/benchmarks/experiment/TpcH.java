package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.tpch.TpchData;
import dev.fulmar.benchmarks.tpch.TpchDatabase;
import dev.fulmar.benchmarks.tpch.TpchReference;
import dev.fulmar.benchmarks.tpch.TpchRows;
import dev.fulmar.benchmarks.tpch.TpchScripts;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Analytic queries over four partitions, against another engine. */
public final class TpcH implements Experiment {
    private static final double SCALE = 0.01;
    private static final double QUICK_SCALE = 0.005;
    private static final int PARTITIONS = 4;

    @Override
    public String name() {
        return "tpc-h";
    }

    @Override
    public String meaning() {
        return "TPC-H's 22 queries over 4 partitions answer as H2 does";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        double scale = settings.quick() ? QUICK_SCALE : SCALE;
        TpchData data = new TpchData(scale);
        Map<String, Double> ours = new LinkedHashMap<>();
        Map<String, Double> theirs = new LinkedHashMap<>();
        List<String> differences = new ArrayList<>();
        int withRows = 0;
        try (TpchDatabase database = new TpchDatabase(PARTITIONS);
                TpchReference reference = new TpchReference()) {
            int loaded = database.load(data);
            reference.load(data);
            settings.output().accept(loaded + " rows");
            List<String> queries = TpchScripts.queries();
            for (int i = 0; i < queries.size(); i++) {
                String name = "Q" + (i + 1);
                long start = System.nanoTime();
                TpchRows expected = reference.query(queries.get(i));
                long middle = System.nanoTime();
                String difference = differenceTo(expected, database, queries.get(i));
                long end = System.nanoTime();
                theirs.put(name, (middle - start) / 1e6);
                ours.put(name, (end - middle) / 1e6);
                withRows += expected.size() > 0 ? 1 : 0;
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "%-4s %6d rows, %9.1f ms, H2 %9.1f ms: %s",
                                name,
                                expected.size(),
                                ours.get(name),
                                theirs.get(name),
                                difference.isEmpty() ? "equal" : difference));
                if (!difference.isEmpty()) {
                    differences.add(name + ": " + difference);
                }
            }
            findings.check("tpc-h.equal", queries.size() - differences.size());
            findings.check("tpc-h.with-rows", withRows);
            findings.series("scale", scale);
            findings.series("rows", loaded);
        }
        findings.series("differences", differences);
        findings.series("milliseconds", ours);
        findings.series("milliseconds of H2", theirs);
        return findings;
    }

    /** Empty if the answers are the same. */
    private static String differenceTo(TpchRows expected, TpchDatabase database, String query) {
        try {
            String difference = database.query(query).differenceTo(expected);
            return difference == null ? "" : difference;
        } catch (FulmarException e) {
            return e.code() + " " + e.getMessage();
        }
    }
}
