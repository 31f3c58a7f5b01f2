package dev.fulmar.benchmarks.run;

import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.peers.PeersWorkload;
import dev.fulmar.benchmarks.random.ZipfianKeys;
import dev.fulmar.benchmarks.smallbank.SmallBankWorkload;
import dev.fulmar.benchmarks.tatp.TatpWorkload;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.voter.VoterWorkload;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The workloads by name. */
public final class Workloads {
    private static final double YCSB_SKEW = 0.99;
    private static final String PAIRS = "pairs-";
    private static final int PERCENT = 100;

    private Workloads() {}

    /** Names that {@link #create} knows. */
    public static List<String> names() {
        return List.of(
                "tpcc",
                "ycsb-a",
                "ycsb-b",
                "ycsb-c",
                "ycsb-d",
                "ycsb-e",
                "ycsb-f",
                "tatp",
                "smallbank",
                "voter",
                "peers-get",
                "peers-update",
                "peers-tpcc",
                "pairs-10");
    }

    /**
     * Makes a workload.
     *
     * @param scale warehouses of TPC-C; thousands of records, subscribers or customers elsewhere
     * @param skew of YCSB's keys: zipf exponent in (0, 1), or 0 for uniform keys
     */
    public static Workload create(String name, int scale, double skew, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long thousands = scale * 1000L;
        if (name.startsWith(PAIRS)) {
            return pairs(name);
        }
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "tpcc" -> new TpccWorkload(TpccScale.full(scale), random);
            case "ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-e", "ycsb-f" ->
                new YcsbWorkload(
                        YcsbMix.ofName(name.substring("ycsb-".length())), thousands, keys(thousands, skew), random);
            case "tatp" -> new TatpWorkload(Math.toIntExact(thousands));
            case "smallbank" -> new SmallBankWorkload(thousands);
            case "voter" -> new VoterWorkload();
            case "peers-get" -> new PeersWorkload(PeersWorkload.Kind.GET);
            case "peers-update" -> new PeersWorkload(PeersWorkload.Kind.UPDATE);
            case "peers-tpcc" -> new PeersWorkload(PeersWorkload.Kind.TPCC);
            default ->
                throw new IllegalArgumentException(
                        "there is no workload " + name + "; choose one of " + String.join(", ", names()));
        };
    }

    /** The workload of the name, {@code pairs-} and the percentage that lies on two partitions. */
    public static PairsWorkload pairs(String name) {
        if (!name.matches(PAIRS + "\\d{1,2}|" + PAIRS + PERCENT)) {
            throw new IllegalArgumentException(name + " says no percentage; write pairs-10");
        }
        return new PairsWorkload(Integer.parseInt(name.substring(PAIRS.length())));
    }

    /** YCSB's own skew. */
    public static double defaultSkew() {
        return YCSB_SKEW;
    }

    private static KeyChoice keys(long records, double skew) {
        return skew == 0 ? new KeyChoice.Uniform(records) : new KeyChoice.Zipfian(new ZipfianKeys(records, skew));
    }
}
