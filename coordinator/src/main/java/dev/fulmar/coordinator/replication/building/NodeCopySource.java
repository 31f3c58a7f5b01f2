package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Source of images of the partitions that this node leads. */
public final class NodeCopySource implements CopySource {
    private final List<OfPartition> partitions = new ArrayList<>();

    public NodeCopySource(PartitionRuntimes runtimes, LedLogs logs, BuildSettings settings) {
        runtimes.all().forEach(runtime -> partitions.add(new OfPartition(runtime, logs, settings)));
    }

    @Override
    public void begin(PartitionId partition, CopyId copy, Reader reader) {
        send(partition, images -> images.begin(copy, reader));
    }

    @Override
    public void pull(PartitionId partition, CopyId copy, long next, int credit, boolean again, Reader reader) {
        send(partition, images -> images.pull(copy, next, credit, again, reader));
    }

    @Override
    public void end(PartitionId partition, CopyId copy) {
        send(partition, images -> images.end(copy));
    }

    /** Gives up images whose copies are silent, or that cannot go on. To be called now and then; on any thread. */
    public void timePassed() {
        partitions.forEach(images -> {
            if (images.isUsed) {
                send(images.runtime.partition().id(), OfPartition::timePassed);
            }
        });
    }

    private void send(PartitionId partition, Work work) {
        OfPartition images = partitions.get(partition.number());
        PartitionTask task = where -> work.run(images);
        images.runtime.partition().inbox().put(task);
    }

    private interface Work {
        void run(OfPartition images);
    }

    /** The images of one partition; for its thread. */
    private static final class OfPartition {
        private final PartitionRuntime runtime;
        private final LedLogs logs;
        private final BuildSettings settings;
        private final Map<CopyId, RunningImage> images = new TreeMap<>();

        /** Copies whose image is fixed at the next moment without a transaction. */
        private final Set<CopyId> waiting = new HashSet<>();

        private final ImagedGenerations imaged = new ImagedGenerations();

        private volatile boolean isUsed;

        OfPartition(PartitionRuntime runtime, LedLogs logs, BuildSettings settings) {
            this.runtime = runtime;
            this.logs = logs;
            this.settings = settings;
        }

        private PartitionId id() {
            return runtime.partition().id();
        }

        void begin(CopyId copy, Reader reader) {
            if (logs.led(id()) == null) {
                closeAll();
                reader.refused(Refusal.NOT_PRIMARY);
                return;
            }
            RunningImage known = images.get(copy);
            if (known != null) {
                known.heard(reader);
                reader.begun(known.origin());
            } else if (imaged.has(copy)) {
                reader.refused(Refusal.UNKNOWN);
            } else if (waiting.add(copy)) {
                isUsed = true;
                runtime.partition().whenQuiescent(where -> fix(copy, reader));
            }
        }

        private void fix(CopyId copy, Reader reader) {
            if (!waiting.remove(copy)) {
                return; // it was given up meanwhile
            }
            LedLogs.Led led = logs.led(id());
            if (led == null) {
                reader.refused(Refusal.NOT_PRIMARY);
                return;
            }
            if (!logs.areOut(id(), copy)) {
                return; // it asks again
            }
            // An older life of the same node is gone for good.
            images.entrySet().removeIf(entry -> {
                boolean isOlder = entry.getKey().node().equals(copy.node())
                        && entry.getKey().life() < copy.life();
                if (isOlder) {
                    entry.getValue().close();
                }
                return isOlder;
            });
            LedLogs.Hold hold = logs.keep(id(), led.end());
            try {
                RunningImage image = new RunningImage(runtime, settings, led, hold, reader);
                RunningImage earlier = images.put(copy, image);
                Invariants.check(earlier == null, "a primary makes one image for a copy");
                imaged.add(copy);
                reader.begun(image.origin());
            } catch (FulmarException noMemory) {
                hold.release();
                reader.refused(Refusal.OVERTAKEN);
            }
        }

        void pull(CopyId copy, long next, int credit, boolean again, Reader reader) {
            RunningImage image = images.get(copy);
            if (image == null || image.isClosed()) {
                images.remove(copy);
                if (!waiting.contains(copy)) {
                    reader.refused(Refusal.UNKNOWN);
                }
                return;
            }
            image.heard(reader);
            if (logs.led(id()) == null) {
                closeAll();
                reader.refused(Refusal.NOT_PRIMARY);
                return;
            }
            image.pull(next, credit, again);
            if (image.isClosed()) {
                images.remove(copy);
            }
        }

        void end(CopyId copy) {
            waiting.remove(copy);
            RunningImage image = images.remove(copy);
            if (image != null) {
                image.close();
            }
        }

        void timePassed() {
            boolean leads = logs.led(id()) != null;
            long nowNanos = runtime.partition().clock().monotonicNanos();
            images.values().removeIf(image -> {
                if (!image.isClosed() && (!leads || image.isForgotten(nowNanos))) {
                    image.refuse(leads ? Refusal.UNKNOWN : Refusal.NOT_PRIMARY);
                }
                return image.isClosed();
            });
            isUsed = !images.isEmpty() || !waiting.isEmpty();
        }

        private void closeAll() {
            images.values().forEach(RunningImage::close);
            images.clear();
        }
    }
}
