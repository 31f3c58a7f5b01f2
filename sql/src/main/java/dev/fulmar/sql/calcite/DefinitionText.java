package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SequenceBounds;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.catalog.access.AccessText;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The catalog as statements that make it anew. They can be run in their order where the jars of procedures were loaded
 * before.
 */
final class DefinitionText {
    private final Catalog catalog;
    private final Map<Integer, Table> tablesById = new TreeMap<>();
    private final List<Definition> definitions = new ArrayList<>();
    private final Map<ForeignKey, Table> late = new LinkedHashMap<>();

    /** A statement and what it makes. */
    record Definition(String type, String name, String statement) {}

    private DefinitionText(Catalog catalog) {
        this.catalog = catalog;
        catalog.tables().values().forEach(table -> tablesById.put(table.id(), table));
    }

    static List<Definition> of(Catalog catalog) {
        DefinitionText text = new DefinitionText(catalog);
        catalog.schemas().forEach(schema -> text.add("SCHEMA", schema, "CREATE SCHEMA " + quoted(schema)));
        catalog.enumerations().values().forEach(text::add);
        text.addTables();
        text.addFunctions();
        text.addAggregations();
        text.addViews();
        catalog.procedures().values().forEach(text::add);
        text.definitions.addAll(OtherDefinitions.of(catalog));
        return List.copyOf(text.definitions);
    }

    private void add(String type, String name, String statement) {
        definitions.add(new Definition(type, name, statement));
    }

    private void add(Enumeration type) {
        String labels = type.values().stream()
                .map(value -> "'" + value.label().replace("'", "''") + "'")
                .collect(Collectors.joining(", "));
        add("TYPE", type.name(), "CREATE TYPE " + quoted(type.name()) + " AS ENUM (" + labels + ")");
    }

