package dev.fulmar.foundation.error;

/**
 * Numbered reasons of errors, each with the party at fault and the SQLSTATE. Numbers travel on the wire and are never
 * reused.
 */
public enum ErrorCode {
    // User: the request or the data is at fault; sending it again unchanged fails again.
    USER_ABORT(1, Category.USER, "45000"),
    SYNTAX(2, Category.USER, "42000"),
    UNKNOWN_OBJECT(3, Category.USER, "42S02"),
    OBJECT_EXISTS(4, Category.USER, "42S01"),
    TYPE_MISMATCH(5, Category.USER, "42804"),
    UNIQUE_VIOLATION(6, Category.USER, "23505"),
    NOT_NULL_VIOLATION(7, Category.USER, "23502"),
    CHECK_VIOLATION(8, Category.USER, "23514"),
    FOREIGN_KEY_VIOLATION(9, Category.USER, "23503"),
    VALUE_OUT_OF_RANGE(10, Category.USER, "22003"),
    STRING_TOO_LONG(11, Category.USER, "22001"),
    DIVISION_BY_ZERO(12, Category.USER, "22012"),
    INVALID_TEXT(13, Category.USER, "22018"),
    CARDINALITY_VIOLATION(14, Category.USER, "21000"),
    UNKNOWN_PROCEDURE(15, Category.USER, "42883"),
    WRONG_PARAMETERS(16, Category.USER, "07001"),
    EXPECTATION_FAILED(17, Category.USER, "P0004"),
    PROCEDURE_FAILED(18, Category.USER, "38000"),
    PROCEDURE_TIME_BUDGET(19, Category.USER, "57014"),
    PROCEDURE_REFUSED(20, Category.USER, "38001"),
    PARTITION_MISMATCH(21, Category.USER, "0AP01"),
    NOT_SUPPORTED(22, Category.USER, "0A000"),
    MALFORMED_REQUEST(23, Category.USER, "08P01"),
    PERMISSION_DENIED(24, Category.USER, "42501"),
    READ_ONLY_TRANSACTION(25, Category.USER, "25006"),
    INVALID_CONFIGURATION(26, Category.USER, "F0000"),
    DEPENDENT_OBJECTS(27, Category.USER, "2BP01"),
    AUTHENTICATION_FAILED(28, Category.USER, "28P01"),
    CANCELLED(29, Category.USER, "HY008"),
    DATETIME_OUT_OF_RANGE(30, Category.USER, "22008"),
    /** Of a transaction of several statements: run them all again, from BEGIN on. */
    SERIALIZATION_FAILURE(31, Category.USER, "40001"),
    NO_ACTIVE_TRANSACTION(32, Category.USER, "25P01"),
    ACTIVE_TRANSACTION(33, Category.USER, "25001"),
    FAILED_TRANSACTION(34, Category.USER, "25P02"),
    IDLE_TRANSACTION(35, Category.USER, "25P03"),
    UNKNOWN_SAVEPOINT(36, Category.USER, "3B001"),
    LOCK_NOT_AVAILABLE(37, Category.USER, "55P03"),
    /** Of a portal that is not open, or not any more: open it again. */
    PORTAL_ENDED(38, Category.USER, "24000"),
    SEQUENCE_NOT_DRAWN(39, Category.USER, "55000"),
    UNKNOWN_CURSOR(40, Category.USER, "34000"),
    DUPLICATE_CURSOR(41, Category.USER, "42P03"),
    /** Of text that is no interval; of such that is no date or time PostgreSQL's clients alone get this one. */
    INVALID_DATETIME(42, Category.USER, "22007"),
    /** Of a value whose binary form is none of its type; PostgreSQL's clients alone get this one. */
    INVALID_BINARY(43, Category.USER, "22P03"),
    /** Of text with bytes that are no characters; PostgreSQL's clients alone get this one. */
    INVALID_CHARACTERS(44, Category.USER, "22021"),
    UNKNOWN_STATEMENT(45, Category.USER, "26000"),
    DUPLICATE_STATEMENT(46, Category.USER, "42P05"),
    /** A prepared statement would yield other columns than when it was prepared: prepare it again. */
    PLAN_CHANGED(47, Category.USER, "0A000"),
    INDETERMINATE_TYPE(48, Category.USER, "42P18"),
    /** Of the data of a COPY that are not in its format; PostgreSQL's clients alone get this one. */
    BAD_COPY_FORMAT(49, Category.USER, "22P04"),
    /** Of ON CONFLICT, which names no unique key of its table. */
    NO_UNIQUE_KEY(50, Category.USER, "42P10"),
    /** Of an argument of a function that is of the right type, but none of those that the function takes. */
    INVALID_ARGUMENT(51, Category.USER, "22023"),
    INVALID_REGULAR_EXPRESSION(52, Category.USER, "2201B"),
    /** Of WITH RECURSIVE whose query reads its own rows in a way that no recursion may. */
    INVALID_RECURSION(53, Category.USER, "42P19"),
    /** Of an advisory lock that is given back and was not taken; a warning. */
    LOCK_NOT_HELD(54, Category.USER, "01000"),
    /** Of a place in a list of columns, or an order, that does not fit the query. */
    INVALID_COLUMN_REFERENCE(55, Category.USER, "42P10"),
    /** Of a cursor that was declared without SCROLL, and is asked to go back. */
    CURSOR_GOES_FORWARD(56, Category.USER, "55000"),
    /** Of JSON that stands for a character which no text has. */
    UNTRANSLATABLE_CHARACTER(59, Category.USER, "22P05"),
    /** Of an operation that the type of a value has not: documents as they are written have no equality. */
    UNDEFINED_OPERATION(60, Category.USER, "42883"),
    /** Of a table whose definition contradicts itself, as that of a column that is computed from a computed one. */
    INVALID_DEFINITION(61, Category.USER, "42P17"),
    /** Of a value for a column that is always computed. */
    GENERATED_ALWAYS(62, Category.USER, "428C9"),
    /** Of the text of an interval with a number that no interval has. */
    INTERVAL_OUT_OF_RANGE(65, Category.USER, "22015"),
    /** Of a logarithm of a number that has none. */
    INVALID_LOGARITHM(70, Category.USER, "2201E"),
    /** Of a part of a text whose length is negative. */
    SUBSTRING_ERROR(71, Category.USER, "22011"),
    /** Of the place of a byte or bit that there is not. */
    SUBSCRIPT_ERROR(72, Category.USER, "2202E"),
    /** Of a NULL where a value is needed. */
    NULL_NOT_ALLOWED(73, Category.USER, "22004"),
    /** Of a number of a character behind a backslash that has too few digits. */
    INVALID_ESCAPE(74, Category.USER, "22025"),
    /** Of a pattern of SIMILAR TO with too many marks. */
    INVALID_ESCAPE_USE(75, Category.USER, "2200C"),
    /** Of a window function where there is no window. */
    MISPLACED_WINDOW(76, Category.USER, "42P20"),
    /** Of a root or a power that is no number. */
    INVALID_POWER(77, Category.USER, "2201F"),
    /** Of buckets that WIDTH_BUCKET cannot count. */
    INVALID_BUCKETS(78, Category.USER, "2201G"),

