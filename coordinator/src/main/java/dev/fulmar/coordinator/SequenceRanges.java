package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.data.ResultBlock;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Numbers of sequences for statements of sessions. The node draws some ahead, each time in a transaction of its own. So
 * no number comes twice, whatever becomes of the sessions; those that are not used are gaps. Thread-safe.
 */
final class SequenceRanges {
    private static final int DRAWN_TOGETHER = 32;
    private static final int MOST_SEQUENCES = 1_000;
    private static final byte[] NO_PARAMETERS = {0, 0};

    /** Waits for its numbers. */
    interface Listener {
        void drawn(long[] numbers);

        /** Nothing could be drawn. */
        void failed(Failed failure);
    }

    private final BiConsumer<TransactionRequest.AdHoc, Consumer<TransactionResponse>> statements;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Integer, ArrayDeque<Long>> spare = new TreeMap<>();

    /** @param statements executes one, and then tells what came of it, on whatever thread */
    SequenceRanges(BiConsumer<TransactionRequest.AdHoc, Consumer<TransactionResponse>> statements) {
        this.statements = statements;
    }

    /**
     * Draws numbers.
     *
     * @param sequences one for each number
     */
    void draw(List<Integer> sequences, Listener listener) {
        fill(new long[sequences.size()], 0, sequences, listener);
    }

    private void fill(long[] numbers, int first, List<Integer> sequences, Listener listener) {
        int next = first;
        lock.lock();
        try {
            while (next < numbers.length) {
                ArrayDeque<Long> known = spare.get(sequences.get(next));
                Long number = known == null ? null : known.poll();
                if (number == null) {
                    break;
                }
                numbers[next++] = number;
            }
        } finally {
            lock.unlock();
        }
        if (next == numbers.length) {
            listener.drawn(numbers);
            return;
        }
        int place = next;
        int sequence = sequences.get(place);
        statements.accept(drawing(sequence), response -> {
            switch (response) {
                case Committed drawn -> {
                    numbers[place] = keep(sequence, drawn);
                    fill(numbers, place + 1, sequences, listener);
                }
                case Failed failed -> listener.failed(failed);
            }
        });
    }

    private static TransactionRequest.AdHoc drawing(int sequence) {
        String one = "(NEXT VALUE FOR \"#" + sequence + "\")";
        return new TransactionRequest.AdHoc(
                0,
                0,
                0,
                ReadConsistency.DECLARED,
                "VALUES " + String.join(", ", Collections.nCopies(DRAWN_TOGETHER, one)),
                NO_PARAMETERS);
    }

    /** Keeps all numbers but the first, which it returns. */
    private long keep(int sequence, Committed drawn) {
        ResultBlock block = new ResultBlock();
        block.wrap(drawn.results(), 0, drawn.results().length);
        block.next();
        long first = block.getLong(0);
        lock.lock();
        try {
            if (spare.size() >= MOST_SEQUENCES) {
                spare.clear(); // most are of tables that were dropped
            }
            ArrayDeque<Long> known = spare.computeIfAbsent(sequence, _ -> new ArrayDeque<>());
            while (block.next()) {
                known.add(block.getLong(0));
            }
        } finally {
            lock.unlock();
        }
        return first;
    }
}
