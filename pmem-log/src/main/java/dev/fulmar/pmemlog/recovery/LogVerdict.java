package dev.fulmar.pmemlog.recovery;

/** Verdict on the files of a log. */
public sealed interface LogVerdict {
    /** There is no log yet. */
    record Empty() implements LogVerdict {
        @Override
        public String toString() {
            return "there is no log yet";
        }
    }

    /** The log was closed in order, and everything is there. */
    record Closed(String file, int offset) implements LogVerdict {
        @Override
        public String toString() {
            return "closed in order; ends in " + file + " at offset " + offset;
        }
    }

    /**
     * The log ends where its writer ended. Whatever followed was not attested and is cut.
     *
     * @param found what is there instead of a group
     */
    record Cut(String file, int offset, String found) implements LogVerdict {
        @Override
        public String toString() {
            return "not closed in order; cut in " + file + " at offset " + offset + ", where there is " + found;
        }
    }

    /** Data that were durable are not there any more. */
    record Corrupt(String file, int offset, String reason) implements LogVerdict {
        @Override
        public String toString() {
            return "corrupt in " + file + " at offset " + offset + ": " + reason;
        }
    }
}
