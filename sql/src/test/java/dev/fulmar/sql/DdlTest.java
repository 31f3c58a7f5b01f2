package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TableAlteration.RepartitioningStage;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DdlTest {
    private final SqlCompiler compiler = new SqlCompiler();

    private CatalogChange change(String sql) {
        return ((SqlFrontend.Compiled.Change) compiler.compile(sql, Catalog.empty())).change();
    }

    private Column column(String definition) {
        return ((CatalogChange.CreateTable) change("CREATE TABLE t (c " + definition + ")"))
                .columns()
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BOOLEAN | BOOLEAN",
                "TINYINT | TINYINT",
                "SMALLINT | SMALLINT",
                "INT | INTEGER",
                "INTEGER | INTEGER",
                "BIGINT | BIGINT",
                "DECIMAL(12, 2) | DECIMAL(12, 2)",
                "NUMERIC(5) | DECIMAL(5, 0)",
                "DECIMAL | DECIMAL(38, 12)",
                "REAL | REAL",
                "FLOAT | DOUBLE",
                "float(24) | REAL",
                "DOUBLE PRECISION | DOUBLE",
                "CHAR(3) | CHAR(3)",
                "CHAR | CHAR(1)",
                "VARCHAR(10) | VARCHAR(10)",
                "VARCHAR(10 CHARACTERS) | VARCHAR(10)",
                "VARCHAR(10 BYTES) | VARCHAR(10)",
                "CHARACTER VARYING(7) | VARCHAR(7)",
                "STRING | VARCHAR(1048576)",
                "VARBINARY(8) | VARBINARY(8)",
                "DATE | DATE",
                "TIME | TIME",
                "TIMESTAMP | TIMESTAMP",
                "TIMESTAMP(3) | TIMESTAMP",
                "TIMESTAMP(3) ROUNDED | TIMESTAMP(3)",
                "TIMESTAMP(6) | TIMESTAMP",
                "TIME(0) ROUNDED WITHOUT TIME ZONE | TIME(0)",
                "TIMESTAMP(2) ROUNDED WITH TIME ZONE | TIMESTAMP(2) WITH TIME ZONE",
                "UUID | UUID"
            })
    void everyTypeHasItsNames(String written, String type) {
        assertThat(column(written).type().toString()).isEqualTo(type);
    }

    @Test
    void aTableHasKeysUniquesAndPresence() {
        CatalogChange.CreateTable table = (CatalogChange.CreateTable) change(
                "create table if not exists \"Order\" (a int, b bigint not null unique, \"c d\" date, constraint k unique (a,"
                        + " b), primary key (b, a) using ordered)");
        assertThat(table.name()).isEqualTo("Order");
        assertThat(table.presence()).isEqualTo(Presence.LENIENT);
        assertThat(table.primaryKey()).containsExactly("B", "A");
        assertThat(table.primaryKeyKind()).contains(IndexKind.ORDERED);
        assertThat(table.columns()).extracting(Column::name).containsExactly("A", "B", "c d");
        assertThat(table.columns()).extracting(Column::nullable).containsExactly(false, false, true);
        assertThat(table.uniques())
                .containsExactly(
                        new CatalogChange.Unique("Order_B_UNIQUE", List.of("B")),
                        new CatalogChange.Unique("K", List.of("A", "B")));
    }

    @Test
    void namesThatOtherDatabasesReserveAreColumns() {
        CatalogChange.CreateTable table = (CatalogChange.CreateTable) change(
                "CREATE TABLE t (value INT, key INT, date DATE, year INT, data INT, unique INT, check INT, type INT)");
        assertThat(table.columns()).hasSize(8);
    }

    @Test
    void defaultsAreConstantsOfTheColumnsType() {
        assertThat(column("INT DEFAULT 5").defaultValue())
                .isEqualTo(new Expression.Literal(column("INT").type(), 5L));
        assertThat(column("INT DEFAULT -5 NOT NULL").defaultValue())
                .isEqualTo(new Expression.Literal(column("INT").type(), -5L));
        assertThat(column("DECIMAL(6,2) DEFAULT 1.5").defaultValue())
                .isEqualTo(new Expression.Literal(column("DECIMAL(6,2)").type(), new BigDecimal("1.50")));
        assertThat(column("VARCHAR(10) DEFAULT 'it''s, (so)' NOT NULL").defaultValue())
                .extracting(value -> ((Expression.Literal) value).value())
                .isEqualTo("it's, (so)");
        assertThat(column("DATE DEFAULT '1970-01-02'").defaultValue())
                .isEqualTo(new Expression.Literal(column("DATE").type(), 1L));
        assertThat(column("BOOLEAN DEFAULT TRUE").defaultValue())
                .isEqualTo(new Expression.Literal(column("BOOLEAN").type(), true));
        assertThat(column("INT DEFAULT NULL").defaultValue()).isNull();
        assertThat(column("TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL").defaultValue())
                .isInstanceOfSatisfying(
                        Expression.Call.class,
                        call -> assertThat(call.function()).isEqualTo(ScalarFunction.CURRENT_TIMESTAMP));
    }

    @Test
    void indexesHaveDirectionsAndKinds() {
        assertThat(change("CREATE UNIQUE INDEX i ON t (a DESC, b ASC, c)"))
                .isEqualTo(new CatalogChange.CreateIndex(
                        "I",
                        "T",
                        IndexKind.ORDERED,
                        true,
                        List.of(
                                new CatalogChange.NamedColumn("A", true),
                                new CatalogChange.NamedColumn("B", false),
                                new CatalogChange.NamedColumn("C", false)),
                        Presence.STRICT));
        assertThat(change("CREATE INDEX IF NOT EXISTS i ON t (a) USING HASH"))
                .isEqualTo(new CatalogChange.CreateIndex(
                        "I",
                        "T",
                        IndexKind.HASH,
                        false,
                        List.of(new CatalogChange.NamedColumn("A", false)),
                        Presence.LENIENT));
    }

    @Test
    void dropsAndPartitioning() {
        assertThat(change("DROP TABLE t;")).isEqualTo(new CatalogChange.DropTable("T", Presence.STRICT));
        assertThat(change("DROP TABLE IF EXISTS t")).isEqualTo(new CatalogChange.DropTable("T", Presence.LENIENT));
        assertThat(change("DROP TABLE t IF EXISTS")).isEqualTo(new CatalogChange.DropTable("T", Presence.LENIENT));
        assertThat(change("DROP INDEX i")).isEqualTo(new CatalogChange.DropIndex("I", Presence.STRICT));
        assertThat(change("DROP PROCEDURE IF EXISTS a.B"))
                .isEqualTo(new CatalogChange.DropProcedure("a.B", Presence.LENIENT));
        assertThat(change("ALTER PROCEDURE a.B LOG VALUES")).isEqualTo(new CatalogChange.AlterProcedure("a.B", true));
        assertThat(change("ALTER PROCEDURE a.B LOG COMMANDS"))
                .isEqualTo(new CatalogChange.AlterProcedure("a.B", false));
        assertThat(change("PARTITION TABLE t ON COLUMN w")).isEqualTo(new CatalogChange.PartitionTable("T", "W"));
    }

    @Test
    void rowsArePlacedByAColumnOrByTheKeyOrEverywhere() {
        assertThat(place("PARTITION ON b"))
                .isEqualTo(new TableAlteration.Repartition(
                        new TablePartitioning.OnColumn("B"), new RepartitioningStage.All()));
        assertThat(place("PARTITION ON COLUMN b")).isEqualTo(place("PARTITION ON B"));
        assertThat(place("PARTITIONED"))
                .isEqualTo(
                        new TableAlteration.Repartition(new TablePartitioning.ByKey(), new RepartitioningStage.All()));
        assertThat(place("REPLICATED"))
                .isEqualTo(new TableAlteration.Repartition(
                        new TablePartitioning.Replicated(), new RepartitioningStage.All()));
        assertThat(place("REPLICATED INTO \".X\""))
                .isEqualTo(new TableAlteration.Repartition(
                        new TablePartitioning.Replicated(), new RepartitioningStage.Begin(".X")));
        assertThat(place("PARTITION ON COLUMN b FROM \".X\""))
                .isEqualTo(new TableAlteration.Repartition(
                        new TablePartitioning.OnColumn("B"), new RepartitioningStage.End(".X")));
    }

    private TableAlteration place(String clause) {
        Column column = new Column("B", ColumnType.of(TypeKind.BIGINT), false, null);
        Table table = new Table(1, "T", List.of(column), OptionalInt.empty(), List.of(), List.of());
        SqlFrontend.Compiled compiled =
                compiler.compile("ALTER TABLE t " + clause, Catalog.empty().withTable(table));
        return ((CatalogChange.AlterTable) ((SqlFrontend.Compiled.Change) compiled).change()).alteration();
    }

    @Test
    void proceduresComeFromSqlOrClasses() {
        assertThat(change("CREATE PROCEDURE PARTITION ON TABLE usertable COLUMN k FROM CLASS a.b.GetRow"))
                .isEqualTo(new CatalogChange.CreateProcedure(
                        new ProcedureDefinition(
                                "GetRow",
                                Optional.of(new ProcedureDefinition.Partitioning("USERTABLE", "K", 0)),
                                new ProcedureDefinition.JavaClass("a.b.GetRow", "")),
                        false));
        assertThat(change(
                        "CREATE OR REPLACE PROCEDURE Pay PARTITION ON TABLE w COLUMN id PARAMETER 2 AS UPDATE w SET a = ? WHERE"
                                + " id = ?;"))
                .isEqualTo(new CatalogChange.CreateProcedure(
                        new ProcedureDefinition(
                                "Pay",
                                Optional.of(new ProcedureDefinition.Partitioning("W", "ID", 2)),
                                new ProcedureDefinition.Sql(List.of("UPDATE w SET a = ? WHERE id = ?"))),
                        true));
        CatalogChange block = change(
                "CREATE PROCEDURE two AS BEGIN UPDATE w SET a = CASE WHEN b = ';' THEN 1 END; SELECT 1 FROM w; END;");
        assertThat(((ProcedureDefinition.Sql) ((CatalogChange.CreateProcedure) block)
                                .definition()
                                .body())
                        .statements())
                .containsExactly("UPDATE w SET a = CASE WHEN b = ';' THEN 1 END", "SELECT 1 FROM w");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE t | 1:15: expected '(', found the end of the statement",
                "CREATE TABLE t (a INT, a INT) | 1:24: column A is defined twice",
                "CREATE TABLE t (a WORD) | 1:19: there is no type WORD; docs/SQL.md lists the types",
                "CREATE TABLE t (a VARCHAR(0)) | 1:27: the length must be from 1 to 1048576, not 0",
                "CREATE TABLE t (a DECIMAL(39)) | 1:27: the precision must be from 1 to 38, not 39",
                "CREATE TABLE t (a INT, PRIMARY KEY (b)) | a key of table T names B, which is none of its columns",
                "CREATE TABLE t (a INT REFERENCES s ON DELETE WAIT) | 1:46: expected NO ACTION, RESTRICT",
                "CREATE TABLE t (a INT DEFAULT 'x') | 1:31: DEFAULT 'x' is no INTEGER",
                "CREATE TABLE t (a INT DEFAULT ?) | 1:31: a default has no parameters",
                "CREATE TABLE t (a INT DEFAULT (SELECT 1)) | 1:31: DEFAULT (SELECT 1)",
                "CREATE TABLE t (a INT CHECK (a + 1)) | 1:29: a CHECK is a condition, and this is of type INTEGER",
                "CREATE TABLE t (a INT CHECK (a > 1) | 1:36: expected",
                "CREATE TABLE t (a INT CHECK (b > 1)) | 1:30: there is no column B in T",
                "CREATE TABLE t (a INT CHECK (a > ?)) | 1:29: this CHECK has parameters",
                "CREATE TABLE t (a INT CHECK (MAX(a) > 1)) | 1:29: this CHECK reads other rows",
                "CREATE TABLE t (a INT CHECK (EXISTS (SELECT 1 FROM t))) | 1:29: this CHECK reads other rows",
                "CREATE TABLE t (a DATE CHECK (a < CURRENT_DATE)) | 1:30: this CHECK reads the clock",
                "ALTER TABLE t ADD CHECK (a > 1) | 1:13: there is no table T",
                "CREATE TRIGGER s | 1:8: expected TABLE, INDEX, UNIQUE INDEX, VIEW",
                "DROP TABLE | 1:11: expected a table name, found the end of the statement",
                "CREATE PROCEDURE p AS BEGIN SELECT 1 | expected ';' and END",
                "CREATE INDEX i ON t (a) USING MAGIC | 1:31: expected HASH or ORDERED, found 'MAGIC'",
                "CREATE TABLE \"t (a INT) | 1:14: this quoted name does not end",
                "/* no end | 1:1: this comment does not end"
            })
    void errorsNameThePlaceAndTheRemedy(String sql, String message) {
        assertThatThrownBy(() -> change(sql))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(message);
    }

    @Test
    void scriptsAreSplitAtSemicolonsOutsideOfTextCommentsAndBlocks() {
        assertThat(compiler.split("""
                -- a comment; with a semicolon
                SELECT ';' FROM t; /* ; */ ;
                CREATE PROCEDURE p AS BEGIN SELECT CASE WHEN a = 1 THEN 2 END FROM t; DELETE FROM t; END;
                SELECT "a;b" FROM t"""))
                .containsExactly(
                        "SELECT ';' FROM t",
                        "CREATE PROCEDURE p AS BEGIN SELECT CASE WHEN a = 1 THEN 2 END FROM t; DELETE FROM t; END",
                        "SELECT \"a;b\" FROM t");
    }

    @Test
    void positionsCountLines() {
        assertThatThrownBy(
                        () -> compiler.compile("SELECT a\nFROM (VALUES (1)) AS t (a)\n  WHERE b = 1", Catalog.empty()))
                .hasMessageStartingWith("3:9: ");
    }
}
