package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with words that were added for the grammar. They change the places of those behind them, so errors get
 * back the places of the statement as it was written. One thread.
 */
public final class AddedWords {
    private static final Pattern PLACE = Pattern.compile("^(\\d+):(\\d+)(: .*)", Pattern.DOTALL);

    private final StringBuilder text;
    private final List<Added> all = new ArrayList<>();
    private int length;

    private record Added(Position position, int length) {}

    AddedWords(String sql) {
        text = new StringBuilder(sql);
    }

    /**
     * Adds words, behind those that were added before.
     *
     * @param offset in the statement as it was written, where they are added
     * @param position of that
     */
    void add(int offset, Position position, String words) {
        text.insert(offset + length, words);
        all.add(new Added(position, words.length()));
        length += words.length();
    }

    /** Puts a word in the place of another one that is as long. */
    void replace(Token before, String word) {
        text.replace(before.start() + length, before.end() + length, word);
    }

    /** The statement with the words. */
    public String text() {
        return text.toString();
    }

    /** The error with its place in the statement as it was written. */
    public FulmarException placed(FulmarException error) {
        Matcher place = PLACE.matcher(String.valueOf(error.getMessage()));
        if (all.isEmpty() || !place.matches()) {
            return error;
        }
        int line = Integer.parseInt(place.group(1));
        int column = Integer.parseInt(place.group(2));
        int shift = 0;
        for (Added added : all) {
            if (added.position().line() == line && added.position().column() + shift + added.length() <= column) {
                shift += added.length();
            }
        }
        return new FulmarException(error.code(), line + ":" + (column - shift) + place.group(3), error);
    }
}
