package dev.fulmar.benchmarks.timestone;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines over a few places, as SVG. The height is logarithmic. */
public final class LineChart {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int RIGHT = 230;
    private static final int TOP = 60;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS =
            List.of("#1f4e79", "#c55a11", "#548235", "#7030a0", "#7f7f7f", "#bf9000");

    private final String title;
    private final String subtitle;
    private final String unit;
    private final List<String> places;
    private final List<Line> lines = new ArrayList<>();

    private record Line(String name, List<Double> values) {}

    /** @param places names of the places from left to right */
    public LineChart(String title, String subtitle, String unit, List<String> places) {
        this.title = title;
        this.subtitle = subtitle;
        this.unit = unit;
        this.places = List.copyOf(places);
    }

    /** Adds a line with a positive value for each place. */
    public void line(String name, List<Double> values) {
        lines.add(new Line(name, List.copyOf(values)));
    }

    /** The picture. */
    public String toSvg() {
        int lowest = decade(false);
        int highest = Math.max(lowest + 1, decade(true));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT));
        text(svg, LEFT, 22, "font-size=\"15\"", title);
        text(svg, LEFT, 42, "fill=\"#555\"", subtitle);
        text(svg, 8, TOP - 6, "fill=\"#555\"", unit);
        for (int decade = lowest; decade <= highest; decade++) {
            double y = y(Math.pow(10, decade), lowest, highest);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y));
            text(
                    svg,
                    8,
                    y + 4,
                    "",
                    decade < 0 ? "1e" + decade : String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade)));
        }
        for (int i = 0; i < places.size(); i++) {
            text(svg, x(i), HEIGHT - BOTTOM + 20, "text-anchor=\"middle\"", places.get(i));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), TOP + 20 * i, lowest, highest);
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, Line line, String colour, int legendY, int lowest, int highest) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < line.values.size(); i++) {
            double y = y(line.values.get(i), lowest, highest);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y));
            svg.append(String.format(
                    Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x(i), y, colour));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                points.toString().trim(),
                colour));
        text(svg, WIDTH - RIGHT + 24, legendY, "fill=\"" + colour + "\"", line.name);
    }

    private int decade(boolean up) {
        double extreme = lines.stream()
                .flatMap(line -> line.values.stream())
                .filter(value -> value > 0)
                .reduce(up ? Math::max : Math::min)
                .orElse(1.0);
        double exponent = Math.log10(extreme);
        return (int) (up ? Math.ceil(exponent) : Math.floor(exponent));
    }

    private double x(int place) {
        double step = (WIDTH - RIGHT - LEFT) / (double) places.size();
        return LEFT + step * (place + 0.5);
    }

    private static double y(double value, int lowest, int highest) {
        double share = (Math.log10(Math.max(value, Math.pow(10, lowest))) - lowest) / (highest - lowest);
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
    }

    private static void text(StringBuilder svg, double x, double y, String style, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>%n",
                x,
                y,
                style,
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }
}
