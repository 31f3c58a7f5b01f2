package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** Each anomaly at each level of isolation: forbidden where the level forbids it, and shown where it permits it. */
class SessionAnomaliesTest extends SessionBank {
    private static final String READ_COMMITTED = "BEGIN ISOLATION LEVEL READ COMMITTED";
    private static final String SNAPSHOT = "BEGIN ISOLATION LEVEL SNAPSHOT";
    private static final String SERIALIZABLE = "BEGIN ISOLATION LEVEL SERIALIZABLE";

    private long total(Client client) {
        return SteppedDatabase.cell(client.run(TOTAL));
    }

    // G0: two transactions write the same rows.

    private Client[] writersOfTheSameRows(String level) {
        Client one = new Client().begin(level);
        Client two = new Client().begin(level);
        one.changes(SET, 11L, 1L);
        two.changes(SET, 22L, 2L);
        one.changes(SET, 11L, 2L);
        two.changes(SET, 22L, 1L);
        one.commits();
        return new Client[] {one, two};
    }

    private void assertBothAre(long balance) {
        assertThat(bank.balance(1)).isEqualTo(balance);
        assertThat(bank.balance(2)).isEqualTo(balance);
    }

    @Test
    void readCommittedForbidsG0() {
        writersOfTheSameRows(READ_COMMITTED)[1].commits();
        assertBothAre(22);
    }

    @Test
    void snapshotForbidsG0() {
        writersOfTheSameRows(SNAPSHOT)[1].fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertBothAre(11);
    }

    @Test
    void serializableForbidsG0() {
        writersOfTheSameRows(SERIALIZABLE)[1].commits();
        assertBothAre(22);
    }

    // G1a: a read of what is rolled back later.

