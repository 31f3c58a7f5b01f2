package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.ProcedureEditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Source of the wishes of a client that changes the catalog: tables, columns, indexes, conditions, places of rows,
 * procedures and users. It also brings editions of the procedures that others call.
 */
final class CatalogWishes {
    /** Columns of the key, by which rows may be placed. */
    private static final String BY_ID = "ID";

    private static final String BY_NUMBER = "N";

    private static final int MOST_TABLES = 3;
    private static final int MOST_NUMBER = 14;
    private static final int EDITION_ONE_IN = 4;

    /** The simulated log has small records, and one of them must have all jars that there ever were. */
    private static final int MOST_EDITIONS = 4;

    private static final int USER_ONE_IN = 10;
    private static final int FILLED_ROWS = 6;
    private static final long FIRST_FILLED = 1_000_000_000;
    private static final int REPLICATED_ONE_IN = 4;
    private static final int HASHED_ONE_IN = 3;
    private static final int KINDS = 8;
    private static final int UNIQUE_ONE_IN = 4;
    private static final int OF_ROW_ONE_IN = 2;

    private final String prefix;
    private final boolean joinsPartitions;
    private final boolean bringsEditions;
    private final boolean temptsChecks;
    private final CatalogKnowledge knowledge;
    private final HistoryRecorder recorder;
    private final List<ChangingTable> own = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private @Nullable ChangingTable unpartitioned;
    private int lastNumber;
    private long edition = ProcedureEditions.FIRST;

    /**
     * @param client the first one brings the editions, so that they come in order
     * @param joinsPartitions whether transactions write to several partitions, as they must to fill replicated tables
     * @param temptsChecks whether many changes are constraints, and rows of one partition break some of them
     */
    CatalogWishes(
            int client,
            boolean joinsPartitions,
            boolean temptsChecks,
            CatalogKnowledge knowledge,
            HistoryRecorder recorder) {
        this.temptsChecks = temptsChecks;
        this.prefix = "C" + client + "_";
        this.joinsPartitions = joinsPartitions;
        this.bringsEditions = client == 1;
        this.knowledge = knowledge;
        this.recorder = recorder;
    }

    CatalogWish next(RandomSource random) {
        ChangingTable begun = unpartitioned;
        if (begun != null) {
            unpartitioned = null;
            return partition(begun);
        }
        if (bringsEditions
                && edition < ProcedureEditions.FIRST + MOST_EDITIONS
                && random.nextInt(EDITION_ONE_IN) == 0) {
            return edition(++edition);
        }
        if (random.nextInt(USER_ONE_IN) == 0) {
            return user(random);
        }
        own.removeIf(table -> table.isVague() || table.mayBeDropped());
        if (own.size() < MOST_TABLES && random.nextInt(1 + own.size()) == 0) {
            return create(random);
        }
        ChangingTable table = own.get(random.nextInt(own.size()));
        return table.numbers() >= MOST_NUMBER ? drop(table) : change(table, random);
    }

    private CatalogWish change(ChangingTable table, RandomSource random) {
        if (temptsChecks && random.nextInt(2) == 0) {
            return random.nextInt(UNIQUE_ONE_IN) == 0 ? uniqueIndex(table) : addCheck(table, random);
        }
        return switch (random.nextInt(KINDS)) {
            case 0 -> addColumn(table);
            case 1, 2 -> addCheck(table, random);
            case 3 -> uniqueIndex(table);
            case 4 -> table.indexes().isEmpty() ? index(table) : dropIndex(table);
            case 5 -> procedure(table);
            case 6 -> drop(table);
            default -> place(table);
        };
    }

    /** Of a table: what is unknown of it makes it vague. */
    private static class OfTable implements CatalogWish.Hears {
        private final ChangingTable table;

        OfTable(ChangingTable table) {
            this.table = table;
        }

        @Override
        public void unknown() {
            table.becomeVague();
        }
    }

    private static CatalogWish make(ChangingTable table, String text, String name, Set<ErrorCode> refusals) {
        table.owns(name);
        return new CatalogWish(text, null, List.of(name), List.of(), refusals, new OfTable(table));
    }

