package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.execution.ReferencePlaces.Referring;
import java.util.ArrayList;
import java.util.List;

/**
 * The foreign keys by which ON DELETE CASCADE has led from a client's DELETE to the statement that is planned. Keys
 * that lead back to their table are followed a limited number of levels, and then no row may refer by one. So a plan
 * ends, whatever circles there are. Belongs to the planning of one statement, but for its list.
 */
public final class Cascades {
    /** The levels that are tried, until the plan has few enough statements. */
    static final List<Integer> LEVELS = List.of(16, 8, 4, 2, 1, 0);

    private final List<Referring> way;
    private final int levels;
    private final Work work;

    /** Statements of the whole plan so far. */
    private static final class Work {
        int statements;
        boolean hasCircle;
    }

    private Cascades(List<Referring> way, int levels, Work work) {
        this.way = List.copyOf(way);
        this.levels = levels;
        this.work = work;
    }

    /** That of a client's statement. */
    public static Cascades none() {
        return new Cascades(List.of(), LEVELS.getFirst(), new Work());
    }

    /** That of a client's statement which follows each circle so many times. */
    static Cascades ofLevels(int levels) {
        return new Cascades(List.of(), levels, new Work());
    }

    boolean isOfClient() {
        return way.isEmpty();
    }

    int levels() {
        return levels;
    }

    /** Whether a key leads back. Then fewer levels make a smaller plan. */
    boolean hasCircle() {
        return work.hasCircle;
    }

    /** Counts a statement; returns how many there are. */
    int count() {
        return ++work.statements;
    }

    /** Whether the key is not followed: it leads back, and so many of these as may be are on the way. */
    boolean endsAt(Referring referring, Catalog catalog) {
        if (!ReferencePlaces.leadsBack(referring, catalog)) {
            return false;
        }
        work.hasCircle = true;
        return way.stream()
                        .filter(each -> ReferencePlaces.leadsBack(each, catalog))
                        .count()
                >= levels;
    }

    /** The way of the statements that the key's action adds. */
    Cascades through(Referring referring) {
        List<Referring> longer = new ArrayList<>(way);
        longer.add(referring);
        return new Cascades(longer, levels, work);
    }
}
