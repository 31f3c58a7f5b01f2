package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Does to a cluster what a fault says, and undoes it. */
record FaultAction(RunningCluster cluster, @Nullable Disks disks) {
    void strikeAndHeal(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case Fault.Kill(int node, int millisDown) -> {
                cluster.kill(node);
                Thread.sleep(millisDown);
                cluster.startNode(node);
            }
            case Fault.Pause(int node, int millis) -> {
                cluster.node(node).signal("STOP");
                try {
                    Thread.sleep(millis);
                } finally {
                    cluster.node(node).signal("CONT");
                }
            }
            case Fault.Partition partition -> {
                cluster.wires().cutOnly(partition.ways());
                try {
                    Thread.sleep(partition.millis());
                } finally {
                    cluster.wires().mend();
                }
            }
            case Fault.PowerCut(int millisDown) -> cutPower(millisDown);
        }
    }

    /** The disks first and the processes after them, so that nothing is answered in between. */
    private void cutPower(int millisDown) throws IOException, InterruptedException {
        Disks lost = disks;
        if (lost == null) {
            throw new IllegalStateException("the nodes have no disks that a power cut could strike");
        }
        lost.cut();
        cluster.killAll(lost::unmount);
        Thread.sleep(millisDown);
        lost.powerOn();
        cluster.startAll();
    }
}
