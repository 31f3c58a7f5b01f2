package dev.fulmar.engine.partition;

/** Work that changes nothing and commits, for tests. */
abstract class CommittingWork extends SinglePartitionWork {
    @Override
    protected Verdict execute(Partition partition) {
        return Verdict.COMMIT;
    }

    @Override
    protected void broke(Throwable cause) {
        throw new AssertionError(cause);
    }

    @Override
    protected void settled(Partition partition, Verdict verdict, long commitTimestamp) {}

    @Override
    protected void revoked(Partition partition) {}
}
