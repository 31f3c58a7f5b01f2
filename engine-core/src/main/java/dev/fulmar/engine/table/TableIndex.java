package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.HashIndex;
import dev.fulmar.engine.index.KeyFormat;
import dev.fulmar.engine.index.KeyRouting;
import dev.fulmar.engine.index.OrderedIndex;
import dev.fulmar.engine.index.RowIndex;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.engine.version.VersionRecord;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One index of a table on one partition: a root per bucket. Look-ups that carry the partitioning key touch one root,
 * others each. A unique HASH index is a hash table; one that is not unique is kept in key order, because many rows of
 * one key need an order of their own.
 */
public final class TableIndex {
    private final KeyFormat format;
    private Index definition;
    private final @Nullable KeyRouting routing;
    private final BucketSet set;
    private RowIndex[] roots = {};
    private final IntFunction<OrderedIndex> allRoots = place -> ordered(roots[place]);
    private final boolean enforcing;
    private final SearchKey insertKey;
    private final SearchKey oldKey;
    private boolean hadEntry;
    private boolean hasEntry;

    /**
     * @param routing null if the index's columns do not name the bucket
     * @param enforcing whether uniqueness is checked here, and not by another index on the same columns
     */
    TableIndex(KeyFormat format, @Nullable KeyRouting routing, BucketSet set, boolean enforcing) {
        this.format = format;
        this.routing = routing;
        this.enforcing = enforcing;
        this.set = set;
        definition = format.index();
        grow();
        insertKey = format.newKey(null);
        oldKey = format.newKey(null);
    }

    /** There are as many roots as the partition has buckets. */
    private void grow() {
        int before = roots.length;
        roots = Arrays.copyOf(roots, Math.max(before, set.limit()));
        for (int number = before; number < roots.length; number++) {
            roots[number] = emptyRoot(number);
        }
    }

    private RowIndex emptyRoot(int number) {
        boolean hashed = definition.kind() == IndexKind.HASH && definition.unique();
        return hashed ? new HashIndex(format, set.heap(number)) : new OrderedIndex(format, set.heap(number));
    }

    /** The bucket's entries go. */
    RowIndex take(int number) {
        RowIndex taken = roots[number];
        renew(number);
        return taken;
    }

    /** The entries of a bucket come. */
    void put(int number, RowIndex root) {
        grow();
        root.use(format);
        roots[number] = root;
    }

    /** The bucket of that number has memory of its own from now on; it has no entries yet. */
    void renew(int number) {
        grow();
        roots[number] = emptyRoot(number);
    }

    /** The ordered twin of a primary key's hash index need not check what that one checks. */
    static boolean enforces(Table table, Index index) {
        boolean hasHashTwin = index.primary()
                && index.kind() == IndexKind.ORDERED
                && table.indexes().stream().anyMatch(twin -> twin.primary() && twin.kind() == IndexKind.HASH);
        return index.unique() && !hasHashTwin;
    }

    public Index definition() {
        return definition;
    }

    /** The same index under another name. */
    void redefine(Index renamed) {
        definition = renamed;
    }

    public RowLayout layout() {
        return format.layout();
    }

    /** A key for {@link #find}. */
    public SearchKey newKey() {
        return format.newKey(routing);
    }

    /** A range for {@link #open}. */
    public SearchRange newRange() {
        return new SearchRange(format, routing);
    }

    /**
     * The visible row with exactly this key, 0 if there is none. Unique indexes only (hash or ordered); all key columns
     * are set.
     */
    public long find(SearchKey key) {
        if (roots.length == 1) {
            return roots[0].find(key);
        }
        if (key.bucket() != SearchKey.NO_BUCKET) {
            return roots[key.bucket()].find(key);
        }
        for (RowIndex root : roots) {
            long row = root.find(key);
            if (row != 0) {
                return row;
            }
        }
        return 0;
    }

    /** Whether {@link #homeLine} knows where look-ups begin. */
    public boolean isHashed() {
        return roots[0] instanceof HashIndex;
    }

    /** Where {@link #find} begins to read for the key with the hash, 0 if that is not known. */
    public long homeLine(SearchKey key, long hash) {
        int bucket = roots.length == 1 ? 0 : key.bucket();
        return bucket != SearchKey.NO_BUCKET && roots[bucket] instanceof HashIndex hashed ? hashed.homeLine(hash) : 0;
    }

