package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The nodes write their messages to a file, and its disk is full. No node ends for that, nor stops to serve. */
final class MessageDiskShortage implements Shortage {
    private static final String CONFIGURATION = """
            <configuration>
              <appender name="file" class="ch.qos.logback.core.FileAppender">
                <file>%s</file>
                <encoder><pattern>%%d %%-5level %%logger{0}: %%msg%%n</pattern></encoder>
              </appender>
              <logger name="dev.fulmar" level="DEBUG"/>
              <root level="INFO"><appender-ref ref="file"/></root>
            </configuration>
            """;

    private final SmallDisk disk = new SmallDisk(1);
    private final Path configuration;

    /** @param configuration where the configuration of the messages will be */
    MessageDiskShortage(Path configuration) {
        this.configuration = configuration;
    }

    @Override
    public String name() {
        return "log-disk, messages";
    }

    @Override
    public Optional<String> obstacle() {
        return SmallDisk.obstacle();
    }

    @Override
    public List<String> javaOptions() {
        return List.of("-Xmx256m", "-Dlogback.configurationFile=" + configuration);
    }

    @Override
    public Set<Integer> statuses() {
        return Set.of();
    }

    @Override
    public void prepare(Path directory) throws IOException {
        Path place = Files.createDirectories(directory.resolve("messages"));
        disk.mount(place);
        Files.writeString(configuration, CONFIGURATION.formatted(place.resolve("messages.log")));
    }

    @Override
    public void begin(Victim victim) throws IOException {
        disk.fill();
    }

    @Override
    public void press(Victim victim) throws IOException {
        disk.fill();
        IdleConnections strangers = new IdleConnections();
        strangers.add(victim.ports());
        strangers.end();
    }

    @Override
    public boolean isReached(Victim victim) throws IOException {
        return disk.isFull();
    }

    @Override
    public void end(Victim victim) throws IOException {
        disk.free(4);
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
