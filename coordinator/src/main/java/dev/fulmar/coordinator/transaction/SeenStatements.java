package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** The statements of one run, of which some need not run again on the state of the partition. For its thread. */
final class SeenStatements {
    /** Plans of the statements, by their numbers. */
    interface Plans {
        /** The plan itself, as long as it is used. */
        Object of(int number);

        /** The rows on which the statement depends, and those that it changes. */
        Reach reach(int number);
    }

    private final SeenStates states;
    private final TransactionRequest.Script script;
    private final Plans plans;
    private final Partition partition;
    private final long version;

    /** The tables that each statement changed, in this run or in the one that counts for this state. */
    private final long[] changed;

    /** Results of the new statements. */
    private final @Nullable ResultDigest[] results;

    private final int seen;

    /** The statements that were seen and run again: something that runs depends on their changes. */
    private final boolean[] again;

    /**
     * @param version of the catalog for which the statements are planned
     */
    SeenStatements(
            SeenStates states, TransactionRequest.Script script, Plans plans, Partition partition, long version) {
        this.states = states;
        this.script = script;
        this.plans = plans;
        this.partition = partition;
        this.version = version;
        this.changed = new long[script.steps().size()];
        this.results = new @Nullable ResultDigest[script.steps().size()];
        this.seen = states.seen(script, partition, version, plans::of, changed);
        this.again = again();
    }

    /** A statement that failed changed nothing, so nothing depends on it. */
    private boolean[] again() {
        Reach.Union needed = new Reach.Union();
        for (int number = seen; number < script.steps().size(); number++) {
            needed.add(plans.reach(number));
        }
        boolean[] runs = new boolean[seen];
        for (int number = seen - 1; number >= 0; number--) {
            if (changed[number] != TableMarks.NONE) {
                Reach write = plans.reach(number);
                runs[number] = needed.dependsOn(write, changed[number]);
                if (runs[number]) {
                    needed.add(write);
                }
            }
        }
        return runs;
    }

    /** Whether the statement need not run. */
    boolean has(int number) {
        return number < seen && !again[number];
    }

    /** A statement has run and succeeded. */
    void ran(int number, ScriptRun.Executed executed, long changedTables) {
        Invariants.check(!has(number), "a statement that need not run does not run");
        ScriptStep step = script.steps().get(number);
        changed[number] = changedTables;
        if (step.isNew()) {
            results[number] = executed.digest(step);
        }
    }

    /** The run has ended, and all results that were shown came again. */
    void end() {
        states.saw(script, partition, version, plans::of, results, changed);
    }
}