    /**
     * The slot of the row that has exactly this key in the snapshot, 0 if there is none. Otherwise as {@link #find}.
     */
    public long findAt(SearchKey key, Snapshot snapshot) {
        int bucket = roots.length == 1 ? 0 : key.bucket();
        if (set.history().concerns(snapshot)) {
            return findBefore(bucket, key, snapshot);
        }
        if (bucket != SearchKey.NO_BUCKET) {
            return roots[bucket].findAt(key, snapshot);
        }
        for (RowIndex root : roots) {
            long row = root.findAt(key, snapshot);
            if (row != 0) {
                return row;
            }
        }
        return 0;
    }

    private long findBefore(int bucket, SearchKey key, Snapshot snapshot) {
        for (RowIndex root : rootsBefore(bucket, snapshot)) {
            long row = root.findAt(key, snapshot);
            if (row != 0) {
                return row;
            }
        }
        return 0;
    }

    /**
     * The roots that a snapshot sees from before a hand-off, for keys that belong to the bucket by today's bounds, or
     * to any. A key has rows in one of them at most.
     */
    private List<RowIndex> rootsBefore(int bucket, Snapshot snapshot) {
        BucketHistory history = set.history();
        List<RowIndex> seen = new ArrayList<>();
        for (int number = 0; number < roots.length; number++) {
            if ((number == bucket || bucket == SearchKey.NO_BUCKET) && history.isVisible(number, snapshot)) {
                seen.add(roots[number]);
            }
        }
        int table = format.layout().table().id();
        int id = definition.id();
        history.visitFormer(snapshot, former -> seen.add(former.table(table).index(id).roots[0]));
        return seen;
    }

    /** A cursor over the newest versions. */
    public IndexCursor newCursor() {
        return newCursor(null);
    }

    /** A cursor over what the snapshot shows; null for the newest versions. */
    public IndexCursor newCursor(@Nullable Snapshot snapshot) {
        return new IndexCursor(snapshot);
    }

    /**
     * Places the cursor before the first row of the range, or behind the last if backwards. The range stays untouched
     * as long as the cursor is used. Ordered indexes take any range. A HASH index that is not unique takes ranges with
     * all columns in the prefix; a unique one is not opened, {@link #find} asks it.
     */
    public void open(IndexCursor cursor, SearchRange range, boolean backwards) {
        int bucket = roots.length == 1 ? 0 : range.bucket();
        Snapshot snapshot = cursor.snapshot();
        if (snapshot != null && set.history().concerns(snapshot)) {
            List<RowIndex> seen = rootsBefore(bucket, snapshot);
            cursor.open(range, backwards, seen.size(), place -> ordered(seen.get(place)));
        } else if (bucket != SearchKey.NO_BUCKET) {
            cursor.openOne(range, backwards, ordered(roots[bucket]));
        } else {
            cursor.open(range, backwards, roots.length, allRoots);
        }
    }

    /** Whether {@link #open} works: the index is kept in key order. */
    public boolean isOrdered() {
        return roots[0] instanceof OrderedIndex;
    }

    private OrderedIndex ordered(RowIndex root) {
        if (root instanceof OrderedIndex ordered) {
            return ordered;
        }
        throw Invariants.breach("unique hash index " + definition().name() + " is asked for single keys only");
    }

    /**
     * Adds the row, if the index has such rows, under its key; fails with UNIQUE_VIOLATION, or as the computing of the
     * key does.
     */
    void insert(int bucket, long row) {
        if (!format.admits(row)) {
            return;
        }
        format.keyOf(row, insertKey);
        insert(bucket, row, insertKey);
    }

    private boolean insert(int bucket, long row, SearchKey key) {
        if (enforcing && !key.hasNull()) {
            checkUnique(bucket, row, key);
        }
        return roots[bucket].insert(key, row);
    }

    /**
     * Whether the index would refuse the image's row, for another one has its key; fails as the computing of the key
     * does.
     *
     * @param bucket to which the row belongs
     */
    public boolean refuses(int bucket, long image) {
        if (!enforcing || !format.admits(image)) {
            return false;
        }
        format.keyOf(image, insertKey);
        return !insertKey.hasNull() && other(bucket, image, insertKey) != 0;
    }

    /** Another row with the key, 0 if there is none. */
    private long other(int bucket, long row, SearchKey key) {
        long existing = roots[bucket].findOther(key, row);
        if (existing == 0 && routing == null) {
            for (RowIndex root : roots) {
                existing = existing == 0 ? root.findOther(key, row) : existing;
            }
        }
        return existing;
    }

