package dev.fulmar.it.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Certificates in PEM files, each its own authority, made by the JDK's keytool. */
public record Certificates(Path certificate, Path key) {
    private static final String STORE_PASSWORD = "of-a-test";

    /** @param subject alternative name, such as {@code ip:127.0.0.1} */
    public static Certificates make(Path folder, String name, String subject) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        name,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + subject,
                        "-validity",
                        "2",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        STORE_PASSWORD,
                        "-storetype",
                        "PKCS12")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + Files.readString(folder.resolve(name + ".out")));
        }
        Certificates made = new Certificates(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        made.write(store, name);
        return made;
    }

    private void write(Path store, String name) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, STORE_PASSWORD.toCharArray());
        }
        Certificate shown = keys.getCertificate(name);
        Files.writeString(certificate, pem("CERTIFICATE", shown.getEncoded()));
        Files.writeString(
                key,
                pem(
                        "PRIVATE KEY",
                        keys.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    /** Puts these in the place of others. */
    void copyOver(Certificates old) throws IOException {
        Files.write(old.certificate, Files.readAllBytes(certificate));
        Files.write(old.key, Files.readAllBytes(key));
    }
}
