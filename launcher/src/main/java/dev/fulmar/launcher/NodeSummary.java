package dev.fulmar.launcher;

import dev.fulmar.client.ResultTable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** The few figures that tell whether a node is well. */
final class NodeSummary {
    private static final double MEBIBYTE = 1 << 20;

    private final ResultTable node;

    private NodeSummary(ResultTable node) {
        this.node = node;
    }

    /** @param node the row of {@code @Statistics('NODE')} */
    static void print(ResultTable node, PrintWriter out) {
        NodeSummary summary = new NodeSummary(node);
        out.println(summary.identity());
        out.println(summary.rate());
        out.println(summary.outcomes());
        out.println(summary.connections());
        out.println(summary.memory());
        out.flush();
    }

    private String identity() {
        return text(
                "node %d, up %s: %d partitions on %d sites, durability %s, catalog version %d",
                number("NODE"),
                uptime(Duration.ofSeconds((long) real("UPTIME_SECONDS"))),
                number("PARTITIONS"),
                number("SITES"),
                word("DURABILITY").toLowerCase(Locale.ROOT),
                number("CATALOG_VERSION"));
    }

    private String rate() {
        return text(
                "requests     %,.0f a second; latency p50 %,.0f us, p99 %,.0f us, p99.9 %,.0f us",
                real("REQUESTS_PER_SECOND"),
                real("LATENCY_P50_MICROS"),
                real("LATENCY_P99_MICROS"),
                real("LATENCY_P999_MICROS"));
    }

    private String outcomes() {
        String byCode = word("FAILED_BY_CODE");
        return text(
                "outcomes     %,d committed, %,d failed%s",
                number("COMMITTED"), number("FAILED"), byCode.isEmpty() ? "" : " (" + byCode + ")");
    }

    private String connections() {
        return text(
                "connections  %,d (%,d refused, %,d closed for what they sent); %,d requests queued, %,d multi-partition transactions under way",
                number("CONNECTIONS"),
                number("CONNECTIONS_REFUSED"),
                number("CONNECTIONS_MALFORMED"),
                number("QUEUED_REQUESTS"),
                number("LIVE_TRANSACTIONS"));
    }

    private String memory() {
        return text(
                "memory       %,.1f MiB of %,.0f MiB for data, heap %,.0f MiB",
                number("MEMORY_USED_BYTES") / MEBIBYTE,
                number("MEMORY_LIMIT_BYTES") / MEBIBYTE,
                number("HEAP_USED_BYTES") / MEBIBYTE);
    }

    private static String uptime(Duration up) {
        return up.toDays() > 0
                ? text("%d d %d h", up.toDays(), up.toHoursPart())
                : text("%d h %d min %d s", up.toHours(), up.toMinutesPart(), up.toSecondsPart());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private long number(String column) {
        return node.getLong(node.column(column));
    }

    private double real(String column) {
        return node.getDouble(node.column(column));
    }

    private String word(String column) {
        String text = node.getString(node.column(column));
        return text == null ? "" : text;
    }
}
