package dev.fulmar.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build wrote down, and the Java runtime it runs on: the two facts a defect report needs. */
final class VersionProvider implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException("missing from the build: " + RESOURCE);
            }
            properties.load(in);
        }
        return new String[] {
            "fulmar " + properties.getProperty("version"), "java " + System.getProperty("java.runtime.version")
        };
    }
}
