package dev.fulmar.engine.index;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;

/**
 * Nodes of a B+tree in native memory. A node has the words of its keys side by side, then their rows, then (inner
 * nodes) the children. Keys are compared by words and then by row address; the address only tells a row from the ghosts
 * of its key. Entry i of an inner node is the lower end of child i + 1.
 */
final class TreeNodes {
    private static final int COUNT = 0;
    private static final int LEVEL = 4;
    private static final int LAST_INSERT = 8;
    private static final int NEXT = 16;
    private static final int PREVIOUS = 24;
    private static final int HEADER_BYTES = 32;

    private static final int SMALL_NODE_BYTES = 2 << 10;
    private static final int LARGE_NODE_BYTES = 4 << 10;
    private static final int MOST_WORDS_OF_SMALL_NODE = 4;

    final BlockHeap heap;
    final int words;
    final boolean spills;
    final int nodeBytes;
    final int leafCapacity;
    final int innerCapacity;
    private final int keyBytes;
    private final int leafRows;
    private final int innerRows;
    private final int innerChildren;
    private long usedBytes;

    TreeNodes(BlockHeap heap, KeyFormat format) {
        this.heap = heap;
        words = format.inlineWords();
        spills = format.spills();
        nodeBytes = words <= MOST_WORDS_OF_SMALL_NODE ? SMALL_NODE_BYTES : LARGE_NODE_BYTES;
        keyBytes = words * Long.BYTES;
        leafCapacity = (nodeBytes - HEADER_BYTES) / (keyBytes + Long.BYTES);
        innerCapacity = (nodeBytes - HEADER_BYTES - Long.BYTES) / (keyBytes + 2 * Long.BYTES);
        leafRows = HEADER_BYTES + leafCapacity * keyBytes;
        innerRows = HEADER_BYTES + innerCapacity * keyBytes;
        innerChildren = innerRows + innerCapacity * Long.BYTES;
    }

    long usedBytes() {
        return usedBytes;
    }

    long allocateNode() {
        long node = heap.allocate(nodeBytes);
        usedBytes += nodeBytes;
        return node;
    }

    void initialize(long node, int level) {
        OffHeap.putInt(node + COUNT, 0);
        OffHeap.putInt(node + LEVEL, level);
        OffHeap.putInt(node + LAST_INSERT, -1);
        OffHeap.putLong(node + NEXT, 0);
        OffHeap.putLong(node + PREVIOUS, 0);
    }

    void freeNode(long node) {
        heap.free(node, nodeBytes);
        usedBytes -= nodeBytes;
    }

    static int count(long node) {
        return OffHeap.getInt(node + COUNT);
    }

    static void setCount(long node, int count) {
        OffHeap.putInt(node + COUNT, count);
    }

    /** 0 for a leaf. */
    static int level(long node) {
        return OffHeap.getInt(node + LEVEL);
    }

    /** The place of the last insertion, to notice entries that come in key order. */
    static int lastInsert(long node) {
        return OffHeap.getInt(node + LAST_INSERT);
    }

    static void setLastInsert(long node, int position) {
        OffHeap.putInt(node + LAST_INSERT, position);
    }

    static long next(long leaf) {
        return OffHeap.getLong(leaf + NEXT);
    }

    static long previous(long leaf) {
        return OffHeap.getLong(leaf + PREVIOUS);
    }

    static void link(long left, long right) {
        if (left != 0) {
            OffHeap.putLong(left + NEXT, right);
        }
        if (right != 0) {
            OffHeap.putLong(right + PREVIOUS, left);
        }
    }

    long keyAddress(long node, int i) {
        return node + HEADER_BYTES + (long) i * keyBytes;
    }

    private long rows(long node) {
        return node + (level(node) == 0 ? leafRows : innerRows);
    }

    long leafRow(long leaf, int i) {
        return OffHeap.getLong(leaf + leafRows + (long) i * Long.BYTES);
    }

    long child(long inner, int i) {
        return OffHeap.getLong(inner + innerChildren + (long) i * Long.BYTES);
    }

    void setChild(long inner, int i, long child) {
        OffHeap.putLong(inner + innerChildren + (long) i * Long.BYTES, child);
    }

    long row(long node, int i) {
        return OffHeap.getLong(rows(node) + (long) i * Long.BYTES);
    }

    int capacity(long node) {
        return level(node) == 0 ? leafCapacity : innerCapacity;
    }

    /** Moves entries (without children) between nodes of one kind, or inside one. */
    void moveEntries(long source, int from, long target, int to, int entries) {
        if (entries > 0) {
            OffHeap.copy(keyAddress(source, from), keyAddress(target, to), (long) entries * keyBytes);
            OffHeap.copy(
                    rows(source) + (long) from * Long.BYTES,
                    rows(target) + (long) to * Long.BYTES,
                    (long) entries * Long.BYTES);
        }
    }

    void moveChildren(long source, int from, long target, int to, int children) {
        if (children > 0) {
            OffHeap.copy(
                    source + innerChildren + (long) from * Long.BYTES,
                    target + innerChildren + (long) to * Long.BYTES,
                    (long) children * Long.BYTES);
        }
    }

    /** Writes the inline words of a padded key; {@code spill} is the address of its rest. */
    void putEntry(long node, int i, SearchKey key, long spill, long row) {
        long address = keyAddress(node, i);
        int inline = spills ? words - 1 : words;
        for (int word = 0; word < inline; word++) {
            OffHeap.putLong(address + (long) word * Long.BYTES, key.word(word));
        }
        if (spills) {
            OffHeap.putLong(address + (long) inline * Long.BYTES, spill);
        }
        OffHeap.putLong(rows(node) + (long) i * Long.BYTES, row);
    }

