package dev.fulmar.pmemlog.backend.file;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendProvider;
import dev.fulmar.pmemlog.backend.BackendSettings;
import java.io.IOException;
import java.nio.file.Path;

/** Opens directories of files. */
public final class FileBackendProvider implements BackendProvider {
    /** Name of the backend. */
    public static final String NAME = "file";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Backend open(BackendSettings settings) {
        try {
            return new FileBackend(Path.of(settings.directory()));
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the directory " + settings.directory() + " cannot be opened (" + e
                            + "); check path, permissions and device",
                    e);
        }
    }
}
