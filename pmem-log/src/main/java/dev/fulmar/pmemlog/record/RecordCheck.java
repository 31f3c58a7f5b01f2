package dev.fulmar.pmemlog.record;

/** Verdicts on bytes that should be a record. */
public enum RecordCheck {
    VALID("a valid record"),
    TOO_SHORT("fewer bytes than a record's header"),
    BAD_LENGTH("a length that does not fit"),
    BAD_CHECKSUM("a wrong checksum"),
    UNKNOWN_VERSION("a format version that this program does not know"),
    UNKNOWN_KIND("a record kind that this program does not know"),
    BAD_RESERVED("a reserved field that is not zero");

    private final String description;

    RecordCheck(String description) {
        this.description = description;
    }

    /** For messages. */
    public String description() {
        return description;
    }
}
