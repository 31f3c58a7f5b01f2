package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A statement that begins with WITH and changes rows, as several statements (PostgreSQL manual §7.8.4): one for each
 * item, and the main one behind them. Those of items yield rows for later ones.
 *
 * @param items in their order
 * @param main the last statement
 * @param parameterCount parameters of the client: the highest number of one
 */
public record ChangingWith(List<Item> items, Item main, int parameterCount) {
    /** Items of a statement: each is a statement of its transaction. */
    private static final int MOST_ITEMS = 100;

    private static final Set<String> CHANGES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    /** Statements with a query in them, which may begin with WITH. */
    private static final Set<String> AROUND = Set.of("EXPLAIN", "DECLARE", "COPY", "CREATE");

    private static final Set<String> SETS = Set.of("UNION", "INTERSECT", "EXCEPT");

    /** Words behind the last query of a union, which are of the whole. */
    private static final Set<String> ENDS = Set.of("ORDER", "LIMIT", "OFFSET", "FETCH", "FOR");

    /** Words that begin a query, and are no names. */
    private static final Set<String> QUERIES = Set.of("SELECT", "TABLE");

    private static final Pattern CHANGE =
            Pattern.compile("\\b(?:INSERT|UPDATE|DELETE|MERGE)\\b", Pattern.CASE_INSENSITIVE);

    /**
     * One of the statements.
     *
     * @param name of the item as PostgreSQL folds it; empty for the main statement
     * @param columns names that the item gives its columns, the first of them or all; none for those of the statement
     * @param text of the statement
     * @param changes whether it changes rows
     * @param reads names of the items before it whose rows it reads
     */
    public record Item(String name, List<String> columns, Translator.Part text, boolean changes, Set<String> reads) {
        public Item {
            columns = List.copyOf(columns);
            reads = new LinkedHashSet<>(reads);
        }
    }

    public ChangingWith {
        items = List.copyOf(items);
    }

    /**
     * The statements of one; empty for another statement, and for one that only reads.
     *
     * @throws FulmarException {@link ErrorCode#NOT_SUPPORTED} for changes in a WITH that is not at the beginning, and
     *     for what else cannot be told apart
     */
    public static Optional<ChangingWith> of(String source, int start) {
        Lexeme first = Lexer.first(source);
        boolean mayChange = (first.isWord("WITH") || AROUND.contains(first.word()))
                && CHANGE.matcher(source).find();
        if (!mayChange) {
            return Optional.empty();
        }
        Reader reader = new Reader(source, start, Lexer.lexemes(source));
        if (first.isWord("WITH")) {
            return reader.read();
        }
        int with = reader.words.outside(0, "WITH");
        if (first.isWord("EXPLAIN") && with < reader.words.count()) {
            List<Lexeme> explained = reader.words.between(with, reader.words.count());
            new Reader(source, start, explained).checkReadsOnly();
        }
        reader.checkNoChange(0, reader.words.count());
        return Optional.empty();
    }

    /** The words of a statement, with those of WITH behind INSERT INTO t: the engine reads them there. */
    static List<Lexeme> ordered(String source, List<Lexeme> lexemes) {
        if (!lexemes.getFirst().isWord("WITH")) {
            return lexemes;
        }
        Reader reader = new Reader(source, 0, lexemes);
        int main = reader.readItems() ? reader.place : 0;
        int query = reader.querySource(main);
        if (query == 0 || reader.areChanging()) {
            return lexemes;
        }
        List<Lexeme> ordered = new ArrayList<>(lexemes.subList(main, query));
        ordered.add(new Lexeme(Lexeme.Kind.MADE, "", lexemes.get(query).start()));
        ordered.addAll(lexemes.subList(0, main));
        ordered.add(new Lexeme(Lexeme.Kind.MADE, "", lexemes.get(query).start()));
        ordered.addAll(lexemes.subList(query, lexemes.size()));
        return ordered;
    }

    /**
     * The places of an item.
     *
     * @param first of its name
     * @param from of its statement
     * @param to behind that
     */
    private record Span(int first, List<String> columns, int from, int to) {}

    /** Reader of one statement. */
    private static final class Reader {
        private final String source;
        private final int start;
        private final Words words;
        private final List<Span> spans = new ArrayList<>();
        private final List<Item> items = new ArrayList<>();

        /** Where the main statement begins, or what was not understood. */
        private int place;

