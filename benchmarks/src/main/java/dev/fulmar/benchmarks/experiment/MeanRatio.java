package dev.fulmar.benchmarks.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The geometric mean of ratios, with the interval that has it in 95 of 100 cases, by bootstrap.
 *
 * @param lowest end of the interval
 * @param highest end of the interval
 */
public record MeanRatio(double mean, double lowest, double highest) {
    private static final int DRAWS = 10_000;
    private static final double BELOW = 0.025;
    private static final long SEED = 1;

    /** Not a number, which meets no goal, if there are no ratios. */
    public static MeanRatio of(List<Double> ratios) {
        double[] logarithms = ratios.stream().mapToDouble(Math::log).toArray();
        if (logarithms.length == 0) {
            return new MeanRatio(Double.NaN, Double.NaN, Double.NaN);
        }
        SplittableRandom random = new SplittableRandom(SEED); // so that the same pairs give the same interval
        double[] means = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double sum = 0;
            for (int i = 0; i < logarithms.length; i++) {
                sum += logarithms[random.nextInt(logarithms.length)];
            }
            means[draw] = sum / logarithms.length;
        }
        Arrays.sort(means);
        double sum = 0;
        for (double logarithm : logarithms) {
            sum += logarithm;
        }
        int outside = (int) (BELOW * DRAWS);
        return new MeanRatio(
                Math.exp(sum / logarithms.length), Math.exp(means[outside]), Math.exp(means[DRAWS - 1 - outside]));
    }
}
