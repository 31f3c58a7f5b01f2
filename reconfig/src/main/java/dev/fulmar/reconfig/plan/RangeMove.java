package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.partitioning.KeyRange;

/**
 * A reconfiguration range (Squall §4.1): positions whose rows go from one partition to another.
 *
 * @param source the partition that has the rows under the earlier plan
 * @param destination the partition that has them under the later one, another than the source
 */
public record RangeMove(KeyRange range, int source, int destination) {
    /** The range as the text of a plan has it. */
    public String text() {
        return EntryText.write(range.space(), range.first(), range.last());
    }

    /** The range as the text of a plan has it, and both partitions. */
    @Override
    public String toString() {
        return text() + " " + source + " -> " + destination;
    }
}
