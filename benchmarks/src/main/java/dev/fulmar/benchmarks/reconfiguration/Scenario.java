package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Situations of Squall §7.2 to §7.4 in which keys move. */
enum Scenario {
    /** 100 rows of one partition are hot, and are spread over all partitions. */
    YCSB_HOT_SPOT(true),
    /** Eight warehouses of one partition are hot, and are spread over all partitions. */
    TPCC_HOT_WAREHOUSES(true),
    /** A node gives all its keys to the other three. */
    CONSOLIDATION(false),
    /** Each partition gives a tenth of its keys to another one. */
    SHUFFLE(false);

    static final int PARTITIONS = 8;

    private static final int HOT_ROWS = 100;
    private static final double HOT_REQUESTS = 0.9;
    private static final double YCSB_FACTOR = 30;
    private static final double TPCC_FACTOR = 12;

    /** Sites of three nodes carry the load of four, and have time left for the move. */
    private static final double LOAD = 0.55;

    /** Of so many keys, each source moves one for rehearsal. */
    private static final long REHEARSED = 500;

    private final boolean isHot;

    Scenario(boolean isHot) {
        this.isHot = isHot;
    }

    /** Amount of data. */
    record Volume(long records, TpccScale warehouses) {
        /** A gigabyte of rows. */
        static Volume full() {
            return new Volume(1_000_000, new TpccScale(64, 2_000, 120));
        }

        static Volume quick() {
            return new Volume(80_000, new TpccScale(64, 200, 30));
        }
    }

    /**
     * Load of a scenario.
     *
     * @param balanced makes requests that meet all partitions alike
     * @param moving those during the move
     */
    record Load(
            Workload workload,
            Function<RandomGenerator, RequestSource> balanced,
            Function<RandomGenerator, RequestSource> moving) {}

    /** As reports and {@code --only} name it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the load during the move has a hot spot. Without one, it is an open loop below the capacity. */
    boolean isHot() {
        return isHot;
    }

    /** Part of the capacity, as a closed loop measured it, that an open loop asks for. */
    double load() {
        return LOAD;
    }

    /** By which sites are slower than the machine's processors. */
    double factor() {
        return this == TPCC_HOT_WAREHOUSES ? TPCC_FACTOR : YCSB_FACTOR;
    }

    /** Keys from 1 on that partitions share. */
    long keys(Volume volume) {
        return this == TPCC_HOT_WAREHOUSES ? volume.warehouses.warehouses() : volume.records;
    }

    /** The partitions' keys at first. */
    KeyAssignment before(Volume volume) {
        return KeyAssignment.even(PARTITIONS, keys(volume));
    }

    /** Keys for a time before the measurement, so that code that moves keys is compiled; no hot key moves. */
    KeyAssignment rehearsal(Volume volume) {
        long keys = keys(volume);
        return before(volume).rehearsal(Math.max(1, keys / REHEARSED), keys + 1);
    }

    /**
     * The partitions' keys at the end.
     *
     * @param leaving partitions of the node that gives its keys away
     */
    KeyAssignment after(Volume volume, List<Integer> leaving) {
        KeyAssignment before = before(volume);
        long end = keys(volume) + 1;
        return switch (this) {
            case YCSB_HOT_SPOT -> before.spread(0, HOT_ROWS);
            case TPCC_HOT_WAREHOUSES -> before.spread(1, hotWarehouses(volume));
            case CONSOLIDATION -> before.without(leaving, end);
            case SHUFFLE -> before.shuffled(1, end);
        };
    }

    /** Hot warehouses are all of the first partition. */
    private static int hotWarehouses(Volume volume) {
        return volume.warehouses.warehouses() / PARTITIONS;
    }

    /** @param seed of everything random */
    Load load(Volume volume, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        if (this == TPCC_HOT_WAREHOUSES) {
            TpccWorkload tpcc = new TpccWorkload(volume.warehouses, random);
            int warehouses = volume.warehouses.warehouses();
            KeyChoice hot =
                    new KeyChoice.HotSpot(warehouses, (double) hotWarehouses(volume) / warehouses, HOT_REQUESTS);
            return new Load(tpcc, tpcc::requests, stream -> tpcc.requests(hot, stream));
        }
        KeyChoice uniform = new KeyChoice.Uniform(volume.records);
        YcsbWorkload ycsb = new YcsbWorkload(YcsbMix.SQUALL, volume.records, uniform, random);
        if (!isHot) {
            return new Load(ycsb, ycsb::requests, ycsb::requests);
        }
        KeyChoice hot = new KeyChoice.HotSpot(volume.records, (double) HOT_ROWS / volume.records, HOT_REQUESTS);
        YcsbWorkload skewed = new YcsbWorkload(YcsbMix.SQUALL, volume.records, hot, random);
        return new Load(ycsb, ycsb::requests, skewed::requests);
    }
}
