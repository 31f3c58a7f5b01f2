package dev.fulmar.simulator.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A planted bug: a unified diff of one or more source files, with the rule that it breaks in the text before the first
 * file. A hunk is found by its lines, not by its line numbers, so that changes elsewhere in the file do not hurt; where
 * its lines stand twice, or not at all, it does not apply.
 *
 * @param name name of the patch file without its ending
 * @param campaign the campaign that must find it, which a first line may name
 * @param rule the rule that it breaks
 */
public record SourcePatch(String name, StandardCampaign campaign, String rule, List<FilePatch> files) {
    private static final String CAMPAIGN = "Campaign: ";

    private static final String ENDING = ".patch";
    private static final String OLD_FILE = "--- a/";
    private static final String NEW_FILE = "+++ b/";
    private static final String HUNK = "@@";

    public SourcePatch {
        files = List.copyOf(files);
    }

    /** The hunks of one file. */
    public record FilePatch(String path, List<Hunk> hunks) {
        public FilePatch {
            hunks = List.copyOf(hunks);
        }

        /** The file's text with the bug. */
        String appliedTo(String text) {
            String patched = text;
            for (Hunk hunk : hunks) {
                patched = hunk.appliedTo(patched, path);
            }
            return patched;
        }
    }

    /** Lines that make way for others, with what stands around them. */
    public record Hunk(String before, String after) {
        String appliedTo(String text, String path) {
            int place = ("\n" + text).indexOf("\n" + before);
            if (place < 0) {
                throw new IllegalStateException(path + " has no such lines any more:\n" + before);
            }
            if (("\n" + text).indexOf("\n" + before, place + 1) >= 0) {
                throw new IllegalStateException(path + " has these lines twice:\n" + before);
            }
            return text.substring(0, place) + after + text.substring(place + before.length());
        }
    }

    /** All patches of a directory, by name. */
    public static List<SourcePatch> all(Path directory) throws IOException {
        List<SourcePatch> patches = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(ENDING)) {
                    patches.add(parse(name.substring(0, name.length() - ENDING.length()), Files.readAllLines(file)));
                }
            }
        }
        return patches;
    }

    static SourcePatch parse(String name, List<String> lines) {
        StringBuilder rule = new StringBuilder();
        List<FilePatch> files = new ArrayList<>();
        int at = 0;
        StandardCampaign campaign = StandardCampaign.SERIALIZABILITY;
        if (!lines.isEmpty() && lines.getFirst().startsWith(CAMPAIGN)) {
            campaign = StandardCampaign.of(lines.get(at++).substring(CAMPAIGN.length()));
        }
        while (at < lines.size() && !lines.get(at).startsWith(OLD_FILE)) {
            rule.append(rule.isEmpty() || lines.get(at).isBlank() ? "" : " ")
                    .append(lines.get(at++).strip());
        }
        while (at < lines.size()) {
            if (!lines.get(at).startsWith(OLD_FILE) || !lines.get(at + 1).startsWith(NEW_FILE)) {
                throw new IllegalStateException(name + " has no file at: " + lines.get(at));
            }
            String path = lines.get(at + 1).substring(NEW_FILE.length()).strip();
            at += 2;
            List<Hunk> hunks = new ArrayList<>();
            while (at < lines.size() && lines.get(at).startsWith(HUNK)) {
                int end = at + 1;
                while (end < lines.size() && isHunkLine(lines.get(end))) {
                    end++;
                }
                hunks.add(hunk(lines.subList(at + 1, end)));
                at = end;
            }
            files.add(new FilePatch(path, hunks));
        }
        if (rule.isEmpty() || files.isEmpty()) {
            throw new IllegalStateException(name + " has no rule, or changes no file");
        }
        return new SourcePatch(name, campaign, rule.toString(), files);
    }

    private static boolean isHunkLine(String line) {
        return !line.startsWith(HUNK) && !line.startsWith(OLD_FILE);
    }

    private static Hunk hunk(List<String> lines) {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : lines) {
            char kind = line.isEmpty() ? ' ' : line.charAt(0);
            String text = (line.isEmpty() ? "" : line.substring(1)) + "\n";
            if (kind != '+') {
                before.append(text);
            }
            if (kind != '-') {
                after.append(text);
            }
        }
        return new Hunk(before.toString(), after.toString());
    }

    /**
     * Writes the changed files, and nothing else, below the directory.
     *
     * @param sources root of the project
     * @return the written files
     */
    public List<Path> write(Path sources, Path directory) throws IOException {
        List<Path> written = new ArrayList<>();
        for (FilePatch file : files) {
            Path target = directory.resolve(file.path());
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.appliedTo(Files.readString(sources.resolve(file.path()))));
            written.add(target);
        }
        return written;
    }
}
