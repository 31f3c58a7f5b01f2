package dev.fulmar.pmemlog.recovery;

import dev.fulmar.pmemlog.segment.SegmentHeader;
import java.util.SortedMap;

/**
 * Summary of a segment.
 *
 * @param file its name
 * @param header its first block
 * @param endOffset where its last group ends
 * @param lastSequences of each stream with records in it, the highest sequence
 */
public record SegmentSummary(
        String file, SegmentHeader header, int endOffset, SortedMap<Integer, Long> lastSequences) {}
