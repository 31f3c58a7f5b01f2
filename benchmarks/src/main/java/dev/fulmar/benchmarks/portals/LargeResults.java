package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reading of more rows than a node's heap holds. A client reads all of them through a portal and through a cursor. A
 * hundred readers stop, and one is too slow beside writers.
 */
public final class LargeResults implements Experiment {
    static final String NAME = "portals";

    private static final int HEAP_MEGABYTES = 512;
    private static final int ROWS = 10_000;
    private static final int QUICK_ROWS = 200;
    private static final int SAMPLES = 10;
    private static final int QUICK_SAMPLES = 2;
    private static final int IDLE_SECONDS = 20;
    private static final int QUICK_IDLE_SECONDS = 4;
    private static final int PART_ROWS = 1_000_000;
    private static final int QUICK_PART_ROWS = 1;
    private static final int PATIENCE = 3;
    private static final long STOPPED_MILLIS = 500;
    private static final long GONE_MILLIS = 60_000;
    private static final List<String> CLIENT_OPTIONS = List.of("-Xmx512m");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "results beyond a node's heap, through portals and cursors: memory of readers, slow and stopped ones";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        PortalObservations seen = new Trial(settings).run();
        Findings findings = new Findings(NAME, settings.quick(), "none");
        PortalJudge.report(findings, seen);
        return findings;
    }

    /** One run. */
    private static final class Trial {
        private final Settings settings;
        private final int rows;
        private final int rowsBetween;
        private final int idleSeconds;

        Trial(Settings settings) {
            this.settings = settings;
            rows = settings.quick() ? QUICK_ROWS : ROWS;
            rowsBetween = rows / (settings.quick() ? QUICK_SAMPLES : SAMPLES);
            idleSeconds = settings.quick() ? QUICK_IDLE_SECONDS : IDLE_SECONDS;
        }

        PortalObservations run() throws IOException, InterruptedException {
            try (PortalNode node = PortalNode.start(
                    HEAP_MEGABYTES,
                    "memory.limit=3g",
                    "portals.per-connection=" + ReadingClient.CROWD_PORTALS,
                    "portals.idle-timeout=" + idleSeconds + "s")) {
                try (FulmarClient client =
                        FulmarClient.builder().hosts(node.host()).connect()) {
                    Documents.fill(client, rows);
                }
                node.await(figures -> figures.accountedBytes() == 0, GONE_MILLIS);
                PortalNodeFigures base = node.collected();
                say("filled: " + base);
                LargeReading stream = read(node, ReadingClient.Way.STREAM, base);
                say("stream: " + stream);
                LargeReading cursor = read(node, ReadingClient.Way.CURSOR, base);
                say("cursor: " + cursor);
                PortalNodeFigures crowd = crowd(node);
                say("stopped readers: " + crowd);
                PortalNodeFigures left = rest(node);
                Stalled stalled = stall(node, left);
                say("stalled: " + stalled);
                return new PortalObservations(
                        rows,
                        base,
                        stream,
                        cursor,
                        crowd,
                        crowd.open(),
                        stalled.node(),
                        stalled.heard(),
                        stalled.written(),
                        stalled.refused(),
                        rest(node));
            }
        }

        private void say(String text) {
            settings.output().accept(text);
        }

        /** The node when all that clients had is given back. */
        private static PortalNodeFigures rest(PortalNode node) throws IOException, InterruptedException {
            return node.await(
                    figures -> figures.open() == 0 && figures.readers() == 0 && figures.accountedBytes() == 0,
                    GONE_MILLIS);
        }

        private static JavaChild client(PortalNode node, ReadingClient.Way way, int number) throws IOException {
            return JavaChild.start(
                    ReadingClient.class, CLIENT_OPTIONS, List.of(node.host(), way.name(), Integer.toString(number)));
        }

        private LargeReading read(PortalNode node, ReadingClient.Way way, PortalNodeFigures base)
                throws IOException, InterruptedException {
            try (JavaChild client = client(node, way, rowsBetween)) {
                long clientBase = Long.parseLong(client.awaitLine(ReadingClient.PAUSE));
                client.tell("");
                int samples = rows / rowsBetween;
                long nodeHeap = 0;
                long accounted = 0;
                long clientHeap = 0;
                for (int i = 0; i < samples; i++) {
                    long heap = Long.parseLong(client.awaitLine(ReadingClient.PAUSE));
                    PortalNodeFigures now = node.collected();
                    nodeHeap = Math.max(nodeHeap, now.heapBytes() - base.heapBytes());
                    accounted = Math.max(accounted, now.accountedBytes() - base.accountedBytes());
                    clientHeap = Math.max(clientHeap, heap - clientBase);
                    client.tell("");
                }
                String[] done = client.awaitLine(ReadingClient.DONE).split(" ");
                return new LargeReading(
                        Long.parseLong(done[0]), Long.parseLong(done[1]), nodeHeap, accounted, clientHeap, samples);
            }
        }

        /** The client is stopped while it reads, so replies wait at the node that it does not take. */
        private PortalNodeFigures crowd(PortalNode node) throws IOException, InterruptedException {
            try (JavaChild client =
                    client(node, ReadingClient.Way.CROWD, settings.quick() ? QUICK_PART_ROWS : PART_ROWS)) {
                client.awaitLine(ReadingClient.PAUSE);
                client.tell("");
                client.awaitLine(ReadingClient.READS);
                client.pause();
                Thread.sleep(STOPPED_MILLIS); // the node sends what it can
                PortalNodeFigures stopped = node.collected();
                client.kill();
                return stopped;
            }
        }

        private record Stalled(PortalNodeFigures node, String heard, long written, long refused) {}

        private Stalled stall(PortalNode node, PortalNodeFigures before) throws IOException, InterruptedException {
            LongAdder written = new LongAdder();
            LongAdder refused = new LongAdder();
            AtomicBoolean ends = new AtomicBoolean();
            try (JavaChild client = client(node, ReadingClient.Way.STALL, 1)) {
                client.awaitLine(ReadingClient.PAUSE);
                client.tell("");
                client.awaitLine(ReadingClient.PAUSE);
                Thread writers = Thread.ofPlatform().start(() -> write(node, ends, written, refused));
                PortalNodeFigures ended =
                        node.await(figures -> figures.timedOut() > before.timedOut(), 1_000L * PATIENCE * idleSeconds);
                ends.set(true);
                writers.join();
                client.tell("");
                return new Stalled(ended, client.awaitLine(ReadingClient.ENDED), written.sum(), refused.sum());
            } finally {
                ends.set(true);
            }
        }

        private void write(PortalNode node, AtomicBoolean ends, LongAdder written, LongAdder refused) {
            try (FulmarClient client = FulmarClient.builder().hosts(node.host()).connect()) {
                for (int id = 0; !ends.get(); id = (id + 1) % rows) {
                    try {
                        client.execute("UPDATE document SET version = version + 1 WHERE id = ?", id);
                        written.increment();
                    } catch (FulmarException e) {
                        refused.increment();
                    }
                }
            }
        }
    }
}
