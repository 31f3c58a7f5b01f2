package dev.fulmar.wire.postgres.type;

/** The check of the length of a binary value of fixed size. */
final class BinaryLength {
    private BinaryLength() {}

    static void check(PostgresType type, byte[] bytes, int expected) {
        if (bytes.length != expected) {
            throw InvalidValue.binary(type, "it has " + bytes.length + " bytes instead of " + expected);
        }
    }
}
