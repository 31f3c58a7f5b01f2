package dev.fulmar.foundation.failstop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FatalErrorsTest {
    @Test
    void aFatalErrorThatALibraryWrappedIsThrown() {
        Error gone = new NoClassDefFoundError("a class");
        Exception wrapped = new IllegalStateException(new RuntimeException("syntax", gone));
        assertThatThrownBy(() -> FatalErrors.throwFatalCause(wrapped)).isSameAs(gone);
    }

    @Test
    void whatAThreadRecoversFromIsNot() {
        assertThatCode(() -> FatalErrors.throwFatalCause(new IllegalStateException(new StackOverflowError())))
                .doesNotThrowAnyException();
        assertThatCode(() -> FatalErrors.throwFatalCause(new IllegalStateException("syntax")))
                .doesNotThrowAnyException();
    }
}
