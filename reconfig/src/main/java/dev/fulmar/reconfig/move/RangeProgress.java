package dev.fulmar.reconfig.move;

import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
import dev.fulmar.reconfig.plan.RangeMove;
import org.jspecify.annotations.Nullable;

/**
 * State of a range that a reconfiguration moves, or of a part of one.
 *
 * @param report of the move with which it goes, or has gone; its figures are those of all of its ranges. Null if none
 *     is known: no move has begun, or the node that made it has not told
 */
public record RangeProgress(
        RangeMove range, RangeState state, @Nullable RangeReport report) {}
