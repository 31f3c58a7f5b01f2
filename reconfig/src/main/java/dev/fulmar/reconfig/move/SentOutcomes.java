package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Map;
import java.util.TreeMap;

/**
 * Places up to which each destination remembers the outcomes of a source's requests, so that the next move sends later
 * ones alone. For tasks.
 */
final class SentOutcomes {
    /**
     * A place in a source's memory of requests.
     *
     * @param term in which it means something
     */
    record Place(long term, RequestOutcomes.Place place) {
        static final Place BEGIN = new Place(0, RequestOutcomes.Place.BEGIN);

        /** Where to go on in the term. */
        RequestOutcomes.Place in(long presentTerm) {
            return term == presentTerm ? place : RequestOutcomes.Place.BEGIN;
        }
    }

    private final Map<Integer, Map<Integer, Place>> placesBySource = new TreeMap<>();

    Place of(PartitionId source, PartitionId destination) {
        Place known = placesOf(source).get(destination.number());
        return known == null ? Place.BEGIN : known;
    }

    /** The destination remembers all outcomes before the place, on all copies in sync. */
    void sent(PartitionId source, PartitionId destination, Place place) {
        placesOf(source).put(destination.number(), place);
    }

    private Map<Integer, Place> placesOf(PartitionId source) {
        return placesBySource.computeIfAbsent(source.number(), any -> new TreeMap<>());
    }
}
