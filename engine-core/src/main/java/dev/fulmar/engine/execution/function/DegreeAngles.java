package dev.fulmar.engine.execution.function;

/**
 * Functions of angles in degrees. They are scaled by their own values at 30, 45 and 60 degrees, so that these and their
 * multiples are exact, as in PostgreSQL.
 */
final class DegreeAngles {
    private static final double RADIANS_PER_DEGREE = 0.0174532925199432957692;
    private static final double SINE_OF_30 = StrictMath.sin(30 * RADIANS_PER_DEGREE);
    private static final double ONE_MINUS_COSINE_OF_60 = 1 - StrictMath.cos(60 * RADIANS_PER_DEGREE);
    private static final double TANGENT_OF_45 = sineOfQuarter(45) / cosineOfQuarter(45);
    private static final double COTANGENT_OF_45 = cosineOfQuarter(45) / sineOfQuarter(45);
    private static final double ARC_SINE_OF_HALF = StrictMath.asin(0.5);
    private static final double ARC_COSINE_OF_HALF = StrictMath.acos(0.5);
    private static final double ARC_TANGENT_OF_1 = StrictMath.atan(1);
    private static final double FULL = 360;
    private static final double HALF = 180;
    private static final double QUARTER = 90;

    private DegreeAngles() {}

    private static double sineTo30(double degrees) {
        return StrictMath.sin(degrees * RADIANS_PER_DEGREE) / SINE_OF_30 / 2;
    }

    private static double cosineTo60(double degrees) {
        return 1 - (1 - StrictMath.cos(degrees * RADIANS_PER_DEGREE)) / ONE_MINUS_COSINE_OF_60 / 2;
    }

    private static double sineOfQuarter(double degrees) {
        return degrees <= 30 ? sineTo30(degrees) : cosineTo60(QUARTER - degrees);
    }

    private static double cosineOfQuarter(double degrees) {
        return degrees <= 60 ? cosineTo60(degrees) : sineTo30(QUARTER - degrees);
    }

    private static double checked(double degrees) {
        if (Double.isInfinite(degrees)) {
            throw FloatValues.outOfRange(degrees);
        }
        return degrees % FULL;
    }

    static double sine(double given) {
        double degrees = checked(given);
        int sign = 1;
        if (degrees < 0) {
            degrees = -degrees;
            sign = -sign;
        }
        if (degrees > HALF) {
            degrees = FULL - degrees;
            sign = -sign;
        }
        if (degrees > QUARTER) {
            degrees = HALF - degrees;
        }
        return sign * sineOfQuarter(degrees);
    }

    static double cosine(double given) {
        double degrees = Math.abs(checked(given));
        int sign = 1;
        if (degrees > HALF) {
            degrees = FULL - degrees;
        }
        if (degrees > QUARTER) {
            degrees = HALF - degrees;
            sign = -sign;
        }
        return sign * cosineOfQuarter(degrees);
    }

    static double tangent(double given) {
        Folded folded = new Folded(checked(given));
        double quotient = sineOfQuarter(folded.degrees) / cosineOfQuarter(folded.degrees);
        return unsignedZero(folded.sign * (quotient / TANGENT_OF_45));
    }

    static double cotangent(double given) {
        Folded folded = new Folded(checked(given));
        double quotient = cosineOfQuarter(folded.degrees) / sineOfQuarter(folded.degrees);
        return unsignedZero(folded.sign * (quotient / COTANGENT_OF_45));
    }

    /** No zero has a sign here, whatever the sign of the angle. */
    private static double unsignedZero(double number) {
        return number == 0 ? 0 : number;
    }

    /** An angle as one of at most 90 degrees, for functions that change their sign with it. */
    private static final class Folded {
        private double degrees;
        private int sign = 1;

        Folded(double given) {
            degrees = given;
            if (degrees < 0) {
                degrees = -degrees;
                sign = -sign;
            }
            if (degrees > HALF) {
                degrees = FULL - degrees;
                sign = -sign;
            }
            if (degrees > QUARTER) {
                degrees = HALF - degrees;
                sign = -sign;
            }
        }
    }

    static double arcSine(double number) {
        checkUnit(number);
        return number >= 0 ? arcSineOfQuarter(number) : -arcSineOfQuarter(-number);
    }

    static double arcCosine(double number) {
        checkUnit(number);
        return number >= 0 ? arcCosineOfQuarter(number) : QUARTER + arcSineOfQuarter(-number);
    }

    private static void checkUnit(double number) {
        if (number < -1 || number > 1) {
            throw FloatValues.outOfRange(number);
        }
    }

    private static double arcSineOfQuarter(double number) {
        return number <= 0.5
                ? StrictMath.asin(number) / ARC_SINE_OF_HALF * 30
                : QUARTER - StrictMath.acos(number) / ARC_COSINE_OF_HALF * 60;
    }

    private static double arcCosineOfQuarter(double number) {
        return number <= 0.5
                ? QUARTER - StrictMath.asin(number) / ARC_SINE_OF_HALF * 30
                : StrictMath.acos(number) / ARC_COSINE_OF_HALF * 60;
    }

    static double arcTangent(double number) {
        return StrictMath.atan(number) / ARC_TANGENT_OF_1 * 45;
    }

    static double arcTangent(double ordinate, double abscissa) {
        return StrictMath.atan2(ordinate, abscissa) / ARC_TANGENT_OF_1 * 45;
    }
}
