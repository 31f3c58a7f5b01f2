package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands about plans, against a node that divides integers by range, and one that hashes them. */
@Timeout(120)
class PlanCommandTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static FulmarNode start() {
        return FulmarNode.start(NodeConfiguration.of(new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "durability", "none",
                "partitions", "3",
                "partitioning", "range:1,11,21",
                "sites", "1",
                "memory.limit", "64m"))));
    }

    /** Exit status of the command; what it said is in {@link #out} and {@link #err} alone. */
    private int plan(FulmarNode node, String command, String... options) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] all = new String[4 + options.length];
        System.arraycopy(new String[] {"plan", command, "--host", "127.0.0.1:" + node.port()}, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all);
    }

    private static long first(FulmarClient client, String query) {
        return client.execute(query).table().first().getLong(0);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void aPlanIsShownExportedCheckedAndCompared() throws IOException {
        try (FulmarNode node = start()) {
            assertThat(plan(node, "show")).isZero();
            assertThat(out.toString().lines())
                    .containsExactly(
                            "the plan of the configuration",
                            "partition 0: [#0000000000000000-#5555555555555555), [-11)",
                            "partition 1: [#5555555555555555-#aaaaaaaaaaaaaaaa), [11-21)",
                            "partition 2: [#aaaaaaaaaaaaaaaa-), [21-)");
            Path exported = folder.resolve("exported.json");
            assertThat(plan(node, "export", "--to", exported.toString())).isZero();
            assertThat(plan(node, "check", exported.toString())).isZero();
            assertThat(out.toString()).contains("it is the one that counts");
            assertThat(plan(node, "export", "--to", exported.toString())).isEqualTo(1);
            assertThat(err.toString()).contains("exists already");
            assertThat(plan(node, "export")).isZero();
            assertThat(out.toString()).isEqualTo(Files.readString(exported));

            String later = file("later.json", "{\"plan\": {\"*\": {\"Partition 2\": \"7\"}}}");
            assertThat(plan(node, "diff", later)).isZero();
            assertThat(out.toString().lines()).containsExactly("7 0 -> 2");
            assertThat(plan(node, "check", later)).isZero();
            assertThat(out.toString()).contains("it moves 1 range");
            assertThat(plan(node, "diff", exported.toString())).isZero();
            assertThat(out.toString()).contains("no range changes its partition");
        }
    }

    @Test
    void sparePartitionsHaveAPlaceForSequencesAndNoOtherKeys() {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "data", folder.resolve("data").toString(),
                "partitions", "2",
                "partitions.spare", "1",
                "sites", "1",
                "memory.limit", "64m"));
        try (FulmarNode node = FulmarNode.start(NodeConfiguration.of(settings))) {
            assertThat(plan(node, "show")).isZero();
            assertThat(out.toString().lines().filter(line -> line.startsWith("partition 2")))
                    .singleElement()
                    .asString()
                    .matches("partition 2: \\[#\\p{XDigit}{16}-#\\p{XDigit}{16}\\)");
            try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
                client.execute("CREATE TABLE t (id BIGINT GENERATED ALWAYS AS IDENTITY, k BIGINT NOT NULL)");
                client.execute("PARTITION TABLE t ON COLUMN k");
                for (int key = 0; key < 50; key++) {
                    client.execute("INSERT INTO t (k) VALUES (?)", key);
                }
                assertThat(first(client, "SELECT COUNT(DISTINCT id) FROM t")).isEqualTo(50);
            }
        }
        settings.put("partitions.spare", "0");
        assertThatThrownBy(
                        () -> FulmarNode.start(NodeConfiguration.of(settings)).close())
                .hasMessageContaining("partitions.spare=1, not 0");
        settings.put("partitions.spare", "1");
        try (FulmarNode node = FulmarNode.start(NodeConfiguration.of(settings));
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            assertThat(first(client, "SELECT COUNT(*) FROM t")).isEqualTo(50);
        }
    }

    @Test
    void aBalancedPlanGivesSparePartitionsTheirShareOfTheHashes() throws IOException {
        try (FulmarNode node = FulmarNode.start(NodeConfiguration.of(new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "durability", "none",
                "partitions", "2",
                "partitions.spare", "2",
                "sites", "1",
                "memory.limit", "64m"))))) {
            Path balanced = folder.resolve("balanced.json");
            assertThat(plan(node, "balance", "--to", balanced.toString())).isZero();
            assertThat(plan(node, "diff", balanced.toString())).isZero();
            assertThat(out.toString().lines())
                    .anyMatch(line -> line.endsWith(" 0 -> 2"))
                    .anyMatch(line -> line.endsWith(" 1 -> 3"));
            assertThat(Main.commandLine()
                            .setOut(new PrintWriter(out))
                            .setErr(new PrintWriter(err))
                            .execute(
                                    "reconfigure",
                                    balanced.toString(),
                                    "--watch",
                                    "--host",
                                    "127.0.0.1:" + node.port()))
                    .isZero();
            out.getBuffer().setLength(0);
            Path again = folder.resolve("again.json");
            assertThat(plan(node, "balance", "--to", again.toString())).isZero();
            assertThat(plan(node, "check", again.toString())).isZero();
            assertThat(out.toString()).as("it is even").contains("it is the one that counts");
            assertThat(plan(node, "balance", "--partitions", "5")).isEqualTo(1);
            assertThat(err.toString()).contains("the database has 4");
        }
    }

    @Test
    void aPlanThatCannotBeUsedIsRefusedWithFileAndRange() throws IOException {
        try (FulmarNode node = start()) {
            String twice = file("twice.json", "{\"plan\": {\"*\": {\"0\": \"[-30)\", \"2\": \"[21-)\"}}}");
            assertThat(plan(node, "check", twice)).isEqualTo(1);
            assertThat(err.toString()).contains(twice, "has [21-30) twice", "INVALID_CONFIGURATION");
            assertThat(plan(node, "diff", folder.resolve("none").toString())).isEqualTo(1);
            assertThat(err.toString()).contains("check path and permissions");
            assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute("plan"))
                    .isZero();
            assertThat(out.toString()).contains("export");
        }
    }
}
