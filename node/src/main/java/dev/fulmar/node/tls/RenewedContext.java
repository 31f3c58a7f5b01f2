package dev.fulmar.node.tls;

import dev.fulmar.foundation.error.FulmarException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A context that follows its files: new connections get the newest certificate, open ones keep theirs. Thread-safe. */
public final class RenewedContext implements Supplier<SslContext> {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedContext.class);

    private final TlsFiles files;
    private final Function<TlsFiles, SslContext> maker;
    private volatile SslContext current;
    private volatile List<Long> stamps;

    /** Fails if the files cannot be used. */
    public RenewedContext(TlsFiles files, Function<TlsFiles, SslContext> maker) {
        this.files = files;
        this.maker = maker;
        this.stamps = stamps();
        this.current = maker.apply(files);
    }

    @Override
    public SslContext get() {
        return current;
    }

    /**
     * Reads the files again if they have changed. What cannot be used is told of once, and the certificate before
     * stays.
     *
     * @return whether there is a new certificate
     */
    public boolean renew() {
        List<Long> now = stamps();
        if (now.equals(stamps)) {
            return false;
        }
        stamps = now;
        try {
            current = maker.apply(files);
            LOG.info("new connections use the changed certificate {}", files.certificate());
            return true;
        } catch (FulmarException e) {
            LOG.error("the certificate before stays in use: {}", e.getMessage(), e);
            return false;
        }
    }

    private List<Long> stamps() {
        List<Long> times = new ArrayList<>();
        List<Path> all = new ArrayList<>(List.of(files.certificate(), files.key()));
        files.authorities().ifPresent(all::add);
        for (Path path : all) {
            try {
                times.add(Files.getLastModifiedTime(path).toMillis());
                times.add(Files.size(path));
            } catch (IOException e) {
                times.add(-1L); // being replaced; the next look finds it
            }
        }
        return times;
    }
}
