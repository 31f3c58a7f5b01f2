package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.crash.CrashTally.Reached;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Violation;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The sequel of a crash, in a world of its own: perhaps another crash while it recovers, the verdict, perhaps more load
 * and another crash.
 */
final class Aftermath {
    private static final int CRASH_AGAIN_ONE_IN = 5;
    private static final int DIVERGE_ONE_IN = 20;
    private static final int GO_ON_ONE_IN = 8;
    private static final int WHOLE_ONE_IN = 3;
    private static final int GO_ON_UNFORCED_ONE_IN = 2;
    private static final int MOST_RECOVERY_POINTS = 40;
    private static final int MOST_LATER_POINTS = 150;
    private static final int LATER_ASKS = 6;
    private static final int RETRIES = 6;

    /** Those between the early and the late ones are at a partition that did not execute them. */
    private static final int RETRIES_WITH_MOVES = 60;

    private static final long SETTLE_NANOS = 2_000_000;

    private final CrashSetup setup;
    private final CrashTally tally;
    private final SimulatedWorld world;
    private final SeededRandom random;
    private final boolean powerFails;
    private final List<String> violations = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    /** The last write before a kill is whole, but in the system's memory only. */
    private boolean wholeInMemory;

    Aftermath(CrashSetup setup, CrashTally tally, long seed, boolean powerFails) {
        this.setup = setup;
        this.tally = tally;
        this.world = new SimulatedWorld(seed);
        this.random = world.random("aftermath");
        this.powerFails = powerFails;
    }

    /** Ends the process that wrote the disk, at the moment, and judges what is left; returns what is wrong. */
    List<String> of(
            SimulatedDisk disk,
            long nowNanos,
            CrashingStorage.@Nullable TornWrite torn,
            CrashLife life,
            @Nullable List<Transaction> history) {
        try {
            world.runFor(nowNanos);
            world.disk(CrashSetup.NODE).become(disk);
            SimulatedProcess ended = world.startProcess(CrashSetup.NODE);
            if (torn != null) {
                write(ended, torn);
            }
            end(ended, powerFails);
            if (random.nextInt(DIVERGE_ONE_IN) == 0) {
                diverge();
            }
            if (random.nextInt(CRASH_AGAIN_ONE_IN) == 0) {
                crashInRecovery();
            }
            judge(life, history);
        } catch (RuntimeException | Error | IOException defect) { // whatever breaks is what the run is for
            violations.add("a defect: " + defect + at(defect));
        }
        note();
        return violations;
    }

    private static String at(Throwable defect) {
        StackTraceElement[] stack = defect.getStackTrace();
        return stack.length == 0 ? "" : " at " + stack[0];
    }

    private void end(SimulatedProcess process, boolean byPowerFailure) {
        if (byPowerFailure) {
            process.crash();
        } else {
            process.kill();
        }
    }

    /**
     * Writes the torn write as a crash leaves it. A power failure takes any part of it; a kill leaves a beginning, or
     * all of it in the system's memory, where the next life reads it.
     */
    private void write(SimulatedProcess process, CrashingStorage.TornWrite torn) throws IOException {
        ByteBuffer bytes = torn.bytes().duplicate();
        if (!powerFails) {
            wholeInMemory = random.nextInt(WHOLE_ONE_IN) == 0;
            int most = bytes.remaining();
            bytes.limit(bytes.position() + (wholeInMemory ? most : random.nextInt(most + 1)));
        }
        try (StorageFile file = process.storage().open(torn.name())) {
            file.write(torn.position(), bytes);
        }
    }

    private void diverge() throws IOException {
        DivergenceTrial trial =
                new DivergenceTrial(setup, world.disk(CrashSetup.NODE), world.nowNanos(), random.nextLong());
        add(trial.run());
        tally.reached(Reached.DIVERGENCE_REFUSED, trial.isPossible() ? 1 : 0);
    }

    private void crashInRecovery() {
        SimulatedProcess process = world.startProcess(CrashSetup.NODE);
        CrashingStorage storage = new CrashingStorage(process);
        boolean powerFailsNow = random.nextInt(2) == 0;
        storage.crashAfter(1L + random.nextInt(MOST_RECOVERY_POINTS), powerFailsNow);
        SimulatedDatabase database =
                setup.database(world, process, storage, setup.order(), progress::add, violations::add);
        try {
            database.start();
            world.runFor(SETTLE_NANOS);
            end(process, powerFailsNow);
        } catch (CrashingStorage.Crash end) {
            tally.reached(Reached.CRASH_IN_RECOVERY, 1);
        }
        database.abandon();
    }

    private void judge(CrashLife before, @Nullable List<Transaction> history) {
        SimulatedProcess process = world.startProcess(CrashSetup.NODE);
        CrashingStorage storage = new CrashingStorage(process);
        CommitOrder order = setup.order();
        SimulatedDatabase database = setup.database(world, process, storage, order, progress::add, violations::add);
        database.start();
        violations.addAll(database.tableDefects());
        long[] numbers = verdict(database, before);
        if (history != null) {
            serializable(database, history);
        }
        if (setup.movesKeys() && violations.isEmpty()) {
            settle(database, numbers, before);
        }
        int goOnOneIn = wholeInMemory ? GO_ON_UNFORCED_ONE_IN : GO_ON_ONE_IN;
        if (violations.isEmpty() && random.nextInt(goOnOneIn) == 0) {
            goOn(database, storage, order, numbers, before.lastRequest());
        } else {
            database.stop();
        }
    }

