package dev.fulmar.engine.execution.function;

import java.util.Set;

/** Names of objects as statements of PostgreSQL have them. */
public final class Identifiers {
    /** The words of PostgreSQL's grammar that are no names of columns, or none without quotes everywhere. */
    private static final Set<String> WORDS = Set.of("""
            all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean
            both case cast char character check coalesce collate collation column concurrently constraint create
            cross current_catalog current_date current_role current_schema current_time current_timestamp
            current_user dec decimal default deferrable desc distinct do else end except exists extract false
            fetch float for foreign freeze from full grant greatest group grouping having ilike in initially
            inner inout int integer intersect interval into is isnull join lateral leading least left like limit
            localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric
            offset on only or order out outer overlaps overlay placing position precision primary real
            references returning right row select session_user setof similar smallint some substring symmetric
            table tablesample then time timestamp to trailing treat trim true union unique user using values
            varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists
            xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
            """.strip().split("\\s+", -1));

    private Identifiers() {}

    /** The name, in double quotes if it would be another one, or a word of the grammar, without. */
    public static String quoted(String name) {
        return isPlain(name) && !WORDS.contains(name) ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            boolean isLetter = (letter >= 'a' && letter <= 'z') || letter == '_';
            if (!isLetter && (i == 0 || letter < '0' || letter > '9')) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
