package dev.fulmar.engine.index;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A B+tree over rows of one bucket. It may hold a row under several keys (its own and those that it had), and several
 * rows under one key of which at most one is visible if the index is unique. Insertion allocates before it changes
 * anything; removal never allocates, so rolling back cannot fail. One thread.
 */
public final class OrderedIndex implements RowIndex {
    /** Deepest tree: 2^48 rows with half-full nodes need far less. */
    static final int MOST_LEVELS = 24;

    /** A node is joined with a neighbour when it has fewer than one in so many of its entries. */
    private static final int JOIN_DIVISOR = 4;

    private KeyFormat format;
    private final TreeNodes nodes;
    private SearchKey scratch;
    private final SearchKey separator;
    private final SearchKey probe;
    private final long[] path = new long[MOST_LEVELS];
    private final int[] pathPosition = new int[MOST_LEVELS];
    private final long[] spare = new long[MOST_LEVELS + 1];
    private int spareCount;
    private long root;
    private long modifications;
    private long entryCount;

    public OrderedIndex(KeyFormat format, BlockHeap heap) {
        this.format = format;
        nodes = new TreeNodes(heap, format);
        scratch = format.newKey(null);
        separator = format.newKey(null);
        probe = format.newKey(null);
    }

    @Override
    public void use(KeyFormat same) {
        format = same;
        scratch = same.newKey(null);
    }

    KeyFormat format() {
        return format;
    }

    TreeNodes nodes() {
        return nodes;
    }

    long root() {
        return root;
    }

    /** Counts the changes, so that cursors notice them. */
    long modifications() {
        return modifications;
    }

    @Override
    public long entryCount() {
        return entryCount;
    }

    @Override
    public long usedBytes() {
        return nodes.usedBytes();
    }

    /** The leaf where (key, row) belongs; 0 in an empty tree. */
    long leafOf(SearchKey key, long row) {
        long node = root;
        if (node == 0) {
            return 0;
        }
        while (TreeNodes.level(node) > 0) {
            node = nodes.child(node, nodes.childPosition(node, key, row));
        }
        return node;
    }

    @Override
    public long find(SearchKey key) {
        return findOther(key, 0);
    }

    /** The visible row whose key columns equal the key's, other than the given one; 0 if none. */
    @Override
    public long findOther(SearchKey key, long exceptRow) {
        if (key.saturation() != 0) {
            return 0;
        }
        if (!key.endsWithKeyColumns()) {
            probe.copyOf(key);
            probe.cutToKeyColumns();
            return firstOther(probe, exceptRow, null);
        }
        return firstOther(key, exceptRow, null);
    }

    @Override
    public long findAt(SearchKey key, Snapshot snapshot) {
        if (key.saturation() != 0) {
            return 0;
        }
        probe.copyOf(key);
        if (!key.endsWithKeyColumns()) {
            probe.cutToKeyColumns();
        }
        return firstOther(probe, 0, snapshot);
    }

    private long firstOther(SearchKey key, long exceptRow, @Nullable Snapshot snapshot) {
        key.pad(false);
        long leaf = leafOf(key, 0);
        if (leaf == 0) {
            return 0;
        }
        int position = nodes.leafPosition(leaf, key, 0);
        while (true) {
            if (position == TreeNodes.count(leaf)) {
                leaf = TreeNodes.next(leaf);
                position = 0;
                if (leaf == 0) {
                    return 0;
                }
                continue;
            }
            if (!startsWith(leaf, position, key)) {
                return 0;
            }
            long row = nodes.leafRow(leaf, position);
            boolean visible =
                    snapshot == null ? isCurrent(leaf, position, row) : isShown(leaf, position, row, snapshot);
            if (row != exceptRow && visible) {
                return row;
            }
            position++;
        }
    }

    private boolean startsWith(long leaf, int position, SearchKey key) {
        if (nodes.spills) {
            nodes.readKey(leaf, position, separator);
            return separator.startsWith(key);
        }
        return key.isPrefixOf(nodes.keyAddress(leaf, position));
    }

    /** Whether a reader of the newest versions sees the row under this entry. */
    boolean isCurrent(long leaf, int position, long row) {
        int flags = RowLayout.flags(row);
        if ((flags & RowLayout.NATURE) == RowLayout.USED) {
            return true;
        }
        if ((flags & RowLayout.DELETED) != 0) {
            return false;
        }
        if (!format.keyIfAny(row, scratch)) {
            return false;
        }
        scratch.pad(false);
        return nodes.compare(leaf, position, scratch) == 0;
    }

    /** Whether the snapshot shows the row under this entry. */
    boolean isShown(long leaf, int position, long row, Snapshot snapshot) {
        long version = snapshot.versionOf(row);
        if (version == 0 || Snapshot.isUnchanged(row)) {
            return version != 0;
        }
        if (!format.keyIfAny(version, scratch)) {
            return false;
        }
        scratch.pad(false);
        return nodes.compare(leaf, position, scratch) == 0;
    }