    // Retryable: the same request may succeed later; the client may send it again.
    TRANSACTION_RESTART(101, Category.RETRYABLE, "40001"),
    SERVER_BUSY(102, Category.RETRYABLE, "53400"),
    NODE_STOPPING(103, Category.RETRYABLE, "57P01"),
    NOT_CONNECTED(104, Category.RETRYABLE, "08006"),
    WRONG_NODE(105, Category.RETRYABLE, "08004"),
    SNAPSHOT_TOO_OLD(106, Category.RETRYABLE, "72000"),
    CATALOG_CHANGED(107, Category.RETRYABLE, "40F01"),
    /** Of sessions that wait for each other's advisory locks: the others go on. */
    DEADLOCK(108, Category.RETRYABLE, "40P01"),
    /** Of a statement whose query has more rows than when the numbers of a sequence were drawn for them. */
    NUMBERS_USED_UP(109, Category.RETRYABLE, "40001"),

    // Resource: a limit was met; the message names the limit and how to raise it.
    MEMORY_LIMIT(201, Category.RESOURCE, "53200"),
    RESULT_TOO_LARGE(202, Category.RESOURCE, "54000"),
    FRAME_TOO_LARGE(203, Category.RESOURCE, "54F01"),
    TOO_MANY_CONNECTIONS(204, Category.RESOURCE, "53300"),
    TOO_MANY_PARAMETERS(205, Category.RESOURCE, "54F02"),
    STATEMENT_TOO_COMPLEX(206, Category.RESOURCE, "54001"),
    UNDO_LIMIT(207, Category.RESOURCE, "54F03"),
    DISK_FULL(208, Category.RESOURCE, "53100"),
    PROCEDURE_MEMORY_BUDGET(209, Category.RESOURCE, "54F04"),
    PROCEDURE_DEPTH_BUDGET(210, Category.RESOURCE, "54F05"),
    PROCEDURE_OBJECT_BUDGET(211, Category.RESOURCE, "54F06"),
    TRANSACTION_TOO_LARGE(212, Category.RESOURCE, "54F07"),
    TOO_MANY_PORTALS(213, Category.RESOURCE, "54F08"),

