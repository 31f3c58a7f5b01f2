package dev.fulmar.pmemlog.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** An object of the store: its versions, and the owner that may write it now. */
final class StoredObject {
    private static final VarHandle OWNER;
    private static final VarHandle DIRTY;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(StoredObject.class, "owner", Object.class);
            DIRTY = lookup.findVarHandle(StoredObject.class, "dirty", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long id;

    /** The owner's pending change of the object; for the owner. */
    @Nullable Change change;

    private volatile @Nullable Version newest;
    private volatile @Nullable Object owner;
    private volatile boolean dirty;

    StoredObject(long id, @Nullable Version newest) {
        this.id = id;
        this.newest = newest;
    }

    @Nullable Version newest() {
        return newest;
    }

    /** Of the owner. */
    void install(Version version) {
        newest = version;
    }

    /** The version that a snapshot sees; null if the object did not exist. */
    @Nullable Version at(long snapshot) {
        Version version = newest();
        while (version != null && version.timestamp > snapshot) {
            version = version.older();
        }
        return version;
    }

    boolean tryLock(Object newOwner) {
        return OWNER.compareAndSet(this, null, newOwner);
    }

    @Nullable Object owner() {
        return owner;
    }

    void unlock() {
        change = null;
        owner = null;
    }

    /** Whether that was news. */
    boolean markDirty() {
        return !dirty && DIRTY.compareAndSet(this, false, true);
    }

    void clearDirty() {
        dirty = false;
    }
}
