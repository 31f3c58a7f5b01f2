package dev.fulmar.simulator.postgres;

import java.util.List;

/** Messages of a client up to one ReadyForQuery. */
public sealed interface Question {
    /**
     * A statement with a question mark for each parameter.
     *
     * @param arguments which are numbers all
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Statement(String sql, long... arguments) {
        /** The text with the arguments in it. */
        String plain() {
            StringBuilder text = new StringBuilder();
            int next = 0;
            for (char letter : sql.toCharArray()) {
                if (letter == '?') {
                    text.append('(').append(arguments[next++]).append(')');
                } else {
                    text.append(letter);
                }
            }
            return text.toString();
        }

        /** The text with the parameters as PostgreSQL writes them. */
        String numbered() {
            StringBuilder text = new StringBuilder();
            int last = 0;
            for (char letter : sql.toCharArray()) {
                if (letter == '?') {
                    text.append('$').append(++last);
                } else {
                    text.append(letter);
                }
            }
            return text.toString();
        }
    }

    /** Statements that one Query has. */
    record Simple(List<Statement> statements) implements Question {
        public Simple {
            statements = List.copyOf(statements);
        }
    }

    /**
     * Statements that are prepared and executed, up to one Sync.
     *
     * @param keeps whether the client keeps what it has prepared
     * @param rowLimit rows that it takes at once, of a query that stands alone; 0 for all
     */
    record Extended(List<Statement> statements, boolean keeps, int rowLimit) implements Question {
        public Extended {
            statements = List.copyOf(statements);
        }
    }

    /**
     * A Query that is a COPY.
     *
     * @param lines of its data
     * @param fails whether the client takes it back after all data
     */
    record Copy(String sql, List<String> lines, boolean fails) implements Question {
        public Copy {
            lines = List.copyOf(lines);
        }
    }
}
