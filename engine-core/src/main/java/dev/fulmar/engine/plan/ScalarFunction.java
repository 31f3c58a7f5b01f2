package dev.fulmar.engine.plan;

/** Scalar functions and operators. Null arguments give null unless said otherwise. */
public enum ScalarFunction {
    PLUS,
    MINUS,
    TIMES,
    /** Division by zero is an error. */
    DIVIDE,
    MODULO,
    NEGATE,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    /** Null-safe equality; never null. */
    IS_NOT_DISTINCT_FROM,
    /** Three-valued, any number of arguments. */
    AND,
    /** Three-valued, any number of arguments. */
    OR,
    NOT,
    IS_NULL,
    IS_NOT_NULL,
    IS_TRUE,
    IS_NOT_TRUE,
    IS_FALSE,
    IS_NOT_FALSE,
    /** condition, value, condition, value, ..., otherwise. */
    CASE,
    /** To the call's type; an impossible value is an error. */
    CAST,
    /** First argument that is not null. */
    COALESCE,
    /** First argument equals one of the others, three-valued. */
    IN,
    /** text, pattern[, escape]. */
    LIKE,
    CONCAT,
    /**
     * separator, text, text, ...: the texts that are not null one behind another, with the separator between two of
     * them; null if the separator is.
     */
    CONCAT_KNOWN,
    /** text, from (1-based)[, length]. */
    SUBSTRING,
    UPPER,
    LOWER,
    /** Characters, not bytes. */
    CHAR_LENGTH,
    OCTET_LENGTH,
    /** position of the first in the second, from 1; 0 if absent. */
    POSITION,
    /** text, search, replacement. */
    REPLACE,
    /** text, characters to strip. */
    TRIM_BOTH,
    TRIM_LEADING,
    TRIM_TRAILING,
    /** text, characters of the result, what fills it. */
    PAD_LEFT,
    PAD_RIGHT,
    /** text, how often; none if that is negative. */
    REPEAT,
    REVERSE,
    /** Each word's first letter in upper case, the others in lower case. */
    INITIAL_CAPITALS,
    /** Code point of the first character; 0 of an empty text. */
    CODE_POINT,
    /** The character of a code point. */
    CHARACTER,
    /** text, characters, what replaces each of them, by position. */
    TRANSLATE,
    /** text, regular expression: whether a part of the text matches. */
    MATCHES,
    /** The same without regard to case. */
    MATCHES_IN_ANY_CASE,
    /** array as text, number: an element; null where there is none. */
    ELEMENT,
    /** array as text, element: whether it is there. */
    HAS_ELEMENT,
    /** Elements of an array that is given as text. */
    ELEMENT_COUNT,
    /** array as text, what stands between two elements: the elements one behind another, without nulls. */
    JOIN_ELEMENTS,
    ABS,
    SIGN,
    /** number[, digits]. */
    ROUND,
    /** The whole number that is nearest to a DOUBLE, and the even one of two. */
    ROUND_EVEN,
    /** number[, digits]. */
    TRUNCATE,
    FLOOR,
    CEIL,
    SQRT,
    POWER,
    EXP,
    LN,
    LOG10,
    /** base, number: the logarithm, of numerics alone. */
    LOG,
    /** The digits behind the point of a numeric; null of what is no number. */
    SCALE,
    /** The fewest digits behind the point that the numeric needs. */
    MIN_SCALE,
    /** The numeric without zeros at its end. */
    TRIM_SCALE,
    /** number, first bound, last bound, count: the number of the bucket that has it. */
    WIDTH_BUCKET,
    /** The same as PostgreSQL computes it, of doubles if one is, or if all are integers. */
    WIDTH_BUCKET_BY_TYPE,
    SIN,
    COS,
    TAN,
    COT,
    ASIN,
    ACOS,
    ATAN,
    /** ordinate, abscissa. */
    ATAN2,
    DEGREES,
    RADIANS,
    CBRT,
    GREATEST,
    LEAST,
    /** The greatest of the arguments that are not null; null if there is none. */
    GREATEST_KNOWN,
    /** The least of the arguments that are not null; null if there is none. */
    LEAST_KNOWN,
    EXTRACT_YEAR,
    EXTRACT_MONTH,
    EXTRACT_DAY,
    EXTRACT_HOUR,
    EXTRACT_MINUTE,
    EXTRACT_SECOND,
    EXTRACT_DAY_OF_WEEK,
    EXTRACT_DAY_OF_YEAR,
    EXTRACT_WEEK,
    EXTRACT_QUARTER,
    /** Of the seconds, with their fraction. */
    EXTRACT_MICROSECOND,
    /** date or timestamp, months; the day is that of the date, or the last of a shorter month. */
    ADD_MONTHS,
    /** Whole months from the second timestamp to the first. */
    MONTHS_BETWEEN,
    /** The last day of the month of a date or timestamp. */
    LAST_DAY,
    /**
     * An instant as a TIMESTAMP or as text in a time zone, or the other way round. The second argument is the zone's
     * name.
     */
    AT_ZONE,
    /** value, text: the value; an error of computing it begins with the text, which says where the value belongs. */
    NAMED,
    /**
     * The function of users that the first argument is, as a literal whose value is its
     * {@code dev.fulmar.engine.userfunction.UserFunction}, of the other arguments.
     */
    USER_DEFINED,
    /** The next number of a sequence, whose id is the argument; only where a partition makes a row. */
    NEXT_VALUE,
    /**
     * The first of as many numbers of a dense sequence as the second argument says, or as a node draws together. The
     * sequence's id is the first argument; only at the sequence's place.
     */
    NEXT_RANGE,
    /** The last number of a sequence, whose id is the argument, on the client's connection; the node knows it. */
    CURRENT_VALUE,
    /** The last number of any sequence on the client's connection; no argument. */
    LAST_VALUE,
    /**
     * The id of a new row of a table that is spread by row ids. It is made of the transaction's time and of the
     * argument, a number of the row in its statement. A statement with a constant argument is given an id instead.
     */
    ROW_ID,
    /**
     * A number of a dense sequence that the statement is given for a row. The arguments are the position of the first
     * parameter of {@link RowNumbers}, the place among the statement's sequences, and the row's number from 1. Null for
     * a null row.
     */
    GIVEN_NUMBER,
    /**
     * 64 random bits. The argument is the number of the place in its statement where they are written. A statement is
     * given them, or seeds of them, before it runs.
     */
    RANDOM_BITS,
    /** 64 random bits for a row, made of a seed and of how many there were before on the partition. */
    RANDOM_OF_ROW,
    /** The random number of 0 to 1, without 1, of random bits. */
    RANDOM_FRACTION,
    /** The random UUID, of version 4, of twice 64 random bits. */
    RANDOM_UUID,
    /** The transaction's time, in UTC or as an instant; no argument. */
    CURRENT_TIMESTAMP,
    CURRENT_DATE,
    CURRENT_TIME,
    /** text, separator, number of the part from 1, or from the end if negative. */
    SPLIT_PART,
    STARTS_WITH,
    /** The digest of a text or of bytes, in hexadecimal digits. */
    MD5,
    SHA224,
    SHA256,
    SHA384,
    SHA512,
    /** bytes, name of the form. */
    ENCODE,
    /** The same, where each full line of base64 ends with a line feed. */
    ENCODE_LINES,
    /** text, name of the form. */
    DECODE,
    /** The same, where base64 has all of its padding, and the two digits of a byte have nothing between them. */
    DECODE_WHOLE,
    QUOTE_LITERAL,
    /** A name as a statement of PostgreSQL has it, in double quotes where it needs them. */
    QUOTE_IDENT,
    /** format, values: each is a text behind a plus sign, or a minus sign for NULL. */
    FORMAT,
    /** An INTEGER in hexadecimal digits, a negative one as a number of 32 bits. */
    TO_HEX,
    /** The same of a BIGINT, of 64 bits. */
    TO_LONG_HEX,
    /** text, expression[, flags]. */
    REGEXP_LIKE,
    /** text, expression[, first place[, flags]]. */
    REGEXP_COUNT,
    /** text, expression[, first place[, number of the match[, 0 or 1: its end[, flags[, group]]]]]. */
    REGEXP_INSTR,
    /** text, expression[, first place[, number of the match[, flags[, group]]]]; null if there is none. */
    REGEXP_SUBSTR,
    /** text, expression, replacement[, flags], or [, first place[, number of the match[, flags]]]. */
    REGEXP_REPLACE,
    /** text, expression[, flags]: the parts of the first match, as an array. */
    REGEXP_MATCH,
    /** text, expression[, flags]: the texts of arrays of the parts, one for each match. */
    REGEXP_MATCHES,
    /** text, expression[, flags]: the texts between the matches, as an array. */
    REGEXP_SPLIT,
    /** text, expression: what its first group matches, or all of the match if there is none. */
    EXPRESSION_PART,
    /** text, pattern of SIMILAR TO, escape character: whether the whole text matches. */
    SIMILAR,
    /** text, pattern of SIMILAR TO with its part marked, escape character: that part of the text. */
    SIMILAR_PART,
    /** unit, timestamp; or unit, instant, zone. */
    DATE_TRUNC,
    /** timestamp, template; or instant, template, zone. */
    TO_CHAR_OF_TIME,
    /** number, template. */
    TO_CHAR_OF_NUMBER,
    /** text, template. */
    TO_NUMBER,
    /** text, template. */
    TO_DATE,
    /** text, template, zone. */
    TO_TIMESTAMP,
    /** The seconds of a timestamp or an instant since 1970 in UTC, with their fraction. */
    EPOCH,
    /** The instant by seconds since 1970 in UTC, a DOUBLE. */
    OF_EPOCH,
    /** year, month, day. */
    MAKE_DATE,
    /** hour, minute, seconds. */
    MAKE_TIME,
    /** year, month, day, hour, minute, seconds. */
    MAKE_TIMESTAMP,
    /** timestamp, zone or offset: the instant at which clocks show it there. */
    MAKE_INSTANT,
    /** interval, timestamp or instant, origin: the begin of the part of that length from the origin on. */
    DATE_BIN,
    /** name of the field, name of the type, timestamp or time; and of an instant the zone. */
    MOMENT_FIELD,
    /** interval, name of an IntervalStyle. */
    INTERVAL_TEXT,
    SINH,
    COSH,
    TANH,
    ASINH,
    ACOSH,
    ATANH,
    /** Of an angle in degrees, as the next ones. */
    SIND,
    COSD,
    TAND,
    COTD,
    ASIND,
    ACOSD,
    ATAND,
    ATAN2D,
    /** The bits of a REAL, from the greatest. */
    REAL_BYTES,
    /** The bits of a DOUBLE, from the greatest. */
    DOUBLE_BYTES,
    /** bytes, place from 0. */
    GET_BYTE,
    /** bytes, place from 0, value. */
    SET_BYTE,
    /** bytes, place from 0. */
    GET_BIT,
    /** bytes, place from 0, value. */
    SET_BIT,
    /** Bits that are set. */
    BIT_COUNT,
    /** text or bytes, what is put into it, place from 1[, length of what it replaces]. */
    OVERLAY,
    /** A text with characters by their numbers. */
    UNISTR,
    /** The greatest common divisor. */
    GCD,
    /** The least common multiple. */
    LCM,
    FACTORIAL,
    /** The quotient of two decimals without its fraction. */
    DIV,
    /** document, key: the document of the key; null where there is none. */
    JSON_MEMBER,
    /**
     * document, index from 0, or from the end if negative, whether it is a JSONB: the element; null where there is
     * none.
     */
    JSON_ELEMENT,
    /** document, array of keys and indexes as text: the part they lead to; null where there is none. */
    JSON_AT_PATH,
    /** A document as text: null for JSON's null, a text without its quotes. */
    JSON_TEXT,
    JSON_CONTAINS,
    /** document, text: whether it is a key of the object or an element of the array. */
    JSON_HAS_KEY,
    /** document, array of texts as text. */
    JSON_HAS_ANY,
    /** document, array of texts as text. */
    JSON_HAS_ALL,
    /** Two objects as one, or the elements of both. */
    JSON_CONCAT,
    JSON_WITHOUT_KEY,
    /** document, array of keys as text. */
    JSON_WITHOUT_KEYS,
    /** document, index. */
    JSON_WITHOUT_ELEMENT,
    /** document, array of keys and indexes as text. */
    JSON_WITHOUT_PATH,
    /** document, array of keys and indexes as text, value, whether it is added where it is missing. */
    JSON_SET,
    /** document, array of keys and indexes as text, value, whether it comes behind the element there. */
    JSON_INSERT,
    JSON_STRIP_NULLS,
    JSON_PRETTY,
    JSON_TYPE,
    /** The keys of an object, as an array of texts. */
    JSON_KEYS,
    /** The values of an object as documents, in an array of texts. */
    JSON_VALUES,
    /** The same as texts: NULL for JSON's null, texts without quotes. */
    JSON_VALUE_TEXTS,
    /** The elements of an array as documents, in an array of texts. */
    JSON_ELEMENTS,
    /** The same as texts. */
    JSON_ELEMENT_TEXTS,
    JSON_LENGTH,
    /** A value that is no document as one. */
    TO_JSON,
    /** The text of a date or of a date and a time as a document. */
    TO_JSON_MOMENT,
    /** The text of an approximate number as a document. */
    TO_JSON_NUMBER,
    /** The text of an array, name of a {@code JsonArrays.Kind}: it as a document. */
    TO_JSON_ARRAY,
    /** The text of an array of keys and values, or those of an array of keys and one of values: an object of texts. */
    JSON_OF_TEXTS,
    /** The document, which is an object. */
    JSON_RECORD,
    /** The elements of an array, which are objects, in an array of texts. */
    JSON_RECORDS,
    /** document, path[, object of variables]: whether the path has an item. */
    JSON_QUERY_FINDS,
    /** document, path: the truth value that its only item is; null for any other. */
    JSON_QUERY_HOLDS,
    /** document, path[, object of variables]: the truth value that its only item is; others are an error. */
    JSON_QUERY_MATCHES,
    /** document, path[, object of variables]: the items as an array. */
    JSON_QUERY_ARRAY,
    /** document, path[, object of variables]: the first item; null if there is none. */
    JSON_QUERY_FIRST,
    /** document, path[, object of variables]: the items as an array of texts. */
    JSON_QUERY_ITEMS,
    /** anything, texts: the texts one behind another, which are a document. */
    JSON_ROW,
    /** Documents as the elements of an array. */
    JSON_ARRAY,
    /** key, value, key, value, ...: documents as the members of an object. */
    JSON_OBJECT,
    /** key, value: documents as the text of a member. */
    JSON_PAIR,
    /** The texts of elements, with commas between them, as an array. */
    JSON_OF_ITEMS,
    /** The texts of members, with commas between them, as an object. */
    JSON_OF_PAIRS,
    /** Texts as an array of them, as text. */
    JSON_PATH,
    /** The text of an array, which is looked at. */
    JSON_LIST,
    INTERVAL_PLUS,
    INTERVAL_MINUS,
    INTERVAL_NEGATE,
    /** interval, double. */
    INTERVAL_TIMES,
    /** interval, double. */
    INTERVAL_DIVIDE,
    /** The days and the rest from the second moment to the first; both are of one type. */
    INTERVAL_BETWEEN,
    /** moment, interval, and of an instant the zone in which it has days: the moment so much later. */
    INTERVAL_AFTER,
    /** moment, interval, and of an instant the zone in which it has days: the moment so much earlier. */
    INTERVAL_BEFORE,
    /** The seconds of an interval. */
    INTERVAL_EPOCH,
    /** moment, moment, and of instants the zone in which they have days: years to seconds between them. */
    AGE,
    JUSTIFY_HOURS,
    JUSTIFY_DAYS,
    JUSTIFY_INTERVAL,
    /** years, months, weeks, days, hours, minutes, and seconds as a double. */
    MAKE_INTERVAL,
    /** Values as the elements of an array. */
    ARRAY_OF,
    /** array, number from 1: the element; null where there is none. */
    ARRAY_ELEMENT,
    /** Two arrays as one; the other one where one is null. */
    ARRAY_CONCAT,
    /** array, dimension: the elements of an array that has some. */
    ARRAY_LENGTH,
    ARRAY_CARDINALITY,
    /** array, array of a value: whether it is an element, as IN says it. */
    ARRAY_HAS,
    /** array, array of a value, the first number that counts: the number of its first element that is the value. */
    ARRAY_POSITION,
    /** array, array of a value: the numbers of all elements that are the value. */
    ARRAY_POSITIONS,
    /** array, array of a value. */
    ARRAY_REMOVE,
    /** array, array of a value, array of another one. */
    ARRAY_REPLACE,
    /** array, array of which each element is one of the first. */
    ARRAY_CONTAINS,
    /** Two arrays with an element in common. */
    ARRAY_OVERLAPS,
    /** The text of an array, a separator, an array of a text for NULL. */
    ARRAY_JOIN,
    /** text, array of a separator, array of a text for NULL: the parts of the text. */
    ARRAY_SPLIT
}
