package dev.fulmar.wire.postgres.message;

/**
 * Description of a result's column.
 *
 * @param tableOid the table that the column is of, or 0
 * @param columnNumber its number in the table, from 1, or 0
 * @param typeOid its type
 * @param typeSize bytes of the type, negative where they vary
 * @param typeModifier parameters of the type, or -1
 */
public record FieldDescription(
        String name, int tableOid, int columnNumber, int typeOid, int typeSize, int typeModifier, ValueFormat format) {}
