package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws manoeuvres about a change of the catalog under way. The primary of the catalog announces it to nodes that
 * lead partitions, lets them lock and try it, writes it down once
 * all are ready, and all use it once the copies in sync have it. Something goes wrong between two of these steps. The
 * roles are those of the catalog's copies, but for {@link #unled}.
 */
final class CatalogManoeuvres {
    private static final long CHANGE_NANOS = 900 * StepDraws.MILLI;
    private static final long WRITTEN_NANOS = 300 * StepDraws.MILLI;
    private static final long TERM_NANOS = 600 * StepDraws.MILLI;

    private static final Moment[] STEPS = {
        Moment.CHANGE_ANNOUNCED,
        Moment.CHANGE_TAKEN,
        Moment.CHANGE_TRIED,
        Moment.CHANGE_TRIED,
        Moment.CHANGE_READY,
        Moment.CHANGE_READY
    };

    private final StepDraws draw;

    CatalogManoeuvres(StepDraws draw) {
        this.draw = draw;
    }

    /** The roles are those of the record and not those of the first message. */
    private List<Step> begun() {
        return new ArrayList<>(List.of(draw.pause(1, List.of())));
    }

    /** A node is ready, one of those that may have to be. */
    private Step ready(List<Deed> deeds) {
        int passing = draw.oneIn(2) ? 1 : 0;
        return new Step(
                new Cue.Sent(Moment.CHANGE_READY, Manoeuvre.ANY, Manoeuvre.PRIMARY, passing), CHANGE_NANOS, deeds);
    }

    private static Step written(int to, int passing, List<Deed> deeds) {
        return new Step(new Cue.Sent(Moment.GROUP, Manoeuvre.PRIMARY, to, passing), WRITTEN_NANOS, deeds);
    }

