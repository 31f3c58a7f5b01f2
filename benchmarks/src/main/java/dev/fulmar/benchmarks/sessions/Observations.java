package dev.fulmar.benchmarks.sessions;

/**
 * Observations of a node beside the rate of its writers.
 *
 * @param before the node before transactions were opened
 * @param during the node while they were open
 * @param locked the same after changes of all partitions that came while they were open
 * @param after the node when they had ended
 * @param toldIdle transactions that heard that they were idle for too long
 * @param idleBefore the other node before those were opened
 * @param idleEnd the other node when those had ended
 * @param killedMillis time for which the lease of a killed client kept another one waiting
 * @param silentMillis the same of a client that says nothing any more
 * @param afterLeaving the node when those clients were gone
 * @param problems what was wrong with the tables
 */
record Observations(
        NodeFigures before,
        NodeFigures during,
        NodeFigures locked,
        NodeFigures after,
        int toldIdle,
        NodeFigures idleBefore,
        NodeFigures idleEnd,
        double killedMillis,
        double silentMillis,
        NodeFigures afterLeaving,
        int problems) {}
