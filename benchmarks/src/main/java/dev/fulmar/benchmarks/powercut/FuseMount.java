package dev.fulmar.benchmarks.powercut;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows files to the system through the kernel's FUSE device, spoken to directly, so that nothing has to be installed.
 * The kernel keeps no bytes of its own, for files are opened for direct access.
 */
public final class FuseMount implements AutoCloseable {
    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final int THREADS = 8;
    private static final int BUFFER_BYTES = (1 << 20) + (1 << 16);
    private static final Logger LOG = LoggerFactory.getLogger(FuseMount.class);

    private final LinuxCalls calls;
    private final Path place;
    private final FuseRequests requests;
    private final int descriptor;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread atExit;

    private FuseMount(LinuxCalls calls, Path place, FuseRequests requests, int descriptor) {
        this.calls = calls;
        this.place = place;
        this.requests = requests;
        this.descriptor = descriptor;
        this.atExit = new Thread(this::close, "power-cut-unmount");
    }

    /** The reason for which this process cannot mount, or empty if it can: it is tried. */
    public static Optional<String> obstacle() throws IOException {
        if (!Files.exists(DEVICE)) {
            return Optional.of("there is no " + DEVICE + "; a kernel of Linux with FUSE is needed");
        }
        if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
            return Optional.of(DEVICE + " may not be opened; run it as root");
        }
        Path trial = Files.createTempDirectory("fulmar-mount-");
        try {
            mount(new ForgetfulFiles(), trial, new Device(Lie.NONE, 0)).close();
            return Optional.empty();
        } catch (IOException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        } finally {
            Files.delete(trial);
        }
    }

    /** Mounts the files on an empty directory. Fails if the system does not let this process mount. */
    public static FuseMount mount(ForgetfulFiles files, Path place, Device device) throws IOException {
        LinuxCalls calls = new LinuxCalls();
        int descriptor = calls.open(DEVICE.toString());
        FuseMount mount = new FuseMount(calls, place, new FuseRequests(files, device), descriptor);
        try {
            calls.mount(
                    "fulmar-power-cut",
                    place.toString(),
                    "fuse",
                    "fd=" + descriptor + ",rootmode=40755,user_id=0,group_id=0,allow_other");
        } catch (IOException refused) {
            calls.close(descriptor);
            throw new IOException(
                    "files of memory cannot be mounted on " + place + " (" + refused.getMessage()
                            + "); run it as root, outside of containers that forbid mounts",
                    refused);
        }
        Runtime.getRuntime().addShutdownHook(mount.atExit);
        for (int i = 0; i < THREADS; i++) {
            mount.threads.add(
                    Thread.ofPlatform().daemon().name("power-cut-" + i).start(mount::serve));
        }
        return mount;
    }

    private void serve() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocate(BUFFER_BYTES, Long.BYTES);
            MemorySegment out = arena.allocate(BUFFER_BYTES, Long.BYTES);
            while (true) {
                int length = calls.read(descriptor, in);
                if (length == LinuxCalls.NO_DEVICE) {
                    return;
                }
                if (length == LinuxCalls.INTERRUPTED
                        || length == LinuxCalls.TRY_AGAIN
                        || length == LinuxCalls.NO_ENTRY) {
                    continue;
                }
                if (length < 0) {
                    throw new IOException("reading requests of the kernel fails with error " + -length);
                }
                int reply = requests.answer(in.asSlice(0, length), out);
                if (reply > 0) {
                    int written = calls.write(descriptor, out, reply);
                    // A request that was interrupted wants no answer any more.
                    if (written < 0 && written != LinuxCalls.NO_ENTRY && written != LinuxCalls.NO_DEVICE) {
                        LOG.warn("the kernel did not take an answer: error {}", -written);
                    }
                }
            }
        } catch (PowerIsOut cut) {
            LOG.debug("nobody answers any more", cut);
        } catch (IOException | RuntimeException broken) {
            LOG.error("the files in memory are broken", broken);
        }
    }

    /** Ends the mount at once; calls of other processes that wait for it fail. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            calls.unmountByForce(place.toString());
            for (Thread thread : threads) {
                thread.join();
            }
            calls.close(descriptor);
            if (!Thread.currentThread().equals(atExit)) {
                Runtime.getRuntime().removeShutdownHook(atExit);
            }
        } catch (IOException e) {
            LOG.error("{} stays mounted; take it away with umount -l", place, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException ending) {
            LOG.debug("the process ends already", ending);
        }
    }
}
