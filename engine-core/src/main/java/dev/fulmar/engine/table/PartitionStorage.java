package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.version.Horizon;
import dev.fulmar.engine.version.VersionLimits;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All tables of one partition. A bucket's rows of all partitioned tables share an arena; replicated tables and undo
 * share another. One thread at a time; the node's {@link ChunkSource} behind it is shared.
 */
public final class PartitionStorage implements AutoCloseable {
    private static final String CATALOG_CHANGED =
            "a table or index was created or dropped since the snapshot was chosen; try again";

    private final MemoryBudget budget;
    private final ChunkSource memory;
    private final BucketSet buckets;
    private final BucketMoves moves = new BucketMoves(this);
    private final BlockHeap sharedHeap;
    private final UndoLog undoLog;
    private final IndexExpressions expressions;
    private final DirtyMarks marks = new DirtyMarks();
    private final Horizon horizon = new Horizon();
    private @Nullable TableStore[] tables = new TableStore[16];
    private long shapeChanges;
    private long tableChanges;
    private boolean loadsImage;
    private @Nullable TablePreparation preparation;
    /** Dropped objects that still have memory: each frees so much of it, and says whether that was the last. */
    private final ArrayDeque<IntPredicate> dropped = new ArrayDeque<>();

    /** Keeps versions without a limit. */
    public PartitionStorage(ChunkSource memory, BucketMap buckets, long undoLimitBytes) {
        this(memory, buckets, undoLimitBytes, VersionLimits.unlimited());
    }

    /** @param undoLimitBytes how much undo one transaction may collect before it fails with UNDO_LIMIT */
    public PartitionStorage(ChunkSource memory, BucketMap buckets, long undoLimitBytes, VersionLimits versionLimits) {
        this(memory, buckets, undoLimitBytes, versionLimits, IndexExpressions.none());
    }

    /** As the other, with partial indexes. */
    public PartitionStorage(
            ChunkSource source,
            BucketMap buckets,
            long undoLimitBytes,
            VersionLimits versionLimits,
            IndexExpressions expressions) {
        this.expressions = expressions;
        this.memory = source.share();
        this.budget = memory.budget();
        sharedHeap = new BlockHeap(memory);
        this.buckets = BucketSet.of(buckets, sharedHeap, memory);
        undoLog = new UndoLog(sharedHeap, undoLimitBytes, horizon, versionLimits);
    }

    /** Whether what needs memory from now on would add rows, which get it up to the budget's mark only. */
    public void holdToMark(boolean isHeld) {
        memory.holdToMark(isHeld);
    }

    /** The undo log of the partition's transactions. */
    public UndoLog undoLog() {
        return undoLog;
    }

    /** The registered readers of earlier versions. */
    public Horizon horizon() {
        return horizon;
    }

    /**
     * Registers a reader of a snapshot: from now on everything is kept that it may see at the floor or at any later
     * timestamp. At any moment between two messages, also while a transaction is under way. Fails with MEMORY_LIMIT.
     *
     * @param floor no commit so far is above it
     * @param nowNanos of the monotonic clock
     */
    public VersionReader openReader(long floor, long nowNanos) {
        undoLog.retain();
        return horizon.register(floor, nowNanos);
    }

    /** The marks of the rows that the next checkpoint needs. */
    public DirtyMarks marks() {
        return marks;
    }

    /**
     * Before a recovery: until {@link #endRecovery} no limit of memory or undo stops anything. What was committed must
     * come back, though memory may be laid out otherwise now, or limits may be lower.
     */
    public void beginRecovery() {
        budget.lift();
        undoLog.limit(false);
    }

    /** The limits count again, for what comes from now on. */
    public void endRecovery() {
        undoLog.limit(true);
        budget.enforce();
    }

    /** The node's memory, of which this is a part. */
    public MemoryBudget budget() {
        return budget;
    }

    /** After rows were restored: builds the indexes, and marks what changes from now on. */
    public void finishRestore() {
        moves.finishRestore();
        stores().forEach(TableStore::finishRestore);
        moves.stores().forEach(TableStore::finishRestore);
        marks.start();
        checkTables();
    }

    /** Whether tables have rows of an image that their indexes have not yet. */
    void loadsImage(boolean loads) {
        loadsImage = loads;
    }

    /** Expensive: fails unless the tables are what they must be between two transactions; reads all of them. */
    void checkTables() {
        if (!Invariants.EXPENSIVE) {
            return;
        }
        stores().forEach(this::checkTable);
        moves.stores().forEach(this::checkTable);
    }

