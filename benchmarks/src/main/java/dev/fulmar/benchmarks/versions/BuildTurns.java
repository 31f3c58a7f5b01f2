package dev.fulmar.benchmarks.versions;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fulmar.benchmarks.peers.PeersWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Process in which builds take turns. Its arguments are the number of slices of each, whether this build starts last,
 * and the homes of the others.
 */
final class BuildTurns {
    static final String COSTS = "costs ";

    /** Slices before those that count, until the compilers have done their work. */
    private static final int WARMUP_SLICES = 60;

    private BuildTurns() {}

    @SuppressWarnings("unchecked") // the class of the object is CallCost of another loader
    public static void main(String[] arguments) throws Exception {
        int slices = Integer.parseInt(arguments[0]);
        boolean startsLast = Boolean.parseBoolean(arguments[1]);
        List<String> homes = List.of(arguments).subList(2, arguments.length);
        List<ToDoubleFunction<String>> builds = new ArrayList<>();
        if (!startsLast) {
            builds.add(new CallCost());
        }
        for (String home : homes) {
            builds.add((ToDoubleFunction<String>) OtherBuild.at(Path.of(home)).callCost());
        }
        if (startsLast) {
            builds.addFirst(new CallCost());
        }
        List<CostPair.Cost> costs = new ArrayList<>();
        for (PeersWorkload.Kind kind : PeersWorkload.Kind.values()) {
            double[][] nanos = turns(kind.name(), builds, slices);
            for (int other = 1; other < builds.size(); other++) {
                costs.add(compared(kind.name(), homes.get(other - 1), nanos[0], nanos[other]));
            }
        }
        System.out.println(COSTS + new ObjectMapper().writeValueAsString(costs));
        System.exit(0); // builds that are compared may not end their threads
    }

    private static double[][] turns(String kind, List<ToDoubleFunction<String>> builds, int slices) {
        int count = builds.size();
        double[][] nanos = new double[count][slices];
        for (int slice = -WARMUP_SLICES; slice < slices; slice++) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                order.add(i);
            }
            if (slice % 2 != 0) {
                Collections.reverse(order);
            }
            for (int build : order) {
                double each = builds.get(build).applyAsDouble(kind);
                if (slice >= 0) {
                    nanos[build][slice] = each;
                }
            }
        }
        return nanos;
    }

    private static CostPair.Cost compared(String kind, String home, double[] own, double[] other) {
        double[] ratios = new double[own.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = own[i] / other[i];
        }
        return new CostPair.Cost(kind, home, median(ratios), median(own), median(other));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
