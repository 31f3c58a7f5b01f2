package dev.fulmar.benchmarks.ycsb.procedure;

import dev.fulmar.procedure.Statement;

/** UPDATE statements of YCSB's stored procedures, one for each field, because a column cannot be a parameter. */
final class FieldUpdates {
    static final Statement FIELD0 = Statement.of("UPDATE usertable SET field0 = ? WHERE ycsb_key = ?");
    static final Statement FIELD1 = Statement.of("UPDATE usertable SET field1 = ? WHERE ycsb_key = ?");
    static final Statement FIELD2 = Statement.of("UPDATE usertable SET field2 = ? WHERE ycsb_key = ?");
    static final Statement FIELD3 = Statement.of("UPDATE usertable SET field3 = ? WHERE ycsb_key = ?");
    static final Statement FIELD4 = Statement.of("UPDATE usertable SET field4 = ? WHERE ycsb_key = ?");
    static final Statement FIELD5 = Statement.of("UPDATE usertable SET field5 = ? WHERE ycsb_key = ?");
    static final Statement FIELD6 = Statement.of("UPDATE usertable SET field6 = ? WHERE ycsb_key = ?");
    static final Statement FIELD7 = Statement.of("UPDATE usertable SET field7 = ? WHERE ycsb_key = ?");
    static final Statement FIELD8 = Statement.of("UPDATE usertable SET field8 = ? WHERE ycsb_key = ?");
    static final Statement FIELD9 = Statement.of("UPDATE usertable SET field9 = ? WHERE ycsb_key = ?");

    private FieldUpdates() {}

    static Statement of(int field) {
        return switch (field) {
            case 0 -> FIELD0;
            case 1 -> FIELD1;
            case 2 -> FIELD2;
            case 3 -> FIELD3;
            case 4 -> FIELD4;
            case 5 -> FIELD5;
            case 6 -> FIELD6;
            case 7 -> FIELD7;
            case 8 -> FIELD8;
            case 9 -> FIELD9;
            default -> throw new IllegalArgumentException("there is no field " + field);
        };
    }
}