    /**
     * Each table after the sequences, and after those that it refers to, but for references that lead back to it, which
     * come last.
     */
    private void addTables() {
        List<String> open = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            if (table.isSequence()) {
                add(table);
            } else {
                open.add(table.name());
            }
        }
        while (!open.isEmpty()) {
            Table next = catalog.tables().values().stream()
                    .filter(table ->
                            open.contains(table.name()) && early(table, open).size() == keyCount(table))
                    .findFirst()
                    .orElseGet(() -> catalog.table(open.getFirst()));
            List<ForeignKey> keys = early(next, open);
            add(next.withForeignKeys(keys));
            next.foreignKeys().stream().filter(key -> !keys.contains(key)).forEach(key -> late.put(key, next));
            open.remove(next.name());
        }
        late.forEach((key, table) -> add(
                "CONSTRAINT",
                key.name(),
                "ALTER TABLE " + quoted(table.name()) + " ADD " + reference(key) + validity(key.isValidated())));
    }

    private static long keyCount(Table table) {
        return table.foreignKeys().stream().filter(ForeignKey::isValidated).count();
    }

    /** The foreign keys that can come with the table: what they refer to is there, and no row breaks them. */
    private static List<ForeignKey> early(Table table, List<String> open) {
        return table.foreignKeys().stream()
                .filter(ForeignKey::isValidated)
                .filter(key -> key.parent().equals(table.name()) || !open.contains(key.parent()))
                .toList();
    }

    private static String reference(ForeignKey key) {
        return "CONSTRAINT " + quoted(key.name()) + " FOREIGN KEY (" + quoted(key.columns()) + ") REFERENCES "
                + quoted(key.parent()) + " (" + quoted(key.parentColumns()) + ") ON DELETE "
                + key.onDelete().name().replace('_', ' ') + " ON UPDATE "
                + key.onUpdate().name().replace('_', ' ');
    }

    /** The end of a constraint's text if rows may break it. */
    private static String validity(boolean isValidated) {
        return isValidated ? "" : " NOT VALID";
    }

    private static String quoted(List<String> names) {
        return names.stream().map(DefinitionText::quoted).collect(Collectors.joining(", "));
    }

    private void add(Table table) {
        SequenceRule rule = table.sequence().orElse(null);
        if (table.isAggregation()) {
            return; // they come after all tables
        }
        if (rule == null) {
            addTable(table);
        } else if (!rule.owned()) {
            add("SEQUENCE", table.name(), "CREATE SEQUENCE " + quoted(table.name()) + " " + numbers(table, rule));
        }
    }

    /** The comment tells a dump which sequence's state the first number follows from. */
    private static String numbers(Table sequence, SequenceRule rule) {
        return "/*" + sequence.name() + "*/ START WITH " + rule.start() + " INCREMENT BY " + rule.increment()
                + (rule.isDense() ? " CACHE " + rule.cache() : "") + bounds(rule.bounds());
    }

    private static String bounds(SequenceBounds bounds) {
        return bounds.areAll()
                ? ""
                : " AS " + bounds.type() + " MINVALUE " + bounds.least() + " MAXVALUE " + bounds.greatest()
                        + (bounds.cycles() ? " CYCLE" : "");
    }

    private void addTable(Table table) {
        List<String> elements = new ArrayList<>();
        table.visibleColumns().forEach(column -> elements.add(column(column)));
        List<Index> primary = table.indexes().stream().filter(Index::primary).toList();
        if (!primary.isEmpty()) {
            String using =
                    primary.size() > 1 ? "" : " USING " + primary.getFirst().kind();
            String name = primary.getFirst().name();
            String constraint = name.equals(KeyName.usual(table.name())) ? "" : "CONSTRAINT " + quoted(name) + " ";
            elements.add(constraint + "PRIMARY KEY (" + names(table, primary.getFirst()) + ")" + using);
        }
        table.foreignKeys().forEach(key -> elements.add(reference(key)));
        for (Check check : table.checks()) {
            elements.add("CONSTRAINT " + quoted(check.name()) + " CHECK " + check.text()); // which has its parentheses
        }
        add(
                "TABLE",
                table.name(),
                "CREATE TABLE " + quoted(table.name()) + " (\n  " + String.join(",\n  ", elements) + "\n)"
                        + table.expiry().map(expiry -> " " + expiry.text()).orElse("") + placement(table));
        addIndexes(table);
    }

    /** The clause says it in any case: a node may have another default. */
    private static String placement(Table table) {
        if (table.isReplicated()) {
            return " REPLICATED";
        }
        return table.hasRowId()
                ? " PARTITION ON ROW"
                : " PARTITION ON COLUMN "
                        + quoted(table.columns()
                                .get(table.partitioningColumn().getAsInt())
                                .name());
    }

    private void addIndexes(Table table) {
        for (Index index : table.indexes()) {
            boolean comesWithKey =
                    table.foreignKeys().stream().anyMatch(key -> index.name().equals(key.name() + "_INDEX"));
            boolean comesWithExpiry = table.expiry().isPresent() && index.name().equals(Expiry.indexName(table.name()));
            if (!index.primary() && !comesWithKey && !comesWithExpiry) {
                add(
                        "INDEX",
                        index.name(),
                        "CREATE " + (index.unique() ? "UNIQUE " : "") + "INDEX " + quoted(index.name()) + " ON "
                                + quoted(table.name()) + " (" + names(table, index) + ")"
                                + (index.kind() == IndexKind.HASH ? " USING HASH" : "")
                                + validity(index.isValidated())
                                + index.condition()
                                        .map(condition -> " WHERE " + condition.text())
                                        .orElse(""));
            }
        }
    }

    private String column(Column column) {
        StringBuilder text = new StringBuilder(quoted(column.name()))
                .append(' ')
                .append(column.type().definition());
        if (!column.nullable()) {
            text.append(" NOT NULL");
        }
        OptionalInt sequence = column.drawsFrom();
        if (column.isIdentity()) {
            Table draws = tablesById.get(sequence.orElseThrow());
            if (draws == null) {
                throw Invariants.breach("an identity column has its sequence");
            }
            text.append(' ').append(column.defaultText()).append(" (");
            text.append(numbers(draws, draws.sequence().orElseThrow())).append(')');
        } else if (column.defaultText() != null) {
            text.append(" DEFAULT ").append(column.defaultText());
        } else if (column.generation() != null) {
            text.append(" GENERATED ALWAYS AS ")
                    .append(column.generation().text()) // which has its parentheses
                    .append(" STORED");
        }
        return text.toString();
    }

    private static String names(Table table, Index index) {
        List<String> names = new ArrayList<>();
        for (IndexColumn column : index.columns()) {
            String key = column.expression().map(KeyExpression::text).orElseGet(() -> quoted(column.text(table)));
            names.add(key + (column.descending() ? " DESC" : ""));
        }
        return String.join(", ", names);
    }

    private void addAggregations() {
        for (Table table : catalog.tables().values()) {
            Aggregation aggregation = table.aggregation().orElse(null);
            if (aggregation != null) {
                String columns = aggregation.outputs().stream()
                        .map(Aggregation.Output::name)
                        .map(DefinitionText::quoted)
                        .collect(Collectors.joining(", "));
                add(
                        "MATERIALIZED VIEW",
                        table.name(),
                        "CREATE MATERIALIZED VIEW " + quoted(table.name()) + " (" + columns + ") AS "
                                + aggregation.text().strip());
                addIndexes(table);
            }
        }
    }

    /** Each view after those that it uses. */
    private void addViews() {
        List<String> open = new ArrayList<>(catalog.views().keySet());
        while (!open.isEmpty()) {
            int before = open.size();
            for (String name : List.copyOf(open)) {
                View view = catalog.views().get(name);
                if (view != null && view.uses().stream().noneMatch(open::contains)) {
                    String columns = view.columns().stream()
                            .map(ResultColumn::name)
                            .map(DefinitionText::quoted)
                            .collect(Collectors.joining(", "));
                    add(
                            "VIEW",
                            name,
                            "CREATE VIEW " + quoted(name) + " (" + columns + ")"
                                    + (view.options().isEmpty()
                                            ? ""
                                            : " WITH (" + String.join(", ", view.options()) + ")")
                                    + " AS "
                                    + view.text().strip());
                    open.remove(name);
                }
            }
            Invariants.check(open.size() < before, "views do not use each other in a circle");
        }
    }

    /** Aggregates come after the functions that they are made of. */
    private void addFunctions() {
        for (UserFunction function : catalog.functions().values()) {
            if (!function.isAggregate()) {
                add(function);
            }
        }
        for (UserFunction function : catalog.functions().values()) {
            if (function.body() instanceof UserFunction.Aggregate body) {
                add(function, body);
            }
        }
    }

    private void add(UserFunction aggregate, UserFunction.Aggregate body) {
        String taken = aggregate.parameters().stream()
                .map(parameter -> parameter.type().toString())
                .collect(Collectors.joining(", "));
        String text = "CREATE AGGREGATE " + quoted(aggregate.name()) + " (" + taken + ") (SFUNC = "
                + quoted(body.step()) + ", STYPE = " + body.state()
                + body.last().map(name -> ", FINALFUNC = " + quoted(name)).orElse("")
                + body.initial()
                        .map(initial -> ", INITCOND = '" + initial.text().replace("'", "''") + "'")
                        .orElse("")
                + ")";
        add("AGGREGATE", aggregate.name(), text);
    }

    private void add(UserFunction function) {
        String parameters = function.parameters().stream()
                .map(parameter -> quoted(parameter.name()) + " " + parameter.type())
                .collect(Collectors.joining(", "));
        String body = switch (function.body()) {
            case UserFunction.JavaMethod java ->
                (function.takesNulls() ? " CALLED ON NULL INPUT" : "") + " FROM CLASS "
                        + AccessText.dotted(java.className())
                        + (java.method().isEmpty() ? "" : " METHOD " + AccessText.dotted(java.method()));
            case UserFunction.Formula formula -> " RETURN " + formula.text();
            case UserFunction.Aggregate _ -> throw Invariants.breach("aggregates have statements of their own");
        };
        add(
                "FUNCTION",
                function.name(),
                "CREATE FUNCTION " + quoted(function.name()) + " (" + parameters + ") RETURNS " + function.result()
                        + body);
    }

    private void add(ProcedureDefinition procedure) {
        Optional<String> body = switch (procedure.body()) {
            case ProcedureDefinition.Sql sql -> Optional.of(" AS " + body(sql));
            case ProcedureDefinition.JavaClass java ->
                Optional.of(" FROM CLASS " + AccessText.dotted(java.className()));
            case ProcedureDefinition.RowAccess _ -> Optional.empty(); // comes with its table
        };
        if (body.isEmpty()) {
            return;
        }
        String partitioning = procedure
                .partitioning()
                .map(by -> " PARTITION ON TABLE " + quoted(by.table()) + " COLUMN " + quoted(by.column())
                        + " PARAMETER " + by.parameter())
                .orElse("");
        String name = AccessText.dotted(procedure.name());
        add("PROCEDURE", procedure.name(), "CREATE PROCEDURE " + name + partitioning + body.get());
        if (procedure.byValue()) {
            add("PROCEDURE", procedure.name(), "ALTER PROCEDURE " + name + " LOG VALUES");
        }
    }

    private static String body(ProcedureDefinition.Sql sql) {
        List<String> statements = sql.statements().stream().map(String::strip).toList();
        return statements.size() == 1 ? statements.getFirst() : "BEGIN " + String.join("; ", statements) + "; END";
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
