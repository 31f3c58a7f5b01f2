package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Barrier that keeps this node's new primaries from serving before they know all changes of the catalog that were
 * decided without them. For any thread.
 *
 * <p>A change needs the word of each partition's primary of that moment. If another node begins to lead the partition
 * before the change is decided, or before it hears of the decision, it must not serve the partition with the catalog of
 * before.
 */
final class CatalogBarrier {
    private static final long ASK_NANOS = 50_000_000;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Map<PartitionId, Term> terms = new ConcurrentSkipListMap<>();
    private final LongSupplier settled;

    /**
     * A term of a partition.
     *
     * @param askedNanos when the catalog's primary was asked the last time
     * @param version to which the changes lead that were decided without it
     */
    private record Term(long epoch, long askedNanos, long version) {}

    /** @param settled version of the catalog that counts, as far as the node knows */
    CatalogBarrier(LongSupplier settled) {
        this.settled = settled;
    }

    /**
     * Whether the node has everything that was decided without the term, and nothing more. If not it asks, now and
     * then. A later change needs the word of a primary that serves: another one has begun to lead then.
     */
    boolean isCounted(PartitionId partition, long epoch, long nowNanos, BiConsumer<PartitionId, Long> ask) {
        Term found = terms.get(partition);
        Invariants.check(found == null || found.epoch <= epoch, "a new primary of a partition has a later term");
        Term known = found == null || found.epoch != epoch ? null : found;
        if (known != null && known.version == settled.getAsLong()) {
            return true;
        }
        if (known == null || nowNanos - known.askedNanos >= ASK_NANOS) {
            // The answer to an earlier question may name a change that was lost with the primary that made it.
            terms.put(partition, new Term(epoch, nowNanos, UNKNOWN));
            ask.accept(partition, epoch);
        }
        return false;
    }

    /** Takes the answer of the catalog's primary. */
    void decided(PartitionId partition, long epoch, long version) {
        terms.computeIfPresent(
                partition, (_, known) -> known.epoch == epoch ? new Term(epoch, known.askedNanos, version) : known);
    }
}
