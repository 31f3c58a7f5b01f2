package dev.fulmar.reconfig.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON text of a partition plan, after the paper's Figure 5:
 *
 * <pre>{@code
 * {"plan": {"*": {
 *     "Partition 0": "[-3)",
 *     "Partition 1": ["[3-5)", "[9-)"],
 *     "Partition 2": ["[5-9)", "'ALFKI'"]}}}
 * }</pre>
 *
 * <p>The asterisk stands for all tables, which share one plan. A kind of key of which a document has no range keeps the
 * ranges of the plan before it. Immutable.
 */
public final class PlanDocument {
    /** Ranges and keys of a plan at most: it is a part of the catalog, which each node keeps in memory. */
    public static final int MAX_RANGES = 100_000;

    private static final String ALL_TABLES = "*";
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final Pattern PARTITION = Pattern.compile("(?:[Pp]artition |P)?(\\d{1,9})");
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final List<PlanEntry> entries;

    /** Partitions that the document names, with keys or without. */
    private final SortedSet<Integer> partitions;

    private PlanDocument(List<PlanEntry> entries, SortedSet<Integer> partitions) {
        this.entries = List.copyOf(entries);
        this.partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    }

    /**
     * Reads a document.
     *
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION}; the message names the line, or the range and its
     *     partition
     */
    public static PlanDocument read(String json) {
        String text = json.startsWith(BYTE_ORDER_MARK) ? json.substring(1) : json;
        try (JsonParser parser = JSON.createParser(text)) {
            PlanDocument document = new Reader(parser).document();
            if (parser.nextToken() != null) {
                throw EntryText.refused("the plan ends in line "
                        + parser.currentTokenLocation().getLineNr() + ", but more text follows");
            }
            return document;
        } catch (JsonProcessingException noJson) {
            JsonLocation at = noJson.getLocation(); // missing where a limit of the reader is met
            throw EntryText.refused("the plan is no JSON: "
                    + (at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ")
                    + EntryText.shortened(noJson.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The plan that the document makes of an earlier one.
     *
     * <p>A partition that draws numbers of sequences at a hash keeps that hash if it has no other place to draw at.
     *
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for keys that two partitions have or that no
     *     partition has, for a partition that the database has not, for ranges of integers where integers are hashed,
     *     and for more than {@link #MAX_RANGES}
     */
    public PartitionPlan on(PartitionPlan earlier) {
        if (!partitions.isEmpty() && partitions.last() >= earlier.partitionCount()) {
            throw EntryText.refused("the plan names partition " + partitions.last()
                    + ", but the database has the partitions 0 to " + (earlier.partitionCount() - 1));
        }
        return new PlanAssembly(earlier, entries).plan();
    }

    /** The plan as a document that {@link #read} reads; partitions without keys are named too. */
    public static String write(PartitionPlan plan) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeObjectFieldStart("plan");
            json.writeObjectFieldStart(ALL_TABLES);
            int partition = 0;
            for (List<String> ranges : ranges(plan)) {
                json.writeArrayFieldStart("Partition " + partition++);
                for (String range : ranges) {
                    json.writeString(range);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    /** The ranges of each partition as a document has them. */
    public static List<List<String>> ranges(PartitionPlan plan) {
        return plan.rangesByPartition().stream()
                .map(ranges -> ranges.stream()
                        .map(range -> EntryText.write(range.space(), range.first(), range.last()))
                        .toList())
                .toList();
    }

    /** Reads one document, token by token. */
    private static final class Reader {
        private final JsonParser parser;
        private final List<PlanEntry> entries = new ArrayList<>();
        private final SortedSet<Integer> partitions = new TreeSet<>();

        Reader(JsonParser parser) {
            this.parser = parser;
        }

        PlanDocument document() throws IOException {
            expect(parser.nextToken(), JsonToken.START_OBJECT, "an object with the field \"plan\"");
            boolean isPlanThere = false;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                if (!parser.currentName().equals("plan")) {
                    throw EntryText.refused("line " + line() + " has the field \"" + name()
                            + "\", but a plan has the field \"plan\" alone");
                }
                isPlanThere = true;
                expect(parser.nextToken(), JsonToken.START_OBJECT, "an object with the field \"*\", for all tables");
                tables();
            }
            if (!isPlanThere) {
                throw EntryText.refused("the plan has no field \"plan\"");
            }
            return new PlanDocument(entries, partitions);
        }

        private void tables() throws IOException {
            boolean isThere = false;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                isThere = true;
                if (!parser.currentName().equals(ALL_TABLES)) {
                    throw EntryText.refused("line " + line() + " has a plan for \"" + name()
                            + "\", but all tables share one plan; name it \"*\"");
                }
                expect(parser.nextToken(), JsonToken.START_OBJECT, "an object with a field for each partition");
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    partition();
                }
            }
            if (!isThere) {
                throw EntryText.refused("the plan names no tables; name all of them as \"*\"");
            }
        }

        private void partition() throws IOException {
            Matcher name = PARTITION.matcher(parser.currentName());
            if (!name.matches()) {
                throw EntryText.refused("line " + line() + " has \"" + name()
                        + "\" in the place of a partition; write \"Partition 3\"");
            }
            int partition = Integer.parseInt(name.group(1));
            if (!partitions.add(partition)) {
                throw EntryText.refused("line " + line() + " names partition " + partition + " a second time");
            }
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                add(partition);
                return;
            }
            expect(parser.currentToken(), JsonToken.START_ARRAY, "a range, or a list of ranges and keys");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(parser.currentToken(), JsonToken.VALUE_STRING, "a range or key between quotation marks");
                add(partition);
            }
        }

        private void add(int partition) throws IOException {
            if (entries.size() == MAX_RANGES) {
                throw PlanAssembly.tooMany("more than " + MAX_RANGES + " ranges and keys");
            }
            entries.add(EntryText.read(partition, parser.getText()));
        }

        private void expect(JsonToken found, JsonToken expected, String what) throws IOException {
            if (found != expected) {
                throw EntryText.refused("line " + line() + " of the plan has "
                        + (found == null ? "its end" : EntryText.shortened(parser.getText())) + " in the place of "
                        + what);
            }
        }

        private String name() throws IOException {
            return EntryText.shortened(parser.currentName());
        }

        private int line() {
            return parser.currentTokenLocation().getLineNr();
        }
    }
}
