package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.powercut.Device;
import dev.fulmar.benchmarks.powercut.ForgetfulFiles;
import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.benchmarks.powercut.Lie;
import dev.fulmar.benchmarks.powercut.Survivors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Mounts one FUSE file system in memory for each node's process, and cuts the power of all, which loses unforced bytes.
 */
public final class Disks implements AutoCloseable {
    private final List<Path> places = new ArrayList<>();
    private final List<ForgetfulFiles> files = new ArrayList<>();
    private final List<FuseMount> mounts = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private final SplittableRandom random;

    /** @param places where to mount one disk each */
    public Disks(List<Path> places, SplittableRandom random) throws IOException {
        this.random = random;
        for (Path place : places) {
            this.places.add(Files.createDirectories(place));
            ForgetfulFiles empty = new ForgetfulFiles();
            Device device = new Device(Lie.NONE, random.nextLong());
            files.add(empty);
            devices.add(device);
            mounts.add(FuseMount.mount(empty, place, device));
        }
    }

    /** The device under the node's disk. Nodes have the numbers from 1 on. */
    Device device(int node) {
        return devices.get(node - 1);
    }

    /**
     * From now on no process gets an answer from its disk; it must be ended before {@link #powerOn}.
     */
    private void cut() {
        for (int i = 0; i < files.size(); i++) {
            files.set(i, files.get(i).cut(Survivors.draw(random)));
        }
    }

    /** Ends the mounts, so that processes that wait for their files can end. */
    private void unmount() {
        mounts.forEach(FuseMount::close);
    }

    /** Mounts what survived. */
    private void powerOn() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            Device device = new Device(Lie.NONE, random.nextLong());
            devices.set(i, device);
            mounts.set(i, FuseMount.mount(files.get(i), places.get(i), device));
        }
    }

    /**
     * Cuts the power of a cluster whose nodes have these disks, and starts it again after a while. The disks are cut
     * first and the processes end after them, so that nothing is answered in between.
     */
    public void cutPowerOf(RunningCluster cluster, int millisDown) throws IOException, InterruptedException {
        cut();
        cluster.killAll(this::unmount);
        Thread.sleep(millisDown);
        powerOn();
        cluster.startAll();
    }

    @Override
    public void close() {
        unmount();
    }
}
