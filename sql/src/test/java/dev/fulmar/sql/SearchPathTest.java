package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables that plain names mean in a session that looks for them in other schemas than PUBLIC. */
class SearchPathTest {
    private static final String TEMPORARY = SchemaName.temporary(0, 1);
    private static final Pattern TABLE = Pattern.compile("table=(\\d+)");

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = catalog();

    private Catalog catalog() {
        String columns = " (A INTEGER PRIMARY KEY, B INTEGER)";
        Catalog made = Catalog.empty().withSchemas(new TreeSet<>(List.of("APP", "Old, one")));
        for (String statement : List.of(
                "CREATE TABLE T" + columns,
                "CREATE TABLE S" + columns,
                "CREATE TABLE APP.T" + columns,
                "CREATE TABLE APP.U" + columns,
                "CREATE TABLE \"Old, one\".S" + columns,
                "CREATE VIEW APP.V AS SELECT A FROM APP.T",
                "CREATE INDEX \"APP.I\" ON APP.T (B)",
                TemporaryMark.added("CREATE TABLE PG_TEMP.U" + columns, TEMPORARY))) {
            made = CatalogFixture.with(compiler, statement, made);
        }
        return made;
    }

    private SqlFrontend.Compiled compiled(String sql, String... path) {
        return compiler.compile(ZoneMark.added(sql, StatementStyle.USUAL.withPath(List.of(path))), catalog);
    }

    /** Names of the tables that a statement reads or writes, in their order. */
    private String meant(String sql, String... path) {
        return tables(compiled(sql, path));
    }

    private String tables(SqlFrontend.Compiled compiled) {
        String plan = ((SqlFrontend.Compiled.Runnable) compiled).plan().toString();
        List<Integer> ids = TABLE.matcher(plan)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
        return catalog.tables().values().stream()
                .filter(table -> ids.contains(table.id()))
                .map(table -> table.name().replace(TEMPORARY, "temporary"))
                .collect(Collectors.joining(" "));
    }

    private CatalogChange change(String sql, String... path) {
        return ((SqlFrontend.Compiled.Change) compiled(sql, path)).change();
    }

