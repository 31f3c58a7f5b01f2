package dev.fulmar.wire.postgres.message;

/** State of a session's transaction, as ReadyForQuery reports it. */
public enum TransactionStatus {
    IDLE('I'),
    IN_TRANSACTION('T'),
    /** Every statement fails with 25P02 until the transaction is rolled back. */
    FAILED('E');

    private final byte code;

    TransactionStatus(char code) {
        this.code = (byte) code;
    }

    /** The state's code in messages. */
    public byte code() {
        return code;
    }
}