    private void checkTable(TableStore store) {
        StoreVerifier verifier = new StoreVerifier(store, undoLog.isRetaining(), moves::isRestoring);
        verifier.verifyRows();
        if (!loadsImage) {
            verifier.verifyIndexes();
        }
    }

    /** Shows what numbers the next rows of tables without primary key get. */
    public void visitRowNumbers(RowNumberVisitor visitor) {
        stores().forEach(store -> store.buckets().visitRowNumbers(visitor));
        moves.stores().forEach(store -> store.buckets().visitRowNumbers(visitor));
    }

    /** One more than the highest table id that there may be. */
    int tableIds() {
        return tables.length;
    }

    /** The store of the table with the catalog id: an array access. Fails with UNKNOWN_OBJECT if there is none. */
    public TableStore table(int tableId) {
        TableStore store = tableId < tables.length ? tables[tableId] : null;
        if (store == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no table with id " + tableId);
        }
        return store;
    }

    public boolean hasTable(int tableId) {
        return tableId < tables.length && tables[tableId] != null;
    }

    /**
     * The number of times that tables, indexes or buckets came or went. What fills tables by itself must begin anew if
     * they did meanwhile.
     */
    public long shapeChanges() {
        return shapeChanges;
    }

    /** The number of times that tables or indexes came or went. */
    long tableChanges() {
        return tableChanges;
    }

    public void createTable(Table table) {
        tablesChanged();
        enter(table.id(), newStore(table, marks));
    }

    private void enter(int id, TableStore store) {
        if (id >= tables.length) {
            tables = Arrays.copyOf(tables, Math.max(id + 1, 2 * tables.length));
        }
        Invariants.check(tables[id] == null, "a table is created once");
        tables[id] = store;
        undoLog.register(id, store.undoTarget());
    }

    private TableStore newStore(Table table, DirtyMarks itsMarks) {
        return table.isReplicated()
                ? newStore(table, BucketSet.single(sharedHeap), itsMarks)
                : newStore(table, buckets, itsMarks);
    }

    private TableStore newStore(Table table, BucketSet set, DirtyMarks itsMarks) {
        return new TableStore(table, set, itsMarks, horizon, expressions);
    }

    /** The table in a memory of its own, without rows; no transaction sees it. */
    TableStore newDetached(Table table, BlockHeap heap) {
        return newStore(table, BucketSet.single(heap), new DirtyMarks());
    }

    /** The bounds of the partition's buckets. */
    public BucketBounds bucketBounds() {
        return buckets.map().bounds();
    }

    /** The stores of all tables, by their ids. */
    List<TableStore> stores() {
        return Arrays.stream(tables).filter(Objects::nonNull).toList();
    }

    /** The stores of the partitioned tables, by their ids. */
    List<TableStore> partitioned() {
        return stores().stream()
                .filter(store -> !store.definition().isReplicated())
                .toList();
    }

    /** The buckets that leave row by row, or come so. */
    public BucketMoves moves() {
        return moves;
    }

    BucketSet buckets() {
        return buckets;
    }

    ChunkSource memory() {
        return memory;
    }

    /** Tables, indexes or buckets came or went. */
    void shapeChanged() {
        checkIdle();
        shapeChanges++;
    }

    private void tablesChanged() {
        shapeChanged();
        tableChanges++;
        moves.dropAll();
    }

    /** Whether what was dropped still has memory. */
    boolean hasGone() {
        return !dropped.isEmpty() || marks.hasLeaving();
    }

    /** The table or bucket has gone and still has memory, which {@link #freeSome} gives back. */
    void freeLater(IntPredicate gone) {
        dropped.add(gone);
    }

    /** Begins to make a table from another one. Checkpoints do not see it. */
    public TableRewrite beginShadow(Table before, Table after) {
        TableStore source = table(before.id());
        TableRewrite made = new TableRewrite(source, newStore(after, new DirtyMarks()), after);
        prepare(made);
        return made;
    }

    /**
     * Begins to build an index, which {@link #createIndex} completes.
     *
     * @param table the definition with the index
     */
    public IndexBackfill beginIndex(Table table, Index index) {
        return beginIndex(table, index, row -> {});
    }

    /**
     * As the other; the proof fails for a row with which there cannot be the index, and reads columns of the index
     * alone.
     */
    public IndexBackfill beginIndex(Table table, Index index, LongConsumer proof) {
        TableStore source = table(table.id());
        IndexBackfill growing = new IndexBackfill(source, table, source.newIndex(table, index), proof);
        prepare(growing);
        return growing;
    }

