package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.SqlCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Primary keys have the names that their statements give them, by whatever way the tables get them. */
class NamedKeysTest extends DurableNodeFixture {
    NamedKeysTest() {
        super(2);
    }

    /** Tables, and the name of the primary key of each. */
    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        ResultTable rows = client.execute("SELECT table_name, constraint_name FROM information_schema.table_constraints"
                        + " WHERE constraint_type = 'PRIMARY KEY' ORDER BY table_name")
                .table();
        while (rows.next()) {
            keys.add(rows.getString(0) + " " + rows.getString(1));
        }
        return keys;
    }

    @Test
    void aKeyHasItsNameHoweverTheTableGetsIt() throws InterruptedException {
        run(
                "CREATE SCHEMA shop",
                "CREATE TABLE a (id INTEGER CONSTRAINT pk_a PRIMARY KEY)",
                "CREATE TABLE b (id INTEGER, CONSTRAINT \"Pk\" PRIMARY KEY (id) USING HASH)",
                "CREATE TABLE c (id INTEGER PRIMARY KEY)",
                "CREATE TABLE shop.d (id INTEGER CONSTRAINT pk_a PRIMARY KEY)",
                "CREATE TABLE e (id INTEGER NOT NULL, n INTEGER) PARTITION ON COLUMN id",
                "INSERT INTO e VALUES (1, 1), (2, 2), (3, 3)",
                "ALTER TABLE e ADD CONSTRAINT pk_e PRIMARY KEY (n)",
                "CREATE TABLE f (id INTEGER NOT NULL, n INTEGER) PARTITIONED",
                "INSERT INTO f VALUES (1, 1), (2, 2), (3, 3)",
                "ALTER TABLE f ADD CONSTRAINT pk_f PRIMARY KEY (n)",
                "CREATE TABLE g (id INTEGER NOT NULL, n INTEGER) REPLICATED",
                "INSERT INTO g VALUES (1, 1), (2, 2), (3, 3)",
                "ALTER TABLE g ADD CONSTRAINT pk_g PRIMARY KEY (n) PARTITIONED",
                "CREATE TABLE h (id INTEGER CONSTRAINT pk_h PRIMARY KEY, n INTEGER NOT NULL)",
                "INSERT INTO h VALUES (1, 1), (2, 2)",
                "ALTER TABLE h PARTITION ON COLUMN n");
        List<String> keys =
                List.of("A PK_A", "B Pk", "C C_PRIMARY_KEY", "D SHOP.PK_A", "E PK_E", "F PK_F", "G PK_G", "H PK_H");
        assertThat(keys()).isEqualTo(keys);
        restart();
        assertThat(keys()).isEqualTo(keys);
        for (String name : List.of("e", "f", "g", "h")) {
            fails(
                    ErrorCode.UNIQUE_VIOLATION,
                    "INSERT INTO " + name + (name.equals("h") ? " VALUES (1, 9)" : " VALUES (9, 1)"),
                    "PK_" + name.toUpperCase(Locale.ROOT));
        }
        SmallNode.backUp(node, client, folder.resolve("backup"));
        stop();
        Path restored = folder.resolve("restored");
        SmallNode.restore(folder.resolve("backup"), restored, 2);
        node = SmallNode.durable(restored, 2);
        client = SmallNode.connect(node);
        assertThat(keys()).isEqualTo(keys);
    }

    @Test
    void aNameIsTakenOnce() {
        run("CREATE TABLE a (id INTEGER CONSTRAINT pk PRIMARY KEY, n INTEGER)", "CREATE INDEX x_order ON a (n)");
        fails(ErrorCode.OBJECT_EXISTS, "CREATE TABLE b (id INTEGER CONSTRAINT pk PRIMARY KEY)", "PK");
        fails(
                ErrorCode.OBJECT_EXISTS,
                "CREATE TABLE b (id INTEGER CONSTRAINT y PRIMARY KEY, CONSTRAINT y CHECK (id > 0))");
        run("CREATE TABLE b (id INTEGER NOT NULL)");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE b ADD CONSTRAINT pk PRIMARY KEY (id)", "PK");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE a ADD CONSTRAINT other PRIMARY KEY (n)", "DROP CONSTRAINT PK");
        fails(ErrorCode.NOT_SUPPORTED, "DROP INDEX pk", "primary key");
        run(
                "ALTER TABLE b ADD CONSTRAINT x PRIMARY KEY (id)", // its second index gives way
                "ALTER TABLE a DROP CONSTRAINT pk",
                "CREATE TABLE c (id INTEGER CONSTRAINT pk PRIMARY KEY)",
                "INSERT INTO b VALUES (1)");
        assertThat(keys()).containsExactly("B X", "C PK");
        restart();
        assertThat(keys()).containsExactly("B X", "C PK");
        assertThat(number("SELECT id FROM b WHERE id > 0")).isEqualTo(1);
    }

    /** A statement that failed for the rows leaves nothing, and goes when it is sent again. */
    @Test
    void aKeyThatRowsBreakIsTakenBack() {
        run(
                "CREATE TABLE e (id INTEGER NOT NULL, n INTEGER) PARTITION ON COLUMN id",
                "INSERT INTO e VALUES (1, 1), (2, 1), (3, 1), (4, 1)");
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE e ADD CONSTRAINT pk_e PRIMARY KEY (n)", "PK_E");
        assertThat(keys()).isEmpty();
        run("UPDATE e SET n = id", "ALTER TABLE e ADD CONSTRAINT pk_e PRIMARY KEY (n) NOT VALID");
        assertThat(keys()).containsExactly("E PK_E");
        run("ALTER TABLE e ADD CONSTRAINT pk_e PRIMARY KEY (n)", "INSERT INTO e VALUES (5, 5)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO e VALUES (6, 5)", "PK_E");
    }

    /** A dump is of statements that make the same tables. */
    @Test
    void definitionsHaveTheNames() {
        run(
                "CREATE SCHEMA shop",
                "CREATE TABLE a (id INTEGER CONSTRAINT pk_a PRIMARY KEY)",
                "CREATE TABLE c (id INTEGER PRIMARY KEY)",
                "CREATE TABLE shop.d (id INTEGER CONSTRAINT pk_a PRIMARY KEY)");
        List<String> keys = keys();
        List<String> statements = new ArrayList<>();
        ResultTable rows = client.execute(
                        "SELECT statement FROM information_schema.definitions ORDER BY ordinal_position")
                .table();
        while (rows.next()) {
            statements.add(rows.getString(0));
        }
        assertThat(statements).filteredOn(text -> text.contains("CONSTRAINT")).hasSize(2);
        run("DROP TABLE a", "DROP TABLE c", "DROP SCHEMA shop CASCADE");
        statements.forEach(client::execute);
        assertThat(keys()).isEqualTo(keys);
    }

    /** The sample is the image of a catalog that a build of before names of keys counted has made. */
    @Test
    void catalogsOfEarlierBuildsHaveTheNamesOfBefore() throws IOException {
        byte[] sample;
        try (InputStream in = NamedKeysTest.class.getResourceAsStream("/catalog-of-constraints-1.txt")) {
            sample = Base64.getMimeDecoder()
                    .decode(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII));
        }
        CatalogHistory history = CatalogHistory.begin(new SqlCompiler(), LoadingLimits.DEFAULT);
        history.append(CatalogImage.read(sample).changes());
        assertThat(history.catalog().version()).isEqualTo(17);
        assertThat(constraints(history.catalog()))
                .containsExactly(
                        Map.entry("ITEM", "ITEM_PRIMARY_KEY ITEM_PRIMARY_KEY_ORDER ITEM_NAME_UNIQUE ITEM_CHECK_1"),
                        Map.entry("LABELS", "KEY_OF_LABELS TAGS_PRIMARY_KEY_ORDER TAGS_CHECK_1"),
                        Map.entry(
                                "ORDERS",
                                "ORDERS_PRIMARY_KEY ORDERS_PRIMARY_KEY_ORDER ORDERS_USER_FK_INDEX ORDERS_USER_FK"),
                        Map.entry("PART", "PART_PRIMARY_KEY PART_PRIMARY_KEY_ORDER PART_N_UNIQUE"),
                        Map.entry(
                                "SHOP.SALE",
                                "SHOP.SALE_PRIMARY_KEY SHOP.SALE_PRIMARY_KEY_ORDER ONCE SHOP.SALE_ITEM_FOREIGN_KEY_INDEX"
                                        + " FEW SHOP.SALE_ITEM_FOREIGN_KEY"),
                        Map.entry(
                                "USERS",
                                "USERS_PRIMARY_KEY USERS_PRIMARY_KEY_ORDER USERS_EMAIL_UNIQUE"
                                        + " USERS_BOSS_FOREIGN_KEY_INDEX USERS_CHECK_1 USERS_BOSS_FOREIGN_KEY"),
                        Map.entry("VISITS", "VISITS_PRIMARY_KEY VISITS_PRIMARY_KEY_ORDER VISITS_AT_UNIQUE"));
    }

    private static Map<String, String> constraints(Catalog catalog) {
        Map<String, String> names = new TreeMap<>();
        for (Table table : catalog.tables().values()) {
            names.put(
                    table.name(),
                    String.join(
                            " ",
                            Stream.of(
                                            table.indexes().stream().map(Index::name),
                                            table.checks().stream().map(Check::name),
                                            table.foreignKeys().stream().map(ForeignKey::name))
                                    .flatMap(each -> each)
                                    .toList()));
        }
        return names;
    }
}
