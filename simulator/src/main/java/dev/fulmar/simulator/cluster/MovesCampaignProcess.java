package dev.fulmar.simulator.cluster;

/**
 * The campaign of clusters in which keys are moved between partitions: {@code FROM TO}, counted from 1, with the output
 * and the exit status of the other.
 */
public final class MovesCampaignProcess {
    private static final long SECONDS = 20;

    private MovesCampaignProcess() {}

    public static void main(String... arguments) {
        ClusterCampaignProcess.run(
                Long.parseLong(arguments[0]),
                Long.parseLong(arguments[1]),
                number -> new ClusterCampaignProcess.Trial(ClusterRun.FIRST_WITH_MOVES + number, SECONDS));
    }
}
