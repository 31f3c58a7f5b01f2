package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of objects that happen together or not at all. It sees its own writes. Every method but
 * {@link #close} may throw {@link ConflictException}. What is not committed when it is closed never happened.
 */
public final class Transaction implements AutoCloseable {
    private final StoreSession session;
    private final ObjectTable objects;
    private final Timeline timeline;
    private final StoreCounters counters;
    private final List<Change> changes = new ArrayList<>();
    private long[] readIds = new long[16];
    private @Nullable Version[] readVersions = new Version[16];
    private int reads;
    private Isolation isolation = Isolation.SNAPSHOT;
    private long snapshot;
    private boolean open;
    private boolean conflicted;

    Transaction(StoreSession session, ObjectStore store) {
        this.session = session;
        this.objects = store.objects();
        this.timeline = store.timeline();
        this.counters = store.counters();
    }

    void begin(Isolation newIsolation, long newSnapshot) {
        isolation = newIsolation;
        snapshot = newSnapshot;
        open = true;
        conflicted = false;
    }

    boolean isOpen() {
        return open;
    }

    /** Whether there is such an object. */
    public boolean exists(long id) {
        return image(id) != null;
    }

    /** A copy of the object. Fails if there is none. */
    public byte[] read(long id) {
        return existing(id).clone();
    }

    /** Bytes of the object. Fails if there is none. */
    public int size(long id) {
        return existing(id).length;
    }

    /** A little-endian number in the object. Fails if there is no such object. */
    public long readLong(long id, int offset) {
        return LittleEndian.getLong(existing(id), offset);
    }

    private byte[] existing(long id) {
        byte[] image = image(id);
        if (image == null) {
            throw absent(id);
        }
        return image;
    }

    private static FulmarException absent(long id) {
        return new FulmarException(
                ErrorCode.UNKNOWN_OBJECT, "the store has no object " + id + "; create it, or ask whether it exists");
    }

    private byte @Nullable [] image(long id) {
        checkOpen();
        StoredObject object = objects.get(id);
        if (object != null && object.owner() == session) {
            Change change = object.change;
            return change == null ? null : change.image;
        }
        Version version = object == null ? null : object.at(snapshot);
        if (isolation != Isolation.SNAPSHOT) {
            if (isolation == Isolation.LINEARIZABLE && object != null && object.newest() != version) {
                throw conflict("an object that was read has a newer version");
            }
            track(id, version);
        }
        if (timeline.isTooOld(snapshot)) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "the snapshot is too old: others wrote more than the store keeps versions of; run the transaction"
                            + " again, make it shorter, or raise maxVersionBytes");
        }
        return version == null ? null : version.image;
    }

    private void track(long id, @Nullable Version version) {
        if (reads == readIds.length) {
            readIds = Arrays.copyOf(readIds, 2 * reads);
            readVersions = Arrays.copyOf(readVersions, 2 * reads);
        }
        readIds[reads] = id;
        readVersions[reads] = version;
        reads++;
    }

    /** Creates an object; returns its id. */
    public long create(byte[] image) {
        checkOpen();
        StoredObject object = objects.create(session);
        Change change = new Change(object, image.clone(), true);
        object.change = change;
        changes.add(change);
        return object.id;
    }

    /** Replaces the object. Fails if there is none. */
    public void write(long id, byte[] image) {
        lock(id).replace(image.clone());
    }

    /** Replaces bytes of the object, which alone go to the log. Fails if there is no such object. */
    public void update(long id, int offset, byte[] bytes) {
        byte[] image = forUpdate(id, offset, bytes.length);
        System.arraycopy(bytes, 0, image, offset, bytes.length);
    }

    /** Replaces a little-endian number in the object, which alone goes to the log. Fails if there is no such object. */
    public void writeLong(long id, int offset, long value) {
        LittleEndian.putLong(forUpdate(id, offset, Long.BYTES), offset, value);
    }

    private byte[] forUpdate(long id, int offset, int length) {
        Change change = lock(id);
        byte[] image = change.image;
        if (image == null) {
            throw absent(id);
        }
        if (offset < 0 || offset > image.length - length) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + offset + " of an object of " + image.length + " bytes");
        }
        image = change.ownCopy(image);
        change.touch(offset, offset + length);
        return image;
    }

    /** Deletes the object. Fails if there is none. */
    public void delete(long id) {
        lock(id).replace(null);
    }

    private Change lock(long id) {
        checkOpen();
        StoredObject object = objects.get(id);
        if (object == null) {
            throw absent(id);
        }
        Change own = object.owner() == session ? object.change : null;
        if (own != null) {
            if (own.image == null) {
                throw absent(id);
            }
            return own;
        }
        if (!object.tryLock(session)) {
            throw conflict("another transaction writes the object");
        }
        Version newest = object.newest();
        byte[] image = newest == null ? null : newest.image;
        if (newest == null || newest.timestamp > snapshot || image == null || objects.get(id) != object) {
            object.unlock();
            if (newest != null && newest.timestamp > snapshot) {
                throw conflict("the object was written since the transaction began");
            }
            throw absent(id);
        }
        Change change = new Change(object, image, false);
        object.change = change;
        changes.add(change);
        return change;
    }

    /**
     * Makes everything durable, then visible; it is both when this returns. Returns the commit's timestamp, or the
     * snapshot's if nothing was written.
     */
    public long commit() {
        checkOpen();
        if (conflicted) {
            throw conflict("the transaction has met a conflict");
        }
        long timestamp = snapshot;
        if (!changes.isEmpty()) {
            try {
                timestamp = session.commit(this, changes);
            } catch (ConflictException e) {
                counters.conflict();
                throw e;
            }
        } else if (isolation == Isolation.LINEARIZABLE && !isValid()) {
            throw conflict("something that was read has changed");
        }
        counters.committed();
        end();
        return timestamp;
    }

    /** Whether all reads are still the newest versions and no other transaction is about to change them. */
    boolean isValid() {
        for (int i = 0; i < reads; i++) {
            StoredObject object = objects.get(readIds[i]);
            Object owner = object == null ? null : object.owner();
            if (owner != null && owner != session && isolation != Isolation.SNAPSHOT && !changes.isEmpty()) {
                return false;
            }
            Version now = object == null ? null : object.newest();
            boolean bothAbsent = isAbsent(now) && isAbsent(readVersions[i]);
            if (now != readVersions[i] && !bothAbsent) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAbsent(@Nullable Version version) {
        return version == null || version.image == null;
    }

    /** The changes are installed and their locks are gone. */
    void released() {
        changes.clear();
    }

    private ConflictException conflict(String reason) {
        if (!conflicted) {
            counters.conflict();
        }
        conflicted = true;
        return new ConflictException(reason);
    }

    private void checkOpen() {
        Invariants.check(open, "a transaction that ended is not used");
    }

    private void end() {
        open = false;
        reads = 0;
        Arrays.fill(readVersions, null);
        changes.clear();
        session.ended();
    }

    /** Undoes what was not committed. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        for (Change change : changes) {
            if (change.object.newest() == null) {
                objects.remove(change.object);
            } else {
                change.object.unlock();
            }
        }
        end();
    }
}
