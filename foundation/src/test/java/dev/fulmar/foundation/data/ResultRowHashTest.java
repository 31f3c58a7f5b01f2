package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row has the hash that its values give it, whatever rows are hashed beside it. */
class ResultRowHashTest {
    private static final long NULL_CELL = 0x243F_6A88_85A3_08D3L;
    private static final long SEED = 42;
    private static final List<TypeKind> KINDS =
            List.of(TypeKind.VARBINARY, TypeKind.BIGINT, TypeKind.VARBINARY, TypeKind.DOUBLE, TypeKind.UUID);

    private final Random random = new Random(5);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8, 131})
    void rowsAreHashedSideBySide(int rows) {
        for (int columns = 1; columns <= 9; columns++) {
            List<Long> expected = new ArrayList<>();
            ResultBlock block = block(columns, rows, expected);
            assertThat(hashes(block)).hasSize(rows).isEqualTo(expected);
        }
    }

    private static List<Long> hashes(ResultBlock block) {
        ResultRowHash hash = new ResultRowHash();
        List<Long> all = new ArrayList<>();
        for (int count = hash.read(block); count > 0; count = hash.read(block)) {
            long[] hashes = new long[ResultRowHash.ROWS];
            for (int i = 0; i < count; i++) {
                hashes[i] = SEED + all.size() + i;
            }
            hash.hash(hashes);
            for (int i = 0; i < count; i++) {
                all.add(hashes[i]);
            }
        }
        return all;
    }

    private ResultBlock block(int columns, int rows, List<Long> hashes) {
        List<ResultColumn> types = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            TypeKind kind = KINDS.get(column % KINDS.size());
            ColumnType type = kind == TypeKind.VARBINARY ? new ColumnType(kind, 100, 0) : ColumnType.of(kind);
            types.add(new ResultColumn("C" + column, type, true));
        }
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 20);
        writer.begin(new ResultLayout(types));
        for (int row = 0; row < rows; row++) {
            writer.startRow();
            long hash = SEED + row;
            for (int column = 0; column < columns; column++) {
                hash = PartitioningHash.ofWide(hash, value(column, writer));
            }
            writer.endRow();
            hashes.add(hash);
        }
        writer.end();
        byte[] bytes = writer.toByteArray();
        return new ResultBlock().wrap(bytes, 0, bytes.length);
    }

    /** Writes a value and returns its hash. */
    private long value(int column, ResultBlockWriter writer) {
        if (random.nextInt(6) == 0) {
            writer.setNull(column);
            return NULL_CELL;
        }
        long number = random.nextLong();
        return switch (KINDS.get(column % KINDS.size())) {
            case BIGINT -> {
                writer.setLong(column, number);
                yield PartitioningHash.ofLong(number);
            }
            case DOUBLE -> {
                double value = random.nextInt(4) == 0 ? -0.0 : random.nextDouble();
                writer.setDouble(column, value);
                yield PartitioningHash.ofDouble(value);
            }
            case UUID -> {
                writer.setWide(column, number, ~number);
                yield PartitioningHash.ofWide(number, ~number);
            }
            default -> {
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                writer.setBytes(column, bytes, 0, bytes.length);
                yield PartitioningHash.ofBytes(bytes, 0, bytes.length);
            }
        };
    }
}
