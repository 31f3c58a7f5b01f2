package dev.fulmar.node.jmx;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.log.LogCounters;
import org.jspecify.annotations.Nullable;

/** Shows the operation log. */
final class LogBean implements LogMXBean, Beans.Sampled {
    private final Durability durability;
    private final Backend backend;
    private final LatencyWindow gateWaits = new LatencyWindow();
    private volatile double recordsPerGroup;
    private volatile double fenceMicros;
    private long lastRecords;
    private long lastGroups;
    private long lastFences;
    private long lastFenceNanos;

    LogBean(Durability durability, Backend backend) {
        this.durability = durability;
        this.backend = backend;
    }

    private LogCounters counters() {
        return durability.counters();
    }

    @Override
    public void sample(long nowNanos) {
        LogCounters now = counters();
        long groups = now.groups() - lastGroups;
        long fences = now.fences() - lastFences;
        recordsPerGroup = groups == 0 ? 0 : (double) (now.records() - lastRecords) / groups;
        fenceMicros = fences == 0 ? 0 : (now.fenceNanos() - lastFenceNanos) / 1e3 / fences;
        gateWaits.sample(durability.gateWaits());
        lastRecords = now.records();
        lastGroups = now.groups();
        lastFences = now.fences();
        lastFenceNanos = now.fenceNanos();
    }

    @Override
    public String getMode() {
        return durability.mode().name();
    }

    @Override
    public String getBackend() {
        return backend.isEmulated() ? backend.name() + ", emulated" : backend.name();
    }

    @Override
    public String getDurability() {
        return backend.durability().name();
    }

    @Override
    public String getBackendExplanation() {
        return backend.explanation();
    }

    @Override
    public long getRecords() {
        return counters().records();
    }

    @Override
    public long getRecordBytes() {
        return counters().recordBytes();
    }

    @Override
    public long getWrittenBytes() {
        return counters().writtenBytes();
    }

    @Override
    public long getPreparedBytes() {
        return counters().preparedBytes();
    }

    @Override
    public long getGroups() {
        return counters().groups();
    }

    @Override
    public double getRecordsPerGroup() {
        return recordsPerGroup;
    }

    @Override
    public long getLargestGroupRecords() {
        return counters().largestGroupRecords();
    }

    @Override
    public long getFences() {
        return counters().fences();
    }

    @Override
    public double getFenceMicros() {
        return fenceMicros;
    }

    @Override
    public double getGateWaitP50Micros() {
        return gateWaits.micros(0.5);
    }

    @Override
    public double getGateWaitP99Micros() {
        return gateWaits.micros(0.99);
    }

    @Override
    public long getLiveSegments() {
        return counters().liveSegments();
    }

    @Override
    public int getHeldReplies() {
        return durability.heldCount();
    }

    @Override
    public String getFailure() {
        return text(durability.failure());
    }

    @Override
    public String getShortage() {
        return text(durability.shortage());
    }

    static String text(@Nullable FulmarException cause) {
        return cause == null ? "" : cause.code() + ": " + cause.getMessage();
    }
}
