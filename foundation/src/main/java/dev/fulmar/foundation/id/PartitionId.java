package dev.fulmar.foundation.id;

/** A partition of the database: the unit of locking, log order and replication. Numbers are dense from 0. */
public record PartitionId(int number) implements Comparable<PartitionId> {
    public PartitionId {
        if (number < 0) {
            throw new IllegalArgumentException("partition number " + number + " is negative");
        }
    }

    @Override
    public int compareTo(PartitionId other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return "P" + number;
    }
}
