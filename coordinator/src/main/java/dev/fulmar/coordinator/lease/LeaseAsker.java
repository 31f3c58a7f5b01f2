package dev.fulmar.coordinator.lease;

/**
 * A session's transaction that asks for leases. The one that began first is served first.
 *
 * @param transaction its number, unique in the cluster
 * @param sinceMicros when it began, since the epoch
 */
public record LeaseAsker(long transaction, long sinceMicros) implements Comparable<LeaseAsker> {
    @Override
    public int compareTo(LeaseAsker other) {
        int byAge = Long.compare(sinceMicros, other.sinceMicros);
        return byAge != 0 ? byAge : Long.compare(transaction, other.transaction);
    }
}
