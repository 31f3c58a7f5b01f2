package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;

/** Draws manoeuvres about the data that copies keep, and about reads of them. */
final class CopyManoeuvres {
    private static final long TERM_NANOS = 600 * StepDraws.MILLI;
    private static final long MESSAGE_NANOS = 300 * StepDraws.MILLI;

    /** Until a copy is asked for, sent, and taken in. */
    private static final long BUILD_NANOS = 1_500 * StepDraws.MILLI;

    private static final Moment[] TO_READERS = {
        Moment.FOUND, Moment.FOUND, Moment.PASSED, Moment.PASSED, Moment.RELEASED, Moment.REPLY
    };

    private final StepDraws draw;

    CopyManoeuvres(StepDraws draw) {
        this.draw = draw;
    }

    /**
     * A reader's message to one partition is delayed, while the reader loses the node of another partition that it has
     * reached. Clocks run apart, and clients write on at a node that the reader does not stop.
     */
    List<Step> read() {
        int reader = draw.number(Manoeuvre.ROLES);
        int lost = (reader + 1 + draw.number(2)) % Manoeuvre.ROLES;
        int late = Manoeuvre.ROLES - reader - lost;
        List<Step> steps = new ArrayList<>();
        steps.add(draw.pause(
                draw.oneIn(2) ? 20 : 400,
                StepDraws.deed(Kind.DRIFT, draw.oneIn(4) ? lost : late),
                StepDraws.deed(Kind.DRIFT, reader),
                StepDraws.deed(Kind.GATHER, reader)));
        List<Deed> held = List.of(
                draw.oneIn(4) ? StepDraws.deed(Kind.HOLD, late, reader) : StepDraws.deed(Kind.HOLD, reader, late));
        steps.add(new Step(
                draw.oneIn(3)
                        ? draw.passes(20)
                        : new Cue.Sent(
                                draw.oneIn(4) ? Moment.READ : Moment.ARRIVE,
                                reader,
                                draw.oneIn(2) ? lost : Manoeuvre.ANY,
                                draw.number(2)),
                MESSAGE_NANOS,
                held));
        steps.add(new Step(
                new Cue.Sent(draw.pick(TO_READERS), lost, reader, draw.number(2)),
                MESSAGE_NANOS,
                List.of(StepDraws.deed(draw.oneIn(4) ? Kind.HUSH : Kind.GATHER, draw.oneIn(2) ? late : lost))));
        steps.add(new Step(draw.passes(draw.oneIn(2) ? 2 : 10), 0, loss(reader, lost)));
        steps.add(draw.pause(draw.oneIn(2) ? 20 : 100, StepDraws.deed(Kind.LET_GO, reader, late)));
        steps.add(draw.pause(60));
        return steps;
    }

    /** The reader loses the node, or the node its role. */
    private List<Deed> loss(int reader, int lost) {
        return switch (draw.number(6)) {
            case 0 -> List.of(StepDraws.deed(Kind.EXPIRE, lost));
            case 1 -> List.of(draw.ends(lost, 1, 400));
            case 2 -> List.of(StepDraws.deed(Kind.CUT, reader, lost));
            case 3 ->
                List.of(
                        StepDraws.deed(Kind.SEPARATE, lost, draw.oneIn(2) ? reader : Manoeuvre.ANY),
                        StepDraws.deed(Kind.CUT_STORE, lost));
            default -> List.of(StepDraws.deed(Kind.BREAK, reader, lost));
        };
    }

