package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements about users, roles and rights. */
class AccessStatementsTest {
    private final SqlCompiler compiler = new SqlCompiler();

    private AccessChange change(String sql) {
        CatalogChange change = ((SqlFrontend.Compiled.Change) compiler.compile(sql, Catalog.empty())).change();
        return ((CatalogChange.ChangeAccess) change).change();
    }

    private static TreeSet<AccessRight> rights(AccessRight... rights) {
        return new TreeSet<>(List.of(rights));
    }

    @Test
    void usersHaveAPasswordOrItsVerifier() {
        assertThat(change("create user ann password 'it''s a secret'"))
                .isEqualTo(new AccessChange.CreateUser("ANN", new Secret.Password("it's a secret"), false));
        assertThat(change("CREATE USER IF NOT EXISTS \"ann\" PASSWORD '12345678'"))
                .isEqualTo(new AccessChange.CreateUser("ANN", new Secret.Password("12345678"), true));
        assertThat(change("ALTER USER ann PASSWORD '12345678';"))
                .isEqualTo(new AccessChange.AlterUser("ANN", new Secret.Password("12345678")));
        assertThat(change("DROP USER ann IF EXISTS")).isEqualTo(new AccessChange.Drop("ANN", true, true));
    }

    @Test
    void rightsAreOnTablesProceduresOrTheDatabase() {
        assertThat(change("GRANT SELECT, UPDATE ON account TO teller, ann"))
                .isEqualTo(new AccessChange.Rights(
                        true,
                        rights(
                                new AccessRight(Privilege.SELECT, "ACCOUNT"),
                                new AccessRight(Privilege.UPDATE, "ACCOUNT")),
                        List.of("TELLER", "ANN")));
        assertThat(change("REVOKE ALL ON TABLE account FROM teller"))
                .isEqualTo(new AccessChange.Rights(
                        false,
                        rights(
                                new AccessRight(Privilege.SELECT, "ACCOUNT"),
                                new AccessRight(Privilege.INSERT, "ACCOUNT"),
                                new AccessRight(Privilege.UPDATE, "ACCOUNT"),
                                new AccessRight(Privilege.DELETE, "ACCOUNT")),
                        List.of("TELLER")));
        assertThat(change("GRANT EXECUTE ON PROCEDURE Transfer TO teller"))
                .isEqualTo(new AccessChange.Rights(
                        true, rights(new AccessRight(Privilege.EXECUTE, "TRANSFER")), List.of("TELLER")));
        assertThat(change("GRANT ALL ON ALL PROCEDURES TO teller"))
                .isEqualTo(new AccessChange.Rights(
                        true, rights(AccessRight.onEverything(Privilege.EXECUTE)), List.of("TELLER")));
        assertThat(change("GRANT ALL PRIVILEGES TO root"))
                .isEqualTo(new AccessChange.Rights(
                        true,
                        rights(AccessRight.onEverything(Privilege.DDL), AccessRight.onEverything(Privilege.ADMIN)),
                        List.of("ROOT")));
        assertThat(change("GRANT USAGE ON SEQUENCE ticket TO teller"))
                .isEqualTo(new AccessChange.Rights(
                        true,
                        rights(
                                new AccessRight(Privilege.SELECT, "TICKET"),
                                new AccessRight(Privilege.UPDATE, "TICKET")),
                        List.of("TELLER")));
        assertThat(change("REVOKE USAGE ON SCHEMA shop FROM teller")) // names are for all
                .isEqualTo(new AccessChange.Rights(false, rights(), List.of("TELLER")));
        assertThat(change("GRANT teller TO ann"))
                .isEqualTo(new AccessChange.Membership(true, List.of("TELLER"), List.of("ANN")));
        assertThat(change("CREATE ROLE teller")).isEqualTo(new AccessChange.CreateRole("TELLER", false));
    }

