package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Relation;

/**
 * A relation under construction.
 *
 * @param ordered each run yields its rows in the order that was asked for; never where none was asked for, because
 *     whoever is further up may have asked for another
 */
record PlannedRelation(Relation relation, Distribution distribution, boolean ordered) {
    static PlannedRelation unordered(Relation relation, Distribution distribution) {
        return new PlannedRelation(relation, distribution, false);
    }

    int width() {
        return relation.columns().size();
    }
}
