package dev.fulmar.coordinator;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.execution.IndexKeyCode;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.StorageUndo;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.version.VersionLimits;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;

/** Makes the partitions of a database that begins, each with its rows, its undo and its memory of requests. */
final class NewPartitions {
    private NewPartitions() {}

    static PartitionRuntimes of(DatabaseConfiguration configuration, DatabaseEnvironment environment, Program program) {
        NodeServices services = environment.services();
        List<PartitionRuntime> partitions = new ArrayList<>();
        for (int number = 0; number < configuration.partitions(); number++) {
            PartitionStorage storage = new PartitionStorage(
                    environment.memory(),
                    configuration.plan().bucketsOf(number, configuration.bucketsPartition()),
                    configuration.undoBytes(),
                    new VersionLimits(configuration.versionBytes()),
                    IndexKeyCode.compiler());
            Partition partition = new Partition(
                    new PartitionId(number),
                    new StorageUndo(storage.undoLog()),
                    services.clock(),
                    configuration.queueCapacity());
            partitions.add(new PartitionRuntime(
                    partition, storage, program, configuration.calls(), services, configuration.rememberedClients()));
        }
        return PartitionRuntimes.heeding(partitions);
    }
}
