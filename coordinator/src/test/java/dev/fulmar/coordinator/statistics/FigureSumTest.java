package dev.fulmar.coordinator.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.statistics.StatisticsFormat.Message;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class FigureSumTest {
    private static final Column NUMBER = new Column("N", ColumnType.of(TypeKind.BIGINT), false, null);
    private static final Table SPREAD = new Table(
            1,
            "SPREAD",
            List.of(NUMBER, new Column("M", NUMBER.type(), false, null)),
            OptionalInt.of(0),
            List.of(),
            List.of());
    private static final Table COPIED =
            new Table(2, "COPIED", List.of(NUMBER), OptionalInt.empty(), List.of(), List.of());
    private static final Catalog CATALOG = Catalog.empty().withTable(SPREAD).withTable(COPIED);

    private static PartFigures part(int partitions, long rows, long keys, long others, long copied) {
        return new PartFigures(
                partitions,
                new TreeMap<>(Map.of(
                        1,
                        new TableFigures(
                                rows, List.of(new KeyValues(List.of(0), keys), new KeyValues(List.of(1), others))),
                        2,
                        new TableFigures(copied, List.of(new KeyValues(List.of(0), copied))))));
    }

    private static TableFigures sum(int table, int partitions, PartFigures... parts) {
        return Objects.requireNonNull(
                FigureSum.of(List.of(parts), CATALOG, partitions).get(table));
    }

    @Test
    void addsRowsAndKeysOfPartitionsAndTakesACopyOnce() {
        TableFigures spread = sum(1, 2, part(1, 100, 50, 4, 7), part(1, 300, 60, 4, 7));
        assertThat(spread.rows()).isEqualTo(400);
        assertThat(spread.values(List.of(0))).isEqualTo(110);
        assertThat(sum(2, 2, part(1, 100, 50, 4, 7), part(1, 300, 60, 4, 7)).rows())
                .isEqualTo(7);
    }

    /**
     * Few values are the same everywhere; as many as there are rows are others everywhere; 1,000 of 2,000 rows each are
     * between.
     */
    @Test
    void findsOutWhetherPartitionsHaveTheSameValues() {
        assertThat(sum(1, 2, part(1, 1000, 9, 4, 0), part(1, 1000, 9, 4, 0)).values(List.of(1)))
                .isEqualTo(4);
        assertThat(sum(1, 2, part(1, 1000, 9, 1000, 0), part(1, 1000, 9, 1000, 0))
                        .values(List.of(1)))
                .isCloseTo(2000L, Percentage.withPercentage(3));
        long of1000 = Math.round(1000 * (1 - Math.pow(0.5, 2.0)));
        assertThat(sum(1, 2, part(1, 1000, 9, of1000, 0), part(1, 1000, 9, of1000, 0))
                        .values(List.of(1)))
                .isCloseTo(1000L, Percentage.withPercentage(3));
    }

    @Test
    void takesPartitionsThatDoNotAnswerForLikeTheOthers() {
        TableFigures known = sum(1, 8, part(1, 100, 50, 4, 7), part(1, 300, 60, 4, 7));
        assertThat(known.rows()).isEqualTo(1600);
        assertThat(known.values(List.of(0))).isEqualTo(440);
        assertThat(sum(2, 8, part(1, 100, 50, 4, 7)).rows()).isEqualTo(7);
    }

    @Test
    void knowsNothingOfTablesThatNobodyHas() {
        assertThat(FigureSum.of(List.of(), CATALOG, 2)).isEmpty();
        assertThat(FigureSum.of(List.of(new PartFigures(0, new TreeMap<>())), CATALOG, 2))
                .isEmpty();
    }

    @Test
    void figuresOfNodesAreFiguresOfTheirPartitions() {
        PartFigures node =
                new PartFigures(2, FigureSum.of(List.of(part(1, 100, 50, 4, 7), part(1, 300, 60, 4, 7)), CATALOG, 2));
        assertThat(sum(1, 4, node, node).rows()).isEqualTo(800);
        assertThat(sum(1, 4, node, node).values(List.of(0))).isEqualTo(220);
    }

    @Test
    void messagesAreReadAsTheyWereWritten() {
        List<Message> messages = List.of(
                new Message.Question(),
                new Message.Answer(7, part(3, 100, 50, 4, 7)),
                new Message.Answer(8, new PartFigures(0, new TreeMap<>())));
        for (Message message : messages) {
            assertThat(StatisticsFormat.read(StatisticsFormat.write(message))).isEqualTo(message);
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        byte[] whole = StatisticsFormat.write(new Message.Answer(7, part(3, 100, 50, 4, 7)))
                .array();
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
            assertThatThrownBy(() -> StatisticsFormat.read(cut)).isInstanceOf(FulmarException.class);
        }
        assertThatThrownBy(() -> StatisticsFormat.read(ByteBuffer.wrap(new byte[] {9, 1})))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> StatisticsFormat.read(ByteBuffer.wrap(new byte[] {1, 9})))
                .isInstanceOf(FulmarException.class);
    }
}
