package dev.fulmar.benchmarks.ycsb;

import java.util.Locale;

/** Shares of operations in percent, as YCSB's core workloads define them. */
public enum YcsbMix {
    /** Update heavy. */
    A(50, 50, 0, 0, 0, false),
    /** Read mostly. */
    B(95, 5, 0, 0, 0, false),
    /** Read only. */
    C(100, 0, 0, 0, 0, false),
    /** Read latest. */
    D(95, 0, 5, 0, 0, true),
    /** Short ranges. */
    E(0, 0, 5, 95, 0, false),
    /** Read, modify, write. */
    F(50, 0, 0, 0, 50, false),
    /** No core workload: reads and updates as in Squall §7.1. */
    SQUALL(85, 15, 0, 0, 0, false);

    private final int readPercent;
    private final int updatePercent;
    private final int insertPercent;
    private final int scanPercent;
    private final int modifyPercent;
    private final boolean latest;

    YcsbMix(int readPercent, int updatePercent, int insertPercent, int scanPercent, int modifyPercent, boolean latest) {
        this.readPercent = readPercent;
        this.updatePercent = updatePercent;
        this.insertPercent = insertPercent;
        this.scanPercent = scanPercent;
        this.modifyPercent = modifyPercent;
        this.latest = latest;
    }

    /** Kinds of requests. */
    enum Operation {
        READ,
        UPDATE,
        INSERT,
        SCAN,
        READ_MODIFY_WRITE
    }

    /** The operation for a number that is uniform in {@code [0, 100)}. */
    Operation operation(int percent) {
        int bound = readPercent;
        if (percent < bound) {
            return Operation.READ;
        }
        bound += updatePercent;
        if (percent < bound) {
            return Operation.UPDATE;
        }
        bound += insertPercent;
        if (percent < bound) {
            return Operation.INSERT;
        }
        bound += scanPercent;
        if (percent < bound) {
            return Operation.SCAN;
        }
        if (percent < bound + modifyPercent) {
            return Operation.READ_MODIFY_WRITE;
        }
        throw new IllegalArgumentException("not a percentage: " + percent);
    }

    /** Whether popular keys are the newest ones. */
    boolean readsLatest() {
        return latest;
    }

    /** The mix of a workload name such as {@code ycsb-a}. */
    public static YcsbMix ofName(String letter) {
        return valueOf(letter.toUpperCase(Locale.ROOT));
    }
}
