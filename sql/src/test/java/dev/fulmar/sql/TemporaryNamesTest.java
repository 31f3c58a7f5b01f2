package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables that statements mean by plain names, with temporary ones and without. */
class TemporaryNamesTest {
    private static final String SCHEMA = SchemaName.temporary(0, 1);
    private static final String OTHER = SchemaName.temporary(0, 2);
    private static final Pattern TABLE = Pattern.compile("table=(\\d+)");

    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = catalog();

    private Catalog catalog() {
        String columns = " (A INTEGER PRIMARY KEY, B INTEGER)";
        Catalog made = Catalog.empty();
        for (String statement : List.of(
                "CREATE TABLE T" + columns,
                "CREATE TABLE S" + columns,
                TemporaryMark.added("CREATE TABLE PG_TEMP.T" + columns, SCHEMA),
                TemporaryMark.added("CREATE TABLE PG_TEMP.U" + columns, OTHER))) {
            made = CatalogFixture.with(compiler, statement, made);
        }
        return made;
    }

    private SqlFrontend.Compiled compiled(String sql) {
        return compiler.compile(TemporaryMark.added(sql, SCHEMA), catalog);
    }

    /** Names of the tables that a statement reads or writes. */
    private Set<String> tables(SqlFrontend.Compiled compiled) {
        StatementPlan plan = ((SqlFrontend.Compiled.Runnable) compiled).plan();
        Set<Integer> ids = new TreeSet<>();
        TABLE.matcher(plan.toString()).results().forEach(found -> ids.add(Integer.valueOf(found.group(1))));
        Set<String> names = new TreeSet<>();
        catalog.tables().values().stream()
                .filter(table -> ids.contains(table.id()))
                .forEach(table -> names.add(table.name().replace(SCHEMA + ".", "temporary ")));
        return names;
    }

    private Set<String> meant(String sql) {
        return tables(compiled(sql));
    }

    private CatalogChange change(String sql) {
        return ((SqlFrontend.Compiled.Change) compiled(sql)).change();
    }

    @Test
    void aPlainNameIsTheTemporaryTables() {
        assertThat(meant("SELECT T.A FROM T")).containsExactly("temporary T");
        assertThat(meant("SELECT X.A FROM PG_TEMP.T X")).containsExactly("temporary T");
        assertThat(meant("SELECT A FROM PUBLIC.T")).containsExactly("T");
        assertThat(meant("SELECT S.A FROM S JOIN T ON S.A = T.A WHERE S.B IN (SELECT B FROM T)"))
                .containsExactly("S", "temporary T");
        assertThat(meant("SELECT (SELECT MAX(B) FROM T) FROM S")).containsExactly("S", "temporary T");
        assertThat(meant("SELECT A FROM S UNION ALL SELECT A FROM T")).containsExactly("S", "temporary T");
        assertThat(meant("SELECT A FROM (SELECT A FROM T) AS S")).containsExactly("temporary T");
        assertThat(meant("INSERT INTO T SELECT A, B FROM S"))
                .contains("temporary T")
                .doesNotContain("T");
        assertThat(meant("DELETE FROM T WHERE T.A = 1")).containsExactly("temporary T");
        assertThat(meant("UPDATE T SET B = T.B + 1 WHERE A = 1")).containsExactly("temporary T");
        assertThat(meant("TRUNCATE TABLE T")).containsExactly("temporary T");
        assertThat(tables(compiler.compile("SELECT A FROM T", catalog))).containsExactly("T");
    }

    @Test
    void aQueryOfWithComesFirst() {
        assertThat(meant("WITH T AS (SELECT A FROM S) SELECT A FROM T")).containsExactly("S");
        assertThat(meant("WITH T AS (SELECT A FROM T) SELECT A FROM T")).containsExactly("temporary T");
        assertThat(meant("SELECT A FROM T WHERE A IN (WITH T AS (SELECT A FROM S) SELECT A FROM T)"))
                .containsExactly("S", "temporary T");
    }

    /** Texts that the engine writes for a statement mean the tables that the catalog has by these names. */
    @Test
    void aPermanentTableThatIsHiddenIsChangedByItsName() {
        assertThat(meant("INSERT INTO PUBLIC.T SELECT A, B FROM S")).containsExactly("S", "T");
        assertThat(meant("DELETE FROM PUBLIC.T WHERE A IN (SELECT A FROM S)")).containsExactly("S", "T");
        assertThat(meant("UPDATE PUBLIC.T SET B = 1 WHERE A IN (SELECT A FROM S)"))
                .containsExactly("S", "T");
        assertThat(meant("UPDATE PUBLIC.T SET A = A + 1")).containsExactly("T");
        assertThat(((CatalogChange.CreateIndex) change("CREATE INDEX J ON PUBLIC.T ((A + 1))")).table())
                .isEqualTo("T");
        for (String sql : List.of(
                "DELETE FROM PUBLIC.T WHERE A = 1 RETURNING B",
                "INSERT INTO PUBLIC.T VALUES (1, 2) ON CONFLICT (A) DO UPDATE SET B = 3",
                "UPDATE PUBLIC.T SET B = S.B FROM S WHERE S.A = 1",
                "MERGE INTO PUBLIC.T USING S ON T.A = S.A WHEN MATCHED THEN DELETE")) {
            assertThatThrownBy(() -> compiled(sql))
                    .as(sql)
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("hides it");
        }
    }

