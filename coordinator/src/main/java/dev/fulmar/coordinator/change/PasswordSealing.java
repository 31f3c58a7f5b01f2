package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.scram.ScramVerifier;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Replaces the passwords in a change by verifiers, before the change is kept, logged or forwarded. Thread-safe. */
public final class PasswordSealing {
    /** A change without passwords, and its form in the log. */
    public record Sealed(CatalogChange change, CatalogEntry entry) {
        /** A description of the change for observers: no passwords, no verifiers, no values. */
        public String description() {
            return ChangeDescription.of(change);
        }

        public void apply(
                ChangeQueue changes, ChangeHandle handle, PlanningClaim claim, Consumer<TransactionResponse> answer) {
            changes.apply(change, entry, handle, claim, answer);
        }
    }

    private final RandomSource random;
    private final ReentrantLock drawing = new ReentrantLock();

    /** @param random for salts, which have to differ and need not be secret */
    public PasswordSealing(RandomSource random) {
        this.random = random;
    }

    /** @param text the statement that the change was made from */
    public Sealed seal(CatalogChange change, String text) {
        if (!(change instanceof CatalogChange.ChangeAccess(AccessChange access))) {
            return new Sealed(change, new CatalogEntry.Statement(text));
        }
        AccessChange sealed = switch (access) {
            case AccessChange.CreateUser(String name, Secret secret, boolean lenient) ->
                new AccessChange.CreateUser(name, seal(secret), lenient);
            case AccessChange.AlterUser(String name, Secret secret) -> new AccessChange.AlterUser(name, seal(secret));
            case AccessChange.CreateRole role -> role;
            case AccessChange.Drop drop -> drop;
            case AccessChange.Rights rights -> rights;
            case AccessChange.Membership membership -> membership;
        };
        return new Sealed(new CatalogChange.ChangeAccess(sealed), new CatalogEntry.Access(AccessText.of(sealed)));
    }

    private Secret seal(Secret secret) {
        return switch (secret) {
            case Secret.Password(String text) ->
                new Secret.Verified(ScramVerifier.of(text, salt(), ScramVerifier.USUAL_ITERATIONS));
            case Secret.Verified verified -> verified;
        };
    }

    private byte[] salt() {
        byte[] salt = new byte[ScramVerifier.SALT_BYTES];
        drawing.lock();
        try {
            for (int offset = 0; offset < salt.length; offset += Long.BYTES) {
                LittleEndian.putLong(salt, offset, random.nextLong());
            }
        } finally {
            drawing.unlock();
        }
        return salt;
    }
}
