package dev.fulmar.engine.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ScramVerifier;
import java.util.List;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Users, roles and rights: who has what, and what ends with what. */
class AccessRulesTest {
    private static final ScramVerifier FIRST = ScramVerifier.of("first password", new byte[16], 4096);
    private static final ScramVerifier SECOND = ScramVerifier.of("second password", new byte[16], 4096);
    private static final AccessRight READ = new AccessRight(Privilege.SELECT, "T");
    private static final AccessRight CALL = new AccessRight(Privilege.EXECUTE, "P");

    private final AccessRules rules = after(
            AccessRules.none(),
            new AccessChange.CreateUser("ANN", new Secret.Verified(FIRST), false),
            new AccessChange.CreateRole("READER", false),
            new AccessChange.CreateRole("CLERK", false));

    private static AccessRules after(AccessRules before, AccessChange... changes) {
        AccessRules rules = before;
        for (AccessChange change : changes) {
            rules = rules.after(change);
        }
        return rules;
    }

    private static AccessChange rights(boolean grant, AccessRight right, String... names) {
        return new AccessChange.Rights(grant, new TreeSet<>(List.of(right)), List.of(names));
    }

    private static AccessChange membership(boolean grant, String role, String name) {
        return new AccessChange.Membership(grant, List.of(role), List.of(name));
    }

    @Test
    void whoIsNewMayNothing() {
        assertThat(rules.rightsOf("ANN")).isEmpty();
        assertThat(rules.rightsOf("NOBODY")).isEmpty();
    }

    @Test
    void rightsComeThroughRolesOfRoles() {
        AccessRules granted = after(
                rules,
                rights(true, READ, "READER"),
                membership(true, "READER", "CLERK"),
                membership(true, "CLERK", "ANN"));
        assertThat(granted.rightsOf("ann")).containsExactly(READ);
        assertThat(after(granted, membership(false, "READER", "CLERK")).rightsOf("ANN"))
                .isEmpty();
        assertThat(after(granted, rights(false, READ, "READER")).rightsOf("ANN"))
                .isEmpty();
        assertThat(after(granted, new AccessChange.Drop("CLERK", false, false)).rightsOf("ANN"))
                .isEmpty();
    }

    @Test
    void rolesGoInNoCircle() {
        AccessRules granted = after(rules, membership(true, "READER", "CLERK"));
        assertRefused(() -> granted.after(membership(true, "CLERK", "READER")), ErrorCode.NOT_SUPPORTED);
        assertRefused(() -> granted.after(membership(true, "CLERK", "CLERK")), ErrorCode.NOT_SUPPORTED);
    }

    @Test
    void aRightEndsWithItsObject() {
        Catalog catalog = Catalog.empty()
                .withAccess(after(
                        rules,
                        rights(true, READ, "ANN"),
                        rights(true, CALL, "ANN"),
                        rights(true, AccessRight.onEverything(Privilege.SELECT), "READER")));
        assertThat(catalog.withoutTable("T").access().rightsOf("ANN")).containsExactly(CALL);
        assertThat(catalog.withoutProcedure("p").access().rightsOf("ANN")).containsExactly(READ);
        assertThat(catalog.withoutTable("T").access().rightsOf("READER")).hasSize(1);
        assertThat(catalog.withoutTable("U").access()).isSameAs(catalog.access());
    }

    @Test
    void aRoleCannotLogIn() {
        assertThat(rules.user("READER")).isNull();
        assertThat(rules.user("ann")).isNotNull();
    }

    @Test
    void nobodyCanTellAnUnknownUserFromAKnownOne() {
        ScramVerifier unknown = rules.verifierOrDecoy("bob");
        assertThat(rules.verifierOrDecoy("ann")).isEqualTo(FIRST);
        assertThat(unknown.iterations()).isEqualTo(ScramVerifier.USUAL_ITERATIONS);
        assertThat(rules.verifierOrDecoy("reader")).isNotEqualTo(unknown);
        AccessRules later = after(
                rules,
                new AccessChange.CreateUser("EVE", new Secret.Verified(SECOND), false),
                new AccessChange.Drop("ANN", true, false),
                new AccessChange.AlterUser("EVE", new Secret.Verified(FIRST)));
        assertThat(later.verifierOrDecoy("BOB")).isEqualTo(unknown);
    }

    @Test
    void aNewPasswordReplacesTheOldOneAndKeepsTheRights() {
        AccessRules changed =
                after(rules, rights(true, READ, "ANN"), new AccessChange.AlterUser("ANN", new Secret.Verified(SECOND)));
        assertThat(changed.verifierOrDecoy("ANN")).isEqualTo(SECOND);
        assertThat(changed.rightsOf("ANN")).containsExactly(READ);
    }

    @Test
    void namesAreTakenOnce() {
        Secret secret = new Secret.Verified(SECOND);
        assertRefused(() -> rules.after(new AccessChange.CreateUser("ANN", secret, false)), ErrorCode.OBJECT_EXISTS);
        assertRefused(() -> rules.after(new AccessChange.CreateUser("READER", secret, true)), ErrorCode.OBJECT_EXISTS);
        assertRefused(() -> rules.after(new AccessChange.CreateRole("ANN", true)), ErrorCode.OBJECT_EXISTS);
        assertThat(rules.after(new AccessChange.CreateUser("ANN", secret, true)))
                .as("the password that it had")
                .isSameAs(rules);
    }

    @Test
    void whatIsNotThereIsNotGrantedNorDropped() {
        assertRefused(() -> rules.after(rights(true, READ, "BOB")), ErrorCode.UNKNOWN_OBJECT);
        assertRefused(() -> rules.after(membership(true, "ANN", "READER")), ErrorCode.UNKNOWN_OBJECT);
        assertRefused(() -> rules.after(new AccessChange.Drop("ANN", false, false)), ErrorCode.UNKNOWN_OBJECT);
        assertRefused(() -> rules.after(new AccessChange.Drop("BOB", true, false)), ErrorCode.UNKNOWN_OBJECT);
        assertThat(rules.after(new AccessChange.Drop("BOB", true, true))).isSameAs(rules);
    }

    @Test
    void aPasswordNeverReachesTheCatalog() {
        Secret.Password password = new Secret.Password("do not keep");
        assertRefused(() -> rules.after(new AccessChange.CreateUser("BOB", password, false)), ErrorCode.INTERNAL);
        assertThat(new AccessChange.CreateUser("BOB", password, false).toString())
                .doesNotContain("do not keep");
    }

    private static void assertRefused(Runnable attempt, ErrorCode code) {
        assertThatThrownBy(attempt::run)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .extracting(FulmarException::code)
                .isEqualTo(code);
    }
}