    /** A block with the key's words beyond the node, or 0 if there are none. */
    long allocateSpill(SearchKey key) {
        int rest = key.wordCount() - KeyFormat.SPILL_PREFIX_WORDS;
        if (!spills || rest <= 0) {
            return 0;
        }
        long bytes = spillBytes(rest);
        long block = heap.allocate(bytes);
        usedBytes += bytes;
        OffHeap.putLong(block, rest);
        for (int word = 0; word < rest; word++) {
            OffHeap.putLong(
                    block + Long.BYTES + (long) word * Long.BYTES, key.word(KeyFormat.SPILL_PREFIX_WORDS + word));
        }
        return block;
    }

    void freeSpill(long block) {
        if (block != 0) {
            long bytes = spillBytes(OffHeap.getLong(block));
            heap.free(block, bytes);
            usedBytes -= bytes;
        }
    }

    private static long spillBytes(long rest) {
        return BlockHeap.usableBytes((rest + 1) * Long.BYTES);
    }

    long spill(long node, int i) {
        return spills ? OffHeap.getLong(keyAddress(node, i) + (long) (words - 1) * Long.BYTES) : 0;
    }

    /** Sets the key to that of an entry. */
    void readKey(long node, int i, SearchKey key) {
        long address = keyAddress(node, i);
        long spill = spill(node, i);
        int inline = spills ? words - 1 : words;
        int rest = spill == 0 ? 0 : (int) OffHeap.getLong(spill);
        key.setWords(inline + rest);
        for (int word = 0; word < inline; word++) {
            key.setWord(word, OffHeap.getLong(address + (long) word * Long.BYTES));
        }
        for (int word = 0; word < rest; word++) {
            key.setWord(inline + word, OffHeap.getLong(spill + Long.BYTES + (long) word * Long.BYTES));
        }
    }

    /** First entry of a leaf not before (key, row). */
    int leafPosition(long leaf, SearchKey key, long row) {
        return position(leaf, leaf + leafRows, key, row);
    }

    /** The child of an inner node where (key, row) belongs. */
    int childPosition(long inner, SearchKey key, long row) {
        // An entry equal to (key, row) begins the child to its right.
        return position(inner, inner + innerRows, key, row == -1 ? row : row + 1);
    }

    private int position(long node, long rows, SearchKey key, long row) {
        long keys = node + HEADER_BYTES;
        int count = count(node);
        if (spills) {
            return generalPosition(keys, rows, count, key, row);
        }
        return switch (words) {
            case 1 -> oneWordPosition(keys, rows, count, key.word(0), row);
            case 2 -> twoWordPosition(keys, rows, count, key.word(0), key.word(1), row);
            default -> generalPosition(keys, rows, count, key, row);
        };
    }

    private static int oneWordPosition(long keys, long rows, int count, long first, long row) {
        int low = 0;
        int length = count;
        long turned = first + Long.MIN_VALUE;
        while (length > 0) {
            int half = length >>> 1;
            int middle = low + half;
            long word = OffHeap.getLong(keys + ((long) middle << 3)) + Long.MIN_VALUE;
            boolean less = word < turned
                    || (word == turned && Long.compareUnsigned(OffHeap.getLong(rows + ((long) middle << 3)), row) < 0);
            low = less ? middle + 1 : low;
            length = less ? length - half - 1 : half;
        }
        return low;
    }

    private static int twoWordPosition(long keys, long rows, int count, long first, long second, long row) {
        int low = 0;
        int length = count;
        while (length > 0) {
            int half = length >>> 1;
            int middle = low + half;
            long address = keys + ((long) middle << 4);
            long word = OffHeap.getLong(address);
            boolean less;
            if (word != first) {
                less = word + Long.MIN_VALUE < first + Long.MIN_VALUE;
            } else {
                long next = OffHeap.getLong(address + Long.BYTES);
                less = next != second
                        ? next + Long.MIN_VALUE < second + Long.MIN_VALUE
                        : Long.compareUnsigned(OffHeap.getLong(rows + ((long) middle << 3)), row) < 0;
            }
            low = less ? middle + 1 : low;
            length = less ? length - half - 1 : half;
        }
        return low;
    }

    private int generalPosition(long keys, long rows, int count, SearchKey key, long row) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = compareAt(keys + (long) middle * keyBytes, key);
            if (order == 0) {
                order = Long.compareUnsigned(OffHeap.getLong(rows + (long) middle * Long.BYTES), row);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Order of an entry's key and a padded key, without the row. */
    int compare(long node, int i, SearchKey key) {
        return compareAt(keyAddress(node, i), key);
    }

    private int compareAt(long address, SearchKey key) {
        int inline = spills ? words - 1 : words;
        for (int word = 0; word < inline; word++) {
            long own = OffHeap.getLong(address + (long) word * Long.BYTES);
            if (own != key.word(word)) {
                return Long.compareUnsigned(own, key.word(word));
            }
        }
        return spills ? compareRest(OffHeap.getLong(address + (long) inline * Long.BYTES), key) : 0;
    }

    private static int compareRest(long spill, SearchKey key) {
        int own = spill == 0 ? 0 : (int) OffHeap.getLong(spill);
        int other = Math.max(0, key.wordCount() - KeyFormat.SPILL_PREFIX_WORDS);
        int common = Math.min(own, other);
        for (int word = 0; word < common; word++) {
            long mine = OffHeap.getLong(spill + Long.BYTES + (long) word * Long.BYTES);
            long its = key.word(KeyFormat.SPILL_PREFIX_WORDS + word);
            if (mine != its) {
                return Long.compareUnsigned(mine, its);
            }
        }
        if (own > other) {
            return key.isPaddedWithOnes() ? -1 : 1;
        }
        return own == other ? 0 : -1;
    }
}
