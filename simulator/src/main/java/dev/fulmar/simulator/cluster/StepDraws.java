package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.List;

/** Draws the random messages, times and faults from which the steps of a {@link Manoeuvre} are built. */
final class StepDraws {
    static final long MILLI = 1_000_000;
    static final int MOST_PASSING = 4;

    /** The more a step decides the oftener it is here. */
    static final Moment[] TRANSACTION = {
        Moment.PREPARE,
        Moment.PREPARE,
        Moment.VOTE,
        Moment.VOTE,
        Moment.VOTE,
        Moment.DECISION,
        Moment.DECISION,
        Moment.DECISION,
        Moment.DECIDED,
        Moment.FRAGMENTS
    };

    private final RandomSource random;

    StepDraws(RandomSource random) {
        this.random = random;
    }

    /** From 0 on. */
    int number(int below) {
        return random.nextInt(below);
    }

    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    <T> T pick(T[] choice) {
        return choice[random.nextInt(choice.length)];
    }

    long millis(int least, int most) {
        return (least + random.nextInt(most - least + 1)) * MILLI;
    }

    Cue.Passes passes(int mostMillis) {
        return new Cue.Passes(mostMillis * MILLI);
    }

    /** Some time, and the deeds at its end. */
    Step pause(int mostMillis, Deed... deeds) {
        return pause(mostMillis, List.of(deeds));
    }

    /** Some time, and the deeds at its end. */
    Step pause(int mostMillis, List<Deed> deeds) {
        return new Step(passes(mostMillis), 0, deeds);
    }

    /** A message of transactions that the one has begun and the other takes part in; sometimes the other way round. */
    Cue.Sent ofTransaction(int coordinator, int participant) {
        Moment moment = pick(TRANSACTION);
        boolean isReport = moment == Moment.VOTE || moment == Moment.DECIDED;
        boolean isUsual = random.nextInt(5) > 0;
        return isReport == isUsual
                ? new Cue.Sent(moment, participant, coordinator, passing())
                : new Cue.Sent(moment, coordinator, participant, passing());
    }

    int passing() {
        return oneIn(2) ? 0 : random.nextInt(MOST_PASSING);
    }

    Deed ends(int role, int leastMillis, int mostMillis) {
        return deed(oneIn(2) ? Kind.KILL : Kind.CRASH, role, millis(leastMillis, mostMillis));
    }

    static Deed deed(Kind kind, int role) {
        return new Deed(kind, role, Manoeuvre.ANY, 0);
    }

    static Deed deed(Kind kind, int role, int other) {
        return new Deed(kind, role, other, 0);
    }

    static Deed deed(Kind kind, int role, long nanos) {
        return new Deed(kind, role, Manoeuvre.ANY, nanos);
    }
}
