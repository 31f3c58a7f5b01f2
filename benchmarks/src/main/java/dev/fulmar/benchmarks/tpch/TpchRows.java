package dev.fulmar.benchmarks.tpch;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Results of one query by different engines, whose numbers may differ in type and in the last digits. */
public final class TpchRows {
    private static final double TOLERANCE = 1e-6;

    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    public void add(List<@Nullable Object> row) {
        rows.add(new ArrayList<>(row));
    }

    public int size() {
        return rows.size();
    }

    /**
     * First difference, null if the rows are the same in the same order. Every query's order is total, or it has one
     * row.
     */
    public @Nullable String differenceTo(TpchRows other) {
        if (rows.size() != other.rows.size()) {
            return rows.size() + " rows instead of " + other.rows.size();
        }
        for (int i = 0; i < rows.size(); i++) {
            for (int column = 0; column < rows.get(i).size(); column++) {
                if (!same(rows.get(i).get(column), other.rows.get(i).get(column))) {
                    return "row " + i + ": " + rows.get(i) + " instead of " + other.rows.get(i);
                }
            }
        }
        return null;
    }

    private static boolean same(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            double left = new BigDecimal(x.toString()).doubleValue();
            double right = new BigDecimal(y.toString()).doubleValue();
            return Math.abs(left - right) <= TOLERANCE * Math.max(1, Math.abs(right));
        }
        return Objects.toString(a).equals(Objects.toString(b));
    }
}
