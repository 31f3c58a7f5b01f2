package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.GivenNumbers.Kind;
import dev.fulmar.engine.plan.RowNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Statements about sequences, and the numbers that they are to be given. */
class SequenceStatementsTest {
    private static final int LOCAL = 10;
    private static final int DENSE = 20;
    private static final int OWNED = 30;
    private static final int NAMED = 40;
    private static final int INTEGERS = 60;
    private static final int LONGS = 70;
    private static final int REPLICATED = 90;
    private static final Column NUMBER = new Column("N", ColumnType.of(TypeKind.BIGINT), true, null);

    private final SqlCompiler compiler = new SqlCompiler();

    private final Catalog catalog = Catalog.empty()
            .withTable(new SequenceRule(1, 1, false).table(LOCAL, "LOCAL"))
            .withTable(new SequenceRule(1, 1, false, 5).table(DENSE, "DENSE"))
            .withTable(new SequenceRule(1, 1, true, 5).table(OWNED, "T_ID_SEQUENCE"))
            .withTable(new SequenceRule(1, 1, false, 5).table(NAMED, "Na\"me"))
            .withTable(table(50, "T", OptionalInt.of(0), identity("ID", TypeKind.INTEGER, OWNED), NUMBER))
            .withTable(new SequenceRule(1, 1, true).table(INTEGERS, "U_A_SEQUENCE"))
            .withTable(new SequenceRule(1, 1, true).table(LONGS, "U_B_SEQUENCE"))
            .withTable(table(
                    80,
                    "U",
                    OptionalInt.of(2),
                    identity("A", TypeKind.INTEGER, INTEGERS),
                    identity("B", TypeKind.BIGINT, LONGS),
                    NUMBER))
            .withTable(new SequenceRule(1, 1, true).table(REPLICATED, "V_ID_SEQUENCE"))
            .withTable(table(100, "V", OptionalInt.empty(), identity("ID", TypeKind.BIGINT, REPLICATED), NUMBER));

    private static Table table(int id, String name, OptionalInt partitioning, Column... columns) {
        return new Table(id, name, List.of(columns), partitioning, List.of(), List.of());
    }

    private static Column identity(String name, TypeKind kind, int sequence) {
        return Column.identity(name, ColumnType.of(kind), sequence, false);
    }

    private StatementPlan plan(String sql) {
        return ((SqlFrontend.Compiled.Runnable) compiler.compile(sql, catalog)).plan();
    }

    private List<GivenNumbers.Number> numbers(String sql) {
        return GivenNumbers.of(plan(sql), catalog::isDenseSequence);
    }

    private CatalogChange change(String sql) {
        return ((SqlFrontend.Compiled.Change) compiler.compile(sql, catalog)).change();
    }

    private static GivenNumbers.Number number(Kind kind, int sequence) {
        return new GivenNumbers.Number(kind, sequence);
    }

    private static void fails(ErrorCode code, ThrowingCallable statement) {
        assertThatThrownBy(statement)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void theCacheIsPartOfTheDefinition() {
        assertThat(((CatalogChange.CreateSequence) change("CREATE SEQUENCE s CACHE 20 START 7, INCREMENT BY -2"))
                        .rule())
                .isEqualTo(new SequenceRule(7, -2, false, 20));
        assertThat(((CatalogChange.CreateSequence) change("CREATE SEQUENCE s")).rule())
                .isEqualTo(new SequenceRule(1, 1, false));
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE u (id INTEGER IDENTITY (CACHE 3))"))
                        .identities()
                        .getFirst()
                        .rule())
                .isEqualTo(new SequenceRule(1, 1, true, 3));
        fails(ErrorCode.INVALID_ARGUMENT, () -> change("CREATE SEQUENCE s CACHE 0"));
        fails(ErrorCode.INVALID_ARGUMENT, () -> change("CREATE SEQUENCE s CACHE 1000000001"));
    }

