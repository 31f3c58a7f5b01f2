package dev.fulmar.foundation.id;

/** A node of the cluster. */
public record NodeId(int number) implements Comparable<NodeId> {
    public NodeId {
        if (number < 0) {
            throw new IllegalArgumentException("node number " + number + " is negative");
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return "N" + number;
    }
}
