package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.StorageNames;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A node's simulated disk: it outlives processes, and loses or tears unforced bytes at a crash. */
public final class SimulatedDisk {
    /** Begins the message of a write that finds the disk full. */
    public static final String NO_SPACE = "No space left on device";

    private final NodeId node;
    private final RandomSource random;
    private final DiskFaults faults;
    private final Map<String, SimulatedFile> visible = new TreeMap<>();
    private final Map<String, SimulatedFile> durable = new TreeMap<>();
    private final List<NameChange> unforced = new ArrayList<>();
    private final LateForces late;
    private long capacityBytes = Long.MAX_VALUE;

    SimulatedDisk(SimulatedWorld world, NodeId node) {
        this.node = node;
        this.late = new LateForces(world::nowNanos);
        this.random = world.random("disk " + node);
        this.faults = new DiskFaults(random.split("faults"));
    }

    /** A creation, a deletion, or a rename, which happens whole or not at all. */
    private record NameChange(
            @Nullable String removed,
            @Nullable String added,
            @Nullable SimulatedFile file) {
        boolean sharesName(Set<String> names) {
            return (removed != null && names.contains(removed)) || (added != null && names.contains(added));
        }

        void collectNames(Set<String> names) {
            if (removed != null) {
                names.add(removed);
            }
            if (added != null) {
                names.add(added);
            }
        }

        boolean touches(String directory) {
            return lies(removed, directory) || lies(added, directory);
        }

        private static boolean lies(@Nullable String name, String directory) {
            return name != null && StorageNames.directoryOf(name).equals(directory);
        }

        void applyTo(Map<String, SimulatedFile> names) {
            if (removed != null) {
                names.remove(removed);
            }
            if (added != null && file != null) {
                names.put(added, file);
            }
        }
    }

    /** Faults that the disk injects. */
    public DiskFaults faults() {
        return faults;
    }

    /**
     * Whether forces take effect as long after they returned as they took, in their order. So a crash takes what was
     * confirmed last, as it may where a database does not wait for its disk. Also what such a database waits for can
     * go; its nodes come back as if they had lost everything, so nobody relies on it.
     */
    public void forcesLate(boolean isLate) {
        late.begin(isLate);
    }

    /** Limits the bytes of all files together; writes beyond it fail. */
    public void capacity(long bytes) {
        capacityBytes = bytes;
    }

    /** Bytes of all files together. */
    public long usedBytes() {
        return distinctFiles().stream().mapToLong(SimulatedFile::size).sum();
    }

    /** Flips a bit of a stored file, as a failing medium does. */
    public void flipBit(String name, int position, int bit) throws IOException {
        SimulatedFile file = find(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        file.flipBit(position, bit);
    }

    /** Takes over what another disk has, durable and not, so that two futures of one moment can be tried. */
    public void become(SimulatedDisk other) {
        if (!other.late.isEmpty()) {
            throw new IllegalStateException("the disk of " + other.node + " has forces under way");
        }
        wipe();
        Map<SimulatedFile, SimulatedFile> copies = new IdentityHashMap<>();
        other.visible.forEach((name, file) ->
                visible.put(name, copies.computeIfAbsent(file, original -> new SimulatedFile(original))));
        other.durable.forEach((name, file) ->
                durable.put(name, copies.computeIfAbsent(file, original -> new SimulatedFile(original))));
        for (NameChange change : other.unforced) {
            SimulatedFile file = change.file;
            unforced.add(new NameChange(
                    change.removed,
                    change.added,
                    file == null ? null : copies.computeIfAbsent(file, original -> new SimulatedFile(original))));
        }
    }

    /** The files as processes see them, by name. */
    public SortedMap<String, byte[]> contents() {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        visible.forEach((name, file) -> contents.put(name, file.visibleBytes()));
        return contents;
    }

    /** Empties the disk, as a replaced one is empty. */
    public void wipe() {
        late.lose();
        visible.clear();
        durable.clear();
        unforced.clear();
    }

    @Nullable SimulatedFile find(String name) {
        return visible.get(name);
    }

    SimulatedFile openOrCreate(String name) {
        SimulatedFile file = visible.get(name);
        if (file == null) {
            file = new SimulatedFile();
            change(new NameChange(null, name, file));
        }
        return file;
    }

    List<String> list(String directory) {
        return visible.keySet().stream()
                .filter(name -> StorageNames.directoryOf(name).equals(directory))
                .map(StorageNames::lastPart)
                .toList();
    }

    void rename(String from, String to) throws IOException {
        SimulatedFile file = find(from);
        if (file == null) {
            throw new NoSuchFileException(from);
        }
        if (!from.equals(to)) {
            change(new NameChange(from, to, file));
        }
    }

    void delete(String name) {
        if (visible.containsKey(name)) {
            change(new NameChange(name, null, null));
        }
    }

    private void change(NameChange change) {
        change.applyTo(visible);
        unforced.add(change);
    }

    void forceDirectory(String directory) throws IOException {
        if (faults.forceFails(directory)) {
            throw new IOException("Input/output error: force of directory '" + directory + "'");
        }
        Set<String> names = new HashSet<>();
        List<NameChange> forced = new ArrayList<>();
        for (NameChange change : unforced.reversed()) {
            if (change.touches(directory) || change.sharesName(names)) {
                change.collectNames(names);
                forced.add(change);
            }
        }
        List<NameChange> inOrder = forced.reversed();
        unforced.removeAll(forced);
        effect(() -> inOrder.forEach(change -> change.applyTo(durable)));
    }

    /** Applies the effect of a force, now or when its latency is over. */
    void effect(Runnable force) {
        late.effect(force, faults::latencyNanos);
    }

    boolean forcesLate() {
        return late.isLate();
    }

    void reserve(SimulatedFile file, long newSize) throws IOException {
        long growth = newSize - file.size();
        if (capacityBytes != Long.MAX_VALUE && growth > 0 && usedBytes() + growth > capacityBytes) {
            throw new IOException(NO_SPACE + ": disk of " + node);
        }
        faults.beforeWrite();
    }

    /**
     * Loses what was not forced, or a part of it; of the changes of one name a later never without the earlier ones.
     * Where a force has no effect yet, all goes that was done since the last one that has.
     */
    void crash() {
        boolean isLate = late.lose();
        Set<String> lostNames = new HashSet<>();
        for (NameChange change : unforced) {
            if (!isLate && random.nextInt(2) == 0 && !change.sharesName(lostNames)) {
                change.applyTo(durable);
            } else {
                change.collectNames(lostNames);
            }
        }
        unforced.clear();
        visible.clear();
        visible.putAll(durable);
        for (SimulatedFile file : distinctFiles()) {
            if (isLate) {
                file.forget();
            } else {
                file.crash(random);
            }
        }
    }

    /** In the order of their names: chance must not depend on identities. */
    private Set<SimulatedFile> distinctFiles() {
        return new LinkedHashSet<>(visible.values());
    }
}
