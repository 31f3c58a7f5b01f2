package dev.fulmar.postgres.dialect;

import java.util.List;

/**
 * A statement as the engine takes it.
 *
 * @param source as the client sent it
 * @param start where it begins in the script that the client sent
 * @param sql the statement in Fulmar's dialect
 * @param parameters for each question mark in it, the number of the client's parameter, from 0
 * @param parameterCount parameters of the client: one more than the highest number
 * @param words its first words in upper case, by which its kind is known; six at most
 * @param names for the columns of its result that it has not named, as PostgreSQL names them; empty for others
 * @param marks places that belong to each other, in their order
 */
public record Translation(
        String source,
        int start,
        String sql,
        List<Integer> parameters,
        int parameterCount,
        List<String> words,
        List<String> names,
        List<Mark> marks) {
    /**
     * A place in both texts.
     *
     * @param sql characters before it in the translated text
     * @param source characters before it in the client's text
     */
    public record Mark(int sql, int source) {}

    /**
     * An error as its client hears of it.
     *
     * @param text without a place
     * @param position of the error in the client's text in characters, from 1; 0 for none
     */
    public record Message(String text, int position) {}

    public Translation {
        parameters = List.copyOf(parameters);
        words = List.copyOf(words);
        names = List.copyOf(names);
        marks = List.copyOf(marks);
    }

    /** A statement that no client has written: its errors have no place in a client's text. */
    public static Translation generated(String sql) {
        return new Translation(
                "", 0, sql, List.of(), 0, List.of(sql.substring(0, sql.indexOf(' '))), List.of(), List.of());
    }

    /** An error that the engine has found in the translated text. */
    public Message message(String error) {
        Place.Message found = Place.message(error, sql);
        if (found.offset() < 0 || marks.isEmpty()) {
            return new Message(found.text(), 0);
        }
        int place = 0;
        for (Mark mark : marks) {
            if (mark.sql() > found.offset()) {
                break;
            }
            place = Math.min(mark.source() + found.offset() - mark.sql(), source.length());
        }
        return new Message(found.text(), start + place + 1);
    }

    /** An error that was found in a text of the client, before there was a translation. */
    public static Message message(String error, Translator.Part source) {
        Place.Message found = Place.message(error, source.text());
        return new Message(found.text(), found.offset() < 0 ? 0 : source.start() + found.offset() + 1);
    }

    public String firstWord() {
        return words.isEmpty() ? "" : words.getFirst();
    }
}
