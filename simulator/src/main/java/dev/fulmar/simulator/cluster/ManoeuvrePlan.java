package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The manoeuvres that a steered run tries again and again: few, so that each meets many states of the cluster, and every seed others. Half of them follow one of the
 * {@link Shape}s in which protocols of this kind are wrong; the others are drawn step by step.
 */
final class ManoeuvrePlan {
    private static final long MILLI = 1_000_000;
    private static final int VARIETY = 2;

    /** Until a partition has another primary, or nothing will come of it. */
    private static final long TERM_NANOS = 600 * MILLI;

    private static final long MESSAGE_NANOS = 300 * MILLI;
    private static final int MOST_PASSING = 4;

    /** The more a step decides the oftener it is here. */
    private static final Moment[] TRANSACTION = {
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
    private final boolean changesCatalog;

    private ManoeuvrePlan(RandomSource random, boolean changesCatalog) {
        this.random = random;
        this.changesCatalog = changesCatalog;
    }

    /** What a manoeuvre is about. */
    private enum Shape {
        /** The primary changes, without its knowledge or with it, and changes back while something is under way to it. */
        BACK_AND_FORTH,
        /** Two nodes know of an old primary only; something between the new one and one of them is cut off in the middle. */
        OLD_VIEW,
        /** Something is told to one of several, and who told it ends a little later. */
        HALF_TOLD,
        /** The primary has something in its log alone, ends, leads again, tells it, and is replaced by one that has not got it. */
        ALONE,
        /** A process ends and begins twice in short time, while others do something for it. */
        YOUNG,
        /** A process begins while the store hardly answers, and nothing else happens then. */
        BLIND,
        /** Terms that nobody follows, one after the other, and then one of somebody else. */
        UNFOLLOWED,
        /** One of several copies stays behind, and then leads or is read. */
        LAGGING,
        FREE
    }

    /** @param changesCatalog whether half of the manoeuvres are about the catalog's copies */
    static List<Manoeuvre> draw(RandomSource random, boolean changesCatalog) {
        ManoeuvrePlan plan = new ManoeuvrePlan(random, changesCatalog);
        List<Manoeuvre> drawn = new ArrayList<>();
        for (int i = 0; i < VARIETY; i++) {
            drawn.add(plan.manoeuvre());
        }
        return List.copyOf(drawn);
    }

    private Manoeuvre manoeuvre() {
        Shape[] shapes = Shape.values();
        Shape shape = oneIn(8) ? Shape.FREE : shapes[random.nextInt(shapes.length)];
        List<Step> steps = switch (shape) {
            case BACK_AND_FORTH -> backAndForth();
            case OLD_VIEW -> oldView();
            case HALF_TOLD -> halfTold();
            case ALONE -> alone();
            case YOUNG -> young();
            case BLIND -> blind();
            case UNFOLLOWED -> unfollowed();
            case LAGGING -> lagging();
            case FREE -> free();
        };
        return new Manoeuvre(shape.name(), changesCatalog && random.nextInt(2) == 0, steps);
    }

    private List<Step> backAndForth() {
        List<Deed> first = new ArrayList<>();
        first.add(
                oneIn(3)
                        ? deed(Kind.SLOW_DISK, Manoeuvre.THIRD, millis(100, 500))
                        : deed(Kind.HOLD, Manoeuvre.THIRD, Manoeuvre.PRIMARY));
        first.add(deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP));
        if (oneIn(2)) {
            first.add(deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(passes(20), 0, List.of(deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(ofTransaction(Manoeuvre.PRIMARY, Manoeuvre.THIRD), MESSAGE_NANOS, first));
        boolean isHeard = !oneIn(3);
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP),
                TERM_NANOS,
                isHeard ? List.of() : List.of(deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        if (isHeard) {
            steps.add(new Step(
                    passes(100),
                    0,
                    List.of(
                            deed(Kind.JOIN, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                            deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY))));
        }
        if (!isHeard || !oneIn(3)) {
            steps.add(new Step(
                    passes(oneIn(3) ? 5 : oneIn(2) ? 150 : 900),
                    0,
                    List.of(
                            deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY),
                            ends(Manoeuvre.BACKUP, 200, 900),
                            deed(Kind.SEPARATE, Manoeuvre.BACKUP))));
            steps.add(new Step(new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of()));
        }
        steps.add(new Step(passes(60), 0, List.of(deed(Kind.LET_GO, Manoeuvre.THIRD, Manoeuvre.PRIMARY))));
        steps.add(new Step(passes(200), 0, List.of()));
        return steps;
    }

    private List<Step> oldView() {
        List<Step> steps = new ArrayList<>();
        if (!oneIn(4)) {
            steps.add(new Step(passes(1), 0, List.of(deed(Kind.HUSH, Manoeuvre.BACKUP))));
        }
        steps.add(new Step(
                passes(40),
                0,
                List.of(
                        deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        deed(Kind.CUT_STORE, Manoeuvre.PRIMARY),
                        deed(Kind.CUT_STORE, Manoeuvre.THIRD))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of(deed(Kind.GATHER, Manoeuvre.BACKUP))));
        Deed cut = deed(oneIn(4) ? Kind.BREAK : Kind.CUT, Manoeuvre.BACKUP, Manoeuvre.THIRD);
        boolean isAtOnce = oneIn(2);
        steps.add(new Step(
                ofTransaction(Manoeuvre.BACKUP, Manoeuvre.THIRD), TERM_NANOS, isAtOnce ? List.of(cut) : List.of()));
        if (!isAtOnce) {
            steps.add(new Step(passes(5), 0, List.of(cut)));
        }
        steps.add(new Step(passes(500), 0, List.of()));
        return steps;
    }

    private List<Step> halfTold() {
        Moment moment = pick(random.nextInt(3) > 0 ? new Moment[] {Moment.DECISION, Moment.DECIDED} : TRANSACTION);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.ANY, Manoeuvre.ANY, passing()),
                MESSAGE_NANOS,
                List.of(
                        switch (random.nextInt(4)) {
                            case 0 -> deed(Kind.HOLD, 0, 1);
                            case 1 -> deed(Kind.CUT, 0, 1);
                            default -> ends(1, 50, 700);
                        })));
        if (random.nextInt(2) == 0) {
            steps.add(new Step(
                    new Cue.Sent(
                            pick(new Moment[] {Moment.DECIDED, Moment.DECISION, Moment.GROUP, Moment.CONFIRMED}),
                            Manoeuvre.ANY,
                            Manoeuvre.ANY,
                            random.nextInt(2 * MOST_PASSING)),
                    MESSAGE_NANOS,
                    List.of()));
        }
        steps.add(new Step(passes(oneIn(2) ? 5 : 100), 0, List.of(ends(oneIn(4) ? 1 : 0, 200, 900))));
        steps.add(new Step(passes(500), 0, List.of()));
        return steps;
    }

    private List<Step> alone() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(passes(20), 0, List.of(deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                ofTransaction(Manoeuvre.PRIMARY, Manoeuvre.THIRD),
                MESSAGE_NANOS,
                List.of(
                        deed(oneIn(3) ? Kind.HOLD : Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(passes(oneIn(2) ? 5 : 40), 0, List.of(ends(Manoeuvre.PRIMARY, 1, 40))));
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of(deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                passes(oneIn(2) ? 40 : 400),
                0,
                List.of(ends(Manoeuvre.PRIMARY, 400, 900), deed(Kind.JOIN_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of()));
        steps.add(new Step(passes(200), 0, List.of()));
        return steps;
    }

    private List<Step> young() {
        Moment moment = random.nextInt(3) > 0 ? Moment.FORWARDED : pick(TRANSACTION);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(passes(1), 0, List.of(ends(Manoeuvre.THIRD, 1, 10), deed(Kind.GATHER, Manoeuvre.THIRD))));
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.THIRD, Manoeuvre.PRIMARY, random.nextInt(2 * MOST_PASSING)),
                2 * TERM_NANOS,
                List.of(
                        oneIn(3)
                                ? deed(Kind.SLOW_DISK, Manoeuvre.PRIMARY, millis(100, 600))
                                : deed(Kind.HOLD, Manoeuvre.BACKUP, Manoeuvre.PRIMARY),
                        deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        steps.add(new Step(passes(oneIn(2) ? 3 : 30), 0, List.of(ends(Manoeuvre.THIRD, 1, 10))));
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.THIRD, Manoeuvre.PRIMARY, random.nextInt(2 * MOST_PASSING)),
                2 * TERM_NANOS,
                List.of(deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(new Step(passes(100), 0, List.of()));
        return steps;
    }

    private List<Step> blind() {
        int role = random.nextInt(Manoeuvre.ROLES);
        return List.of(
                new Step(passes(1), 0, List.of(ends(role, 1, 100), deed(Kind.BLIND, role))),
                new Step(passes(600), 0, List.of()),
                new Step(passes(1), 0, List.of(deed(Kind.MEND, role))),
                new Step(passes(300), 0, List.of()));
    }

    private List<Step> unfollowed() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                passes(1),
                0,
                List.of(deed(Kind.SEPARATE, Manoeuvre.PRIMARY), deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        int terms = 1 + random.nextInt(3);
        for (int i = 0; i < terms; i++) {
            steps.add(new Step(
                    new Cue.Leads(Manoeuvre.BACKUP),
                    TERM_NANOS,
                    List.of(deed(Kind.CUT_STORE, Manoeuvre.BACKUP), deed(Kind.SEPARATE, Manoeuvre.BACKUP))));
            steps.add(new Step(passes(oneIn(2) ? 10 : 150), 0, List.of()));
            if (i + 1 < terms) {
                steps.add(new Step(
                        passes(1), 0, List.of(ends(Manoeuvre.BACKUP, 1, 20), deed(Kind.JOIN_STORE, Manoeuvre.BACKUP))));
            }
        }
        steps.add(new Step(
                passes(1),
                0,
                List.of(
                        deed(Kind.JOIN, Manoeuvre.PRIMARY, Manoeuvre.THIRD),
                        deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY),
                        deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of()));
        steps.add(new Step(passes(100), 0, List.of(deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(new Step(passes(oneIn(2) ? 20 : 200), 0, List.of(ends(Manoeuvre.BACKUP, 1, 200))));
        steps.add(new Step(passes(300), 0, List.of()));
        return steps;
    }

    private List<Step> lagging() {
        List<Deed> first = new ArrayList<>();
        first.add(
                switch (random.nextInt(4)) {
                    case 0 -> deed(Kind.HOLD, Manoeuvre.PRIMARY, Manoeuvre.BACKUP);
                    case 1 -> deed(Kind.HOLD, Manoeuvre.BACKUP, Manoeuvre.PRIMARY);
                    case 2 -> deed(Kind.SLOW_DISK, Manoeuvre.BACKUP, millis(20, 300));
                    default -> deed(Kind.DELAY, Manoeuvre.PRIMARY, millis(5, 50));
                });
        if (random.nextInt(2) == 0) {
            first.add(deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                oneIn(2)
                        ? new Cue.Sent(Moment.GROUP, Manoeuvre.PRIMARY, Manoeuvre.BACKUP, passing())
                        : new Cue.Sent(Moment.CONFIRMED, Manoeuvre.BACKUP, Manoeuvre.PRIMARY, passing()),
                MESSAGE_NANOS,
                first));
        steps.add(new Step(
                passes(oneIn(2) ? 10 : 150),
                0,
                random.nextInt(3) > 0
                        ? List.of(ends(Manoeuvre.PRIMARY, 100, 900))
                        : List.of(deed(Kind.LET_GO, Manoeuvre.PRIMARY, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of()));
        steps.add(new Step(passes(200), 0, List.of()));
        return steps;
    }

    /** Anything, after anything. */
    private List<Step> free() {
        List<Step> steps = new ArrayList<>();
        Moment[] all = Moment.values();
        steps.add(new Step(
                oneIn(4)
                        ? passes(1)
                        : new Cue.Sent(
                                pick(random.nextInt(2) == 0 ? TRANSACTION : all),
                                Manoeuvre.ANY,
                                Manoeuvre.ANY,
                                random.nextInt(MOST_PASSING)),
                MESSAGE_NANOS,
                deeds(true)));
        int more = 1 + random.nextInt(4);
        for (int i = 0; i < more; i++) {
            Cue cue = switch (random.nextInt(6)) {
                case 0 -> new Cue.Leads(Manoeuvre.ANY);
                case 1 -> new Cue.Reaches(Manoeuvre.ANY);
                case 2 ->
                    new Cue.Sent(
                            pick(all),
                            random.nextInt(Manoeuvre.ROLES + 1) - 1,
                            Manoeuvre.ANY,
                            random.nextInt(MOST_PASSING));
                case 3 -> passes(200);
                default -> passes(10);
            };
            steps.add(new Step(cue, TERM_NANOS, deeds(cue instanceof Cue.Sent)));
        }
        steps.add(new Step(passes(200), 0, List.of()));
        return steps;
    }

    private List<Deed> deeds(boolean isAtMessage) {
        List<Deed> deeds = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        Kind[] kinds = Kind.values();
        while (deeds.size() < count) {
            Kind kind = kinds[random.nextInt(kinds.length)];
            if (kind == Kind.LOSE ? isAtMessage : kind != Kind.MEND) {
                int role = random.nextInt(Manoeuvre.ROLES);
                int other = random.nextInt(2) == 0
                        ? Manoeuvre.ANY
                        : (role + 1 + random.nextInt(Manoeuvre.ROLES - 1)) % Manoeuvre.ROLES;
                deeds.add(new Deed(kind, role, other, oneIn(2) ? millis(1, 30) : millis(30, 500)));
            }
        }
        return deeds;
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T pick(T[] choice) {
        return choice[random.nextInt(choice.length)];
    }

    private long millis(int least, int most) {
        return (least + random.nextInt(most - least + 1)) * MILLI;
    }

    private Cue.Passes passes(int mostMillis) {
        return new Cue.Passes(mostMillis * MILLI);
    }

    /** A message of transactions that the one has begun and the other takes part in; sometimes the other way round. */
    private Cue.Sent ofTransaction(int coordinator, int participant) {
        Moment moment = pick(TRANSACTION);
        boolean isReport = moment == Moment.VOTE || moment == Moment.DECIDED;
        boolean isUsual = random.nextInt(5) > 0;
        return isReport == isUsual
                ? new Cue.Sent(moment, participant, coordinator, passing())
                : new Cue.Sent(moment, coordinator, participant, passing());
    }

    private int passing() {
        return oneIn(2) ? 0 : random.nextInt(MOST_PASSING);
    }

    private Deed ends(int role, int leastMillis, int mostMillis) {
        return deed(oneIn(2) ? Kind.KILL : Kind.CRASH, role, millis(leastMillis, mostMillis));
    }

    private static Deed deed(Kind kind, int role) {
        return new Deed(kind, role, Manoeuvre.ANY, 0);
    }

    private static Deed deed(Kind kind, int role, int other) {
        return new Deed(kind, role, other, 0);
    }

    private static Deed deed(Kind kind, int role, long nanos) {
        return new Deed(kind, role, Manoeuvre.ANY, nanos);
    }
}