    /**
     * A node's disk is slow, so that with {@code async} it has confirmed what is not durable when its power fails. It
     * is back before anybody else leads; the primary that knows what it had confirmed ends with it, or is not heard.
     */
    List<Step> less() {
        int poor = draw.oneIn(2) ? Manoeuvre.PRIMARY : Manoeuvre.BACKUP;
        List<Step> steps = new ArrayList<>();
        steps.add(draw.pause(20, StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY)));
        if (!draw.oneIn(4)) {
            steps.add(draw.pause(30, StepDraws.deed(Kind.CHECKPOINT, poor)));
        }
        steps.add(draw.pause(60, StepDraws.deed(Kind.SLOW_DISK, poor, draw.millis(10, 100))));
        List<Deed> failure = new ArrayList<>();
        failure.add(StepDraws.deed(Kind.CRASH, poor, draw.millis(1, 30)));
        failure.add(StepDraws.deed(Kind.SLOW_DISK, poor, StepDraws.MILLI / 10));
        failure.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.THIRD));
        if (poor == Manoeuvre.PRIMARY) {
            failure.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP));
        } else {
            failure.add(StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY));
            failure.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        steps.add(new Step(
                new Cue.Sent(Moment.CONFIRMED, Manoeuvre.BACKUP, Manoeuvre.PRIMARY, draw.passing()),
                MESSAGE_NANOS,
                List.of()));
        steps.add(new Step(draw.passes(draw.oneIn(2) ? 5 : 40), 0, failure));
        steps.add(new Step(new Cue.Leads(poor), TERM_NANOS / 2, List.of()));
        steps.add(draw.pause(draw.oneIn(2) ? 10 : 150, StepDraws.deed(Kind.MEND, poor)));
        steps.add(draw.pause(200));
        return steps;
    }

    /** Nodes take checkpoints between the steps of transactions, and end a little later, once or several times. */
    List<Step> checkpointed() {
        List<Step> steps = new ArrayList<>();
        int times = 1 + draw.number(3);
        for (int i = 0; i < times; i++) {
            int taking = draw.number(Manoeuvre.ROLES);
            List<Deed> taken = new ArrayList<>(List.of(StepDraws.deed(Kind.CHECKPOINT, taking)));
            if (draw.oneIn(3)) {
                int other = (taking + 1) % Manoeuvre.ROLES;
                taken.add(
                        draw.oneIn(2)
                                ? StepDraws.deed(Kind.HOLD, taking, other)
                                : StepDraws.deed(Kind.HOLD, other, taking));
            }
            steps.add(new Step(
                    new Cue.Sent(draw.pick(StepDraws.TRANSACTION), Manoeuvre.ANY, Manoeuvre.ANY, draw.passing()),
                    MESSAGE_NANOS,
                    taken));
            boolean isSoon = draw.oneIn(2);
            steps.add(draw.pause(isSoon ? 4 : 60, draw.ends(taking, 1, draw.oneIn(2) ? 20 : 700)));
            if (draw.oneIn(2)) {
                steps.add(draw.pause(
                        draw.oneIn(2) ? 20 : 300,
                        draw.oneIn(2)
                                ? draw.ends(draw.number(Manoeuvre.ROLES), 1, 500)
                                : StepDraws.deed(Kind.CHECKPOINT, draw.number(Manoeuvre.ROLES))));
            }
        }
        steps.add(draw.pause(300));
        return steps;
    }

    /** A node comes back with an empty disk; its copies are built from others, which end, or whom it loses. */
    List<Step> built() {
        boolean isBackup = !draw.oneIn(4); // of two copies the third node has none
        int built = isBackup ? Manoeuvre.BACKUP : Manoeuvre.THIRD;
        int other = isBackup ? Manoeuvre.THIRD : Manoeuvre.BACKUP;
        List<Step> steps = new ArrayList<>();
        List<Deed> wiped = new ArrayList<>(List.of(StepDraws.deed(Kind.WIPE, built, draw.millis(1, 60))));
        if (draw.oneIn(3)) {
            wiped.add(StepDraws.deed(Kind.HOLD, other, Manoeuvre.PRIMARY));
        }
        if (draw.oneIn(3)) {
            wiped.add(StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY));
        }
        steps.add(new Step(
                draw.oneIn(2)
                        ? draw.passes(20)
                        : new Cue.Sent(draw.pick(StepDraws.TRANSACTION), 0, Manoeuvre.ANY, draw.passing()),
                MESSAGE_NANOS,
                wiped));
        steps.add(draw.pause(1)); // what follows is done even if no message comes
        boolean isJoining = draw.oneIn(2);
        List<Deed> disturbed = new ArrayList<>();
        switch (draw.number(6)) {
            case 0 -> disturbed.add(draw.ends(Manoeuvre.PRIMARY, 1, draw.oneIn(2) ? 20 : 700));
            case 1 -> disturbed.add(draw.ends(built, 1, draw.oneIn(2) ? 20 : 400));
            case 2 -> disturbed.add(StepDraws.deed(Kind.BREAK, built, Manoeuvre.PRIMARY));
            case 3 -> disturbed.add(StepDraws.deed(Kind.SLOW_DISK, built, draw.millis(20, 400)));
            case 4 -> disturbed.add(StepDraws.deed(Kind.CHECKPOINT, built));
            default -> disturbed.add(StepDraws.deed(Kind.EXPIRE, Manoeuvre.PRIMARY));
        }
        steps.add(new Step(
                new Cue.Sent(
                        isJoining ? Moment.JOINED : Moment.BUILT,
                        Manoeuvre.ANY,
                        isJoining || draw.oneIn(2) ? Manoeuvre.ANY : built,
                        draw.number(isJoining ? 3 : 8)),
                BUILD_NANOS,
                disturbed));
        if (draw.oneIn(2)) {
            steps.add(draw.pause(
                    draw.oneIn(2) ? 20 : 200,
                    StepDraws.deed(Kind.CUT_STORE, other),
                    draw.ends(Manoeuvre.PRIMARY, 100, 900)));
            steps.add(new Step(new Cue.Leads(built), TERM_NANOS, List.of()));
        }
        steps.add(draw.pause(draw.oneIn(2) ? 20 : 200, draw.ends(built, 1, 500)));
        steps.add(draw.pause(300));
        return steps;
    }

    /**
     * A node is not heard until it is no longer in sync and others keep no records for it. Its process lives on, and
     * takes checkpoints while its copies are built anew. Soon after that it ends, and nothing but its disk is left of
     * what it had.
     */
    List<Step> rebuilt() {
        int built = draw.oneIn(4) ? Manoeuvre.PRIMARY : Manoeuvre.BACKUP;
        int source = built == Manoeuvre.PRIMARY ? Manoeuvre.BACKUP : Manoeuvre.PRIMARY;
        List<Step> steps = new ArrayList<>();
        steps.add(draw.pause(
                20,
                StepDraws.deed(Kind.SEPARATE, built),
                StepDraws.deed(Kind.CUT_STORE, built),
                StepDraws.deed(Kind.GATHER, source)));
        if (built == Manoeuvre.PRIMARY) {
            steps.add(new Step(new Cue.Leads(source), TERM_NANOS, List.of()));
        }
        steps.add(new Step(new Cue.Passes(draw.millis(150, 700)), 0, List.of()));
        List<Deed> heard = new ArrayList<>(List.of(
                StepDraws.deed(Kind.JOIN, built),
                StepDraws.deed(Kind.JOIN_STORE, built),
                StepDraws.deed(Kind.SLOW_DISK, built, draw.millis(1, draw.oneIn(2) ? 10 : 60))));
        if (!draw.oneIn(3)) {
            heard.add(StepDraws.deed(Kind.CHECKPOINT, built));
        }
        steps.add(draw.pause(20, heard.toArray(Deed[]::new)));
        steps.add(new Step(
                draw.oneIn(3)
                        ? new Cue.Sent(Moment.JOINED, built, Manoeuvre.ANY, draw.number(2))
                        : new Cue.Sent(Moment.BUILT, Manoeuvre.ANY, built, draw.number(4)),
                BUILD_NANOS,
                draw.oneIn(2) ? List.of(StepDraws.deed(Kind.CHECKPOINT, built)) : List.of()));
        if (draw.oneIn(3)) {
            steps.add(draw.pause(draw.oneIn(2) ? 20 : 200, draw.ends(source, 100, 900)));
            steps.add(new Step(new Cue.Leads(built), TERM_NANOS, List.of(StepDraws.deed(Kind.CHECKPOINT, built))));
        } else if (draw.oneIn(2)) {
            steps.add(draw.pause(200, StepDraws.deed(Kind.CHECKPOINT, built)));
        }
        steps.add(draw.pause(draw.oneIn(2) ? 40 : 400, draw.ends(built, 1, 500)));
        steps.add(draw.pause(300));
        return steps;
    }
}
