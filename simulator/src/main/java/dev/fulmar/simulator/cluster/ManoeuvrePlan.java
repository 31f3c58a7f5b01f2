package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.cluster.Manoeuvre.Cue;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed;
import dev.fulmar.simulator.cluster.Manoeuvre.Deed.Kind;
import dev.fulmar.simulator.cluster.Manoeuvre.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The manoeuvres that a steered run tries again and again: few, so that each meets many states of the cluster, and
 * every seed others. They follow one of the
 * {@link Shape}s in which protocols of this kind are wrong, each seed the next one; of one shape each step is drawn.
 */
final class ManoeuvrePlan {
    private static final int VARIETY = 2;

    /** Until a partition has another primary, or nothing will come of it. */
    private static final long TERM_NANOS = 600 * StepDraws.MILLI;

    private static final long MESSAGE_NANOS = 300 * StepDraws.MILLI;

    private final RandomSource random;
    private final StepDraws draw;
    private final CopyManoeuvres copies;
    private final CatalogManoeuvres changes;
    private final MoveManoeuvres moves;
    private final Theme theme;

    private ManoeuvrePlan(RandomSource random, Theme theme) {
        this.random = random;
        this.draw = new StepDraws(random);
        this.copies = new CopyManoeuvres(draw);
        this.changes = new CatalogManoeuvres(draw);
        this.moves = new MoveManoeuvres(draw);
        this.theme = theme;
    }

    /**
     * Draws what the seed tries: manoeuvres of one shape, or of two shapes that are carried out at the same time.
     *
     * @param theme of the seed; where clients change the catalog, manoeuvres are also about its copies
     * @param number of the seed; seeds go round the shapes, so that few of them try all
     */
    static List<List<Manoeuvre>> draw(RandomSource random, Theme theme, long number) {
        ManoeuvrePlan plan = new ManoeuvrePlan(random, theme);
        List<Manoeuvre> drawn = plan.choice(Shape.numbered(number, theme));
        if (!Shape.isPaired(number, theme)) {
            return List.of(drawn);
        }
        return List.of(drawn, plan.choice(Shape.numbered(random.nextInt(1 << 20), theme)));
    }

    private List<Manoeuvre> choice(Shape shape) {
        List<Manoeuvre> drawn = new ArrayList<>();
        for (int i = 0; i < VARIETY; i++) {
            drawn.add(manoeuvre(shape));
        }
        return List.copyOf(drawn);
    }

    private Manoeuvre manoeuvre(Shape shape) {
        List<Step> steps = switch (shape) {
            case BACK_AND_FORTH -> backAndForth();
            case OLD_VIEW -> oldView();
            case HALF_TOLD -> halfTold();
            case ALONE -> alone();
            case YOUNG -> young();
            case BLIND -> blind();
            case UNFOLLOWED -> unfollowed();
            case LAGGING -> lagging();
            case DISPLACED -> displaced();
            case RARE -> rare();
            case FREE -> free();
            case READ -> copies.read();
            case LESS -> copies.less();
            case CHECKPOINTED -> copies.checkpointed();
            case BUILT -> copies.built();
            case REBUILT -> copies.rebuilt();
            case CHANGE_ALONE -> changes.alone();
            case CHANGE_HALF_KNOWN -> changes.halfKnown();
            case CHANGE_LATE -> changes.late();
            case CHANGE_UNLED -> changes.unled();
            case CHANGE_RESTARTS -> changes.restarts();
            case CHANGE_REPLACED -> changes.replaced();
            case MOVE_STRUCK -> moves.struck();
            case MOVE_DEPOSED -> moves.deposed();
            case MOVE_LATE -> moves.late();
            case MOVE_AHEAD -> moves.ahead();
            case MOVE_REBUILT -> moves.rebuilt();
        };
        boolean isOfCatalog = switch (shape) {
            case CHANGE_ALONE, CHANGE_HALF_KNOWN, CHANGE_LATE, CHANGE_RESTARTS, CHANGE_REPLACED -> true;
            case CHANGE_UNLED -> false;
            default -> theme == Theme.CATALOG && draw.oneIn(2);
        };
        return new Manoeuvre(shape.name(), isOfCatalog, steps);
    }

