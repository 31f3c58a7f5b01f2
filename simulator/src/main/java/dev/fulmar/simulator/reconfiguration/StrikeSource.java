package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Draws the strikes of a campaign, in random order. One thread. */
final class StrikeSource {
    private static final int MOST_MILLIS_DOWN = 4_000;
    private static final int MOST_MILLIS_WITHOUT_POWER = 1_000;
    private static final int LEAST_MILLIS_WITHOUT_STORE = 1_000;
    private static final int MOST_MILLIS_WITHOUT_STORE = 10_000;

    private final RandomSource random;

    StrikeSource(RandomSource random) {
        this.random = random;
    }

    /** The numbers of a whole campaign: a third of the kills each, power cuts, and losses of ZooKeeper. */
    static Map<Strike.Kind, Integer> planned(boolean quick) {
        return new EnumMap<>(
                quick
                        ? Map.of(
                                Strike.Kind.LEADER, 1,
                                Strike.Kind.SOURCE, 2,
                                Strike.Kind.DESTINATION, 1,
                                Strike.Kind.POWER_CUT, 1,
                                Strike.Kind.ZOOKEEPER, 1)
                        : Map.of(
                                Strike.Kind.LEADER, 34,
                                Strike.Kind.SOURCE, 33,
                                Strike.Kind.DESTINATION, 33,
                                Strike.Kind.POWER_CUT, 10,
                                Strike.Kind.ZOOKEEPER, 10));
    }

    /** All that are planned, in random order. */
    List<Strike> draw(Map<Strike.Kind, Integer> planned) {
        List<Strike> strikes = new ArrayList<>();
        for (Strike.Kind kind : Strike.Kind.values()) {
            for (int i = 0; i < planned.getOrDefault(kind, 0); i++) {
                strikes.add(new Strike(kind, random.nextDouble(), millisDown(kind)));
            }
        }
        for (int i = strikes.size() - 1; i > 0; i--) {
            int place = random.nextInt(i + 1);
            Strike moved = strikes.set(place, strikes.get(i));
            strikes.set(i, moved);
        }
        return strikes;
    }

    private int millisDown(Strike.Kind kind) {
        return switch (kind) {
            case LEADER, SOURCE, DESTINATION -> random.nextInt(MOST_MILLIS_DOWN);
            case POWER_CUT -> random.nextInt(MOST_MILLIS_WITHOUT_POWER);
            case ZOOKEEPER ->
                LEAST_MILLIS_WITHOUT_STORE + random.nextInt(MOST_MILLIS_WITHOUT_STORE - LEAST_MILLIS_WITHOUT_STORE);
        };
    }
}
