package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws manoeuvres about keys that move between partitions. Where a message of a move is the first cue, the roles are
 * the primary of its source, the primary of its destination, and a third node; or the first two exchanged.
 */
final class MoveManoeuvres {
    private static final long TERM_NANOS = 600 * StepDraws.MILLI;
    private static final long MESSAGE_NANOS = 500 * StepDraws.MILLI;
    private static final long BUILD_NANOS = 1_500 * StepDraws.MILLI;

    /** Those that the source's primary sends; the later ones decide more. */
    private static final Moment[] OF_SOURCE = {
        Moment.MOVE_BEGUN,
        Moment.ROWS_SENT,
        Moment.ROWS_SENT,
        Moment.OUTCOMES_SENT,
        Moment.OUTCOMES_SENT,
        Moment.HAND_OFF_ASKED,
        Moment.HAND_OFF_ASKED
    };

    private static final Moment[] OF_MOVE = {
        Moment.MOVE_BEGUN,
        Moment.ROWS_SENT,
        Moment.OUTCOMES_SENT,
        Moment.HAND_OFF_ASKED,
        Moment.HAND_OFF_ASKED,
        Moment.MOVE_STEP_DONE,
        Moment.MOVE_STEP_DONE,
        Moment.MOVE_UNDONE,
        Moment.MOVE_STEP_FAILED,
        Moment.TARGET_ASKED,
        Moment.CHANGE_ANNOUNCED,
        Moment.CHANGE_READY,
        Moment.CHANGE_TRIED
    };

    private final StepDraws draw;

    MoveManoeuvres(StepDraws draw) {
        this.draw = draw;
    }

    private Step atMessage(Moment[] moments, int from, Deed... deeds) {
        return new Step(
                new Cue.Sent(draw.pick(moments), from, Manoeuvre.ANY, draw.passing()), MESSAGE_NANOS, List.of(deeds));
    }

    /** One, two or three faults, each at a step of a move or soon after one. */
    List<Step> struck() {
        List<Step> steps = new ArrayList<>();
        steps.add(atMessage(OF_MOVE, Manoeuvre.ANY, blow(true)));
        for (int more = draw.number(3); more > 0; more--) {
            steps.add(
                    draw.oneIn(2)
                            ? draw.pause(draw.oneIn(2) ? 10 : 200, blow(false))
                            : atMessage(OF_MOVE, Manoeuvre.ANY, blow(true)));
        }
        steps.add(draw.pause(draw.oneIn(2) ? 30 : 400));
        return steps;
    }

    private Deed blow(boolean isAtMessage) {
        int role = draw.number(Manoeuvre.ROLES);
        int other = (role + 1 + draw.number(2)) % Manoeuvre.ROLES;
        return switch (draw.number(isAtMessage ? 9 : 8)) {
            case 0, 1 -> draw.ends(role, 1, draw.oneIn(2) ? 30 : 600);
            case 2 -> StepDraws.deed(Kind.PAUSE, role, draw.millis(20, 400));
            case 3 -> StepDraws.deed(Kind.BREAK, role, other);
            case 4 -> StepDraws.deed(Kind.CUT, role, other);
            case 5 -> StepDraws.deed(Kind.SEPARATE, role, draw.oneIn(2) ? other : Manoeuvre.ANY);
            case 6 -> StepDraws.deed(Kind.EXPIRE, role);
            case 7 -> StepDraws.deed(Kind.CHECKPOINT, role);
            default -> StepDraws.deed(Kind.LOSE, role);
        };
    }

