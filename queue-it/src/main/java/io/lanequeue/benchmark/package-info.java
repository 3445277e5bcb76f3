/**
 * The benchmark: measures what the library promises, each figure beside its own baseline, in turn with it on the same
 * server. {@link io.lanequeue.benchmark.Benchmark} is the command; each {@code Scenario} measures one or two figures.
 * {@code docs/benchmarks/README.md} says what each figure is.
 */
@NullMarked
package io.lanequeue.benchmark;

import org.jspecify.annotations.NullMarked;