    // Internal: a defect or a broken machine; the outcome may be unknown.
    INTERNAL(301, Category.INTERNAL, "XX000"),
    OUTCOME_UNKNOWN(302, Category.INTERNAL, "08007"),
    TIMEOUT(303, Category.INTERNAL, "HYT00"),
    STORAGE_FAILURE(304, Category.INTERNAL, "58030"),
    CORRUPTION(305, Category.INTERNAL, "XX001"),
    VERSION_MISMATCH(306, Category.INTERNAL, "08P02"),
    REPLAY_DIVERGED(307, Category.INTERNAL, "XX002"),
    /**
     * The node that had the request, or a part of it, broke and ended itself. The request may be why, so no client
     * sends it again unasked. Clients report {@link #OUTCOME_UNKNOWN}.
     */
    NODE_BROKEN(308, Category.INTERNAL, "08F01"),
    /**
     * The node that had the request was lost before it answered, for an unknown reason; it may be sent again once.
     * Clients report {@link #OUTCOME_UNKNOWN}.
     */
    NODE_LOST(309, Category.INTERNAL, "08F02");

    /** Whose matter an error is. */
    public enum Category {
        USER,
        RETRYABLE,
        RESOURCE,
        INTERNAL
    }

    private final int number;
    private final Category category;
    private final String sqlState;

    ErrorCode(int number, Category category, String sqlState) {
        this.number = number;
        this.category = category;
        this.sqlState = sqlState;
    }

    /** The code that stood for this one before programs could tell the budgets of a procedure apart. */
    public ErrorCode beforeBudgetsHadCodes() {
        return switch (this) {
            case PROCEDURE_MEMORY_BUDGET, PROCEDURE_DEPTH_BUDGET, PROCEDURE_OBJECT_BUDGET -> PROCEDURE_TIME_BUDGET;
            default -> this;
        };
    }

    /** The code that stood for this one before clients could tell why a node ended, and dates from numbers. */
    public ErrorCode beforeEndsHadCodes() {
        return switch (this) {
            case NODE_BROKEN, NODE_LOST -> OUTCOME_UNKNOWN;
            case DATETIME_OUT_OF_RANGE -> VALUE_OUT_OF_RANGE;
            default -> this;
        };
    }

    /** Number on the wire. */
    public int number() {
        return number;
    }

    public Category category() {
        return category;
    }

    public String sqlState() {
        return sqlState;
    }

    /** The code with the number, or {@link #INTERNAL} for one that this version does not know. */
    public static ErrorCode ofNumber(int number) {
        for (ErrorCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL;
    }
}