    /** The deposed primary still hears one node: often the other end of the move. */
    List<Step> deposed() {
        boolean isSource = !draw.oneIn(3);
        int heard = draw.oneIn(4) ? Manoeuvre.ANY : Manoeuvre.THIRD;
        List<Step> steps = new ArrayList<>();
        steps.add(draw.pause(20, StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY)));
        steps.add(new Step(
                isSource
                        ? new Cue.Sent(draw.pick(OF_SOURCE), Manoeuvre.PRIMARY, Manoeuvre.ANY, draw.passing())
                        : new Cue.Sent(draw.pick(OF_SOURCE), Manoeuvre.ANY, Manoeuvre.PRIMARY, draw.passing()),
                MESSAGE_NANOS,
                List.of(
                        StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY, heard),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP),
                TERM_NANOS,
                draw.oneIn(2) ? List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.BACKUP)) : List.of()));
        steps.add(draw.pause(
                draw.oneIn(2) ? 10 : 300,
                StepDraws.deed(Kind.JOIN, Manoeuvre.PRIMARY),
                StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY)));
        if (draw.oneIn(3)) {
            steps.add(draw.pause(draw.oneIn(2) ? 20 : 200, draw.ends(Manoeuvre.BACKUP, 100, 600)));
            steps.add(new Step(new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of()));
        }
        steps.add(draw.pause(300));
        return steps;
    }

    /** Calls wait for a hand-off for 100 ms, and twice as long at the next attempt. */
    List<Step> late() {
        List<Step> steps = new ArrayList<>();
        int held = draw.oneIn(4) ? Manoeuvre.BACKUP : Manoeuvre.PRIMARY;
        int other = held == Manoeuvre.PRIMARY ? Manoeuvre.BACKUP : Manoeuvre.PRIMARY;
        steps.add(atMessage(
                OF_SOURCE,
                Manoeuvre.ANY,
                StepDraws.deed(Kind.HOLD, held, draw.oneIn(4) ? Manoeuvre.THIRD : other),
                StepDraws.deed(Kind.GATHER, draw.oneIn(4) ? Manoeuvre.THIRD : Manoeuvre.PRIMARY)));
        steps.add(new Step(new Cue.Passes(draw.millis(90, 400)), 0, List.of()));
        List<Deed> released = new ArrayList<>(
                List.of(StepDraws.deed(Kind.LET_GO, held, other), StepDraws.deed(Kind.LET_GO, held, Manoeuvre.THIRD)));
        if (draw.oneIn(3)) {
            released.add(StepDraws.deed(Kind.PAUSE, draw.number(Manoeuvre.ROLES), draw.millis(20, 200)));
        }
        steps.add(draw.pause(20, released.toArray(Deed[]::new)));
        if (draw.oneIn(3)) {
            steps.add(draw.pause(draw.oneIn(2) ? 10 : 100, draw.ends(draw.number(Manoeuvre.ROLES), 1, 500)));
        }
        steps.add(draw.pause(300));
        return steps;
    }

    /** Copies of the source do not confirm in time what the primary has told, or is about to tell, the destination. */
    List<Step> ahead() {
        List<Step> steps = new ArrayList<>();
        Deed unconfirmed = switch (draw.number(3)) {
            case 0 -> StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.BACKUP, draw.millis(20, 200));
            case 1 -> StepDraws.deed(Kind.HOLD, Manoeuvre.BACKUP, Manoeuvre.PRIMARY);
            default -> StepDraws.deed(Kind.HOLD, Manoeuvre.PRIMARY, Manoeuvre.BACKUP);
        };
        steps.add(draw.pause(20, StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY)));
        steps.add(atMessage(new Moment[] {Moment.MOVE_BEGUN, Moment.ROWS_SENT}, Manoeuvre.PRIMARY, unconfirmed));
        steps.add(atMessage(OF_SOURCE, Manoeuvre.PRIMARY));
        steps.add(draw.pause(draw.oneIn(2) ? 5 : 40, draw.ends(Manoeuvre.PRIMARY, 1, 700)));
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.BACKUP))));
        steps.add(draw.pause(300, StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY)));
        steps.add(draw.pause(300));
        return steps;
    }

    /** A node comes back with an empty disk while rows are staged; then the primary of the destination ends. */
    List<Step> rebuilt() {
        int built = draw.oneIn(2) ? Manoeuvre.PRIMARY : Manoeuvre.THIRD;
        List<Step> steps = new ArrayList<>();
        steps.add(atMessage(
                new Moment[] {Moment.MOVE_BEGUN, Moment.ROWS_SENT},
                Manoeuvre.ANY,
                StepDraws.deed(Kind.WIPE, built, draw.millis(1, 40))));
        steps.add(draw.pause(1)); // what follows is done even if no message comes
        steps.add(new Step(
                new Cue.Sent(Moment.BUILT, Manoeuvre.ANY, built, draw.number(8)),
                BUILD_NANOS,
                draw.oneIn(3) ? List.of(StepDraws.deed(Kind.CHECKPOINT, Manoeuvre.BACKUP)) : List.of()));
        if (!draw.oneIn(3)) {
            steps.add(new Step(
                    new Cue.Sent(Moment.JOINED, built, Manoeuvre.ANY, draw.number(2)), BUILD_NANOS, List.of()));
            steps.add(draw.pause(draw.oneIn(2) ? 10 : 100, draw.ends(Manoeuvre.BACKUP, 100, 900)));
            steps.add(new Step(new Cue.Leads(Manoeuvre.ANY), TERM_NANOS, List.of()));
        }
        steps.add(draw.pause(300));
        return steps;
    }
}
