package dev.fulmar.engine.durability;

/** The kinds of row images. Numbers are on disk and are never reused. */
final class ImageKind {
    /** The row's identity: it is gone. */
    static final int DELETE = 1;

    /** The row's identity, and the values of the columns that changed; none of them is in an index. */
    static final int UPDATE = 2;

    /** All values of a row. */
    static final int INSERT = 3;

    /** Bucket and number of a row without primary key that came and went: later rows get higher numbers. */
    static final int NUMBER = 4;

    private ImageKind() {}
}
