package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import java.time.ZoneId;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of changes with the names of constraints that count, as logs keep them. */
class ConstraintNamesTest {
    private static final String TEMPORARY = SchemaName.temporary(0, 1);

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = catalog();

    private Catalog catalog() {
        String t = "CREATE TABLE T (A INTEGER PRIMARY KEY, B INTEGER, CONSTRAINT T_B_CHECK CHECK (B > 0),"
                + " CONSTRAINT OWN UNIQUE (B), CONSTRAINT PARENT FOREIGN KEY (B) REFERENCES T (B))";
        Catalog made = CatalogFixture.with(compiler, t, Catalog.empty().withSchemas(new TreeSet<>(List.of("SHOP"))));
        CatalogChange.CreateTable create =
                (CatalogChange.CreateTable) ((SqlFrontend.Compiled.Change) compiler.compile(t, made)).change();
        made = made.withTable(made.table("T").withChecks(create.checks()).withForeignKeys(create.foreignKeys()));
        made = CatalogFixture.with(
                compiler, "CREATE TABLE SHOP.S (A INTEGER PRIMARY KEY, B INTEGER, UNIQUE (B))", made);
        return CatalogFixture.with(compiler, "CREATE INDEX S_A_B_KEY ON SHOP.S (A)", made);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE U (A INT PRIMARY KEY NOT NULL)|CREATE TABLE U (A INT CONSTRAINT \"U_PKEY\" PRIMARY KEY NAMED NOT NULL)",
                "CREATE TABLE U (A INT, CONSTRAINT PK PRIMARY KEY (A))|CREATE TABLE U (A INT, CONSTRAINT PK PRIMARY KEY NAMED (A))",
                "CREATE TABLE U (A INT UNIQUE REFERENCES T CHECK (A > 0))|CREATE TABLE U (A INT CONSTRAINT \"U_A_KEY\" UNIQUE CONSTRAINT \"U_A_FKEY\" REFERENCES T CONSTRAINT \"U_A_CHECK\" CHECK (A > 0))",
                "CREATE TABLE U (A INT CHECK (A > 0), CHECK (A < 9), CONSTRAINT U_A_CHECK1 CHECK (A < 8))|CREATE TABLE U (A INT CONSTRAINT \"U_A_CHECK\" CHECK (A > 0), CONSTRAINT \"U_A_CHECK1\" CHECK (A < 9), CONSTRAINT U_A_CHECK1 CHECK (A < 8))",
                "CREATE TABLE U (A INT UNIQUE, CONSTRAINT U_A_KEY CHECK (A > 0))|CREATE TABLE U (A INT CONSTRAINT \"U_A_KEY1\" UNIQUE, CONSTRAINT U_A_KEY CHECK (A > 0))",
                "CREATE TABLE \"Mixed\" (A INT UNIQUE)|CREATE TABLE \"Mixed\" (A INT CONSTRAINT \"Mixed_a_key\" UNIQUE)",
                "CREATE TABLE SHOP.U (A INT PRIMARY KEY, B INT CONSTRAINT X UNIQUE CONSTRAINT Y CHECK (B > 0))|CREATE TABLE SHOP.U (A INT CONSTRAINT \"SHOP.U_PKEY\" PRIMARY KEY NAMED, B INT CONSTRAINT \"SHOP.X\" UNIQUE CONSTRAINT Y CHECK (B > 0))",
                "CREATE TABLE SHOP.T_B (KEY INT UNIQUE)|CREATE TABLE SHOP.T_B (KEY INT CONSTRAINT \"SHOP.T_B_KEY_KEY\" UNIQUE)",
                "ALTER TABLE T ADD CHECK (B > 1)|ALTER TABLE T ADD CONSTRAINT \"T_B_CHECK1\" CHECK (B > 1)",
                "ALTER TABLE T ADD UNIQUE (A, B)|ALTER TABLE T ADD CONSTRAINT \"T_A_B_KEY\" UNIQUE (A, B)",
                "ALTER TABLE SHOP.S ADD UNIQUE (A, B)|ALTER TABLE SHOP.S ADD CONSTRAINT \"SHOP.S_A_B_KEY1\" UNIQUE (A, B)",
                "ALTER TABLE T ADD C INT REFERENCES T|ALTER TABLE T ADD C INT CONSTRAINT \"T_C_FKEY\" REFERENCES T",
                "ALTER TABLE T ADD PRIMARY KEY (A)|ALTER TABLE T ADD CONSTRAINT \"T_PK\" PRIMARY KEY NAMED (A)",
                "ALTER TABLE T DROP CONSTRAINT OWN|ALTER TABLE T DROP CONSTRAINT OWN",
                "ALTER TABLE SHOP.S DROP CONSTRAINT IF EXISTS S_PK|ALTER TABLE SHOP.S DROP CONSTRAINT IF EXISTS \"SHOP.S_PK\"",
                "ALTER TABLE T RENAME COLUMN B TO C|ALTER TABLE T RENAME COLUMN B TO C"
            })
    void sessionsOfPostgresHaveItsNames(String written, String named) {
        String marked = NamesMark.added(written);
        assertThat(compiler.named(marked, catalog)).isEqualTo(named);
        assertThat(compiler.named(named, catalog)).isEqualTo(named);
        assertThat(compiler.named(NamesMark.added(named), catalog)).isEqualTo(named);
        compiler.compile(named, catalog);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE U (A INT PRIMARY KEY, B INT UNIQUE CHECK (B > 0))|CREATE TABLE U (A INT PRIMARY KEY, B INT UNIQUE CHECK (B > 0))",
                "CREATE TABLE U (A INT CONSTRAINT PK PRIMARY KEY)|CREATE TABLE U (A INT CONSTRAINT PK PRIMARY KEY NAMED)",
                "CREATE TABLE U (A INT CONSTRAINT U_PRIMARY_KEY PRIMARY KEY)|CREATE TABLE U (A INT CONSTRAINT U_PRIMARY_KEY PRIMARY KEY)",
                "CREATE TABLE SHOP.U (A INT CONSTRAINT PK PRIMARY KEY, B INT CONSTRAINT X UNIQUE)|CREATE TABLE SHOP.U (A INT CONSTRAINT \"SHOP.PK\" PRIMARY KEY NAMED, B INT CONSTRAINT X UNIQUE)",
                "ALTER TABLE SHOP.S ADD CONSTRAINT PK PRIMARY KEY (B) USING HASH|ALTER TABLE SHOP.S ADD CONSTRAINT \"SHOP.PK\" PRIMARY KEY NAMED (B) USING HASH",
                "ALTER TABLE SHOP.S VALIDATE CONSTRAINT s_b_unique|ALTER TABLE SHOP.S VALIDATE CONSTRAINT \"SHOP.S_B_UNIQUE\"",
                "ALTER TABLE T DROP CONSTRAINT NONE|ALTER TABLE T DROP CONSTRAINT NONE"
            })
    void otherSessionsHaveThoseThatTheyGive(String written, String named) {
        assertThat(compiler.named(written, catalog)).isEqualTo(named);
        compiler.compile(named, catalog);
    }

    /** A constraint that an earlier statement has left, whose rows were not looked at to the end, is not made twice. */
    @Test
    void aStatementThatIsSentAgainGoesOnWithWhatThereIs() {
        Table table = catalog.table("T");
        Catalog left = catalog.withTable(table.withIndexes(table.indexes().stream()
                        .map(index -> index.primary() ? index : index.withUnvalidatedSince(7))
                        .toList())
                .withForeignKeys(table.foreignKeys().stream()
                        .map(key -> key.withUnvalidatedSince(7))
                        .toList()));
        String unique = NamesMark.added("ALTER TABLE T ADD UNIQUE (B)");
        String reference = NamesMark.added("ALTER TABLE T ADD FOREIGN KEY (B) REFERENCES T (B)");
        assertThat(compiler.named(unique, left)).isEqualTo("ALTER TABLE T ADD CONSTRAINT \"OWN\" UNIQUE (B)");
        assertThat(compiler.named(unique, catalog)).isEqualTo("ALTER TABLE T ADD CONSTRAINT \"T_B_KEY\" UNIQUE (B)");
        assertThat(compiler.named(reference, left))
                .isEqualTo("ALTER TABLE T ADD CONSTRAINT \"PARENT\" FOREIGN KEY (B) REFERENCES T (B)");
        assertThat(compiler.named(reference, catalog))
                .isEqualTo("ALTER TABLE T ADD CONSTRAINT \"T_B_FKEY\" FOREIGN KEY (B) REFERENCES T (B)");
    }

    /** A text that an earlier build has logged means what it meant there. */
    @Test
    void theNameOfAKeyCountsByTheWordAlone() {
        assertThat(keyName("CREATE TABLE U (A INT CONSTRAINT PK PRIMARY KEY)")).isEqualTo(new KeyName.Written("PK"));
        assertThat(new KeyName.Written("PK").of("U")).isEqualTo("U_PRIMARY_KEY");
        assertThat(keyName(NamesMark.added("CREATE TABLE U (A INT PRIMARY KEY)")))
                .isEqualTo(new KeyName.Unsaid());
        assertThat(keyName("CREATE TABLE U (A INT CONSTRAINT PK PRIMARY KEY NAMED)"))
                .isEqualTo(new KeyName.Given("PK"));
        assertThat(new KeyName.Given("PK").of("U")).isEqualTo("PK");
        CatalogChange.AlterTable alter =
                (CatalogChange.AlterTable) change("ALTER TABLE T ADD CONSTRAINT PK PRIMARY KEY NAMED (A)");
        assertThat(((TableAlteration.AddPrimaryKey) alter.alteration()).name()).isEqualTo(new KeyName.Given("PK"));
    }

    @Test
    void otherMarksStayAndThatOfNamesGoes() {
        StatementStyle oslo = StatementStyle.ofZone(ZoneId.of("Europe/Oslo"));
        String written = "CREATE TABLE PG_TEMP.U (A INT PRIMARY KEY)";
        String sent = ZoneMark.added(TemporaryMark.added(NamesMark.added(written), TEMPORARY), oslo);
        assertThat(NamesMark.isIn(sent)).isTrue();
        assertThat(TemporaryMark.removed(sent)).isEqualTo(written);
        assertThat(TemporaryMark.copied(sent, written)).isEqualTo(sent);
        String named = "CREATE TABLE PG_TEMP.U (A INT CONSTRAINT \"" + TEMPORARY + ".U_PKEY\" PRIMARY KEY NAMED)";
        assertThat(compiler.named(sent, catalog))
                .isEqualTo(ZoneMark.added(TemporaryMark.added(named, TEMPORARY), oslo));
        assertThat(NamesMark.isIn("SELECT '/* NAMES POSTGRES */'")).isFalse();
        assertThat(compiler.placed(sent, "REPLICATED"))
                .isEqualTo(ZoneMark.added(
                        TemporaryMark.added(NamesMark.added(written + "\nREPLICATED"), TEMPORARY), oslo));
    }

    private KeyName keyName(String sql) {
        return ((CatalogChange.CreateTable) change(sql)).keyName();
    }

    private CatalogChange change(String sql) {
        return ((SqlFrontend.Compiled.Change) compiler.compile(sql, catalog)).change();
    }
}
