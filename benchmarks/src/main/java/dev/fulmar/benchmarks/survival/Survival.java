package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Databases that live under load, end without notice, and are judged after each restart. One thread. */
public final class Survival {
    private static final int LEAST_LIFE_MILLIS = 150;
    private static final int MOST_LIFE_MILLIS = 1800;

    /** As many changes of the catalog as a campaign must have seen per life, on average. */
    private static final int CHANGES_OF_A_LIFE = 3;

    private static final int LONGEST_LIFE_MILLIS = 30_000;
    private static final int LOOK_MILLIS = 5;
    private static final int ENDS_WHILE_STARTING_ONE_IN = 4;
    private static final long LEAST_RECOVERY_MILLIS = 100;
    private static final int OUTSTANDING = 256;
    private static final int MOST_PROBLEMS = 40;

    private final SplittableRandom random;
    private final String durability;
    private final Consumer<String> output;
    private final List<String> problems = new ArrayList<>();
    private final Figures figures = new Figures();
    private long lastStartMillis = 1000;

    public Survival(long seed, String durability, Consumer<String> output) {
        this.random = new SplittableRandom(seed);
        this.durability = durability;
        this.output = output;
    }

    /** Makes what a database's nodes run on. */
    @FunctionalInterface
    public interface Machines {
        Machine next() throws IOException;
    }

    /** Problems of all databases. */
    public List<String> problems() {
        return problems;
    }

    public Figures figures() {
        return figures;
    }

    /** One database: so many ends under load, or fewer if something goes wrong. False in that case. */
    public boolean chapter(Machines machines, int ends) throws IOException, InterruptedException {
        Chapter chapter = Chapter.draw(random.split(), durability);
        output.accept("a database: " + chapter);
        Judge judge = new Judge(chapter);
        CatalogChanges changes = new CatalogChanges();
        int problemsBefore = problems.size();
        try (Machine machine = machines.next()) {
            try {
                endWhileStarting(machine, chapter);
                Machine.Node node = machine.start(chapter.options());
                try (FulmarClient client = node.connect(OUTSTANDING)) {
                    Schema.create(client, chapter.chains());
                }
                for (int life = 1; life <= ends && problems.size() == problemsBefore; life++) {
                    int least = life == ends ? ends * CHANGES_OF_A_LIFE : 0;
                    node = life(machine, node, chapter, new Life(life, least), judge, changes);
                }
                node.stop();
            } catch (IOException | FulmarException broken) {
                problem("the database could not go on: " + broken.getMessage());
            }
            if (problems.size() > problemsBefore) {
                output.accept("its data stays in " + machine.keep());
            }
        }
        figures.unansweredThere += judge.unansweredThere();
        figures.catalogChanges += changes.acknowledged();
        return problems.size() == problemsBefore;
    }

    /**
     * One life of a database's nodes.
     *
     * @param leastChanges how many changes of the catalog the database has seen before it ends: in a given time a slow
     *     machine makes few
     */
    private record Life(int number, int leastChanges) {}

    /** Returns the node of the next life. */
    private Machine.Node life(
            Machine machine, Machine.Node node, Chapter chapter, Life life, Judge judge, CatalogChanges changes)
            throws IOException, InterruptedException {
        Witness witness =
                new Witness(life.number(), chapter.chains(), changes.known().edition());
        Load load = new Load(chapter, node.connect(OUTSTANDING), witness);
        int lifeMillis = LEAST_LIFE_MILLIS + random.nextInt(MOST_LIFE_MILLIS - LEAST_LIFE_MILLIS);
        load.start(random.split(), changes);
        long begun = System.nanoTime();
        Thread.sleep(lifeMillis);
        while (changes.acknowledged() < life.leastChanges() && millisSince(begun) < LONGEST_LIFE_MILLIS) {
            Thread.sleep(LOOK_MILLIS);
        }
        long livedMillis = millisSince(begun);
        node.end();
        load.finish();
        while (random.nextInt(ENDS_WHILE_STARTING_ONE_IN) == 0) {
            endWhileStarting(machine, chapter);
        }
        long begin = System.nanoTime();
        Machine.Node next = machine.start(chapter.options());
        lastStartMillis = millisSince(begin);
        long judged = System.nanoTime();
        try (FulmarClient client = next.connect(OUTSTANDING)) {
            judge.judge(client, witness, changes);
        }
        witness.problems().forEach(this::problem);
        figures.note(witness, lastStartMillis);
        output.accept(String.format(
                Locale.ROOT,
                "end %d: %,d acknowledged in %d ms, %,d in all; restart %d ms, judged in %d ms, %d problems",
                figures.ends,
                witness.acknowledged(),
                livedMillis,
                figures.acknowledged,
                lastStartMillis,
                millisSince(judged),
                problems.size()));
        return next;
    }

    /**
     * Within the recovery in most cases, by what a restart takes after it has begun to read the log: a part of the
     * whole.
     */
    private void endWhileStarting(Machine machine, Chapter chapter) throws IOException, InterruptedException {
        long millis = random.nextLong(Math.max(LEAST_RECOVERY_MILLIS, lastStartMillis / 3));
        List<String> said = machine.startAndEnd(chapter.options(), millis);
        figures.endsWhileStarting++;
        if (said.stream().noneMatch(line -> line.contains("is ready"))) {
            figures.endsInRecovery++;
        }
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private void problem(String text) {
        output.accept("PROBLEM: " + text);
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(text);
        }
    }

    /** Figures of all databases. */
    public static final class Figures {
        private long ends;
        private long endsWhileStarting;
        private long endsInRecovery;
        private long endsInCheckpoint;
        private long acknowledged;
        private long reads;
        private long catalogChanges;
        private long unansweredThere;
        private long restartMillis;
        private long longestRestartMillis;

        private void note(Witness witness, long startMillis) {
            ends++;
            acknowledged += witness.acknowledged();
            reads += witness.reads();
            endsInCheckpoint += witness.sawCheckpointUnderWay() ? 1 : 0;
            restartMillis += startMillis;
            longestRestartMillis = Math.max(longestRestartMillis, startMillis);
        }

        public long ends() {
            return ends;
        }

        public long endsWhileStarting() {
            return endsWhileStarting;
        }

        /** Of those, the ones whose node had begun with its log and did not take clients yet. */
        public long endsInRecovery() {
            return endsInRecovery;
        }

        /** Ends before which the node's figures last showed a checkpoint under way. */
        public long endsInCheckpoint() {
            return endsInCheckpoint;
        }

        public long acknowledged() {
            return acknowledged;
        }

        public long reads() {
            return reads;
        }

        public long catalogChanges() {
            return catalogChanges;
        }

        /** Appends without answer that were there after the restart. */
        public long unansweredThere() {
            return unansweredThere;
        }

        public long meanRestartMillis() {
            return ends == 0 ? 0 : restartMillis / ends;
        }

        public long longestRestartMillis() {
            return longestRestartMillis;
        }
    }
}
