package dev.fulmar.postgres.dialect;

/**
 * Forms of SUBSTRING. {@code SUBSTRING(x FOR n)} begins at the first character. Those with a pattern are
 * {@code SUBSTRING(x SIMILAR p ESCAPE e)}, {@code SUBSTRING(x FROM p FOR e)} and {@code SUBSTRING(x FROM p)}. A text
 * that is written there is a pattern and no place.
 */
final class SubstringForms {
    static final String SIMILAR_PART = "\"#SIMILAR_PART\"";
    static final String EXPRESSION_PART = "\"#EXPRESSION_PART\"";

    private final Words words;

    private SubstringForms(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        SubstringForms forms = new SubstringForms(words);
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "SUBSTRING", "(")) {
                forms.replace(i);
            }
        }
    }

    private void replace(int place) {
        int end = words.closing(place + 1);
        int similar = words.outside(place + 2, end, "SIMILAR");
        int escape = words.outside(place + 2, end, "ESCAPE");
        if (similar < end && escape < end && !words.areAt(similar + 1, "TO")) {
            replace(place, similar, escape, SIMILAR_PART);
            return;
        }
        int from = words.outside(place + 2, end, "FROM");
        int with = words.outside(place + 2, end, "FOR");
        if (from >= end && with < end) {
            words.insert(with, "FROM 1");
        } else if (from < end && isText(from + 1)) {
            if (with == from + 2 && isText(with + 1) && with + 2 == end) {
                replace(place, from, with, SIMILAR_PART);
            } else if (from + 2 == end) {
                replace(place, from, -1, EXPRESSION_PART);
            }
        }
    }

    private void replace(int place, int first, int second, String function) {
        if (second >= 0) {
            words.replace(second, second + 1, ",");
        }
        words.replace(first, first + 1, ",");
        words.replace(place, place + 1, function);
    }

    private boolean isText(int place) {
        return switch (words.at(place).kind()) {
            case STRING, ESCAPED, DOLLAR -> true;
            default -> false;
        };
    }
}
