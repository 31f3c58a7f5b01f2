package dev.fulmar.benchmarks.powercut;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The bytes of a file, as readers see them and as they are on the device. Not thread-safe. */
final class FileContent {
    static final int SECTOR_BYTES = 512;
    static final int PAGE_BYTES = 4096;
    private static final int SECTORS = PAGE_BYTES / SECTOR_BYTES;

    private final TreeMap<Long, Page> pages = new TreeMap<>();
    private final TreeSet<Long> dirty = new TreeSet<>();
    private long size;
    private long durableSize;

    /**
     * A page; bytes of nothing but zeros are null. While no sector is dirty the device has the same as the readers see.
     */
    private static final class Page {
        byte @Nullable [] seen;
        byte @Nullable [] durable;
        int dirtySectors;

        void copy(byte[] source, int from, int at, int length) {
            touch(at, length);
            if (length == PAGE_BYTES && isZero(source, from)) {
                seen = null;
                return;
            }
            byte[] bytes = seen;
            if (bytes == null) {
                bytes = new byte[PAGE_BYTES];
                seen = bytes;
            }
            System.arraycopy(source, from, bytes, at, length);
        }

        void zero(int at, int length) {
            touch(at, length);
            byte[] bytes = seen;
            if (bytes != null) {
                Arrays.fill(bytes, at, at + length, (byte) 0);
            }
        }

        private void touch(int at, int length) {
            if (dirtySectors == 0) {
                byte[] bytes = seen;
                durable = bytes == null ? null : bytes.clone();
            }
            dirtySectors |= sectors(at, length);
        }

        void force(int sectors) {
            int forced = dirtySectors & sectors;
            if (forced == 0) {
                return;
            }
            dirtySectors &= ~forced;
            if (dirtySectors == 0) {
                durable = null;
            } else {
                durable = mix(durable, seen, forced);
            }
        }

        /** Content of the page on the device after a cut that these sectors survived. */
        byte @Nullable [] left(int surviving) {
            return dirtySectors == 0 ? seen : mix(durable, seen, surviving);
        }

        private static byte @Nullable [] mix(byte @Nullable [] under, byte @Nullable [] over, int sectors) {
            if (sectors == 0) {
                return under;
            }
            byte[] mixed = under == null ? new byte[PAGE_BYTES] : under.clone();
            for (int sector = 0; sector < SECTORS; sector++) {
                if ((sectors & (1 << sector)) != 0) {
                    int at = sector * SECTOR_BYTES;
                    if (over == null) {
                        Arrays.fill(mixed, at, at + SECTOR_BYTES, (byte) 0);
                    } else {
                        System.arraycopy(over, at, mixed, at, SECTOR_BYTES);
                    }
                }
            }
            return mixed;
        }

        private static boolean isZero(byte[] bytes, int from) {
            for (int i = from; i < from + PAGE_BYTES; i++) {
                if (bytes[i] != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private static int sectors(int at, int length) {
        int first = at / SECTOR_BYTES;
        int last = (at + length - 1) / SECTOR_BYTES;
        return (1 << (last + 1)) - (1 << first);
    }

    long size() {
        return size;
    }

    byte[] read(long position, int length) {
        int count = (int) Math.max(0, Math.min(length, size - position));
        byte[] target = new byte[count];
        int done = 0;
        while (done < count) {
            int at = (int) ((position + done) % PAGE_BYTES);
            int piece = Math.min(PAGE_BYTES - at, count - done);
            Page page = pages.get((position + done) / PAGE_BYTES);
            byte[] bytes = page == null ? null : page.seen;
            if (bytes != null) {
                System.arraycopy(bytes, at, target, done, piece);
            }
            done += piece;
        }
        return target;
    }

    void write(long position, byte[] source) {
        int done = 0;
        while (done < source.length) {
            int at = (int) ((position + done) % PAGE_BYTES);
            int piece = Math.min(PAGE_BYTES - at, source.length - done);
            page((position + done) / PAGE_BYTES).copy(source, done, at, piece);
            done += piece;
        }
        size = Math.max(size, position + source.length);
    }

    private Page page(long number) {
        dirty.add(number);
        return pages.computeIfAbsent(number, _ -> new Page());
    }

    void truncate(long newSize) {
        for (long number : pages.tailMap(newSize / PAGE_BYTES).keySet().toArray(Long[]::new)) {
            int at = (int) Math.max(0, newSize - number * PAGE_BYTES);
            if (at < PAGE_BYTES) {
                page(number).zero(at, PAGE_BYTES - at);
            }
        }
        size = newSize;
    }

    /** Forces everything to the device. */
    void force() {
        for (long number : dirty) {
            Page page = pages.get(number);
            if (page != null) {
                page.force(-1);
            }
        }
        dirty.clear();
        durableSize = size;
    }

    /** Just these bytes go to the device, with as much of the size as they need. */
    void force(long position, int length) {
        long end = position + length;
        for (long number = position / PAGE_BYTES; number * PAGE_BYTES < end; number++) {
            Page page = pages.get(number);
            if (page != null) {
                int from = (int) Math.max(0, position - number * PAGE_BYTES);
                int to = (int) Math.min(PAGE_BYTES, end - number * PAGE_BYTES);
                page.force(sectors(from, to - from));
                if (page.dirtySectors == 0) {
                    dirty.remove(number);
                }
            }
        }
        durableSize = Math.max(durableSize, Math.min(end, size));
    }

    /** Whether readers see something that the device does not have. */
    boolean isDirty() {
        return !dirty.isEmpty() || size != durableSize;
    }

    /** The file after a cut. */
    FileContent left(Survivors survivors) {
        FileContent left = new FileContent();
        left.size = size == durableSize || !survivors.chance() ? durableSize : size;
        left.durableSize = left.size;
        pages.forEach((number, page) -> {
            byte[] bytes = page.left(survivors.ofSectors(page.dirtySectors));
            if (bytes != null && number * PAGE_BYTES < left.size) {
                Page kept = new Page();
                int beyond = (int) Math.min(PAGE_BYTES, left.size - number * PAGE_BYTES);
                kept.seen = bytes.clone();
                Arrays.fill(kept.seen, beyond, PAGE_BYTES, (byte) 0);
                left.pages.put(number, kept);
            }
        });
        return left;
    }
}
