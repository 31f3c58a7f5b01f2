package dev.fulmar.benchmarks.pgbench;

/** A database that is measured. */
enum BenchSystem {
    FULMAR,
    POSTGRESQL
}
