package dev.fulmar.benchmarks.bulk;

/** A way of a file into a table. */
enum BulkWay {
    /** COPY into a node. */
    FULMAR_COPY,
    /** {@code bin/fulmar load} into a node. */
    FULMAR_LOAD,
    /** COPY into PostgreSQL. */
    POSTGRESQL_COPY
}