    private void assertRefused(String message, String sql, String... path) {
        assertThatThrownBy(() -> compiled(sql, path))
                .as(sql)
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aPlainNameIsOfTheFirstSchemaThatHasIt() {
        assertThat(meant("SELECT A FROM T", "APP", "PUBLIC")).isEqualTo("APP.T");
        assertThat(meant("SELECT A FROM T", "PUBLIC", "APP")).isEqualTo("T");
        assertThat(meant("SELECT A FROM U", "PUBLIC", "APP")).isEqualTo("APP.U");
        assertThat(meant("SELECT A FROM S", "APP", "PUBLIC")).isEqualTo("S");
        assertThat(meant("SELECT A FROM S", "APP", "Old, one", "PUBLIC")).isEqualTo("Old, one.S");
        assertThat(meant("SELECT A FROM V", "PUBLIC", "APP")).isEqualTo("APP.T");
        assertThat(meant("SELECT A FROM PUBLIC.T", "APP", "PUBLIC")).isEqualTo("T");
        assertThat(meant("SELECT T.A FROM T JOIN S ON T.B = S.B", "APP", "PUBLIC"))
                .isEqualTo("APP.T S");
        assertThat(meant("SELECT A FROM T", "NOWHERE", "APP")).isEqualTo("APP.T");
        assertThat(tables(compiler.compile("SELECT A FROM T", catalog))).isEqualTo("T");
    }

    @Test
    void changesOfRowsFindTheirTablesLikewise() {
        assertThat(meant("INSERT INTO T VALUES (1, 2)", "APP", "PUBLIC")).isEqualTo("APP.T");
        assertThat(meant("UPDATE T SET B = 3 WHERE T.A = 1", "APP")).isEqualTo("APP.T");
        assertThat(meant("DELETE FROM T WHERE A IN (SELECT A FROM S)", "APP", "PUBLIC"))
                .isEqualTo("APP.T S");
        assertThat(meant("UPDATE T SET B = 3 WHERE A = 1 RETURNING B", "APP", "PUBLIC"))
                .isEqualTo("APP.T");
        assertThat(meant("INSERT INTO T VALUES (1, 2) ON CONFLICT (A) DO UPDATE SET B = 3", "APP", "PUBLIC"))
                .isEqualTo("APP.T");
        assertThat(meant("MERGE INTO T USING S ON T.A = S.A WHEN MATCHED THEN DELETE", "APP", "PUBLIC"))
                .contains("APP.T")
                .contains("S");
        assertThat(meant("TRUNCATE TABLE T", "APP", "PUBLIC")).isEqualTo("APP.T");
        assertThat(meant("SELECT A FROM T WHERE A = 1 FOR UPDATE", "APP", "PUBLIC"))
                .isEqualTo("APP.T");
        assertThat(meant("WITH T AS (SELECT A FROM S) SELECT A FROM T", "APP", "PUBLIC"))
                .isEqualTo("S");
        assertRefused("hides it", "DELETE FROM PUBLIC.T WHERE A = 1 RETURNING B", "APP", "PUBLIC");
    }

    @Test
    void withoutPublicItsTablesAreNotFound() {
        assertThat(meant("SELECT A FROM T", "APP")).isEqualTo("APP.T");
        assertRefused("S", "SELECT A FROM S", "APP");
        assertRefused("NOWHERE", "SELECT A FROM S", "NOWHERE");
        assertThat(((CatalogChange.DropTable) change("DROP TABLE S", "APP")).name())
                .isEqualTo("APP.S");
        assertThat(meant("SELECT A FROM PUBLIC.S", "APP")).isEqualTo("S");
    }

    @Test
    void temporaryTablesComeFirst() {
        StatementStyle style = StatementStyle.USUAL.withPath(List.of("APP", "PUBLIC"));
        String sql = ZoneMark.added(TemporaryMark.added("SELECT U.A FROM U, T", TEMPORARY), style);
        assertThat(tables(compiler.compile(sql, catalog))).isEqualTo("APP.T temporary.U");
    }

    @Test
    void whatIsMadeIsInTheFirstSchemaThatThereIs() {
        CatalogChange.CreateTable table = (CatalogChange.CreateTable) change(
                "CREATE TABLE N (A INTEGER PRIMARY KEY, B INTEGER REFERENCES U (A), D INTEGER"
                        + " REFERENCES S (A), E INTEGER REFERENCES N (A))",
                "APP",
                "PUBLIC");
        assertThat(table.name()).isEqualTo("APP.N");
        assertThat(table.foreignKeys().stream().map(ForeignKey::parent)).containsExactly("APP.U", "S", "APP.N");
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE N (A INTEGER)", "NOWHERE", "APP")).name())
                .isEqualTo("APP.N");
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE PUBLIC.N (A INTEGER)", "APP")).name())
                .isEqualTo("N");
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE N (A INTEGER)", "PUBLIC", "APP")).name())
                .isEqualTo("N");
        assertRefused("no schema", "CREATE TABLE N (A INTEGER)", "NOWHERE");
        assertThat(change("CREATE SEQUENCE N", "APP", "PUBLIC").toString()).contains("APP.N");
    }

    /** A change of PostgreSQL's clients as it is logged. */
    private String named(String sql) {
        StatementStyle style = StatementStyle.USUAL.withPath(List.of("APP", "PUBLIC"));
        return compiler.named(ZoneMark.added(NamesMark.added(sql), style), catalog);
    }

    @Test
    void changesOfTheCatalogFindTheirObjectsLikewise() {
        assertThat(((CatalogChange.DropTable) change("DROP TABLE U", "PUBLIC", "APP")).name())
                .isEqualTo("APP.U");
        assertThat(((CatalogChange.DropView) change("DROP VIEW V", "APP")).name())
                .isEqualTo("APP.V");
        assertThat(((CatalogChange.DropIndex) change("DROP INDEX I", "APP")).name())
                .isEqualTo("APP.I");
        CatalogChange.CreateIndex index =
                (CatalogChange.CreateIndex) change("CREATE INDEX J ON U (B)", "APP", "PUBLIC");
        assertThat(index.table()).isEqualTo("APP.U");
        assertThat(named("CREATE INDEX J ON U (B)")).startsWith("CREATE INDEX \"APP.J\" ON U (B)");
        assertThat(named("CREATE INDEX J ON S (B)")).startsWith("CREATE INDEX \"J\" ON S (B)");
        assertThat(named("CREATE INDEX J ON APP.U (B)")).startsWith("CREATE INDEX \"APP.J\" ON APP.U (B)");
        assertThat(named("CREATE INDEX APP.J ON APP.U (B)")).startsWith("CREATE INDEX APP.J ON APP.U (B)");
        assertThat(named("ALTER INDEX I RENAME TO J")).startsWith("ALTER INDEX I RENAME TO \"APP.J\"");
    }

    /** Others read the text of a view without the path, and also once there are other tables of the name. */
    @Test
    void keptTextsNameTheSchemas() {
        CatalogChange.CreateView view = (CatalogChange.CreateView) change(
                "CREATE VIEW W AS WITH X AS (SELECT A FROM T) SELECT X.A, T.B FROM X JOIN T ON X.A = T.A, S AS \"T2\""
                        + " WHERE EXISTS (SELECT 1 FROM u)",
                "APP",
                "PUBLIC");
        assertThat(view.view().name()).isEqualTo("APP.W");
        assertThat(view.view().text())
                .isEqualTo("WITH X AS (SELECT A FROM \"APP\".\"T\") SELECT X.A, T.B FROM X JOIN \"APP\".\"T\" ON X.A ="
                        + " T.A, S AS \"T2\" WHERE EXISTS (SELECT 1 FROM \"APP\".\"U\")");
        assertThat(view.view().uses()).containsExactlyInAnyOrder("APP.T", "APP.U", "S");

        CreateTableAsPlan made = ((SqlFrontend.Compiled.TableOfQuery)
                        compiled("CREATE TABLE N AS SELECT A FROM T", "APP", "PUBLIC"))
                .table();
        assertThat(made.name()).isEqualTo("APP.N");
        assertThat(made.filling("X"))
                .hasValueSatisfying(
                        filling -> assertThat(filling).startsWith("INSERT INTO \"X\" SELECT A FROM \"APP\".\"T\" "));
    }

    @Test
    void tellsTheSchemasThatThereAre() {
        String current = "SELECT \"#CURRENT_SCHEMA\"(), \"#CURRENT_SCHEMAS\"(FALSE), \"#CURRENT_SCHEMAS\"(TRUE)";
        assertThat(((SqlFrontend.Compiled.Runnable) compiled(current, "NOWHERE", "APP", "PUBLIC"))
                        .plan()
                        .toString())
                .contains("app")
                .contains("{app,public}")
                .contains("{pg_catalog,app,public}");
    }

    @Test
    void aPathIsReadAsItWasWritten() {
        StatementStyle style = StatementStyle.USUAL.withPath(List.of("APP", "Old, one", "a*/b;c", "PUBLIC"));
        String marked = ZoneMark.added("SELECT 1", style);
        assertThat(ZoneMark.style(marked)).isEqualTo(style);
        assertThat(ZoneMark.removed(marked)).isEqualTo("SELECT 1");
        assertThat(marked).isEqualTo("SELECT 1 /* TIME ZONE UTC;PATH=APP,%4f6c642c206f6e65,%612a2f623b63,PUBLIC */");
    }
}
