package dev.fulmar.benchmarks.logictest;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the records of a file that are meant for an engine of this name. */
final class LogicFile {
    private static final String ENGINE = "fulmar";
    private static final String RESULT = "----";
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final List<String> lines;
    private final List<LogicRecord> records = new ArrayList<>();
    private int next;
    private boolean isForUs = true;
    private boolean isOver;

    private LogicFile(List<String> lines) {
        this.lines = lines;
    }

    static List<LogicRecord> records(List<String> lines) {
        LogicFile file = new LogicFile(lines);
        while (!file.isOver && file.next < lines.size()) {
            file.line();
        }
        return file.records;
    }

    private void line() {
        String line = lines.get(next++);
        String[] words = BLANKS.split(line.strip());
        switch (words[0]) {
            case "skipif" -> isForUs &= !words[1].equals(ENGINE);
            case "onlyif" -> isForUs &= words[1].equals(ENGINE);
            case "halt" -> {
                isOver = isForUs;
                isForUs = true;
            }
            case "statement" -> {
                LogicRecord.Kind kind =
                        words[1].equals("ok") ? LogicRecord.Kind.STATEMENT_OK : LogicRecord.Kind.STATEMENT_ERROR;
                add(new LogicRecord(kind, next, sql(), "", LogicRecord.Order.NONE, List.of()));
            }
            case "query" -> {
                int start = next;
                String sql = sql();
                String order = words.length > 2 ? words[2] : "nosort";
                add(new LogicRecord(LogicRecord.Kind.QUERY, start, sql, words[1], order(order), expected()));
            }
            default -> {
                // Comments, blank lines, and hash-threshold, which says how results are written only.
            }
        }
    }

    private static LogicRecord.Order order(String word) {
        return switch (word) {
            case "rowsort" -> LogicRecord.Order.BY_ROW;
            case "valuesort" -> LogicRecord.Order.BY_VALUE;
            default -> LogicRecord.Order.NONE;
        };
    }

    private void add(LogicRecord logicRecord) {
        if (isForUs) {
            records.add(logicRecord);
        }
        isForUs = true;
    }

    private String sql() {
        StringBuilder sql = new StringBuilder();
        while (next < lines.size()
                && !lines.get(next).isBlank()
                && !lines.get(next).equals(RESULT)) {
            sql.append(sql.isEmpty() ? "" : "\n").append(lines.get(next++));
        }
        return sql.toString();
    }

    private List<String> expected() {
        List<String> expected = new ArrayList<>();
        if (next < lines.size() && lines.get(next).equals(RESULT)) {
            next++;
            while (next < lines.size() && !lines.get(next).isBlank()) {
                expected.add(lines.get(next++));
            }
        }
        return expected;
    }
}