    /**
     * The primary has the change in its log alone, or also sends it to one backup, and is deposed. It comes back alive,
     * or as another process.
     */
    List<Step> alone() {
        List<Step> steps = begun();
        steps.add(ready(List.of()));
        steps.add(written(
                Manoeuvre.ANY,
                draw.oneIn(3) ? 1 : 0,
                List.of(
                        StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        if (draw.oneIn(3)) {
            steps.add(draw.pause(draw.oneIn(2) ? 5 : 60, List.of(draw.ends(Manoeuvre.PRIMARY, 1, 300))));
        }
        steps.add(new Step(new Cue.Leads(Manoeuvre.ANY), TERM_NANOS, List.of()));
        steps.add(draw.pause(
                draw.oneIn(2) ? 20 : 300,
                List.of(
                        StepDraws.deed(Kind.JOIN, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY))));
        steps.add(draw.pause(400, List.of()));
        return steps;
    }

    /** One of two other copies has the change in its log; the other one leads next. */
    List<Step> halfKnown() {
        boolean isBackup = draw.oneIn(2);
        int knowing = isBackup ? Manoeuvre.BACKUP : Manoeuvre.THIRD;
        int other = isBackup ? Manoeuvre.THIRD : Manoeuvre.BACKUP;
        List<Deed> deposed = new ArrayList<>();
        if (draw.oneIn(2)) {
            deposed.add(draw.ends(Manoeuvre.PRIMARY, 100, 700));
        } else {
            deposed.add(StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY));
            deposed.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        deposed.add(StepDraws.deed(Kind.CUT_STORE, knowing));
        if (draw.oneIn(2)) {
            deposed.add(StepDraws.deed(Kind.SEPARATE, knowing));
        }
        List<Step> steps = begun();
        steps.add(ready(List.of(StepDraws.deed(Kind.HOLD, Manoeuvre.PRIMARY, other))));
        steps.add(written(knowing, 0, List.of()));
        steps.add(draw.pause(draw.oneIn(2) ? 3 : 20, deposed));
        steps.add(new Step(new Cue.Leads(other), TERM_NANOS, List.of()));
        steps.add(draw.pause(draw.oneIn(2) ? 10 : 200, List.of(StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(draw.pause(400, List.of()));
        return steps;
    }

    /**
     * The change is in the primary's log for long before it counts, for a copy has it late; nodes that are ready ask
     * meanwhile. A primary that reaches the store takes such a copy
     * out of the record soon.
     */
    List<Step> late() {
        int slow = draw.oneIn(4) ? Manoeuvre.THIRD : Manoeuvre.BACKUP;
        List<Deed> delay = new ArrayList<>();
        delay.add(
                switch (draw.number(3)) {
                    case 0 -> StepDraws.deed(Kind.HOLD, slow, Manoeuvre.PRIMARY);
                    case 1 -> StepDraws.deed(Kind.PAUSE, slow, draw.millis(250, 600));
                    default -> StepDraws.deed(Kind.SLOW_DISK, slow, draw.millis(300, 900));
                });
        if (!draw.oneIn(4)) {
            delay.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        List<Step> steps = begun();
        steps.add(ready(List.of()));
        steps.add(written(Manoeuvre.ANY, 0, delay));
        steps.add(new Step(
                new Cue.Sent(Moment.CHANGE_ASKED, Manoeuvre.ANY, Manoeuvre.PRIMARY, draw.number(3)),
                TERM_NANOS,
                List.of()));
        steps.add(draw.pause(
                draw.oneIn(2) ? 30 : 200,
                draw.oneIn(4)
                        ? List.of(draw.ends(Manoeuvre.PRIMARY, 50, 500))
                        : List.of(StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(draw.pause(300, List.of()));
        return steps;
    }

    /** A partition of rows has another primary, or none that serves it, while a change is under way. */
    List<Step> unled() {
        List<Deed> deposed = new ArrayList<>();
        switch (draw.number(6)) {
            case 0 -> deposed.add(StepDraws.deed(Kind.EXPIRE, Manoeuvre.PRIMARY));
            case 1 -> {
                deposed.add(StepDraws.deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP));
                deposed.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
            }
            case 2 -> deposed.add(StepDraws.deed(Kind.PAUSE, Manoeuvre.PRIMARY, draw.millis(100, 500)));
            default -> deposed.add(draw.ends(Manoeuvre.PRIMARY, 1, draw.oneIn(4) ? 500 : 20));
        }
        boolean isBefore = !draw.oneIn(3);
        List<Step> steps = new ArrayList<>();
        if (isBefore) {
            steps.add(draw.pause(1, deposed));
        } else {
            steps.addAll(begun());
            steps.add(new Step(
                    new Cue.Sent(draw.pick(STEPS), Manoeuvre.ANY, Manoeuvre.ANY, draw.number(2)),
                    CHANGE_NANOS,
                    List.of()));
            steps.add(draw.pause(draw.oneIn(2) ? 1 : 20, deposed));
        }
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP),
                TERM_NANOS,
                draw.oneIn(2)
                        ? List.of()
                        : List.of(StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.BACKUP, draw.millis(20, 300)))));
        steps.add(draw.pause(draw.oneIn(2) ? 20 : 200, List.of(StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY))));
        return steps;
    }

    /** Nodes end between the steps of a change, and begin again soon. */
    List<Step> restarts() {
        List<Step> steps = new ArrayList<>();
        int ends = 1 + draw.number(3);
        for (int i = 0; i < ends; i++) {
            Cue cue = i > 0 && draw.oneIn(2)
                    ? draw.passes(draw.oneIn(2) ? 20 : 150)
                    : new Cue.Sent(draw.pick(STEPS), Manoeuvre.ANY, Manoeuvre.ANY, draw.passing());
            steps.add(new Step(cue, CHANGE_NANOS, List.of(draw.ends(draw.number(Manoeuvre.ROLES), 1, 150))));
        }
        steps.add(draw.pause(400, List.of()));
        return steps;
    }

    /**
     * A node that is ready for a change hears nothing of what becomes of it. The catalog has another primary, and its
     * next version is another change; the node hears of that as a copy that follows.
     */
    List<Step> replaced() {
        int ready = draw.oneIn(4) ? Manoeuvre.BACKUP : Manoeuvre.THIRD;
        int next = ready == Manoeuvre.BACKUP ? Manoeuvre.THIRD : Manoeuvre.BACKUP;
        List<Deed> missed = new ArrayList<>();
        missed.add(StepDraws.deed(Kind.SEPARATE, ready));
        missed.add(StepDraws.deed(Kind.CUT_STORE, ready));
        if (draw.oneIn(3)) {
            missed.add(StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY));
            missed.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        } else {
            missed.add(draw.ends(Manoeuvre.PRIMARY, 150, 800));
        }
        if (!draw.oneIn(3)) {
            missed.add(StepDraws.deed(Kind.GATHER, next));
        }
        List<Step> steps = begun();
        steps.add(new Step(
                new Cue.Sent(
                        draw.oneIn(4) ? Moment.CHANGE_TAKEN : Moment.CHANGE_READY,
                        ready,
                        Manoeuvre.PRIMARY,
                        draw.number(2)),
                CHANGE_NANOS,
                missed));
        steps.add(new Step(new Cue.Leads(next), TERM_NANOS, List.of()));
        steps.add(draw.pause(
                draw.oneIn(3) ? 100 : 1_200,
                List.of(StepDraws.deed(Kind.JOIN, ready), StepDraws.deed(Kind.JOIN_STORE, ready))));
        steps.add(draw.pause(400, List.of()));
        return steps;
    }
}