    private void checkUnique(int bucket, long row, SearchKey key) {
        long existing = other(bucket, row, key);
        if (existing != 0) {
            throw new FulmarException(
                    ErrorCode.UNIQUE_VIOLATION,
                    "table " + format.layout().table().name() + " has a row with " + format.describeKey(existing)
                            + " already, and " + (definition().primary() ? "primary key " : "unique index ")
                            + definition().name() + " allows one");
        }
    }

    /** Removes the entry under the row's present key; false if there is none. */
    boolean remove(int bucket, long row) {
        return format.keyIfAny(row, insertKey) && roots[bucket].remove(insertKey, row);
    }

    /** Remembers the key of a row that is about to change. */
    void rememberKey(long row) {
        hadEntry = format.admits(row);
        if (hadEntry) {
            format.keyOf(row, oldKey);
        }
    }

    /** Whether the row that was remembered had an entry. */
    boolean hadEntry() {
        return hadEntry;
    }

    /**
     * Whether the row's key differs from the remembered one, or the index has the row now and had it not, or the other
     * way round.
     */
    boolean keyChanged(long row) {
        hasEntry = format.admits(row);
        if (hasEntry) {
            format.keyOf(row, insertKey);
        }
        return hasEntry != hadEntry || (hasEntry && !insertKey.isSameAs(oldKey));
    }

    /**
     * After {@link #keyChanged}: adds the row under its new key; false if it has an entry there from before, or is to
     * have none.
     */
    boolean insertChanged(int bucket, long row) {
        return hasEntry && insert(bucket, row, insertKey);
    }

    /** After {@link #rememberKey}. */
    SearchKey rememberedKey() {
        return oldKey;
    }

    /**
     * Removes the entry under a key that the row had, unless a version of the row has it.
     *
     * @param mayBeBack false if no version of the row can have the key
     */
    void releaseStale(int bucket, long row, long words, int bits, boolean mayBeBack) {
        oldKey.readFrom(words, bits);
        if (!mayBeBack || !hasVersionUnder(roots[bucket], oldKey, row)) {
            roots[bucket].remove(oldKey, row);
        }
    }

    private static boolean hasVersionUnder(RowIndex root, SearchKey key, long row) {
        if (root.isEntryOf(key, row)) {
            return true;
        }
        for (long record = RowLayout.versionLink(row); record != 0; record = VersionRecord.older(record)) {
            if (root.isEntryOf(key, VersionRecord.slotBefore(record))) {
                return true;
            }
        }
        return false;
    }

    /** Adds a row that stands in for another of the same key; fails with MEMORY_LIMIT. */
    void addCopy(int bucket, long row) {
        if (!format.admits(row)) {
            return;
        }
        format.keyOf(row, insertKey);
        roots[bucket].insert(insertKey, row);
    }

    /**
     * Whether the row has an entry: a partial index has none for others, and a unique hash index none for a key with a
     * null.
     */
    boolean hasEntryFor(long row) {
        return format.admits(row) && format.keyIfAny(row, insertKey) && (isOrdered() || !insertKey.hasNull());
    }

    /** Whether a look-up by the row's own key yields it. Unique indexes only. */
    boolean finds(int bucket, long row) {
        format.keyOf(row, insertKey);
        return roots[bucket].find(insertKey) == row;
    }

    /** Fails unless each tree is in order. */
    void verifyTrees() {
        for (RowIndex root : roots) {
            if (root instanceof OrderedIndex ordered) {
                ordered.verify();
            }
        }
    }

    /** Entries, ghosts included. */
    public long entryCount() {
        long entries = 0;
        for (RowIndex root : roots) {
            entries += root.entryCount();
        }
        return entries;
    }

    /** Bytes of native memory that the index uses. */
    public long usedBytes() {
        long bytes = 0;
        for (RowIndex root : roots) {
            bytes += root.usedBytes();
        }
        return bytes;
    }

    /**
     * Frees the memory of about so many entries; how many more it might have been, none if it has to be called again.
     */
    int clearSome(int mostEntries) {
        int left = mostEntries;
        for (int i = 0; i < roots.length && left > 0; i++) {
            left = roots[i].clearSome(left);
        }
        return left;
    }

    void clear() {
        for (RowIndex root : roots) {
            root.clear();
        }
    }
}
