package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.segment.SegmentHeader;

/**
 * A segment that can be written: its header and its name are durable, its space is allocated.
 *
 * @param file open for synchronous writes
 */
record PreparedSegment(String name, SegmentHeader header, StorageFile file) {}
