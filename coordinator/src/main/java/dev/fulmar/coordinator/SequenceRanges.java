package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.DrawingStatement;
import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.statement.GivenSeeds;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of sequences for statements that are given them. The node draws some ahead, each time in a transaction of its
 * own that is committed before a number is used. So no number comes twice, whatever becomes of the statements and of
 * the node; those that are not used are gaps. One transaction at a time draws for a sequence, and all statements that
 * wait for that sequence share it. Thread-safe.
 */
final class SequenceRanges {
    /** Numbers that are drawn together where a partition draws them. */
    private static final int DRAWN_TOGETHER = 32;

    /** The column of the last number in the answer to a draw. */
    private static final int LAST_COLUMN = 3;

    private static final int MOST_SEQUENCES = 1_000;
    private static final int PARAMETER_BYTES = 64;
    private static final byte[] NO_PARAMETERS = {0, 0};

    /** Waits for its numbers. */
    interface Listener {
        void drawn(long[] numbers);

        /** Nothing could be drawn; the statement was not executed. */
        void failed(Failed failure);
    }

    /** Numbers that follow one another. */
    private record Range(long first, long increment, long count) {
        long at(long place) {
            return first + place * increment;
        }

        Range from(long place) {
            return new Range(at(place), increment, count - place);
        }
    }

    /** The numbers of a sequence that were drawn ahead, and the statements that wait for more. */
    private static final class Supply {
        final GivenNumbers.Number number;
        final String name;
        final ArrayDeque<Range> ranges = new ArrayDeque<>();
        final List<Taking> waiting = new ArrayList<>();
        boolean isDrawing;

        /** Whether the numbers of a draw go down. */
        boolean descends;

        /** @param name of the sequence; empty if it is not known */
        Supply(GivenNumbers.Number number, String name) {
            this.number = number;
            this.name = name;
        }

        boolean isDense() {
            return number.kind() == GivenNumbers.Kind.NEXT_DENSE;
        }

        boolean isIdle() {
            return !isDrawing && waiting.isEmpty();
        }

        /** Gives as many numbers as the statement takes of this kind next, and a range has; false if there are none. */
        boolean giveTo(Taking taking) {
            Range range = ranges.poll();
            if (range == null) {
                return false;
            }
            long taken = 0;
            while (taken < range.count && taking.takesNext(number)) {
                taking.add(number.sequence(), name, range.at(taken));
                taken++;
            }
            if (taken < range.count) {
                ranges.addFirst(range.from(taken));
            }
            return true;
        }

        /** Numbers for all that wait, at least. */
        long wanted() {
            return waiting.stream().mapToLong(taking -> taking.restOf(number)).sum();
        }
    }

    /** A statement, or several, that takes its numbers one after another. */
    private static final class Taking {
        final List<GivenNumbers.Number> wanted;
        final GivenSeeds.OfRequest seeds;
        final long[] numbers;
        final @Nullable LastNumbers last;
        final Predicate<String> isSequence;
        final Listener listener;

        /** Names of sequences whose numbers were taken, by their ids. */
        final Map<Integer, String> names = new LinkedHashMap<>();

        int next;

        Taking(
                List<GivenNumbers.Number> wanted,
                GivenSeeds.OfRequest seeds,
                @Nullable LastNumbers last,
                Predicate<String> isSequence,
                Listener listener) {
            this.isSequence = isSequence;
            this.wanted = wanted;
            this.seeds = seeds;
            this.numbers = new long[wanted.size()];
            this.last = last;
            this.listener = listener;
        }

        long restOf(GivenNumbers.Number number) {
            return wanted.subList(next, wanted.size()).stream()
                    .filter(number::equals)
                    .count();
        }

        /** A number that no sequence is asked for. */
        long known(GivenNumbers.Number number) {
            return switch (number.kind()) {
                case ROW -> seeds.row(next);
                case RANDOM -> seeds.random(next);
                case NEXT, NEXT_INTEGER, NEXT_DENSE, CURRENT, LAST -> remembered(number);
            };
        }

        private long remembered(GivenNumbers.Number number) {
            LastNumbers known = last;
            boolean isOfAny = number.kind() == GivenNumbers.Kind.LAST;
            if (known == null) {
                throw LastNumbers.notDrawn(isOfAny ? "lastval" : "currval");
            }
            return isOfAny ? known.last(isSequence) : known.current(number.sequence());
        }

