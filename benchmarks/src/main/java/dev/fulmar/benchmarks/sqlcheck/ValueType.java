package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;

/** Types of generated expressions. Columns of one such type may be declared in several ways. */
enum ValueType {
    INTEGER(
            List.of("INTEGER", "INTEGER", "SMALLINT", "BIGINT"),
            "INTEGER",
            "0",
            List.of("0", "1", "2", "3", "4", "5", "7", "10", "-1", "-3", "100"),
            List.of("32767", "-32768", "30000")),
    DECIMAL(
            List.of("DECIMAL(12, 2)", "DECIMAL(9, 2)"),
            "DECIMAL(12, 2)",
            "1.50",
            List.of("0.00", "1.00", "1.50", "2.25", "-1.50", "3.00", "10.10"),
            List.of("9999999.99", "-9999999.99")),
    DOUBLE(
            List.of("DOUBLE"),
            "DOUBLE",
            "1.5E0",
            List.of("0.0E0", "1.0E0", "1.5E0", "-2.25E0", "3.0E0"),
            List.of("1.0E10", "-1.0E10", "1.0E-5")),
    REAL(
            List.of("REAL"),
            "REAL",
            "1.5E0",
            List.of("0.0E0", "1.0E0", "1.5E0", "-2.25E0", "3.0E0"),
            List.of("3.0E38", "-3.0E38", "1.0E10")),
    /** Values are the same with any blanks at their ends. */
    CHARACTER(
            List.of("CHAR(4)", "CHAR(4)", "CHAR(6)"),
            "CHAR(4)",
            "'a'",
            List.of("'a'", "'b'", "'ab'", "'b '", "'a  '", "'abcd'"),
            List.of("''", "' '", "'A'")),
    TEXT(
            List.of("VARCHAR(20)"),
            "VARCHAR(20)",
            "'a'",
            List.of("'a'", "'b'", "'ab'", "'A'", "'abc'", "'b1'"),
            List.of("''", "' '", "'a '", "'%'", "'a_c'", "'\u00e9'", "'zzzzzzzzzzzzzzzzzzzz'", "'12'")),
    BOOLEAN(List.of("BOOLEAN"), "BOOLEAN", "TRUE", List.of("TRUE", "FALSE"), List.of("TRUE")),
    DATE(
            List.of("DATE"),
            "DATE",
            "DATE '2024-02-29'",
            List.of("DATE '2024-02-29'", "DATE '2024-03-01'", "DATE '2023-12-31'", "DATE '2000-01-01'"),
            List.of("DATE '1970-01-01'", "DATE '1969-12-31'", "DATE '2999-12-31'")),
    TIME(
            List.of("TIME"),
            "TIME",
            "TIME '12:30:00'",
            List.of("TIME '12:30:00'", "TIME '12:30:01'", "TIME '23:30:00'", "TIME '00:00:00'"),
            List.of("TIME '23:59:59'", "TIME '00:00:01'")),
    TIMESTAMP(
            List.of("TIMESTAMP"),
            "TIMESTAMP",
            "TIMESTAMP '2024-02-29 12:30:00'",
            List.of(
                    "TIMESTAMP '2024-02-29 12:30:00'",
                    "TIMESTAMP '2024-02-29 12:30:01'",
                    "TIMESTAMP '2023-12-31 23:59:59'"),
            List.of("TIMESTAMP '1970-01-01 00:00:00'", "TIMESTAMP '1969-12-31 23:59:59.5'"));

    private static final int RARE = 8;

    private final List<String> declarations;
    private final String castType;
    private final String simplest;
    private final List<String> usual;
    private final List<String> extreme;

    ValueType(List<String> declarations, String castType, String simplest, List<String> usual, List<String> extreme) {
        this.declarations = declarations;
        this.castType = castType;
        this.simplest = simplest;
        this.usual = usual;
        this.extreme = extreme;
    }

    String drawDeclaration(Draw draw) {
        return draw.pick(declarations);
    }

    /** A literal that every declaration of this type can hold. */
    String drawLiteral(Draw draw) {
        return typed(draw.oneIn(RARE) ? draw.pick(extreme) : draw.pick(usual));
    }

    /** The literal to which a failing statement is reduced. */
    String simplestLiteral() {
        return typed(simplest);
    }

    /** H2 computes with approximate literals exactly; what a plain text is beside a CHAR depends on where it stands. */
    private String typed(String literal) {
        return this == DOUBLE || this == REAL || this == CHARACTER
                ? "CAST(" + literal + " AS " + castType + ")"
                : literal;
    }

    /** A literal without CAST, as HSQLDB wants it for a column's default. */
    String drawDefault(Draw draw) {
        return draw.pick(usual);
    }

    /** A literal that is not of this type and becomes it where it is stored. */
    String drawUntyped(Draw draw) {
        String literal = draw.pick(usual);
        return switch (this) {
            case DATE, TIME, TIMESTAMP -> literal.substring(literal.indexOf('\''));
            case DECIMAL -> draw.oneIn(2) ? "'" + literal + "'" : literal;
            case INTEGER, DOUBLE, REAL, TEXT, CHARACTER, BOOLEAN -> literal;
        };
    }

    /** Whether columns of the type can be keys and say where rows belong. */
    boolean canBeKey() {
        return this != DOUBLE && this != REAL;
    }

    /** A typed NULL. */
    String nullLiteral() {
        return "CAST(NULL AS " + castType + ")";
    }

    boolean isNumber() {
        return this == INTEGER || this == DECIMAL || this == DOUBLE;
    }
}
