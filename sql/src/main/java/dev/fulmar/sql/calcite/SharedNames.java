package dev.fulmar.sql.calcite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.jspecify.annotations.Nullable;

/**
 * Names that several columns of a star have. Calcite gives all but the first of them names of its own, as ID0, and
 * views have these. A client sees the names that the columns had: {@code SELECT * FROM a, b} has two columns {@code
 * id}. One per statement.
 */
final class SharedNames {
    /** Follows the name in those that tell columns of functions apart; no statement has it in a name. */
    private static final char MARK = '\u0001';

    /** The names of columns, by those that Calcite has given them. */
    private final Map<String, String> renamed = new HashMap<>();

    /** Names that the statement, or a table, gives columns. */
    private final Set<String> given = new HashSet<>();

    /** Notes the names that the statement gives. */
    void ofStatement(@Nullable SqlNode node) {
        switch (node) {
            case SqlCall call -> {
                if (call.getKind() == SqlKind.AS) {
                    for (SqlNode name : call.getOperandList().subList(1, call.operandCount())) {
                        given.add(((SqlIdentifier) name).names.getLast());
                    }
                }
                call.getOperandList().forEach(this::ofStatement);
            }
            case SqlNodeList list -> list.forEach(this::ofStatement);
            case null, default -> {}
        }
    }

    /**
     * Notes a column of a star.
     *
     * @param unique its name among the others
     */
    void column(SqlNode expression, String unique) {
        String written = SqlValidatorUtil.alias(expression);
        if (written != null && !unique.equals(written)) {
            renamed.put(unique, shown(written));
        } else if (!renamed.containsKey(unique)) {
            given.add(unique);
        }
    }

    /** The name as a client sees it. */
    String shown(String name) {
        String written = given.contains(name) ? name : renamed.getOrDefault(name, name);
        int mark = written.indexOf(MARK);
        return mark < 0 ? written : written.substring(0, mark);
    }

    /** A name for another column of the same name. */
    static String another(String name, int number) {
        return name + MARK + number;
    }
}
