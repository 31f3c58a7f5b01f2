package dev.fulmar.pmemlog.store;

import org.jspecify.annotations.Nullable;

/** A transaction's pending change of one object: the new image, and which of its bytes the log must have. */
final class Change {
    final StoredObject object;

    /** The private copy; null: the object will not exist. */
    byte @Nullable [] image;

    /** Bytes that differ from the version before; everything if the size does. */
    private int from;

    private int to;
    private boolean isWhole;
    private boolean isOwn;

    /** @param isWhole whether the image is the transaction's own and nothing of it was there before */
    Change(StoredObject object, byte @Nullable [] image, boolean isWhole) {
        this.object = object;
        this.image = image;
        this.isWhole = isWhole;
        this.isOwn = isWhole;
        this.from = Integer.MAX_VALUE;
    }

    /** The image as one that may be changed. */
    byte[] ownCopy(byte[] shared) {
        if (isOwn) {
            return shared;
        }
        byte[] copy = shared.clone();
        image = copy;
        isOwn = true;
        return copy;
    }

    /** The bytes changed. */
    void touch(int newFrom, int newTo) {
        from = Math.min(from, newFrom);
        to = Math.max(to, newTo);
    }

    /** Marks everything as changed. */
    void replace(byte @Nullable [] newImage) {
        image = newImage;
        isWhole = true;
        isOwn = true;
    }

    boolean isWhole() {
        return isWhole;
    }

    int from() {
        return isWhole ? 0 : Math.min(from, to);
    }

    /** Bytes that the log gets. */
    int changedBytes() {
        byte[] bytes = image;
        if (bytes == null) {
            return 0;
        }
        return isWhole ? bytes.length : Math.max(0, to - from());
    }
}