        private boolean isRecursive;

        /** Names that were read before WITH had items of them. */
        private final Set<String> unknown = new LinkedHashSet<>();

        private Reader(String source, int start, List<Lexeme> lexemes) {
            this.source = source;
            this.start = start;
            this.words = new Words(lexemes);
        }

        private boolean areChanging() {
            return spans.stream().anyMatch(span -> changes(words, span.from(), span.to()));
        }

        /** Whether a statement changes rows, perhaps behind a WITH of its own. */
        private static boolean changes(Words of, int from, int to) {
            return CHANGES.contains(of.at(beginning(of, from, to)).word());
        }

        /** Where the statement begins behind a WITH of its own, if that can be seen; else its first place. */
        private static int beginning(Words of, int from, int to) {
            for (int i = from; of.areAt(from, "WITH") && i < to; i++) {
                boolean isNameOfItem = of.areAt(i + 1, "AS") || of.areAt(i + 1, "(");
                if (of.at(i).isSymbol("(")) {
                    i = of.closing(i);
                } else if (QUERIES.contains(of.at(i).word())
                        || (CHANGES.contains(of.at(i).word()) && !isNameOfItem)) {
                    return i;
                }
            }
            return from;
        }

        /** Fails for a statement that is several: each would have a plan. */
        private void checkReadsOnly() {
            if (readItems()
                    && (areChanging() || CHANGES.contains(words.at(place).word()))) {
                throw error(
                        ErrorCode.NOT_SUPPORTED,
                        0,
                        "EXPLAIN of a statement that begins with WITH and changes rows is not supported; explain its"
                                + " parts");
            }
        }

        private Optional<ChangingWith> read() {
            if (!readItems()) {
                return Optional.empty(); // the engine says what is wrong
            }
            int end = words.count() - 1;
            boolean changes = CHANGES.contains(words.at(place).word());
            if (!areChanging() && (!changes || querySource(place) > 0)) {
                checkNoChange(0, end);
                return Optional.empty();
            }
            if (spans.size() > MOST_ITEMS) {
                throw error(
                        ErrorCode.STATEMENT_TOO_COMPLEX,
                        0,
                        "a WITH that changes rows has at most " + MOST_ITEMS + " items; use several statements");
            }
            for (Span span : spans) {
                items.add(item(words.at(span.first()).name(), span.columns(), span.from(), span.to(), span.first()));
            }
            items.forEach(Reader::checkKind);
            Item main = changes ? item("", List.of(), place, end, place) : mainQuery(place, end);
            checkOrder();
            int parameters = 0;
            for (int i = 0; i < words.count(); i++) {
                if (words.at(i).kind() == Lexeme.Kind.PARAMETER) {
                    parameters = Math.max(parameters, Translator.number(source, words.at(i)));
                }
            }
            return Optional.of(new ChangingWith(items, main, parameters));
        }

        /** Reads the items up to the main statement; false if that is none. */
        private boolean readItems() {
            isRecursive = words.areAt(1, "RECURSIVE");
            place = isRecursive ? 2 : 1;
            boolean goesOn = true;
            while (goesOn) {
                int first = place;
                if (!words.at(place++).isName()) {
                    return false;
                }
                List<String> columns = columns();
                int open = behindAs(place);
                if (open == 0) {
                    return false;
                }
                int close = words.closing(open);
                spans.add(new Span(first, columns, open + 1, close));
                goesOn = words.areAt(close + 1, ",");
                place = goesOn ? close + 2 : close + 1;
            }
            return !words.areAt(place, "SEARCH") && !words.areAt(place, "CYCLE");
        }

        /** The names in parentheses behind that of an item. */
        private List<String> columns() {
            List<String> columns = new ArrayList<>();
            if (words.areAt(place, "(")) {
                int close = words.closing(place);
                for (int i = place + 1; i < close; i += 2) {
                    columns.add(words.at(i).name());
                }
                place = close + 1;
            }
            return columns;
        }

        /** The place of the parenthesis behind AS; 0 if there is none. */
        private int behindAs(int as) {
            int behind = as + 1;
            behind += words.areAt(behind, "NOT") ? 1 : 0;
            behind += words.areAt(behind, "MATERIALIZED") ? 1 : 0;
            return words.areAt(as, "AS") && words.areAt(behind, "(") ? behind : 0;
        }

