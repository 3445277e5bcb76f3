package io.lanequeue.benchmark;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws the charts of a run. */
final class Charts {

    private static final int WIDTH = 820;
    private static final int HEIGHT = 420;

    /** Twice the usual 72, for screens with small pixels. */
    private static final int DOTS_PER_INCH = 144;

    private final Path directory;

    Charts(Path directory) {
        this.directory = directory;
    }

    /** Those that the results have data for. */
    void draw(Results results) throws IOException {
        if (!results.claimByBacklog().isEmpty()) {
            save(claimByBacklog(results.claimByBacklog()), "claim-by-backlog");
        }
        if (!results.claimOverTime().isEmpty()) {
            save(claimOverTime(results.claimOverTime()), "claim-under-snapshot");
        }
        if (!results.drains().isEmpty()) {
            save(drains(results.drains()), "drains");
        }
    }

    private static XYChart claimByBacklog(List<Curve> curves) {
        XYChart chart = lines("Claim of 100 lanes against the backlog", "events waiting", curves);
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        return chart;
    }

    private static XYChart claimOverTime(List<Curve> curves) {
        return lines("Claims at a steady load under a held snapshot", "seconds", curves);
    }

    private static XYChart lines(String title, String xAxis, List<Curve> curves) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xAxis)
                .yAxisTitle("median, ms")
                .build();
        style(chart.getStyler());
        for (Curve curve : curves) {
            chart.addSeries(
                    curve.name(),
                    curve.points().stream().mapToDouble(Curve.Point::x).toArray(),
                    curve.points().stream().mapToDouble(Curve.Point::y).toArray());
        }
        return chart;
    }

    private static CategoryChart drains(List<Bar> bars) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Drains of a backlog")
                .yAxisTitle("events per second")
                .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLabelRotation(20);
        List<String> names = bars.stream().map(Bar::name).distinct().toList();
        bars.stream()
                .map(Bar::series)
                .distinct()
                .forEach(series -> chart.addSeries(series, names, heights(bars, series, names)));
        return chart;
    }

    /** One for each name; null where nothing was measured, since the chart goes by position. */
    private static List<@Nullable Double> heights(List<Bar> bars, String series, List<String> names) {
        return names.stream()
                .map(name -> bars.stream()
                        .filter(bar -> bar.series().equals(series) && bar.name().equals(name))
                        .map(Bar::value)
                        .findFirst()
                        .orElse(null))
                .toList();
    }

    private static void style(AxesChartStyler styler) {
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setLegendBorderColor(Color.WHITE);
    }

    private void save(Chart<?, ?> chart, String name) throws IOException {
        BitmapEncoder.saveBitmapWithDPI(chart, directory.resolve(name).toString(), BitmapFormat.PNG, DOTS_PER_INCH);
    }
}
