package dev.fulmar.benchmarks.experiment;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.Database;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.sql.SqlCompiler;
import dev.fulmar.wire.address.HostAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Fingerprint of code, so that results of one version are not taken for results of another. */
public final class CodeFingerprint {
    private static final int DIGITS = 16;

    /** One class of each module that databases consist of, simulated ones too. */
    static final List<Class<?>> DATABASE = List.of(
            NodeId.class,
            ProcedureContext.class,
            LogSettings.class,
            SqlFrontend.class,
            SqlCompiler.class,
            Database.class,
            Reconfiguration.class);

    /** The same of what a node's process has beside them. */
    private static final List<Class<?>> NODE = List.of(HostAddress.class, FulmarClient.class, FulmarNode.class);

    private CodeFingerprint() {}

    /** The fingerprint of a database's code, and of that beside it: of what runs and judges it. */
    public static String ofDatabase(Class<?>... beside) {
        return of(Stream.concat(DATABASE.stream(), Stream.of(beside)).toList());
    }

    /** The fingerprint of the code of a node's process, and of that beside it. */
    public static String ofNode(Class<?>... beside) {
        return of(Stream.of(DATABASE, NODE, List.of(beside))
                .<Class<?>>flatMap(List::stream)
                .toList());
    }

    /** The fingerprint of the code that these classes belong to: of all class files beside them. */
    static String of(Collection<Class<?>> classes) {
        List<Path> places = new ArrayList<>();
        try {
            for (Class<?> type : classes) {
                CodeSource source = type.getProtectionDomain().getCodeSource();
                if (source == null) {
                    throw new IllegalStateException(type + " is not from a file");
                }
                places.add(Path.of(source.getLocation().toURI()));
            }
            return ofPlaces(places);
        } catch (URISyntaxException | IOException e) {
            throw new IllegalStateException("the code has no fingerprint", e);
        }
    }

    /** The fingerprint of jars and directories of classes. */
    public static String ofPlaces(List<Path> places) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path place : places) {
                add(place, digest);
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the code has no fingerprint", e);
        }
    }

    private static void add(Path place, MessageDigest digest) throws IOException {
        if (Files.isRegularFile(place)) {
            digest.update(Files.readAllBytes(place));
            return;
        }
        try (Stream<Path> files = Files.walk(place)) {
            for (Path path : new TreeSet<>(
                    files.filter(each -> each.toString().endsWith(".class")).toList())) {
                digest.update(place.relativize(path).toString().getBytes(StandardCharsets.UTF_8));
                try (InputStream content = Files.newInputStream(path)) {
                    digest.update(content.readAllBytes());
                }
            }
        }
    }
}