        private Item item(String name, List<String> columns, int from, int to, int first) {
            if (has(name)) {
                throw error(ErrorCode.SYNTAX, first, "WITH has two items " + name + "; give them different names");
            }
            boolean changes = changes(words, from, to);
            checkNoChange(from, to);
            Words own = new Words(words.between(from, to + 1));
            boolean isOfItself = isRecursive && reads(own, name);
            checkChange(from, to, changes, isOfItself);
            Set<String> reads = itemsOf(own, isOfItself ? name : "");
            checkNames(from, to);
            int begin = words.at(from).start();
            int end = words.at(to).start();
            String text = source.substring(begin, end);
            if (isOfItself) {
                String head = "WITH RECURSIVE ";
                int named = words.at(first).start();
                String select = " SELECT * FROM " + words.at(first).text();
                return new Item(
                        name,
                        columns,
                        new Translator.Part(
                                head,
                                source.substring(named, words.at(to).end()),
                                select,
                                start + named - head.length()),
                        false,
                        reads);
            }
            return new Item(name, columns, new Translator.Part(text, start + begin), changes, reads);
        }

        /** Fails for a change that no statement of the engine is. */
        private void checkChange(int from, int to, boolean changes, boolean isOfItself) {
            if (changes && isOfItself) {
                throw error(
                        ErrorCode.INVALID_RECURSION,
                        from,
                        "an item of WITH RECURSIVE that changes rows cannot read itself; read the table instead");
            }
            if (changes && words.areAt(from, "WITH")) {
                Reader inner = new Reader(source, start, words.between(from, to + 1));
                if (!inner.readItems() || inner.querySource(inner.place) == 0) {
                    throw error(
                            ErrorCode.NOT_SUPPORTED,
                            from,
                            "a WITH before the change of an item is supported for INSERT ... SELECT, whose query alone"
                                    + " reads it; write its items before this one");
                }
            }
        }

        private static boolean reads(Words own, String name) {
            return TableNames.of(own).stream()
                    .anyMatch(table -> own.at(table).name().equals(name));
        }

        /**
         * The items that the words read.
         *
         * @param name of the item that they are of, if it reads itself
         */
        private Set<String> itemsOf(Words own, String name) {
            Set<String> reads = new LinkedHashSet<>();
            for (int table : TableNames.of(own)) {
                String read = own.at(table).name();
                if (has(read)) {
                    reads.add(read);
                } else if (!read.equals(name)) {
                    unknown.add(read);
                }
            }
            return reads;
        }

        /**
         * The main statement, which is a query. Its parts between UNION and its kind that read a changed table, and no
         * item, become items, for they see that table as it was. They keep their places in the text.
         */
        private Item mainQuery(int from, int end) {
            item("", List.of(), from, end, from); // checks it
            Set<String> changed = new LinkedHashSet<>();
            items.stream().filter(Item::changes).forEach(item -> changed.add(target(item)));
            int begin = words.at(from).start();
            StringBuilder text =
                    new StringBuilder(source.substring(begin, words.at(end).start()));
            List<int[]> parts = queries(from, end);
            for (int[] part : parts) {
                Words own = new Words(words.between(part[0], part[1] + 1));
                boolean isOfBefore =
                        itemsOf(own, "").isEmpty() && changed.stream().anyMatch(table -> reads(own, table));
                int first = words.at(part[0]).start();
                int last = words.at(part[1] - 1).end();
                String name = "#" + (items.size() + 1);
                while (has(name)) {
                    name += "#";
                }
                String query = "SELECT*FROM\"" + name + '"';
                if (isOfBefore && last - first >= query.length()) {
                    String former = source.substring(first, last);
                    items.add(new Item(name, List.of(), new Translator.Part(former, start + first), false, Set.of()));
                    text.replace(first - begin, last - begin, query + " ".repeat(last - first - query.length()));
                }
            }
            Words made = new Words(Lexer.lexemes(text.toString()));
            return new Item(
                    "", List.of(), new Translator.Part(text.toString(), start + begin), false, itemsOf(made, ""));
        }

        /** The table that an item changes, by its last name. */
        private static String target(Item item) {
            Words own = new Words(Lexer.lexemes(item.text().text()));
            int begin = beginning(own, 0, own.count());
            int place = own.areAt(begin, "UPDATE") ? begin + 1 : begin + 2;
            place += own.areAt(place, "ONLY") ? 1 : 0;
            while (own.areAt(place + 1, ".")) {
                place += 2;
            }
            return own.at(place).name();
        }

