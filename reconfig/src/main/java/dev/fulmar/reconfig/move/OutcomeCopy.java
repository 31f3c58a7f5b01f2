package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.reconfig.peer.DestinationStep;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Copies the outcomes of the source's requests to the destination of a move. They are sent once they are safe: the
 * destination would answer a retry of a commit that the source's next primary does not have. Its methods run as tasks.
 */
final class OutcomeCopy {
    /** Takes a step at the destination, as {@link MovePorts#take}. */
    interface Destination {
        void ask(DestinationStep step, LongConsumer done, Consumer<FulmarException> failed);
    }

    private final MovePorts ports;
    private final Destination destination;
    private final SentOutcomes sentOutcomes;
    private final long move;
    private final PartitionId from;
    private final PartitionId to;

    OutcomeCopy(
            MovePorts ports,
            Destination destination,
            SentOutcomes sentOutcomes,
            long move,
            PartitionId from,
            PartitionId to) {
        this.ports = ports;
        this.destination = destination;
        this.sentOutcomes = sentOutcomes;
        this.move = move;
        this.from = from;
        this.to = to;
    }

    /** Outcomes at one moment. */
    private static final class Seen {
        private final long move;
        private final SentOutcomes.Place sent;
        private long term;
        private RequestOutcomes.Batch batch = new RequestOutcomes.Batch(List.of(), RequestOutcomes.Place.BEGIN, true);

        Seen(long move, SentOutcomes.Place sent) {
            this.move = move;
            this.sent = sent;
        }

        /** On the partition's thread. Notes what may have committed by the hand-off. */
        void look(PartitionData here) {
            RequestOutcomes requests = here.requests();
            term = requests.term();
            batch = requests.since(sent.in(term));
            BucketExtraction extraction = here.buckets().moves().extraction(move);
            if (extraction != null) {
                extraction.noteCommits(requests.commits());
            }
        }
    }

    /** Sends all outcomes that have come since the last time. */
    void begin(Runnable done, Consumer<FulmarException> failed) {
        Seen seen = new Seen(move, sentOutcomes.of(from, to));
        ports.log().inspectOnceSafe(from, seen::look, ports.told(() -> send(seen, done, failed), failed));
    }

    private void send(Seen seen, Runnable done, Consumer<FulmarException> failed) {
        RequestOutcomes.Batch batch = seen.batch;
        Runnable sent = () -> {
            sentOutcomes.sent(from, to, new SentOutcomes.Place(seen.term, batch.next()));
            if (batch.isLast()) {
                done.run();
            } else {
                begin(done, failed);
            }
        };
        sendPart(batch.parts(), 0, sent, failed);
    }

    private void sendPart(List<byte[]> parts, int part, Runnable sent, Consumer<FulmarException> failed) {
        if (part == parts.size()) {
            sent.run();
        } else {
            DestinationStep step = new DestinationStep.Remember(move, parts.get(part));
            destination.ask(step, none -> sendPart(parts, part + 1, sent, failed), failed);
        }
    }
}
