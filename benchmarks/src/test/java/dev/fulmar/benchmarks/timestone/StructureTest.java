package dev.fulmar.benchmarks.timestone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The structures are sets, on whatever they are built, and stay so under threads. */
class StructureTest {
    @TempDir
    private Path directory = Path.of("");

    static Stream<Supplier<Structure>> structures() {
        return Stream.of(SortedList::new, SearchTree::new, () -> new HashTable(7));
    }

    @ParameterizedTest
    @MethodSource("structures")
    void aStructureIsASet(Supplier<Structure> structure) {
        for (Nodes nodes : List.of(StoreNodes.inMemory(), new ForcedFileNodes(directory.resolve("forced")))) {
            try (nodes;
                    Nodes.Access access = nodes.access()) {
                check(structure.get(), access);
            }
        }
    }

    private static void check(Structure structure, Nodes.Access access) {
        access.run(true, body -> {
            structure.begin(body);
            return 0;
        });
        TreeSet<Long> model = new TreeSet<>();
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 2_000; i++) {
            long key = random.nextInt(60);
            boolean[] expected = new boolean[1];
            boolean found = switch (random.nextInt(3)) {
                case 0 -> {
                    expected[0] = model.add(key);
                    yield access.run(true, body -> structure.add(body, key));
                }
                case 1 -> {
                    expected[0] = model.remove(key);
                    yield access.run(true, body -> structure.remove(body, key));
                }
                default -> {
                    expected[0] = model.contains(key);
                    yield access.run(false, body -> structure.contains(body, key));
                }
            };
            assertThat(found).isEqualTo(expected[0]);
        }
        assertThat(access.run(false, structure::count)).isEqualTo(model.size());
    }

    @ParameterizedTest
    @MethodSource("structures")
    void threadsDoNotDamageIt(Supplier<Structure> structure) {
        Subject.Keys subject = new Subject.Keys("small", structure.get(), 40);
        try (Nodes nodes = StoreNodes.inMemory();
                Nodes.Access access = nodes.access()) {
            subject.load(access);
            Trial.Result result = Trial.run(nodes, 3, 300_000_000, 1, subject.operation(80));
            assertThat(result.perSecond()).isPositive();
            assertThat(result.p99Micros()).isGreaterThanOrEqualTo(result.p50Micros());
            assertThat(subject.count(access)).isBetween(0L, 80L);
        }
    }

    @Test
    void aChartHasItsLines() {
        LineChart chart = new LineChart("a < b", "real", "1/s", List.of("1", "2"));
        chart.line("one", List.of(10.0, 1_000.0));
        chart.line("other", List.of(0.0, 20.0));
        assertThat(chart.toSvg())
                .startsWith("<svg")
                .contains("a &lt; b", ">one<", ">other<", ">1,000<")
                .doesNotContain("NaN", "Infinity");
    }
}
