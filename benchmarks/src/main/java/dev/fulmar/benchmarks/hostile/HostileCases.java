package dev.fulmar.benchmarks.hostile;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Requests with wrong content; {@link HostileFrames} has those with wrong bytes. */
final class HostileCases {
    private static final int OVERSIZED_BYTES = 64 << 20;

    private HostileCases() {}

    static List<HostileCase> all() {
        List<HostileCase> cases = new ArrayList<>(calls());
        cases.addAll(statements());
        cases.addAll(procedures());
        return cases;
    }

    private static List<HostileCase> calls() {
        return List.of(
                new HostileCase("unknown procedure", ErrorCode.UNKNOWN_PROCEDURE, c -> c.call("NoSuchProcedure", 1)),
                new HostileCase("unknown system procedure", ErrorCode.UNKNOWN_PROCEDURE, c -> c.call("@Nonsense")),
                new HostileCase("empty procedure name", ErrorCode.UNKNOWN_PROCEDURE, c -> c.call("")),
                new HostileCase(
                        "very long procedure name",
                        Set.of(ErrorCode.UNKNOWN_PROCEDURE, ErrorCode.MALFORMED_REQUEST, ErrorCode.FRAME_TOO_LARGE),
                        c -> c.call("x".repeat(100_000))),
                new HostileCase("too few parameters", ErrorCode.WRONG_PARAMETERS, c -> c.call("Bystander")),
                new HostileCase("too many parameters", ErrorCode.WRONG_PARAMETERS, c -> c.call("Bystander", 1, 2)),
                new HostileCase(
                        "text for a number",
                        Set.of(ErrorCode.WRONG_PARAMETERS, ErrorCode.TYPE_MISMATCH, ErrorCode.INVALID_TEXT),
                        c -> c.call("Bystander", "abc")),
                new HostileCase(
                        "array for a number",
                        Set.of(ErrorCode.WRONG_PARAMETERS, ErrorCode.TYPE_MISMATCH),
                        c -> c.call("Bystander", (Object) new long[] {1, 2})),
                new HostileCase(
                        "null for a primitive",
                        Set.of(ErrorCode.WRONG_PARAMETERS, ErrorCode.TYPE_MISMATCH),
                        c -> c.call("Bystander", (Object) null)),
                new HostileCase(
                        "oversized parameter",
                        Set.of(ErrorCode.FRAME_TOO_LARGE, ErrorCode.WRONG_PARAMETERS, ErrorCode.TOO_MANY_PARAMETERS),
                        c -> c.call("Bystander", (Object) new byte[OVERSIZED_BYTES])),
                new HostileCase(
                        "a hundred thousand parameters",
                        Set.of(ErrorCode.TOO_MANY_PARAMETERS, ErrorCode.WRONG_PARAMETERS),
                        c -> c.call("Bystander", new Object[100_000])),
                new HostileCase(
                        "a jar that is none",
                        Set.of(ErrorCode.PROCEDURE_REFUSED, ErrorCode.WRONG_PARAMETERS, ErrorCode.MALFORMED_REQUEST),
                        c -> c.call("@LoadClasses", (Object)
                                "this is no jar".getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    }

    private static List<HostileCase> statements() {
        Set<ErrorCode> syntax = Set.of(ErrorCode.SYNTAX, ErrorCode.STATEMENT_TOO_COMPLEX);
        Set<ErrorCode> limits = Set.of(ErrorCode.STATEMENT_TOO_COMPLEX, ErrorCode.SYNTAX, ErrorCode.FRAME_TOO_LARGE);
        return List.of(
                new HostileCase("garbage", syntax, c -> c.execute("§$%&/ garbage ((")),
                new HostileCase("empty statement", syntax, c -> c.execute("")),
                new HostileCase("open quote", syntax, c -> c.execute("SELECT 'open FROM victims")),
                new HostileCase(
                        "unknown table", ErrorCode.UNKNOWN_OBJECT, c -> c.execute("SELECT * FROM no_such_table")),
                new HostileCase(
                        "unknown column", ErrorCode.UNKNOWN_OBJECT, c -> c.execute("SELECT nothing FROM victims")),
                new HostileCase(
                        "missing parameter",
                        ErrorCode.WRONG_PARAMETERS,
                        c -> c.execute("SELECT v FROM victims WHERE k = ?")),
                new HostileCase(
                        "division by zero",
                        ErrorCode.DIVISION_BY_ZERO,
                        c -> c.execute("SELECT v / (k - k) FROM victims")),
                new HostileCase(
                        "overflow",
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        c -> c.execute("UPDATE victims SET v = 9223372036854775807 + k")),
                new HostileCase(
                        "duplicate key",
                        ErrorCode.UNIQUE_VIOLATION,
                        c -> c.execute("INSERT INTO victims VALUES (1, 0, 'again')")),
                new HostileCase(
                        "null in a key",
                        Set.of(ErrorCode.NOT_NULL_VIOLATION, ErrorCode.TYPE_MISMATCH),
                        c -> c.execute("INSERT INTO victims VALUES (NULL, 0, 'none')")),
                new HostileCase(
                        "text too long",
                        ErrorCode.STRING_TOO_LONG,
                        c -> c.execute("UPDATE victims SET t = ? WHERE k = 1", "y".repeat(1000))),
                new HostileCase(
                        "deep nesting",
                        limits,
                        c -> c.execute("SELECT " + "(".repeat(20_000) + "1" + ")".repeat(20_000))),
                new HostileCase(
                        "long conjunction",
                        limits,
                        c -> c.execute("SELECT k FROM victims WHERE " + "NOT ".repeat(50_000) + "k = 1")),
                new HostileCase(
                        "huge text",
                        limits,
                        c -> c.execute("SELECT k FROM victims WHERE k IN (" + "1,".repeat(2_000_000) + "1)")),
                new HostileCase(
                        "cross join without end",
                        Set.of(
                                ErrorCode.RESULT_TOO_LARGE,
                                ErrorCode.STATEMENT_TOO_COMPLEX,
                                ErrorCode.PROCEDURE_TIME_BUDGET,
                                ErrorCode.TIMEOUT),
                        c -> c.execute("SELECT a.k FROM crowd a, crowd b, crowd c, crowd d")));
    }

    private static List<HostileCase> procedures() {
        Set<ErrorCode> budget = Set.of(ErrorCode.PROCEDURE_TIME_BUDGET);
        Set<ErrorCode> memory = Set.of(
                ErrorCode.PROCEDURE_MEMORY_BUDGET,
                ErrorCode.PROCEDURE_OBJECT_BUDGET,
                ErrorCode.PROCEDURE_FAILED,
                ErrorCode.MEMORY_LIMIT,
                ErrorCode.RESULT_TOO_LARGE);
        return List.of(
                new HostileCase("endless loop", budget, c -> c.call("EndlessLoop", 1)),
                new HostileCase("endless loop that catches all", budget, c -> c.call("SwallowingLoop", 1)),
                new HostileCase(
                        "endless recursion",
                        Set.of(ErrorCode.PROCEDURE_DEPTH_BUDGET, ErrorCode.PROCEDURE_FAILED),
                        c -> c.call("DeepRecursion", 1)),
                new HostileCase("huge array", memory, c -> c.call("HugeArray", 1)),
                new HostileCase("exception", ErrorCode.PROCEDURE_FAILED, c -> c.call("Thrower", 1)),
                new HostileCase("too large a result", ErrorCode.RESULT_TOO_LARGE, c -> c.call("TooMuch", 1)));
    }
}
