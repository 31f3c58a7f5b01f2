package dev.fulmar.wire.postgres.type;

/** Conversion between days since 1970-01-01 and year, month and day of the Gregorian calendar, for all years. */
final class CivilDate {
    private static final long DAYS_PER_ERA = 146_097;
    private static final int YEARS_PER_ERA = 400;
    private static final long DAYS_TO_MARCH_OF_YEAR_0 = 719_468;
    private static final int MONTH_SHIFT = 8;
    private static final int YEAR_SHIFT = 16;
    private static final int[] MONTH_DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private CivilDate() {}

    /** The date as one number: the year, which may be 0 or negative, then the month in 8 bits, then the day in 8. */
    static long ofDays(long days) {
        long shifted = days + DAYS_TO_MARCH_OF_YEAR_0;
        long era = Math.floorDiv(shifted, DAYS_PER_ERA);
        long dayOfEra = shifted - era * DAYS_PER_ERA;
        long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long shiftedMonth = (5 * dayOfYear + 2) / 153;
        long day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
        long month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
        long year = yearOfEra + era * YEARS_PER_ERA + (month <= 2 ? 1 : 0);
        return year << YEAR_SHIFT | month << MONTH_SHIFT | day;
    }

    static long year(long date) {
        return date >> YEAR_SHIFT;
    }

    static int month(long date) {
        return (int) (date >> MONTH_SHIFT & 0xFF);
    }

    static int day(long date) {
        return (int) (date & 0xFF);
    }

    /** Days since 1970-01-01 of a date that there is. */
    static long toDays(long year, int month, int day) {
        long shiftedYear = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(shiftedYear, YEARS_PER_ERA);
        long yearOfEra = shiftedYear - era * YEARS_PER_ERA;
        long dayOfYear = (153 * (month > 2 ? month - 3L : month + 9L) + 2) / 5 + day - 1;
        long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_MARCH_OF_YEAR_0;
    }

    /** Days of the month, from 1 to 12, in the year. */
    static int monthDays(long year, int month) {
        boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % YEARS_PER_ERA == 0);
        return month == 2 && isLeap ? 29 : MONTH_DAYS[month - 1];
    }
}
