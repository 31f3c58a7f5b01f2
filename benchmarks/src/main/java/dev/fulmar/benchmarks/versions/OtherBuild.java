package dev.fulmar.benchmarks.versions;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.peers.TpccLiteDraw;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of another build, and on top of them {@link CallCost} of this one with what it needs. */
final class OtherBuild extends URLClassLoader {
    private static final List<Class<?>> OWN = List.of(CallCost.class, TpccLiteDraw.class);

    /** @param places directories and jars with its classes */
    OtherBuild(List<Path> places) throws MalformedURLException {
        super(urls(places), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] urls(List<Path> places) throws MalformedURLException {
        URL[] urls = new URL[places.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = places.get(i).toUri().toURL();
        }
        return urls;
    }

    /**
     * The build of a checkout.
     *
     * @throws IOException if nothing was built there
     */
    static OtherBuild at(Path home) throws IOException {
        return new OtherBuild(places(home));
    }

    /** The fingerprint of the build of a checkout. */
    static String fingerprint(Path home) throws IOException {
        return CodeFingerprint.ofPlaces(places(home));
    }

    private static List<Path> places(Path home) throws IOException {
        Path built = home.resolve("launcher/target");
        Path libraries = built.resolve("lib");
        if (!Files.isDirectory(libraries)) {
            throw new IOException("nothing is built in " + home + "; run mvn -DskipTests package there");
        }
        List<Path> places = new ArrayList<>(List.of(built.resolve("classes")));
        try (Stream<Path> files = Files.list(libraries)) {
            places.addAll(files.sorted().toList());
        }
        return places;
    }

    /** A new {@link CallCost} whose node is of that build. */
    Object callCost() throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return loadClass(CallCost.class.getName()).getConstructor().newInstance();
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> own = OWN.stream()
                .filter(each -> name.equals(each.getName()) || name.startsWith(each.getName() + "$"))
                .findAny()
                .orElse(null);
        if (own == null) {
            return super.findClass(name);
        }
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream input = own.getResourceAsStream(file)) {
            if (input == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = input.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
