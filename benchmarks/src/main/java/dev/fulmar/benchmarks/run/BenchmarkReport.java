package dev.fulmar.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Outcome of a benchmark.
 *
 * @param problems what the check found; empty if all is well
 * @param checked whether the check ran
 */
public record BenchmarkReport(
        String workload, Server server, LoadShape shape, LoadReport load, List<String> problems, boolean checked) {
    /** The server that ran the workload. */
    public record Server(int partitions, int sites, String durability) {}

    public BenchmarkReport {
        problems = List.copyOf(problems);
    }

    /**
     * Whether the check ran and found nothing, and no request failed for a reason that its workload does not expect.
     */
    public boolean verified() {
        return checked && problems.isEmpty() && load.failed() == 0;
    }

    /** The report as the JSON object that {@code --json} writes. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("workload", workload);
        map.put("seconds", load.seconds());
        map.put("partitions", server.partitions());
        map.put("sites", server.sites());
        map.put("clients", shape.clients());
        map.put("inFlight", shape.inFlight());
        map.put("ratePerSecond", shape.ratePerSecond());
        map.put("warmupSeconds", shape.warmupSeconds());
        map.put("durability", server.durability());
        map.put("committed", load.committed());
        map.put("aborted", load.aborted());
        map.put("failed", load.failed());
        map.put("failures", failures());
        map.put("throughputPerSecond", load.throughputPerSecond());
        map.put("latencyMicros", load.latency().asMap());
        map.put("verified", verified());
        map.put("problems", problems);
        return map;
    }

    private Map<String, Object> failures() {
        Map<String, Object> byCode = new LinkedHashMap<>();
        load.failures()
                .forEach((code, failure) ->
                        byCode.put(code, Map.of("count", failure.count(), "firstMessage", failure.firstMessage())));
        return byCode;
    }

    /** Writes the report to a file. */
    public void writeJson(Path file) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), asMap());
    }
}