    /** Whether the row is visible and has the whole key. */
    boolean hasKey(long row, SearchKey key) {
        if (!RowLayout.isVisible(row)) {
            return false;
        }
        return format.keyIfAny(row, scratch) && scratch.compareWhole(key) == 0;
    }

    @Override
    public boolean insert(SearchKey key, long row) {
        key.pad(false);
        if (root == 0) {
            long spill = nodes.allocateSpill(key);
            try {
                root = nodes.allocateNode();
            } catch (RuntimeException failure) {
                nodes.freeSpill(spill);
                throw failure;
            }
            nodes.initialize(root, 0);
            nodes.putEntry(root, 0, key, spill, row);
            TreeNodes.setCount(root, 1);
            changed(1);
            return true;
        }
        int depth = descend(key, row);
        long leaf = path[depth];
        int position = nodes.leafPosition(leaf, key, row);
        int count = TreeNodes.count(leaf);
        if (position < count && nodes.leafRow(leaf, position) == row && nodes.compare(leaf, position, key) == 0) {
            return false;
        }
        if (count < nodes.leafCapacity) {
            putAt(leaf, position, count, key, nodes.allocateSpill(key), row);
            changed(1);
            return true;
        }
        long rootBefore = root;
        splitLeaf(depth, position, key, row);
        changed(1);
        if (Invariants.EXPENSIVE) {
            new TreeVerifier(this).verify(leaf, root != rootBefore);
        }
        return true;
    }

    private void changed(int entries) {
        entryCount += entries;
        modifications++;
    }

    private void putAt(long leaf, int position, int count, SearchKey key, long spill, long row) {
        nodes.moveEntries(leaf, position, leaf, position + 1, count - position);
        nodes.putEntry(leaf, position, key, spill, row);
        TreeNodes.setCount(leaf, count + 1);
        TreeNodes.setLastInsert(leaf, position);
    }

    /**
     * Fills the path with nodes from the root on and the child positions taken; returns the index of the leaf in it.
     */
    private int descend(SearchKey key, long row) {
        int depth = 0;
        long node = root;
        while (TreeNodes.level(node) > 0) {
            int position = nodes.childPosition(node, key, row);
            path[depth] = node;
            pathPosition[depth] = position;
            node = nodes.child(node, position);
            depth++;
        }
        path[depth] = node;
        return depth;
    }

    /**
     * Splits a full leaf for an entry. Where entries come in key order, the left leaf stays full, else both get half.
     * All memory is taken before the first change.
     */
    private void splitLeaf(int depth, int position, SearchKey key, long row) {
        long leaf = path[depth];
        int count = TreeNodes.count(leaf);
        boolean inOrder = position == count || position == TreeNodes.lastInsert(leaf) + 1;
        int middle = inOrder && position > 0 ? position : count / 2;
        boolean goesRight = position > middle || middle == count;
        boolean entryBeginsRight = goesRight && position == middle;
        reserveNodes(depth);
        long spill = 0;
        long separatorSpill = 0;
        long separatorRow;
        try {
            spill = nodes.allocateSpill(key);
            separatorRow = chooseSeparator(leaf, middle, position, entryBeginsRight, key, row);
            separatorSpill = nodes.allocateSpill(separator);
        } catch (RuntimeException failure) {
            nodes.freeSpill(spill);
            releaseSpares();
            throw failure;
        }
        long right = spare[--spareCount];
        nodes.initialize(right, 0);
        nodes.moveEntries(leaf, middle, right, 0, count - middle);
        TreeNodes.setCount(right, count - middle);
        TreeNodes.setCount(leaf, middle);
        TreeNodes.link(right, TreeNodes.next(leaf));
        TreeNodes.link(leaf, right);
        if (goesRight) {
            putAt(right, position - middle, count - middle, key, spill, row);
        } else {
            putAt(leaf, position, middle, key, spill, row);
        }
        insertSeparator(depth - 1, separator, separatorSpill, separatorRow, right);
        Invariants.check(spareCount == 0, "a split of an ordered index uses each node that it reserved");
    }

    /**
     * Sets the separator to the key that will begin the right leaf; without row where the key alone divides. Returns
     * its row.
     */
    private long chooseSeparator(
            long leaf, int middle, int position, boolean entryBeginsRight, SearchKey key, long row) {
        long firstRow;
        if (entryBeginsRight) {
            separator.copyOf(key);
            firstRow = row;
        } else {
            nodes.readKey(leaf, middle, separator);
            firstRow = nodes.leafRow(leaf, middle);
        }
        separator.pad(false);
        boolean entryEndsLeft = !entryBeginsRight && position == middle;
        boolean sameKey =
                entryEndsLeft ? nodes.compare(leaf, middle, key) == 0 : nodes.compare(leaf, middle - 1, separator) == 0;
        return sameKey ? firstRow : 0;
    }

