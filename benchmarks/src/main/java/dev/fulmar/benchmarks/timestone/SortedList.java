package dev.fulmar.benchmarks.timestone;

import dev.fulmar.benchmarks.timestone.Nodes.Body;

/**
 * A sorted linked list of nodes of 16 bytes behind a head that is no key. A removal writes the removed node too, so
 * that of two transactions that change neighbours one fails.
 */
final class SortedList implements Structure {
    private static final int KEY = 0;
    private static final int NEXT = 1;
    private static final long NONE = 0;

    private long head;

    @Override
    public void begin(Body body) {
        head = body.create(Structure.words(Long.MIN_VALUE, NONE));
    }

    /** The last node with a smaller key. */
    private long before(Body body, long key) {
        long node = head;
        long next = body.word(node, NEXT);
        while (next != NONE && body.word(next, KEY) < key) {
            node = next;
            next = body.word(node, NEXT);
        }
        return node;
    }

    @Override
    public boolean contains(Body body, long key) {
        long next = body.word(before(body, key), NEXT);
        return next != NONE && body.word(next, KEY) == key;
    }

    @Override
    public boolean add(Body body, long key) {
        long before = before(body, key);
        long next = body.word(before, NEXT);
        if (next != NONE && body.word(next, KEY) == key) {
            return false;
        }
        body.word(before, NEXT, body.create(Structure.words(key, next)));
        return true;
    }

    @Override
    public boolean remove(Body body, long key) {
        long before = before(body, key);
        long found = body.word(before, NEXT);
        if (found == NONE || body.word(found, KEY) != key) {
            return false;
        }
        body.word(before, NEXT, body.word(found, NEXT));
        body.delete(found);
        return true;
    }

    @Override
    public long count(Body body) {
        long count = 0;
        long last = Long.MIN_VALUE;
        for (long node = body.word(head, NEXT); node != NONE; node = body.word(node, NEXT)) {
            long key = body.word(node, KEY);
            if (key <= last) {
                throw new IllegalStateException("key " + key + " follows " + last);
            }
            last = key;
            count++;
        }
        return count;
    }
}
