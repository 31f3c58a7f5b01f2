package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the {@link Manoeuvre}s of a run, one at a time or two in parallel, and undoes their faults after each. Between
 * two of them, or two pairs, nothing goes wrong for a moment.
 */
final class Manoeuvres {
    private static final int MOST_PAUSE_NANOS = 200_000_000;

    private final SimulatedCluster cluster;
    private final RandomSource random;
    private final ManoeuvreDeeds deeds;
    private final List<ManoeuvreTrack> tracks = new ArrayList<>();

    /** Counts the pauses, so that one that was cut short begins nothing. */
    private int pauses;

    /** @param choices one for each manoeuvre that is under way at the same time; none if nothing is steered */
    Manoeuvres(SimulatedCluster cluster, FaultInjector injector, List<List<Manoeuvre>> choices) {
        this.cluster = cluster;
        this.random = cluster.world().random("manoeuvres");
        this.deeds = new ManoeuvreDeeds(cluster, injector, random);
        for (List<Manoeuvre> choice : choices) {
            tracks.add(new ManoeuvreTrack(cluster, injector, deeds, choice, random, this::over));
        }
        if (!tracks.isEmpty()) {
            cluster.world().network().watch(this::sent);
            cluster.onRecord(number -> tracks.forEach(track -> track.changed(number)));
            cluster.onProbe((node, path) -> tracks.forEach(track -> track.reached(node, path)));
        }
    }

    /** Goes on until {@link #end}. */
    void begin() {
        if (!tracks.isEmpty()) {
            cluster.disturbed();
            pause();
        }
    }

    /** Undoes everything. */
    void end() {
        if (!tracks.isEmpty()) {
            pauses++;
            tracks.forEach(ManoeuvreTrack::stop);
            deeds.mend();
        }
    }

    private void over() {
        if (tracks.stream().noneMatch(ManoeuvreTrack::isUnderWay)) {
            deeds.mend();
            pause();
        }
    }

    private void pause() {
        int mine = ++pauses;
        cluster.world().schedule(random.nextInt(MOST_PAUSE_NANOS), "manoeuvres begin", () -> {
            if (mine == pauses) {
                tracks.forEach(ManoeuvreTrack::begin);
            }
        });
    }

    /** Returns whether the message is lost. */
    private boolean sent(NodeId from, NodeId to, byte[] message) {
        boolean isLost = false;
        for (ManoeuvreTrack track : tracks) {
            isLost |= track.sent(from, to, message);
        }
        return isLost;
    }
}
