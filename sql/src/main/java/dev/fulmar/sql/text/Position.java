package dev.fulmar.sql.text;

/** A position in a text; line and column count from 1. */
public record Position(int line, int column) {
    /** Whether this place comes first. */
    public boolean isBefore(Position other) {
        return line < other.line || (line == other.line && column < other.column);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
