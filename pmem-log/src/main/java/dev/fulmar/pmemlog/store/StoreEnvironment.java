package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;

/** What a store needs of its surroundings. */
public record StoreEnvironment(Storage storage, Clock clock, RandomSource random) {}
