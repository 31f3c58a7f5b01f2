package dev.fulmar.simulator.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.sql.SqlCompiler;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManoeuvresTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final List<String> violations = new ArrayList<>();
    private final SimulatedCluster cluster = new SimulatedCluster(
            world,
            ClusterScenario.drawSteered(world.random("scenario"), Theme.TRANSACTIONS, Shape.FREE),
            new PlanCache(new SqlCompiler()),
            new ProbeCounts(),
            violations::add);
    private final FaultInjector injector = new FaultInjector(cluster);

    @BeforeEach
    void found() {
        cluster.found();
        assertThat(cluster.comesTo(cluster::allInSync, 30 * SECOND_NANOS)).isTrue();
    }

    @AfterEach
    void end() {
        cluster.abandon();
        assertThat(violations).isEmpty();
    }

    private static Step after(Cue cue, Kind kind, int role) {
        return new Step(cue, SECOND_NANOS, List.of(new Deed(kind, role, Manoeuvre.ANY, SECOND_NANOS)));
    }

    private Manoeuvres begin(Step... steps) {
        return begin(List.of(List.of(new Manoeuvre("test", false, List.of(steps)))));
    }

    private Manoeuvres begin(List<List<Manoeuvre>> choices) {
        Manoeuvres manoeuvres = new Manoeuvres(cluster, injector, choices);
        manoeuvres.begin();
        return manoeuvres;
    }

    private long count(String text) {
        return cluster.diary().stream().filter(line -> line.contains(text)).count();
    }

    @Test
    void theNextStepComesWhenAnotherCopyLeads() {
        Manoeuvres manoeuvres = begin(
                new Step(
                        new Cue.Passes(0),
                        0,
                        List.of(
                                new Deed(Kind.SEPARATE, Manoeuvre.PRIMARY, Manoeuvre.ANY, 0),
                                new Deed(Kind.CUT_STORE, Manoeuvre.PRIMARY, Manoeuvre.ANY, 0))),
                after(new Cue.Leads(Manoeuvre.BACKUP), Kind.KILL, Manoeuvre.BACKUP));
        world.runFor(SECOND_NANOS);
        manoeuvres.end();
        assertThat(count("step 1 Step[cue=Leads[role=1]")).isPositive();
        assertThat(count("in vain, step 1")).isZero();
        assertThat(count("kill of N")).isPositive();
    }

    @Test
    void aMessageOfTheKindIsTheCue() {
        begin(after(new Cue.Sent(Moment.DECISION, Manoeuvre.ANY, Manoeuvre.ANY, 1), Kind.KILL, 1));
        world.runFor(SECOND_NANOS / 4);
        byte[] decision = {NodeChannel.TRANSACTION.number(), 1, 4, 0};
        for (int i = 0; i < 2; i++) {
            assertThat(count("kill of N")).isZero();
            cluster.node(new NodeId(1)).process().network().send(new NodeId(2), ByteBuffer.wrap(decision));
            world.runFor(1);
        }
        assertThat(count("meets DECISION from N1 to N2")).isEqualTo(1);
        assertThat(count("kill of N2")).isEqualTo(1);
    }

    @Test
    void aStepTakesACheckpoint() {
        long before = rounds();
        begin(after(new Cue.Passes(0), Kind.CHECKPOINT, Manoeuvre.PRIMARY));
        world.runFor(SECOND_NANOS / 2);
        assertThat(rounds()).isGreaterThan(before);
    }

    /** Of checkpoints, all nodes together. */
    private long rounds() {
        return cluster.nodes().stream()
                .map(node -> requireNonNull(node.database().durability(), "a node has logs here"))
                .mapToLong(durability ->
                        requireNonNull(durability.checkpoints()).counters().rounds())
                .sum();
    }

    @Test
    void itDoesNotBeginWithoutItsMessage() {
        begin(after(new Cue.Sent(Moment.DIVERGED, Manoeuvre.ANY, Manoeuvre.ANY, 0), Kind.KILL, 1));
        world.runFor(3 * SECOND_NANOS);
        assertThat(count("it does not begin")).isPositive();
        assertThat(count("kill of N")).isZero();
    }

    @Test
    void allIsUndoneAtTheEnd() {
        Manoeuvres manoeuvres = begin(
                after(new Cue.Passes(0), Kind.HUSH, Manoeuvre.PRIMARY),
                new Step(
                        new Cue.Passes(0),
                        0,
                        List.of(
                                new Deed(Kind.HOLD, Manoeuvre.PRIMARY, Manoeuvre.ANY, 0),
                                new Deed(Kind.CUT, Manoeuvre.BACKUP, Manoeuvre.ANY, 0),
                                new Deed(Kind.CUT_STORE, Manoeuvre.THIRD, Manoeuvre.ANY, 0))),
                after(new Cue.Leads(Manoeuvre.PRIMARY), Kind.GATHER, Manoeuvre.BACKUP));
        world.runFor(SECOND_NANOS / 2);
        assertThat(cluster.isHushed() || cluster.gathering() != null).isTrue();
        manoeuvres.end();
        assertThat(cluster.isHushed()).isFalse();
        assertThat(cluster.gathering()).isNull();
        assertThat(cluster.comesTo(cluster::allInSync, 10 * SECOND_NANOS)).isTrue();
    }

    @Test
    void twoAreUnderWayAtTheSameTimeAndAllIsUndoneAfterBoth() {
        Step cut = new Step(new Cue.Passes(0), 0, List.of(new Deed(Kind.CUT_STORE, Manoeuvre.THIRD, Manoeuvre.ANY, 0)));
        Step wait = new Step(new Cue.Sent(Moment.DIVERGED, 0, 1, 0), SECOND_NANOS / 10, List.of());
        Step hush = new Step(new Cue.Passes(0), 0, List.of(new Deed(Kind.HUSH, Manoeuvre.PRIMARY, Manoeuvre.ANY, 0)));
        Manoeuvres manoeuvres = begin(List.of(
                List.of(new Manoeuvre("short", false, List.of(hush))),
                List.of(new Manoeuvre("long", false, List.of(cut, cut, wait)))));
        world.runUntil(() -> count("manoeuvre short is over") == 1, SECOND_NANOS);
        assertThat(count("manoeuvre long about")).isEqualTo(1);
        world.runFor(SECOND_NANOS / 20);
        assertThat(cluster.isHushed()).isTrue();
        assertThat(count("manoeuvre short about")).isEqualTo(1);
        world.runUntil(() -> count("manoeuvre long is over") == 1, SECOND_NANOS);
        assertThat(cluster.isHushed()).isFalse();
        world.runUntil(() -> count("manoeuvre short about") == 2, SECOND_NANOS);
        assertThat(count("manoeuvre long about")).isBetween(1L, 2L);
        manoeuvres.end();
    }

    @Test
    void machinesHaveWrongClocksInSomeSeeds() {
        Set<Integer> errors = new TreeSet<>();
        for (int seed = 0; seed < 40; seed++) {
            errors.add(ClusterScenario.drawSteered(
                            new SimulatedWorld(seed).random("scenario"), Theme.TRANSACTIONS, Shape.READ)
                    .mostClockErrorMicros());
        }
        assertThat(errors).hasSize(3).contains(0);
    }

    @Test
    void everyThirdRoundTriesTwoShapesAtOnce() {
        int shapes = Shape.count(Theme.TRANSACTIONS);
        for (int round = 0; round < 6; round++) {
            assertThat(ManoeuvrePlan.draw(
                            new SimulatedWorld(5).random("plan"), Theme.TRANSACTIONS, (long) round * shapes))
                    .hasSize(round % 3 == 2 ? 2 : 1);
        }
    }

    @Test
    void aSeedDecidesTheManoeuvres() {
        List<List<Manoeuvre>> first = ManoeuvrePlan.draw(new SimulatedWorld(5).random("plan"), Theme.CATALOG, 1);
        assertThat(ManoeuvrePlan.draw(new SimulatedWorld(5).random("plan"), Theme.CATALOG, 1))
                .isEqualTo(first);
        assertThat(ManoeuvrePlan.draw(new SimulatedWorld(6).random("plan"), Theme.CATALOG, 1))
                .isNotEqualTo(first);
    }

    @Test
    void aStepOfAChangeOfTheCatalogIsTheCue() {
        begin(after(new Cue.Sent(Moment.CHANGE_READY, Manoeuvre.ANY, Manoeuvre.ANY, 0), Kind.KILL, 1));
        world.runFor(SECOND_NANOS / 4);
        byte[] tried = {NodeChannel.CATALOG.number(), 1, 3, 0};
        byte[] ready = {NodeChannel.CATALOG.number(), 1, 4, 0};
        cluster.node(new NodeId(1)).process().network().send(new NodeId(2), ByteBuffer.wrap(tried));
        world.runFor(1);
        assertThat(count("kill of N")).isZero();
        cluster.node(new NodeId(3)).process().network().send(new NodeId(2), ByteBuffer.wrap(ready));
        world.runFor(1);
        assertThat(count("meets CHANGE_READY from N3 to N2")).isEqualTo(1);
        assertThat(count("kill of N2")).isEqualTo(1);
    }

    /** By the numbers of the format: a kind that no moment has is never a cue. */
    @Test
    void everyMessageOfTransactionsHasAMoment() throws ReflectiveOperationException {
        Class<?> format = Class.forName("dev.fulmar.coordinator.remote.RemoteFormat");
        int kinds = 0;
        for (Field field : format.getDeclaredFields()) {
            field.setAccessible(true);
            if (field.getType() == int.class
                    && !Set.of("VERSION", "FIRST_BYTES").contains(field.getName())) {
                byte[] message = {NodeChannel.TRANSACTION.number(), 1, (byte) field.getInt(null), 0};
                assertThat(Moment.all(Theme.MOVES))
                        .as(field.getName())
                        .filteredOn(moment -> moment.isOf(message))
                        .hasSize(1);
                kinds++;
            }
        }
        assertThat(kinds).isGreaterThan(20);
    }

    @Test
    void seedsGoRoundTheShapes() {
        Set<String> tried = new TreeSet<>();
        int shapes = Shape.count(Theme.CATALOG);
        for (int number = 0; number < 2 * Shape.count(Theme.TRANSACTIONS); number++) {
            ManoeuvrePlan.draw(new SimulatedWorld(5).random("plan"), Theme.CATALOG, number)
                    .getFirst()
                    .forEach(manoeuvre -> tried.add(manoeuvre.shape()));
        }
        assertThat(tried).hasSize(shapes).contains("CHANGE_ALONE", "CHANGE_LATE", "BACK_AND_FORTH");
        tried.removeIf(shape -> shape.startsWith("CHANGE_"));
        assertThat(tried).hasSize(Shape.count(Theme.TRANSACTIONS));
    }
}
