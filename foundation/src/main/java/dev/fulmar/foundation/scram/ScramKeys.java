package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The key schedule of RFC 5802, section 3, with SHA-256. */
final class ScramKeys {
    static final int KEY_BYTES = 32;
    private static final String HMAC = "HmacSHA256";

    private ScramKeys() {}

    static byte[] saltedPassword(String password, byte[] salt, int iterations) {
        try {
            PBEKeySpec specification = new PBEKeySpec(
                    PasswordPreparation.prepared(password).toCharArray(), salt, iterations, KEY_BYTES * Byte.SIZE);
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(specification)
                    .getEncoded();
            specification.clearPassword();
            return salted;
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    static byte[] clientKey(byte[] saltedPassword) {
        return hmac(saltedPassword, "Client Key");
    }

    static byte[] serverKey(byte[] saltedPassword) {
        return hmac(saltedPassword, "Server Key");
    }

    static byte[] storedKey(byte[] clientKey) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(clientKey);
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw unavailable(e);
        }
    }

    static byte[] exclusiveOr(byte[] left, byte[] right) {
        byte[] result = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            result[i] = (byte) (left[i] ^ right[i]);
        }
        return result;
    }

    private static FulmarException unavailable(GeneralSecurityException cause) {
        return new FulmarException(
                ErrorCode.INTERNAL, "this Java runtime lacks what SCRAM-SHA-256 needs; use a complete one", cause);
    }
}
