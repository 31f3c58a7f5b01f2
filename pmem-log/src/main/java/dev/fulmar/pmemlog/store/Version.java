package dev.fulmar.pmemlog.store;

import org.jspecify.annotations.Nullable;

/** An object as one commit left it. The image is never changed. */
final class Version {
    /** Of the commit. */
    final long timestamp;

    /** Null: the object does not exist. */
    final byte @Nullable [] image;

    private volatile @Nullable Version older;

    Version(long timestamp, byte @Nullable [] image, @Nullable Version older) {
        this.timestamp = timestamp;
        this.image = image;
        this.older = older;
    }

    @Nullable Version older() {
        return older;
    }

    int bytes() {
        return image == null ? 0 : image.length;
    }

    /** Forgets what no snapshot from the horizon on can see; returns the bytes of it. For one thread at a time. */
    static long prune(@Nullable Version newest, long horizon) {
        Version version = newest;
        while (version != null && version.timestamp > horizon) {
            version = version.older();
        }
        if (version == null) {
            return 0;
        }
        long bytes = 0;
        for (Version lost = version.older(); lost != null; lost = lost.older()) {
            bytes += lost.bytes();
        }
        version.older = null;
        return bytes;
    }
}