    private long[] verdict(SimulatedDatabase database, CrashLife before) {
        long[] numbers = observe(database);
        add(breach(before.expectation(), numbers));
        add(before.breach(database.database().catalog()));
        passingRows(database, before);
        retry(database, before);
        if (!Arrays.equals(numbers, observe(database))) {
            violations.add("a retry of what was acknowledged has changed something");
        }
        setup.workload()
                .verify(
                        (text, arguments) -> Replies.decode(database.execute(text, arguments)),
                        random,
                        violations::add);
        return numbers;
    }

    private @Nullable String breach(Expectation expectation, long[] numbers) {
        return setup.movesKeys() ? expectation.breachOfCounts(numbers) : expectation.breach(numbers);
    }

    /** The reconfiguration goes on or is undone, and every key has what it had, at one partition. */
    private void settle(SimulatedDatabase database, long[] numbers, CrashLife before) {
        new CrashMoves(world, database, random.split("settling"), violations::add).settle(tally);
        violations.addAll(database.tableDefects());
        if (!Arrays.equals(numbers, observe(database))) {
            violations.add("moves after a crash have changed rows");
        }
        retry(database, before);
        if (!Arrays.equals(numbers, observe(database))) {
            violations.add("a retry after moves of what was acknowledged has changed something");
        }
        setup.workload()
                .verify(
                        (text, arguments) -> Replies.decode(database.execute(text, arguments)),
                        random,
                        violations::add);
    }

    /** Checks that all acknowledged rows of a table that comes and goes are there, unless the table has gone. */
    private void passingRows(SimulatedDatabase database, CrashLife before) {
        before.passingRows().forEach((table, acknowledged) -> {
            if (database.database().catalog().tables().containsKey(table)) {
                long rows = Replies.decode(database.execute("SELECT COUNT(*) FROM " + table))
                        .tables()
                        .getFirst()
                        .getFirst()[0];
                if (rows < acknowledged) {
                    violations.add(
                            "table " + table + " has " + rows + " rows, but " + acknowledged + " were acknowledged");
                }
            }
        });
    }

    private long[] observe(SimulatedDatabase database) {
        return setup.workload().observe((text, arguments) -> Replies.decode(database.execute(text, arguments)));
    }

    /**
     * A client that did not hear its answer asks again under the same handle: it must get one, and nothing may happen
     * twice.
     */
    private void retry(SimulatedDatabase database, CrashLife before) {
        for (TransactionRequest request :
                before.acknowledgedEarlyAndLate(setup.movesKeys() ? RETRIES_WITH_MOVES : RETRIES)) {
            if (!(database.ask(request) instanceof TransactionResponse.Committed again)) {
                violations.add("a retry of what was acknowledged is refused: " + request);
            } else if (!before.isFirstAnswer(request.requestId(), again)) {
                violations.add("a retry of what was acknowledged has another answer: " + request);
            }
        }
    }

    private void add(@Nullable String violation) {
        if (violation != null) {
            violations.add(violation);
        }
    }

    private void serializable(SimulatedDatabase database, List<Transaction> history) {
        List<Operation> last =
                setup.workload().readAll((text, arguments) -> Replies.decode(database.execute(text, arguments)));
        List<Transaction> whole = new ArrayList<>(history);
        long now = Math.max(
                world.nowNanos(), history.isEmpty() ? 0 : 1 + history.getLast().invokedNanos());
        whole.add(new Transaction(0, now, now + 1, Transaction.Outcome.OK, last, OptionalLong.empty()));
        for (Violation violation :
                new StrictSerializabilityVerifier().verify(whole).violations()) {
            violations.add(violation.toString());
        }
    }

    private void goOn(
            SimulatedDatabase database, CrashingStorage storage, CommitOrder order, long[] numbers, long lastRequest) {
        tally.reached(Reached.WENT_ON, 1);
        CrashLife life = new CrashLife(
                world, setup, database, order, numbers, lastRequest, (HistoryRecorder) null, violations::add);
        boolean powerFailsNext = wholeInMemory || random.nextInt(2) == 0;
        storage.crashAfter(1L + random.nextInt(MOST_LATER_POINTS), powerFailsNext);
        try {
            life.begin(LATER_ASKS, 0);
            life.finish(() -> {});
            end(database.process(), powerFailsNext);
        } catch (CrashingStorage.Crash end) {
            tally.reached(Reached.CRASH, 1);
        }
        Expectation expected = life.expectation();
        database.abandon();
        SimulatedProcess process = world.startProcess(CrashSetup.NODE);
        SimulatedDatabase last =
                setup.database(world, process, process.storage(), setup.order(), progress::add, violations::add);
        last.start();
        violations.addAll(last.tableDefects());
        add(breach(expected, observe(last)));
        last.stop();
    }

    private void note() {
        for (String line : progress) {
            if (line.contains("from checkpoints")) {
                tally.reached(Reached.BEGUN_FROM_CHECKPOINTS, 1);
            } else if (line.contains("torn slot is repaired")) {
                tally.reached(Reached.TORN_SLOT_REPAIRED, 1);
            } else if (line.contains("the log was")) {
                tally.reached(Reached.TAIL_CUT, 1);
            } else if (line.contains("in doubt")) {
                tally.reached(line.contains("is committed") ? Reached.DOUBT_COMMITTED : Reached.DOUBT_UNDONE, 1);
            }
        }
    }
}
