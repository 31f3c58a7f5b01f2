package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;

/** Finds the place of an error in the text that the client has sent. */
@FunctionalInterface
interface Places {
    /** For errors without a place. */
    Places NONE = error -> new Translation.Message(error, 0);

    /** The error without its place, and the place by itself. */
    Translation.Message message(String error);

    /** For errors that are found in the client's text. */
    static Places of(Translator.Part source) {
        return error -> Translation.message(error, source);
    }

    /** For errors that are found in the client's whole text. */
    static Places of(String source) {
        return of(new Translator.Part(source, 0));
    }
}
