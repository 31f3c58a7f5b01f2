package dev.fulmar.node.jmx;

import java.util.List;

/** What the database tells about itself. Thread-safe. */
public interface DatabaseFigures {
    long catalogVersion();

    long memoryUsedBytes();

    long memoryLimitBytes();

    List<ProcedureFigures> procedures();

    List<TableFigures> tables();
}
