package dev.fulmar.benchmarks.pgbench;

/** A database that is measured. */
public enum BenchSystem {
    FULMAR,
    POSTGRESQL
}
