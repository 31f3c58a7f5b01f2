package dev.fulmar.engine.execution.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation.Exclusion;
import dev.fulmar.engine.plan.Relation.FrameEnd;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Beside the definition of a frame, row by row: every pair of ends over every exclusion. */
class WindowExtentTest {
    private static final int FROM = 2;
    private static final int TO = 11;
    /** The first row of each row's peers. */
    private static final int[] PEERS = {0, 0, 2, 2, 4, 5, 5, 5, 8, 9, 9};

    @Test
    void framesHaveTheRowsOfTheirDefinition() {
        List<FrameEnd> ends = new ArrayList<>(List.of(new FrameEnd(true, 0)));
        IntStream.rangeClosed(-3, 3).forEach(distance -> ends.add(new FrameEnd(false, distance)));
        for (FrameEnd start : ends) {
            for (FrameEnd end : ends) {
                for (Exclusion exclusion : Exclusion.values()) {
                    check(new WindowFrame(false, start, end, exclusion));
                    check(ofValues(start, end, exclusion));
                    check(new WindowFrame(true, start, end, exclusion));
                }
            }
        }
    }

    /** The same frame by values, which are the numbers of the peers; an end at the row itself is among its peers. */
    private static WindowFrame ofValues(FrameEnd start, FrameEnd end, Exclusion exclusion) {
        return new WindowFrame(true, ofValue(start), ofValue(end), exclusion);
    }

    private static FrameEnd ofValue(FrameEnd end) {
        return end.unbounded() || end.distance() == 0
                ? end
                : new FrameEnd(
                        false, end.distance(), new Expression.Literal(ColumnType.of(TypeKind.BIGINT), end.distance()));
    }

    /** The limits of a frame by the numbers of peers. */
    private static WindowExtent.Search search(WindowFrame frame) {
        return new WindowExtent.Search() {
            @Override
            public int start(int from, int row) {
                long limit = PEERS[row] + frame.start().distance();
                return IntStream.range(from, TO)
                        .filter(other -> PEERS[other] >= limit)
                        .findFirst()
                        .orElse(TO);
            }

            @Override
            public int end(int from, int row) {
                long limit = PEERS[row] + frame.end().distance();
                return IntStream.range(from, TO)
                        .filter(other -> PEERS[other] > limit)
                        .findFirst()
                        .orElse(TO);
            }
        };
    }

    private static void check(WindowFrame frame) {
        WindowExtent extent = new WindowExtent(frame, search(frame), WindowExtentTest::peersEnd, FROM, TO);
        for (int row = FROM; row < TO; row++) {
            extent.moveTo(row);
            int current = row;
            List<Integer> wanted = IntStream.range(FROM, TO)
                    .filter(other -> isWithin(frame, current, other) && !isExcluded(frame.exclusion(), current, other))
                    .boxed()
                    .toList();
            assertThat(IntStream.range(0, extent.size())
                            .map(extent::row)
                            .boxed()
                            .toList())
                    .as("%s of row %d", frame, row)
                    .isEqualTo(wanted);
            assertThat(IntStream.range(extent.first(), extent.end())
                            .filter(other -> !extent.excludes(other))
                            .boxed()
                            .toList())
                    .as("%s of row %d, not excluded", frame, row)
                    .isEqualTo(wanted);
            checkKnown(extent, wanted, frame + " of row " + row);
        }
    }

    /** Each choice of rows without a null, by number from either end. */
    private static void checkKnown(WindowExtent extent, List<Integer> frame, String description) {
        for (int nulls : new int[] {0, 0b101, 0b10110110, 0b111111111}) {
            KnownRows known = new KnownRows();
            IntStream.range(FROM, TO).filter(row -> !isNull(nulls, row)).forEach(known::add);
            List<Integer> wanted =
                    frame.stream().filter(row -> !isNull(nulls, row)).toList();
            for (int number = 1; number <= TO; number++) {
                boolean isThere = number <= wanted.size();
                long atStart = isThere ? wanted.get(number - 1) : -1;
                long atEnd = isThere ? wanted.get(wanted.size() - number) : -1;
                assertThat(known.within(extent, number)).as(description).isEqualTo(atStart);
                assertThat(known.within(extent, -number)).as(description).isEqualTo(atEnd);
            }
        }
    }

    private static boolean isNull(int nulls, int row) {
        return (nulls >> (row - FROM) & 1) == 1;
    }

    private static int peersEnd(int row) {
        return IntStream.range(row, TO)
                .filter(other -> PEERS[other] != PEERS[row])
                .findFirst()
                .orElse(TO);
    }

    private static boolean isWithin(WindowFrame frame, int row, int other) {
        return begins(frame, row, other) && ends(frame, row, other);
    }

    /** The number of the row's group of peers. */
    private static long group(int row) {
        return IntStream.rangeClosed(FROM, row)
                .map(each -> PEERS[each])
                .distinct()
                .count();
    }

    private static boolean begins(WindowFrame frame, int row, int other) {
        long distance = frame.start().distance();
        if (frame.start().limit() != null) {
            return PEERS[other] >= PEERS[row] + distance;
        }
        boolean isBehind = frame.peers() ? group(other) >= group(row) + distance : other >= row + distance;
        return frame.start().unbounded() || isBehind;
    }

    private static boolean ends(WindowFrame frame, int row, int other) {
        long distance = frame.end().distance();
        if (frame.end().limit() != null) {
            return PEERS[other] <= PEERS[row] + distance;
        }
        boolean isBefore = frame.peers() ? group(other) <= group(row) + distance : other <= row + distance;
        return frame.end().unbounded() || isBefore;
    }

    private static boolean isExcluded(Exclusion exclusion, int row, int other) {
        return switch (exclusion) {
            case NONE -> false;
            case CURRENT_ROW -> row == other;
            case GROUP -> PEERS[row] == PEERS[other];
            case TIES -> PEERS[row] == PEERS[other] && row != other;
        };
    }
}