    /** Partitions draw those of a sequence without CACHE by themselves, but a default is drawn wherever the row is. */
    @Test
    void aDefaultDrawsFromADenseSequence() {
        Column column = ((CatalogChange.CreateTable)
                        change("CREATE TABLE u (id INTEGER DEFAULT nextval('public.dense') NOT NULL, n INTEGER)"))
                .columns()
                .getFirst();
        assertThat(column.drawsFrom()).hasValue(DENSE);
        assertThat(column.isIdentity()).isFalse();
        assertThat(column.nullable()).isFalse();
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE u (id BIGINT DEFAULT NEXT VALUE FOR dense)"))
                        .columns()
                        .getFirst()
                        .drawsFrom())
                .hasValue(DENSE);
        fails(ErrorCode.NOT_SUPPORTED, () -> change("CREATE TABLE u (id INTEGER DEFAULT nextval('local'))"));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> change("CREATE TABLE u (id INTEGER DEFAULT nextval('t'))"));
        fails(ErrorCode.NOT_SUPPORTED, () -> change("ALTER TABLE t ADD COLUMN m BIGINT DEFAULT nextval('dense')"));
    }

    /** As tools for PostgreSQL write it. */
    @Test
    void wordsThatSayWhatIsSoAnywayAreTaken() {
        assertThat(((CatalogChange.CreateSequence) change(
                                "CREATE SEQUENCE s AS INTEGER START WITH 3 NO MINVALUE NO MAXVALUE NO CYCLE CACHE 2"))
                        .rule())
                .isEqualTo(new SequenceRule(3, 1, false, 2));
        fails(ErrorCode.INVALID_ARGUMENT, () -> change("CREATE SEQUENCE s AS VARCHAR"));
        for (String statement : List.of(
                "ALTER SEQUENCE dense OWNED BY t.id",
                "ALTER SEQUENCE dense OWNER TO ann",
                "ALTER SEQUENCE IF EXISTS nowhere RESTART WITH 3",
                "ALTER VIEW IF EXISTS nowhere OWNER TO ann",
                "ALTER TABLE dense OWNER TO ann",
                "ALTER TABLE t OWNER TO ann",
                "ALTER TABLE t CLUSTER ON i",
                "ALTER TABLE t SET (fillfactor = 70)",
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "ALTER TABLE t ALTER COLUMN n SET STATISTICS -1",
                "ALTER TABLE t ALTER n SET STORAGE EXTENDED")) {
            assertThat(((CatalogChange.AlterTable) change(statement)).alteration())
                    .as(statement)
                    .isInstanceOf(TableAlteration.Nothing.class);
        }
        fails(ErrorCode.UNKNOWN_OBJECT, () -> change("ALTER SEQUENCE other OWNER TO ann"));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> change("ALTER TABLE other OWNER TO ann"));
        fails(ErrorCode.SYNTAX, () -> change("ALTER TABLE t OWNER ann"));
        fails(ErrorCode.SYNTAX, () -> change("ALTER TABLE t SET (fillfactor = 70"));
    }

    @Test
    void aColumnThatIsThereMayBecomeAnIdentity() {
        assertThat(((CatalogChange.AlterTable)
                                change("ALTER TABLE t ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (CACHE 5)"))
                        .alteration())
                .isEqualTo(new TableAlteration.AddIdentity("N", new SequenceRule(1, 1, true, 5), true));
        fails(ErrorCode.NOT_SUPPORTED, () -> change("ALTER TABLE t ALTER n ADD GENERATED ALWAYS AS IDENTITY"));
    }

    @Test
    void functionsNameTheirSequence() {
        assertThat(numbers("SELECT nextval('local'), nextval('DENSE'), currval('dense'), lastval()"))
                .containsExactly(
                        number(Kind.NEXT, LOCAL),
                        number(Kind.NEXT_DENSE, DENSE),
                        number(Kind.CURRENT, DENSE),
                        number(Kind.LAST, 0));
        assertThat(numbers("VALUES (NEXTVAL ( 'public.dense' )), (nextval('\"Na\"\"me\"'::regclass))"))
                .containsExactly(number(Kind.NEXT_DENSE, DENSE), number(Kind.NEXT_DENSE, NAMED));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> plan("SELECT nextval('T')"));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> plan("SELECT nextval('\"dense\"')"));
        fails(ErrorCode.SYNTAX, () -> plan("SELECT nextval('na\"me')"));
        fails(ErrorCode.NOT_SUPPORTED, () -> plan("SELECT nextval('u_a_sequence')"));
        fails(ErrorCode.NOT_SUPPORTED, () -> plan("SELECT nextval('u_a_seq')"));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> plan("SELECT nextval('u_n_seq')"));
        assertThat(numbers("SELECT nextval('t_id_sequence'), nextval('t_id_seq')"))
                .containsExactly(number(Kind.NEXT_DENSE, OWNED), number(Kind.NEXT_DENSE, OWNED));
        assertThat(numbers("SELECT currval('t_id_sequence')")).containsExactly(number(Kind.CURRENT, OWNED));
        fails(ErrorCode.NOT_SUPPORTED, () -> plan("SELECT n FROM t WHERE n = currval('dense')"));
    }

    /** The partition then draws one that the column can have. */
    @Test
    void numbersOfAnIntegerColumnAreOfThatType() {
        assertThat(numbers("INSERT INTO u (n) VALUES (1), (2)"))
                .containsExactlyInAnyOrder(
                        number(Kind.NEXT_INTEGER, INTEGERS),
                        number(Kind.NEXT, LONGS),
                        number(Kind.NEXT_INTEGER, INTEGERS),
                        number(Kind.NEXT, LONGS));
        assertThat(numbers("SELECT CAST(nextval('local') AS INTEGER), nextval('local')"))
                .containsExactly(number(Kind.NEXT_INTEGER, LOCAL), number(Kind.NEXT, LOCAL));
    }

    @Test
    void numbersAreFurtherParameters() {
        StatementPlan plan = plan("INSERT INTO t (n) VALUES (?), (nextval('dense') + 1)");
        assertThat(GivenNumbers.needs(plan, catalog::isDenseSequence)).isTrue();
        assertThat(GivenNumbers.of(plan, catalog::isDenseSequence))
                .extracting(GivenNumbers.Number::sequence)
                .containsExactlyInAnyOrder(OWNED, OWNED, DENSE);
        StatementPlan given = GivenNumbers.given(plan, catalog::isDenseSequence, 3);
        assertThat(given.parameters()).hasSize(4);
        assertThat(GivenNumbers.needs(given, catalog::isDenseSequence)).isFalse();
        assertThat(GivenNumbers.given(plan("SELECT nextval('dense')"), catalog::isDenseSequence, 1)
                        .isReadOnly())
                .as("what is left only reads")
                .isTrue();
    }

    @Test
    void aStatementMayNeedAsManyAsItHasRows() {
        for (String sql : List.of(
                "INSERT INTO t (n) SELECT n FROM t",
                "INSERT INTO t (n) VALUES ((SELECT MAX(n) FROM t))",
                "INSERT INTO t (n) SELECT v.n FROM (VALUES (1), (2)) v (n), t")) {
            StatementPlan plan = plan(sql);
            assertThat(RowNumbers.sequences(plan)).as(sql).containsExactly(OWNED);
            assertThat(GivenNumbers.needs(plan, catalog::isDenseSequence)).isTrue();
            assertThat(numbers(sql)).containsExactly(number(Kind.NEXT_DENSE, OWNED));
            StatementPlan counting = GivenNumbers.given(plan, catalog::isDenseSequence, 1);
            assertThat(counting.isReadOnly()).isTrue();
            assertThat(counting.columns()).hasSize(1);
            StatementPlan given = GivenNumbers.given(plan, catalog::isDenseSequence, 5);
            assertThat(given.parameters()).hasSize(5);
            assertThat(given.addsRows()).isTrue();
            assertThat(GivenNumbers.needs(given, catalog::isDenseSequence)).isFalse();
        }
        assertThat(RowNumbers.sequences(plan("INSERT INTO t (n) VALUES (1), (2)")))
                .isEmpty();
        assertThat(RowNumbers.sequences(plan("INSERT INTO t SELECT id, n FROM t")))
                .isEmpty();
        assertThat(RowNumbers.sequences(plan("INSERT INTO u (n) SELECT n FROM u")))
                .isEmpty();
    }

    @Test
    void eachOfManyRowsIsGivenItsNumber() {
        String rows = "(1)" + ", (1)".repeat(1_100);
        assertThat(numbers("INSERT INTO t (n) VALUES " + rows)).hasSize(1_101);
    }

    @Test
    void aSequenceIsToldWhereToGoOn() {
        assertThat(change("SELECT setval('dense', 7);"))
                .isEqualTo(new CatalogChange.RestartSequence("DENSE", 7, true, true));
        assertThat(change("select SETVAL ( '\"Na\"\"me\"' :: regclass, -7, false )"))
                .isEqualTo(new CatalogChange.RestartSequence("Na\"me", -7, false, true));
        assertThat(change("SELECT setval('public.t_id_seq', 7)"))
                .isEqualTo(new CatalogChange.RestartSequence("T_ID_SEQUENCE", 7, true, true));
        assertThat(change("ALTER SEQUENCE public.dense RESTART 3"))
                .isEqualTo(new CatalogChange.RestartSequence("DENSE", 3, false, false));
        fails(ErrorCode.SYNTAX, () -> change("SELECT setval('dense', ?)"));
        fails(ErrorCode.SYNTAX, () -> change("SELECT setval('dense', 1, maybe)"));
        fails(ErrorCode.SYNTAX, () -> change("SELECT setval('dense', 1) + 1"));
        fails(ErrorCode.SYNTAX, () -> change("SELECT setval(dense, 1)"));
    }

    @Test
    void copiesOfARowDrawTheSameNumber() {
        assertThat(plan("INSERT INTO v (n) VALUES (1), (2)").steps())
                .as("rows of VALUES have an order")
                .isEmpty();
        assertThat(plan("INSERT INTO v (n) SELECT n FROM v").steps())
                .as("copies could read their rows in another order")
                .isPresent();
    }
}
