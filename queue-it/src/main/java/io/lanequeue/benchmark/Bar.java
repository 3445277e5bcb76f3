package io.lanequeue.benchmark;

/**
 * A bar of a chart.
 *
 * @param name what was measured
 * @param series which of the bars of that name
 * @param value its height
 */
record Bar(String name, String series, double value) {}