    /** Takes as many nodes as the splits from the leaf upwards need. */
    private void reserveNodes(int leafDepth) {
        int needed = 1;
        int depth = leafDepth - 1;
        while (depth >= 0 && TreeNodes.count(path[depth]) == nodes.innerCapacity) {
            needed++;
            depth--;
        }
        needed += depth < 0 ? 1 : 0;
        try {
            while (spareCount < needed) {
                spare[spareCount] = nodes.allocateNode();
                spareCount++;
            }
        } catch (RuntimeException failure) {
            releaseSpares();
            throw failure;
        }
    }

    private void releaseSpares() {
        while (spareCount > 0) {
            nodes.freeNode(spare[--spareCount]);
        }
    }

    private void insertSeparator(int depth, SearchKey key, long spill, long row, long rightChild) {
        if (depth < 0) {
            long newRoot = spare[--spareCount];
            nodes.initialize(newRoot, TreeNodes.level(rightChild) + 1);
            nodes.setChild(newRoot, 0, root);
            nodes.putEntry(newRoot, 0, key, spill, row);
            nodes.setChild(newRoot, 1, rightChild);
            TreeNodes.setCount(newRoot, 1);
            root = newRoot;
            return;
        }
        long inner = path[depth];
        int position = pathPosition[depth];
        int count = TreeNodes.count(inner);
        if (count < nodes.innerCapacity) {
            putSeparator(inner, position, count, key, spill, row, rightChild);
            return;
        }
        int middle = position == count ? count - 1 : count / 2;
        long right = spare[--spareCount];
        nodes.initialize(right, TreeNodes.level(inner));
        // The entry at the middle moves up; what is behind it goes right.
        SearchKey raised = scratch;
        nodes.readKey(inner, middle, raised);
        raised.pad(false);
        long raisedSpill = nodes.spill(inner, middle);
        long raisedRow = nodes.row(inner, middle);
        int moved = count - middle - 1;
        nodes.moveEntries(inner, middle + 1, right, 0, moved);
        nodes.moveChildren(inner, middle + 1, right, 0, moved + 1);
        TreeNodes.setCount(right, moved);
        TreeNodes.setCount(inner, middle);
        if (position > middle) {
            putSeparator(right, position - middle - 1, moved, key, spill, row, rightChild);
        } else {
            putSeparator(inner, position, middle, key, spill, row, rightChild);
        }
        separator.copyOf(raised);
        insertSeparator(depth - 1, separator, raisedSpill, raisedRow, right);
    }

    private void putSeparator(
            long inner, int position, int count, SearchKey key, long spill, long row, long rightChild) {
        nodes.moveEntries(inner, position, inner, position + 1, count - position);
        nodes.moveChildren(inner, position + 1, inner, position + 2, count - position);
        nodes.putEntry(inner, position, key, spill, row);
        nodes.setChild(inner, position + 1, rightChild);
        TreeNodes.setCount(inner, count + 1);
    }

    @Override
    public boolean remove(SearchKey key, long row) {
        if (root == 0) {
            return false;
        }
        key.pad(false);
        int depth = descend(key, row);
        long leaf = path[depth];
        int position = nodes.leafPosition(leaf, key, row);
        int count = TreeNodes.count(leaf);
        if (position == count || nodes.leafRow(leaf, position) != row || nodes.compare(leaf, position, key) != 0) {
            return false;
        }
        nodes.freeSpill(nodes.spill(leaf, position));
        nodes.moveEntries(leaf, position + 1, leaf, position, count - position - 1);
        TreeNodes.setCount(leaf, count - 1);
        TreeNodes.setLastInsert(leaf, -1);
        changed(-1);
        long rootBefore = root;
        shrink(depth);
        if (Invariants.EXPENSIVE && root != rootBefore) {
            verify();
        }
        return true;
    }

    @Override
    public boolean isEntryOf(SearchKey key, long slot) {
        return format.keyIfAny(slot, scratch) && format.admits(slot) && scratch.compareWhole(key) == 0;
    }

    /** Joins a thin node with a neighbour, or takes out an empty one, and goes on upwards as far as needed. */
    private void shrink(int leafDepth) {
        int depth = leafDepth;
        while (depth > 0 && isThin(path[depth])) {
            long node = path[depth];
            long parent = path[depth - 1];
            int position = pathPosition[depth - 1];
            if (isChildless(node)) {
                if (TreeNodes.level(node) == 0) {
                    TreeNodes.link(TreeNodes.previous(node), TreeNodes.next(node));
                }
                nodes.freeNode(node);
                removeChild(parent, position);
            } else if (!join(parent, position - 1) && !join(parent, position)) {
                return;
            }
            depth--;
        }
        if (depth == 0) {
            shrinkRoot();
        }
    }

