package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;

/** The parts of the seam that a store needs. */
public record StoreEnvironment(Storage storage, Clock clock, RandomSource random) {}
