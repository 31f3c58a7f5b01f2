package dev.fulmar.sql;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Statements of a suite with some words changed for words of other statements. */
final class ChangedStatements {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_0-9.]+|'[^']*'|<>|<=|>=|\\|\\||[^\\s]");
    private static final int MOST_CHANGES = 6;

    private final List<List<String>> statements;
    private final List<String> vocabulary;

    private ChangedStatements(List<List<String>> statements, List<String> vocabulary) {
        this.statements = statements;
        this.vocabulary = vocabulary;
    }

    static ChangedStatements of(String suite) {
        Stream<String> changes = PlanFiles.resource(suite + ".ddl").lines().filter(line -> line.endsWith(";"));
        Stream<String> queries = PlanFiles.blocks(suite).stream().map(PlanFiles.Block::statement);
        List<List<String>> statements =
                Stream.concat(changes, queries).map(ChangedStatements::words).toList();
        return new ChangedStatements(
                statements,
                statements.stream().flatMap(List::stream).distinct().sorted().toList());
    }

    private static List<String> words(String statement) {
        return WORD.matcher(statement).results().map(MatchResult::group).toList();
    }

    String next(FuzzedDataProvider data) {
        List<String> words = new ArrayList<>(data.pickValue(statements));
        for (int changes = data.consumeInt(0, MOST_CHANGES); changes > 0 && !words.isEmpty(); changes--) {
            int at = data.consumeInt(0, words.size() - 1);
            switch (data.consumeInt(0, 3)) {
                case 0 -> words.set(at, data.pickValue(vocabulary));
                case 1 -> words.add(at, data.pickValue(vocabulary));
                case 2 -> words.remove(at);
                default -> words.addAll(at, data.pickValue(statements));
            }
        }
        return String.join(" ", words);
    }
}
