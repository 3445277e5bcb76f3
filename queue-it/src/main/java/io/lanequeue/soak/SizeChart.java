package io.lanequeue.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the sizes of both queues' tables and indexes over time, a chart for each queue. */
final class SizeChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;
    private static final double MIB = 1024 * 1024;

    private SizeChart() {}

    static void write(Path file, List<Sample> samples) throws IOException {
        BitmapEncoder.saveBitmap(
                List.of(
                        chart(samples, "dispatch_outbox", "dispatch_outbox_user_heads"),
                        chart(samples, "effect_queue", "effect_queue_repo_heads")),
                2,
                1,
                file.toString(),
                BitmapFormat.PNG);
    }

    private static XYChart chart(List<Sample> samples, String queue, String heads) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(queue)
                .xAxisTitle("minutes")
                .yAxisTitle("MiB")
                .build();
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS).setLegendLayout(LegendLayout.Horizontal);
        for (String table : List.of(queue, heads)) {
            draw(chart, table, samples, sample -> sample.tableBytes(table));
            draw(chart, "indexes of " + table, samples, sample -> sample.indexBytes(table));
        }
        return chart;
    }

    private static void draw(XYChart chart, String name, List<Sample> samples, ToLongFunction<Sample> bytes) {
        double[] minutes = samples.stream()
                .mapToDouble(sample -> sample.at().toMillis() / 60_000.0)
                .toArray();
        double[] sizes = samples.stream()
                .mapToDouble(sample -> bytes.applyAsLong(sample) / MIB)
                .toArray();
        chart.addSeries(name, minutes, sizes).setMarker(SeriesMarkers.NONE);
    }
}
