package dev.fulmar.benchmarks.timestone;

import dev.fulmar.benchmarks.timestone.Nodes.Body;
import dev.fulmar.foundation.data.LittleEndian;

/** A set of numbers made of nodes. */
interface Structure {
    /** Makes an empty one. */
    void begin(Body body);

    boolean contains(Body body, long key);

    /** Whether the key is new. */
    boolean add(Body body, long key);

    /** Whether the key was there. */
    boolean remove(Body body, long key);

    /** The number of keys; fails if the structure is damaged. */
    long count(Body body);

    static byte[] words(long... words) {
        byte[] bytes = new byte[words.length * Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            LittleEndian.putLong(bytes, i * Long.BYTES, words[i]);
        }
        return bytes;
    }
}
