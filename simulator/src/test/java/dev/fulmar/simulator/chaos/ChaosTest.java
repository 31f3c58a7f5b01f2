package dev.fulmar.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.cluster.Wires;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.powercut.Device;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosTest {
    private static final int NODES = 3;
    private static final Map<Fault.Kind, Integer> PLAN = new EnumMap<>(Map.of(
            Fault.Kind.KILL,
            20,
            Fault.Kind.PARTITION,
            60,
            Fault.Kind.PAUSE,
            40,
            Fault.Kind.CLOCK_STEP,
            20,
            Fault.Kind.POWER_CUT,
            3,
            Fault.Kind.SLOW_DISK,
            5,
            Fault.Kind.FULL_DISK,
            15));

    private static List<Fault> draw(long seed) {
        return Chaos.chapters(PLAN, false, new SeededRandom(seed)).stream()
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void everyPlannedFaultIsInAChapter() {
        Map<Fault.Kind, Integer> drawn = new EnumMap<>(Fault.Kind.class);
        draw(1).forEach(fault -> drawn.merge(fault.kind(), 1, Integer::sum));

        assertThat(drawn).isEqualTo(PLAN);
    }

    @Test
    void disksAreStruckInChaptersOfTheirOwn() {
        assertThat(Chaos.chapters(PLAN, false, new SeededRandom(1)))
                .allSatisfy(chapter -> assertThat(chapter.stream()
                                .filter(fault -> fault.kind().needsDisks())
                                .count())
                        .isIn(0L, (long) chapter.size()));
    }

    @Test
    void clocksJumpBothWaysAndDisksAreFullInBothWays() {
        List<Fault> faults = draw(1);

        assertThat(faults)
                .anyMatch(fault -> fault instanceof Fault.ClockStep(int _, int step, int _) && step > 10_000)
                .anyMatch(fault -> fault instanceof Fault.ClockStep(int _, int step, int _) && step < -10_000)
                .anyMatch(fault -> fault instanceof Fault.FullDisk full && full.fullness() == Device.Fullness.GROWTH)
                .anyMatch(fault -> fault instanceof Fault.FullDisk full && full.fullness() == Device.Fullness.WRITES);
    }

    @Test
    void aChapterThatWasToldIsFoundInTheLedger(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("ledger");
        ChaosTally told = new ChaosTally();
        told.survived(Fault.Kind.KILL);
        told.survived(Fault.Kind.KILL);
        told.survived(Fault.Kind.CLOCK_STEP);
        told.clientFailures(Map.of("TIMEOUT", 3));
        told.sessions(4);
        told.chapter(commits(7), List.of("a value\n\tis lost"));
        ChaosLedger first = ChaosLedger.open(file);
        assertThat(first.of("1/1/ab")).isNull();
        first.add("1/1/ab", told);
        first.add("1/2/cd", new ChaosTally());
        Files.writeString(file, "1/4/gh\tKILL=1\t\t5\t0\t0\n", StandardOpenOption.APPEND); // before sessions

        ChaosLedger next = ChaosLedger.open(file);
        ChaosTally found = Objects.requireNonNull(next.of("1/1/ab"));
        assertThat(found.line()).isEqualTo(told.line()).contains("KILL=2").contains("a value is lost");
        assertThat(found.violations()).isEqualTo(1);
        assertThat(Objects.requireNonNull(next.of("1/2/cd")).violations()).isZero();
        assertThat(next.of("1/3/ef")).isNull();
        assertThat(next.of("1/4/gh")).isNull();

        ChaosTally sum = new ChaosTally();
        sum.add(found);
        sum.add(found);
        assertThat(sum.line()).startsWith("KILL=4,CLOCK_STEP=2\tTIMEOUT=6\t14\t0\t0\t8\t");
    }

    @Test
    void aChapterHasTheSameKeyInEveryProcess() {
        List<Fault> faults = List.of(
                new Fault.Partition("ring", Set.of(new Wires.Way(1, 2), new Wires.Way(2, 3), new Wires.Way(3, 1)), 7),
                new Fault.FullDisk(2, Device.Fullness.GROWTH, 5));

        assertThat(Chaos.keyOf(faults)).isEqualTo("34ad0442");
    }

    private static List<Transaction> commits(int count) {
        List<Transaction> history = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            history.add(new Transaction(1, i, i + 1, Outcome.OK, List.of(), OptionalLong.empty()));
        }
        return history;
    }

    @Test
    void theSeedDecides() {
        assertThat(draw(1)).isEqualTo(draw(1)).isNotEqualTo(draw(2));
    }

    @Test
    void partitionsHaveAllShapes() {
        Set<String> shapes = new HashSet<>();
        for (Fault fault : draw(1)) {
            if (fault instanceof Fault.Partition(String shape, Set<Wires.Way> ways, int _)) {
                shapes.add(shape.replaceAll("\\d", "N"));
                boolean isOneWay = ways.stream().anyMatch(way -> !ways.contains(new Wires.Way(way.to(), way.from())));
                assertThat(isOneWay).as(shape).isEqualTo(shape.contains("one way") || shape.contains("ring"));
                assertThat(ways).as(shape).isNotEmpty().hasSizeLessThan(NODES * (NODES + 1));
            }
        }
        assertThat(shapes).hasSize(6);
    }

    @Test
    void pausesLastFromASecondToAMinute() {
        List<Integer> millis = new ArrayList<>();
        draw(1).forEach(fault -> {
            if (fault instanceof Fault.Pause(int _, int each)) {
                millis.add(each);
            }
        });

        assertThat(millis).allMatch(each -> each >= 1_000 && each <= 60_000).anyMatch(each -> each > 20_000);
    }

    private static Findings judge(int kills, int commits, List<String> violations) {
        ChaosTally tally = new ChaosTally();
        for (int i = 0; i < kills; i++) {
            tally.survived(Fault.Kind.KILL);
        }
        tally.chapter(commits(commits), violations);
        Findings findings = new Findings("chaos", true, "sync");
        tally.report(findings, Map.of(Fault.Kind.KILL, 2));
        return findings;
    }

    @Test
    void aRunPassesOnlyWithAllFaultsEnoughCommitsAndNoViolation() {
        assertThat(judge(2, 200, List.of()).passed()).isTrue();
        assertThat(judge(1, 200, List.of()).passed()).isFalse();
        assertThat(judge(2, 199, List.of()).passed()).isFalse();
        assertThat(judge(2, 200, List.of("a value is lost")).passed()).isFalse();
    }

    @Test
    void aChapterThatBrokeIsAViolation() {
        ChaosTally tally = new ChaosTally();
        tally.broke("the cluster did not get well");

        assertThat(tally.violations()).isEqualTo(1);
    }
}
