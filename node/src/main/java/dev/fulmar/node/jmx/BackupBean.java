package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import java.util.function.Function;

/** Shows the last backup. */
record BackupBean(Durability durability) implements BackupMXBean {
    private static final double NANOS_PER_SECOND = 1e9;

    private <T> T figure(Function<BackupFigures, T> figure, T withoutBackup) {
        BackupFigures last = durability.backup();
        return last == null ? withoutBackup : figure.apply(last);
    }

    @Override
    public String getState() {
        return figure(last -> last.state().name(), "NONE");
    }

    @Override
    public String getDirectory() {
        return figure(BackupFigures::directory, "");
    }

    @Override
    public long getCopiedBytes() {
        return figure(BackupFigures::copiedBytes, 0L);
    }

    @Override
    public long getTotalBytes() {
        return figure(BackupFigures::totalBytes, 0L);
    }

    @Override
    public long getTimestamp() {
        return figure(BackupFigures::timestamp, 0L);
    }

    @Override
    public double getSeconds() {
        return figure(BackupFigures::nanos, 0L) / NANOS_PER_SECOND;
    }

    @Override
    public String getFailure() {
        return figure(BackupFigures::failure, "");
    }

    @Override
    public String getArchiveFailure() {
        return LogBean.text(durability.archiveFailure());
    }
}
