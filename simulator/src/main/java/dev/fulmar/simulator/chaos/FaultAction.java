package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.powercut.Device;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies a fault to a cluster, and undoes it. */
final class FaultAction {
    /** Time that a node may take to end that cannot write its log. */
    private static final long ENDING_MILLIS = 3_000;

    private final RunningCluster cluster;
    private final @Nullable Disks disks;
    private final Consumer<String> output;

    FaultAction(RunningCluster cluster, @Nullable Disks disks, Consumer<String> output) {
        this.cluster = cluster;
        this.disks = disks;
        this.output = output;
    }

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
            case Fault.ClockStep(int node, int stepMillis, int millis) -> {
                cluster.setClockWrong(node, Duration.ofMillis(stepMillis));
                try {
                    Thread.sleep(millis);
                } finally {
                    cluster.setClockWrong(node, Duration.ZERO);
                }
            }
            case Fault.SlowDisk(int node, int latencyMillis, int millis) -> {
                Device device = disks().device(node);
                device.slow(latencyMillis);
                try {
                    Thread.sleep(millis);
                } finally {
                    device.slow(0);
                }
            }
            case Fault.FullDisk(int node, Device.Fullness fullness, int millis) -> {
                Device device = disks().device(node);
                device.fill(fullness);
                try {
                    Thread.sleep(millis);
                } finally {
                    device.fill(Device.Fullness.NONE);
                }
                output.accept("writes that had no space so far: " + device.refusals());
                Thread.sleep(ENDING_MILLIS);
                if (cluster.startAfterDeviceFailure(node)) {
                    output.accept("the node had ended, as one does whose log cannot be written, and was started again");
                }
            }
            case Fault.PowerCut(int millisDown) -> disks().cutPowerOf(cluster, millisDown);
        }
    }

    private Disks disks() {
        Disks present = disks;
        if (present == null) {
            throw new IllegalStateException("the nodes have no disks that a fault could strike");
        }
        return present;
    }
}