        /** Where queries between UNION and its kind begin and end; none of a single query that has an order. */
        private List<int[]> queries(int from, int end) {
            List<int[]> queries = new ArrayList<>();
            int first = from;
            int i = from;
            for (; i < end && !ENDS.contains(words.at(i).word()); i++) {
                if (words.at(i).isSymbol("(")) {
                    i = words.closing(i);
                } else if (SETS.contains(words.at(i).word())) {
                    queries.add(new int[] {first, i});
                    i += words.areAt(i + 1, "ALL") || words.areAt(i + 1, "DISTINCT") ? 1 : 0;
                    first = i + 1;
                }
            }
            if (i == end || !queries.isEmpty()) {
                queries.add(new int[] {first, i});
            }
            queries.replaceAll(query -> words.at(query[0]).isSymbol("(") && words.closing(query[0]) == query[1] - 1
                    ? new int[] {query[0] + 1, query[1] - 1}
                    : query);
            return queries;
        }

        private boolean has(String name) {
            return items.stream().anyMatch(other -> other.name().equals(name));
        }

        /** Fails if an item reads one that comes later, as it may with RECURSIVE. */
        private void checkOrder() {
            for (Item item : items) {
                if (isRecursive && unknown.contains(item.name())) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "an item of WITH RECURSIVE that reads a later one is not supported beside changes; write "
                                    + item.name() + " before it");
                }
            }
        }

        /** Fails if a WITH within gives a name of an item to something else. */
        private void checkNames(int from, int to) {
            for (int i = from; i < to; i++) {
                int behind = words.areAt(i + 1, "(") ? words.closing(i + 1) + 1 : i + 1;
                boolean isItem = words.at(i).isName() && has(words.at(i).name()) && behindAs(behind) > 0;
                if (isItem) {
                    throw error(
                            ErrorCode.NOT_SUPPORTED,
                            i,
                            "a WITH within has another item " + words.at(i).name() + "; give it another name");
                }
            }
        }

        private static void checkKind(Item item) {
            if (item.changes() && Lexer.first(item.text().text()).isWord("MERGE")) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "MERGE is not supported in an item of WITH; it can be the statement behind WITH");
            }
        }

        /**
         * The place of the query whose rows INSERT stores; 0 for another statement, and for one that reads items of
         * WITH behind its query too.
         */
        private int querySource(int main) {
            if (!words.areAt(main, "INSERT", "INTO")) {
                return 0;
            }
            for (int i = main + 2; i < words.count(); i++) {
                if (words.at(i).isSymbol("(")) {
                    i = words.closing(i);
                } else if (QUERIES.contains(words.at(i).word())) {
                    return readsItemsBehind(i) ? 0 : i;
                } else if (words.at(i).isWord("VALUES") || words.at(i).isWord("WITH")) {
                    return 0;
                }
            }
            return 0;
        }

        /** Whether ON CONFLICT or RETURNING reads an item: these do not see a WITH of the query. */
        private boolean readsItemsBehind(int query) {
            int behind = Math.min(words.outside(query, "CONFLICT"), words.outside(query, "RETURNING"));
            return behind < words.count()
                    && TableNames.of(words).stream()
                            .filter(table -> table > behind)
                            .anyMatch(table -> spans.stream()
                                    .anyMatch(span -> words.at(span.first())
                                            .name()
                                            .equals(words.at(table).name())));
        }

        /** Fails if a WITH within has an item that changes rows. */
        private void checkNoChange(int from, int to) {
            boolean hasWith = false;
            for (int i = from; i < to; i++) {
                hasWith |= words.at(i).isWord("WITH");
                boolean isBody =
                        words.at(i).isSymbol("(") && (words.areAt(i - 1, "AS") || words.areAt(i - 1, "MATERIALIZED"));
                if (hasWith && isBody && changes(words, i + 1, to)) {
                    throw error(
                            ErrorCode.NOT_SUPPORTED,
                            i + 1,
                            "WITH clause containing a data-modifying statement must be at the top level; begin the"
                                    + " statement with it");
                }
            }
        }

        private FulmarException error(ErrorCode code, int place, String message) {
            return Place.error(code, source, words.at(place).start(), message);
        }
    }
}