    /** What one version wrote into its log must be read by every later one. */
    @Test
    void whatWasLoggedIsRead() throws IOException {
        AccessRules rules = AccessRules.none();
        for (String statement : logged()) {
            rules = rules.after(change(statement));
        }
        assertThat(rules.principals().keySet()).containsExactly("ANN", "READER");
        assertThat(rules.rightsOf("ANN"))
                .containsExactlyInAnyOrder(
                        AccessRight.onEverything(Privilege.SELECT),
                        new AccessRight(Privilege.SELECT, "T"),
                        new AccessRight(Privilege.SELECT, "quoted t"),
                        new AccessRight(Privilege.INSERT, "T"),
                        new AccessRight(Privilege.INSERT, "quoted t"),
                        new AccessRight(Privilege.UPDATE, "T"),
                        new AccessRight(Privilege.UPDATE, "quoted t"),
                        new AccessRight(Privilege.DELETE, "quoted t"),
                        new AccessRight(Privilege.EXECUTE, "BANK.AUDIT"),
                        new AccessRight(Privilege.EXECUTE, "TRANSFER"));
    }

    private static List<String> logged() throws IOException {
        try (InputStream sample = AccessStatementsTest.class.getResourceAsStream("access/logged-v1.sql")) {
            return new String(Objects.requireNonNull(sample).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE USER ann 'hunter2hunter2'",
                "CREATE USER ann PASSWORD hunter2hunter2",
                "CREATE USER ann PASSWORD 'short-hunter2hunter2' 'hunter2hunter2'",
                "CREATE USER ann PASSWORD = 'hunter2hunter2'",
                "CREATE USER 'hunter2hunter2' ann",
                "CREATE USER ann PASSWORD 'hunter2hunter2",
                "CREATE USER ann PASSWORD 'hunter2hunter2'; SELECT 1",
                "CREATE USER ann VERIFIER 'hunter2hunter2'",
                "ALTER USER ann SET PASSWORD 'hunter2hunter2'",
                "ALTER USER ann PASSWORD \"hunter2hunter2\"",
                "ALTER ROLE ann PASSWORD 'hunter2hunter2'",
                "CREATE USERS ann PASSWORD 'hunter2hunter2'",
                "EXPLAIN CREATE USER ann 'hunter2hunter2'"
            })
    void anErrorNeverShowsAPassword(String statement) {
        assertThatThrownBy(() -> compiler.compile(statement, Catalog.empty()))
                .isInstanceOf(FulmarException.class)
                .satisfies(error -> assertThat(error.getMessage()).doesNotContain("hunter2"));
    }

    @Test
    void explainShowsNothingOfIt() {
        SqlFrontend.Compiled explained =
                compiler.compile("EXPLAIN CREATE USER ann PASSWORD 'hunter2hunter2'", Catalog.empty());
        assertThat(explained.toString()).doesNotContain("hunter2");
        assertThat(((SqlFrontend.Compiled.Explanation) explained).plan()).isEmpty();
    }

    @Test
    void passwordsAreNotShort() {
        assertRefused("CREATE USER ann PASSWORD '1234567'", ErrorCode.VALUE_OUT_OF_RANGE);
        assertRefused("CREATE USER ann PASSWORD '" + "1".repeat(1025) + "'", ErrorCode.VALUE_OUT_OF_RANGE);
    }

    @Test
    void aPrivilegeIsGrantedOnWhatItIsFor() {
        for (String statement : List.of(
                "GRANT SELECT TO ann",
                "GRANT EXECUTE ON account TO ann",
                "GRANT SELECT ON PROCEDURE p TO ann",
                "GRANT ADMIN ON account TO ann",
                "GRANT SELECT, ADMIN ON account TO ann",
                "GRANT SELECT, teller ON account TO ann",
                "GRANT SELECT ON account FROM ann",
                "REVOKE SELECT ON account TO ann",
                "CREATE ROLE admin",
                "CREATE USER \"ALL\" PASSWORD '12345678'")) {
            assertRefused(statement, ErrorCode.SYNTAX);
        }
    }

    private void assertRefused(String statement, ErrorCode code) {
        assertThatThrownBy(() -> compiler.compile(statement, Catalog.empty()))
                .as(statement)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .extracting(FulmarException::code)
                .isEqualTo(code);
    }
}
