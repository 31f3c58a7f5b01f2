package dev.fulmar.client;

import java.util.concurrent.atomic.LongAdder;

/** Counters of all connections of a client together. */
final class ClientCounters {
    final LongAdder completed = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder outcomesUnknown = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder connectionsLost = new LongAdder();
}
