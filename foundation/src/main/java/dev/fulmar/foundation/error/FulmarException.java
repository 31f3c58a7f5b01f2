package dev.fulmar.foundation.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The one exception of Fulmar. Its message says what happened and what to do about it. */
public final class FulmarException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public FulmarException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public FulmarException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
