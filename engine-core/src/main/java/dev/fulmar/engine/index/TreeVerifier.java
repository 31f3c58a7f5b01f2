package dev.fulmar.engine.index;

import dev.fulmar.foundation.check.Invariants;

/** Checks that a tree is in order, reachable in both ways, and counts right. */
final class TreeVerifier {
    private final OrderedIndex index;
    private final TreeNodes nodes;
    private final SearchKey previous;
    private long previousRow;
    private boolean first = true;
    private long entries;
    private long lastLeaf;

    TreeVerifier(OrderedIndex index) {
        this.index = index;
        nodes = index.nodes();
        previous = index.format().newKey(null);
        previous.reset();
    }

    void verify() {
        visit(index.root(), TreeNodes.level(index.root()));
        Invariants.check(entries == index.entryCount(), "the tree has as many entries as it counts");
        Invariants.check(TreeNodes.next(lastLeaf) == 0, "the chain of leaves ends with the last");
    }

    /** Verifies a leaf that was split, and the one behind it. */
    void verify(long leaf, boolean wholeTree) {
        if (wholeTree) {
            verify();
            return;
        }
        long right = TreeNodes.next(leaf);
        Invariants.check(TreeNodes.previous(right) == leaf, "a leaf that was split is followed by its other half");
        for (int i = 0; i < TreeNodes.count(leaf); i++) {
            checkOrder(leaf, i, true);
        }
        for (int i = 0; i < TreeNodes.count(right); i++) {
            checkOrder(right, i, true);
        }
    }

    private void visit(long node, int level) {
        Invariants.check(TreeNodes.level(node) == level, "all leaves lie equally deep");
        int count = TreeNodes.count(node);
        if (level == 0) {
            Invariants.check(TreeNodes.previous(node) == lastLeaf, "leaves are chained in order");
            Invariants.check(lastLeaf == 0 || TreeNodes.next(lastLeaf) == node, "leaves are chained in order");
            lastLeaf = node;
            for (int i = 0; i < count; i++) {
                checkOrder(node, i, true);
                entries++;
            }
            return;
        }
        for (int i = 0; i <= count; i++) {
            visit(nodes.child(node, i), level - 1);
            if (i < count) {
                checkOrder(node, i, false);
            }
        }
    }

    /** A separator may equal the entry behind it. */
    private void checkOrder(long node, int i, boolean strictly) {
        long row = nodes.row(node, i);
        if (!first) {
            int order = nodes.compare(node, i, previous);
            if (order == 0) {
                order = Long.compareUnsigned(row, previousRow);
            }
            Invariants.check(order > 0 || (order == 0 && separatorBefore), "entries are in order");
        }
        nodes.readKey(node, i, previous);
        previous.pad(false);
        previousRow = row;
        first = false;
        separatorBefore = !strictly;
    }

    private boolean separatorBefore;
}
