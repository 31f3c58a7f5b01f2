package dev.fulmar.client;

import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramClient;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A user with the proof of its password. The slow part is done once for all connections to one server. Thread-safe. */
final class ClientCredentials {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 18;

    private record Salted(byte[] salt, int iterations, byte[] password) {}

    private final String user;
    private final ScramClient.PasswordSalting password;
    private volatile @Nullable Salted latest;

    ClientCredentials(String user, String password) {
        this.user = user;
        this.password = ScramClient.PasswordSalting.of(password);
    }

    /** @param offered what this client has said in its Hello */
    ScramClient begin(ChannelBinding binding, String offered) {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        String nonce = Base64.getEncoder().withoutPadding().encodeToString(bytes);
        return new ScramClient(user, this::salted, binding, nonce, offered);
    }

    private byte[] salted(byte[] salt, int iterations) {
        Salted known = latest;
        if (known == null || known.iterations != iterations || !Arrays.equals(known.salt, salt)) {
            known = new Salted(salt, iterations, password.salted(salt, iterations));
            latest = known;
        }
        return known.password;
    }

    @Override
    public String toString() {
        return "user " + user;
    }
}
