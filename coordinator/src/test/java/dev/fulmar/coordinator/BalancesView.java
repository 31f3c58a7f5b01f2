package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A materialized view of a bank: how many accounts have which balance, and the greatest of them. Its rows come and go
 * with every transfer.
 */
final class BalancesView {
    private static final int BALANCE = 0;
    private static final int ID = 1;
    private static final int COUNT = 3;
    private static final int GREATEST = 4;

    private BalancesView() {}

    static CatalogChange change() {
        Catalog catalog = Catalog.empty();
        catalog = CatalogEdit.of(SteppedDatabase.table("ACCOUNT"), catalog).catalog();
        catalog = CatalogEdit.of(new CatalogChange.PartitionTable("ACCOUNT", "ID"), catalog)
                .catalog();
        Expression id = new Expression.ColumnReference(0, SteppedDatabase.BIGINT, false);
        Aggregation aggregation = new Aggregation(
                "ACCOUNT",
                "the accounts of each balance",
                List.of(new Aggregation.Group(1, "BALANCE", true), new Aggregation.Group(0, "ID", false)),
                true,
                Optional.empty(),
                List.of(
                        new Aggregation.Measure(Aggregation.Function.COUNT, Optional.empty(), SteppedDatabase.BIGINT),
                        new Aggregation.Measure(Aggregation.Function.MAX, Optional.of(id), SteppedDatabase.BIGINT)),
                List.of(new Aggregation.Output(
                        "BALANCE", SteppedDatabase.BIGINT, true, Aggregation.Reading.GROUP, 0, 0)));
        return new CatalogChange.CreateMaterializedView(
                "BALANCES", List.of(catalog.table("ACCOUNT")), aggregation, CatalogChange.Presence.STRICT);
    }

    /** In all copies in sync the view has what follows from the accounts there. */
    static void assertFollows(ReplicatedBank bank, int partitions) {
        bank.assertCopiesEqual();
        bank.calm();
        for (int number = 0; number < partitions; number++) {
            PartitionId partition = new PartitionId(number);
            for (CopyId copy : bank.record(partition).get().inSync()) {
                ClusterNode node = bank.node(copy.node());
                assertThat(accounts(node, partition))
                        .as("view at " + copy + " of " + partition)
                        .isEqualTo(ReplicatedBank.rows(node, partition));
            }
        }
        bank.clients.forEach(client -> client.isResting = false);
    }

    /** The accounts as the view knows them. */
    private static String accounts(ClusterNode node, PartitionId partition) {
        int view = node.database.catalog().table("BALANCES").id();
        TableStore table = node.database.runtime(partition).storage().table(view);
        RowLayout layout = table.layout();
        TreeMap<Long, Long> accounts = new TreeMap<>();
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            assertThat(layout.getLong(row, COUNT)).isEqualTo(1);
            assertThat(layout.getLong(row, GREATEST)).isEqualTo(layout.getLong(row, ID));
            accounts.put(layout.getLong(row, ID), layout.getLong(row, BALANCE));
        }
        return accounts.toString();
    }
}
