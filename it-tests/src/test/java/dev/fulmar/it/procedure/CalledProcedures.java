package dev.fulmar.it.procedure;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.it.procedure.called.Add;
import dev.fulmar.it.procedure.called.Remember;
import dev.fulmar.it.procedure.called.Remembered;
import dev.fulmar.it.procedure.called.Twice;
import dev.fulmar.it.procedure.called.Withdraw;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Procedures of each kind of result, on a table of purses and one of values. */
public final class CalledProcedures {
    private static final List<Class<?>> CLASSES =
            List.of(Withdraw.class, Remember.class, Remembered.class, Twice.class, Add.class);

    private CalledProcedures() {}

    /** Makes the tables, loads the classes, and makes the procedures. */
    public static void create(FulmarNode node, Path folder) throws IOException {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE TABLE purse (id INTEGER NOT NULL PRIMARY KEY, amount BIGINT NOT NULL)");
            client.execute("CREATE TABLE memory (id BIGINT NOT NULL PRIMARY KEY, word VARCHAR(20), day DATE,"
                    + " moment TIMESTAMPTZ, price DECIMAL(10, 2), is_true BOOLEAN, weight DOUBLE, key UUID,"
                    + " bytes VARBINARY(10))");
            client.execute("INSERT INTO purse VALUES (1, 100), (2, 100)");
            client.loadClasses(jar(folder.resolve("called.jar")));
            client.execute("CREATE PROCEDURE Withdraw PARTITION ON TABLE purse COLUMN id" + from(Withdraw.class));
            client.execute("CREATE PROCEDURE Remember PARTITION ON TABLE memory COLUMN id" + from(Remember.class));
            client.execute("CREATE PROCEDURE Remembered" + from(Remembered.class));
            client.execute("CREATE PROCEDURE Twice" + from(Twice.class));
            client.execute("CREATE PROCEDURE Add" + from(Add.class));
            client.execute("CREATE PROCEDURE Refill AS UPDATE purse SET amount = ?");
            client.execute("CREATE PROCEDURE Purses AS SELECT id, amount FROM purse WHERE amount >= ? ORDER BY id");
        }
    }

    private static String from(Class<?> type) {
        return " FROM CLASS " + type.getName();
    }

    private static Path jar(Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : CLASSES) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in =
                        Objects.requireNonNull(type.getClassLoader().getResourceAsStream(name), "a class has a file")) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
        return jar;
    }
}
