package dev.fulmar.it.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sentences of comments and documents, as docs/STYLE.md counts them. */
final class Prose {
    static final int MAX_WORDS = 25;

    /** Words that stand for a role and name none. */
    private static final Set<String> NO_SUBJECTS =
            Set.of("what", "whatever", "whoever", "who", "nobody", "anybody", "somebody", "here");

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+[^{}]*(?:\\{[^{}]*}[^{}]*)*}");
    private static final Pattern BLOCK_TAG = Pattern.compile("(?m)^\\s*@\\w+.*", Pattern.DOTALL);
    private static final Pattern PREFORMATTED = Pattern.compile("<pre>.*?</pre>|<table.*?</table>", Pattern.DOTALL);
    private static final Pattern HTML = Pattern.compile("<[^>]*>");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern NO_PROSE = Pattern.compile("\\s*(#|\\||>|!\\[|\\[[^\\]]*]:).*");
    private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.) .*");
    private static final Pattern MARKS = Pattern.compile("[*_()\"]");
    private static final Pattern END = Pattern.compile("(?<![.][A-Za-z]|e[.]g|i[.]e|etc|vs)[.!?](?=\\s|$)");

    private Prose() {}

    /** The first sentence of each Javadoc comment of a Java source. */
    static List<String> firstSentences(String source) {
        List<String> first = new ArrayList<>();
        for (Matcher found = JAVADOC.matcher(source); found.find(); ) {
            List<String> all = sentences(textOf(found.group(1)));
            if (!all.isEmpty()) {
                first.add(all.getFirst());
            }
        }
        return first;
    }

    /** All sentences of the Javadoc comments of a Java source. */
    static List<String> ofJavadoc(String source) {
        List<String> sentences = new ArrayList<>();
        for (Matcher found = JAVADOC.matcher(source); found.find(); ) {
            sentences.addAll(sentences(textOf(found.group(1))));
        }
        return sentences;
    }

    /** All sentences of a document but those of tables, headings and code. */
    static List<String> ofMarkdown(String document) {
        List<String> sentences = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        String text = CODE_BLOCK.matcher(document).replaceAll("\n");
        for (String line : text.lines().toList()) {
            boolean isItem = ITEM.matcher(line).matches();
            if (line.isBlank() || isItem || NO_PROSE.matcher(line).matches()) {
                sentences.addAll(sentences(plain(paragraph.toString())));
                paragraph.setLength(0);
            }
            if (!NO_PROSE.matcher(line).matches()) {
                paragraph
                        .append(isItem ? line.replaceFirst("\\s*([-*]|\\d+\\.) ", "") : line)
                        .append(' ');
            }
        }
        sentences.addAll(sentences(plain(paragraph.toString())));
        return sentences;
    }

    private static String plain(String markdown) {
        String withoutLinks = LINK.matcher(markdown).replaceAll("$1");
        return MARKS.matcher(CODE.matcher(withoutLinks).replaceAll("code")).replaceAll("");
    }

    private static String textOf(String comment) {
        String lines = comment.replaceAll("(?m)^\\s*\\* ?", "");
        String text = PREFORMATTED.matcher(lines).replaceAll(" ");
        text = INLINE_TAG.matcher(text).replaceAll("code");
        text = BLOCK_TAG.matcher(text).replaceAll("");
        return MARKS.matcher(HTML.matcher(text).replaceAll(" ")).replaceAll("");
    }

    private static List<String> sentences(String text) {
        List<String> sentences = new ArrayList<>();
        for (String sentence : END.split(text)) {
            String trimmed = sentence.strip();
            if (!trimmed.isEmpty()) {
                sentences.add(trimmed);
            }
        }
        return sentences;
    }

    static int words(String sentence) {
        return sentence.split("\\s+").length;
    }

    static boolean isLong(String sentence) {
        return words(sentence) > MAX_WORDS;
    }

    /** Whether the sentence's subject is a word that names no role. */
    static boolean hasNoRole(String sentence) {
        String first = sentence.split("[\\s,:;]+", 2)[0].toLowerCase(Locale.ROOT);
        return NO_SUBJECTS.contains(first);
    }
}