    private CatalogWish create(RandomSource random) {
        boolean isPartitioned = !joinsPartitions || random.nextInt(REPLICATED_ONE_IN) != 0;
        ChangingTable table = new ChangingTable(prefix + ++lastNumber, isPartitioned);
        if (lastNumber % 2 == 0) {
            boolean isTogether = isPartitioned && random.nextInt(2) == 0;
            return createFilled(table, isTogether);
        }
        return new CatalogWish(created(table), null, table.names(), List.of(), Set.of(), new CatalogWish.Hears() {
            @Override
            public void done() {
                if (table.isPartitioned()) {
                    unpartitioned = table;
                } else {
                    opens(table);
                }
            }
        });
    }

    /** Made of a query with its rows, or by a transaction. */
    private CatalogWish createFilled(ChangingTable table, boolean isTogether) {
        List<ChangingTable.Row> rows = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (long number = FIRST_FILLED; number < FIRST_FILLED + FILLED_ROWS; number++) {
            ChangingTable.Row row = table.harmless(number);
            rows.add(row);
            values.add(Arrays.stream(row.arguments())
                    .map(value -> "CAST(" + value + " AS BIGINT)")
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        String rowsText = String.join(", ", values);
        String text = isTogether
                ? String.join(
                        CatalogWish.SEPARATOR,
                        created(table),
                        partitioned(table),
                        "INSERT INTO " + table.name() + " VALUES " + rowsText,
                        "UPDATE " + table.name() + " SET a = a WHERE n >= 0",
                        "SELECT COUNT(*) FROM " + table.name())
                : "CREATE TABLE " + table.name() + " (id, n, a, PRIMARY KEY (id, n))"
                        + (table.isPartitioned() ? " PARTITION ON COLUMN id" : " REPLICATED") + " AS VALUES "
                        + rowsText;
        return new CatalogWish(text, null, table.names(), List.of(), Set.of(), new CatalogWish.Hears() {
            @Override
            public void done() {
                rows.forEach(row -> row.is(ChangingTable.RowState.THERE));
                opens(table);
            }
        });
    }

    /** Rows of some have no order in which they could be copied. */
    private String created(ChangingTable table) {
        String kind = lastNumber % HASHED_ONE_IN == 0 ? " USING HASH" : "";
        return "CREATE TABLE " + table.name()
                + " (id BIGINT NOT NULL, n BIGINT NOT NULL, a BIGINT NOT NULL, PRIMARY KEY (id, n)" + kind
                + ") REPLICATED";
    }

    private static String partitioned(ChangingTable table) {
        return "PARTITION TABLE " + table.name() + " ON COLUMN id";
    }

    private void opens(ChangingTable table) {
        own.add(table);
        knowledge.add(table);
    }

    private CatalogWish partition(ChangingTable table) {
        return new CatalogWish(partitioned(table), null, List.of(), List.of(), Set.of(), new CatalogWish.Hears() {
            @Override
            public void done() {
                opens(table);
            }
        });
    }

    private CatalogWish drop(ChangingTable table) {
        if (!table.procedures().isEmpty()) {
            return dropProcedure(table);
        }
        return new CatalogWish(
                "DROP TABLE " + table.name(), null, List.of(), table.names(), Set.of(), new OfTable(table) {
                    @Override
                    public void begun() {
                        table.beginDrop();
                    }

                    @Override
                    public void refused() {
                        table.staysAfterAll();
                    }
                });
    }

    private static CatalogWish addColumn(ChangingTable table) {
        String column = "X" + table.nextNumber();
        String text = "ALTER TABLE " + table.name() + " ADD COLUMN " + column + " BIGINT DEFAULT "
                + ChangingTable.DEFAULT + " NOT NULL";
        return make(table, text, CatalogNames.column(table.name(), column), Set.of());
    }

    private CatalogWish addCheck(ChangingTable table, RandomSource random) {
        String check = "K" + table.nextNumber();
        long forbidden = temptsChecks && random.nextInt(OF_ROW_ONE_IN) == 0
                ? table.drawForbiddenOfRow(check, random)
                : table.drawForbidden(check, random);
        String text = "ALTER TABLE " + table.name() + " ADD CONSTRAINT " + check + " CHECK (a <> " + forbidden + ")";
        return make(table, text, CatalogNames.check(table.name(), check), Set.of(ErrorCode.CHECK_VIOLATION));
    }

    /** Its rows are placed by the other column of the key, for which transactions write to several partitions. */
    private CatalogWish place(ChangingTable table) {
        boolean goesAway = table.place().equals(BY_ID);
        if (!joinsPartitions || (goesAway && table.mayBeUnique())) {
            return addColumn(table);
        }
        if (!table.procedures().isEmpty()) {
            return dropProcedure(table);
        }
        String column = goesAway ? BY_NUMBER : BY_ID;
        String text = "ALTER TABLE " + table.name() + " PARTITION ON COLUMN " + column;
        return new CatalogWish(text, null, List.of(), List.of(), Set.of(), new OfTable(table) {
            @Override
            public void done() {
                table.isPlacedBy(column);
            }
        });
    }

    private static CatalogWish uniqueIndex(ChangingTable table) {
        if (table.place().equals(BY_NUMBER)) {
            return addColumn(table); // it would be one over partitions, which others try
        }
        String index = table.name() + "_U" + table.nextNumber();
        table.beginUnique();
        return make(
                table,
                "CREATE UNIQUE INDEX " + index + " ON " + table.name() + " (id, a)",
                CatalogNames.index(table.name(), index),
                Set.of(ErrorCode.UNIQUE_VIOLATION));
    }

    private static CatalogWish index(ChangingTable table) {
        String index = table.name() + "_I" + table.nextNumber();
        String name = CatalogNames.index(table.name(), index);
        table.owns(name);
        String text = "CREATE INDEX " + index + " ON " + table.name() + " (a)";
        return new CatalogWish(text, null, List.of(name), List.of(), Set.of(), new OfTable(table) {
            @Override
            public void done() {
                table.indexes().add(index);
            }
        });
    }

    private static CatalogWish dropIndex(ChangingTable table) {
        String index = table.indexes().getFirst();
        List<String> dropped = List.of(CatalogNames.index(table.name(), index));
        return new CatalogWish("DROP INDEX " + index, null, List.of(), dropped, Set.of(), new OfTable(table) {
            @Override
            public void done() {
                table.indexes().remove(index);
            }
        });
    }

    private static CatalogWish procedure(ChangingTable table) {
        if (!table.place().equals(BY_ID)) {
            return addColumn(table);
        }
        if (!table.procedures().isEmpty()) {
            return dropProcedure(table);
        }
        String procedure = table.name() + "_P" + table.nextNumber();
        String text = "CREATE PROCEDURE " + procedure + " PARTITION ON TABLE " + table.name()
                + " COLUMN id AS INSERT INTO " + table.name() + " (id, n, a) VALUES (?, ?, ?)";
        return new CatalogWish(
                text, null, List.of(CatalogNames.procedure(procedure)), List.of(), Set.of(), new OfTable(table) {
                    @Override
                    public void done() {
                        table.procedures().add(procedure);
                    }
                });
    }

    private static CatalogWish dropProcedure(ChangingTable table) {
        String procedure = table.procedures().getFirst();
        List<String> dropped = List.of(CatalogNames.procedure(procedure));
        return new CatalogWish("DROP PROCEDURE " + procedure, null, List.of(), dropped, Set.of(), new OfTable(table) {
            @Override
            public void begun() {
                table.mayLose(procedure);
            }

            @Override
            public void done() {
                table.procedures().remove(procedure);
            }
        });
    }

    private CatalogWish user(RandomSource random) {
        if (!users.isEmpty() && random.nextInt(2) == 0) {
            String user = users.removeFirst();
            List<String> dropped = List.of(CatalogNames.user(user));
            return new CatalogWish("DROP USER " + user, null, List.of(), dropped, Set.of(), new CatalogWish.Hears() {});
        }
        String user = prefix + "U" + ++lastNumber;
        String text = "CREATE USER " + user + " PASSWORD 'secret of " + user + "'";
        List<String> made = List.of(CatalogNames.user(user));
        return new CatalogWish(text, null, made, List.of(), Set.of(), new CatalogWish.Hears() {
            @Override
            public void done() {
                users.add(user);
            }
        });
    }

    /** The procedures that other clients call; to the history their edition is a register. */
    private CatalogWish edition(long next) {
        HistoryRecorder.Pending record = recorder.invoke(0, List.of(ProcedureEditions.written(next)));
        return new CatalogWish(
                "@LoadClasses", ProcedureEditions.jar(next), List.of(), List.of(), Set.of(), new CatalogWish.Hears() {
                    @Override
                    public void done() {
                        record.ok(List.of(ProcedureEditions.written(next)), OptionalLong.empty());
                    }

                    @Override
                    public void refused() {
                        record.failed();
                    }

                    @Override
                    public void unknown() {
                        record.unknown();
                    }
                });
    }
}