    private boolean isThin(long node) {
        return TreeNodes.count(node) < nodes.capacity(node) / JOIN_DIVISOR;
    }

    /** An inner node of one child has no entry, and one without child counts -1. */
    private static boolean isChildless(long node) {
        return TreeNodes.count(node) == (TreeNodes.level(node) == 0 ? 0 : -1);
    }

    private void shrinkRoot() {
        while (TreeNodes.level(root) > 0 && TreeNodes.count(root) == 0) {
            long only = nodes.child(root, 0);
            nodes.freeNode(root);
            root = only;
        }
        if (isChildless(root)) {
            nodes.freeNode(root);
            root = 0;
        }
    }

    /**
     * Takes out a child that is freed already, with the separator beside it; an inner node without child counts -1
     * entries.
     */
    private void removeChild(long inner, int position) {
        int count = TreeNodes.count(inner);
        if (count > 0) {
            int entry = Math.max(0, position - 1);
            nodes.freeSpill(nodes.spill(inner, entry));
            nodes.moveEntries(inner, entry + 1, inner, entry, count - entry - 1);
            nodes.moveChildren(inner, position + 1, inner, position, count - position);
        }
        TreeNodes.setCount(inner, count - 1);
    }

    /** Joins the children at the position and behind it if both fit well into one. */
    private boolean join(long parent, int position) {
        if (position < 0 || position >= TreeNodes.count(parent)) {
            return false;
        }
        long left = nodes.child(parent, position);
        long right = nodes.child(parent, position + 1);
        int leftCount = TreeNodes.count(left);
        int rightCount = TreeNodes.count(right);
        boolean leaf = TreeNodes.level(left) == 0;
        int together = leftCount + rightCount + (leaf ? 0 : 1);
        int capacity = nodes.capacity(left);
        if (together > capacity - capacity / JOIN_DIVISOR) {
            return false;
        }
        if (leaf) {
            nodes.moveEntries(right, 0, left, leftCount, rightCount);
            TreeNodes.link(left, TreeNodes.next(right));
            nodes.freeSpill(nodes.spill(parent, position));
        } else {
            nodes.moveEntries(parent, position, left, leftCount, 1);
            nodes.moveEntries(right, 0, left, leftCount + 1, rightCount);
            nodes.moveChildren(right, 0, left, leftCount + 1, rightCount + 1);
        }
        TreeNodes.setCount(left, together);
        TreeNodes.setLastInsert(left, -1);
        nodes.freeNode(right);
        int count = TreeNodes.count(parent);
        nodes.moveEntries(parent, position + 1, parent, position, count - position - 1);
        nodes.moveChildren(parent, position + 2, parent, position + 1, count - position - 1);
        TreeNodes.setCount(parent, count - 1);
        return true;
    }

    @Override
    public void clear() {
        if (root != 0) {
            clear(root);
            root = 0;
        }
        modifications++;
        entryCount = 0;
        Invariants.check(nodes.usedBytes() == 0, "an empty index uses no memory");
    }

    @Override
    public int clearSome(int mostEntries) {
        modifications++;
        int left = mostEntries;
        while (root != 0 && left > 0) {
            long before = entryCount;
            if (dropLastLeaf(root)) {
                root = 0;
            }
            left -= (int) Math.max(1, before - entryCount);
        }
        Invariants.check(
                root != 0 || (entryCount == 0 && nodes.usedBytes() == 0),
                "an ordered index whose last leaf was freed uses no memory");
        return left;
    }

    /** Frees the last leaf below; whether the node goes with it. */
    private boolean dropLastLeaf(long node) {
        int count = TreeNodes.count(node);
        if (TreeNodes.level(node) == 0) {
            for (int i = 0; i < count; i++) {
                nodes.freeSpill(nodes.spill(node, i));
            }
            entryCount -= count;
            nodes.freeNode(node);
            return true;
        }
        if (!dropLastLeaf(nodes.child(node, count))) {
            return false;
        }
        if (count == 0) {
            nodes.freeNode(node);
            return true;
        }
        nodes.freeSpill(nodes.spill(node, count - 1));
        TreeNodes.setCount(node, count - 1);
        return false;
    }

    private void clear(long node) {
        int count = TreeNodes.count(node);
        for (int i = 0; i < count; i++) {
            nodes.freeSpill(nodes.spill(node, i));
        }
        if (TreeNodes.level(node) > 0) {
            for (int i = 0; i <= count; i++) {
                clear(nodes.child(node, i));
            }
        }
        nodes.freeNode(node);
    }

    /** Fails if the tree is not what it must be; reads all of it. */
    public void verify() {
        if (root != 0) {
            new TreeVerifier(this).verify();
        }
    }
}