        /** Whether all are of one sequence, and go up as they came. */
        private boolean isInOrder() {
            for (int place = 1; place < numbers.length; place++) {
                if (numbers[place] <= numbers[place - 1] || !wanted.get(place).equals(wanted.getFirst())) {
                    return false;
                }
            }
            return true;
        }

        /**
         * The numbers of a statement go up from row to row, though they come from draws of several partitions. Clients
         * tell the rows of RETURNING apart by that. A statement that also says currval keeps them as they came.
         */
        void putInOrder(Predicate<GivenNumbers.Number> descends) {
            if (isInOrder()) {
                return;
            }
            Map<GivenNumbers.Number, List<Integer>> places = new LinkedHashMap<>();
            for (int place = 0; place < numbers.length; place++) {
                GivenNumbers.Number number = wanted.get(place);
                if (number.kind().isRemembered()) {
                    return;
                }
                boolean isInTurn =
                        number.kind() == GivenNumbers.Kind.NEXT_DENSE; // and may begin anew behind the last one
                if (number.kind().isDrawn() && !isInTurn) {
                    places.computeIfAbsent(number, key -> new ArrayList<>()).add(place);
                }
            }
            places.values().removeIf(of -> of.size() == 1);
            places.forEach((number, of) -> {
                long[] sorted =
                        of.stream().mapToLong(place -> numbers[place]).sorted().toArray();
                for (int i = 0; i < sorted.length; i++) {
                    numbers[of.get(i)] = descends.test(number) ? sorted[sorted.length - 1 - i] : sorted[i];
                }
            });
            LastNumbers known = last;
            for (int place = 0; known != null && !places.isEmpty() && place < numbers.length; place++) {
                if (wanted.get(place).kind().isDrawn()) {
                    known.note(
                            wanted.get(place).sequence(),
                            names.getOrDefault(wanted.get(place).sequence(), ""),
                            numbers[place]);
                }
            }
        }

        boolean takesNext(GivenNumbers.Number number) {
            return next < numbers.length && wanted.get(next).equals(number);
        }

        void add(int sequence, String name, long number) {
            names.put(sequence, name);
            numbers[next++] = number;
            if (last != null) {
                last.note(sequence, name, number);
            }
        }
    }

    private final Clock clock;
    private final Supplier<Catalog> catalog;
    private final Consumer<IncomingRequest> routes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<GivenNumbers.Number, Supply> supplies = new LinkedHashMap<>();
    private final GivenSeeds seeds;

    /**
     * @param random of the node
     * @param catalog the newest
     * @param routes takes a statement, whose outcome is told on whatever thread
     */
    SequenceRanges(Clock clock, RandomSource random, Supplier<Catalog> catalog, Consumer<IncomingRequest> routes) {
        this.clock = clock;
        this.catalog = catalog;
        this.routes = routes;
        this.seeds = new GivenSeeds(random.split("numbers of statements"));
    }

    /**
     * Gets numbers; ids of rows and random ones as {@link GivenSeeds} says.
     *
     * @param request that they are for
     * @param last what the client's connection remembers, and is to remember; null for nothing
     */
    void draw(
            List<GivenNumbers.Number> wanted,
            TransactionRequest request,
            @Nullable LastNumbers last,
            Listener listener) {
        goOn(new Taking(wanted, seeds.of(request), last, this::isSequence, listener));
    }

    private void goOn(Taking taking) {
        Supply begins = null;
        FulmarException failure = null;
        long count = 0;
        boolean isComplete = false;
        lock.lock();
        try {
            Supply dry = take(taking);
            if (dry == null) {
                isComplete = true;
                taking.putInOrder(number -> supply(number).descends);
            } else {
                dry.waiting.add(taking);
                if (!dry.isDrawing) {
                    dry.isDrawing = true;
                    begins = dry;
                    count = dry.wanted();
                }
            }
        } catch (FulmarException nothingDrawn) {
            failure = nothingDrawn;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            taking.listener.failed(Answers.failed(failure));
        } else if (isComplete) {
            taking.listener.drawn(taking.numbers);
        } else if (begins != null) {
            draw(begins, count);
        }
    }

    /** Takes what there is; returns the supply that has nothing left, or null when all is taken. */
    private @Nullable Supply take(Taking taking) {
        while (taking.next < taking.numbers.length) {
            GivenNumbers.Number number = taking.wanted.get(taking.next);
            if (!number.kind().isDrawn()) {
                taking.numbers[taking.next] = taking.known(number);
                taking.next++;
                continue;
            }
            Supply supply = supply(number);
            if (!supply.giveTo(taking)) {
                return supply;
            }
        }
        return null;
    }

