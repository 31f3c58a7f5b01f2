package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A node's part in building copies: hands messages to its source of images and to its targets, one target for each
 * partition. For any thread.
 */
public final class CopyBuilding {
    private static final byte[] NO_ROWS = {};

    private final PartitionRuntimes runtimes;
    private final BuildOutbox outbox;
    private final NodeCopySource source;
    private final List<PartitionCopyTarget> targets = new ArrayList<>();

    /**
     * @param places where each partition's copy is durable
     * @param listeners who hears of each partition's copies
     */
    public CopyBuilding(
            PartitionRuntimes runtimes,
            BuildSettings settings,
            LedLogs logs,
            BuildOutbox outbox,
            Function<PartitionId, CopyPlace> places,
            Function<PartitionId, CopyTarget.Listener> listeners) {
        this.runtimes = runtimes;
        this.outbox = outbox;
        this.source = new NodeCopySource(runtimes, logs, settings);
        runtimes.all().forEach(runtime -> {
            PartitionId id = runtime.partition().id();
            targets.add(new PartitionCopyTarget(runtime, settings, places.apply(id), outbox, listeners.apply(id)));
        });
    }

    /** Target where copies of the partition are built, for its thread. */
    public CopyTarget target(PartitionId partition) {
        return targets.get(partition.number());
    }

    /** Takes a message of another node; refuses by throwing what is none. */
    public void received(NodeId from, ByteBuffer in) {
        BuildMessage message = BuildFormat.read(in);
        PartitionId partition = message.partition();
        if (partition.number() >= runtimes.count()) {
            throw BuildFormat.malformed("one of partition " + partition + ", which there is not");
        }
        switch (message) {
            case BuildMessage.Begin(var _, CopyId copy) -> {
                checkSender(from, copy);
                source.begin(partition, copy, new RemoteReader(from, partition, copy));
            }
            case BuildMessage.Pull(var _, CopyId copy, long next, int credit, boolean again) -> {
                checkSender(from, copy);
                source.pull(partition, copy, next, credit, again, new RemoteReader(from, partition, copy));
            }
            case BuildMessage.End(var _, CopyId copy) -> {
                checkSender(from, copy);
                source.end(partition, copy);
            }
            case BuildMessage.Begun _, BuildMessage.Chunk _, BuildMessage.Refused _ -> deliver(from, message, in);
        }
    }

    private static void checkSender(NodeId from, CopyId copy) {
        if (!copy.node().equals(from)) {
            throw BuildFormat.malformed("node " + from + " speaks for the copy " + copy);
        }
    }

    private void deliver(NodeId from, BuildMessage message, ByteBuffer in) {
        byte[] rows = NO_ROWS;
        if (in.hasRemaining()) {
            rows = new byte[in.remaining()];
            in.get(rows);
        }
        byte[] taken = rows;
        PartitionCopyTarget target = targets.get(message.partition().number());
        send(message.partition(), where -> target.received(from, message, taken));
    }

    private void send(PartitionId partition, PartitionTask task) {
        runtimes.of(partition).partition().inbox().put(task);
    }

    /** To be called several times a second. */
    public void timePassed() {
        source.timePassed();
        for (int number = 0; number < targets.size(); number++) {
            PartitionCopyTarget target = targets.get(number);
            if (target.isAtWork()) {
                send(new PartitionId(number), where -> target.timePassed());
            }
        }
    }

    /** Sends what the source says over the network. */
    private final class RemoteReader implements CopySource.Reader {
        private final NodeId to;
        private final PartitionId partition;
        private final CopyId copy;

        RemoteReader(NodeId to, PartitionId partition, CopyId copy) {
            this.to = to;
            this.partition = partition;
            this.copy = copy;
        }

        @Override
        public void begun(CopyOrigin origin) {
            outbox.send(to, BuildFormat.bytes(new BuildMessage.Begun(partition, copy, origin)));
        }

        @Override
        public void chunk(long number, byte[] rows, boolean last) {
            outbox.send(
                    to,
                    BuildFormat.bytes(new BuildMessage.Chunk(partition, copy, number, last)),
                    ByteBuffer.wrap(rows));
        }

        @Override
        public void refused(CopySource.Refusal reason) {
            outbox.send(to, BuildFormat.bytes(new BuildMessage.Refused(partition, copy, reason)));
        }
    }
}
