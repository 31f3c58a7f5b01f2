package dev.fulmar.simulator.cluster;

/**
 * The campaign of clusters in which keys are moved between partitions: {@code FROM TO}, counted from 1, with the output
 * and the exit status of the other.
 */
public final class MovesCampaignProcess {
    private MovesCampaignProcess() {}

    public static void main(String... arguments) {
        ClusterCampaignProcess.run(
                Long.parseLong(arguments[0]),
                Long.parseLong(arguments[1]),
                number -> ClusterCampaignProcess.Trial.of(number, Theme.MOVES));
    }
}