    private boolean isSequence(String name) {
        Table table = catalog.get().tables().get(name);
        return table != null && table.isSequence();
    }

    private String name(int sequence) {
        return catalog.get().tables().values().stream()
                .filter(table -> table.id() == sequence)
                .map(Table::name)
                .findFirst()
                .orElse("");
    }

    private Supply supply(GivenNumbers.Number number) {
        Supply known = supplies.get(number);
        if (known != null) {
            return known;
        }
        if (supplies.size() >= MOST_SEQUENCES) {
            supplies.values().removeIf(Supply::isIdle); // most are of tables that were dropped
        }
        Supply made = new Supply(number, name(number.sequence()));
        supplies.put(number, made);
        return made;
    }

    private void draw(Supply supply, long count) {
        try {
            routes.accept(new IncomingRequest(
                    supply.isDense() ? drawingRange(supply.number.sequence(), count) : drawingEach(supply.number),
                    (asked, response) -> arrived(supply, response, count),
                    clock.monotonicNanos()));
        } catch (RuntimeException | Error defect) { // else all that want such numbers would wait for ever
            arrived(supply, Answers.defect(defect), count);
            FatalErrors.handIfFatal(defect);
        }
    }

    private static TransactionRequest.AdHoc drawingRange(int sequence, long count) {
        byte[] parameters =
                new ParameterWriter(PARAMETER_BYTES, PARAMETER_BYTES).add(count).toByteArray();
        return statement(DrawingStatement.text(sequence), parameters);
    }

    private static TransactionRequest.AdHoc drawingEach(GivenNumbers.Number number) {
        String next = "NEXT VALUE FOR \"#" + number.sequence() + "\"";
        boolean isInteger = number.kind() == GivenNumbers.Kind.NEXT_INTEGER;
        String one = isInteger ? "(CAST(" + next + " AS INTEGER))" : "(" + next + ")";
        return statement("VALUES " + String.join(", ", Collections.nCopies(DRAWN_TOGETHER, one)), NO_PARAMETERS);
    }

    private static TransactionRequest.AdHoc statement(String text, byte[] parameters) {
        return new TransactionRequest.AdHoc(0, 0, 0, ReadConsistency.DECLARED, text, parameters);
    }

    private void arrived(Supply supply, TransactionResponse response, long count) {
        List<Taking> waiting;
        lock.lock();
        try {
            if (response instanceof Committed drawn) {
                supply.ranges.addAll(ranges(supply, drawn, count));
            }
            supply.isDrawing = false;
            waiting = List.copyOf(supply.waiting);
            supply.waiting.clear();
        } finally {
            lock.unlock();
        }
        for (Taking taking : waiting) {
            switch (response) {
                case Committed _ -> goOn(taking);
                case Failed failed -> taking.listener.failed(withoutEffect(failed));
            }
        }
    }

    private static List<Range> ranges(Supply supply, Committed drawn, long count) {
        ResultBlock block = new ResultBlock();
        block.wrap(drawn.results(), 0, drawn.results().length);
        List<Range> ranges = new ArrayList<>();
        while (block.next()) {
            if (supply.isDense()) {
                long first = block.getLong(0);
                long increment = block.getLong(1);
                long wanted = Math.max(count, block.getLong(2));
                ranges.add(new Range(
                        first, increment, SequenceRule.available(first, increment, last(block, increment), wanted)));
            } else {
                ranges.add(new Range(block.getLong(0), 0, 1));
            }
        }
        Invariants.check(!ranges.isEmpty(), "a draw yields a number");
        supply.descends =
                supply.isDense() ? ranges.getFirst().increment < 0 : ranges.getLast().first < ranges.getFirst().first;
        return ranges;
    }

    /** The last number of the sequence; a node of an earlier build does not say it, and knows no other. */
    private static long last(ResultBlock block, long increment) {
        boolean isSaid = block.columnCount() > LAST_COLUMN;
        return isSaid ? block.getLong(LAST_COLUMN) : increment > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    /** Numbers whose draw has an unknown outcome are gaps, and the statement that waited for them was not executed. */
    private static Failed withoutEffect(Failed failed) {
        return failed.code().category() == ErrorCode.Category.INTERNAL
                ? new Failed(
                        ErrorCode.NOT_CONNECTED,
                        "the statement was not executed, since no numbers of its sequence came; send it again ("
                                + failed.message() + ")")
                : failed;
    }
}