    private List<Step> backAndForth() {
        List<Deed> first = new ArrayList<>();
        first.add(
                draw.oneIn(3)
                        ? StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.THIRD, draw.millis(100, 500))
                        : StepDraws.deed(Kind.HOLD, Manoeuvre.THIRD, Manoeuvre.PRIMARY));
        first.add(StepDraws.deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP));
        if (draw.oneIn(2)) {
            first.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(draw.passes(20), 0, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(draw.ofTransaction(Manoeuvre.PRIMARY, Manoeuvre.THIRD), MESSAGE_NANOS, first));
        boolean isHeard = !draw.oneIn(3);
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP),
                TERM_NANOS,
                isHeard ? List.of() : List.of(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        if (isHeard) {
            steps.add(new Step(
                    draw.passes(100),
                    0,
                    List.of(
                            StepDraws.deed(Kind.JOIN, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                            StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY))));
        }
        if (!isHeard || !draw.oneIn(3)) {
            steps.add(new Step(
                    draw.passes(draw.oneIn(3) ? 5 : draw.oneIn(2) ? 150 : 900),
                    0,
                    List.of(
                            StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY),
                            draw.ends(Manoeuvre.BACKUP, 200, 900),
                            StepDraws.deed(Kind.SEPARATE, Manoeuvre.BACKUP))));
            steps.add(new Step(new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of()));
        }
        steps.add(
                new Step(draw.passes(60), 0, List.of(StepDraws.deed(Kind.LET_GO, Manoeuvre.THIRD, Manoeuvre.PRIMARY))));
        steps.add(new Step(draw.passes(200), 0, List.of()));
        return steps;
    }

    private List<Step> oldView() {
        List<Step> steps = new ArrayList<>();
        if (!draw.oneIn(4)) {
            steps.add(new Step(draw.passes(1), 0, List.of(StepDraws.deed(Kind.HUSH, Manoeuvre.BACKUP))));
        }
        steps.add(new Step(
                draw.passes(40),
                0,
                List.of(
                        StepDraws.deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.THIRD))));
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.BACKUP))));
        Deed cut = StepDraws.deed(draw.oneIn(4) ? Kind.BREAK : Kind.CUT, Manoeuvre.BACKUP, Manoeuvre.THIRD);
        boolean isAtOnce = draw.oneIn(2);
        steps.add(new Step(
                draw.ofTransaction(Manoeuvre.BACKUP, Manoeuvre.THIRD),
                TERM_NANOS,
                isAtOnce ? List.of(cut) : List.of()));
        if (!isAtOnce) {
            steps.add(new Step(draw.passes(5), 0, List.of(cut)));
        }
        steps.add(new Step(draw.passes(500), 0, List.of()));
        return steps;
    }

    private List<Step> halfTold() {
        Moment moment = draw.pick(
                random.nextInt(3) > 0 ? new Moment[] {Moment.DECISION, Moment.DECIDED} : StepDraws.TRANSACTION);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.ANY, Manoeuvre.ANY, draw.passing()),
                MESSAGE_NANOS,
                List.of(
                        switch (random.nextInt(5)) {
                            case 0 -> StepDraws.deed(Kind.HOLD, 0, 1);
                            case 1 -> StepDraws.deed(Kind.CUT, 0, 1);
                            case 2 -> StepDraws.deed(Kind.BREAK, 0, 1);
                            default -> draw.ends(1, 50, 700);
                        })));
        if (random.nextInt(2) == 0) {
            steps.add(new Step(
                    new Cue.Sent(
                            draw.pick(new Moment[] {Moment.DECIDED, Moment.DECISION, Moment.GROUP, Moment.CONFIRMED}),
                            Manoeuvre.ANY,
                            Manoeuvre.ANY,
                            random.nextInt(2 * StepDraws.MOST_PASSING)),
                    MESSAGE_NANOS,
                    List.of()));
        }
        steps.add(
                new Step(draw.passes(draw.oneIn(2) ? 5 : 100), 0, List.of(draw.ends(draw.oneIn(4) ? 1 : 0, 200, 900))));
        steps.add(new Step(draw.passes(500), 0, List.of()));
        return steps;
    }

    private List<Step> alone() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(draw.passes(20), 0, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                draw.oneIn(4)
                        ? draw.ofTransaction(Manoeuvre.PRIMARY, Manoeuvre.THIRD)
                        : new Cue.Sent(Moment.VOTE, Manoeuvre.THIRD, Manoeuvre.PRIMARY, draw.passing()),
                MESSAGE_NANOS,
                List.of(
                        StepDraws.deed(draw.oneIn(3) ? Kind.HOLD : Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(draw.passes(draw.oneIn(2) ? 5 : 40), 0, List.of(draw.ends(Manoeuvre.PRIMARY, 1, 40))));
        steps.add(new Step(
                new Cue.Leads(Manoeuvre.PRIMARY),
                TERM_NANOS,
                List.of(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                draw.passes(draw.oneIn(3) ? 40 : draw.oneIn(2) ? 400 : 900),
                0,
                List.of(draw.ends(Manoeuvre.PRIMARY, 400, 900), StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of()));
        steps.add(new Step(draw.passes(200), 0, List.of()));
        return steps;
    }

    private List<Step> young() {
        Moment moment = random.nextInt(3) > 0 ? Moment.FORWARDED : draw.pick(StepDraws.TRANSACTION);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                draw.passes(1),
                0,
                List.of(draw.ends(Manoeuvre.THIRD, 1, 10), StepDraws.deed(Kind.GATHER, Manoeuvre.THIRD))));
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.THIRD, Manoeuvre.PRIMARY, random.nextInt(2 * StepDraws.MOST_PASSING)),
                2 * TERM_NANOS,
                List.of(
                        draw.oneIn(3)
                                ? StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.PRIMARY, draw.millis(100, 600))
                                : StepDraws.deed(Kind.HOLD, Manoeuvre.BACKUP, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        steps.add(new Step(draw.passes(draw.oneIn(2) ? 3 : 30), 0, List.of(draw.ends(Manoeuvre.THIRD, 1, 10))));
        steps.add(new Step(
                new Cue.Sent(moment, Manoeuvre.THIRD, Manoeuvre.PRIMARY, random.nextInt(2 * StepDraws.MOST_PASSING)),
                2 * TERM_NANOS,
                List.of(StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(new Step(draw.passes(100), 0, List.of()));
        return steps;
    }

    private List<Step> blind() {
        int role = random.nextInt(Manoeuvre.ROLES);
        return List.of(
                new Step(draw.passes(1), 0, List.of(draw.ends(role, 1, 100), StepDraws.deed(Kind.BLIND, role))),
                new Step(draw.passes(600), 0, List.of()),
                new Step(draw.passes(1), 0, List.of(StepDraws.deed(Kind.MEND, role))),
                new Step(draw.passes(300), 0, List.of()));
    }

    private List<Step> unfollowed() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                draw.passes(1),
                0,
                List.of(
                        StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY))));
        int terms = 1 + random.nextInt(3);
        for (int i = 0; i < terms; i++) {
            steps.add(new Step(
                    new Cue.Leads(Manoeuvre.BACKUP),
                    TERM_NANOS,
                    List.of(
                            StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP),
                            StepDraws.deed(Kind.SEPARATE, Manoeuvre.BACKUP))));
            steps.add(new Step(
                    draw.passes(10),
                    0,
                    draw.oneIn(2) ? List.of(StepDraws.deed(Kind.CHECKPOINT, Manoeuvre.BACKUP)) : List.of()));
            steps.add(new Step(draw.passes(draw.oneIn(2) ? 10 : 150), 0, List.of()));
            if (i + 1 < terms) {
                steps.add(new Step(
                        draw.passes(1),
                        0,
                        List.of(
                                draw.ends(Manoeuvre.BACKUP, 1, 20),
                                StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.BACKUP))));
            }
        }
        steps.add(new Step(
                draw.passes(1),
                0,
                List.of(
                        StepDraws.deed(Kind.JOIN, Manoeuvre.PRIMARY, Manoeuvre.THIRD),
                        StepDraws.deed(Kind.JOIN_STORE, Manoeuvre.PRIMARY),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.PRIMARY), TERM_NANOS, List.of()));
        steps.add(new Step(draw.passes(100), 0, List.of(StepDraws.deed(Kind.MEND, Manoeuvre.PRIMARY))));
        steps.add(new Step(draw.passes(draw.oneIn(2) ? 20 : 200), 0, List.of(draw.ends(Manoeuvre.BACKUP, 1, 200))));
        steps.add(new Step(draw.passes(300), 0, List.of()));
        return steps;
    }

    private List<Step> lagging() {
        List<Deed> first = new ArrayList<>();
        first.add(
                switch (random.nextInt(4)) {
                    case 0 -> StepDraws.deed(Kind.HOLD, Manoeuvre.PRIMARY, Manoeuvre.BACKUP);
                    case 1 -> StepDraws.deed(Kind.HOLD, Manoeuvre.BACKUP, Manoeuvre.PRIMARY);
                    case 2 -> StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.BACKUP, draw.millis(20, 300));
                    default -> StepDraws.deed(Kind.DELAY, Manoeuvre.PRIMARY, draw.millis(5, 50));
                });
        if (random.nextInt(2) == 0) {
            first.add(StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(
                draw.oneIn(2)
                        ? new Cue.Sent(Moment.GROUP, Manoeuvre.PRIMARY, Manoeuvre.BACKUP, draw.passing())
                        : new Cue.Sent(Moment.CONFIRMED, Manoeuvre.BACKUP, Manoeuvre.PRIMARY, draw.passing()),
                MESSAGE_NANOS,
                first));
        steps.add(new Step(
                draw.passes(draw.oneIn(2) ? 10 : 150),
                0,
                random.nextInt(3) > 0
                        ? List.of(draw.ends(Manoeuvre.PRIMARY, 100, 900))
                        : List.of(StepDraws.deed(Kind.LET_GO, Manoeuvre.PRIMARY, Manoeuvre.BACKUP))));
        steps.add(new Step(new Cue.Leads(Manoeuvre.BACKUP), TERM_NANOS, List.of()));
        steps.add(new Step(draw.passes(200), 0, List.of()));
        return steps;
    }

    /**
     * Of two other copies one has more than the other, which leads; or the primary lost with its power what a copy
     * has.
     */
    private List<Step> displaced() {
        boolean isOvertaken = draw.oneIn(4);
        int primary = isOvertaken ? Manoeuvre.PRIMARY : Manoeuvre.BACKUP;
        int ahead = isOvertaken ? Manoeuvre.BACKUP : Manoeuvre.THIRD;
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(draw.passes(20), 0, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                new Cue.Sent(Moment.GROUP, Manoeuvre.PRIMARY, ahead, draw.passing()),
                MESSAGE_NANOS,
                isOvertaken
                        ? List.of(
                                StepDraws.deed(Kind.SLOW_DISK, Manoeuvre.PRIMARY, draw.millis(5, 100)),
                                StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP))
                        : List.of(StepDraws.deed(
                                draw.oneIn(2) ? Kind.HOLD : Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP))));
        steps.add(new Step(
                draw.passes(draw.oneIn(2) ? 3 : 15),
                0,
                List.of(
                        isOvertaken
                                ? StepDraws.deed(Kind.CRASH, Manoeuvre.PRIMARY, draw.millis(1, 40))
                                : draw.ends(Manoeuvre.PRIMARY, 200, 900))));
        steps.add(new Step(
                new Cue.Leads(primary),
                TERM_NANOS,
                draw.oneIn(4) ? List.of() : List.of(StepDraws.deed(Kind.CUT_STORE, primary))));
        steps.add(new Step(
                draw.oneIn(2) ? new Cue.Reaches(ahead) : draw.passes(300),
                TERM_NANOS,
                List.of(StepDraws.deed(Kind.JOIN_STORE, ahead))));
        steps.add(new Step(draw.passes(draw.oneIn(3) ? 20 : 600), 0, List.of(draw.ends(primary, 200, 900))));
        steps.add(new Step(new Cue.Leads(ahead), TERM_NANOS, List.of()));
        steps.add(new Step(draw.passes(200), 0, List.of()));
        return steps;
    }

    private List<Step> rare() {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(draw.passes(20), 0, List.of(StepDraws.deed(Kind.GATHER, Manoeuvre.PRIMARY))));
        steps.add(new Step(
                draw.oneIn(3) ? draw.passes(40) : draw.ofTransaction(Manoeuvre.PRIMARY, Manoeuvre.THIRD),
                MESSAGE_NANOS,
                deposing()));
        int more = 1 + random.nextInt(3);
        for (int i = 0; i < more; i++) {
            steps.add(new Step(new Cue.Reaches(Manoeuvre.ANY), TERM_NANOS, List.of(draw.oneIn(3) ? cut() : end())));
            if (draw.oneIn(2)) {
                steps.add(new Step(draw.passes(draw.oneIn(2) ? 5 : 250), 0, List.of(draw.oneIn(2) ? cut() : end())));
            }
        }
        steps.add(new Step(draw.passes(300), 0, List.of()));
        return steps;
    }

    /** Another primary comes, and nodes know of it or not. */
    private List<Deed> deposing() {
        return switch (random.nextInt(5)) {
            case 0 -> List.of(draw.ends(Manoeuvre.PRIMARY, 1, 300));
            case 1 ->
                List.of(
                        StepDraws.deed(Kind.HOLD, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        StepDraws.deed(Kind.EXPIRE, Manoeuvre.PRIMARY));
            case 2 ->
                List.of(
                        StepDraws.deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.PRIMARY));
            case 3 ->
                List.of(
                        StepDraws.deed(Kind.CUT, Manoeuvre.PRIMARY, Manoeuvre.BACKUP),
                        StepDraws.deed(Kind.CUT_STORE, Manoeuvre.BACKUP),
                        draw.ends(Manoeuvre.PRIMARY, 1, 40));
            default -> List.of(StepDraws.deed(Kind.SEPARATE, Manoeuvre.PRIMARY));
        };
    }

    private Deed end() {
        return draw.ends(random.nextInt(Manoeuvre.ROLES), draw.oneIn(2) ? 1 : 200, 900);
    }

    private Deed cut() {
        int role = random.nextInt(Manoeuvre.ROLES);
        int other = (role + 1 + random.nextInt(Manoeuvre.ROLES - 1)) % Manoeuvre.ROLES;
        return switch (random.nextInt(6)) {
            case 0 -> StepDraws.deed(Kind.CUT_STORE, role);
            case 1 -> StepDraws.deed(Kind.HOLD, role, other);
            case 2 -> StepDraws.deed(Kind.BREAK, role, other);
            case 3 -> StepDraws.deed(Kind.SEPARATE, role, other);
            case 4 -> StepDraws.deed(Kind.EXPIRE, role);
            default -> StepDraws.deed(Kind.CUT, role, other);
        };
    }

    /** Anything, after anything. */
    private List<Step> free() {
        List<Step> steps = new ArrayList<>();
        Moment[] all = Moment.all(theme);
        steps.add(new Step(
                draw.oneIn(4)
                        ? draw.passes(1)
                        : new Cue.Sent(
                                draw.pick(random.nextInt(2) == 0 ? StepDraws.TRANSACTION : all),
                                Manoeuvre.ANY,
                                Manoeuvre.ANY,
                                random.nextInt(StepDraws.MOST_PASSING)),
                MESSAGE_NANOS,
                deeds(true)));
        int more = 1 + random.nextInt(4);
        for (int i = 0; i < more; i++) {
            Cue cue = switch (random.nextInt(6)) {
                case 0 -> new Cue.Leads(Manoeuvre.ANY);
                case 1 -> new Cue.Reaches(Manoeuvre.ANY);
                case 2 ->
                    new Cue.Sent(
                            draw.pick(all),
                            random.nextInt(Manoeuvre.ROLES + 1) - 1,
                            Manoeuvre.ANY,
                            random.nextInt(StepDraws.MOST_PASSING));
                case 3 -> draw.passes(200);
                default -> draw.passes(10);
            };
            steps.add(new Step(cue, TERM_NANOS, deeds(cue instanceof Cue.Sent)));
        }
        steps.add(new Step(draw.passes(200), 0, List.of()));
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
                deeds.add(new Deed(kind, role, other, draw.oneIn(2) ? draw.millis(1, 30) : draw.millis(30, 500)));
            }
        }
        return deeds;
    }
}
