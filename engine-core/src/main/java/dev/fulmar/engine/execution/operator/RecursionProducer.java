package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** Collects the rows of a seed and of rounds of a step, until a round finds nothing new; then passes all on. */
final class RecursionProducer implements Producer {
    private enum Phase {
        SEED,
        STEP,
        EMIT
    }

    private final ScratchMemory memory;
    private final RowBudget budget;
    private final int source;
    private final @Nullable KeyEncoder key;
    private final @Nullable KeyTable seen;
    private final Consumer next;
    private final AddressList found;
    private @Nullable Producer seed;
    private @Nullable Producer step;
    private Phase phase = Phase.SEED;
    /** The rows of the round before are those found from here ... */
    private int workingFrom;
    /** ... to here. */
    private int workingEnd;

    private int position;
    private long mark;
    /** The present row was passed on, and may not be done with. */
    private boolean isPassed;

    /** @param key of a row, to find again what was there before; null if that counts too */
    RecursionProducer(OperatorContext context, int source, @Nullable KeyEncoder key, Consumer next) {
        memory = context.retained();
        found = new AddressList(memory);
        budget = context.budget();
        this.source = source;
        this.key = key;
        this.next = next;
        seen = key == null ? null : new KeyTable(memory);
    }

    void setInputs(Producer newSeed, Producer newStep) {
        seed = newSeed;
        step = newStep;
    }

    /** The consumer of the rows of the seed or the step. */
    Consumer collector(TupleWriter writer) {
        return frame -> {
            long row = writer.write(frame, memory);
            if (isNew(frame, row)) {
                found.add(row);
            }
            return true;
        };
    }

    private boolean isNew(Frame frame, long row) {
        KeyEncoder encoder = key;
        KeyTable known = seen;
        if (encoder == null || known == null) {
            return true;
        }
        frame.rows[source] = row;
        encoder.encode(frame);
        known.findOrInsert(encoder.address(), encoder.length());
        return known.inserted();
    }

    @Override
    public boolean run(Frame frame) {
        found.clear();
        if (seen != null) {
            seen.clear();
        }
        workingFrom = 0;
        workingEnd = 0;
        phase = Phase.SEED;
        required(seed).run(frame);
        return goOn(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        switch (phase) {
            case SEED -> required(seed).resume(frame);
            case STEP -> required(step).resume(frame);
            case EMIT -> {
                if (isPassed) {
                    if (!next.resume(frame)) {
                        return false;
                    }
                    isPassed = false;
                    frame.temporary.reset(mark);
                }
                return emit(frame);
            }
        }
        return goOn(frame);
    }

    private static Producer required(@Nullable Producer input) {
        if (input == null) {
            throw Invariants.breach("a recursion has a seed and a step");
        }
        return input;
    }

    private boolean goOn(Frame frame) {
        while (!budget.isPaused()) {
            workingFrom = workingEnd;
            workingEnd = found.size();
            if (workingFrom == workingEnd) {
                phase = Phase.EMIT;
                mark = frame.temporary.position();
                position = 0;
                isPassed = false;
                return emit(frame);
            }
            phase = Phase.STEP;
            required(step).run(frame);
        }
        return false;
    }

    private boolean emit(Frame frame) {
        while (position < found.size()) {
            if (budget.endsSlice()) {
                return false;
            }
            frame.rows[source] = found.get(position++);
            isPassed = true;
            if (!next.accept(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return true;
    }

    /** Reads the rows of the round before, as the step does. */
    Producer reader(int place, Consumer consumer) {
        return new Reader(place, consumer);
    }

    private final class Reader implements Producer {
        private final int place;
        private final Consumer consumer;
        private int row;
        private long readMark;
        private boolean given;

        Reader(int place, Consumer consumer) {
            this.place = place;
            this.consumer = consumer;
        }

        @Override
        public boolean run(Frame frame) {
            row = workingFrom;
            readMark = frame.temporary.position();
            given = false;
            return read(frame);
        }

        @Override
        public boolean resume(Frame frame) {
            if (given) {
                if (!consumer.resume(frame)) {
                    return false;
                }
                given = false;
                frame.temporary.reset(readMark);
            }
            return read(frame);
        }

        private boolean read(Frame frame) {
            while (row < workingEnd) {
                if (budget.endsSlice()) {
                    return false;
                }
                frame.rows[place] = found.get(row++);
                given = true;
                if (!consumer.accept(frame)) {
                    return false;
                }
                given = false;
                frame.temporary.reset(readMark);
            }
            return true;
        }
    }
}