    private void nothingIsSeenOfWhatIsRolledBack(String level) {
        Client writer = new Client().begin(level);
        Client reader = new Client().begin(level);
        writer.changes(SET, 5L, 1L);
        assertThat(reader.read(1)).isEqualTo(100);
        writer.run("ROLLBACK");
        assertThat(reader.read(1)).isEqualTo(100);
        reader.changes(ADD, 1L, 2L);
        reader.commits();
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    @Test
    void readCommittedForbidsG1a() {
        nothingIsSeenOfWhatIsRolledBack(READ_COMMITTED);
    }

    @Test
    void snapshotForbidsG1a() {
        nothingIsSeenOfWhatIsRolledBack(SNAPSHOT);
    }

    @Test
    void serializableForbidsG1a() {
        nothingIsSeenOfWhatIsRolledBack(SERIALIZABLE);
    }

    // G1b: a read of what its writer replaces before it commits.

    private void nothingIsSeenThatIsReplacedBeforeTheCommit(String level) {
        Client writer = new Client().begin(level);
        writer.changes(SET, 5L, 1L);
        Client early = new Client().begin(level);
        assertThat(early.read(1)).isEqualTo(100);
        writer.changes(SET, 6L, 1L);
        writer.commits();
        Client late = new Client().begin(level);
        assertThat(late.read(1)).isEqualTo(6);
        late.commits();
        early.commits();
    }

    @Test
    void readCommittedForbidsG1b() {
        nothingIsSeenThatIsReplacedBeforeTheCommit(READ_COMMITTED);
    }

    @Test
    void snapshotForbidsG1b() {
        nothingIsSeenThatIsReplacedBeforeTheCommit(SNAPSHOT);
    }

    @Test
    void serializableForbidsG1b() {
        nothingIsSeenThatIsReplacedBeforeTheCommit(SERIALIZABLE);
    }

    // G1c: each of two transactions sees what the other one writes.

    private Client twoThatLookForWhatTheOtherOneWrites(String level) {
        Client one = new Client().begin(level);
        Client two = new Client().begin(level);
        one.changes(SET, 11L, 1L);
        two.changes(SET, 22L, 2L);
        assertThat(one.read(2)).isEqualTo(100);
        assertThat(two.read(1)).isEqualTo(100);
        one.commits();
        return two;
    }

    @Test
    void readCommittedForbidsG1c() {
        twoThatLookForWhatTheOtherOneWrites(READ_COMMITTED).commits();
    }

    @Test
    void snapshotForbidsG1c() {
        twoThatLookForWhatTheOtherOneWrites(SNAPSHOT).commits();
    }

    @Test
    void serializableForbidsG1c() {
        twoThatLookForWhatTheOtherOneWrites(SERIALIZABLE).fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    // Lost update (P4): a change between the read and the write, or between the write and the COMMIT.

    private Client oneWhoseRowChangedAfterItsWrite(String level) {
        Client one = new Client().begin(level);
        one.changes(SET, one.read(1) + 1, 1L);
        bank.sql(ADD, 5L, 1L);
        return one;
    }

    @Test
    void readCommittedPermitsALostUpdate() {
        Client one = new Client().begin(READ_COMMITTED);
        long seen = one.read(1);
        bank.sql(ADD, 5L, 1L);
        one.changes(SET, seen + 1, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(101);
        oneWhoseRowChangedAfterItsWrite(READ_COMMITTED).commits();
        assertThat(bank.balance(1)).isEqualTo(102);
    }

    private void noUpdateIsLost(String level) {
        Client one = new Client().begin(level);
        long seen = one.read(1);
        bank.sql(ADD, 5L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, SET, seen + 1, 1L);
        one.run("ROLLBACK");
        oneWhoseRowChangedAfterItsWrite(level).fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(110);
    }

    @Test
    void snapshotForbidsALostUpdate() {
        noUpdateIsLost(SNAPSHOT);
    }

    @Test
    void serializableForbidsALostUpdate() {
        noUpdateIsLost(SERIALIZABLE);
    }

    // G-single (read skew): a transaction sees one write of another one, and misses the other.

    private Client oneThatReadsWhileMoneyIsMoved(String level) {
        Client one = new Client().begin(level);
        assertThat(one.read(1)).isEqualTo(100);
        bank.sql(ADD, -10L, 1L);
        bank.sql(ADD, 10L, 2L);
        return one;
    }

    @Test
    void readCommittedPermitsGSingle() {
        Client one = oneThatReadsWhileMoneyIsMoved(READ_COMMITTED);
        assertThat(one.read(2)).isEqualTo(110);
        one.commits();
    }

    /** Neither what is read nor what is written is of two states. */
    private void noTwoStatesAreMixed(String level) {
        Client one = oneThatReadsWhileMoneyIsMoved(level);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 2L);
        one.run("ROLLBACK");
        Client two = new Client().begin(level);
        assertThat(two.read(1)).isEqualTo(90);
        two.changes(ADD, 0L, 2L);
        bank.sql(ADD, -10L, 1L);
        bank.sql(ADD, 10L, 2L);
        two.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void snapshotForbidsGSingle() {
        noTwoStatesAreMixed(SNAPSHOT);
    }

    @Test
    void serializableForbidsGSingle() {
        noTwoStatesAreMixed(SERIALIZABLE);
    }

    // Write skew (G2-item): each of two transactions changes what the other one has only read.

    private Client secondOfTwoThatDrawOnASum(String level) {
        Client one = new Client().begin(level);
        Client two = new Client().begin(level);
        assertThat(one.read(1) + one.read(2)).isEqualTo(200);
        assertThat(two.read(1) + two.read(2)).isEqualTo(200);
        one.changes(ADD, -150L, 1L);
        two.changes(ADD, -150L, 2L);
        one.commits();
        return two;
    }

    @Test
    void readCommittedPermitsWriteSkew() {
        secondOfTwoThatDrawOnASum(READ_COMMITTED).commits();
        assertThat(bank.balance(1) + bank.balance(2)).isEqualTo(-100);
    }

    @Test
    void snapshotPermitsWriteSkew() {
        secondOfTwoThatDrawOnASum(SNAPSHOT).commits();
        assertThat(bank.balance(1) + bank.balance(2)).isEqualTo(-100);
    }

    @Test
    void serializableForbidsWriteSkew() {
        secondOfTwoThatDrawOnASum(SERIALIZABLE).fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1) + bank.balance(2)).isEqualTo(50);
    }

    // Phantom: a row comes into a range that was read.

    private Client oneWhoseRangeGrows(String level) {
        Client one = new Client().begin(level);
        assertThat(total(one)).isEqualTo(600);
        bank.sql(INSERT, 7L, 1L);
        return one;
    }

    /** A row comes while nothing more is read. */
    private Client oneWhoseRangeGrowsBeforeItsCommit(String level) {
        Client one = new Client().begin(level);
        one.changes(SET, total(one), 5L);
        bank.sql(INSERT, 8L, 1L);
        return one;
    }

    @Test
    void readCommittedPermitsPhantoms() {
        Client one = oneWhoseRangeGrows(READ_COMMITTED);
        assertThat(total(one)).isEqualTo(601);
        one.commits();
        oneWhoseRangeGrowsBeforeItsCommit(READ_COMMITTED).commits();
    }

    @Test
    void snapshotShowsNoPhantom() {
        Client one = oneWhoseRangeGrows(SNAPSHOT);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, TOTAL);
        one.run("ROLLBACK");
    }

    /** That is write skew over a range. */
    @Test
    void snapshotPermitsARangeToGrowBeforeTheCommit() {
        oneWhoseRangeGrowsBeforeItsCommit(SNAPSHOT).commits();
        assertThat(bank.balance(5)).isEqualTo(600);
    }

    @Test
    void serializableForbidsPhantoms() {
        Client one = oneWhoseRangeGrows(SERIALIZABLE);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, TOTAL);
        one.run("ROLLBACK");
        oneWhoseRangeGrowsBeforeItsCommit(SERIALIZABLE).fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }
}