    /**
     * Begins to look at every row of the table, which {@link #prove} completes. The rest as
     * {@link ConstraintValidation} takes it.
     */
    public ConstraintValidation beginProof(int tableId, Object subject, LongConsumer proof, IntPredicate reads) {
        ConstraintValidation begun = new ConstraintValidation(table(tableId), subject, proof, reads);
        prepare(begun);
        return begun;
    }

    /** One at a time: changes of the catalog come one after the other. */
    private void prepare(TablePreparation begun) {
        discardPreparation();
        begun.source().observe(begun);
        preparation = begun;
    }

    /**
     * Does a bounded piece of what was begun, to be called while no transaction is under way; fails if it was given up
     * meanwhile.
     *
     * @return whether so little is left that the rest can be done while everything waits
     */
    public boolean prepareNext(TablePreparation begun, int mostRows) {
        if (preparation != begun) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART, "what the change of the catalog had prepared is gone; try again");
        }
        return begun.next(mostRows);
    }

    /** The preparation of a change of the catalog that is under way, or null. */
    public @Nullable TablePreparation preparation() {
        return preparation;
    }

    /** Gives up what is being prepared, if anything is. */
    public void discardPreparation() {
        TablePreparation begun = preparation;
        if (begun != null) {
            begun.unobserve();
            begun.discard();
            preparation = null;
        }
    }

    /** Discards the preparation of a table that is dropped: what is made from the table goes with it. */
    private void discardPreparationOf(int tableId) {
        TablePreparation begun = preparation;
        if (begun != null && begun.isOfTable(table(tableId))) {
            discardPreparation();
        }
    }

    /** Whether the index is being built in pieces. */
    public boolean isGrowing(Table table, Index index) {
        return preparation instanceof IndexBackfill growing
                && growing.isOf(table, index)
                && growing.source() == table(table.id());
    }

    /** Looks at every row that {@link #beginProof}'s pieces have left out, or at every row. */
    public void prove(int tableId, Object subject, LongConsumer proof, IntPredicate reads) {
        if (preparation instanceof ConstraintValidation begun && begun.isOf(subject)) {
            finishPreparation(begun);
        } else {
            finishPreparation(beginProof(tableId, subject, proof, reads));
        }
    }

    /** Does what is left; what was made is kept. */
    private void finishPreparation(TablePreparation begun) {
        try {
            begun.finish();
        } catch (RuntimeException failure) {
            discardPreparation();
            throw failure;
        }
        begun.unobserve();
        preparation = null;
    }

    /**
     * Begins to make a materialized view, whose rows follow from those of its source. Checkpoints do not see it.
     *
     * @param number of the source among those of the view
     */
    public ViewBackfill beginFold(Table source, int number, Table view) {
        UndoLog undo = new UndoLog(sharedHeap, Long.MAX_VALUE, new Horizon(), VersionLimits.unlimited());
        ViewBackfill made = new ViewBackfill(table(source.id()), number, newStore(view, new DirtyMarks()), view, undo);
        prepare(made);
        return made;
    }

    /** Makes what is left of the view, which is one of the partition's tables from now on. */
    public void installFold(ViewBackfill made) {
        tablesChanged();
        finishPreparation(made);
        try {
            made.complete();
        } catch (RuntimeException failure) {
            made.discard();
            throw failure;
        }
        install(made.table(), made.target());
    }

    /** Makes what is left of the table, which is one of the partition's from now on. */
    public void installShadow(TableRewrite made) {
        tablesChanged();
        finishPreparation(made);
        Invariants.check(
                made.target().rowCount() == made.source().rowCount(),
                "a table that is made from another one has a row for each of its rows");
        made.target().continueRowNumbers(made.source());
        install(made.table(), made.target());
    }

    private void install(Table table, TableStore made) {
        made.markIn(marks);
        marks.came(made);
        enter(table.id(), made);
    }

    /** Drops a table and frees its memory, which may wait for a checkpoint under way. */
    public void dropTable(int tableId) {
        TableStore store = withdraw(tableId);
        if (!marks.dropping(store, tableId)) {
            store.clear();
        }
    }

    /** Drops a table, whose memory {@link #freeSome} gives back, or the checkpoint that needs its rows. */
    public void retireTable(int tableId) {
        TableStore store = withdraw(tableId);
        if (!marks.dropping(store, tableId)) {
            dropped.add(store::clearSome);
        }
    }

    private TableStore withdraw(int tableId) {
        tablesChanged();
        discardPreparationOf(tableId);
        horizon.restartAll(CATALOG_CHANGED);
        giveUpVersions(CATALOG_CHANGED);
        TableStore store = table(tableId);
        tables[tableId] = null;
        undoLog.register(tableId, null);
        return store;
    }

    /** Frees some memory of dropped tables and indexes; returns whether none is left. */
    public boolean freeSome(int mostSlots) {
        IntPredicate first = dropped.peek();
        if (first != null && first.test(mostSlots)) {
            dropped.remove();
        }
        moves.releaseHistory(mostSlots);
        return dropped.isEmpty() && !moves.hasUnread();
    }

    /** Frees all memory of what was dropped, at once; but for what a checkpoint under way needs. */
    public void freeGone() {
        while (!freeSome(Integer.MAX_VALUE) && !marks.isCollecting()) {
            marks.freeLeaving(Integer.MAX_VALUE);
        }
    }

    /** Gives an empty table another definition, with another partitioning column. */
    public void replaceEmptyTable(Table table) {
        Invariants.check(table(table.id()).rowCount() == 0, "only an empty table is replaced");
        dropTable(table.id());
        createTable(table);
    }

    /**
     * Builds the index over the rows that exist, or what is left of it; on UNIQUE_VIOLATION or MEMORY_LIMIT nothing is
     * left of it.
     *
     * @param table the definition with the index
     */
    public void createIndex(Table table, Index index) {
        tablesChanged();
        // The new index has entries of the newest versions only.
        horizon.restartAll(CATALOG_CHANGED);
        if (isGrowing(table, index) && preparation instanceof IndexBackfill growing) {
            finishPreparation(growing);
            Invariants.check(
                    growing.index().entryCount() <= growing.source().rowCount(),
                    "an index that was built has no entry without a row of its table");
            growing.source().addBuilt(table, growing.index());
        } else {
            table(table.id()).addIndex(table, index);
        }
    }

    /** @param table the definition without the index */
    public void dropIndex(Table table, int indexId) {
        retired(table, indexId).clear();
    }

    /** Drops an index, whose memory {@link #freeSome} gives back. */
    public void retireIndex(Table table, int indexId) {
        TableIndex index = retired(table, indexId);
        dropped.add(most -> index.clearSome(most) > 0);
    }

    private TableIndex retired(Table table, int indexId) {
        tablesChanged();
        horizon.restartAll(CATALOG_CHANGED);
        giveUpVersions(CATALOG_CHANGED);
        return table(table.id()).removeIndex(table, indexId);
    }

    /** Forgets all rows, and leaves the tables. What is bound to a table must be bound anew. */
    public void forgetRows() {
        for (int id = 0; id < tables.length; id++) {
            TableStore store = tables[id];
            if (store != null) {
                Table table = store.definition();
                dropTable(id);
                createTable(table);
            }
        }
    }

    /** Gives a table a definition under which its rows lie as they do. */
    public void redefineTable(Table table) {
        checkIdle();
        moves.dropAll();
        table(table.id()).redefine(table);
    }

    /** Drops all tables. */
    public void forgetTables() {
        for (int id = 0; id < tables.length; id++) {
            if (tables[id] != null) {
                dropTable(id);
            }
        }
    }

    /** Expires all readers of snapshots: later work does not keep what a reader is in the midst of. */
    public void expireReaders(String reason) {
        horizon.expireAll(reason);
    }

    /**
     * Ends all readers of snapshots, for the reason, and gives earlier versions back. No transaction is under way.
     */
    public void giveUpVersions(String reason) {
        horizon.expireAll(reason);
        undoLog.reclaimAll();
        moves.releaseHistory(0);
    }

    private void checkIdle() {
        Invariants.check(undoLog.isEmpty(), "the catalog changes between transactions");
    }

    /** Bytes of native memory reserved from the node for this partition. */
    public long reservedBytes() {
        return buckets.reservedBytes() + moves.reservedBytes();
    }

    /** Bytes of native memory in live rows, blocks, indexes and undo. */
    public long usedBytes() {
        return buckets.usedBytes();
    }

    /** Undoes a running transaction and gives all memory back. */
    @Override
    public void close() {
        undoLog.rollback();
        discardPreparation();
        marks.abandon();
        moves.close();
        horizon.restartAll(CATALOG_CHANGED);
        giveUpVersions(CATALOG_CHANGED);
        undoLog.close();
        for (int id = 0; id < tables.length; id++) {
            if (tables[id] != null) {
                dropTable(id);
            }
        }
        while (hasGone()) {
            freeSome(Integer.MAX_VALUE);
            marks.freeLeaving(Integer.MAX_VALUE);
        }
        if (Invariants.EXPENSIVE) {
            Invariants.check(usedBytes() == 0, "a partition that is closed has freed all of its memory");
        }
        buckets.close();
    }
}
