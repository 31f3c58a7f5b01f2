package dev.fulmar.benchmarks.timestone;

import dev.fulmar.benchmarks.timestone.Nodes.Body;

/** A binary search tree without balancing, of nodes of 24 bytes, behind a root that is no key. */
final class SearchTree implements Structure {
    private static final int KEY = 0;
    private static final int LEFT = 1;
    private static final int RIGHT = 2;
    private static final long NONE = 0;

    private long root;

    @Override
    public void begin(Body body) {
        root = body.create(Structure.words(Long.MIN_VALUE, NONE, NONE));
    }

    /** Place of a key, or the place where it would be: below which node, on which side. */
    private record Place(long parent, int side, long node) {}

    private Place find(Body body, long key) {
        long parent = root;
        int side = RIGHT;
        long node = body.word(root, RIGHT);
        while (node != NONE) {
            long found = body.word(node, KEY);
            if (found == key) {
                break;
            }
            parent = node;
            side = key < found ? LEFT : RIGHT;
            node = body.word(node, side);
        }
        return new Place(parent, side, node);
    }

    @Override
    public boolean contains(Body body, long key) {
        return find(body, key).node != NONE;
    }

    @Override
    public boolean add(Body body, long key) {
        Place place = find(body, key);
        if (place.node != NONE) {
            return false;
        }
        body.word(place.parent, place.side, body.create(Structure.words(key, NONE, NONE)));
        return true;
    }

    @Override
    public boolean remove(Body body, long key) {
        Place place = find(body, key);
        if (place.node == NONE) {
            return false;
        }
        long left = body.word(place.node, LEFT);
        long right = body.word(place.node, RIGHT);
        if (left == NONE || right == NONE) {
            body.word(place.parent, place.side, left == NONE ? right : left);
            body.delete(place.node);
            return true;
        }
        removeSuccessor(body, place.node, right);
        return true;
    }

    /** Puts the next greater key in the node's place, and takes that one's node out. */
    private static void removeSuccessor(Body body, long node, long right) {
        long parent = node;
        int side = RIGHT;
        long next = right;
        for (long left = body.word(next, LEFT); left != NONE; left = body.word(next, LEFT)) {
            parent = next;
            side = LEFT;
            next = left;
        }
        body.word(node, KEY, body.word(next, KEY));
        body.word(parent, side, body.word(next, RIGHT));
        body.delete(next);
    }

    @Override
    public long count(Body body) {
        return count(body, body.word(root, RIGHT), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long count(Body body, long node, long above, long below) {
        if (node == NONE) {
            return 0;
        }
        long key = body.word(node, KEY);
        if (key <= above || key >= below) {
            throw new IllegalStateException("key " + key + " lies between " + above + " and " + below);
        }
        return 1 + count(body, body.word(node, LEFT), above, key) + count(body, body.word(node, RIGHT), key, below);
    }
}