    @Test
    void changesAreOfTheTemporaryTable() {
        String table = SCHEMA + ".T";
        assertThat(((CatalogChange.DropTable) change("DROP TABLE T")).name()).isEqualTo(table);
        assertThat(((CatalogChange.DropTable) change("DROP TABLE PUBLIC.T")).name())
                .isEqualTo("T");
        assertThat(((CatalogChange.DropTable) change("DROP TABLE S")).name()).isEqualTo("S");
        assertThat(((CatalogChange.CreateTable) change("CREATE TABLE T (C INTEGER)")).name())
                .isEqualTo("T");
        CatalogChange.CreateIndex index = (CatalogChange.CreateIndex) change("CREATE INDEX I ON T (B)");
        assertThat(index.table()).isEqualTo(table);
        assertThat(index.name()).isEqualTo(SCHEMA + ".I");
        assertThat(((CatalogChange.AlterTable) change("ALTER TABLE T RENAME TO V")).alteration())
                .isEqualTo(new TableAlteration.RenameTable(SCHEMA + ".V", List.of(), Map.of()));
    }

    @Test
    void viewsAreOfPermanentTablesAndTellNothing() {
        CatalogChange.CreateView create = (CatalogChange.CreateView) change("CREATE VIEW V AS SELECT A FROM S");
        assertThat(create.view().text()).isEqualTo("SELECT A FROM S");
        assertThat(create.view().uses()).containsExactly("S");
        assertThat(((CatalogChange.CreateView) change("CREATE VIEW V AS SELECT A FROM PUBLIC.T"))
                        .view()
                        .uses())
                .containsExactly("T");
        for (String sql : List.of(
                "CREATE VIEW V AS SELECT A FROM T",
                "CREATE VIEW PG_TEMP.V AS SELECT A FROM S",
                "CREATE MATERIALIZED VIEW V AS SELECT A, COUNT(*) AS N FROM T GROUP BY A")) {
            assertThatThrownBy(() -> compiled(sql))
                    .as(sql)
                    .isInstanceOf(FulmarException.class)
                    .extracting(e -> ((FulmarException) e).code())
                    .isEqualTo(ErrorCode.NOT_SUPPORTED);
        }
    }

    @Test
    void aTableRefersToItself() {
        CatalogChange.CreateTable create = (CatalogChange.CreateTable)
                change(
                        "CREATE TABLE PG_TEMP.V (A INTEGER PRIMARY KEY, B INTEGER REFERENCES V (A), C INTEGER REFERENCES T (A))");
        assertThat(create.foreignKeys().stream().map(ForeignKey::parent)).containsExactly(SCHEMA + ".V", SCHEMA + ".T");
    }

    @Test
    void tablesOfOthersAreNotFound() {
        for (String sql : new String[] {
            "SELECT A FROM U",
            "SELECT A FROM " + OTHER + ".U",
            "SELECT A FROM \"" + OTHER + ".U\"",
            "UPDATE " + OTHER + ".U SET A = 1",
            "DROP TABLE " + OTHER + ".U",
            "DROP TABLE \"" + OTHER + ".U\"",
            "CREATE INDEX I ON " + OTHER + ".U (B)",
            "DROP SCHEMA " + OTHER + " CASCADE",
        }) {
            assertThat(refused(sql)).as(sql).doesNotContain(SCHEMA);
            assertThat(refused(TemporaryMark.added(sql, SCHEMA))).as(sql).doesNotStartWith("compiled");
        }
    }

    /** The message to one that names what there is not. */
    private String refused(String sql) {
        try {
            return "compiled: " + compiler.compile(sql, catalog) + SCHEMA;
        } catch (FulmarException e) {
            assertThat(e.code()).as(sql).isEqualTo(ErrorCode.UNKNOWN_OBJECT);
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void nothingOfThemIsShownToOthers() {
        for (String sql : new String[] {
            "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES",
            "SELECT SCHEMA_NAME FROM INFORMATION_SCHEMA.SCHEMATA",
            "SELECT * FROM INFORMATION_SCHEMA.DEFINITIONS",
            "SELECT * FROM PG_CATALOG.\"PG_CLASS\"",
            "SELECT * FROM PG_CATALOG.\"PG_NAMESPACE\"",
        }) {
            String shown = compiler.compile(sql, catalog).toString().toUpperCase(Locale.ROOT);
            assertThat(shown).as(sql).doesNotContain("PG_TEMP_0");
        }
        assertThat(compiled("SELECT * FROM PG_CATALOG.\"PG_NAMESPACE\"").toString())
                .contains("pg_temp_0_0000000000000001")
                .doesNotContain("pg_temp_0_0000000000000002");
    }
}
