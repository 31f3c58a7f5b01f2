package dev.fulmar.node.jmx;

/** Source of the figures of the node's part in its cluster. Thread-safe. */
public interface ClusterFigureSource {
    MemberMXBean member();

    int partitions();

    CopyMXBean copy(int partition);
}
